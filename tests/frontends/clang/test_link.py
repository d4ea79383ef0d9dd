"""Several files, and the library models, as one program."""

from __future__ import annotations

from pathlib import Path

from precis.frontends.clang.link import Extent
from precis.frontends.clang.parse import load
from precis.ir.wellformed import violations
from tests.frontends.clang.lowering import lower, unsupported


def test_statics_of_two_files_stay_apart(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(
        "static int n = 1; static int get(void) { return n; } int other(void);"
        "int main(void) { return get() + other(); }"
    )
    (tmp_path / "b.c").write_text(
        "static int n = 2; static int get(void) { return n; } int other(void) { return get(); }"
    )
    program = load([tmp_path / "a.c", tmp_path / "b.c"])
    assert violations(program) == ()
    assert {"main", "get", "get.2", "other"} == set(program.procedures)
    assert set(program.globals) == {"n", "n.2"}
    assert program.procedures["get.2"].internal


def test_extern_variable_is_that_of_the_other_file(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("extern int shared[]; int main(void) { return shared[2]; }")
    (tmp_path / "b.c").write_text("int shared[3] = {1, 2, 3};")
    program = load([tmp_path / "a.c", tmp_path / "b.c"])
    assert violations(program) == ()
    assert program.globals["shared"].size == 12
    assert not program.globals["shared"].external


def test_same_struct_in_two_files_is_one_record(tmp_path: Path) -> None:
    (tmp_path / "s.h").write_text("struct s { int a; struct s *next; }; int use(struct s *);")
    (tmp_path / "a.c").write_text(
        '#include "s.h"\nint main(void) { struct s x = {1, 0}; return use(&x); }'
    )
    (tmp_path / "b.c").write_text('#include "s.h"\nint use(struct s *p) { return p->a; }')
    assert list(load([tmp_path / "a.c", tmp_path / "b.c"]).records) == ["s"]


def test_different_structs_of_one_tag_are_two_records(tmp_path: Path) -> None:
    source = """
    struct s { int a; };
    int f(void) { struct s { char b[9]; } x; x.b[0] = 1; return sizeof x; }
    int main(void) { struct s y = { f() }; return y.a; }
    """
    program = lower(source, tmp_path)
    assert sorted(layout.size for layout in program.records.values()) == [4, 9]


def test_only_what_is_reached_is_lowered(tmp_path: Path) -> None:
    source = "int used(void) { return 1; } int unused(void) { return 2; } int spare = 3;\n"
    program = lower(source + "int main(void) { return used(); }", tmp_path)
    assert set(program.procedures) == {"main", "used"}
    assert not program.globals


def test_a_library_is_lowered_whole(tmp_path: Path) -> None:
    program = lower("int one(void) { return 1; } static int two(void) { return 2; }", tmp_path)
    assert program.entry == ""
    assert set(program.procedures) == {"one", "two"}
    source = "int main(void) { return 0; } int extra(void) { return 1; }"
    everything = lower(source, tmp_path, extent=Extent.EVERYTHING)
    assert set(everything.procedures) == {"main", "extra"}


def test_models_come_with_the_functions_called(tmp_path: Path) -> None:
    program = lower('#include <string.h>\nint main(void) { return (int)strlen("abc"); }', tmp_path)
    assert program.procedures["strlen"].library
    assert not program.procedures["main"].library
    assert "strcpy" not in program.procedures


def test_a_program_keeps_its_own_function_and_the_library_its_own(tmp_path: Path) -> None:
    source = """
    #include <stdlib.h>
    int isspace(int a, int b, int c) { return a; }
    int main(void) { return isspace(1, 2, 3) + (int)strtol(" 5", 0, 10); }
    """
    program = lower(source, tmp_path)
    assert violations(program) == ()
    assert not program.procedures["isspace"].library
    assert all(p.library for p in program.procedures.values() if p.name.startswith("isspace."))


def test_own_malloc_replaces_the_step(tmp_path: Path) -> None:
    source = """
    static char pool[64];
    void *malloc(unsigned long n) { return pool; }
    int main(void) { char *p = malloc(3); return p != pool; }
    """
    assert "malloc" in lower(source, tmp_path).procedures


def test_unknown_functions_and_variables_are_external(tmp_path: Path) -> None:
    source = "extern long far; int main(void) { int g(int); return g(1) + implied(2) + far; }"
    program = lower(source, tmp_path)
    assert violations(program) == ()
    assert set(program.externals) == {"g", "implied"}
    assert program.globals["far"].external


def test_initialiser_that_cannot_be_lowered_is_told_at_the_entry(tmp_path: Path) -> None:
    source = "_Complex double z = 1; int main(void) { return &z == 0; }"
    (found,) = unsupported(lower(source, tmp_path))
    assert found.reason.startswith("z: ")
    assert found.at.line == 1

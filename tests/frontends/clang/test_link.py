"""Several files, and the library models, as one program."""

from __future__ import annotations

from pathlib import Path

import pytest

from precis.errors import InputError
from precis.frontends.clang.flags import ClangFlags
from precis.frontends.clang.link import Extent
from precis.frontends.clang.parse import ClangFrontEnd, load
from precis.frontends.clang.source import Source, Sources
from precis.interp.run import Inputs, Settings, run
from precis.ir.instr import Call, Free
from precis.ir.types import DataModel
from precis.ir.wellformed import violations
from tests.frontends.clang.lowering import lower, steps, unsupported


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


def files(folder: Path, **texts: str) -> list[Path]:
    """Each text in a file of its name."""
    paths = []
    for name, text in texts.items():
        path = folder / f"{name}.c"
        path.write_text(text, "utf-8")
        paths.append(path)
    return paths


def refused(paths: list[Path]) -> str:
    with pytest.raises(InputError) as caught:
        load(paths)
    return str(caught.value)


@pytest.mark.parametrize("order", [1, -1])
def test_an_initialised_definition_counts_over_a_tentative_one(tmp_path: Path, order: int) -> None:
    paths = files(tmp_path, a="int shared; int main(void) { return shared; }", b="int shared = 5;")
    (piece,) = load(paths[::order]).globals["shared"].pieces
    assert not isinstance(piece.value, bytes) and piece.value.data == 5


@pytest.mark.parametrize(
    ("one", "two", "what"),
    [
        ("int f(void) { return 1; }", "int f(void) { return 2; }", "f is defined twice"),
        ("int n = 1;", "int n = 1;", "n is defined twice"),
        ("int n[2];", "int n[3];", "n has another size"),
        ("int f(void) { return 1; }", "int f;", "f is a function here and a variable"),
    ],
)
def test_conflicting_definitions_are_named_with_both_places(
    one: str, two: str, what: str, tmp_path: Path
) -> None:
    message = refused(files(tmp_path, a=f"{one} int main(void) {{ return 0; }}", b=two))
    assert what in message
    assert f"{tmp_path}/a.c:1:" in message and f"{tmp_path}/b.c:1:" in message


@pytest.mark.parametrize("order", [1, -1])
def test_a_weak_definition_gives_way(tmp_path: Path, order: int) -> None:
    weak = "__attribute__((weak)) int f(void) { return 1; } int main(void) { return f(); }"
    paths = files(tmp_path, a=weak, b="int f(void) { return 2; }")
    assert load(paths[::order]).procedures["f"].at.file == str(paths[1])
    assert load(paths[:1]).procedures["f"].at.file == str(paths[0])


def test_a_weak_function_without_a_body_may_have_no_address(tmp_path: Path) -> None:
    source = "int f(void) __attribute__((weak)); int main(void) { return f ? f() : 0; }"
    assert [step.reason for step in unsupported(lower(source, tmp_path))] == [
        "f, which is weak and not defined here"
    ]


def test_an_alias_is_a_definition_for_other_files(tmp_path: Path) -> None:
    a = "int f(void); extern int w; int main(void) { return f() + w; }"
    b = """
    static int real(void) { return 6; } int f(void) __attribute__((alias("real")));
    int v = 3; extern int w __attribute__((alias("v")));
    """
    weak = "__attribute__((weak)) int f(void) { return 1; }"
    for program in (
        load(files(tmp_path, a=a, b=b, c=weak)),
        ClangFrontEnd().load_sources(
            Sources((Source(tmp_path / "a.c"),), (Source(tmp_path / "b.c"),))
        ),
    ):
        assert set(program.procedures) == {"main", "real"}
        assert set(program.globals) == {"v"} and not program.globals["v"].external


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ('void f(void) __attribute__((alias("g"))); void g(void) __attribute__((alias("f")));'
         "int main(void) { f(); return 0; }", "f, another name of itself"),
        ('static int f(void) __attribute__((weakref("g"))); int main(void) { return f ? f() : 0; }',
         "g, which is weak and not defined here"),
    ],
)  # fmt: skip
def test_other_names_of_nothing(source: str, reason: str, tmp_path: Path) -> None:
    assert [step.reason for step in unsupported(lower(source, tmp_path))] == [reason]


def test_constructors_of_files_that_join_run_too(tmp_path: Path) -> None:
    constructor = "__attribute__((constructor)) static void start(void)"
    a, b, c, d = files(
        tmp_path,
        a="int f(void); int main(void) { return f(); }",
        b=f"int g(void); int f(void) {{ return 1; }} {constructor} {{ g(); }}",
        c=f"int g(void) {{ return 1; }} {constructor} {{ }}",
        d=f"int h(void) {{ return 1; }} {constructor} {{ }}",
    )
    given = Sources((Source(a),), (Source(b), Source(c), Source(d)))
    program = ClangFrontEnd().load_sources(given)
    assert violations(program) == () and not list(unsupported(program))
    assert set(program.procedures) == {"main", "f", "g", "start", "start.2"}
    first = program.procedures["main"].blocks[0]
    assert [step.function.data for step in first.steps if isinstance(step, Call)] == [
        "start",
        "start.2",
    ]


def test_an_inline_definition_is_for_its_own_file(tmp_path: Path) -> None:
    both = "inline int twice(int n) { return n + n; } "
    a = both + "int other(void); int main(void) { return twice(1) + other(); }"
    b = both + "int other(void) { return twice(2); }"
    program = load(files(tmp_path, a=a, b=b))
    assert {"twice.2", "twice.3"} <= set(program.procedures)
    paths = files(tmp_path, a=a, b=b, c=both + "extern int twice(int n);")
    linked = load(paths)
    assert linked.procedures["twice"].at.file == str(paths[2])
    assert not any(name.startswith("twice.") for name in linked.procedures)


SPARE = {
    "a_body_behind_it": """
        extern inline __attribute__((gnu_inline)) int twice(int x) { return -1; }
        int twice(int x) { return 2 * x; }
        int main(void) { return twice(4); }""",
    "as_gcc_had_it_before_c99": """
        extern inline int twice(int x) { return -1; }
        int twice(int x) { return 2 * x; }
        int main(void) { return twice(4); }""",
    "a_model": """
        extern __inline __attribute__((__gnu_inline__)) unsigned long strlen(const char *s)
        { return -1; }
        int main(void) { return strlen("12345678"); }""",
    "nothing_else": """
        extern inline __attribute__((gnu_inline)) int eight(void) { return 8; }
        int main(void) { return eight(); }""",
}


@pytest.mark.parametrize("name", SPARE)
def test_a_body_that_gcc_only_inlines_gives_way(name: str, tmp_path: Path) -> None:
    program = lower(SPARE[name], tmp_path)
    assert run(program, Inputs(), Settings(), lambda *_: None).status == 8


def test_a_body_that_gcc_always_inlines_is_the_one_that_runs(tmp_path: Path) -> None:
    always = "extern inline __attribute__((gnu_inline, always_inline)) int f(void) { return 8; }"
    (tmp_path / "a.c").write_text(always + "int main(void) { return f(); }")
    (tmp_path / "b.c").write_text("int f(void) { return 3; }")
    program = load([tmp_path / "a.c", tmp_path / "b.c"])
    assert run(program, Inputs(), Settings(), lambda *_: None).status == 8


def test_a_body_that_gcc_only_inlines_is_no_definition_for_others(tmp_path: Path) -> None:
    spare = "extern inline __attribute__((gnu_inline)) int f(void) { return __builtin_nope(); }"
    (tmp_path / "a.c").write_text(spare + "int main(void) { return f(); }")
    (tmp_path / "b.c").write_text(spare + "int g(void) { return f(); }")
    (tmp_path / "c.c").write_text("int f(void) { return 3; }")
    program = load([tmp_path / "a.c", tmp_path / "b.c", tmp_path / "c.c"])
    assert list(unsupported(program)) == []
    alone = load([tmp_path / "b.c"], extent=Extent.EVERYTHING)
    assert set(alone.procedures) >= {"g"}


def test_an_asm_label_is_the_name_that_is_linked(tmp_path: Path) -> None:
    a = 'int f(void) __asm__("g"); int main(void) { return f(); } int h(void) { return 1; }'
    program = load(files(tmp_path, a=a, b="int g(void) { return 2; }"))
    assert set(program.procedures) == {"main", "g"}
    label = 'int strlen(const char *) __asm__("mine"); int main(void) { return strlen("x"); }'
    assert set(lower(label, tmp_path).externals) == {"mine"}


def test_a_static_function_named_like_one_of_the_library_is_itself(tmp_path: Path) -> None:
    source = "static void free(int *p) { *p = 1; } int main(void) { int n; free(&n); return n; }"
    program = lower(source, tmp_path)
    assert not program.procedures["free"].library
    assert not any(isinstance(step, Free) for step in steps(program))


def test_a_file_of_the_pool_joins_if_it_is_needed(tmp_path: Path) -> None:
    a, b, c, d = files(
        tmp_path,
        a="int f(void); int main(void) { return f(); }",
        b="int g(void); int f(void) { return g(); }",
        c="int g(void) { return 1; } int unused(void) { return 2; }",
        d="int main(void) { return 7; } int h(void) { return 1; }",
    )
    given = Sources((Source(a),), (Source(b), Source(c), Source(d)))
    program = ClangFrontEnd().load_sources(given)
    assert violations(program) == ()
    assert set(program.procedures) == {"main", "f", "g"}
    assert program.procedures["main"].at.file == str(a)


def test_a_name_that_two_files_of_the_pool_define_is_refused_if_it_is_needed(
    tmp_path: Path,
) -> None:
    a, b, c = files(
        tmp_path,
        a="int f(void); int main(void) { return f(); }",
        b="int f(void) { return 1; }",
        c="int f(void) { return 2; }",
    )
    with pytest.raises(InputError, match=r"f is defined in .*b\.c and .*c\.c"):
        ClangFrontEnd().load_sources(Sources((Source(a),), (Source(b), Source(c))))
    a.write_text("int main(void) { return 0; }")
    program = ClangFrontEnd().load_sources(Sources((Source(a),), (Source(b), Source(c))))
    assert set(program.procedures) == {"main"}


def test_files_of_one_program_have_one_data_model(tmp_path: Path) -> None:
    a, b = files(tmp_path, a="int main(void) { return 0; }", b="int n;")
    given = Sources((Source(a), Source(b, ClangFlags(model=DataModel.ILP32))))
    with pytest.raises(InputError, match="is read as ILP32"):
        ClangFrontEnd().load_sources(given)


def test_variables_alone_are_a_unit_but_no_program(tmp_path: Path) -> None:
    program = lower("int n = 1; static int m;", tmp_path, extent=Extent.EVERYTHING)
    assert set(program.globals) == {"n"} and not program.procedures


def test_functions_of_headers_are_lowered_where_they_are_used(tmp_path: Path) -> None:
    (tmp_path / "s.h").write_text(
        "static int f(void) { return 1; } static int g(void) { return 2; }"
    )
    source = '#include "s.h"\nint one(void) { return f(); }'
    program = lower(source, tmp_path, extent=Extent.EVERYTHING)
    assert set(program.procedures) == {"one", "f"}

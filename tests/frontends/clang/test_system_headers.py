"""Programs that see the headers of this machine are still linked with the models that fit."""

from __future__ import annotations

from pathlib import Path

import pytest

from precis.frontends.clang.flags import ClangFlags, Headers
from precis.frontends.clang.parse import load
from precis.frontends.clang.system_headers import system_folders
from precis.ir.program import Program
from precis.ir.types import DataModel
from precis.ir.wellformed import violations
from tests.frontends.clang.lowering import lower, unsupported

SYSTEM = ClangFlags(headers=Headers.SYSTEM)
needs_system = pytest.mark.skipif(not system_folders(), reason="no C library headers here")


def reached(program: Program) -> set[str]:
    return {name for name, procedure in program.procedures.items() if procedure.library}


@needs_system
@pytest.mark.parametrize(
    ("source", "model"),
    [
        ('#include <stdio.h>\nint main(void) { return printf("%d", 1); }', "printf"),
        ('#include <stdio.h>\nint main(void) { return fputs("x", stderr); }', "fputs"),
        ("#include <stdio.h>\nint main(void) { int n; return scanf(\"%d\", &n); }",
         "__isoc99_scanf"),
        ("#include <errno.h>\nint main(void) { return errno; }", "__errno_location"),
        ("#include <ctype.h>\nint main(void) { return isalpha('x'); }", "__ctype_b_loc"),
        ("#include <assert.h>\nint main(int n, char **v) { assert(n); return 0; }",
         "__assert_fail"),
        ("#include <stdlib.h>\nint main(void) { return div(7, 2).rem; }", "div"),
        ("#include <time.h>\nint main(void) { time_t t = 0; return gmtime(&t)->tm_year; }",
         "gmtime"),
        ("#include <getopt.h>\nint main(int n, char **v) { return getopt(n, v, \"a\") + optind; }",
         "getopt"),
        ("#include <sys/stat.h>\nint main(void) { struct stat s; return stat(\"x\", &s); }",
         "stat"),
        ("#define _FILE_OFFSET_BITS 64\n#include <sys/stat.h>\n"
         "int main(void) { struct stat s; return stat(\"x\", &s); }", "stat"),
        ("#define _GNU_SOURCE\n#include <fcntl.h>\nint main(void) { return open64(\"x\", 0); }",
         "open"),
        ("int __printf_chk(int, const char *, ...);\n"
         "int main(void) { return __printf_chk(1, \"%d\", 1); }", "__printf_chk"),
        ("int main(void) { char b[4]; __builtin___strcpy_chk(b, \"abc\", 4); return b[0]; }",
         "__strcpy_chk"),
    ],
)  # fmt: skip
def test_a_model_is_linked(source: str, model: str, tmp_path: Path) -> None:
    program = lower(source, tmp_path, SYSTEM)
    assert violations(program) == ()
    assert model in reached(program)
    outside = {name for name in program.externals if not name.startswith("__precis_")}
    assert not outside and not list(unsupported(program))


@needs_system
@pytest.mark.parametrize("model", [DataModel.LP64, DataModel.ILP32])
def test_what_is_read_before_every_file_goes_with_the_headers(
    model: DataModel, tmp_path: Path
) -> None:
    headers = ("complex", "math", "stdatomic", "stdlib", "wchar")
    source = (
        "".join(f"#include <{name}.h>\n" for name in headers)
        + """
    atomic_int n; atomic_flag flag = ATOMIC_FLAG_INIT; _Float64 x; int *p;
    int main(void) { atomic_fetch_add(&n, 1); return __sync_fetch_and_add(&p, 4) != 0; }
    """
    )
    program = lower(source, tmp_path, ClangFlags(model=model, headers=Headers.SYSTEM))
    assert violations(program) == () and not list(unsupported(program))


def test_what_is_preprocessed_has_atomic_operations(tmp_path: Path) -> None:
    path = tmp_path / "a.i"
    path.write_text("int *p, linux; int main(void) { return !__sync_fetch_and_add(&p, linux); }")
    program = load([path])
    assert not program.externals and not list(unsupported(program))


def test_a_model_that_does_not_fit_is_not_used(tmp_path: Path) -> None:
    source = """
    struct tm { char other[7]; };
    long mktime(struct tm *t);
    int main(void) { struct tm t; return (int)mktime(&t); }
    """
    program = lower(source, tmp_path)
    assert set(program.externals) == {"mktime"}
    assert not reached(program)


def test_files_that_declare_one_function_in_two_ways(tmp_path: Path) -> None:
    from precis.frontends.clang.parse import load

    odd = "struct tm { char c; }; long mktime(struct tm *); long f(void) { return mktime(0); }"
    (tmp_path / "odd.c").write_text(odd)
    (tmp_path / "fine.c").write_text(
        "#include <time.h>\nlong f(void);\nint main(void) { struct tm t; return mktime(&t) + f(); }"
    )
    for names in (("odd.c", "fine.c"), ("fine.c", "odd.c")):
        program = load([tmp_path / name for name in names])
        assert violations(program) == ()
        (external,) = program.externals
        (model,) = (name for name in reached(program) if name.startswith("mktime"))
        assert external != model


@needs_system
def test_the_inside_of_a_stream_is_not_modelled(tmp_path: Path) -> None:
    source = "#include <stdio.h>\nint main(void) { return stdin->_fileno; }"
    (found,) = unsupported(lower(source, tmp_path, SYSTEM))
    assert "a look into struct _IO_FILE" in found.reason


@needs_system
def test_headers_of_the_machine_as_32_bit(tmp_path: Path) -> None:
    source = "#include <stdio.h>\n#include <limits.h>\nint main(void) { return sizeof(long); }"
    flags = ClangFlags(DataModel.ILP32, headers=Headers.SYSTEM)
    assert lower(source, tmp_path, flags).entry == "main"


@needs_system
def test_vectors_cost_only_the_functions_that_use_them(tmp_path: Path) -> None:
    source = """
    #include <x86intrin.h>
    int f(__m128i *p) { return _mm_cvtsi128_si32(_mm_xor_si128(*p, *p)); }
    int main(void) { return 0; }
    """
    assert not list(unsupported(lower(source, tmp_path, SYSTEM)))

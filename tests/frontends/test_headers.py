"""The headers parse alone and together, and their types and limits are those of a C compiler."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from clang.cindex import Diagnostic, Index

HEADERS = Path(__file__).parents[2] / "precis" / "frontends" / "headers"
NAMES = sorted(str(path.relative_to(HEADERS)) for path in HEADERS.rglob("*.h"))
MODES = [
    (machine, standard)
    for machine in ("-m64", "-m32")
    for standard in ("c89", "gnu89", "c99", "c11", "gnu17")
]


def words(text: str) -> list[str]:
    return text.split()


INTEGERS = words(
    "char short int long wchar_t size_t ptrdiff_t intptr_t uintptr_t intmax_t uintmax_t "
    "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t "
    "int_least8_t int_least16_t int_least32_t int_least64_t "
    "int_fast8_t int_fast16_t int_fast32_t int_fast64_t "
    "uint_fast8_t uint_fast16_t uint_fast32_t uint_fast64_t "
    "time_t clock_t ssize_t off_t pid_t wint_t sig_atomic_t"
)
RECORDS = ("max_align_t", "div_t", "ldiv_t", "lldiv_t", "imaxdiv_t", "struct tm", "struct lconv")
LIMITS = words(
    "CHAR_BIT CHAR_MIN CHAR_MAX SCHAR_MIN SCHAR_MAX UCHAR_MAX SHRT_MIN SHRT_MAX USHRT_MAX INT_MIN "
    "INT_MAX UINT_MAX LONG_MIN LONG_MAX ULONG_MAX LLONG_MIN LLONG_MAX ULLONG_MAX INT8_MIN INT8_MAX "
    "INT16_MIN INT16_MAX INT32_MIN INT32_MAX INT64_MIN INT64_MAX UINT8_MAX UINT16_MAX UINT32_MAX "
    "UINT64_MAX INT_FAST16_MIN INT_FAST16_MAX INT_FAST32_MAX UINT_FAST16_MAX UINT_FAST32_MAX "
    "INTMAX_MIN INTMAX_MAX UINTMAX_MAX INTPTR_MIN INTPTR_MAX UINTPTR_MAX PTRDIFF_MIN PTRDIFF_MAX "
    "SIZE_MAX WINT_MAX EOF BUFSIZ SEEK_END RAND_MAX ENOENT ERANGE EILSEQ ENOMEM FLT_DIG DBL_DIG "
    "DBL_MANT_DIG DBL_MAX_EXP DBL_MIN_EXP FLT_MAX_EXP EXIT_FAILURE FP_NAN FP_NORMAL SIGABRT "
    "SIGTERM O_CREAT O_TRUNC LC_ALL CLOCKS_PER_SEC"
)
FORMATS = words("PRId8 PRIu16 PRIx32 PRId64 PRIuMAX PRIXPTR PRIdFAST16 SCNd8 SCNu16 SCNx32 SCNd64")
SAMPLE_HEADERS = words(
    "ctype errno fcntl float inttypes limits locale math signal stdalign stdarg stdbool stddef "
    "stdint stdio stdlib string time wchar wctype sys/types unistd pthread"
)


def complaints(source: str, machine: str, standard: str) -> list[str]:
    arguments = [machine, f"-std={standard}", "-nostdinc", "-isystem", str(HEADERS)]
    unit = Index.create().parse("t.c", arguments, unsaved_files=[("t.c", source)])
    return [str(d) for d in unit.diagnostics if d.severity >= Diagnostic.Warning]


@pytest.mark.parametrize(("machine", "standard"), MODES)
def test_each_header_parses_alone_and_twice(machine: str, standard: str) -> None:
    for name in NAMES:
        assert complaints(f"#include <{name}>\n" * 2 + "int x;\n", machine, standard) == [], name


@pytest.mark.parametrize(("machine", "standard"), MODES)
@pytest.mark.parametrize("define", ["", "#define _GNU_SOURCE 1\n"])
def test_headers_parse_together_in_any_order(machine: str, standard: str, define: str) -> None:
    for names in (NAMES, NAMES[::-1]):
        source = define + "".join(f"#include <{name}>\n" for name in names) + "int x;\n"
        assert complaints(source, machine, standard) == []


@pytest.mark.parametrize("machine", ["-m64", "-m32"])
def test_headers_themselves_are_without_warnings(machine: str) -> None:
    arguments = [machine, "-std=c11", "-nostdinc", "-I", str(HEADERS), "-Wall", "-Wextra"]
    source = "".join(f"#include <{name}>\n" for name in NAMES)
    unit = Index.create().parse("t.c", arguments, unsaved_files=[("t.c", source)])
    assert [str(d) for d in unit.diagnostics] == []


def test_assert_follows_ndebug_at_each_inclusion() -> None:
    source = """
    #include <assert.h>
    void f(int c) { assert(c); }
    #define NDEBUG
    #include <assert.h>
    void g(void) { assert(undeclared_name); }
    #undef NDEBUG
    #include <assert.h>
    void h(int *p) { assert(p); assert(p && "text"); static_assert(sizeof(int) == 4, "four"); }
    """
    assert complaints(source, "-m64", "c11") == []


def test_strict_standards_leave_posix_names_to_the_program() -> None:
    source = """
    #include <stdio.h>
    #include <string.h>
    #include <stdlib.h>
    int getline(char s[], int room);
    float strdup(float x);
    """
    assert complaints(source, "-m64", "c99") == []
    assert complaints(source, "-m64", "gnu17") != []


def program() -> str:
    lines = [f"#include <{name}.h>" for name in SAMPLE_HEADERS]
    lines.append("int main(void) {")
    lines += [f'printf("{t} %d %d\\n", (int)sizeof({t}), (int)_Alignof({t}));' for t in INTEGERS]
    lines += [f'printf("{t} unsigned %d\\n", ({t})-1 > ({t})0);' for t in INTEGERS]
    lines += [f'printf("{t} %d %d\\n", (int)sizeof({t}), (int)_Alignof({t}));' for t in RECORDS]
    lines += [f'printf("{n} %lld %d\\n", (long long)({n}), (int)sizeof({n}));' for n in LIMITS]
    lines += [f'printf("{n} %s\\n", {n});' for n in FORMATS]
    lines += ['printf("%a %a %a\\n", DBL_MAX, DBL_EPSILON, (double)FLT_MIN);', "return 0; }"]
    return "\n".join(lines)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
@pytest.mark.parametrize("machine", ["-m64"])
def test_sizes_and_limits_are_those_of_the_system_compiler(machine: str, tmp_path: Path) -> None:
    source = tmp_path / "sizes.c"
    source.write_text(program())
    outputs = []
    for name, flags in (("own", ["-nostdinc", "-isystem", str(HEADERS)]), ("system", [])):
        binary = tmp_path / name
        command = ["gcc", machine, "-w", "-std=gnu17", *flags, "-o", str(binary), str(source)]
        subprocess.run(command, check=True)
        outputs.append(subprocess.run([binary], check=True, capture_output=True, text=True).stdout)
    assert outputs[0].splitlines() == outputs[1].splitlines()


def test_types_of_32_bit_programs() -> None:
    sizes = {"size_t": 4, "long": 4, "int64_t": 8, "intptr_t": 4, "int_fast16_t": 4, "time_t": 4}
    checks = "".join(f'_Static_assert(sizeof({t}) == {n}, "{t}");' for t, n in sizes.items())
    limits = (
        '_Static_assert(SIZE_MAX == 4294967295U && LONG_MAX == 2147483647 && INT64_MAX > 1, "");'
    )
    text = "#include <stdint.h>\n#include <limits.h>\n#include <time.h>\n#include <stddef.h>\n"
    assert complaints(text + checks + limits, "-m32", "c11") == []

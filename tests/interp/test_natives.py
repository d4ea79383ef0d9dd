"""Natives against the models they stand in for, and against the C library's mathematics."""

from __future__ import annotations

import ctypes
import ctypes.util
import math
import struct
from pathlib import Path

import pytest

from precis.frontends.clang.flags import ClangFlags
from precis.frontends.clang.parse import load
from precis.interp.natives_math import MATH
from precis.interp.run import Ending, Inputs, Natives, Outcome, Settings, run
from precis.ir.types import DataModel
from precis.properties.place import with_obligations
from tests.interp.building import SAFETY

CHECKED = frozenset({*SAFETY, "uninitialised"})

PRINTING = r"""
#include <stdio.h>
#include <string.h>
int main(void) {
    int values[] = {0, 7, -7, 2147483647, -2147483647 - 1};
    for (int i = 0; i < 5; i++) {
        int v = values[i];
        printf("[%d|%5d|%-5d|%05d|%+d|% d|%.3d|%8.3d|%u|%o|%#o|%x|%#x|%X|%#X]\n",
               v, v, v, v, v, v, v, v, v, v, v, v, v, v, v);
        printf("[%hd|%hhd|%hu|%hhu|%ld|%lld|%zu|%jd|%td|%08x|%-8x|%.0d]\n", v, v, v, v, (long)v,
               (long long)v, (size_t)v, (long long)v, (long)v, v, v, v);
    }
    double reals[] = {0.0, -0.0, 1.0, 0.1, -2.5, 1e20, 1.5e-7, 123456789.0, 1.0 / 3,
                      1.0 / 0.0, -1.0 / 0.0, 0.0 / 0.0};
    for (int i = 0; i < 12; i++) {
        double v = reals[i];
        if (v == v)
            printf("[%f|%.2f|%10.3f|%-10.1f|%+g|%g|%e|%.0e|%E|%G|%#g|%010.2f|% f|%.0f]\n",
                   v, v, v, v, v, v, v, v, v, v, v, v, v, v);
        else
            printf("[%5.5s]\n", "nan");
        printf("[%Lf]\n", (long double)(v == v ? v : 0));
    }
    printf("[%s|%10s|%-10s|%.2s|%c|%5c|%-5c|%%|%*d|%-*d|%.*f]\n", "abc", "abc", "abc", "abc",
           'x', 'y', 'z', 6, 42, 6, 42, 2, 3.14159);
    printf("[%*d|%.*d]\n", -6, 42, -1, 42);
    char small[6];
    int n = snprintf(small, sizeof small, "%s-%d", "long", 12345);
    printf("%d %s %zu\n", n, small, strlen(small));
    n = snprintf(NULL, 0, "%d", 100);
    printf("%d %d\n", n, sprintf(small, "%d", 99999));
    fprintf(stdout, "%s\n", small);
    puts("done");
    fputs("bye\n", stdout);
    return 0;
}
"""

STRINGS = r"""
#include <stdio.h>
#include <string.h>
static int sign(int x) { return (x > 0) - (x < 0); }
int main(void) {
    const char *words[] = {"", "a", "ab", "abc", "b", "\xff", "abcabc"};
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 7; j++) {
            const char *a = words[i], *b = words[j];
            char copy[32];
            strcpy(copy, a);
            strcat(copy, b);
            printf("%d %d %d %zu %s;", sign(strcmp(a, b)), sign(strncmp(a, b, 2)),
                   sign(memcmp(a, b, 1)), strlen(copy), copy);
            printf("%ld %ld\n", strchr(copy, 'b') ? (long)(strchr(copy, 'b') - copy) : -1,
                   strrchr(copy, 'b') ? (long)(strrchr(copy, 'b') - copy) : -1);
            printf("%ld\n", memchr(copy, 'c', strlen(copy) + 1)
                   ? (long)((char *)memchr(copy, 'c', strlen(copy) + 1) - copy) : -1);
            printf("%d\n", strchr(copy, 0) == copy + strlen(copy));
        }
    return 0;
}
"""


def ran(
    source: str, tmp_path: Path, natives: Natives, properties: frozenset[str] = SAFETY,
    model: DataModel = DataModel.LP64,
) -> tuple[Outcome, bytes]:  # fmt: skip
    path = tmp_path / "program.c"
    path.write_text(source, "utf-8")
    whole = with_obligations(load([path], ClangFlags(model=model)), properties)
    output = bytearray()
    settings = Settings(properties, natives=natives)
    result = run(whole, Inputs(stdin=b""), settings, lambda _, content: output.extend(content))
    return result, bytes(output)


@pytest.mark.parametrize("model", list(DataModel), ids=lambda model: model.value)
@pytest.mark.parametrize("source", [PRINTING, STRINGS], ids=["printing", "strings"])
def test_natives_agree_with_models(source: str, model: DataModel, tmp_path: Path) -> None:
    fast, fast_output = ran(source, tmp_path, Natives.USE, model=model)
    slow, slow_output = ran(source, tmp_path, Natives.MODELS_ONLY, model=model)
    assert fast.ending is slow.ending is Ending.EXIT
    assert fast_output == slow_output
    assert fast.steps < slow.steps


WRONG = {
    "unterminated": "char a[3] = {1, 2, 3}; return (int)strlen(a);",
    "null": "char *p = 0; return (int)strlen(p);",
    "indeterminate": "char a[3]; a[1] = 0; return (int)strlen(a);",
    "too_small": 'char a[3]; strcpy(a, "abc"); return 0;',
    "appended_too_much": 'char a[4] = "ab"; strcat(a, "cd"); return 0;',
    "literal": 'char *p = "abc"; strcpy(p, "x"); return 0;',
    "missing_argument": 'printf("%d %d", 1); return 0;',
    "text_is_null": 'char *p = 0; printf("%.3s", p ? p : (char *)8); return 0;',
    "indeterminate_argument": 'int x[2]; x[0] = 1; printf("%d", x[1]); return 0;',
    "sprintf_too_long": 'char a[3]; sprintf(a, "%d", 1000); return 0;',
    "compared_too_far": "char a[2] = {1, 2}, b[2] = {1, 2}; return memcmp(a, b, 3);",
    "searched_too_far": "char a[2] = {1, 2}; return memchr(a, 9, 3) != 0;",
    "differs_before_the_end": 'char a[1] = {1}; return strcmp(a, "b") == 0;',
    "freed": "char *p = malloc(2); p[0] = 0; free(p); puts(p); return 0;",
}


@pytest.mark.parametrize("name", WRONG)
def test_natives_leave_violations_to_models(name: str, tmp_path: Path) -> None:
    source = (
        "#include <stdio.h>\n#include <string.h>\n#include <stdlib.h>\n"
        f"int main(void) {{\n{WRONG[name]}\n}}\n"
    )
    fast, _ = ran(source, tmp_path, Natives.USE, CHECKED)
    slow, _ = ran(source, tmp_path, Natives.MODELS_ONLY, CHECKED)
    assert fast.ending is slow.ending
    if slow.violation is not None:
        assert fast.violation is not None
        assert (fast.violation.rule, fast.violation.at) == (slow.violation.rule, slow.violation.at)
        assert fast.violation.message == slow.violation.message


ARGUMENTS = (0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.0, -3.0, 710.0, -710.0, 1e300, -1e300, 1e-310,
             math.inf, -math.inf, math.nan, 170.0, 172.0, 3.7, -3.5)  # fmt: skip
UNARY = [name for name in MATH if name not in ("pow", "atan2", "hypot", "fma", "remainder")]


def same(x: float, y: float, error: float = 4e-16) -> bool:
    if x != x or y != y:
        return x != x and y != y
    near = abs(x - y) <= error * abs(y) if math.isfinite(x) and math.isfinite(y) else x == y
    return near and math.copysign(1, x) == math.copysign(1, y)


@pytest.fixture(scope="module")
def libm() -> ctypes.CDLL:
    return ctypes.CDLL(ctypes.util.find_library("m"))


@pytest.mark.parametrize("name", UNARY)
def test_function_of_one_argument(name: str, libm: ctypes.CDLL) -> None:
    function = getattr(libm, name)
    function.restype, function.argtypes = ctypes.c_double, [ctypes.c_double]
    for x in ARGUMENTS:
        error = 1e-13 if "gamma" in name else 4e-16  # Python computes these by itself
        assert same(MATH[name](x), function(x), error), (x, MATH[name](x), function(x))


@pytest.mark.parametrize("name", ["pow", "atan2", "hypot", "remainder"])
def test_function_of_two_arguments(name: str, libm: ctypes.CDLL) -> None:
    function = getattr(libm, name)
    function.restype, function.argtypes = ctypes.c_double, [ctypes.c_double] * 2
    for x in ARGUMENTS:
        for y in ARGUMENTS:
            assert same(MATH[name](x, y), function(x, y)), (x, y)


def test_fused_multiply_add_rounds_once(libm: ctypes.CDLL) -> None:
    libm.fma.restype, libm.fma.argtypes = ctypes.c_double, [ctypes.c_double] * 3
    tiny = 2.0**-53
    for x, y, z in ((1 + 2 * tiny, 1 + 2 * tiny, -1.0), (0.1, 10.0, -1.0), (1e308, 10.0, 0.0),
                    (1e308, -10.0, 0.0), (math.inf, 1.0, 1.0), (2.0, 3.0, -6.0)):  # fmt: skip
        assert struct.pack("d", MATH["fma"](x, y, z)) == struct.pack("d", libm.fma(x, y, z))

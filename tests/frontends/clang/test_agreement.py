"""Whole programs behave under the referee as they do when compiled."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from precis.frontends.clang.flags import ClangFlags
from precis.frontends.clang.parse import load
from precis.interp.run import Ending, Inputs, Settings, run
from precis.ir.types import DataModel
from precis.ir.wellformed import violations
from precis.properties.place import with_obligations
from tests.frontends.clang.lowering import lower, unsupported

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.c"))
PROPERTIES = frozenset({"memory-safety", "assertions", "uninitialised", "overflow", "division"})


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_runs_as_compiled(path: Path, tmp_path: Path) -> None:
    binary = tmp_path / "compiled"
    subprocess.run(["gcc", "-w", "-O0", "-o", binary, path], check=True)
    compiled = subprocess.run([binary], capture_output=True, timeout=20, check=False)

    program = load([path])
    assert violations(program) == ()
    assert list(unsupported(program)) == []
    written: list[bytes] = []
    outcome = run(
        with_obligations(program, PROPERTIES),
        Inputs(stdin=b""),
        Settings(properties=PROPERTIES),
        lambda _descriptor, data: written.append(data),
    )

    assert outcome.ending is Ending.EXIT, outcome
    assert (outcome.status, b"".join(written)) == (compiled.returncode, compiled.stdout)


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_lowers_for_32_bits(path: Path) -> None:
    program = load([path], ClangFlags(model=DataModel.ILP32, define=("NARROW",)))
    assert violations(program) == ()
    assert list(unsupported(program)) == []


def test_variable_arguments_where_a_list_is_a_pointer(tmp_path: Path) -> None:
    source = """
    #include <stdarg.h>
    struct s { char a[9]; };
    static int pick(va_list ap) { return va_arg(ap, int); }
    static int f(int n, ...) {
        va_list ap, copy;
        va_start(ap, n);
        struct s s = va_arg(ap, struct s);
        va_copy(copy, ap);
        char *p = va_arg(ap, char *);
        double d = va_arg(ap, double);
        return s.a[8] + *p + (int)d + pick(ap) + *va_arg(copy, char *) - 2 * 'x';
    }
    int main(void) { struct s s = { .a[8] = 1 }; return f(1, s, "x", 20.5, 300) - 300; }
    """
    program = lower(source, tmp_path, ClangFlags(model=DataModel.ILP32))
    assert violations(program) == ()
    outcome = run(program, Inputs(stdin=b""), Settings(), lambda _descriptor, _data: None)
    assert (outcome.ending, outcome.status) == (Ending.EXIT, 21)

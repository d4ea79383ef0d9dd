"""Whole C programs under the referee: marked violations, and agreement with gcc."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from precis.interp.run import Ending, Inputs, Natives
from tests.annotated import PROGRAMS, expected, first_stop, run_file

MARKED = sorted(p for p in PROGRAMS.rglob("*.c") if p.parent.name != "language")
LANGUAGE = sorted((PROGRAMS / "language").glob("*.c"))


def _name(path: Path) -> str:
    return f"{path.parent.name}-{path.stem}"


@pytest.mark.parametrize("path", MARKED, ids=_name)
def test_run_stops_where_the_program_says(path: Path) -> None:
    wanted = expected(path.read_text("utf-8"))

    outcome = first_stop(path, wanted)

    if wanted.violation is None:
        assert outcome.ending in (Ending.EXIT, Ending.ASSUME_FAILED), outcome
        assert outcome.status == wanted.status
    else:
        assert outcome.violation is not None, outcome
        assert (outcome.violation.rule, outcome.violation.at.line) == wanted.violation


@pytest.mark.parametrize("natives", list(Natives), ids=lambda natives: natives.value)
@pytest.mark.parametrize("path", LANGUAGE, ids=_name)
def test_run_behaves_as_compiled(path: Path, natives: Natives, tmp_path: Path) -> None:
    binary = tmp_path / "program"
    subprocess.run(["gcc", "-w", "-O0", "-o", binary, path, "-lm"], check=True)
    given = path.with_suffix(".in")
    stdin = given.read_bytes() if given.exists() else b""
    compiled = subprocess.run([binary], input=stdin, capture_output=True, check=False)

    inputs = Inputs(stdin=stdin, args=(str(path),))
    outcome, output = run_file(path, inputs=inputs, natives=natives)

    assert outcome.ending is Ending.EXIT, outcome
    assert output.decode() == compiled.stdout.decode()
    assert outcome.status == compiled.returncode

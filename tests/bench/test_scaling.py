"""Each procedure is analysed once, whatever the shape of the program."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from precis.bench.checking.command import Said
from precis.bench.scaling import HEADING, SHAPES, Measured, Shape, counted, faults, line, measured

COMMAND = (sys.executable, "-m", "precis")
ROW = Measured("chain", 10, "SAFE", 11, 11, 1.0, 0.5)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_a_procedure_is_analysed_once(shape: Shape, tmp_path: Path) -> None:
    small = replace(shape, sizes=(9, 18))
    rows = list(measured(COMMAND, tmp_path, [small], ["values"]))
    assert faults(rows) == []
    assert [row.verdict for row in rows] == ["SAFE", "SAFE"]
    if not shape.recursive:
        assert [row.activations for row in rows] == [10, 19]
        assert rows[1].states <= 2 * rows[0].states


def said(**activations: int) -> Said:
    procedures = [
        {"name": name, "activations": often, "states": 1, "library": name == "printf"}
        for name, often in activations.items()
    ]
    entry = {"verdict": "SAFE", "error": None, "internal": False, "procedures": procedures}
    return Said((entry,), 1.0)


def test_a_procedure_that_is_analysed_twice_or_never_is_odd() -> None:
    shape = SHAPES[0]
    assert counted(said(main=1, f_0=1, f_1=1, printf=9), shape, 2, 0.5).odd == ()
    odd = counted(said(main=1, f_0=2), shape, 2, 0.5)
    assert odd.odd == (("f_0", 2), ("f_1", 0))
    assert faults([odd]) == ["chain of 2: f_0 analysed 2 times, and 1 more"]
    ring = replace(shape, recursive=True)
    assert counted(said(main=1, f_0=2), ring, 2, 0.5).odd == ()


def test_a_crash_is_a_fault() -> None:
    assert faults([ROW, replace(ROW, verdict="CRASH: no result")]) == [
        "chain of 10: CRASH: no result"
    ]


def test_growth_is_that_of_twice_the_size() -> None:
    twice = replace(ROW, size=20, processor=0.9)
    assert line(twice, ROW, 0.1).endswith("     2.0")
    assert line(replace(twice, size=40), ROW, 0.1).endswith("     1.0")
    assert line(twice, None, 0.1).endswith(" ")
    assert len(line(ROW, None, 0.1)) == len(HEADING)

"""Layouts and conversions against gcc, and the comparison itself."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from precis.bench.generator.dice import Dice
from precis.bench.layout import Comparison, compare
from precis.bench.layouts.definitions import Definitions, Model

needs_gcc = pytest.mark.skipif(
    shutil.which("gcc") is None or shutil.which("objcopy") is None, reason="needs gcc and objcopy"
)
PRECIS = (sys.executable, "-m", "precis")
# Answers as gcc's program does, but for one bit of the first figure.
LIAR = """
import subprocess, sys
from pathlib import Path
program = Path(sys.argv[-1]).with_suffix(".run")
said = bytearray(subprocess.run([program], capture_output=True).stdout)
said[0] ^= 1
sys.stdout.buffer.write(said)
"""


@needs_gcc
@pytest.mark.parametrize("model", Model, ids=lambda model: model.value)
def test_layouts_and_conversions_are_those_of_gcc(model: Model, tmp_path: Path) -> None:
    found = compare(PRECIS, tmp_path, model, seed=7, count=50)
    assert found.differences == []
    assert found.definitions == 50
    assert found.answers > 1500


@needs_gcc
def test_a_wrong_figure_is_named(tmp_path: Path) -> None:
    found = compare((sys.executable, "-c", LIAR), tmp_path, Model.LP64, seed=7, count=3)
    asked = [difference.split(": ")[1] for difference in found.differences]
    assert asked[0] == "TYPE_OF(+v1)"
    assert "(int)sizeof(" in asked[1]


@needs_gcc
def test_a_command_that_fails_is_a_difference(tmp_path: Path) -> None:
    found: Comparison = compare(("false",), tmp_path, Model.LP64, seed=7, count=3)
    assert len(found.differences) == 2
    assert "ended with status 1" in found.differences[0]


def test_definitions_hold_all_that_is_promised() -> None:
    made = Definitions(Dice(3), Model.LP64)
    text = "\n".join(made.next().text for _ in range(400))
    for sign in (
        "union {", "struct {", " : 0;", "packed", "aligned(16)", "rest[];", "#pragma pack",
        "typedef", "enum e", "long double", "__int128", "_Bool", "[2][3]", "void *",
    ):  # fmt: skip
        assert sign in text, sign
    assert "__int128" not in "\n".join(
        Definitions(Dice(3), Model.ILP32).next().text for _ in range(50)
    )

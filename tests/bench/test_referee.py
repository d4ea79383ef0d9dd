"""The referee on 200 generated programs: planted truth, and the output of the gcc -O0 build."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from precis.bench.agree import Contest, Sanitizing, agree
from precis.bench.generate import generate_to

PROGRAMS, CHUNK = 200, 10


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
@pytest.mark.parametrize("first", range(0, PROGRAMS, CHUNK))
def test_referee_agrees_with_truth_and_gcc(first: int, tmp_path: Path) -> None:
    sources = generate_to(tmp_path, 20_000 + first, CHUNK)
    contest = Contest(f"{sys.executable} -m precis", Sanitizing.OFF, inputs_per_program=6)

    tally = agree(sources, tmp_path, contest, jobs=1)

    assert not tally.disagreements
    assert tally.counts["programs"] == CHUNK

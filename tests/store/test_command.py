"""`precis check` with a warm and a cold store: one report."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent.parent
TWINS = ROOT / "tests" / "domains" / "heap" / "twins"
PROGRAMS = [TWINS / f"c{number:02}.c" for number in (1, 2, 5, 8, 10, 12, 15)]
HEAP = ("--domain", "heap", "--no-search", "--allow-unknown", "-v")


def precis(folder: Path, *arguments: object) -> tuple[str, list[Any]]:
    """What it prints, and the stages of its JSON; without what the store is to blame for."""
    command = [sys.executable, "-m", "precis", "check", *map(str, arguments)]
    done = subprocess.run(
        [*command, "--json", "out.json"], cwd=folder, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode in (0, 5), done.stdout + done.stderr
    programs = json.loads((folder / "out.json").read_text("utf-8"))["programs"]
    stages = [stage for program in programs for stage in program["stages"]]
    text = done.stdout
    for stage in stages:
        for word in ("summary", "summaries"):
            text = text.replace(f", {stage['recalled']} {word} from the store", "")
    return text + done.stderr, stages


def recalled(stages: list[Any]) -> int:
    return sum(int(stage["recalled"]) for stage in stages)


@pytest.mark.parametrize("jobs", [1, 2])
def test_warm_and_cold_give_one_report(tmp_path: Path, jobs: int) -> None:
    common = (*HEAP, "-j", jobs, *PROGRAMS)
    none, without = precis(tmp_path, *common, "--no-cache")
    cold, first = precis(tmp_path, *common, "--cache", "kept")
    warm, second = precis(tmp_path, *common, "--cache", "kept")
    assert none == cold == warm
    assert recalled(without) == recalled(first) == 0 < recalled(second)
    assert (tmp_path / "kept" / "summaries.sqlite").exists()


def test_a_library_is_told_how_many_summaries_were_there(tmp_path: Path) -> None:
    common = (*HEAP, "--library", TWINS / "c05.c", "--cache", "kept")
    cold, _ = precis(tmp_path, *common)
    warm, stages = precis(tmp_path, *common)
    assert cold == warm and recalled(stages) > 0


def test_a_folder_that_cannot_be_used_costs_one_warning(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("a file")
    text, stages = precis(tmp_path, *HEAP, "-j", 2, *PROGRAMS[:3], "--cache", "kept")
    assert text.count("summaries are not kept") == 1 and not recalled(stages)

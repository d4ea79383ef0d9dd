"""Results depend on the program and the options alone."""

from __future__ import annotations

import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from precis.bench.generate import Kind, generate_to
from precis.cli.wiring import Reading, load, plans
from precis.engine.budget import Budget
from precis.engine.results import Result
from precis.engine.verify import Options, verify
from precis.interp.outcome import Malloc
from precis.ir.program import Program
from precis.properties.place import with_obligations

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").rglob("*.c"))
PROPERTIES = frozenset({"memory-safety", "leaks", "assertions"})
QUICK = ("callbacks", "list_reverse", "tree_sort", "double_free", "lost_block", "off_by_one")


def result_of(program: Program) -> Result:
    options = Options(PROPERTIES, Malloc.NEVER_FAILS)
    return verify(program, "p", plans(("values",), program, options), options, Budget(120.0))


def shuffled(program: Program, seed: int) -> Program:
    """The same program with its parts in another order."""
    dice = random.Random(seed)
    mixed = []
    for part in (program.procedures, program.globals, program.externals, program.records):
        items = list(part.items())
        dice.shuffle(items)
        mixed.append(dict(items))
    procedures, globals_, externals, records = mixed
    return replace(
        program, procedures=procedures, globals=globals_, externals=externals, records=records
    )


@pytest.mark.parametrize("path", [p for p in EXAMPLES if p.stem in QUICK], ids=lambda p: p.stem)
def test_the_order_of_procedures_does_not_matter(path: Path) -> None:
    program = with_obligations(load(path, Reading()), PROPERTIES)
    first = result_of(program)
    assert result_of(program) == first
    assert result_of(shuffled(program, 1)) == first
    assert result_of(shuffled(program, 2)) == first


def test_the_order_does_not_matter_for_generated_programs(tmp_path: Path) -> None:
    for path in generate_to(tmp_path, 77, 4, Kind.EITHER, None):
        program = with_obligations(load(path, Reading()), PROPERTIES)
        assert result_of(shuffled(program, 3)) == result_of(program)


def test_json_is_the_same_for_any_number_of_processes(tmp_path: Path) -> None:
    names = [str(p.relative_to(ROOT)) for p in EXAMPLES if p.stem in QUICK]
    written = []
    for run, jobs in enumerate(("1", "2", "2")):
        out = tmp_path / f"{run}.json"
        subprocess.run(
            [sys.executable, "-m", "precis", "check", "-j", jobs, "--json", str(out), *names],
            cwd=ROOT, stdout=subprocess.DEVNULL, check=False,
        )  # fmt: skip
        written.append(out.read_bytes())
    assert written[0] == written[1] == written[2]

"""Programs with planted truth, by seed, and as files.

    python -m precis.bench.generate --seed 1 --count 20 DIR

A program is `prog_00001.c` beside `prog_00001.json`, which holds its truth:

    {"name": .., "seed": .., "properties": [..], "input_ranges": [[low, high], ..],
     "expect": {"verdict": "correct"}
             | {"verdict": "defect", "rule": .., "property": .., "line": .., "always": ..,
                "inputs": [[..], ..], "form": .., "blind": ..}}

`inputs` are all the inputs, within the ranges, on which the defect shows; `blind` says why a
sanitizer may miss it and is empty if it should not. malloc is taken to succeed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from .generator.compose import Kind, compose
from .generator.families import FAMILIES, SUPPORTED
from .generator.truth import RULES, Correct, Defect, Generated

__all__ = [
    "FAMILIES", "Generated", "Kind", "chosen_families", "generate", "generate_to", "record",
    "write_programs",
]  # fmt: skip


def chosen_families(text: str | None) -> tuple[str, ...]:
    """The families named in a list with commas; all that are supported if there is none."""
    return tuple(text.split(",")) if text else SUPPORTED


def generate(
    seed: int,
    kind: Kind = Kind.EITHER,
    rule: str | None = None,
    families: Sequence[str] = SUPPORTED,
) -> Generated:
    """The program of a seed: the same text and truth on every machine."""
    return compose(seed, f"prog_{seed}", kind, rule, families)


def record(program: Generated, seed: int) -> dict[str, object]:
    """What the JSON file of a program says."""
    expect: dict[str, object]
    match program.expect:
        case Correct():
            expect = {"verdict": "correct"}
        case Defect() as defect:
            expect = {
                "verdict": "defect",
                "rule": defect.rule,
                "property": defect.property,
                "line": defect.line,
                "always": defect.always,
                "inputs": [list(values) for values in defect.inputs],
                "form": defect.form,
                "blind": defect.blind,
            }
    return {
        "name": program.name,
        "seed": seed,
        "properties": list(program.properties),
        "input_ranges": [list(ends) for ends in program.input_ranges],
        "expect": expect,
    }


def generate_to(
    directory: Path,
    seed: int,
    count: int,
    kind: Kind = Kind.EITHER,
    rule: str | None = None,
    families: Sequence[str] = SUPPORTED,
) -> list[Path]:
    """Write `count` programs into `directory`; the C files, in order.

    Program i of seed N does not depend on how many programs are asked for.
    """
    directory.mkdir(parents=True, exist_ok=True)
    written = []
    for number in range(1, count + 1):
        own_seed = seed * 1_000_003 + number
        name = f"prog_{number:05d}"
        program = compose(own_seed, name, kind, rule, families)
        path = directory / f"{name}.c"
        path.write_text(program.source, encoding="ascii")
        text = json.dumps(record(program, own_seed), indent=1)
        path.with_suffix(".json").write_text(text + "\n", encoding="ascii")
        written.append(path)
    return written


def write_programs(
    directory: Path,
    seed: int,
    count: int,
    kind: Kind = Kind.EITHER,
    rule: str | None = None,
    families: Sequence[str] = SUPPORTED,
) -> int:
    """As `generate_to`, for the command line: how many programs were written."""
    return len(generate_to(directory, seed, count, kind, rule, families))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m precis.bench.generate")
    parser.add_argument("directory", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--rule", choices=RULES, help="only defects of this rule")
    parser.add_argument("--constructs", help="only these families, with commas between them")
    kinds = parser.add_mutually_exclusive_group()
    for flag, kind in (("--correct", Kind.CORRECT), ("--defects", Kind.DEFECT)):
        kinds.add_argument(flag, dest="kind", action="store_const", const=kind)
    options = parser.parse_args(arguments)
    kind = Kind.DEFECT if options.rule else options.kind or Kind.EITHER
    families = chosen_families(options.constructs)
    written = write_programs(
        options.directory, options.seed, options.count, kind, options.rule, families
    )
    print(f"{written} programs in {options.directory}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

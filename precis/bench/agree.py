"""Do the planted truth, compiled builds and the referee agree?

    python -m precis.bench.agree --seed 1 --count 200 --sanitize

generates programs, compiles each with gcc -O0 (and with AddressSanitizer and
UndefinedBehaviorSanitizer), runs `precis run` and the builds on the inputs of the program, and
prints every difference. Exit status 1 if there is one; the files of such programs are kept.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from .agreement.builds import (
    CompileError,
    Support,
    compile_plain,
    compile_sanitized,
    compile_support,
    run,
)
from .agreement.referee import RefereeError, referee
from .agreement.verdicts import (
    EXCEPTIONS,
    Tally,
    Truth,
    chosen_inputs,
    judge_plain,
    judge_referee,
    judge_sanitized,
    read_truth,
)
from .generate import Kind, chosen_families, generate_to
from .generator.truth import RULES


class Sanitizing(Enum):
    """Whether the sanitized build takes part."""

    OFF = "off"
    ON = "on"


@dataclass(frozen=True, slots=True)
class Contest:
    """Who takes part in a comparison; an empty command leaves the referee out."""

    command: str
    sanitizing: Sanitizing
    inputs_per_program: int


def agree_on(source: Path, support: Support, contest: Contest) -> Tally:
    """Compare everything there is to compare about one program."""
    tally = Tally()
    truth = read_truth(source)
    tally.counts["programs"] += 1
    tally.counts[f"programs: {truth.rule or 'correct'}"] += 1
    try:
        _compare(truth, support, contest, tally)
    except (CompileError, RefereeError) as error:
        tally.disagreements.append(f"{source}: {error}")
    for suffix in (".plain", ".asan"):
        if not tally.disagreements:
            source.with_suffix(suffix).unlink(missing_ok=True)
    return tally


def _compare(truth: Truth, support: Support, contest: Contest, tally: Tally) -> None:
    inputs = chosen_inputs(truth, contest.inputs_per_program)
    program = compile_plain(truth.source, support)
    plain = {values: run(program, values) for values in inputs}
    for values in inputs:
        judge_plain(truth, values, plain[values], tally)
    if contest.sanitizing is Sanitizing.ON:
        program = compile_sanitized(truth.source, support)
        for values in inputs:
            judge_sanitized(truth, values, plain[values], run(program, values), tally)
    if contest.command:
        said = referee(contest.command, truth.source, truth.properties, inputs)
        for values in inputs:
            judge_referee(truth, values, plain[values], said[values], tally)


def agree(sources: Sequence[Path], directory: Path, contest: Contest, jobs: int) -> Tally:
    """Compare all programs; disagreements are in the order of the programs."""
    support = compile_support(directory)
    total = Tally()
    with ThreadPoolExecutor(jobs) as pool:
        for tally in pool.map(lambda source: agree_on(source, support, contest), sources):
            total.add(tally)
    return total


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m precis.bench.agree")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--precis", default="precis", help="the command; empty: builds alone")
    parser.add_argument("--sanitize", action="store_true")
    parser.add_argument("--inputs-per-program", type=int, default=64)
    parser.add_argument("--only", choices=[k.value for k in Kind], default=Kind.EITHER.value)
    parser.add_argument("--rule", choices=RULES)
    parser.add_argument("--constructs", help="only these families, with commas between them")
    parser.add_argument("--directory", type=Path, help="where to generate; kept")
    return parser.parse_args(arguments)


def _show(total: Tally, directory: Path) -> None:
    for name, count in sorted(total.counts.items()):
        print(f"{count:8d} {name}")
    for name, count in sorted(total.exceptions.items()):
        print(f"{count:8d} excepted: {name} ({EXCEPTIONS[name]})")
    for text in total.disagreements:
        print(f"DISAGREE {text}")
    print(f"{len(total.disagreements):8d} disagreements", f"(files in {directory})")


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    directory = options.directory or Path(tempfile.mkdtemp(prefix="agree-"))
    kind = Kind.DEFECT if options.rule else Kind(options.only)
    families = chosen_families(options.constructs)
    sources = generate_to(directory, options.seed, options.count, kind, options.rule, families)
    sanitizing = Sanitizing.ON if options.sanitize else Sanitizing.OFF
    contest = Contest(options.precis, sanitizing, options.inputs_per_program)
    total = agree(sources, directory, contest, options.jobs)
    _show(total, directory)
    if not total.disagreements and options.directory is None:
        shutil.rmtree(directory)
    return 1 if total.disagreements else 0


if __name__ == "__main__":
    sys.exit(main())

"""The planted truth of a program against compiled runs and against the referee.

A sanitizer is not asked to see everything. What it may miss is counted under the categories of
`EXCEPTIONS`; all else that differs is a disagreement.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from .builds import Ran
from .referee import Refereed
from .reports import LEAK, Reported, live_blocks, reported

EXCEPTIONS = {
    "uninitialised use": "no sanitizer of gcc tracks it; what follows may be anything",
    "jump into another live block": "the address is valid, only not for this pointer",
    "alloca after return": "the memory stays mapped, and only arrays are watched after a return",
    "call of a null pointer": "the backtrace begins at address 0 and may miss the caller",
    "variable arguments": "registers and stack slots beyond those given can be read",
    "overrun inside a struct": "bounds of a member are reported by UBSan, ours are the block's",
    "pointer comparison": "of a dead pointer, or across blocks; not checked by default",
    "free of other memory": "AddressSanitizer takes the bytes before it for those of a freed block",
    "kept until exit": "LeakSanitizer reports only blocks that nothing reaches",
    "stale pointer": "a dead copy hides a lost block from LeakSanitizer; live blocks are counted",
}
_LEAKS = ("memory-leak", "not-freed")


@dataclass(frozen=True, slots=True)
class Truth:
    """What the JSON file beside a program says."""

    source: Path
    properties: tuple[str, ...]
    ranges: tuple[tuple[int, int], ...]
    rule: str = ""  # empty: correct
    line: int = 0
    inputs: frozenset[tuple[int, ...]] = frozenset()
    blind: str = ""

    def broken_by(self, values: tuple[int, ...]) -> bool:
        return values in self.inputs


@dataclass(slots=True)
class Tally:
    """Counts, and disagreements in words."""

    counts: Counter[str] = field(default_factory=Counter)
    exceptions: Counter[str] = field(default_factory=Counter)
    disagreements: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.counts += other.counts
        self.exceptions += other.exceptions
        self.disagreements += other.disagreements


def read_truth(source: Path) -> Truth:
    entry: dict[str, Any] = json.loads(source.with_suffix(".json").read_text(encoding="ascii"))
    ranges = tuple((int(low), int(high)) for low, high in entry["input_ranges"])
    truth = Truth(source, tuple(entry["properties"]), ranges)
    expect = entry["expect"]
    if expect["verdict"] == "correct":
        return truth
    inputs = frozenset(tuple(values) for values in expect["inputs"])
    return Truth(
        source, truth.properties, ranges, expect["rule"], expect["line"], inputs, expect["blind"]
    )


def chosen_inputs(truth: Truth, most: int) -> list[tuple[int, ...]]:
    """All inputs if there are not more than `most`; else a fixed sample of both kinds."""
    every = list(product(*(range(low, high + 1) for low, high in truth.ranges)))
    if len(every) <= most:
        return every
    breaking = [values for values in every if truth.broken_by(values)]
    keeping = [values for values in every if not truth.broken_by(values)]
    half = most // 2
    shown = _spread(breaking, half)
    return sorted(shown + _spread(keeping, most - len(shown)))


def _spread(items: list[tuple[int, ...]], most: int) -> list[tuple[int, ...]]:
    step = max(1, -(-len(items) // most))
    return items[::step]


def judge_plain(truth: Truth, values: tuple[int, ...], plain: Ran, tally: Tally) -> None:
    """Does the plain build behave as planted? Only leaks and assertions show in it."""
    found = reported(plain.stderr, truth.source.name)
    live = live_blocks(plain.stderr)
    if not truth.broken_by(values):
        clean = found is None and plain.status < 124
        if not clean or (live != 0 and "cleanup" in truth.properties):
            _differ(
                tally, truth, values, f"plain build: status {plain.status}, live {live}, {found}"
            )
    elif truth.rule in _LEAKS:
        if not live:
            _differ(tally, truth, values, f"plain build: {truth.rule} planted, live {live}")
    elif truth.rule == "assertion" and (found is None or found.line != truth.line):
        _differ(tally, truth, values, f"plain build: assertion planted, {found}")


def judge_sanitized(
    truth: Truth, values: tuple[int, ...], plain: Ran, sanitized: Ran, tally: Tally
) -> None:
    """Do the sanitizers report what was planted, and nothing else?"""
    found = reported(sanitized.stderr, truth.source.name)
    tally.counts["sanitized runs"] += 1
    if not truth.broken_by(values):
        kept = "cleanup" not in truth.properties and found is not None and found.rule == LEAK
        same = sanitized.stdout == plain.stdout and sanitized.status == plain.status
        if not kept and (found is not None or not same):
            _differ(tally, truth, values, f"sanitizers: {found}, status {sanitized.status}")
        return
    tally.counts["sanitized runs with a defect"] += 1
    if truth.blind:
        tally.exceptions[truth.blind] += 1
    elif truth.rule in _LEAKS:
        if found is not None and found.rule != LEAK:
            _differ(tally, truth, values, f"sanitizers: {found}")
        _judge_leak(truth, found, tally)
    elif truth.rule == "invalid-free" and found == Reported("double-free", truth.line):
        tally.exceptions["free of other memory"] += 1
    elif found is None or (found.rule, found.line) != (truth.rule, truth.line):
        _differ(tally, truth, values, f"sanitizers: {found}")


def _judge_leak(truth: Truth, found: Reported | None, tally: Tally) -> None:
    """What LeakSanitizer misses was confirmed by the count of live blocks in the plain build."""
    if found is None:
        tally.exceptions["kept until exit" if truth.rule == "not-freed" else "stale pointer"] += 1


def judge_referee(
    truth: Truth, values: tuple[int, ...], plain: Ran, said: Refereed, tally: Tally
) -> None:
    """Does the referee report the planted defect, and otherwise behave as the plain build?"""
    tally.counts["refereed runs"] += 1
    found = said.violation
    if truth.broken_by(values):
        tally.counts["refereed runs with a defect"] += 1
        if found is None or (found.rule, found.line) != (truth.rule, truth.line):
            _differ(tally, truth, values, f"referee: {found}, status {said.status}")
        return
    if found is not None:
        _differ(tally, truth, values, f"referee: {found} in a run that breaks no rule")
    elif said.status != plain.status:
        _differ(tally, truth, values, f"referee: status {said.status}, compiled {plain.status}")
    elif said.stdout != plain.stdout:
        _differ(tally, truth, values, f"referee: output differs {_first_difference(plain, said)}")


def _first_difference(plain: Ran, said: Refereed) -> str:
    ours, theirs = said.stdout.split(b"\n"), plain.stdout.split(b"\n")
    for number, (our, their) in enumerate(zip(ours, theirs, strict=False), 1):
        if our != their:
            return f"in line {number}: {our!r}, compiled {their!r}"
    return f"in length: {len(ours)} lines, compiled {len(theirs)}"


def _differ(tally: Tally, truth: Truth, values: Sequence[int], text: str) -> None:
    planted = f"{truth.rule} at {truth.line}" if truth.rule else "correct"
    shown = ",".join(map(str, values))
    tally.disagreements.append(f"{truth.source} [{shown}] planted: {planted}; {text}")

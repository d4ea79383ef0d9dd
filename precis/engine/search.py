"""UNSAFE by search: runs of the referee on inputs that are likely to break something.

A run is given some values and, when it asks for more, those that served best so far. It shows
which inputs the program asks for, and each of them is a place to depart from: with another
value there (candidates.py), with an allocation that fails, with other text to read, with
another seed. What is tried next is what costs least (search_moves.py): unlikely values cost
more than likely ones, changes add up, and a run that got to new blocks of the program makes
what departs from it cheaper. Now and then a run takes random values instead.

Nothing but the budget depends on the clock, so two searches that it does not cut give equal
results. A violation counts when a run with exactly the inputs reported repeats it.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from math import log2
from random import Random
from typing import Final

from precis.engine.budget import Budget, Event, Exhausted
from precis.engine.candidates import Candidates
from precis.engine.minimise import minimised
from precis.engine.results import Finding, Input, Kind, Note
from precis.engine.search_aim import aims
from precis.engine.search_moves import LONGEST, Move, Sites, failing, reading, seeding
from precis.engine.search_texts import Texts
from precis.interp.choose import Answer
from precis.interp.outcome import (
    DEFAULT_PROPERTIES,
    Ending,
    Inputs,
    Malloc,
    Natives,
    Outcome,
    Settings,
)
from precis.interp.probe import Breach, Comparison, Probe, Prober
from precis.ir.instr import Switch, successors
from precis.ir.location import Location
from precis.ir.program import Program

STAGE: Final = "search"
MEMORY: Final = 128 << 20  # bytes of blocks of one run
TELLING: Final = 100  # runs between signs of life
RARE: Final = 2.0  # bits that other moves than values cost more after an old way
SHALLOW: Final = 0.5  # of the blocks that the farthest run got to
RANDOM_AFTER, RANDOM_EACH = 200, 8  # runs
STALE: Final = 200  # runs that went no new way
AUDITING: Final = 10.0  # as much time for the audit of a run
MOST_AIMED: Final = 40  # runs whose comparisons are looked at
AIMING: Final = 2.0  # bits
BOTH_SIDES: Final = (0, 1, -1)  # distances at which comparisons turn out otherwise
ENDLESS: Final = (Ending.OUT_OF_TIME, Ending.OUT_OF_MEMORY)  # counts as using up its steps
MOST_MINIMISING: Final = 400  # runs for one finding
AFTER_FIRST: Final = 300  # runs after the first finding, or as many as it took


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """`steps` are those of all runs together, `findings` how many are enough."""

    runs: int = 2000
    seconds_per_run: float = 2.0
    steps_per_run: int = 400_000
    steps: int = 40_000_000
    findings: int = 5


@dataclass(frozen=True, slots=True)
class SearchResult:
    """`exhausted` says why the search stopped: "time", "memory", "runs", "steps", "findings",
    or nothing if nothing was left to try. Only if it is `complete` was every run of the program
    tried."""

    findings: tuple[Finding, ...]
    runs: int
    exhausted: str
    complete: bool = False


class News(Enum):
    """What a run showed: blocks of the program, another set of them, or nothing new."""

    BLOCKS = "blocks"
    WAY = "way"
    NONE = "none"


COST_OF: Final = {News.BLOCKS: -1.0, News.WAY: 0.0, News.NONE: 1.0}


@dataclass(frozen=True, slots=True)
class _Seen:
    probe: Probe
    news: News


DEFAULT_LIMITS: Final = SearchLimits()


def search(
    program: Program, settings: Settings, budget: Budget, limits: SearchLimits = DEFAULT_LIMITS
) -> SearchResult:
    """Look for violations of the settings' properties in `program`, which holds its checks."""
    if program.entry not in program.procedures:
        return SearchResult((), 0, "")
    return _Search(program, settings, budget, limits).result()


class _Search:
    def __init__(
        self, program: Program, settings: Settings, budget: Budget, limits: SearchLimits
    ) -> None:
        memory = MEMORY if settings.memory is None else min(MEMORY, settings.memory)
        self.settings = replace(settings, memory=memory, timeout=None)
        self.program = program
        self.budget = budget
        self.limits = limits
        self.prober = Prober(program, self.settings, limits.steps_per_run)
        candidates = Candidates(program)
        self.sites = Sites(candidates)
        self.texts = Texts(program, candidates.constants)
        self.findings: dict[Breach, Finding | None] = {}
        self.first_finding = 0  # the run that gave it
        self.runs = 0
        self.steps = 0
        self.queue: list[tuple[float, int, Move, Iterator[Move]]] = []
        self.pushed = 0
        self.covered = 0
        self.ways: set[bytes] = set()
        self.tried: set[Inputs] = set()
        self.deepest = 0
        self.stale = 0  # runs since one went a new way
        self.aimed = 0
        self.complete = False
        self.reads = False  # does the program read standard input?
        self.asks = False  # or ask for anything?
        self.dice = Random("search")

    def result(self) -> SearchResult:
        try:
            exhausted = self._explore()
        except Exhausted:
            exhausted = "time" if self.budget.left() == 0 else "memory"
        found = [finding for finding in self.findings.values() if finding is not None]
        found.sort(key=lambda f: (_place(f.at), _place(f.inner), f.rule))
        return SearchResult(tuple(found), self.runs, exhausted, self.complete)

    def _explore(self) -> str:
        """Run until something is used up, and say what."""
        start = Inputs(0, (), b"", self.program.sources[:1], frozenset())
        first = self._run(start, self.sites.defaults(0))
        self._depart(first, Move(0.0, start, 0))
        if not self.asks and first.probe.ending is Ending.EXIT:
            self.complete = self.prober.is_only_run(start, self._seconds(AUDITING))
            if self.complete:
                return ""
        while True:
            stop = self._used_up()
            if stop:
                return stop
            throw = self.asks and self.stale < STALE
            turn = self.runs > RANDOM_AFTER and self.runs % RANDOM_EACH == 0
            if self.queue and not (throw and turn):
                self._next()
            elif throw:
                self._random(start)
            else:
                return ""

    def _used_up(self) -> str:
        found = sum(finding is not None for finding in self.findings.values())
        more = max(AFTER_FIRST, self.first_finding)
        if found >= self.limits.findings or (found and self.runs > self.first_finding + more):
            return "findings"
        if self.runs >= self.limits.runs:
            return "runs"
        return "steps" if self.steps >= self.limits.steps else ""

    def _next(self) -> None:
        _, _, move, rest = heapq.heappop(self.queue)
        self._push(rest)
        if move.inputs not in self.tried:
            seen = self._run(move.inputs, self.sites.defaults(len(move.inputs.values or ())))
            self._depart(seen, move)

    def _random(self, start: Inputs) -> None:
        dice = self.dice
        inputs = replace(start, seed=dice.choice((0, 0, 0, 5, 6, 7)))
        if self.settings.malloc is Malloc.MAY_FAIL and dice.random() < 0.5:
            rate = dice.choice((0.02, 0.1, 0.3))
            fails = frozenset(i for i in range(1, LONGEST) if dice.random() < rate)
            inputs = replace(inputs, failures=fails)
        if self.reads:
            inputs = replace(inputs, stdin=self.texts.thrown(dice))
        seen = self._run(inputs, self.sites.random(dice))
        if seen.news is News.BLOCKS:
            self._depart(seen, Move(0.0, inputs, 0))

    def _push(self, moves: Iterator[Move]) -> None:
        for move in moves:
            self.pushed += 1
            heapq.heappush(self.queue, (move.cost, self.pushed, move, moves))
            break
        if len(self.queue) > 8 * self.limits.runs:  # what costs most will never be its turn
            self.queue = heapq.nsmallest(4 * self.limits.runs, self.queue)

    def _run(self, inputs: Inputs, more: Answer) -> _Seen:
        self.budget.look()
        self.tried.add(inputs)
        self.runs += 1
        if self.runs % TELLING == 0:
            self.budget.on_event(Event(STAGE, "", self.runs, self.limits.runs))
        probe = self.prober.probe(inputs, more, self._seconds())
        self.steps += self.limits.steps_per_run if probe.ending in ENDLESS else probe.steps
        if probe.breach is not None and probe.breach not in self.findings:
            self._found(probe, probe.breach)
        reached = int.from_bytes(probe.reached, "little")
        depth = reached.bit_count()
        self.deepest = max(self.deepest, depth)
        news = News.BLOCKS if reached & ~self.covered else News.WAY
        if probe.reached in self.ways:
            news = News.NONE
        self.stale = self.stale + 1 if news is News.NONE else 0
        self.covered |= reached
        self.ways.add(probe.reached)
        served = probe.ending is not Ending.ASSUME_FAILED and depth > SHALLOW * self.deepest
        self.sites.learn(probe, served=served)
        return _Seen(probe, news)

    def _depart(self, seen: _Seen, move: Move) -> None:
        """Put what departs from the run into the queue."""
        probe, inputs = seen.probe, move.inputs
        may_fail = self.settings.malloc is Malloc.MAY_FAIL and probe.allocations > 0
        self.reads = self.reads or probe.asked_input
        self.asks = self.asks or bool(probe.chosen) or may_fail or self.reads
        endless = probe.ending in ENDLESS
        cost = max(0.0, move.cost + COST_OF[seen.news])
        rare = cost + (RARE if seen.news is News.NONE else 0.0)
        for place in range(move.settled, min(len(probe.chosen), LONGEST)):
            self._push(self.sites.values(probe, place, cost))
        if may_fail and not inputs.failures:
            self._push(failing(probe, rare))
        if probe.asked_input and not inputs.stdin:
            self._push(reading(probe, self.texts.fixed, rare))
        if not inputs.seed and seen.news is not News.NONE and not endless:
            self._push(seeding(probe, cost))
        if probe.chosen and self.aimed < MOST_AIMED and not endless:
            self._push(self._aiming(probe, rare + AIMING))

    def _aiming(self, probe: Probe, cost: float) -> Iterator[Move]:
        yield Move(cost, probe.inputs, 0)  # it was run: this puts off the trouble of aiming
        self.aimed += 1
        if self.aimed > MOST_AIMED:
            return
        for rank, inputs in enumerate(aims(probe.inputs, self._log, self._wanted), 1):
            yield Move(cost + log2(rank), inputs, 0)

    def _log(self, inputs: Inputs) -> list[Comparison]:
        self.budget.look()
        self.runs += 1
        compared, steps = self.prober.comparisons(inputs, self._seconds())
        self.steps += steps
        return compared

    def _wanted(self, comparison: Comparison) -> tuple[int, ...]:
        """The distances of its numbers that would take a condition to a block never reached."""
        procedure, (block, index) = comparison.procedure, comparison.place
        if index < len(procedure.blocks[block].steps):
            return BOTH_SIDES  # an assumption
        end = procedure.blocks[block].end

        def is_new(to: int) -> bool:
            return not self.prober.is_reached(self.covered, procedure, to)

        if isinstance(end, Switch):
            return tuple(case.low for case in end.cases if is_new(case.to))
        return BOTH_SIDES if any(map(is_new, successors(end))) else ()

    def _seconds(self, factor: float = 1.0) -> float:
        left = self.budget.left()
        limit = self.limits.seconds_per_run * factor
        return limit if left is None else min(limit, left + 0.01)

    def _found(self, probe: Probe, breach: Breach) -> None:
        """Minimise the inputs, run once more with what is to be reported."""
        self.findings[breach] = None
        tries = 0

        def attempt(inputs: Inputs) -> Inputs | None:
            nonlocal tries
            tries += 1
            if tries > MOST_MINIMISING or self.budget.left() == 0:
                return None
            again = self.prober.exact_probe(inputs, self._seconds())
            return again.inputs if again.breach == breach else None

        for inputs in (minimised(probe.inputs, attempt), probe.inputs):
            outcome = self.prober.outcome(inputs, self.limits.seconds_per_run)
            violation = outcome.violation
            if (
                outcome.ending is Ending.VIOLATION
                and violation is not None
                and Breach(violation.rule, violation.inner) == breach
            ):
                self.findings[breach] = finding_of(
                    self.program, self.settings, outcome, inputs, probe.asked_input
                )
                self.first_finding = self.first_finding or self.runs
                return


def _place(at: Location) -> tuple[str, int, int]:
    return at.file, at.line, at.column


def finding_of(
    program: Program, settings: Settings, outcome: Outcome, inputs: Inputs, asked_input: bool
) -> Finding:
    """What a run that broke an obligation shows."""
    violation = outcome.violation
    assert violation is not None
    users = [f for f in violation.stack if not program.procedures[f.procedure].library]
    depth = len(violation.stack) - 1
    return Finding(
        violation.rule,
        violation.property,
        Kind.VIOLATION,
        users[0].procedure if users else program.entry,
        violation.at,
        violation.inner,
        violation.message,
        STAGE,
        tuple(Input(chosen.source, chosen.at, chosen.value) for chosen in outcome.chosen),
        tuple(Note(f.at, f.procedure, depth - i) for i, f in enumerate(violation.stack)),
        tuple(Note(step.at, step.text) for step in violation.trace),
        violation.values,
        violation.block.text if violation.block is not None else "",
        replay_of(inputs, settings, violation.property, asked_input),
    )


def replay_of(inputs: Inputs, settings: Settings, property_: str, asked_input: bool) -> str:
    """The options of `precis run` that repeat a run, for a shell."""
    words = []
    if inputs.values:
        words += ["--values", ",".join(map(str, inputs.values))]
    words += ["--seed", str(inputs.seed)]
    if inputs.failures:
        numbers = ",".join(map(str, sorted(inputs.failures)))
        words += ["--malloc", "may-fail", "--fail", numbers]
    if asked_input:
        words += ["--stdin", f"<(printf {_printed(inputs.stdin)})" if inputs.stdin else "''"]
    if settings.natives is Natives.MODELS_ONLY:
        words.append("--models-only")
    if settings.properties != DEFAULT_PROPERTIES:
        words += ["--property", property_]
    return " ".join(words)


def _printed(text: bytes) -> str:
    """The argument of printf that gives these bytes."""
    special = {ord("%"): "%%", ord("\\"): "\\\\", ord("\n"): "\\n"}
    plain = {code for code in range(32, 127) if chr(code) not in "%\\'"}
    return (
        "'"
        + "".join(
            chr(code) if code in plain else special.get(code, f"\\{code:03o}") for code in text
        )
        + "'"
    )

"""One analysis of a whole program: what it leaves open, where it gave up, what it cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from precis.domains.protocol import (
    IMPOSSIBLE,
    CallSite,
    Measured,
    Need,
    ObligationId,
    Standing,
)
from precis.engine.activation import Activation, Limits, Lost, Open, Unlooked
from precis.engine.budget import Budget, Exhausted
from precis.engine.results import INSIDE, Note, ProcedureResult
from precis.engine.schedule import Schedule
from precis.engine.summary import SummaryStore
from precis.engine.traces import trace, user_place
from precis.ir.callgraph import call_graph
from precis.ir.instr import Check
from precis.ir.location import Location
from precis.ir.program import Program


@dataclass(frozen=True, slots=True)
class Plan:
    """A domain, how finely it is used, and which part of the remaining time it gets.

    A `fallback` is only for when the one before ran into a limit. `for_programs`: it has nothing
    to say of libraries. `late`: before it, a short search may spare it. `by_cases`: roots are
    looked at in cases (`by_cases.py`).
    """

    domain: Any
    limits: Limits
    share: float = 0.5
    fallback: bool = False
    for_programs: bool = False
    late: bool = False
    by_cases: bool = False
    store: SummaryStore | None = None  # of summaries of earlier runs

    @property
    def name(self) -> str:
        """What reports call it."""
        found: str = self.domain.name
        return f"{found} by cases" if self.by_cases else found


@dataclass(frozen=True, slots=True)
class Doubt:
    """An obligation that an analysis leaves open. `prunes`: it went on without the runs that
    break it."""

    standing: Standing
    why: str
    at: Location
    trace: tuple[Note, ...]
    prunes: bool
    root: str = ""  # a procedure every call of which breaks it
    certain: bool = False  # ... that gets there, and some calls do


@dataclass(frozen=True, slots=True)
class Latent:
    """What callers of a root must establish, in words; empty if other needs bring it about. It
    may take those with a smaller number for granted."""

    root: str
    text: str
    number: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Supposed:
    """A call in which no obligation is taken to be broken, though nobody looked: all from there on
    hangs on that."""

    site: CallSite
    at: Location
    callee: str
    why: str
    trace: tuple[Note, ...]


@dataclass(slots=True)
class Analysed:
    """What an analysis found. If `stopped` says why it ended early, nothing is proved."""

    doubts: dict[ObligationId, Doubt] = field(default_factory=dict)
    latent: dict[ObligationId, list[Latent]] = field(default_factory=dict)
    lost: list[Lost] = field(default_factory=list)
    procedures: tuple[ProcedureResult, ...] = ()
    reached: frozenset[str] = frozenset()
    states: int = 0
    recalled: int = 0  # summaries of earlier runs
    stopped: str = ""
    wrong: str = ""  # an internal check failed
    assumptions: tuple[int, ...] = ()
    granted: list[tuple[str, str]] = field(default_factory=list)  # of callers of roots, in words
    supposed: dict[CallSite, Supposed] = field(default_factory=dict)


def analyse(
    program: Program, plan: Plan, roots: Sequence[tuple[str, Any]], budget: Budget
) -> Analysed:
    """Run a domain over a program from these roots."""
    schedule = Schedule(plan.domain, program, plan.limits, budget, plan.store)
    result = Analysed()
    keys: list[Any] = []
    try:
        late = _from_roots(schedule, roots, keys)
        activations = schedule.reachable(keys)
        for activation in activations:
            wrong = schedule.recheck(activation)
            if wrong and not result.wrong:
                result.wrong = f"{activation.procedure.name}: {wrong}"
    except Exhausted as limit:
        result.stopped = str(limit)
        result.states = budget.spent
        return result
    finally:
        result.recalled = schedule.recall.count if schedule.recall is not None else 0
    if result.wrong and plan.limits.single:
        # Conditions are compared as far as that is easy: the result may be one all the same.
        result.stopped, result.wrong = f"the result was not confirmed ({result.wrong})", ""
        result.states = budget.spent
        return result
    _collect(schedule, activations, frozenset(keys), result)
    result.lost += late
    result.procedures += tuple(
        ProcedureResult(lost.procedure, lost.at, plan.domain.name, 0, 0, 0, given_up=(lost.reason,))
        for lost in late
    )
    result.states = budget.spent
    made = (one.summary for one in schedule.done.values() if one.summary is not None)
    used = {number for summary in made for number in summary.assumptions}
    result.assumptions = tuple(sorted({*getattr(plan.domain, "used", ()), *used}))
    return result


def _from_roots(
    schedule: Schedule, roots: Sequence[tuple[str, Any]], keys: list[Any]
) -> list[Lost]:
    """Analyse from one root after the other. If a limit is reached on the way, what was found
    from those before stays, where summaries stand by themselves: nothing is known of the rest."""
    graph = call_graph(schedule.program)
    procedures = schedule.program.procedures
    if schedule.domain.packs:
        schedule.expect(graph.reachable([name for name, _ in roots]))
    for name, entry in roots:
        try:
            if schedule.domain.packs:
                # Callees first: a procedure's time is a share of what is left for those to come.
                named = (procedures[n] for n in graph.by_name([name]) if n in procedures)
                schedule.bottom_up(p.name for p in named if p.name != name and not p.library)
            schedule.on_demand(name, entry)
        except Exhausted as limit:
            if not schedule.domain.packs or not keys:
                raise
            found = (schedule.program.procedures[left] for left, _ in roots[len(keys) :])
            return [Lost(p.name, 0, -1, p.at, str(limit), contained=True) for p in found]
        keys.append((name, entry))
    return []


def _collect(
    schedule: Schedule, activations: list[Activation], roots: frozenset[Any], result: Analysed
) -> None:
    lost: dict[Lost, None] = {}
    inside = _Inside(schedule, result)
    for activation in activations:
        lost.update(activation.lost)
        asked: set[ObligationId] = set()
        for (origin, _), found in activation.found.items():
            if not found.asked:
                _doubt(schedule, activation, origin, found, roots, result)
            elif activation.key in roots:
                _doubt(schedule, activation, origin, found, roots, result)
                asked.add(origin)
        for one in activation.unlooked.values():
            inside.add(activation, one)
        if activation.key in roots:
            name = activation.procedure.name
            if activation.summary is not None:
                result.granted += [(name, text) for text in activation.summary.granted]
            texts = _preconditions(schedule, activation)
            for number, (need, why) in enumerate(activation.needs.items()):
                if need.origin in asked:
                    continue
                if texts.get(need) == IMPOSSIBLE:
                    _impossible(schedule, need, why, result)
                    continue
                latent = Latent(name, texts.get(need, ""), number)
                result.latent.setdefault(need.origin, []).append(latent)
    result.lost = list(lost)
    result.reached = frozenset(activation.procedure.name for activation in activations)
    result.procedures = _procedures(schedule, activations)


class _Inside:
    """The obligations in procedures that nobody looked into, at some call."""

    def __init__(self, schedule: Schedule, result: Analysed) -> None:
        self._schedule = schedule
        self._doubts = result.doubts
        self._supposed = result.supposed
        self._graph = call_graph(schedule.program)
        self._seen: set[tuple[str, bool]] = set()

    def add(self, activation: Activation, one: Unlooked) -> None:
        """Of several calls the first one is told."""
        if one.supposed:
            self._suppose(activation, one)
            return
        if (one.callee, one.by_name) in self._seen:
            return
        self._seen.add((one.callee, one.by_name))
        schedule = self._schedule
        way = trace(schedule, activation, one.node)
        why = f"{INSIDE}{one.callee}: {one.why}"
        procedures = schedule.program.procedures
        reached = self._graph.by_name if one.by_name else self._graph.reachable
        for name in reached((one.callee,)):
            for block in procedures[name].blocks if name in procedures else ():
                for step in block.steps:
                    if isinstance(step, Check):
                        origin = ObligationId(name, step.number)
                        doubt = Doubt(Standing.OPEN, why, step.at, way, True)
                        known = self._doubts.get(origin, doubt)
                        known = replace(known, standing=Standing.OPEN, prunes=True)
                        self._doubts[origin] = known

    def _suppose(self, activation: Activation, one: Unlooked) -> None:
        site, schedule = one.site, self._schedule
        at = activation.procedure.blocks[site.block].steps[site.step].at
        way = trace(schedule, activation, one.node)
        self._supposed.setdefault(site, Supposed(site, at, one.callee, one.why, way))


def _impossible(schedule: Schedule, need: Need[Any], why: str, result: Analysed) -> None:
    """No caller brings about what is needed: it is open, and what comes after it hangs on it."""
    why = "it is not shown for any caller that gets here" + (f": {why}" if why else "")
    known = result.doubts.get(need.origin)
    at = schedule.check(need.origin).at
    doubt = known or Doubt(Standing.OPEN, why, at, (), True)
    result.doubts[need.origin] = replace(doubt, standing=Standing.OPEN, prunes=True)


def _preconditions(schedule: Schedule, activation: Activation) -> Mapping[Need[Any], str]:
    if not activation.needs or activation.summary is None:
        return {}
    found: Mapping[Need[Any], str] = schedule.domain.preconditions(activation.summary)
    return found


def _doubt(
    schedule: Schedule, activation: Activation, origin: ObligationId, found: Open,
    roots: frozenset[Any], result: Analysed,
) -> None:  # fmt: skip
    root = _broken_from(schedule, activation, found, roots)
    known = result.doubts.get(origin)
    if known is not None and not (root and not known.root):
        standing = known.standing if known.standing is found.standing else Standing.OPEN
        prunes = known.prunes or found.prunes
        result.doubts[origin] = replace(known, standing=standing, prunes=prunes)
        return
    check = schedule.check(origin)
    at = user_place(schedule, activation, check.at) if not found.via else check.at
    if root and found.via:
        site = found.via[-1]  # the call in the root
        at = schedule.program.procedures[site.procedure].blocks[site.block].steps[site.step].at
    way = trace(schedule, activation, found.node)
    prunes = found.prunes or (known is not None and known.prunes)
    result.doubts[origin] = Doubt(found.standing, found.why, at, way, prunes, root, found.certain)


def _broken_from(
    schedule: Schedule, activation: Activation, found: Open, roots: frozenset[Any]
) -> str:
    """The root of which every call gets there and breaks the obligation; empty if none is."""
    if found.certain and activation.key in roots:
        return activation.procedure.name
    if found.standing is not Standing.NEVER_MET or not found.sure or found.via:
        return ""
    key = activation.key
    seen = set()
    while key not in roots:
        caller = schedule.callers.get(key)
        if caller is None or not caller.sure or key in seen:
            return ""
        seen.add(key)
        key = caller.key
    return key[0]


def _procedures(schedule: Schedule, activations: list[Activation]) -> tuple[ProcedureResult, ...]:
    grouped: dict[str, list[Activation]] = {}
    for activation in activations:
        grouped.setdefault(activation.procedure.name, []).append(activation)
    depths = _depths(schedule, activations)
    domain = schedule.domain
    found = []
    for name in sorted(grouped):
        members = grouped[name]
        procedure = members[0].procedure
        texts = tuple(
            tuple(schedule.domain.describe(a.summary))
            for a in members[:4]
            if a.summary is not None and not procedure.library
        )
        found.append(
            ProcedureResult(
                name, procedure.at, schedule.domain.name, len(members),
                sum(a.states for a in members), sum(a.steps for a in members), texts,
                procedure.library, max(depths[a.key] for a in members),
                tuple(dict.fromkeys(lost.reason for a in members for lost in a.lost)),
                tuple(
                    dict(domain.measures(a.summary))
                    for a in members[:4]
                    if a.summary is not None and isinstance(domain, Measured)
                ),
            )
        )  # fmt: skip
    return tuple(found)


def _depths(schedule: Schedule, activations: list[Activation]) -> dict[Any, int]:
    """How many calls may be under way below each activation; callees are done before callers."""
    found: dict[Any, int] = {}
    for key, activation in schedule.done.items():
        found[key] = max((1 + found.get(used, 0) for used in activation.used), default=0)
    return found

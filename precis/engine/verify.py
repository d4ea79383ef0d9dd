"""Program in, verdict out: analyses in turn, then a search for runs, then the verdict.

Only an analysis that covers every run lets an obligation be proved, and only if it went through
to its end, checked its own result, and everything the proof rests on is proved too. Only a run
that the referee has repeated makes a program unsafe. Everything else stays open, with a reason.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Final

from precis.domains.protocol import CallSite, ObligationId, Summary
from precis.engine import by_cases
from precis.engine.activation import Lost
from precis.engine.analysis import Analysed, Latent, Plan, Supposed, analyse
from precis.engine.budget import LOOK, Budget, Event, Exhausted
from precis.engine.dependence import Places, Spot
from precis.engine.results import (
    BEYOND,
    Finding,
    Kind,
    ObligationResult,
    Precondition,
    Result,
    Stage,
    Status,
    Verdict,
)
from precis.engine.schedule import Schedule
from precis.engine.wording import wanted
from precis.errors import InputError
from precis.interp.outcome import Malloc, Settings
from precis.ir.callgraph import CallGraph, call_graph
from precis.ir.instr import Spawn
from precis.ir.location import Location
from precis.ir.obligation import property_of, rule_of
from precis.ir.program import Program


class Mode(Enum):
    """PROGRAM: runs start at the entry. LIBRARY: any visible procedure may be called."""

    PROGRAM = "program"
    LIBRARY = "library"


class Searching(Enum):
    ON = "on"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Options:
    properties: frozenset[str]
    malloc: Malloc = Malloc.MAY_FAIL
    mode: Mode = Mode.PROGRAM
    assumed: frozenset[int] = frozenset()
    search: Searching = Searching.ON
    calls: str = ""  # how `heap` follows calls; empty: by summaries, then inlined
    alias_classes: str = "order"  # which pointers `heap` relates


SHORT: Final = 0.08  # of the time, for a search before analyses that take long


def roots_of(program: Program, mode: Mode, graph: CallGraph) -> tuple[str, ...]:
    """Where control may come in: the entry; of a library, what others may call."""
    if mode is Mode.PROGRAM:
        if program.entry not in program.procedures:
            raise InputError(f"the program has no function {program.entry or 'main'!r} to start at")
        return (program.entry,)
    taken = frozenset(graph.address_taken)
    return tuple(
        name
        for name, procedure in sorted(program.procedures.items())
        if not procedure.library
        and (not procedure.internal or name in taken or not graph.callers.get(name))
    )


def verify(
    program: Program, name: str, plans: Sequence[Plan], options: Options, budget: Budget
) -> Result:
    """Check a program, which holds its obligations already."""
    graph = call_graph(program)
    roots = roots_of(program, options.mode, graph)
    reached = graph.reachable(roots)
    places = Places(program, graph, reached)
    check = _Check(program, name, options, budget, graph, roots, places)
    findings: tuple[Finding, ...] = ()
    searches = options.search is Searching.ON and options.mode is Mode.PROGRAM
    searched = not searches
    for plan in plans:
        if plan.fallback and not check.stopped():
            continue
        if plan.for_programs and options.mode is Mode.LIBRARY:
            continue
        if plan.late and not searched:
            findings = check.search(SHORT)
            searched = True
            if findings:
                break
        check.run(plan)
        if check.settled():
            break
    if searches and not findings and not check.settled():
        findings = check.search()
    if options.mode is Mode.LIBRARY:
        findings = check.manifest()
    return check.result(findings)


def summarize(
    program: Program, plan: Plan, functions: Sequence[str], options: Options, budget: Budget
) -> list[Summary[Any, Any]]:
    """Summaries of procedures for unknown callers; raises InputError if a limit is reached."""
    domain = plan.domain
    schedule = Schedule(domain, program, plan.limits, budget, plan.store)
    found = []
    for name in functions:
        try:
            done = schedule.on_demand(name, domain.unknown_entry(program.procedures[name]))
        except Exhausted as limit:
            raise InputError(
                f"no summary of {name}: {limit}", advice="give more --timeout"
            ) from None
        assert done.summary is not None
        found.append(done.summary)
    return found


@dataclass(frozen=True, slots=True)
class _Done:
    """An analysis that went through; `lost`: the obligations beyond where it gave up."""

    name: str
    analysed: Analysed
    lost: dict[ObligationId, Lost]
    inside: dict[CallSite, frozenset[ObligationId]]  # of calls that nothing is said of

    def shown(self, origin: ObligationId) -> bool:
        """As `met`, and it has looked at all calls of the procedure."""
        return self.met(origin) and not any(origin in some for some in self.inside.values())

    def supposed(self, proved: Set[ObligationId]) -> list[Supposed]:
        """The calls in which it took nothing to go wrong, and nobody has shown that for all calls
        of what is called there."""
        calls = self.analysed.supposed
        return [calls[site] for site, some in self.inside.items() if not some <= proved]

    def met(self, origin: ObligationId) -> bool:
        """Has it shown the obligation for all runs that it went on with?"""
        analysed = self.analysed
        return not (origin in analysed.doubts or origin in analysed.latent or origin in self.lost)

    def asks(self, origin: ObligationId) -> bool:
        """Has it shown the obligation for all runs whose callers bring about what it needs?"""
        analysed = self.analysed
        fails = origin in analysed.doubts or origin in self.lost
        return origin in analysed.latent and not fails


def _before(one: Supposed) -> Spot:
    return Spot(one.site.procedure, one.site.block, one.site.step - 1)


class _Check:
    """One program under way."""

    def __init__(
        self, program: Program, name: str, options: Options, budget: Budget, graph: CallGraph,
        roots: tuple[str, ...], places: Places,
    ) -> None:  # fmt: skip
        self._program = program
        self._name = name
        self._options = options
        self._budget = budget
        self._roots = roots
        self._graph = graph
        self._places = places
        self._last = Analysed(stopped="no analysis that was asked for can be used here")
        self._done: list[_Done] = []  # the analyses that went through
        self._stages: list[Stage] = []
        self._results: dict[ObligationId, ObligationResult] = {}

    def run(self, plan: Plan) -> None:
        """An analysis; what it proves stays proved."""
        domain = plan.domain
        mode = self._options.mode
        entry = domain.unknown_entry if mode is Mode.LIBRARY else domain.root_entry
        roots = [(name, entry(self._program.procedures[name])) for name in self._roots]
        look_every = 1 if plan.limits.single else LOOK
        budget = self._budget.share(plan.share, plan.limits.states, look_every)
        before = sum(r.status is Status.PROVED for r in self._results.values())
        if plan.by_cases:
            analysed = by_cases.analyse(self._program, plan, roots, budget, self.stopped())
        else:
            analysed = analyse(self._program, plan, roots, budget)
        self._last = analysed
        if not analysed.stopped:
            if domain.packs:
                self._blame(analysed)
            lost = self._beyond(analysed)
            self._done.append(_Done(plan.name, analysed, lost, self._inside(analysed)))
        self._results = self._judged()
        decided = sum(r.status is Status.PROVED for r in self._results.values())
        self._stages.append(
            Stage(
                plan.name, decided - before, len(self._results) - decided,
                f"{analysed.states} states", analysed.stopped, analysed.recalled,
            )
        )  # fmt: skip

    def stopped(self) -> bool:
        return bool(self._last.stopped)

    def settled(self) -> bool:
        fine = (Status.PROVED, Status.LATENT)
        is_fine = all(r.status in fine for r in self._results.values())
        return is_fine and not self._unsure() and not self._suppositions()

    def _unsure(self) -> str:
        """A reason to prove nothing at all."""
        if not self._done:
            return self._last.stopped
        for done in self._done:
            if done.analysed.wrong:
                return f"internal error: the fixpoint does not hold ({done.analysed.wrong})"
        if any(isinstance(s, Spawn) for s in self._steps()):
            return "the program starts threads, which this analysis does not follow"
        return ""

    def _steps(self) -> list[Any]:
        reached = {name for done in self._done for name in done.analysed.reached}
        return [
            step
            for name in sorted(reached)
            for block in self._program.procedures[name].blocks
            for step in block.steps
        ]

    # Obligations.

    def _judged(self) -> dict[ObligationId, ObligationResult]:
        unsure = self._unsure()
        proved: dict[ObligationId, str] = {}
        if not unsure:
            proved = self._proved()
        return {
            origin: self._judge(origin, unsure, proved) for origin in sorted(self._places.checks)
        }

    def _proved(self) -> dict[ObligationId, str]:
        """The obligations that are proved, and by which analysis.

        An analysis goes on without the runs that break what it left open. What it says of later
        obligations counts if those are proved, too, by whatever analysis: in a run, the first
        obligation of all proved ones to be broken would be one that an analysis has shown for
        all runs that broke none before.
        """
        found = dict.fromkeys(self._places.checks, "")
        while True:
            better: dict[ObligationId, str] = {}
            for done in self._done:
                doubts = done.analysed.doubts
                pruned = [
                    self._places.checks[origin][0]
                    for origin in (*(o for o, doubt in doubts.items() if doubt.prunes), *done.lost)
                    if origin in self._places.checks and origin not in found
                ]
                pruned += map(_before, done.supposed(found.keys()))
                conditional = self._places.after(pruned)
                for origin in found:
                    if origin not in better and origin not in conditional and done.shown(origin):
                        better[origin] = done.name
            if better.keys() == found.keys():
                return better
            found = better

    def _pruning(self) -> tuple[Location, ...]:
        last = self._done[-1].analysed
        found = {doubt.at: None for _, doubt in sorted(last.doubts.items()) if doubt.prunes}
        found.update((one.at, None) for _, one in sorted(last.supposed.items()))
        return tuple(list(found)[:5])

    def _inside(self, analysed: Analysed) -> dict[CallSite, frozenset[ObligationId]]:
        """The obligations in the calls that nobody looked into, and nothing is taken to go wrong
        in."""
        found = {}
        for site, one in sorted(analysed.supposed.items()):
            names = frozenset(self._graph.reachable((one.callee,)))
            found[site] = frozenset(o for o in self._places.checks if o.procedure in names)
        return found

    def _suppositions(self) -> list[ObligationResult]:
        """Calls of which it is open whether something goes wrong in them, if anything that is not
        proved hangs on that."""
        proved = {o for o, result in self._results.items() if result.status is Status.PROVED}
        found: dict[CallSite, ObligationResult] = {}
        for done in self._done:
            for one in done.supposed(proved):
                if proved.issuperset(self._places.after([_before(one)])):
                    continue
                procedure = self._program.procedures[one.site.procedure]
                found[one.site] = ObligationResult(
                    procedure.name, -1 - len(found), "overlap", "memory-safety", one.at,
                    f"nothing goes wrong in {one.callee} as it is called here", Status.OPEN, "",
                    one.why, one.trace, library=procedure.library,
                )  # fmt: skip
        return list(found.values())

    def _blame(self, analysed: Analysed) -> None:
        """Summaries know nothing of callers: that a callee loses a block of theirs is seen at the
        call. In a run, and by other analyses, it is a step of the callee that loses it. So that
        step is not shown either."""
        for origin, doubt in tuple(analysed.doubts.items()):
            for inner in self._places.blamed(origin) if origin in self._places.checks else ():
                at = self._places.checks[inner][1].at
                why = f"a block of a caller may be lost: {doubt.why}"
                analysed.doubts.setdefault(inner, replace(doubt, why=why, at=at, root=""))
        for origin, latent in tuple(analysed.latent.items()):
            for inner in self._places.blamed(origin) if origin in self._places.checks else ():
                analysed.latent.setdefault(inner, latent)

    def _beyond(self, analysed: Analysed) -> dict[ObligationId, Lost]:
        """The obligations beyond a place where the analysis gave up."""
        found: dict[ObligationId, Lost] = {}
        for lost in analysed.lost:
            spot = Spot(lost.procedure, lost.block, lost.step)
            reached = self._places.inside if lost.contained else self._places.after
            for origin in reached((spot,)):
                found.setdefault(origin, lost)
        return found

    def _judge(
        self, origin: ObligationId, unsure: str, proved: dict[ObligationId, str]
    ) -> ObligationResult:
        check = self._places.checks[origin][1]
        procedure = self._program.procedures[origin.procedure]
        base = ObligationResult(
            origin.procedure, origin.number, rule_of(check.obligation),
            property_of(check.obligation), check.at, wanted(check.obligation, procedure),
            Status.PROVED, proved.get(origin, ""), library=procedure.library,
        )  # fmt: skip
        if unsure:
            return replace(base, status=Status.OPEN, why=unsure)
        if origin in proved:
            return base
        if any(done.met(origin) for done in self._done):
            return replace(base, status=Status.CONDITIONAL, requires=self._pruning())
        if self._options.mode is Mode.LIBRARY:
            for done in self._done:
                if done.asks(origin):
                    return self._latent(base, done.analysed.latent[origin][0])
        for done in reversed(self._done):
            doubt = done.analysed.doubts.get(origin)
            if doubt is not None:
                return replace(
                    base, status=Status.OPEN, why=doubt.why, at=doubt.at, trace=doubt.trace
                )
        for done in reversed(self._done):
            if origin in done.lost:
                # What was asked of callers before it was given up is not all that is needed.
                beyond = done.lost[origin]
                return replace(
                    base, status=Status.OPEN, why=f"{BEYOND}{beyond.at}: {beyond.reason}"
                )
        found = next(d.analysed.latent[origin] for d in self._done if origin in d.analysed.latent)
        return self._latent(base, found[0])

    def _latent(self, base: ObligationResult, found: Latent) -> ObligationResult:
        text = found.text or "its other preconditions hold"
        if self._options.mode is Mode.LIBRARY:
            return replace(base, status=Status.LATENT, why=f"{found.root} needs that {text}")
        why = f"{found.root} would need that {text}"
        return replace(base, status=Status.OPEN, stage="", why=why)

    # Runs.

    def search(self, share: float = 0.9) -> tuple[Finding, ...]:
        from precis.engine.search import search

        self._budget.on_event(Event("search", self._name))
        settings = Settings(self._options.properties, self._options.malloc)
        found = search(self._program, settings, self._budget.share(share))
        for finding in found.findings:
            self._violated(finding)
        left = sum(r.status not in (Status.PROVED, Status.VIOLATED) for r in self._results.values())
        stage = Stage("search", len(found.findings), left, f"{found.runs} runs", found.exhausted)
        self._stages.append(stage)
        return found.findings

    def manifest(self) -> tuple[Finding, ...]:
        """Library mode: obligations that every call of a visible procedure breaks."""
        found: dict[ObligationId, Finding] = {}
        for done in self._done:
            supposed = self._places.after(map(_before, done.analysed.supposed.values()))
            for origin, doubt in sorted(done.analysed.doubts.items()):
                check = self._places.checks[origin][1]
                about = property_of(check.obligation)
                if not doubt.root or about not in self._options.properties or origin in found:
                    continue
                if origin in supposed:
                    continue
                if self._results[origin].status is Status.PROVED:
                    continue
                message = f"every call of {doubt.root} gets here: {doubt.why}"
                if doubt.certain:
                    message = f"in every call of {doubt.root} that gets here: {doubt.why}"
                found[origin] = Finding(
                    rule_of(check.obligation), about, Kind.MANIFEST, doubt.root, doubt.at,
                    check.at, message, done.name, trace=doubt.trace,
                )  # fmt: skip
        return tuple(found[origin] for origin in sorted(found))

    def _violated(self, finding: Finding) -> None:
        for origin, result in self._results.items():
            check = self._places.checks[origin][1]
            if check.at == finding.inner and result.property == finding.property:
                self._results[origin] = replace(
                    result, status=Status.VIOLATED, stage="search", why=finding.message
                )
                return

    # The verdict.

    def result(self, findings: tuple[Finding, ...]) -> Result:
        verdict, rule, reason = self._verdict(findings)
        all_done = [done.analysed for done in self._done]
        return Result(
            self._name, verdict, rule, reason, tuple(sorted(self._options.properties)),
            self._options.mode is Mode.LIBRARY, findings,
            tuple(self._ordered()), self._preconditions(),
            tuple(one for analysed in all_done for one in analysed.procedures),
            tuple(self._stages),
            tuple(sorted({one for analysed in all_done for one in analysed.assumptions})),
            any(analysed.wrong for analysed in all_done),
        )  # fmt: skip

    def _ordered(self) -> list[ObligationResult]:
        return sorted(
            (*self._results.values(), *self._suppositions()),
            key=lambda r: (r.library, r.at.file, r.at.line, r.at.column, r.procedure, r.number),
        )

    def _preconditions(self) -> tuple[Precondition, ...]:
        if self._options.mode is not Mode.LIBRARY:
            return ()
        found: dict[Latent, Precondition] = {}
        latent = [
            (origin, needs)
            for done in self._done
            for origin, needs in sorted(done.analysed.latent.items())
            if done.name in self._used() or self._results[origin].status is Status.LATENT
        ]
        for origin, needs in latent:
            check = self._places.checks[origin][1]
            for need in (need for need in needs if need.text):
                rule = rule_of(check.obligation)
                found.setdefault(need, Precondition(need.root, check.at, rule, need.text))
        for done in self._done:
            for name, text in done.analysed.granted if self._counts(done) else ():
                at = self._program.procedures[name].at
                found.setdefault(Latent(name, text), Precondition(name, at, "overlap", text))
        return tuple(found[key] for key in sorted(found, key=lambda k: (k.root, k.number)))

    def _counts(self, done: _Done) -> bool:
        """Does what is proved, or what is asked of callers, come from an analysis?"""
        latent = (self._results[origin].status is Status.LATENT for origin in done.analysed.latent)
        return done.name in self._used() or any(latent)

    def _used(self) -> set[str]:
        """The analyses that some proof rests on: it holds if their preconditions do."""
        return {result.stage for result in self._results.values()}

    def _verdict(self, findings: tuple[Finding, ...]) -> tuple[Verdict, str, str]:
        if findings and self._options.mode is Mode.LIBRARY:
            one = findings[0]
            return Verdict.UNKNOWN, "", f"{one.rule} at {one.at.file}:{one.at.line}"
        if findings:
            return Verdict.UNSAFE, findings[0].rule, ""
        unsure = self._unsure()
        if unsure:
            return Verdict.UNKNOWN, "", unsure
        rows = [r for r in self._ordered() if r.status is Status.OPEN]
        if rows:
            rows.sort(key=lambda r: r.is_beyond())
            first = rows[0]
            beyond = sum(row.is_beyond() for row in rows[1:])
            more = f"; {len(rows) - 1 - beyond} more" if len(rows) - 1 > beyond else ""
            more += f"; {beyond} where nothing is known" if beyond else ""
            where = f"{first.at.file}:{first.at.line}"
            return Verdict.UNKNOWN, "", f"{first.what} at {where}: {first.why}{more}"
        if all(done.analysed.lost for done in self._done):
            lost = self._done[-1].analysed.lost[0]
            return Verdict.UNKNOWN, "", f"{BEYOND}{lost.at}: {lost.reason}"
        return Verdict.SAFE, "", ""

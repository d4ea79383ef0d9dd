"""The domain `heap`: one summary for each procedure, right for every caller.

Implements `Domain`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any, Final, TypeAlias, TypeVar, final

from precis.domains.heap import order
from precis.domains.heap.calls import returned
from precis.domains.heap.classes import missing, set_sequence
from precis.domains.heap.codec import decoded, encoded, mentioned
from precis.domains.heap.externals import Externals
from precis.domains.heap.formats import formats_are_plain
from precis.domains.heap.frame import MOST_COARSER, Alias, Calls, Classes, Frame, Pair, Relation
from precis.domains.heap.guards import ALWAYS, FALSE, NEVER, PERHAPS, Bracket, TooLarge
from precis.domains.heap.idle import dropping
from precis.domains.heap.inline import Inlined, Inliner, left, unknown_after
from precis.domains.heap.instance import Site, entered
from precis.domains.heap.judge import Condition, Judge, merged
from precis.domains.heap.library import Library
from precis.domains.heap.lost import Lost
from precis.domains.heap.measures import measured
from precis.domains.heap.names import (
    ANYTHING,
    Kind,
    name,
)
from precis.domains.heap.packed import packed
from precis.domains.heap.reached import OUTSIDE, Reached
from precis.domains.heap.returning import returning
from precis.domains.heap.sets import SOME_SET
from precis.domains.heap.shown import described, drawn, granted, preconditions
from precis.domains.heap.split import Inputs
from precis.domains.heap.state import State
from precis.domains.heap.terms import Terms
from precis.domains.heap.transfer import Transfer
from precis.domains.heap.trim import collected, exported, is_large, simplified, trimmed
from precis.domains.heap.widening import widen
from precis.domains.heap.without_bytes import exit_without_bytes, need_without_bytes
from precis.domains.picture import Picture
from precis.domains.protocol import (
    CALLERS,
    EXTERNAL,
    FORMATS,
    CallSite,
    Context,
    Exit,
    GiveUp,
    Judgement,
    Mentions,
    Need,
    ObligationId,
    Outcome,
    Piece,
    Redo,
    Side,
    Standing,
    Summary,
    Unfollowed,
)
from precis.domains.streams import has_media
from precis.domains.values.world import compared, tested
from precis.ir.callgraph import call_graph
from precis.ir.instr import Call, End, Step
from precis.ir.obligation import Obligation
from precis.ir.procedure import Procedure
from precis.ir.program import Program
from precis.ir.signature import fits
from precis.ir.types import VOID_POINTER, Float, Pointer

MOST_TO_TELL: Final = 60_000  # nodes that it may take to tell a summary in words
MOST_STOPS: Final = 16  # numbers where widening stops; with more, cases of switches are left out


# The ends of the types that numbers mostly have.
_ENDS: Final = frozenset({-(1 << 62), -(1 << 31), 255, (1 << 31) - 1, (1 << 32) - 1, 1 << 62})
_STREAMS: Final = ("errno", "stdin", "stdout", "stderr")  # that known functions may touch
Entry: TypeAlias = Relation | Inlined | None


@final
class Heap:
    """States and answers are `State`; entries are relations, or None for the first one."""

    version = 10

    def __init__(
        self, program: Program, may_fail: bool,
        alias: Alias = Alias.ALL, calls: Calls = Calls.STRONG,
        properties: frozenset[str] = frozenset(), assumed: frozenset[int] = frozenset(),
        classes: Classes = Classes.ORDER, library: bool = False,
    ) -> None:  # fmt: skip
        self.name = "heap inlined" if calls is Calls.INLINE else "heap"
        self._inputs = Inputs()
        self.packs = calls is not Calls.INLINE  # where bodies are inlined they share all they know
        self._program = program
        self._bounds: dict[str, tuple[int, ...]] = {}  # where widening stops, by procedure
        self._counts_left = "cleanup" in properties
        self._assumed = assumed
        self._alias = alias
        self._calls = calls
        self._classes = classes
        self._may_fail = may_fail
        self._properties = properties
        # Of a program, the bodies of calls are looked at later; of a library, this is all.
        self.supposes = self._is_library = library
        graph = call_graph(program)
        self._taken = graph.address_taken
        self._recursive = frozenset(
            name for part in graph.components if graph.is_recursive(part) for name in part
        )
        self._terms = Terms()
        self._dropping: dict[str, Callable[[int, State], State]] = {}
        self._media = has_media(program)
        self._transfer = Transfer(self._terms, may_fail, self._media)
        outside = EXTERNAL in assumed
        self._reached = Reached(program, self._terms, graph.address_taken, outside)
        self._externals = Externals(self._terms, self._transfer)
        self._library = Library(program, self._terms, self._transfer, properties, library)
        self.used: dict[int, None] = {CALLERS: None} if library and "leaks" in properties else {}
        if calls is not Calls.INLINE:
            if formats_are_plain(program, graph):
                self._library.leave_formatter()
            elif FORMATS in assumed:
                self._library.leave_formatter()
                self.used[FORMATS] = None
        # Callers of a library hold their own blocks while it runs (CALLERS).
        go_on = frozenset(program.procedures) if library else returning(program, graph)
        self._returning = go_on
        self._lost = Lost(program, self._terms, self._transfer, go_on)
        self._judge = Judge(self._terms, graph.address_taken, self._lost, outside)
        self._frames: dict[str, dict[Relation, Frame]] = {}
        self._inliner = Inliner(self._lost.held_at)

    # Order.

    def leq(self, small: State, big: State) -> bool:
        with _limits():
            return order.leq(small, big)

    def join(self, left: State, right: State) -> State:
        with _limits():
            return trimmed(order.join(left, right))

    def widen(self, previous: State, current: State) -> State:
        with _limits():
            return widen(previous, current, self._thresholds(current.frame.procedure))

    def _thresholds(self, procedure: Procedure) -> tuple[int, ...]:
        """By summaries, only what the procedure itself compares with: each step costs a turn."""
        inlined = self._calls is Calls.INLINE
        key = "" if inlined else procedure.name
        found = self._bounds.get(key)
        if found is None:
            some = self._program.procedures.values() if inlined else (procedure,)
            stops = compared(some)
            if not inlined and len(stops) > MOST_STOPS:
                stops = tested(some)
            found = self._bounds[key] = tuple(sorted(stops | _ENDS))
        return found

    def narrow(self, wide: State, tight: State) -> State:
        return wide

    def key(self, state: State) -> Hashable:
        return order.key(state)

    def merge_key(self, state: State) -> Hashable:
        return tuple((turn.head, turn.number) for turn in state.turns)

    def may_repeat(self, state: State) -> bool:
        return not state.turns or state.turns[-1].number is None

    def widen_entry(self, old: Entry, new: Entry) -> Entry:
        return new

    # Steps.

    def root_entry(self, procedure: Procedure) -> Relation:
        return Relation(is_root=True)

    def unknown_entry(self, procedure: Procedure) -> None:
        return None

    def frame(self, procedure: Procedure, entry: Relation | None) -> Frame:
        relation = entry or Relation()
        known = self._frames.setdefault(procedure.name, {})
        found = known.get(relation)
        if found is None:
            for old in [old for old in known if old.is_root == relation.is_root]:
                del known[old]  # it is done with another one now
            recursive = procedure.name in self._recursive
            found = Frame(
                self._program, procedure, relation, self._alias, self._calls, recursive=recursive
            )
            if self._calls is Calls.INLINE:
                self._begin(found)
                known.clear()
            known[relation] = found
        return found

    def _begin(self, root: Frame) -> None:
        """Bodies are inlined into another root: frames of calls belong to one."""
        self._inliner = Inliner(self._lost.held_at)
        self._inputs.watch(root)

    def cases(self, procedure: Procedure, entry: Entry) -> tuple[Entry, ...]:
        assert isinstance(entry, Relation)
        found = self._inputs.cases(entry.inputs)
        return tuple(replace(entry, inputs=(*entry.inputs, case)) for case in found)

    def start(self, procedure: Procedure, entry: Entry) -> tuple[State, Frame]:
        if isinstance(entry, Inlined):
            entry.state.frame.theory.guards.rest()
            return entry.state, entry.state.frame
        frame = self.frame(procedure, entry)
        frame.begin()
        variables: list[Any] = [None] * len(procedure.variables)
        for number, index in enumerate(procedure.parameters):
            type_ = procedure.variables[index].type
            if isinstance(type_, Float):
                variables[index] = SOME_SET
                continue
            view = VOID_POINTER if isinstance(type_, Pointer) else type_
            variables[index] = frame.unknown(name(Kind.ARGUMENT, number, view))
        return State(frame, ALWAYS, tuple(variables)), frame

    def prepare(
        self, procedure: Procedure, step: Step, at: CallSite
    ) -> Callable[[State, Frame], tuple[State, ...]]:
        return _bounded(self._transfer.effect(procedure, step, at))

    def prepare_end(
        self, procedure: Procedure, end: End, block: int
    ) -> Callable[[State, Frame], tuple[tuple[int, State], ...]]:
        leave = self._transfer.end(procedure, end, block)
        dropped = self._dropping.get(procedure.name)
        if dropped is None:
            holding = not self._properties.isdisjoint(("leaks", "cleanup"))
            dropped = self._dropping[procedure.name] = dropping(procedure, holding)

        def leaves(state: State) -> tuple[tuple[int, State], ...]:
            found = leave(simplified(state) if is_large(state) else state)
            return tuple((to, dropped(to, after)) for to, after in found)

        return _bounded(leaves)

    def judge(
        self, state: State, obligation: Obligation, following: Step | End, origin: ObligationId,
        log: Frame,
    ) -> Judgement[State, Condition]:  # fmt: skip
        with _limits():
            found = self._judge.judge(state, obligation, following, origin)
            if any(map(is_large, found.passed)):
                return replace(found, passed=tuple(map(simplified, found.passed)))
            return found

    def passing(
        self, state: State, obligation: Obligation, following: Step | End, origin: ObligationId,
        log: Frame,
    ) -> tuple[State, ...]:  # fmt: skip
        with _limits():
            found = self._judge.passing(state, obligation, following)
            return tuple(simplified(after) if is_large(after) else after for after in found)

    # Calls.

    def targets(self, state: State, call: Call) -> tuple[str, ...] | None:
        with _limits():
            return self._reached.targets(state, call)

    def enter(
        self, state: State, call: Call, callee: Procedure, site: CallSite, log: Frame
    ) -> tuple[tuple[Inlined | None, Site], ...]:
        with _limits():
            if call.function.op != "function":
                narrowed = self._reached.where(state, call, callee.name)
                if narrowed is None:
                    return ()
                state = narrowed
            if not fits(callee, call):
                raise GiveUp(f"{callee.name} is called with arguments of the wrong kind")
            called = entered(self._terms, state, call, callee, site)
            if self._calls is Calls.INLINE:
                return (self._inliner.entered(called, site),)
        return ((None, called),)

    def resume(
        self, frame: Site, binding: tuple[()], outcome: Outcome[State], log: Frame
    ) -> tuple[State, ...]:
        with _limits():
            if outcome.answer.frame.inlined:
                if outcome.exit is Exit.HALT:
                    return (replace(outcome.answer, frame=frame.state.frame, turns=()),)
                return (trimmed(left(frame, outcome.answer)),)
            after = returned(frame, outcome.answer)
            if after is None:
                return ()
            after = trimmed(after)
        return (after if outcome.exit is Exit.RETURN else replace(after, variables=(None,)),)

    def anything(self, frame: Site, log: Frame) -> list[tuple[Exit, tuple[State, ...]]]:
        with _limits():
            after = self._transfer.any_result(frame.state, frame.call, frame.at).made_wild(ALWAYS)
            after = after.with_reach(Bracket(after.reach.may, FALSE))  # it need not return
        halted = replace(after, variables=(None,))
        return [(Exit.RETURN, (after,)), (Exit.HALT, (halted,))]

    def returned(
        self, state: State, call: Call, states: Sequence[State], origin: ObligationId
    ) -> Sequence[Judgement[State, Condition]]:
        found = []
        for after in states:
            with _limits():
                by_summary = self._calls is not Calls.INLINE
                kept = self._lost.returned(state, call, after, origin, by_summary)
                found.append(self._judge.returned(after, kept, origin))
        return [judged for judged in found if judged.standing is not Standing.MET]

    def lift(
        self, frame: Site, binding: tuple[()], need: Need[Condition], site: CallSite
    ) -> Judgement[State, Condition]:
        with _limits():
            return self._judge.lifted(frame, need, site)

    def external(
        self, state: State, call: Call, name: str, site: CallSite, log: Frame
    ) -> tuple[State, ...] | Unfollowed[State] | None:
        with _limits():
            known = None if name == OUTSIDE else self._library.call(state, call, name, site)
        if known is not None or name in self._program.procedures:
            return known
        if EXTERNAL not in self._assumed:
            raise GiveUp(
                f"the function {name} has no body and no model "
                f"(--assume {EXTERNAL}: it changes no memory)"
            )
        self.used[EXTERNAL] = log.assumptions[EXTERNAL] = None
        with _limits():
            called = self._reached.where(state, call, name) if name == OUTSIDE else state
            if called is None:
                return ()
            after = self._externals.after(called, call, site)
            return (after.with_reach(Bracket(after.reach.may, FALSE)),)  # it need not return

    # Summaries.

    def finish(
        self, procedure: Procedure, entry: Entry,
        exits: Sequence[tuple[Exit, State]], needs: Sequence[Need[Condition]], log: Frame,
    ) -> Summary[Condition, State] | Redo[Entry]:  # fmt: skip
        if log.inlined:
            with _limits():
                outcomes = self._outcomes(exits)
            if log.theory.guards.exhausted:
                raise GiveUp("the conditions of this procedure are too large")
            return _summary(procedure, outcomes, needs)
        wanted = self._missing(log)
        if wanted:
            grown = log.relation.grown(wanted)
            if grown != log.relation:
                return Redo(grown, "pointers that may be the same are not settled")
        if not log.theory.guards.exhausted:
            if log.is_unsettled():
                return Redo(log.relation, "the conditions of loops are not settled")
            try:
                return self._whole(procedure, exits, needs, log)
            except TooLarge:
                pass
        # What is known of inlined bodies is in the words of this very frame.
        if self._calls is Calls.INLINE or log.relation.coarser >= MOST_COARSER:
            raise GiveUp("the conditions of this procedure are too large")
        coarser = replace(log.relation, coarser=log.relation.coarser + 1)
        return Redo(coarser, "its conditions are too large")

    def _whole(
        self, procedure: Procedure,
        exits: Sequence[tuple[Exit, State]], needs: Sequence[Need[Condition]], log: Frame,
    ) -> Summary[Condition, State]:  # fmt: skip
        """The summary of a procedure whose pairs and loops are settled."""
        outcomes = self._outcomes(exits)
        set_sequence(log)
        if not outcomes and (log.overlaps or log.compared):
            # Callers have to be asked, though it never ends.
            outcomes.append(Outcome(Exit.RETURN, State(log, NEVER, (None,))))
        asked = merged(needs)
        if procedure.library:
            asked = tuple(need_without_bytes(need) for need in asked)
            outcomes = [Outcome(o.exit, exit_without_bytes(o.answer)) for o in outcomes]
        if log.theory.guards.exhausted:
            raise TooLarge
        found = _summary(procedure, outcomes, asked)
        is_asked = log.overlaps or log.compared
        return replace(found, granted=granted(log)) if is_asked else found

    def _missing(self, log: Frame) -> tuple[Pair, ...]:
        """The pairs that are to be related; none if the guards are too large, which is looked at
        next."""
        try:
            return missing(log, self._classes)
        except TooLarge:
            return ()

    def coarser(self, procedure: Procedure, entry: Entry) -> Entry:
        if isinstance(entry, Inlined) or self._calls is Calls.INLINE:
            return None
        relation = entry or Relation()
        if relation.coarser >= MOST_COARSER:
            return None
        self._frames.pop(procedure.name, None)
        return replace(relation, coarser=MOST_COARSER)

    def packed(self, summary: Summary[Condition, State]) -> Summary[Condition, State]:
        frames = self._frames.pop(summary.piece.procedure, {})
        used = frozenset(number for frame in frames.values() for number in frame.assumptions)
        return packed(replace(summary, assumptions=used))

    def nothing_known(self, procedure: Procedure, entry: Entry, log: Frame) -> Summary[Any, State]:
        after = unknown_after(entry) if isinstance(entry, Inlined) else _unknown(log)
        outcomes = [Outcome(exit_, after) for exit_ in (Exit.RETURN, Exit.HALT)]
        return _summary(procedure, outcomes, ())

    def unknown_exits(self, state: State) -> list[tuple[Exit, State]]:
        after = replace(_unknown(state.frame), reach=Bracket(state.reach.may, FALSE))
        return [(exit_, after) for exit_ in (Exit.RETURN, Exit.HALT)]

    def _outcomes(self, exits: Sequence[tuple[Exit, State]]) -> list[Outcome[State]]:
        outcomes = []
        for kind in (Exit.RETURN, Exit.HALT):
            states = [state for exit_, state in exits if exit_ is kind]
            if kind is Exit.HALT:
                states = [replace(state, variables=(None,)) for state in states]
            if states:
                joined = states[0]
                for state in states[1:]:
                    joined = trimmed(order.join(joined, state))
                if not joined.frame.inlined:
                    joined = exported(collected(joined, self._counts_left))
                outcomes.append(Outcome(kind, joined))
        return outcomes

    def join_answers(
        self, older: Sequence[Outcome[State]], newer: Sequence[Outcome[State]]
    ) -> tuple[Outcome[State], ...]:
        try:
            return self._joined_answers(older, newer)
        except TooLarge:
            exits = dict.fromkeys(outcome.exit for outcome in (*older, *newer))
            frame = newer[0].answer.frame
            return tuple(Outcome(exit_, _unknown(frame)) for exit_ in exits)

    def _joined_answers(
        self, older: Sequence[Outcome[State]], newer: Sequence[Outcome[State]]
    ) -> tuple[Outcome[State], ...]:
        known = {outcome.exit: outcome for outcome in older}
        grew = False
        for outcome in newer:
            old = known.get(outcome.exit)
            if old is None or old.answer.frame is not outcome.answer.frame:
                known[outcome.exit] = outcome
                grew = True
            elif not order.leq(outcome.answer, old.answer):
                joined = order.join(old.answer, outcome.answer)
                set_sequence(joined.frame)
                known[outcome.exit] = Outcome(outcome.exit, joined)
                grew = True
        if not grew and isinstance(older, tuple):
            return older
        return tuple(known[exit_] for exit_ in Exit if exit_ in known)

    def join_needs(
        self, older: Sequence[Need[Condition]], newer: Sequence[Need[Condition]]
    ) -> tuple[Need[Condition], ...]:
        with _limits():
            joined = merged((*older, *newer))
        return older if isinstance(older, tuple) and joined == older else joined

    def bucket(self, procedure: Procedure, entry: Entry) -> Hashable:
        if isinstance(entry, Inlined):
            return entry.state.frame.owner
        return entry is not None and entry.is_root

    def match(self, coverage: Any, entry: Entry) -> tuple[()] | None:
        return ()

    def encode(self, summary: Summary[Condition, State]) -> Any:
        return encoded(summary)

    def decode(self, data: Any) -> Summary[Condition, State]:
        return decoded(self._program, data)

    def context(self, procedure: Procedure) -> Context:
        calls = [s for block in procedure.blocks for s in block.steps if isinstance(s, Call)]
        named = {str(call.function.data) for call in calls if call.function.op == "function"}
        anywhere = any(call.function.op != "function" for call in calls)
        options = [
            self._may_fail, self._alias.value, self._calls.value, self._classes.value,
            sorted(self._properties), sorted(self._assumed), self._is_library, self._media,
        ]  # fmt: skip
        known = [[name, name in self._program.procedures] for name in sorted(named)]
        own = [procedure.name in self._recursive, procedure.name in self._returning]
        if not anywhere and not self._library.speaks_of(named):
            return Context([options, known, own])
        # What is called may be anything, or something that is known without its body.
        taken = self._taken if anywhere else ()
        library = self._library.context()
        return Context([options, known, own, taken, library], _STREAMS, taken)

    def mentions(self, data: Any) -> Mentions:
        return mentioned(data)

    def describe(self, summary: Summary[Condition, State]) -> Sequence[str]:
        if self._calls is Calls.INLINE:
            return ()  # there are no summaries
        try:
            with _aside(summary):
                return described(self._program, summary)
        except TooLarge:
            return ("too large to be shown",)

    def preconditions(self, summary: Summary[Condition, State]) -> dict[Need[Condition], str]:
        try:
            with _aside(summary):
                return preconditions(self._program, summary)
        except TooLarge:
            return dict.fromkeys(summary.needs, "its entry is one that is too long to be told")

    def measures(self, summary: Summary[Condition, State]) -> dict[str, Any]:
        return measured(summary)

    def draw(self, summary: Summary[Condition, State]) -> Sequence[Picture]:
        try:
            with _aside(summary):
                return drawn(self._program, summary)
        except TooLarge:
            return ()


Result = TypeVar("Result")


def _bounded(effect: Callable[[State], Result]) -> Callable[[State, Frame], Result]:
    """An effect that gives up where the guards become too large."""

    def bounded(state: State, log: Frame) -> Result:
        with _limits():
            return effect(state)

    return bounded


@contextmanager
def _limits() -> Iterator[None]:
    try:
        yield
    except TooLarge:
        raise GiveUp("the conditions of this procedure are too large") from None


@contextmanager
def _aside(summary: Summary[Condition, State]) -> Iterator[None]:
    """What is told of a summary takes room only while it is told."""
    frames = [outcome.answer.frame for outcome in summary.outcomes]
    frames += [need.safe_if.frame for need in summary.needs]
    with ExitStack() as stack:
        for theory in dict.fromkeys(frame.theory for frame in frames):
            stack.enter_context(theory.aside())
            stack.enter_context(theory.guards.granted(MOST_TO_TELL))
        yield


def _summary(
    procedure: Procedure, outcomes: Sequence[Outcome[State]], needs: Sequence[Need[Condition]]
) -> Summary[Any, State]:
    return Summary(Piece(procedure.name), Side.OVER, None, tuple(outcomes), tuple(needs))


def _unknown(frame: Frame) -> State:
    """A state that says nothing."""
    return State(frame, PERHAPS, ({ANYTHING: ALWAYS},), wild=PERHAPS, loose=PERHAPS)

"""The domain `heap`: one summary for each procedure, right for every caller.

Implements `Domain`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final, TypeAlias, TypeVar, final

from precis.domains.heap import order
from precis.domains.heap.calls import Left
from precis.domains.heap.classes import missing, sequence
from precis.domains.heap.frame import Alias, Calls, Frame, Relation
from precis.domains.heap.guards import ALWAYS, NEVER, PERHAPS, TooLarge
from precis.domains.heap.inline import Inlined, Inliner, left, unknown_after
from precis.domains.heap.instance import Site, entered
from precis.domains.heap.judge import Condition, Judge
from precis.domains.heap.library import Library
from precis.domains.heap.lost import Lost
from precis.domains.heap.names import (
    ANYTHING,
    TOP,
    UNDEFINED,
    Kind,
    is_region,
    name,
    pointer,
)
from precis.domains.heap.pointers import same_place
from precis.domains.heap.returning import returning
from precis.domains.heap.sets import SOME_SET, holds
from precis.domains.heap.shown import described, drawn, encoded
from precis.domains.heap.state import State
from precis.domains.heap.terms import Terms
from precis.domains.heap.transfer import Transfer
from precis.domains.heap.trim import MOST_ASKED, collected, exported, simplified, trimmed
from precis.domains.picture import Picture
from precis.domains.protocol import (
    CallSite,
    Exit,
    GiveUp,
    Judgement,
    Need,
    ObligationId,
    Outcome,
    Piece,
    Redo,
    Side,
    Standing,
    Summary,
)
from precis.ir.callgraph import call_graph
from precis.ir.instr import Call, End, Step
from precis.ir.obligation import Obligation
from precis.ir.procedure import Procedure
from precis.ir.program import Program
from precis.ir.signature import fits
from precis.ir.types import VOID_POINTER, Float, Pointer

MOST_PAIRS: Final = 60  # of names that may be the same
MOST_CANDIDATES: Final = 8  # procedures that an unknown pointer may lead to


Entry: TypeAlias = Relation | Inlined | None


@final
class Heap:
    """States and answers are `State`; entries are relations, or None for the first one."""

    version = 1

    def __init__(
        self, program: Program, may_fail: bool, thresholds: tuple[int, ...] = (),
        alias: Alias = Alias.ALL, calls: Calls = Calls.STRONG,
        properties: frozenset[str] = frozenset(),
    ) -> None:  # fmt: skip
        self.name = "heap inlined" if calls is Calls.INLINE else "heap"
        self._program = program
        self._thresholds = thresholds
        self._counts_left = "cleanup" in properties
        self._alias = alias
        self._calls = calls
        graph = call_graph(program)
        self._taken = graph.address_taken
        self._recursive = frozenset(
            name for part in graph.components if graph.is_recursive(part) for name in part
        )
        self._terms = Terms()
        self._library = Library(program, self._terms, properties)
        self._transfer = Transfer(self._terms, may_fail)
        self._lost = Lost(program, self._terms, self._transfer, returning(program, graph))
        self._judge = Judge(self._terms, graph.address_taken, self._lost)
        self._frames: dict[tuple[str, Relation], Frame] = {}
        self._inliner = Inliner(self._lost.held_at)
        self.used: dict[int, None] = {}

    # Order.

    def leq(self, small: State, big: State) -> bool:
        with _limits():
            return order.leq(small, big)

    def join(self, left: State, right: State) -> State:
        with _limits():
            return trimmed(order.join(left, right))

    def widen(self, previous: State, current: State) -> State:
        with _limits():
            return order.widen(previous, current, self._thresholds)

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
        key = (procedure.name, entry or Relation())
        found = self._frames.get(key)
        if found is None:
            recursive = procedure.name in self._recursive
            found = Frame(
                self._program, procedure, key[1], self._alias, self._calls, recursive=recursive
            )
            self._frames[key] = found
        return found

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

        def leaves(state: State) -> tuple[tuple[int, State], ...]:
            asked = state.frame.theory.guards.support(state.reach.may)
            is_large = state.frame.calls is Calls.INLINE and len(asked) > MOST_ASKED
            return leave(simplified(state) if is_large else state)

        return _bounded(leaves)

    def judge(
        self, state: State, obligation: Obligation, following: Step | End, origin: ObligationId,
        log: Frame,
    ) -> Judgement[State, Condition]:  # fmt: skip
        with _limits():
            return self._judge.judge(state, obligation, following, origin)

    # Calls.

    def targets(self, state: State, call: Call) -> tuple[str, ...] | None:
        if call.function.op == "function":
            return (str(call.function.data),)
        with _limits():
            values = self._terms.values(state, call.function)
        found: dict[str, None] = {}
        for value in values:
            if value.base is None or value.base is UNDEFINED:
                continue  # the check before the call speaks of it
            if value.base.kind is Kind.CODE and value.is_constant:
                found[str(value.base.parts[0])] = None
            elif value.base is not TOP and is_region(value.base) and value == pointer(value.base):
                found.update(dict.fromkeys(self._candidates(call)))
            else:
                return None
        return tuple(found) if len(found) <= MOST_CANDIDATES else None

    def _candidates(self, call: Call) -> list[str]:
        """The procedures that an unknown pointer can lead to, if it is one that may be called."""
        procedures = self._program.procedures
        return [n for n in self._taken if n not in procedures or fits(procedures[n], call)]

    def enter(
        self, state: State, call: Call, callee: Procedure, site: CallSite, log: Frame
    ) -> tuple[tuple[Inlined | None, Site], ...]:
        with _limits():
            if call.function.op != "function":
                narrowed = self._where_called(state, call, callee)
                if narrowed is None:
                    return ()
                state = narrowed
            if not fits(callee, call):
                raise GiveUp(f"{callee.name} is called with arguments of the wrong kind")
            called = entered(self._terms, state, call, callee, site)
            if self._calls is Calls.INLINE:
                return (self._inliner.entered(called, site),)
        return ((None, called),)

    def _where_called(self, state: State, call: Call, callee: Procedure) -> State | None:
        """The state where a pointer leads to this procedure."""
        code = pointer(name(Kind.CODE, callee.name))
        values = self._terms.values(state, call.function)
        guards = state.frame.theory.guards
        return state.narrowed(holds(guards, values, lambda v: same_place(state, v, code)))

    def resume(
        self, frame: Site, binding: tuple[()], outcome: Outcome[State], log: Frame
    ) -> tuple[State, ...]:
        with _limits():
            if outcome.answer.frame.inlined:
                if outcome.exit is Exit.HALT:
                    return (replace(outcome.answer, frame=frame.state.frame, turns=()),)
                return (trimmed(left(frame, outcome.answer)),)
            after = Left(frame, outcome.answer).after()
            if after is None:
                return ()
            after = trimmed(after)
        return (after if outcome.exit is Exit.RETURN else replace(after, variables=(None,)),)

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
    ) -> tuple[State, ...] | None:
        with _limits():
            known = self._library.call(state, call, name, site)
        if known is not None or name in self._program.procedures:
            return known
        raise GiveUp(f"the function {name} has no body and no model")

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
        wanted = missing(log)
        if wanted:
            grown = log.relation.grown(wanted)
            if len(grown.pairs) > MOST_PAIRS:
                raise GiveUp("what this procedure is given may be the same in too many ways")
            if grown != log.relation:
                return Redo(grown, "pointers that may be the same are not settled")
        if log.is_unsettled():
            return Redo(log.relation, "the conditions of loops are not settled")
        log.sequence = sequence(log)
        with _limits():
            outcomes = self._outcomes(exits)
        if (
            log.overlaps or log.compared
        ) and not outcomes:  # callers have to be asked, though it never ends
            outcomes.append(Outcome(Exit.RETURN, State(log, NEVER, (None,))))
        if log.theory.guards.exhausted:
            raise GiveUp("the conditions of this procedure are too large")
        return _summary(procedure, outcomes, needs)

    def nothing_known(self, procedure: Procedure, entry: Entry, log: Frame) -> Summary[Any, State]:
        after = unknown_after(entry) if isinstance(entry, Inlined) else _unknown(log)
        outcomes = [Outcome(exit_, after) for exit_ in (Exit.RETURN, Exit.HALT)]
        return _summary(procedure, outcomes, ())

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
                known[outcome.exit] = Outcome(outcome.exit, joined)
                grew = True
        if not grew and isinstance(older, tuple):
            return older
        return tuple(known[exit_] for exit_ in Exit if exit_ in known)

    def bucket(self, procedure: Procedure, entry: Entry) -> Hashable:
        if isinstance(entry, Inlined):
            return entry.state.frame.owner
        return entry is not None and entry.is_root

    def match(self, coverage: Any, entry: Entry) -> tuple[()] | None:
        return ()

    def encode(self, summary: Summary[Condition, State]) -> Any:
        return encoded(summary)

    def decode(self, data: Any) -> Summary[Condition, State]:
        raise ValueError("summaries of heap are not read back")

    def describe(self, summary: Summary[Condition, State]) -> Sequence[str]:
        if self._calls is Calls.INLINE:
            return ()  # there are no summaries
        try:
            return described(self._program, summary)
        except TooLarge:
            return ("too large to be shown",)

    def draw(self, summary: Summary[Condition, State]) -> Sequence[Picture]:
        try:
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


def _summary(
    procedure: Procedure, outcomes: Sequence[Outcome[State]], needs: Sequence[Need[Condition]]
) -> Summary[Any, State]:
    return Summary(Piece(procedure.name), Side.OVER, None, tuple(outcomes), tuple(needs))


def _unknown(frame: Frame) -> State:
    """A state that says nothing."""
    return State(frame, PERHAPS, ({ANYTHING: ALWAYS},), wild=PERHAPS)

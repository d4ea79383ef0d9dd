"""Which obligations can come after which places of a program.

An analysis goes on with the runs that meet an obligation. If it could not show that all do, what
it says of later obligations holds for those runs only. And beyond a place where it gave up, it
says nothing. Both reach as far as control can get from there, through calls and returns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from precis.domains.protocol import ObligationId
from precis.ir.callgraph import CallGraph
from precis.ir.instr import Call, Check, Return, Spawn, successors
from precis.ir.obligation import NotLost
from precis.ir.program import Program


class Spot(NamedTuple):
    """Before a step of a block."""

    procedure: str
    block: int
    step: int


class Places:
    """Where the checks and calls of a program stand."""

    def __init__(self, program: Program, graph: CallGraph, names: Iterable[str]) -> None:
        self._program = program
        self._graph = graph
        self.checks: dict[ObligationId, tuple[Spot, Check]] = {}
        self._calls: dict[str, list[tuple[Spot, tuple[str, ...]]]] = {}
        self._callers: dict[str, list[Spot]] = {}
        for name in names:
            if name in program.procedures:
                self._read(name)

    def _read(self, name: str) -> None:
        calls = self._calls.setdefault(name, [])
        for number, block in enumerate(self._program.procedures[name].blocks):
            for index, step in enumerate(block.steps):
                spot = Spot(name, number, index)
                if isinstance(step, Check):
                    self.checks[ObligationId(name, step.number)] = (spot, step)
                elif isinstance(step, Call | Spawn):
                    targets = self._targets(name, step)
                    calls.append((spot, targets))
                    for target in targets:
                        self._callers.setdefault(target, []).append(spot)

    def _targets(self, name: str, step: Call | Spawn) -> tuple[str, ...]:
        if step.function.op == "function":
            return (str(step.function.data),)
        return tuple(n for n in self._graph.callees[name] if n in self._graph.address_taken)

    def after(self, spots: Iterable[Spot]) -> frozenset[ObligationId]:
        """The obligations that control may get to from these spots on, themselves left out."""
        return self._from(spots, self._callers)

    def inside(self, spots: Iterable[Spot]) -> frozenset[ObligationId]:
        """As `after`, until the procedures that the spots stand in return."""
        return self._from(spots, {})

    def blamed(self, origin: ObligationId) -> tuple[ObligationId, ...]:
        """If this is the obligation of a call that no block is lost: those in the callees, where
        it would be lost."""
        spot, check = self.checks[origin]
        if not isinstance(check.obligation, NotLost):
            return ()
        steps = self._program.procedures[spot.procedure].blocks[spot.block].steps[spot.step :]
        following = next((step for step in steps if not isinstance(step, Check)), None)
        if not isinstance(following, Call):
            return ()
        inside = frozenset(self._graph.reachable(self._targets(spot.procedure, following)))
        return tuple(
            other
            for other, (_, one) in self.checks.items()
            if other.procedure in inside and isinstance(one.obligation, NotLost)
        )

    def _from(
        self, spots: Iterable[Spot], callers: Mapping[str, Sequence[Spot]]
    ) -> frozenset[ObligationId]:
        first: dict[tuple[str, int], int] = {}
        work = [Spot(s.procedure, s.block, s.step + 1) for s in spots]
        while work:
            spot = work.pop()
            known = first.get((spot.procedure, spot.block))
            if known is not None and known <= spot.step:
                continue
            first[spot.procedure, spot.block] = spot.step
            work.extend(self._following(spot, callers))
        return frozenset(
            origin
            for origin, (spot, _) in self.checks.items()
            if spot.step >= first.get((spot.procedure, spot.block), 1 << 60)
        )

    def _following(self, spot: Spot, callers: Mapping[str, Sequence[Spot]]) -> list[Spot]:
        found: list[Spot] = []
        name, number, step = spot
        block = self._program.procedures[name].blocks[number]
        for at, targets in self._calls.get(name, ()):
            if at.block == number and at.step >= step:
                found.extend(Spot(t, 0, 0) for t in targets if t in self._program.procedures)
        found.extend(Spot(name, following, 0) for following in successors(block.end))
        if isinstance(block.end, Return):
            found.extend(Spot(c.procedure, c.block, c.step + 1) for c in callers.get(name, ()))
        return found


def open_before(
    places: Places, pruning: Mapping[ObligationId, object]
) -> tuple[frozenset[ObligationId], tuple[ObligationId, ...]]:
    """The obligations that come after one of these, and these in order."""
    spots = [places.checks[origin][0] for origin in pruning if origin in places.checks]
    return places.after(spots), tuple(sorted(pruning))

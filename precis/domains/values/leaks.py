"""Is a block lost by a step?

A step may take pointers away: it overwrites a variable or memory, frees a block with pointers in
it, ends a scope or an activation. The blocks they led to are lost unless, after the step, a chain
of pointers that are sure leads to each of them from a variable, an object, a global, or from
what callers hold. Only blocks that a pointer taken away led to can be lost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from precis.domains.protocol import CallSite, GiveUp, Judgement, ObligationId, Standing
from precis.domains.values import heap
from precis.domains.values.memory import LIVE, Block
from precis.domains.values.state import NO_BLOCK, State
from precis.domains.values.terms import Terms
from precis.domains.values.transfer import Transfer
from precis.domains.values.value import UNKNOWN, UNSET, Value
from precis.domains.values.world import GIVEN, World
from precis.ir.holders import position
from precis.ir.instr import (
    Alloc,
    Assign,
    BlockKind,
    Call,
    Choose,
    Copy,
    End,
    Fill,
    Free,
    Havoc,
    Load,
    Return,
    ScopeEnd,
    Step,
    Store,
)
from precis.ir.procedure import Procedure
from precis.ir.types import Pointer, scalar_bytes
from precis.ir.values import Term

_HEAP = ("heap", "mixed")


@dataclass(frozen=True, slots=True)
class _Place:
    """A check: the step it stands before, the variables that are roots after that, and the
    temporaries that end with it."""

    procedure: Procedure
    effect: Callable[[State], tuple[State, ...]] | None
    roots: tuple[int, ...]
    dying: tuple[int, ...]


class Leaks:
    def __init__(self, world: World, terms: Terms, transfer: Transfer) -> None:
        self._world = world
        self._terms = terms
        self._transfer = transfer
        self._places: dict[ObligationId, _Place] = {}

    def judge(
        self, state: State, following: Step | End, origin: ObligationId
    ) -> Judgement[State, Any]:
        """How `NotLost` stands before a step; of a call it is judged by `returned`."""
        if isinstance(following, Call):
            return Judgement(Standing.MET, (state,))
        place = self._place(following, origin)
        if _is_dropped(following, place):
            return Judgement(Standing.OPEN, (state,), why="nothing holds the block that is made")
        taken = self._taken_away(state, following)
        moved = self._moved(state, following, place)
        taken.extend(state.value(v) for v in place.dying if v != moved)
        danger = self._endangered(state, taken)
        if not danger:
            return Judgement(Standing.MET, (state,))
        for after, extra in self._afterwards(state, following, place):
            reached = self._reached(after, place, extra)
            for name in danger:
                if self._at_risk(after, name) and (name not in reached or after.blocks[name].many):
                    label = called(self._world, name, state.blocks[name])
                    why = f"the last pointer to {label} may be lost"
                    return Judgement(Standing.OPEN, (state,), why=why)
        return Judgement(Standing.MET, (state,))

    def returned(
        self, before: State, call: Call, states: Sequence[State], origin: ObligationId
    ) -> list[Judgement[State, Any]]:
        """When a call returns it overwrites its target, temporaries have been used for the last
        time, and the result may be dropped."""
        place = self._place(call, origin)
        taken = [before.value(v) for v in place.dying if v != call.target]
        if call.target is not None:
            taken.append(before.value(call.target))
        danger = self._endangered(before, taken)
        for after in states:
            dropped: list[int] = []
            if call.target in place.dying:
                dropped = self._endangered(after, [after.value(call.target)])
            if not danger and not dropped:
                continue
            reached = self._reached(after, place, ())
            for name in (*danger, *dropped):
                gone = name not in after.blocks and after.kept
                unsure = self._at_risk(after, name) and (
                    name not in reached or after.blocks[name].many
                )
                if gone or unsure:
                    known = before.blocks.get(name) or after.blocks[name]
                    why = f"the last pointer to {called(self._world, name, known)} may be lost"
                    return [Judgement(Standing.OPEN, (after,), why=why)]
        return []

    def _endangered(self, state: State, taken: list[Value]) -> list[int]:
        """The heap blocks that these values lead to, directly or through stack memory."""
        seen: set[int] = set()
        work = heap.targets(taken)
        while work:
            name = work.pop()
            block = state.blocks.get(name)
            if block is None or name in seen or name < 0:
                continue
            seen.add(name)
            if block.kind not in _HEAP:
                work.extend(heap.targets(block.pointers()))
        return sorted(name for name in seen if self._at_risk(state, name))

    def _at_risk(self, state: State, name: int) -> bool:
        block = state.blocks.get(name)
        if block is None or block.held:
            return False
        return bool(block.live & LIVE) and block.kind in _HEAP

    def _reached(self, after: State, place: _Place, extra: tuple[Value, ...]) -> set[int]:
        """What sure chains of pointers lead to when the step is done."""
        roots = [after.value(v) for v in place.roots]
        start = [name for name in after.objects if name != NO_BLOCK]
        for name, block in after.blocks.items():
            given_stack = name >= GIVEN and block.kind == "stack"
            if name < 0 or given_stack or (block.held and block.live == LIVE):
                start.append(name)
        return heap.must_reach(self._world, after, (*roots, *extra), start)

    def _moved(self, state: State, following: Step | End, place: _Place) -> int:
        """The dying temporary, if any, whose pointer the step puts where it is held."""
        match following:
            case Assign(target=target, value=value) if target in place.roots:
                return _based_on(value)
            case Store(address=address, value=value) if _based_on(value) in place.dying:
                held = _based_on(address) in place.roots or self._is_held(state, address, place)
                return _based_on(value) if held else -1
            case _:
                return -1

    def _is_held(self, state: State, address: Term, place: _Place) -> bool:
        """Are all blocks that an address may lead into reached?"""
        reached = self._reached(state, place, ())
        for name, _ in self._terms.use(address)(state)[1]:
            if name == UNKNOWN or name not in reached:
                return False
            block = self._world.block(state, name)
            if block.many or block.live != LIVE:
                return False
        return True

    def _place(self, following: Step | End, origin: ObligationId) -> _Place:
        found = self._places.get(origin)
        if found is None:
            procedure = self._world.program.procedures[origin.procedure]
            found = self._places[origin] = self._make_place(procedure, following, origin.number)
        return found

    def _make_place(self, procedure: Procedure, following: Step | End, number: int) -> _Place:
        if isinstance(following, Return):
            return _Place(procedure, None, (), ())
        block, index = position(procedure, number)
        holders = self._world.holders(procedure)
        after = holders.after(block, index)
        dying = holders.dying(block, index, following)
        effect = None
        if isinstance(following, Assign | Load | Store | Copy | Fill | Free):
            site = CallSite(procedure.name, block, index)
            effect = self._transfer.effect(procedure, following, site)
        count = len(procedure.variables)
        roots = tuple(v for v in range(count) if after >> v & 1)
        return _Place(procedure, effect, roots, tuple(v for v in range(count) if dying >> v & 1))

    def _taken_away(self, state: State, following: Step | End) -> list[Value]:
        """The values with pointers that the step overwrites or ends."""
        match following:
            case Assign(target=target) | Load(target=target) | Choose(target=target):
                return [state.value(target)]
            case Havoc(target=target) | Alloc(target=target):
                return [state.value(target)]
            case Store(address=address, value=value):
                size = scalar_bytes(value.type, self._world.program.model)
                return self._in_places(state, address, size)
            case Copy(target=address, size=length) | Fill(address=address, size=length):
                most = self._terms.use(length)(state)[0]
                return self._in_places(state, address, 1 << 62 if most is None else most[1])
            case Free(address=address):
                names = [name for name, _ in self._terms.use(address)(state)[1]]
                return [v for n in names if n in state.blocks for v in state.blocks[n].pointers()]
            case ScopeEnd(object=index):
                name = state.objects[index]
                return state.blocks[name].pointers() if name in state.blocks else []
            case Return():
                return self._of_activation(state)
            case _:
                return []

    def _of_activation(self, state: State) -> list[Value]:
        found = [state.value(v) for v in range(len(state.parts))]
        for name, block in state.blocks.items():
            if block.kind == "stack" and 0 < name < GIVEN:
                found.extend(block.pointers())
        return found

    def _in_places(self, state: State, address: Term, size: int) -> list[Value]:
        found: list[Value] = []
        for name, offset in self._terms.use(address)(state)[1]:
            if name == UNKNOWN:
                continue
            block = self._world.block(state, name)
            low, high = offset[0], offset[1] + size
            for at, cell in block.cells.items():
                if cell[2][1] and at < high and at + cell[0] > low:
                    found.append(cell[2])
            if block.rest.value is not None and block.rest.value[1]:
                found.append(block.rest.value)
        return found

    def _afterwards(
        self, state: State, following: Step | End, place: _Place
    ) -> list[tuple[State, tuple[Value, ...]]]:
        """The states after the step; and values that are roots besides."""
        match following:
            case Alloc(target=target) | Choose(target=target) | Havoc(target=target):
                return [(self._without(state, target), ())]
            case ScopeEnd(object=index):
                name = state.objects[index]
                ended = heap.ended(state, name) if name != NO_BLOCK else state
                objects = (*ended.objects[:index], NO_BLOCK, *ended.objects[index + 1 :])
                return [(ended.with_objects(objects, ended.blocks), ())]
            case Return(value=value):
                result = UNSET if value is None else self._terms.value(value)(state)
                return [(_unwound(state), (result,))]
            case _:
                if place.effect is None:
                    return [(state, ())]
                try:
                    return [(after, ()) for after in place.effect(state)]
                except GiveUp:
                    return []

    def _without(self, state: State, variable: int) -> State:
        return self._transfer.assigned(state, variable, UNSET)


def _based_on(address: Term) -> int:
    """The variable that leads to the block of an address; -1 if there is none."""
    while address.op in ("cast", "offset") and isinstance(address.args[0].type, Pointer):
        address = address.args[0]
    return address.data if address.op == "var" and isinstance(address.data, int) else -1


def _is_dropped(following: Step | End, place: _Place) -> bool:
    """Is this a new block of the heap that nothing will look at?"""
    if not isinstance(following, Alloc) or following.kind is not BlockKind.HEAP:
        return False
    return following.target in place.dying


def _unwound(state: State) -> State:
    """The activation's own blocks are gone."""
    for name, block in list(state.blocks.items()):
        if block.kind == "stack" and 0 < name < GIVEN:
            state = heap.ended(state, name)
    return state.with_objects((), state.blocks)


def called(world: World, name: int, block: Block) -> str:
    """A block in words."""
    procedure, at, step = block.site
    if name < 0:
        return world.name_of[name]
    if block.kind == "outside":
        return "what the caller gave"
    found = world.program.procedures.get(procedure)
    if found is None:
        return f"{block.kind} memory"
    if at == -1:
        return found.objects[step].name or "a temporary"
    line = found.blocks[at].steps[step].at.line
    return f"the {block.kind} block of line {line}"

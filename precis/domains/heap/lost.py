"""Which heap blocks something still leads to.

A step may take pointers away. The blocks they led to are lost unless, after the step, a chain of
pointers that are certain leads to each of them from a variable, an object in scope, a global, or
from what callers hold. Only blocks that a pointer taken away led to can be lost.

Blocks that callers own: a procedure that certainly returns leaves it to the call to see whether
all of the caller's blocks are still reached; every other one shows it for itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, final

from precis.domains.heap import memory
from precis.domains.heap.blocks import end_of_scope
from precis.domains.heap.guards import ALWAYS, FALSE, NEVER, PERHAPS, TRUE, Bracket
from precis.domains.heap.names import TOP, Kind, Name, Value, is_region, pointer, type_of
from precis.domains.heap.names import UNDEFINED as NOWHERE
from precis.domains.heap.plain import asked
from precis.domains.heap.pointers import in_heap
from precis.domains.heap.sets import TOP_SET, Values
from precis.domains.heap.state import State
from precis.domains.heap.terms import Terms, object_name
from precis.domains.heap.transfer import Transfer
from precis.domains.protocol import CallSite, GiveUp, ObligationId
from precis.ir.holders import Holders, holders, position
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
from precis.ir.program import Program
from precis.ir.types import VOID_POINTER, Pointer, Type, scalar_bytes
from precis.ir.values import Term


@dataclass(frozen=True, slots=True)
class _Place:
    """A check: the step it stands before, the variables that hold blocks after that, and the
    temporaries that end with it."""

    effect: Callable[[State], tuple[State, ...]] | None
    roots: tuple[int, ...]
    dying: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """Are the blocks that a step takes pointers from held all the same? `each` says of every one
    where that is so. Nothing that callers could see to helps where it is `vague`."""

    condition: Bracket
    each: tuple[tuple[Name, int], ...] = ()
    vague: bool = False


_ALL: Final = Kept(ALWAYS)
_VAGUE: Final = Kept(PERHAPS, vague=True)


@final
class Lost:
    def __init__(
        self, program: Program, terms: Terms, transfer: Transfer, returning: frozenset[str]
    ) -> None:
        self._program = program
        self._terms = terms
        self._transfer = transfer
        self._returning = returning  # the procedures that certainly return
        self._holders: dict[str, Holders] = {}
        self._places: dict[ObligationId, _Place] = {}

    def kept(self, state: State, following: Step | End, origin: ObligationId) -> Kept:
        """Does the step leave every live heap block reachable? Of a call `returned` says it."""
        if isinstance(following, Call) or not self._has_blocks(state):
            return _ALL
        place = self._place(following, origin)
        if isinstance(following, Alloc) and following.target in place.dying:
            return _ALL if following.kind is not BlockKind.HEAP else Kept(NEVER)
        taken = self._taken_away(state, following)
        taken.extend(state.variables[v] for v in place.dying)
        if _is_vague(state) and _leads_anywhere(taken):
            return _VAGUE
        danger = self._endangered(state, taken)
        found = self._nothing_else(state, following)
        if not danger:
            return Kept(found)
        guards = state.frame.theory.guards
        each: list[tuple[Name, int]] = []
        for after, extra in self._afterwards(state, following, place):
            held = self._held(after, danger, place.roots, extra)
            if held.vague:
                return held
            found = guards.all_of(found, held.condition)
            each += held.each
        return Kept(Bracket(TRUE, found.must), tuple(each))

    def returned(
        self, before: State, call: Call, after: State, origin: ObligationId, by_summary: bool
    ) -> Kept:
        """When a call returns it overwrites its target, and temporaries have been used for the
        last time; what is known of the callee by a summary may have lost any block."""
        if not self._has_blocks(after):
            return _ALL
        place = self._place(call, origin)
        taken = [before.variables[v] for v in place.dying if v != call.target]
        if call.target is not None:
            taken.append(before.variables[call.target])
        if _is_vague(before) and (by_summary or _leads_anywhere(taken)):
            return _VAGUE
        if call.target is not None and call.target in place.dying:
            result = after.variables[call.target]
            if _is_vague(after) and _leads_anywhere([result]):
                return _VAGUE
            taken.append(result)
        danger = self._endangered(after, taken)
        if by_summary:
            danger = list(dict.fromkeys((*danger, *self._own(after))))
        return self._held(after, danger, place.roots, ()) if danger else _ALL

    def all_freed(self, state: State) -> Kept:
        guards = state.frame.theory.guards
        if not state.frame.is_root or _is_vague(state):
            return Kept(NEVER)
        found = ALWAYS
        each = []
        for base, block in state.blocks.items():
            if block.kind is BlockKind.HEAP:
                gone = guards.any_of(guards.opposite(block.made), state.is_dead(base))
                found = guards.all_of(found, gone)
                each.append((base, gone.must))
        return Kept(found, tuple(each))

    # What a step takes away.

    def _has_blocks(self, state: State) -> bool:
        if state.frame.is_root and not _is_vague(state):
            return any(block.kind is BlockKind.HEAP for block in state.blocks.values())
        return True

    def _taken_away(self, state: State, following: Step | End) -> list[Values | None]:
        match following:
            case (
                Assign(target=target)
                | Load(target=target)
                | Choose(target=target)
                | Havoc(target=target)
                | Alloc(target=target)
            ):
                return [state.variables[target]]
            case Store(address=address, value=value):
                return self._overwritten(state, address, value.type)
            case Copy(target=address) | Fill(address=address):
                return self._overwritten(state, address, None)
            case Free(address=address):
                return self._overwritten(state, address, None)
            case ScopeEnd(object=index):
                return list(_contents(state, object_name(state, index)))
            case Return():
                count = len(state.frame.procedure.variables)
                found = list(state.variables[:count])
                for base, block in state.blocks.items():
                    if block.kind is BlockKind.STACK and _is_own(state, base):
                        found.extend(_contents(state, base))
                return found
            case _:
                return []

    def _overwritten(self, state: State, address: Term, type_: Type | None) -> list[Values | None]:
        """What memory holds at an address; all of the block, if not just one cell is meant."""
        found: list[Values | None] = []
        size = 0 if type_ is None else scalar_bytes(type_, self._program.model)
        view = type_ if isinstance(type_, Pointer) else VOID_POINTER
        for value, b in self._terms.values(state, address).items():
            base = value.base
            if base is None:
                continue
            if base is TOP:  # it may be any memory
                found.append(TOP_SET)
                continue
            if type_ is None or not value.is_constant:
                found.extend(_contents(state, base))
                continue
            low, high = value.number[0], value.number[0] + size
            cells = state.cells.get(base, {})
            found.extend(v for (at, n), v in cells.items() if at < high and low < at + n)
            is_pointer = size == self._program.model.pointer_bytes
            if is_pointer and (low, size) not in cells:
                found.append(memory.load_cell(state, base, low, size, view, b.may))
        return found

    def _nothing_else(self, state: State, following: Step | End) -> Bracket:
        """Did what is overwritten, of memory that callers had, hold no pointers?"""
        size: int | None = None
        match following:
            case Store(address=address, value=value):
                size = scalar_bytes(value.type, self._program.model)
            case Copy(target=address) | Fill(address=address) | Free(address=address):
                pass
            case _:
                return ALWAYS
        frame = state.frame
        guards = frame.theory.guards
        if frame.is_root or frame.procedure.name in self._returning:
            return ALWAYS
        found = ALWAYS
        for value_, b in self._terms.values(state, address).items():
            base = value_.base
            if base is not None and is_region(base):
                plain = self._plain(state, base, value_, size)
                found = guards.all_of(found, guards.any_of(guards.opposite(b), plain))
        return Bracket(TRUE, found.must)

    def _plain(self, state: State, base: Name, value: Value, size: int | None) -> Bracket:
        if size is not None and value.is_constant:
            low = value.number[0]
            is_pointer = size == self._program.model.pointer_bytes
            if is_pointer or (low, size) in state.cells.get(base, {}):
                return ALWAYS  # what was there is known
            return asked(state, base, (low, low + size, ()))
        known = [
            symbol.parts[1]
            for symbol in state.frame.unknowns()
            if symbol.kind is Kind.IN and symbol.parts[0] is base
        ]
        offsets = (at for at in known if isinstance(at, int))
        return asked(state, base, (None, None, tuple(sorted(offsets))))

    def _endangered(self, state: State, taken: Iterable[Values | None]) -> list[Name]:
        """The heap blocks that these values may lead to."""
        found: dict[Name, None] = {}
        for values in taken:
            for value in values or ():
                base = value.base
                if base is TOP or (base is not None and _has_new_name(state, base)):
                    return self._own(state)
                if base is not None and self._at_risk(state, base):
                    found[base] = None
        return list(found)

    def _own(self, state: State) -> list[Name]:
        """All blocks that may be lost."""
        found = [b for b, block in state.blocks.items() if block.kind is BlockKind.HEAP]
        frame = state.frame
        if not frame.is_root and frame.procedure.name not in self._returning:
            found += [b for b in frame.unknowns() if self._at_risk(state, b)]
        return found

    def _at_risk(self, state: State, base: Name) -> bool:
        block = state.blocks.get(base)
        if block is not None:
            return block.kind is BlockKind.HEAP
        frame = state.frame
        if base.kind is not Kind.IN or not isinstance(type_of(base), Pointer):
            return False
        return not frame.is_root and frame.procedure.name not in self._returning

    # What is held.

    def _held(
        self, after: State, danger: list[Name], roots: Sequence[int], extra: Iterable[Values | None]
    ) -> Kept:
        """Is each of the blocks reached, or gone?"""
        frame = after.frame
        guards = frame.theory.guards
        if _is_vague(after):
            return _VAGUE
        count = len(frame.procedure.variables)
        held = [after.variables[v] for v in roots]
        held += [after.variables[count + v] for v in frame.held if count + v < len(after.variables)]
        reached = _reached(after, [*held, *extra])
        must, each = TRUE, []
        for base in danger:
            gone = after.is_dead(base).must
            gone = guards.either(gone, _is_nothing(after, base))
            if base not in after.blocks:
                gone = guards.either(gone, guards.negation(in_heap(after, base).may))
            here = FALSE if after.is_many(base) else reached.get(base, FALSE)
            fine = guards.either(gone, here)
            must = guards.both(must, fine)
            each.append((base, fine))
        return Kept(Bracket(TRUE, must), tuple(each))

    def _afterwards(
        self, state: State, following: Step | End, place: _Place
    ) -> list[tuple[State, tuple[Values | None, ...]]]:
        """The states after the step; and values that hold blocks besides."""
        match following:
            case Alloc(target=target) | Choose(target=target) | Havoc(target=target):
                return [(state.with_variable(target, None), ())]
            case ScopeEnd(object=index):
                return [(end_of_scope(state, index), ())]
            case Return(value=value):
                result = None if value is None else self._terms.values(state, value)
                ended = {b: ALWAYS for b in state.blocks if _is_own_stack(state, b)}
                after = replace(state, dead={**state.dead, **ended})
                return [(after, (result,))]
            case _:
                if place.effect is None:
                    return [(state, ())]
                try:
                    return [(after, ()) for after in place.effect(state)]
                except GiveUp:
                    return []

    # Places.

    def _place(self, following: Step | End, origin: ObligationId) -> _Place:
        found = self._places.get(origin)
        if found is None:
            procedure = self._program.procedures[origin.procedure]
            found = self._places[origin] = self._make_place(procedure, following, origin.number)
        return found

    def _make_place(self, procedure: Procedure, following: Step | End, number: int) -> _Place:
        if isinstance(following, Return):
            return _Place(None, (), ())
        block, index = position(procedure, number)
        known = self.holders(procedure)
        after, dying = known.after(block, index), known.dying(block, index, following)
        effect = None
        if isinstance(following, Assign | Load | Store | Copy | Fill | Free):
            site = CallSite(procedure.name, block, index)
            effect = self._transfer.effect(procedure, following, site)
        return _Place(effect, _bits(procedure, after), _bits(procedure, dying))

    def holders(self, procedure: Procedure) -> Holders:
        found = self._holders.get(procedure.name)
        if found is None:
            found = self._holders[procedure.name] = holders(procedure)
        return found

    def held_at(self, procedure: Procedure, call: Call, site: CallSite) -> tuple[int, ...]:
        """The variables that hold blocks while a call is under way."""
        known = self.holders(procedure)
        mask = known.after(site.block, site.step) | known.dying(site.block, site.step, call)
        if call.target is not None:
            mask |= known.lasting & (1 << call.target)
        return _bits(procedure, mask)


def _bits(procedure: Procedure, mask: int) -> tuple[int, ...]:
    return tuple(v for v in range(len(procedure.variables)) if mask >> v & 1)


def _is_vague(state: State) -> bool:
    """Was there a step that nobody knows? It may have made blocks that have no name here, or
    have freed what leads to others."""
    guards = state.frame.theory.guards
    return guards.possible(guards.both(state.loose.may, state.reach.may))


def _leads_anywhere(taken: Iterable[Values | None]) -> bool:
    return any(value.base is TOP for values in taken for value in values or ())


def _is_nothing(state: State, base: Name) -> int:
    """When is there no such block?"""
    frame = state.frame
    guards = frame.theory.guards
    block = state.blocks.get(base)
    if block is not None:
        return guards.negation(block.made.may)
    found = FALSE
    while base.kind in (Kind.IN, Kind.ARGUMENT):  # null, or another name is meant
        own = frame.unknown(base).get(pointer(base), NEVER)
        found = guards.either(found, guards.negation(own.may))
        base = base.parts[0] if base.kind is Kind.IN else NOWHERE
    return found


def _has_new_name(state: State, base: Name) -> bool:
    """Was a block made that is now one of the older ones of its step?"""
    return base.kind is Kind.NEW and base not in state.blocks


def _is_own(state: State, base: Name) -> bool:
    return bool(base.parts[0][0][0] == state.frame.owner)


def _is_own_stack(state: State, base: Name) -> bool:
    return state.blocks[base].kind is BlockKind.STACK and _is_own(state, base)


def _contents(state: State, base: Name) -> Iterable[Values]:
    guards = state.frame.theory.guards
    unknown = guards.both(state.unknown(base).may, state.reach.may)
    if guards.possible(unknown) and _has_room(state, base):
        yield TOP_SET  # where no cell is known, too
    yield from state.cells.get(base, {}).values()
    for spread in state.spreads.get(base, ()):
        yield spread.content()
    if is_region(base) and not state.frame.is_root:
        for symbol in state.frame.unknowns():
            if symbol.kind is Kind.IN and symbol.parts[0] is base:
                yield state.frame.unknown(symbol)


def _has_room(state: State, base: Name) -> bool:
    """May there be a pointer in the block?"""
    block, width = state.blocks.get(base), state.frame.program.model.pointer_bytes
    return block is None or not block.size.is_constant or block.size.number[0] >= width


def _reached(after: State, roots: Iterable[Values | None]) -> dict[Name, int]:
    """When certain chains of pointers lead to blocks."""
    guards = after.frame.theory.guards
    found: dict[Name, int] = {}
    work: list[Name] = []

    def add(base: Name | None, when: int) -> None:
        if base is None or when == FALSE:
            return
        known = found.get(base, FALSE)
        both = guards.either(known, when)
        if both != known:
            found[base] = both
            work.append(base)

    for values in roots:
        for value, b in (values or {}).items():
            add(value.base, b.must)
    for base in dict.fromkeys((*after.blocks, *after.cells, *after.frame.unknowns())):
        block = after.blocks.get(base)
        is_object = block is not None and block.kind is BlockKind.STACK and not block.many
        if is_object or (is_region(base) and base.kind in (Kind.GLOBAL, Kind.ARGUMENT)):
            add(base, TRUE)
    while work:
        base = work.pop()
        when = guards.without(found[base], after.is_dead(base).may)
        if after.is_many(base):
            continue
        for values in _sure_contents(after, base):
            for value, b in values.items():
                add(value.base, guards.both(when, b.must))
    return found


def _sure_contents(state: State, base: Name) -> Iterable[Values]:
    cells = state.cells.get(base, {})
    yield from cells.values()
    frame = state.frame
    width = frame.program.model.pointer_bytes
    offsets: dict[int, None] = {}
    if base.kind is Kind.GLOBAL:
        pieces = frame.program.globals[str(base.parts[0])].pieces
        offsets.update((p.offset, None) for p in pieces if isinstance(p.value, Term))
    if is_region(base):
        for symbol in frame.unknowns():
            is_there = symbol.kind is Kind.IN and symbol.parts[0] is base
            if is_there and isinstance(symbol.parts[1], int) and symbol.parts[2] == VOID_POINTER:
                offsets[symbol.parts[1]] = None
    for offset in offsets:
        if not any(at < offset + width and offset < at + size for at, size in cells):
            yield memory.load_cell(state, base, offset, width, VOID_POINTER)

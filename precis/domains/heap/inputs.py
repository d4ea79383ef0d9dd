"""Reading standard input, where nothing can go wrong: the model need not be followed.

`getchar` gives any character or the end. `scanf` with a plain format stores any numbers, the
first so many as its result says, if every place it is given may certainly be written and holds
no pointers, which would be lost. What the stream remembers may be anything afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias, final

from precis.domains.formats import stored
from precis.domains.heap import memory
from precis.domains.heap.choices import any_number
from precis.domains.heap.guards import NEVER, PERHAPS, Bracket
from precis.domains.heap.initial import initial, literal
from precis.domains.heap.names import TOP, UNDEFINED, Name, Value, constant, is_region, numbers
from precis.domains.heap.pointers import inside, is_writable
from precis.domains.heap.sets import Values, holds, only, under
from precis.domains.heap.state import State
from precis.domains.heap.terms import Terms
from precis.domains.protocol import CallSite, GiveUp
from precis.domains.streams import RECORD, SLOT, changed_by_reading
from precis.domains.values import num
from precis.ir.instr import Call, Load, operands
from precis.ir.program import Program
from precis.ir.types import I32, VOID_POINTER, Int, scalar_bytes
from precis.ir.values import subterms

READING: Final = ("getchar", "scanf", "__isoc99_scanf")
_Store: TypeAlias = tuple[Values, Int]


@dataclass(frozen=True, slots=True)
class _Stream:
    """Where standard input keeps what it remembers: offsets in a global."""

    base: Name
    fields: tuple[tuple[int, num.Num], ...]


@final
class Inputs:
    def __init__(self, program: Program, terms: Terms) -> None:
        self._program = program
        self._terms = terms
        self._stream = _stream(program)

    def stream(self) -> str:
        """What is known of standard input, as a text."""
        return repr(self._stream)

    def call(self, state: State, call: Call, name: str, at: CallSite) -> State | None:
        """The state after one of `READING`; None if that is not known here."""
        if self._stream is None:
            return None
        if name == "getchar":
            state, result = any_number(state, (*state.spot(at), "input"), (-1, 255))
        else:
            state, result = self._scanned(state, call, (*state.spot(at), "input"))
        for offset, range_ in self._stream.fields:
            place = Value(self._stream.base, (), num.const(offset))
            state = memory.store(state, only(place), only(numbers(range_)), I32)
        return state if call.target is None else state.with_variable(call.target, result)

    def _scanned(self, state: State, call: Call, key: tuple[object, ...]) -> tuple[State, Values]:
        text = literal(self._program, self._terms.values(state, call.arguments[0]))
        types = None if text is None else stored(text, self._program.model)
        if types is None or len(call.arguments) != 2:
            raise GiveUp("what is read by this format is not followed")
        fresh = []
        for number, type_ in enumerate(types):
            state, values = any_number(state, (*key, number), (type_.low, type_.high))
            fresh.append(values)
        state, result = any_number(state, key, (-1, len(types)))
        (count,) = result
        stores = self._places(state, call, types)
        theory = state.frame.theory
        for number, (places, type_) in enumerate(stores):
            got = theory.less_or_equal(constant(number + 1), count)
            places = under(theory.guards, places, got)
            state = memory.store(state, places, fresh[number], type_)
        return state, result

    def _places(self, state: State, call: Call, types: list[Int]) -> list[_Store]:
        """Where each number goes, if that is fine."""
        found: list[_Store] = []
        slots = self._terms.values(state, call.arguments[1])
        for number, type_ in enumerate(types):
            slot = {value.moved(SLOT * number): b for value, b in slots.items()}
            self._ask(state, slot, scalar_bytes(VOID_POINTER, self._program.model), writes=False)
            places = memory.load(state, slot, VOID_POINTER)
            size = scalar_bytes(type_, self._program.model)
            self._ask(state, places, size, writes=True)
            if not all(_is_plain(state, place, size) for place in places):
                raise GiveUp("what is read may overwrite pointers")
            found.append((places, type_))
        return found

    def _ask(self, state: State, places: Values, size: int, writes: bool) -> None:
        guards = state.frame.theory.guards

        def good(value: Value) -> Bracket:
            base = value.base
            if base is None or base is UNDEFINED:
                return NEVER
            if base is TOP:
                return PERHAPS
            there = guards.all_of(guards.opposite(state.is_dead(base)), inside(state, value, size))
            return guards.all_of(there, is_writable(state, value)) if writes else there

        if not guards.implies(state.reach.may, holds(guards, places, good).must):
            raise GiveUp("the place that is read into may not be valid")


def _is_plain(state: State, place: Value, size: int) -> bool:
    """Does memory certainly hold no pointer to a block there?"""
    base = place.base
    if base is None or base in (TOP, UNDEFINED) or not place.is_constant:
        return False
    if state.unknown(base).may:
        return False
    if is_region(base) and not state.frame.is_root:
        return False
    low, high = place.number[0], place.number[0] + size
    held = [
        value
        for (start, length), values in state.cells.get(base, {}).items()
        for value in values
        if start < high and low < start + length
    ]
    held += [value for spread in state.spreads.get(base, ()) for value, _ in spread.values]
    return all(value.base is None or value.base is UNDEFINED for value in held)


def _stream(program: Program) -> _Stream | None:
    """Standard input, if it is what it is at the start as long as the program runs."""
    layout = program.records.get(RECORD)
    if layout is None or "stdin" not in program.globals or not _is_only_read(program, "stdin"):
        return None
    held = initial(program, "stdin", 0, VOID_POINTER)
    if held is None or held.base is None or not held.is_constant:
        return None
    start = held.number[0]
    changed = changed_by_reading(layout)
    return _Stream(held.base, tuple((start + at, num.make(*range_)) for at, range_ in changed))


def _is_only_read(program: Program, global_: str) -> bool:
    """Is a global never written, and its address nowhere kept?"""
    kept = [
        term
        for known in program.globals.values()
        for piece in known.pieces
        if not isinstance(piece.value, bytes)
        for term in subterms(piece.value)
    ]
    for procedure in program.procedures.values():
        for block in procedure.blocks:
            for item in (*block.steps, block.end):
                if isinstance(item, Load) and _is_address(item, global_):
                    continue
                kept += [part for term in operands(item) for part in subterms(term)]
    return not any(term.op == "global" and term.data == global_ for term in kept)


def _is_address(step: Load, global_: str) -> bool:
    return step.address.op == "global" and step.address.data == global_

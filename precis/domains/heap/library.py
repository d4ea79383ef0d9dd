"""Printing, where nothing can go wrong: the model need not be followed; `inputs.py`: reading.

As in `values`: the format is a literal, every argument it asks for is there, and every text that
is printed certainly ends within its block.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, final

from precis.domains.formats import slots
from precis.domains.heap.guards import NEVER, PERHAPS, Bracket
from precis.domains.heap.initial import literal
from precis.domains.heap.inputs import READING, Inputs
from precis.domains.heap.memory import load, load_cell
from precis.domains.heap.names import NULL, TOP, UNDEFINED, Value, numbers
from precis.domains.heap.pointers import inside
from precis.domains.heap.sets import Values, holds, only
from precis.domains.heap.state import State
from precis.domains.heap.terms import Terms
from precis.domains.protocol import CallSite, GiveUp
from precis.domains.values import num
from precis.ir.instr import Call
from precis.ir.program import Program
from precis.ir.types import I32, U8, VOID_POINTER

_COUNT: Final = only(numbers(num.make(0, (1 << 31) - 1)))
_LONGEST: Final = 256
WRITE: Final = "__precis_write"
# Programs that call one of these may print to something else than at the start.
_CHANGES: Final = frozenset({"fclose", "freopen", "setvbuf", "setbuf", "close", "dup2"})


@final
class Library:
    def __init__(self, program: Program, terms: Terms, properties: frozenset[str]) -> None:
        self._program = program
        self._terms = terms
        plain = not _CHANGES & {*program.procedures, *program.externals}
        self._known: dict[str, Callable[[State, Call], bool]] = {}
        self._inputs = Inputs(program, terms) if plain else None
        if plain:
            self._known = {"printf": self._printf, "puts": self._puts, "putchar": _putchar}
        self._checked = "uninitialised" in properties

    def call(self, state: State, call: Call, name: str, at: CallSite) -> tuple[State, ...] | None:
        """The states after the call; None if that is not known here."""
        if name == WRITE and name not in self._program.procedures:
            return (self._written(state, call),)
        procedure = self._program.procedures.get(name)
        if procedure is not None and not procedure.library:
            return None
        if name in READING and self._inputs is not None:
            after = self._inputs.call(state, call, name, at)
            return None if after is None else (after,)
        known = self._known.get(name)
        if known is None or not known(state, call):
            return None
        return (state if call.target is None else state.with_variable(call.target, _COUNT),)

    def _written(self, state: State, call: Call) -> State:
        """Bytes go out; whether they may be read is the native's own check."""
        places = self._terms.values(state, call.arguments[1])
        guards = state.frame.theory.guards
        for size, b in self._terms.values(state, call.arguments[2]).items():
            if size.base is not None:
                raise GiveUp("the number of bytes written is not known")
            empty = state.frame.theory.equal_numbers(size, NULL)

            def good(value: Value, size: Value = size, empty: Bracket = empty) -> Bracket:
                return guards.any_of(empty, self._may_read(state, value, size))

            fine = holds(guards, places, good)
            if not guards.implies(guards.both(state.reach.may, b.may), fine.must):
                raise GiveUp("the bytes that are written may not be valid")
        if call.target is None:
            return state
        result = only(numbers(num.make(-1, (1 << 31) - 1)))
        return state.with_variable(call.target, result)

    def _may_read(self, state: State, value: Value, size: Value) -> Bracket:
        base = value.base
        if base is None or base is UNDEFINED:
            return NEVER
        if base is TOP or (self._checked and not self._is_filled(state, value, size)):
            return PERHAPS
        guards = state.frame.theory.guards
        return guards.all_of(guards.opposite(state.is_dead(base)), inside(state, value, size))

    def _is_filled(self, state: State, value: Value, size: Value) -> bool:
        """Are all bytes certainly set?"""
        if not value.is_constant or not size.is_constant or size.number[0] > _LONGEST:
            return False
        assert value.base is not None
        start = value.number[0]
        return all(
            _is_set(load_cell(state, value.base, offset, 1, U8))
            for offset in range(start, start + size.number[0])
        )

    def _printf(self, state: State, call: Call) -> bool:
        if len(call.arguments) != 2:
            return False
        text = literal(self._program, self._terms.values(state, call.arguments[0]))
        wanted = None if text is None else slots(text)
        if wanted is None:
            return False
        return not wanted or self._have(state, self._terms.values(state, call.arguments[1]), wanted)

    def _have(self, state: State, given: Values, wanted: list[bytes]) -> bool:
        """Is there an argument for each conversion, and is each text a literal?"""
        if len(given) != 1:
            return False
        (place,) = given
        block = None if place.base is None else state.blocks.get(place.base)
        if block is None or not block.size.is_constant or not place.is_constant:
            return False
        if block.many or place.number[0] != 0 or block.size.number[0] < 8 * len(wanted):
            return False
        for index, kind in enumerate(wanted):
            if kind == b"s":
                text = load(state, {place.moved(8 * index): given[place]}, VOID_POINTER)
                if not self._ends(state, text):
                    return False
            elif self._checked:
                given_number = load(state, {place.moved(8 * index): given[place]}, I32)
                if kind == b"f" or not _is_set(given_number):
                    return False
        return True

    def _ends(self, state: State, values: Values) -> bool:
        """Is it a text that certainly ends within its block?"""
        if literal(self._program, values) is not None:
            return True
        if len(values) != 1:
            return False
        (value,) = values
        base = value.base
        known = None if base is None else state.blocks.get(base)
        if base is None or known is None or not value.is_constant or not known.size.is_constant:
            return False
        if state.is_dead(base).may or state.wild.may or value.number[0] < 0:
            return False
        for offset in range(value.number[0], min(known.size.number[0], _LONGEST)):
            byte = load_cell(state, base, offset, 1, U8)
            if list(byte) == [NULL]:
                return True
            if any(v.base is not None for v in byte):
                return False
        return False

    def _puts(self, state: State, call: Call) -> bool:
        values = self._terms.values(state, call.arguments[0])
        return len(call.arguments) == 1 and self._ends(state, values)


def _is_set(values: Values) -> bool:
    return not any(value.base in (UNDEFINED, TOP) for value in values)


def _putchar(state: State, call: Call) -> bool:
    return len(call.arguments) == 1

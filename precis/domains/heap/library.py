"""Printing, where nothing can go wrong: the model need not be followed.

As in `values`: the format is a literal, every argument it asks for is there, and every text that
is printed certainly ends within its block.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, final

from precis.domains.formats import slots
from precis.domains.heap.memory import load, load_cell
from precis.domains.heap.names import NULL, Kind, Value, numbers
from precis.domains.heap.sets import Values, only
from precis.domains.heap.state import State
from precis.domains.heap.terms import Terms
from precis.domains.values import num
from precis.ir.instr import BlockKind, Call
from precis.ir.program import Global, Program
from precis.ir.types import U8, VOID_POINTER

_COUNT: Final = only(numbers(num.make(0, (1 << 31) - 1)))
_LONGEST: Final = 256
# Programs that call one of these may print to something else than at the start.
_CHANGES: Final = frozenset({"fclose", "freopen", "setvbuf", "setbuf", "close", "dup2"})


@final
class Library:
    def __init__(self, program: Program, terms: Terms) -> None:
        self._program = program
        self._terms = terms
        plain = not _CHANGES & {*program.procedures, *program.externals}
        self._known: dict[str, Callable[[State, Call], bool]] = {}
        if plain:
            self._known = {"printf": self._printf, "puts": self._puts, "putchar": _putchar}

    def call(self, state: State, call: Call, name: str) -> tuple[State, ...] | None:
        """The states after the call; None if that is not known here."""
        known = self._known.get(name)
        procedure = self._program.procedures.get(name)
        if known is None or (procedure is not None and not procedure.library):
            return None
        if not known(state, call):
            return None
        return (state if call.target is None else state.with_variable(call.target, _COUNT),)

    def _printf(self, state: State, call: Call) -> bool:
        if len(call.arguments) != 2:
            return False
        text = self._literal(self._terms.values(state, call.arguments[0]))
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
        return True

    def _ends(self, state: State, values: Values) -> bool:
        """Is it a text that certainly ends within its block?"""
        if self._literal(values) is not None:
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

    def _literal(self, values: Values) -> bytes | None:
        """A text that is the same in every run."""
        if len(values) != 1:
            return None
        (value,) = values
        known = self._global(value)
        if known is None or known.kind is not BlockKind.LITERAL or not value.is_constant:
            return None
        content = bytearray(known.size)
        for piece in known.pieces:
            if not isinstance(piece.value, bytes):
                return None
            content[piece.offset : piece.offset + len(piece.value)] = piece.value
        start = value.number[0]
        end = content.find(0, start) if 0 <= start < len(content) else -1
        return None if end < 0 else bytes(content[start:end])

    def _global(self, value: Value) -> Global | None:
        if value.base is None or value.base.kind is not Kind.GLOBAL:
            return None
        return self._program.globals[str(value.base.parts[0])]


def _putchar(state: State, call: Call) -> bool:
    return len(call.arguments) == 1

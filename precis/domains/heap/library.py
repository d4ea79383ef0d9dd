"""Printing, where nothing can go wrong: the model need not be followed; `inputs.py`: reading.

As in `values`: the format is a literal, every argument it asks for is there, and every text that
is printed certainly ends within its block.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias, final

from precis.domains.formats import slots
from precis.domains.heap.formats import FORMATTERS
from precis.domains.heap.frame import Calls
from precis.domains.heap.guards import FALSE, NEVER, PERHAPS, Bracket
from precis.domains.heap.initial import literal
from precis.domains.heap.inputs import READING, Inputs
from precis.domains.heap.memory import load, load_cell, store
from precis.domains.heap.names import (
    NULL,
    TOP,
    UNDEFINED,
    Kind,
    Value,
    constant,
    name,
    numbers,
    pointer,
)
from precis.domains.heap.pointers import inside
from precis.domains.heap.sets import Values, holds, hull, only, under
from precis.domains.heap.state import State
from precis.domains.heap.terms import Terms
from precis.domains.heap.transfer import Transfer
from precis.domains.protocol import CallSite, GiveUp, Unfollowed
from precis.domains.values import num
from precis.ir.instr import Call
from precis.ir.primitives import READ, WRITE
from precis.ir.program import Program
from precis.ir.types import I32, U8, VOID_POINTER

_COUNT: Final = only(numbers(num.make(0, (1 << 31) - 1)))
_LONGEST: Final = 256
_PRINTING: Final = ("printf", "puts", "putchar")
_ERROR_TEXT: Final = ("__precis_unknown_error", 32)  # what writes one, and the bytes it needs
_FAILED: Final = 12  # where in a stream it says so
# Programs that call one of these may print to something else than at the start.
_CHANGES: Final = frozenset({"fclose", "freopen", "setvbuf", "setbuf", "close", "dup2"})


# What streams in memory need: printing then writes to memory of the program.
_IN_MEMORY: Final = frozenset(
    {"open_memstream", "fmemopen", "open_wmemstream", "setvbuf", "setbuf", "setbuffer"}
)
Known: TypeAlias = "tuple[State, ...] | Unfollowed[State] | None"


@final
class Library:
    def __init__(
        self, program: Program, terms: Terms, transfer: Transfer, properties: frozenset[str],
        library: bool,
    ) -> None:  # fmt: skip
        self._program = program
        self._terms = terms
        self._transfer = transfer
        names = {*program.procedures, *program.externals}
        plain = not (library or _CHANGES & names)
        self._inputs = Inputs(program, terms) if plain else None
        self._checked = "uninitialised" in properties
        self._known: dict[str, Callable[[State, Call, CallSite], Known]] = {}
        self._natives: dict[str, Callable[[State, Call, CallSite], Known]] = {
            WRITE: self._written,
            READ: self._read,
        }
        self._known[_ERROR_TEXT[0]] = self._error_text
        if not _CHANGES & names:
            known = (self._printf, self._puts, self._putchar)
            self._known |= dict(zip(_PRINTING, known, strict=True))
        self._in_memory = bool(_IN_MEMORY & names)

    def leave_formatter(self) -> None:
        """The formatter behind printf, of which little can be said for all formats at once, is not
        followed."""
        if not self._in_memory:
            streams, texts = FORMATTERS
            self._known |= {streams: self._to_stream, texts: self._to_text}

    def speaks_of(self, names: set[str]) -> bool:
        """May something be known of one of these that is not in its body?"""
        known = (*_PRINTING, _ERROR_TEXT[0], *FORMATTERS, *READING)
        return not names.isdisjoint((*known, *self._natives))

    def context(self) -> list[Any]:
        """All of the program that answers depend on, as plain data."""
        stream = "" if self._inputs is None else self._inputs.stream()
        return [sorted(self._known), self._in_memory, self._checked, stream]

    def call(self, state: State, call: Call, called: str, at: CallSite) -> Known:
        """The states after the call; None if that is not known here."""
        procedure = self._program.procedures.get(called)
        native = self._natives.get(called)
        if native is not None and procedure is None:
            return native(state, call, at)
        if procedure is not None and not procedure.library:
            return None
        if called in READING and self._inputs is not None:
            after = self._inputs.call(state, call, called, at)
            return None if after is None else (after,)
        known = self._known.get(called)
        return None if known is None else known(state, call, at)

    # Primitives. Whether the memory is valid is checked before them.

    def _written(self, state: State, call: Call, at: CallSite) -> Known:
        if self._checked:
            self._must_be_set(state, call)
        if call.target is None:
            return (state,)
        return (self._transfer.any_result(state, call, at, num.make(-1, (1 << 31) - 1)),)

    def _must_be_set(self, state: State, call: Call) -> None:
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
                raise GiveUp("the bytes that are written may have no value")

    def _read(self, state: State, call: Call, at: CallSite) -> Known:
        """Bytes come in: as many as there are, up to a number."""
        places = self._terms.values(state, call.arguments[1])
        sizes = self._terms.values(state, call.arguments[2])
        if list(sizes) == [constant(1)]:
            state, comes = self._transfer.choice_at(state, at)
            value = only(numbers(num.of_type(U8)))
            state = store(state, under(state.frame.theory.guards, places, comes), value, U8)
            if call.target is None:
                return (state,)
            opposite = state.frame.theory.guards.opposite(comes)
            return (state.with_variable(call.target, {constant(1): comes, NULL: opposite}),)
        state = self._transfer.smeared_all(state, places, sizes)
        most = hull(state.frame.theory, sizes, state.reach.may)
        return (
            self._transfer.any_result(state, call, at, num.make(0, 0 if most is None else most[1])),
        )

    # The text of an error number that has none.

    def _error_text(self, state: State, call: Call, at: CallSite) -> Known:
        if state.frame.calls is Calls.INLINE:  # the number may be known, and so the text
            return None
        places = self._terms.values(state, call.arguments[0])
        guards = state.frame.theory.guards
        size = constant(_ERROR_TEXT[1])
        fits = holds(guards, places, lambda value: self._has_room(state, value, size))
        if not guards.implies(state.reach.may, fits.must):
            return None
        return (self._transfer.smeared_all(state, places, only(size)),)

    def _has_room(self, state: State, value: Value, size: Value) -> Bracket:
        if value.base is None or value.base in (UNDEFINED, TOP):
            return NEVER
        guards = state.frame.theory.guards
        alive = guards.opposite(state.is_dead(value.base))
        return guards.all_of(alive, inside(state, value, size))

    # The formatter. It writes no memory of the program but where it is told to.

    def _to_stream(self, state: State, call: Call, at: CallSite) -> Known:
        stream = self._terms.values(state, call.arguments[0])
        failed = {v.moved(_FAILED): Bracket(b.may, FALSE) for v, b in stream.items() if v.base}
        state = store(state, failed, only(numbers(num.of_type(I32))), I32)
        return self._unfollowed(state, call, at)

    def _to_text(self, state: State, call: Call, at: CallSite) -> Known:
        places = self._terms.values(state, call.arguments[0])
        sizes = self._terms.values(state, call.arguments[1])
        return self._unfollowed(self._transfer.smeared_all(state, places, sizes), call, at)

    def _unfollowed(self, state: State, call: Call, at: CallSite) -> Known:
        if "errno" in self._program.globals:
            place = pointer(name(Kind.GLOBAL, "errno"))
            state = store(state, {place: PERHAPS}, only(numbers(num.of_type(I32))), I32)
        after = self._transfer.any_result(state, call, at, num.of_type(I32))
        return Unfollowed((after,), "what is printed was not looked at")

    def _may_read(self, state: State, value: Value, size: Value) -> Bracket:
        base = value.base
        if base is None or base is UNDEFINED:
            return NEVER
        if base is TOP or not self._is_filled(state, value, size):
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

    def _counted(self, state: State, call: Call, fine: bool) -> Known:
        """Nothing goes wrong: how much is printed is any number."""
        if not fine:
            return None
        return (state if call.target is None else state.with_variable(call.target, _COUNT),)

    def _printf(self, state: State, call: Call, at: CallSite) -> Known:
        return self._counted(state, call, self._can_print(state, call))

    def _can_print(self, state: State, call: Call) -> bool:
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
        if state.is_dead(base).may or value.number[0] < 0:
            return False
        for offset in range(value.number[0], min(known.size.number[0], _LONGEST)):
            byte = load_cell(state, base, offset, 1, U8)
            if list(byte) == [NULL]:
                return True
            if any(v.base is not None for v in byte):
                return False
        return False

    def _puts(self, state: State, call: Call, at: CallSite) -> Known:
        values = self._terms.values(state, call.arguments[0])
        return self._counted(state, call, len(call.arguments) == 1 and self._ends(state, values))

    def _putchar(self, state: State, call: Call, at: CallSite) -> Known:
        return self._counted(state, call, len(call.arguments) == 1)


def _is_set(values: Values) -> bool:
    return not any(value.base in (UNDEFINED, TOP) for value in values)

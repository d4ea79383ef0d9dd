"""Library functions that need no analysis of their model when all is plain.

Printing changes no memory that a program can see. If the format is a known text, every argument
it asks for is there, and every text it prints ends within its block, nothing can go wrong and
the model need not be followed. In all other cases the answer is "not known here", and the model
is analysed as any other procedure. The same holds for the primitives that models are made of.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from precis.domains.formats import slots
from precis.domains.protocol import GiveUp
from precis.domains.values import bulk, num
from precis.domains.values.inputs import scanned
from precis.domains.values.memory import LIVE, load
from precis.domains.values.num import Num
from precis.domains.values.state import State
from precis.domains.values.terms import Terms
from precis.domains.values.transfer import Transfer
from precis.domains.values.value import UNKNOWN, ZERO, Value, any_of, join, of_number
from precis.domains.values.world import World
from precis.ir.instr import Call
from precis.ir.types import I32, U8, Int, Pointer

_COUNT: Final[Value] = (num.make(0, (1 << 31) - 1), (), False)
_LONGEST: Final = 4096
Known = tuple[State, ...] | None


class Library:
    def __init__(self, world: World, terms: Terms, transfer: Transfer) -> None:
        self._world = world
        self._terms = terms
        self._transfer = transfer
        self._checked = "uninitialised" in world.properties
        self._known: dict[str, Callable[[State, Call], Known]] = {
            "printf": self._printf,
            "puts": self._puts,
            "putchar": self._putchar,
            "scanf": self._scanf,
            "__isoc99_scanf": self._scanf,
            "__precis_write": self._write,
            "__precis_read": self._read,
        }

    def call(self, state: State, call: Call, name: str) -> Known:
        """The states after the call; None if that is not known here."""
        known = self._known.get(name)
        procedure = self._world.program.procedures.get(name)
        if known is None or (procedure is not None and not procedure.library):
            return None
        return known(state, call)

    def _result(self, state: State, call: Call, value: Value) -> tuple[State, ...]:
        if call.target is None:
            return (state,)
        return (self._transfer.assigned(state, call.target, value),)

    def _is_open(self, state: State) -> bool:
        """Standard output as it is at the start."""
        name = "__precis_stdout"
        globals_ = self._world.program.globals
        found = [n for n in globals_ if n in (name, "stdout") or n.startswith("__precis_std")]
        return all(self._world.global_block(n) not in state.blocks for n in found)

    def _printf(self, state: State, call: Call) -> Known:
        if len(call.arguments) != 2 or not self._is_open(state):
            return None
        text = self._text(state, self._terms.use(call.arguments[0])(state))
        if text is None:
            return None
        given = self._terms.use(call.arguments[1])(state)
        wanted = slots(text)
        if wanted is None or not self._have(state, given, wanted):
            return None
        return self._result(state, call, _COUNT)

    def _have(self, state: State, slots: Value, wanted: list[bytes]) -> bool:
        """Is there an argument for each conversion, and is each text one?"""
        if not wanted:
            return True
        number, pointers, _ = slots
        if number is not None or len(pointers) != 1 or pointers[0][0] == UNKNOWN:
            return False
        name, offset = pointers[0]
        block = self._world.block(state, name)
        if block.live != LIVE or block.many or offset != ZERO:
            return False
        if block.size[0] < 8 * len(wanted):
            return False
        for index, kind in enumerate(wanted):
            if kind == b"s":
                value = load(block, num.const(8 * index), self._width, Pointer(U8))
                if value[2] or self._text(state, value) is None:
                    return False
            elif self._checked and kind != b"f":
                value = load(block, num.const(8 * index), 4, I32)
                if value[2]:
                    return False
            elif self._checked:
                return False
        return True

    @property
    def _width(self) -> int:
        return self._world.program.model.pointer_bytes

    def _puts(self, state: State, call: Call) -> Known:
        if len(call.arguments) != 1 or not self._is_open(state):
            return None
        if not self._ends(state, self._terms.use(call.arguments[0])(state)):
            return None
        return self._result(state, call, _COUNT)

    def _putchar(self, state: State, call: Call) -> Known:
        if len(call.arguments) != 1 or not self._is_open(state):
            return None
        return self._result(state, call, (num.of_type(I32), (), False))

    def _scanf(self, state: State, call: Call) -> Known:
        if len(call.arguments) != 2:
            return None
        text = self._text(state, self._terms.use(call.arguments[0])(state))
        slots = self._terms.use(call.arguments[1])(state)
        found = None if text is None else scanned(self._world, self._transfer, state, text, slots)
        if found is None:
            return None
        return tuple(
            after for read, count in found for after in self._result(read, call, of_number(count))
        )

    def _text(self, state: State, value: Value) -> bytes | None:
        """The bytes of a text, if they are known to end; unknown ones are given as `?`."""
        number, pointers, unset = value
        if number is not None or unset or len(pointers) != 1 or pointers[0][0] == UNKNOWN:
            return None
        name, offset = pointers[0]
        block = self._world.block(state, name)
        if block.live != LIVE or offset[2] or offset[0] < 0 or block.many:
            return None
        found = bytearray()
        for at in range(offset[0], min(block.size[0], offset[0] + _LONGEST)):
            byte = load(block, num.const(at), 1, U8)
            if byte[2] and self._checked:
                return None
            if byte == (ZERO, (), False):
                return bytes(found)
            exact = byte[0] is not None and not byte[0][2] and not byte[1] and not byte[2]
            found.append(byte[0][0] if exact and byte[0] is not None else 0xFF)
        return None

    def _ends(self, state: State, value: Value) -> bool:
        return self._text(state, value) is not None

    # Primitives.

    def _write(self, state: State, call: Call) -> Known:
        """Bytes go out; whether they may be read is the native's own check."""
        address = self._terms.use(call.arguments[1])(state)
        size = self._terms.use(call.arguments[2])(state)[0]
        if size is None:
            raise GiveUp("the number of bytes written is not known")
        if size[1] > 0 and not self._may_read(state, address, size):
            raise GiveUp("the bytes that are written may not be valid")
        result: Value = (num.join(num.const(-1), num.make(0, max(size[1], 1))), (), False)
        return self._result(state, call, result)

    def _may_read(self, state: State, address: Value, size: Num) -> bool:
        if address[0] is not None:
            return False
        for name, offset in address[1]:
            if name == UNKNOWN:
                return False
            block = self._world.block(state, name)
            if block.live != LIVE or offset[0] < 0 or offset[1] + size[1] > block.size[0]:
                return False
            if self._checked and self._may_be_unset(state, name, offset, size):
                return False
        return True

    def _may_be_unset(self, state: State, name: int, offset: Num, size: Num) -> bool:
        block = self._world.block(state, name)
        if offset[1] - offset[0] + size[1] > _LONGEST:
            return True
        return any(
            load(block, num.const(at), 1, U8)[2] for at in range(offset[0], offset[1] + size[1])
        )

    def _read(self, state: State, call: Call) -> Known:
        """Up to so many bytes come in."""
        address = self._terms.use(call.arguments[1])(state)
        size = self._terms.use(call.arguments[2])(state)[0]
        if size is None or size[0] < 0:
            raise GiveUp("the number of bytes read is not known")
        byte: Num = num.of_type(U8)
        most = num.make(0, size[1])
        for name, offset in address[1]:
            block = None if name == UNKNOWN else self._world.block(state, name)
            if block is None or block.live != LIVE or offset[0] < 0:
                raise GiveUp("the place that is read into may not be valid")
            if offset[1] + size[1] > block.size[0] or self._world.is_constant(name):
                raise GiveUp("the place that is read into may not be valid")
            state = state.with_block(name, bulk.fill(block, offset, byte, most, False))
            state = state.with_origins({v: o for v, o in state.origins.items() if o[0] != name})
        if address[0] is not None and size[1] > 0:
            raise GiveUp("the place that is read into may be null")
        word = Int(8 * self._width, True)
        anything = any_of(word)
        result: Value = join(anything, anything) if size[1] > 1 << 40 else (most, (), False)
        return self._result(state, call, result)

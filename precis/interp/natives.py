"""Library functions in Python, by name.

The primitives are what models are written over. The others are fast twins of models: they do
the plain cases, and give DECLINED for the rest, before anything has changed, so that the model
itself tells what is wrong with a call.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from precis.interp import bulk
from precis.interp.faults import Exit
from precis.interp.memory import Pointer
from precis.interp.natives_math import MATH
from precis.interp.natives_print import PRINTING
from precis.interp.natives_string import STRINGS
from precis.interp.outcome import Natives
from precis.ir.program import Program

if TYPE_CHECKING:
    from precis.interp.machine import Machine


def native_names(program: Program, use: Natives) -> frozenset[str]:
    """Natives stand in for models, never for procedures of the user's."""
    procedures, twins = program.procedures, use is Natives.USE
    return frozenset(
        name
        for table in (MATH, PRIMITIVE, STRINGS, PRINTING)
        for name in table
        if name not in procedures or (twins and procedures[name].library)
    )


def native(machine: Machine, name: str) -> Callable[..., Any]:
    """A native, ready to be called with the arguments of the C function."""
    for table in (PRIMITIVE, STRINGS, PRINTING):
        if name in table:
            return partial(table[name], machine)
    return MATH[name]


def _halt(machine: Machine, status: int) -> None:
    raise Exit(status & 255)


def _abort(machine: Machine) -> None:
    raise Exit(134)


def _write(machine: Machine, descriptor: int, pointer: Pointer, size: int) -> int:
    """Indeterminate bytes go out as any value, or are a use that is checked."""
    block, offset = pointer
    machine.cells.check_read(block, offset, size)
    if size and block.mask is not None:
        load = machine.byte_loader
        content = bytes(int(load(block, offset + i)) & 255 for i in range(size))
    else:
        content = bytes(block.data[offset : offset + size])
    if descriptor not in (1, 2):
        return -1
    machine.output(descriptor, content)
    return size


def _read(machine: Machine, descriptor: int, pointer: Pointer, size: int) -> int:
    machine.cells.check_write(*pointer, size)
    content = machine.read_input(size) if descriptor == 0 else b""
    bulk.write(machine.memory, pointer, content)
    return len(content)


PRIMITIVE: Final[dict[str, Callable[..., Any]]] = {
    "__precis_halt": _halt,
    "__precis_abort": _abort,
    "__precis_write": _write,
    "__precis_read": _read,
}

"""Fast twins of the printf formatter and of the functions that put out strings.

Anything out of the ordinary is left to the models: conversions that store or print wide
characters, missing arguments, strings that do not end, streams that are closed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from precis.interp import bulk
from precis.interp.cells import Value
from precis.interp.memory import NUL, Block, Pointer
from precis.interp.plain import DECLINED, Declined, is_plain, text_at
from precis.ir.types import F64, F80, DataModel, Int, Type, scalar_bytes

if TYPE_CHECKING:
    from precis.interp.machine import Machine

_SPEC: Final = re.compile(rb"%([-+ #0]*)(\*|\d*)(?:\.(\*|\d*))?(hh|h|ll|l|j|z|t|L|q)?([a-zA-Z%])")
_POINTER: Final = Int(64, False)


class _Odd(Exception):
    """The model has to do it."""


class _Arguments:
    """The slots of a variadic call, read in order."""

    def __init__(self, machine: Machine, slots: Pointer) -> None:
        self.machine = machine
        self.block, self.offset = slots

    def take(self, type_: Type) -> Value:
        size = scalar_bytes(type_, self.machine.program.model)
        if not is_plain(self.block, self.offset, size):
            raise _Odd
        value = self.machine.loader(type_)(self.block, self.offset)
        self.offset += max(8, (size + 7) // 8 * 8)
        return value

    def integer(self, type_: Int) -> int:
        return int(self.take(type_))  # type: ignore[arg-type]


def formatted(machine: Machine, text: Pointer, slots: Pointer) -> bytes:
    """The output of a format and its arguments; raises _Odd."""
    template = text_at(text)
    if template is None:
        raise _Odd
    arguments = _Arguments(machine, slots)
    parts: list[bytes] = []
    at = 0
    while True:
        percent = template.find(b"%", at)
        if percent < 0:
            parts.append(template[at:])
            return b"".join(parts)
        parts.append(template[at:percent])
        spec = _SPEC.match(template, percent)
        if spec is None:
            raise _Odd
        parts.append(_conversion(arguments, spec))
        at = spec.end()


def _conversion(arguments: _Arguments, spec: re.Match[bytes]) -> bytes:
    flags, length, kind = spec[1].decode(), (spec[4] or b"").decode(), spec[5].decode()
    if kind == "%":
        if spec[0] != b"%%":
            raise _Odd
        return b"%"
    width = arguments.integer(Int(32, True)) if spec[2] == b"*" else int(spec[2] or 0)
    precision = None if spec[3] is None else int(spec[3] or 0) if spec[3] != b"*" else -2
    if precision == -2:
        precision = arguments.integer(Int(32, True))
    if width < 0:
        flags, width = flags + "-", -width
    if precision is not None and precision < 0:
        precision = None
    if kind in "diuoxX":
        return _padded(*_integer(arguments, length, kind, flags, precision), flags, width)
    if kind in "eEfFgG" and length in ("", "l", "L"):
        return _padded(*_float(arguments, length, kind, flags, precision), flags, width)
    if kind in "cs" and not length:
        return _padded(b"", _text(arguments, kind, precision), flags.replace("0", ""), width)
    raise _Odd


def _padded(prefix: bytes, body: bytes, flags: str, width: int) -> bytes:
    missing = width - len(prefix) - len(body)
    if missing <= 0:
        return prefix + body
    if "-" in flags:
        return prefix + body + b" " * missing
    if "0" in flags and body[:1] not in b"inIN":
        return prefix + b"0" * missing + body
    return b" " * missing + prefix + body


def _sign(negative: bool, flags: str) -> bytes:
    return b"-" if negative else b"+" if "+" in flags else b" " if " " in flags else b""


def _integer(
    arguments: _Arguments, length: str, kind: str, flags: str, precision: int | None
) -> tuple[bytes, bytes]:
    if precision is not None and "0" in flags:
        raise _Odd  # the zeros would be ignored
    word = 64 if arguments.machine.program.model is DataModel.LP64 else 32
    sizes = {"": 32, "hh": 32, "h": 32, "l": word, "z": word, "t": word, "L": 64}
    signed = kind in "di"
    value = arguments.integer(Int(sizes.get(length, 64), signed))
    if length in ("hh", "h"):
        value = Int(8 if length == "hh" else 16, signed).wrap(value)
    digits = format(abs(value), {"o": "o", "x": "x", "X": "X"}.get(kind, "d"))
    if precision is not None:
        digits = digits.rjust(precision, "0") if value or precision else ""
    if signed:
        return _sign(value < 0, flags), digits.encode()
    if "#" in flags and kind == "o" and not digits.startswith("0"):
        digits = "0" + digits
    prefix = f"0{kind}" if "#" in flags and kind in "xX" and value else ""
    return prefix.encode(), digits.encode()


def _float(
    arguments: _Arguments, length: str, kind: str, flags: str, precision: int | None
) -> tuple[bytes, bytes]:
    value = arguments.take(F80 if length == "L" else F64)
    assert isinstance(value, float)
    sign = _sign(math.copysign(1.0, value) < 0, flags)
    if not math.isfinite(value):
        text = "inf" if math.isinf(value) else "nan"
        return sign, (text.upper() if kind.isupper() else text).encode()
    places = 6 if precision is None else precision
    mark = "#" if "#" in flags else ""
    return sign, f"%{mark}.{places}{kind}".encode() % abs(value)


def _text(arguments: _Arguments, kind: str, precision: int | None) -> bytes:
    if kind == "c":
        return bytes((arguments.integer(Int(32, True)) & 255,))
    pointer = arguments.take(arguments.machine.char_pointer)
    assert isinstance(pointer, tuple)
    found = text_at(pointer)
    if found is None:
        raise _Odd
    return found if precision is None else found[:precision]


def _stream(machine: Machine, stream: Pointer) -> int:
    """The descriptor of an open stream for output; its layout is that of models/stream.h."""
    block, offset = stream
    if not is_plain(block, offset, 20):
        raise _Odd
    load = machine.loader(Int(32, True))
    descriptor, closed = load(block, offset), load(block, offset + 4)
    if closed or descriptor not in (1, 2):
        raise _Odd
    return int(descriptor)


def _slots(machine: Machine, arguments: Pointer) -> Pointer:
    """The slots a va_list stands for; on ILP32 it is the pointer itself."""
    if machine.program.model is DataModel.ILP32:
        return arguments
    block, offset = arguments
    if not is_plain(block, offset, 8):
        raise _Odd
    return machine.loader(machine.char_pointer)(block, offset)  # type: ignore[return-value]


def _format_stream(machine: Machine, stream: Pointer, text: Pointer, args: Pointer) -> Any:
    try:
        descriptor = _stream(machine, stream)
        content = formatted(machine, text, _slots(machine, args))
    except _Odd:
        return DECLINED
    machine.output(descriptor, content)
    return len(content)


def _format_text(machine: Machine, to: Pointer, room: int, text: Pointer, args: Pointer) -> Any:
    try:
        content = formatted(machine, text, _slots(machine, args))
    except _Odd:
        return DECLINED
    if not room:
        return len(content)
    stored = content[: room - 1] + b"\0"
    block, offset = to
    if not block.writable or not 0 <= offset <= block.limit - len(stored):
        return DECLINED
    bulk.write(machine.memory, to, stored)
    return len(content)


def _standard_output(machine: Machine) -> Pointer:
    """What the variable stdout points to."""
    block: Block | None = machine.global_named("stdout")
    return block.ptrs.get(0, NUL) if block is not None else NUL


def _printf(machine: Machine, text: Pointer, slots: Pointer) -> Any:
    return _fprintf(machine, _standard_output(machine), text, slots)


def _fprintf(machine: Machine, stream: Pointer, text: Pointer, slots: Pointer) -> Any:
    try:
        descriptor = _stream(machine, stream)
        content = formatted(machine, text, slots)
    except _Odd:
        return DECLINED
    machine.output(descriptor, content)
    return len(content)


def _put(machine: Machine, text: Pointer, stream: Pointer, end: bytes) -> int | Declined:
    content = text_at(text)
    try:
        descriptor = _stream(machine, stream)
    except _Odd:
        return DECLINED
    if content is None:
        return DECLINED
    machine.output(descriptor, content + end)
    return len(content) + 1 if end else 1


def _puts(machine: Machine, text: Pointer) -> int | Declined:
    return _put(machine, text, _standard_output(machine), b"\n")


def _fputs(machine: Machine, text: Pointer, stream: Pointer) -> int | Declined:
    return _put(machine, text, stream, b"")


PRINTING: Final[dict[str, Callable[..., Any]]] = {
    "__precis_format_stream": _format_stream,
    "__precis_format_text": _format_text,
    "printf": _printf,
    "fprintf": _fprintf,
    "puts": _puts,
    "fputs": _fputs,
}

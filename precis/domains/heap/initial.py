"""What globals hold when the program starts."""

from __future__ import annotations

from precis.domains.heap.names import ANYTHING, Kind, Value, constant, name, pointer
from precis.domains.heap.sets import Values
from precis.ir.instr import BlockKind
from precis.ir.program import Program
from precis.ir.types import Int, Pointer, Type, scalar_bytes
from precis.ir.values import Term


def initial(program: Program, global_: str, offset: int, type_: Type) -> Value | None:
    """The scalar at an offset of a global, as it starts; None if nobody knows."""
    known = program.globals[global_]
    if known.external:
        return None
    size = scalar_bytes(type_, program.model)
    content = bytearray(size)
    for piece in known.pieces:
        length = _length(program, piece.value)
        if piece.offset >= offset + size or piece.offset + length <= offset:
            continue
        if piece.bits is not None:
            return None
        if isinstance(piece.value, Term) and piece.offset == offset and length == size:
            return _of_term(piece.value, type_)
        known_bytes = _bytes(piece.value, length)
        if known_bytes is None:
            return ANYTHING
        for at, byte in enumerate(known_bytes, piece.offset - offset):
            if 0 <= at < size:
                content[at] = byte
    if not isinstance(type_, Int | Pointer):
        return ANYTHING
    signed = isinstance(type_, Int) and type_.signed
    number = int.from_bytes(content, "little", signed=signed)
    return constant(number) if isinstance(type_, Int) or number == 0 else ANYTHING


def literal(program: Program, values: Values) -> bytes | None:
    """A text that is the same in every run."""
    if len(values) != 1:
        return None
    (value,) = values
    if value.base is None or value.base.kind is not Kind.GLOBAL or not value.is_constant:
        return None
    content = bytes_of(program, str(value.base.parts[0])) or b""
    start = value.number[0]
    end = content.find(0, start) if 0 <= start < len(content) else -1
    return None if end < 0 else content[start:end]


def bytes_of(program: Program, name: str) -> bytes | None:
    """The bytes of a global, if it is a literal."""
    known = program.globals[name]
    content = bytearray(known.size)
    for piece in known.pieces:
        if not isinstance(piece.value, bytes):
            return None
        content[piece.offset : piece.offset + len(piece.value)] = piece.value
    return bytes(content) if known.kind is BlockKind.LITERAL else None


def _bytes(value: Term | bytes, length: int) -> bytes | None:
    """The bytes of a piece; None of an address."""
    if isinstance(value, bytes):
        return value
    if value.op != "const" or not isinstance(value.type, Int) or not isinstance(value.data, int):
        return None
    return (value.data & ((1 << 8 * length) - 1)).to_bytes(length, "little")


def _length(program: Program, value: Term | bytes) -> int:
    return len(value) if isinstance(value, bytes) else scalar_bytes(value.type, program.model)


def _of_term(term: Term, type_: Type) -> Value:
    """A constant or an address."""
    moved = 0
    while term.op in ("offset", "cast"):
        if term.op == "offset":
            count = term.args[1]
            if count.op != "const":
                return ANYTHING
            moved += int(count.data or 0) * int(term.data or 0)
        elif not isinstance(term.type, Pointer):
            return ANYTHING
        term = term.args[0]
    match term.op:
        case "const" if not moved:
            number = int(term.data or 0)
            if isinstance(type_, Int):
                return constant(type_.wrap(number))
            return constant(0) if number == 0 else ANYTHING
        case "global":
            return pointer(name(Kind.GLOBAL, str(term.data)), moved)
        case "function":
            return pointer(name(Kind.CODE, str(term.data)), moved)
        case _:
            return ANYTHING

"""Types and their layout.

A type says how bytes are read, not what may be pointed to: pointers of different targets
convert freely, and the target only serves pictures and the guidance of heap analyses.
Records are nominal, so a type is a finite value even for recursive structures; their
layouts stand in `Program.records`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias


class DataModel(Enum):
    """The sizes of C's types on a machine."""

    LP64 = "LP64"
    ILP32 = "ILP32"

    @property
    def pointer_bytes(self) -> int:
        return 8 if self is DataModel.LP64 else 4

    @property
    def word(self) -> Int:
        """The signed integer as wide as a pointer: byte offsets and differences."""
        return Int(8 * self.pointer_bytes, True)


@dataclass(frozen=True, slots=True)
class Int:
    bits: int
    signed: bool

    @property
    def low(self) -> int:
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def high(self) -> int:
        return (1 << (self.bits - 1)) - 1 if self.signed else (1 << self.bits) - 1

    def wrap(self, value: int) -> int:
        """The value of this type that is equal to `value` modulo 2**bits."""
        value &= (1 << self.bits) - 1
        if self.signed and value >> (self.bits - 1):
            value -= 1 << self.bits
        return value


@dataclass(frozen=True, slots=True)
class Float:
    """32, 64, or 80 bits: a long double, computed as a double (an assumption)."""

    bits: int


@dataclass(frozen=True, slots=True)
class Pointer:
    target: Type


@dataclass(frozen=True, slots=True)
class Array:
    element: Type
    count: int | None  # None: of unknown length (flexible member, VLA, extern)


@dataclass(frozen=True, slots=True)
class Record:
    """A struct or union, by its name in `Program.records`."""

    name: str


@dataclass(frozen=True, slots=True)
class Function:
    result: Type
    parameters: tuple[Type, ...]
    variadic: bool = False


@dataclass(frozen=True, slots=True)
class Void:
    pass


@dataclass(frozen=True, slots=True)
class Logic:
    """A truth value: what comparisons give and branches take. Never in memory."""


Type: TypeAlias = Int | Float | Pointer | Array | Record | Function | Void | Logic

I8, U8 = Int(8, True), Int(8, False)
I16, U16 = Int(16, True), Int(16, False)
I32, U32 = Int(32, True), Int(32, False)
I64, U64 = Int(64, True), Int(64, False)
I128, U128 = Int(128, True), Int(128, False)
F32, F64, F80 = Float(32), Float(64), Float(80)
VOID = Void()
LOGIC = Logic()
VOID_POINTER = Pointer(VOID)


@dataclass(frozen=True, slots=True)
class BitRange:
    """A bit-field: `width` bits from bit `shift` (0 to 7) of the byte addressed, upwards."""

    shift: int
    width: int

    @property
    def bytes(self) -> int:
        """How many bytes the bits lie in."""
        return (self.shift + self.width + 7) // 8


@dataclass(frozen=True, slots=True)
class Field:
    name: str  # empty for an anonymous member
    type: Type
    offset: int  # in bytes; of the byte with the lowest bit, for a bit-field
    bits: BitRange | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """A record's fields in order of declaration; those of a union overlap."""

    name: str
    union: bool
    fields: tuple[Field, ...]
    size: int
    align: int


def is_scalar(type_: Type) -> bool:
    """Can a variable or a term have this type?"""
    return isinstance(type_, Int | Float | Pointer)


def scalar_bytes(type_: Type, model: DataModel) -> int:
    """The size in memory of a scalar type."""
    match type_:
        case Int(bits=bits):
            return bits // 8
        case Float(bits=80):
            return 16 if model is DataModel.LP64 else 12
        case Float(bits=bits):
            return bits // 8
        case Pointer():
            return model.pointer_bytes
        case _:
            raise ValueError(f"not a scalar type: {type_}")

"""Loads and stores of scalars.

The functions made here do the whole of an access: bounds, indeterminate bits, pointers and
pieces of pointers. Generated code calls them only where a block's `r`, `rb` or `w` says that
the bytes alone are not enough.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import partial
from random import Random
from struct import Struct
from typing import Final, TypeAlias, final

from precis.interp.faults import Fault, Refused
from precis.interp.memory import NUL, WILD, Block, Memory, Pointer, bad_access, settle
from precis.ir.types import BitRange, DataModel, Float, Int, Type, scalar_bytes
from precis.ir.types import Pointer as PointerType

Value: TypeAlias = int | float | Pointer
Loader: TypeAlias = Callable[[Block, int], Value]
Storer: TypeAlias = Callable[[Block, int, Value], None]

FULL: Final = tuple(b"\xff" * size for size in range(17))
FORMATS: Final = {
    Int(8, True): "b", Int(8, False): "B", Int(16, True): "h", Int(16, False): "H",
    Int(32, True): "i", Int(32, False): "I", Int(64, True): "q", Int(64, False): "Q",
    Float(32): "f", Float(64): "d", Float(80): "d",
}  # fmt: skip


class Reading(Enum):
    """Whether a load of indeterminate bits is a violation or gives any value."""

    CHECKED = "checked"
    ANY = "any"


@final
class Fragment(int):
    """A byte of a pointer, on its way from one place in memory to another."""

    pointer: Pointer
    index: int


@final
class Indeterminate(int):
    """A byte with indeterminate bits: those that `mask` lacks; `byte` holds the others."""

    mask: int
    byte: int


def fragment(value: int, pointer: Pointer, index: int) -> Fragment:
    made = Fragment(value)
    made.pointer, made.index = pointer, index
    return made


def indeterminate(value: int, mask: int, byte: int) -> Indeterminate:
    made = Indeterminate(value)
    made.mask, made.byte = mask, byte
    return made


def initialise(block: Block, offset: int, size: int, exposing: bool) -> None:
    """The bytes hold values from now on."""
    mask = block.mask
    assert mask is not None
    old = mask[offset : offset + size]
    missing = size - old.count(255)
    if missing:
        mask[offset : offset + size] = b"\xff" * size
        block.missing -= missing
        if not block.missing:
            block.mask = None
            settle(block, exposing)


def forget(block: Block, offset: int, size: int, width: int, exposing: bool) -> None:
    """The bytes are about to be overwritten: pointers that lie across become fragments."""
    ptrs, frags = block.ptrs, block.frags
    end = offset + size
    if size + width < len(ptrs):
        hit = [q for q in range(offset - width + 1, end) if q in ptrs]
    else:
        hit = [q for q in ptrs if offset - width < q < end]
    for start in hit:
        pointer = ptrs.pop(start)
        for index in range(width):
            if not offset <= start + index < end:
                frags[start + index] = (pointer, index)
    if frags:
        for at in [q for q in frags if offset <= q < end]:
            del frags[at]
    if not ptrs and not frags:
        settle(block, exposing)


def add_fragment(block: Block, at: int, pointer: Pointer, index: int, memory: Memory) -> None:
    """Put a byte of a pointer in; the last one makes the pointer whole again."""
    frags = block.frags
    frags[at] = (pointer, index)
    start, width = at - index, memory.pointer_bytes
    if all(frags.get(start + i) == (pointer, i) for i in range(width)):
        for i in range(width):
            del frags[start + i]
        block.ptrs[start] = pointer
    settle(block, memory.exposing)


def piece_at(block: Block, at: int, width: int) -> tuple[Pointer, int] | None:
    """The pointer that has a byte here, and which."""
    for start in range(at - width + 1, at + 1):
        pointer = block.ptrs.get(start)
        if pointer is not None:
            return pointer, at - start
    return block.frags.get(at)


def expose(block: Block, offset: int, size: int, memory: Memory) -> None:
    """Addresses of blocks are read as integers here."""
    for at in range(offset, offset + size):
        piece = piece_at(block, at, memory.pointer_bytes)
        if piece is not None:
            if memory.audited:
                raise Refused
            piece[0][0].exposed = True


def uninitialised(block: Block) -> Fault:
    return Fault("uninitialised-use", "use of memory that was never given a value", block)


class Cells:
    """The accesses to one memory; `random` gives the value of indeterminate bits."""

    def __init__(self, memory: Memory, model: DataModel, random: Random) -> None:
        self.memory = memory
        self.model = model
        self.random = random

    def any_value(self, type_: Type) -> Value:
        match type_:
            case Int(bits=bits):
                return type_.wrap(self.random.getrandbits(bits))
            case Float(bits=bits):
                return self.random.choice((0.0, 1.0, -1.5, 1e30, self.random.random()))
            case _:
                return (WILD, self.random.getrandbits(8 * self.memory.pointer_bytes) | 1)

    def loader(self, type_: Type, reading: Reading) -> Loader:
        if isinstance(type_, PointerType):
            return self._pointer_loader(type_, reading)
        if isinstance(type_, Int) and type_.bits == 8:
            return self._byte_loader(type_, reading)
        return self._plain_loader(type_, reading)

    def storer(self, type_: Type) -> Storer:
        if isinstance(type_, PointerType):
            return self._pointer_storer()
        if isinstance(type_, Int) and type_.bits == 8:
            return self._byte_storer(type_)
        return self._plain_storer(type_)

    def _plain_loader(self, type_: Type, reading: Reading) -> Loader:
        size = scalar_bytes(type_, self.model)
        unpack = _unpacker(type_)
        full = FULL[size]
        memory, any_value = self.memory, self.any_value

        def load(block: Block, offset: int) -> Value:
            if not 0 <= offset <= block.limit - size:
                raise bad_access(block, offset, size, "read")
            mask = block.mask
            if mask is not None and mask[offset : offset + size] != full:
                if reading is Reading.CHECKED:
                    raise uninitialised(block)
                return any_value(type_)
            if memory.exposing and (block.ptrs or block.frags):
                expose(block, offset, size, memory)
            return unpack(block.data, offset)

        return load

    def _byte_loader(self, type_: Int, reading: Reading) -> Loader:
        wrap, width, random = type_.wrap, self.memory.pointer_bytes, self.random
        audited = self.memory.audited

        def load(block: Block, offset: int) -> Value:
            if not 0 <= offset <= block.limit - 1:
                raise bad_access(block, offset, 1, "read")
            byte = block.data[offset]
            mask = block.mask
            if mask is not None and mask[offset] != 255:
                if reading is Reading.CHECKED:
                    raise uninitialised(block)
                known = mask[offset]
                value = byte & known | random.getrandbits(8) & ~known & 255
                return indeterminate(wrap(value), known, byte)
            if block.ptrs or block.frags:
                piece = piece_at(block, offset, width)
                if piece is not None:
                    if audited:
                        raise Refused
                    return fragment(wrap(byte), *piece)
            return wrap(byte)

        return load

    def _pointer_loader(self, type_: PointerType, reading: Reading) -> Loader:
        memory, any_value = self.memory, self.any_value
        size = memory.pointer_bytes
        full = FULL[size]
        resolve = memory.resolve

        def load(block: Block, offset: int) -> Value:
            if not 0 <= offset <= block.limit - size:
                raise bad_access(block, offset, size, "read")
            pointer = block.ptrs.get(offset)
            if pointer is not None:
                return pointer
            mask = block.mask
            if mask is not None and mask[offset : offset + size] != full:
                if reading is Reading.CHECKED:
                    raise uninitialised(block)
                return any_value(type_)
            value = int.from_bytes(block.data[offset : offset + size], "little")
            return resolve(value) if value else NUL

        return load

    def _plain_storer(self, type_: Type) -> Storer:
        size = scalar_bytes(type_, self.model)
        pack, memory = _packer(type_, size), self.memory
        width = memory.pointer_bytes

        def store(block: Block, offset: int, value: Value) -> None:
            if not 0 <= offset <= block.limit - size or not block.writable:
                raise bad_access(block, offset, size, "write")
            if block.ptrs or block.frags:
                forget(block, offset, size, width, memory.exposing)
            pack(block.data, offset, value)
            if block.mask is not None:
                initialise(block, offset, size, memory.exposing)

        return store

    def _byte_storer(self, type_: Int) -> Storer:
        memory = self.memory
        width = memory.pointer_bytes

        def store(block: Block, offset: int, value: Value) -> None:
            if not 0 <= offset <= block.limit - 1 or not block.writable:
                raise bad_access(block, offset, 1, "write")
            assert isinstance(value, int)
            if block.ptrs or block.frags:
                forget(block, offset, 1, width, memory.exposing)
            if isinstance(value, Indeterminate):
                self._spoil(block, offset, value)
                return
            block.data[offset] = value & 255
            if block.mask is not None:
                initialise(block, offset, 1, memory.exposing)
            if isinstance(value, Fragment):
                add_fragment(block, offset, value.pointer, value.index, memory)

        return store

    def _spoil(self, block: Block, offset: int, value: Indeterminate) -> None:
        """Store a byte with its indeterminate bits."""
        block.data[offset] = value.byte
        if block.mask is None:
            block.mask = bytearray(b"\xff" * block.size)
        if block.mask[offset] == 255:
            block.missing += 1
        block.mask[offset] = value.mask
        settle(block, self.memory.exposing)

    def _pointer_storer(self) -> Storer:
        memory = self.memory
        size = memory.pointer_bytes
        pack = Struct("<Q" if size == 8 else "<I").pack_into
        bits = (1 << 8 * size) - 1

        def store(block: Block, offset: int, value: Value) -> None:
            assert isinstance(value, tuple)
            ptrs = block.ptrs
            if offset in ptrs and block.writable:
                ptrs[offset] = value
                pack(block.data, offset, value[0].base + value[1] & bits)
                return
            if not 0 <= offset <= block.limit - size or not block.writable:
                raise bad_access(block, offset, size, "write")
            if ptrs or block.frags:
                forget(block, offset, size, size, memory.exposing)
            pack(block.data, offset, value[0].base + value[1] & bits)
            if block.mask is not None:
                initialise(block, offset, size, memory.exposing)
            block.ptrs[offset] = value
            settle(block, memory.exposing)

        return store

    def load_bits(self, type_: Int, bits: BitRange, reading: Reading) -> Loader:
        return partial(self._load_bits, type_, bits, reading)

    def _load_bits(
        self, type_: Int, bits: BitRange, reading: Reading, block: Block, offset: int
    ) -> Value:
        size = bits.bytes
        if not 0 <= offset <= block.limit - size:
            raise bad_access(block, offset, size, "read")
        if self.memory.audited:
            expose(block, offset, size, self.memory)
        ones = ((1 << bits.width) - 1) << bits.shift
        raw = int.from_bytes(block.data[offset : offset + size], "little")
        if block.mask is not None:
            known = int.from_bytes(block.mask[offset : offset + size], "little")
            if ones & ~known:
                if reading is Reading.CHECKED:
                    raise uninitialised(block)
                raw = raw & known | self.random.getrandbits(8 * size) & ~known
        return Int(bits.width, type_.signed).wrap((raw & ones) >> bits.shift)

    def store_bits(self, bits: BitRange) -> Storer:
        return partial(self._store_bits, bits)

    def _store_bits(self, bits: BitRange, block: Block, offset: int, value: Value) -> None:
        size, memory = bits.bytes, self.memory
        if not 0 <= offset <= block.limit - size or not block.writable:
            raise bad_access(block, offset, size, "write")
        assert isinstance(value, int)
        if block.ptrs or block.frags:
            forget(block, offset, size, memory.pointer_bytes, memory.exposing)
        ones = ((1 << bits.width) - 1) << bits.shift
        area = slice(offset, offset + size)
        raw = int.from_bytes(block.data[area], "little")
        raw = raw & ~ones | value << bits.shift & ones
        block.data[area] = raw.to_bytes(size, "little")
        if block.mask is not None:
            self._initialise_bits(block, offset, size, ones)

    def _initialise_bits(self, block: Block, offset: int, size: int, ones: int) -> None:
        assert block.mask is not None
        area = slice(offset, offset + size)
        old = block.mask[area]
        new = (int.from_bytes(old, "little") | ones).to_bytes(size, "little")
        block.mask[area] = new
        block.missing -= new.count(255) - old.count(255)
        if not block.missing:
            block.mask = None
            settle(block, self.memory.exposing)

    def check_read(self, block: Block, offset: int, size: int) -> None:
        """The obligation ValidRead; no size, no demand."""
        if size and not 0 <= offset <= block.limit - size:
            raise bad_access(block, offset, size, "read")

    def check_write(self, block: Block, offset: int, size: int) -> None:
        if size and (not 0 <= offset <= block.limit - size or not block.writable):
            raise bad_access(block, offset, size, "write")

    def check_initialised(self, block: Block, offset: int, size: int, ones: int) -> None:
        """The obligation InitialisedMemory; the bits of `ones` matter, counted from offset."""
        if block.mask is not None and 0 <= offset <= block.limit - size:
            known = int.from_bytes(block.mask[offset : offset + size], "little")
            if ones & ~known:
                raise uninitialised(block)


def _unpacker(type_: Type) -> Callable[[bytearray, int], Value]:
    if type_ == Int(128, True) or type_ == Int(128, False):
        signed = type_ == Int(128, True)
        return lambda data, at: int.from_bytes(data[at : at + 16], "little", signed=signed)
    assert isinstance(type_, Int | Float)
    unpack = Struct("<" + FORMATS[type_]).unpack_from
    return lambda data, at: unpack(data, at)[0]


def _packer(type_: Type, size: int) -> Callable[[bytearray, int, Value], None]:
    if isinstance(type_, Int) and type_.bits == 128:

        def pack_wide(data: bytearray, at: int, value: Value) -> None:
            assert isinstance(value, int)
            data[at : at + 16] = (value & (1 << 128) - 1).to_bytes(16, "little")

        return pack_wide
    assert isinstance(type_, Int | Float)
    return Struct("<" + FORMATS[type_] + "x" * (size - _packed(type_))).pack_into


def _packed(type_: Int | Float) -> int:
    return min(type_.bits, 64) // 8

"""Memory: blocks, and the addresses they lie at.

A pointer is a tuple (block, offset). A block keeps its bytes, a mask of the bits that are
initialised, and beside them the pointers stored in it, since bytes alone do not tell which
block an address belongs to. Pointers are in the bytes too, as addresses, so that integers
read over them come out right.

`limit` is the size of a live block and -1 of any other: `0 <= o <= limit - n` decides an
access of n bytes. `r`, `rb` and `w` are limits of the same kind for generated code: while
they hold, wide loads, loads of bytes, and stores need nothing but the bytes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from enum import Enum
from random import Random
from typing import Final, TypeAlias, final

from precis.interp.faults import Fault, OutOfMemory, Refused, Undefined
from precis.ir.instr import BlockKind
from precis.ir.location import NOWHERE, Location
from precis.ir.types import Type

CODE: Final = 0x400000  # addresses of procedures
STATICS: Final = 0x2000000
BLOCK_OVERHEAD: Final = 400  # bytes of ours per block, counted against the budget


class State(Enum):
    LIVE = "live"
    FREED = "freed"
    ENDED = "out of scope"


@final
class Block:
    __slots__ = (
        "base", "data", "ended", "exposed", "frags", "kind", "limit", "made", "mask", "missing",
        "name", "number", "procedure", "ptrs", "r", "rb", "room", "size", "state", "type", "w",
        "writable",
    )  # fmt: skip

    size: int
    limit: int
    data: bytearray
    mask: bytearray | None  # None: every bit is initialised
    missing: int  # how many bytes have a bit that is not
    ptrs: dict[int, Pointer]  # whole pointers, by offset
    frags: dict[int, tuple[Pointer, int]]  # bytes of pointers: which one, which byte
    r: int
    rb: int
    w: int
    kind: BlockKind
    state: State
    base: int
    room: int  # bytes taken of the address space
    number: int
    name: str
    type: Type | None
    made: Location
    ended: Location | None
    writable: bool
    exposed: bool  # its address was turned into an integer: it may come back from one
    procedure: str  # of a CODE block

    def __init__(self, kind: BlockKind, size: int, base: int, number: int) -> None:
        self.kind = kind
        self.size = size
        self.limit = size
        self.base = base
        self.number = number
        self.mask = None
        self.missing = 0
        self.ptrs = {}
        self.frags = {}
        self.state = State.LIVE
        self.writable = True
        self.exposed = False
        self.name = self.procedure = ""
        self.type = None
        self.made = NOWHERE
        self.ended = None
        self.r = self.rb = self.w = -1

    def __repr__(self) -> str:
        return f"<{self.kind.value} block {self.number}, {self.size} bytes, {self.state.value}>"


Pointer: TypeAlias = tuple[Block, int]


def _nothing() -> Block:
    block = Block(BlockKind.CODE, 0, 0, 0)
    block.limit = -1
    block.writable = False
    block.data = bytearray()
    return block


NULL: Final = _nothing()
WILD: Final = _nothing()  # what an integer points to that is no block's address
NUL: Final[Pointer] = (NULL, 0)


def settle(block: Block, exposing: bool = False) -> None:
    """Set the limits of generated code by the block's state."""
    if block.limit < 0 or block.mask is not None:
        block.r = block.rb = block.w = -1
        return
    plain = not block.ptrs and not block.frags
    block.r = block.size if plain or not exposing else -1
    block.rb = block.size if plain else -1
    block.w = block.size if plain and block.writable else -1


def bad_access(block: Block, offset: int, size: int, verb: str) -> Fault:
    """Why `size` bytes at the place cannot be read or written (the verb)."""
    if block is NULL:
        where = f" at offset {offset}" if offset else ""
        return Fault("null-dereference", f"{verb} through a null pointer{where}")
    if block is WILD:
        return Fault("invalid-pointer", f"{verb} at address {offset:#x}, which is no block's")
    if block.state is State.FREED:
        return Fault("use-after-free", f"{verb} of freed memory", block)
    if block.state is State.ENDED:
        return Fault("use-after-scope", f"{verb} of an object out of scope", block)
    if block.kind is BlockKind.CODE:
        return Fault("invalid-pointer", f"{verb} through the address of a procedure", block)
    if not 0 <= offset <= block.size - size:
        span = f"{size} byte{'s' if size != 1 else ''} at offset {offset}"
        text = f"{verb} of {span} of a block of {block.size}"
        return Fault("out-of-bounds", text, block)
    return Fault("invalid-pointer", f"{verb} to memory that must not be written", block)


class Region:
    """A range of addresses, handed out upwards with random gaps.

    The address of a dead block may be used again by one of the same room; the more such
    addresses wait, the likelier, so that a program that runs long does not use up the range.
    """

    __slots__ = ("bases", "by_base", "end", "free", "next", "random")

    def __init__(self, start: int, end: int, random: Callable[[], float]) -> None:
        self.next = start + 16 * int(random() * 4096)
        self.end = end
        self.random = random
        self.free: dict[int, list[int]] = {}
        self.bases: list[int] = []
        self.by_base: dict[int, Block] = {}

    def place(self, size: int, align: int) -> tuple[int, int]:
        """An address for a block, and the room it takes there."""
        room = (size + 15) & -16 or 16
        free = self.free.get(room)
        random = self.random
        if free and align <= 16:
            pick = int(random() * (len(free) + 1))
            if pick < len(free):
                base = free[pick]
                free[pick] = free[-1]
                free.pop()
                return base, room
        gap = int(random() * 4)
        base = self.next if gap != 1 else self.next + 16 * int(random() * 8)
        if align > 16:
            base = (base + align - 1) & -align
        if base + room > self.end:
            raise OutOfMemory("addresses")
        self.next = base + room
        self.bases.append(base)
        return base, room

    def release(self, block: Block) -> None:
        self.free.setdefault(block.room, []).append(block.base)

    def find(self, address: int) -> Pointer | None:
        """The block at an address, or one that ends there if none begins there."""
        index = bisect_right(self.bases, address) - 1
        if index < 0:
            return None
        block = self.by_base[self.bases[index]]
        offset = address - block.base
        return (block, offset) if offset <= block.size else None


class Memory:
    """All blocks of a run. `random` decides where they lie."""

    def __init__(
        self, pointer_bytes: int, random: Random, budget: int | None, procedures: int = 0
    ) -> None:
        self.pointer_bytes = pointer_bytes
        wide = pointer_bytes == 8
        draw = random.random
        top = 1 << (47 if wide else 32)
        self.code: dict[int, Block] = {}  # by address
        self._first_code = CODE + 16 * int(draw() * 4096)
        self.statics = Region(STATICS, 0x10000000, draw)
        self.heap_region = Region(0x10000000, top * 5 // 8, draw)
        self.stack_region = Region(top * 11 // 16, top - 0x10000, draw)
        self.made = procedures  # their blocks come first
        self.used = 0
        self.budget = budget if budget is not None else 1 << 62
        self.heap: dict[int, Block] = {}  # live heap blocks by number
        self.audited = False  # nothing may depend on addresses
        self.exposing = False  # leaks are checked: loads of addresses as integers must be seen

    def region(self, kind: BlockKind) -> Region:
        if kind is BlockKind.HEAP:
            return self.heap_region
        return self.stack_region if kind is BlockKind.STACK else self.statics

    def make(self, kind: BlockKind, size: int, at: Location, align: int = 1) -> Block:
        """A live block without content: the caller gives it some."""
        if size < 0:
            raise Undefined(f"an object of {size} bytes")
        self.used += size + BLOCK_OVERHEAD
        if self.used > self.budget:
            raise OutOfMemory("memory")
        region = self.region(kind)
        base, room = region.place(size, align)
        self.made += 1
        block = Block(kind, size, base, self.made)
        block.room = room
        block.made = at
        region.by_base[base] = block
        if kind is BlockKind.HEAP:
            self.heap[self.made] = block
        return block

    def make_code(self, index: int, name: str, at: Location) -> Block:
        """The block of a procedure, whose place among the procedures decides where it lies."""
        block = Block(BlockKind.CODE, 0, self._first_code + 16 * index, index + 1)
        block.data = bytearray()
        block.limit = -1
        block.room = 16
        block.made = at
        block.name = block.procedure = name
        self.code[block.base] = block
        return block

    def make_zero(self, kind: BlockKind, size: int, at: Location, align: int = 1) -> Block:
        block = self.make(kind, size, at, align)
        block.data = bytearray(size)
        block.r = block.rb = block.w = size
        return block

    def make_fresh(self, kind: BlockKind, size: int, at: Location, align: int = 1) -> Block:
        """A block with indeterminate content."""
        block = self.make(kind, size, at, align)
        block.data = bytearray(size)
        block.mask = bytearray(size)
        block.missing = size
        return block

    def end(self, block: Block, state: State, at: Location) -> None:
        self.used -= block.size + BLOCK_OVERHEAD
        block.state = state
        block.limit = block.r = block.rb = block.w = -1
        block.ended = at
        block.data = bytearray()
        block.mask = None
        block.ptrs = {}
        block.frags = {}
        self.region(block.kind).release(block)
        if block.kind is BlockKind.HEAP:
            del self.heap[block.number]

    def free(self, pointer: Pointer, at: Location) -> None:
        block, offset = pointer
        if block.kind is BlockKind.HEAP and not offset and block.limit >= 0:
            self.end(block, State.FREED, at)
        elif pointer[0].base + offset:
            raise bad_free(pointer)

    def resolve(self, address: int) -> Pointer:
        """The pointer that an integer stands for."""
        if not address:
            return NUL
        if self.audited:
            raise Refused
        for region in (self.heap_region, self.stack_region, self.statics):
            found = region.find(address)
            if found is not None:
                return found
        return (self.code[address], 0) if address in self.code else (WILD, address)


def bad_free(pointer: Pointer) -> Fault:
    block, offset = pointer
    if block is NULL or block is WILD:
        return Fault("invalid-free", f"free of address {offset:#x}, which is no block's")
    if block.kind is not BlockKind.HEAP:
        return Fault("invalid-free", f"free of memory that is not heap ({block.kind.value})", block)
    if offset:
        return Fault("invalid-free", f"free of a pointer {offset} bytes into a block", block)
    return Fault("double-free", "free of memory that is freed already", block)


def check_free(pointer: Pointer) -> None:
    """The obligation ValidFree."""
    block, offset = pointer
    start = not offset and block.kind is BlockKind.HEAP and block.limit >= 0
    if not start and block.base + offset:
        raise bad_free(pointer)

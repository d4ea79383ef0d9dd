"""Blocks: pointers in bytes, indeterminate bits, copies, addresses."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from precis.interp import bulk
from precis.interp.cells import Cells, Fragment, Indeterminate, Reading
from precis.interp.faults import Fault, OutOfMemory
from precis.interp.memory import NUL, NULL, WILD, Block, Memory, State
from precis.ir.instr import BlockKind
from precis.ir.location import NOWHERE
from precis.ir.types import (
    I8,
    I32,
    I64,
    U8,
    U16,
    U64,
    VOID_POINTER,
    BitRange,
    DataModel,
    Type,
)


class Place:
    """A memory with a fresh block of 32 bytes and a target for pointers."""

    def __init__(self, model: DataModel = DataModel.LP64, seed: int = 0) -> None:
        self.memory = Memory(model.pointer_bytes, Random(seed), None)
        self.cells = Cells(self.memory, model, Random(1))
        self.block = self.memory.make_fresh(BlockKind.HEAP, 32, NOWHERE)
        self.other = self.memory.make_zero(BlockKind.HEAP, 16, NOWHERE)

    def store(self, type_: Type, at: int, value: object, block: Block | None = None) -> None:
        self.cells.storer(type_)(block or self.block, at, value)  # type: ignore[arg-type]

    def load(self, type_: Type, at: int, block: Block | None = None) -> object:
        return self.cells.loader(type_, Reading.CHECKED)(block or self.block, at)

    def byte(self, at: int, block: Block | None = None) -> object:
        return self.cells.loader(U8, Reading.ANY)(block or self.block, at)


def test_pointer_reads_back_as_the_address() -> None:
    place = Place()
    place.store(VOID_POINTER, 8, (place.other, 3))
    assert place.load(VOID_POINTER, 8) == (place.other, 3)
    assert place.load(U64, 8) == place.other.base + 3


def test_pointer_in_four_bytes() -> None:
    place = Place(DataModel.ILP32)
    place.store(VOID_POINTER, 4, (place.other, 3))
    place.store(VOID_POINTER, 8, NUL)
    assert place.load(VOID_POINTER, 4) == (place.other, 3)
    assert place.load(VOID_POINTER, 8) == NUL
    assert place.other.base < 2**32


def test_integer_over_a_pointer_takes_it_away() -> None:
    place = Place()
    place.store(VOID_POINTER, 8, (place.other, 0))
    place.store(I64, 8, 77)
    assert place.load(VOID_POINTER, 8) == (WILD, 77)
    place.store(VOID_POINTER, 8, (place.other, 0))
    place.store(I64, 8, 0)
    assert place.load(VOID_POINTER, 8) == NUL


def test_integer_that_is_an_address_is_a_pointer() -> None:
    place = Place()
    place.store(U64, 0, place.other.base + 2)
    assert place.load(VOID_POINTER, 0) == (place.other, 2)


def test_overwriting_a_part_of_a_pointer_leaves_the_other_bytes() -> None:
    place = Place()
    place.store(VOID_POINTER, 8, (place.other, 0))
    place.store(U16, 10, 0)
    assert isinstance(place.byte(9), Fragment)
    assert not isinstance(place.byte(10), Fragment)
    assert isinstance(place.byte(12), Fragment)
    address = place.other.base.to_bytes(8, "little")
    assert place.load(U64, 8) == int.from_bytes(address[:2] + b"\0\0" + address[4:], "little")


def test_bytes_put_back_make_the_pointer_whole() -> None:
    place = Place()
    place.store(VOID_POINTER, 0, (place.other, 5))
    for type_ in (U8, I8):
        for index in (3, 0, 7, 1, 2, 6, 4, 5):
            place.store(
                type_, 16 + index, place.cells.loader(type_, Reading.ANY)(place.block, index)
            )
        assert place.block.ptrs[16] == (place.other, 5)
        assert not place.block.frags
        place.store(I64, 16, 0)


def test_bytes_of_different_pointers_do_not_make_one() -> None:
    place = Place()
    place.store(VOID_POINTER, 0, (place.other, 5))
    place.store(VOID_POINTER, 8, (place.other, 6))
    for index in range(8):
        place.store(U8, 16 + index, place.byte(index + (8 if index == 4 else 0)))
    assert 16 not in place.block.ptrs


def test_pointers_at_odd_places() -> None:
    place = Place()
    place.store(VOID_POINTER, 3, (place.other, 1))
    place.store(VOID_POINTER, 11, (place.other, 2))
    assert place.load(VOID_POINTER, 3) == (place.other, 1)
    place.store(VOID_POINTER, 7, (place.other, 3))
    assert set(place.block.ptrs) == {7}
    assert place.load(VOID_POINTER, 7) == (place.other, 3)


def test_fresh_memory_is_indeterminate_until_written() -> None:
    place = Place()
    for at in range(0, 32, 4):
        with pytest.raises(Fault, match="uninitialised-use"):
            place.load(I32, at)
        place.store(I32, at, at)
        assert place.load(I32, at) == at
    assert place.block.mask is None
    assert place.block.r == place.block.rb == place.block.w == 32


def test_partly_written_value_is_indeterminate() -> None:
    place = Place()
    place.store(U8, 0, 1)
    place.store(U8, 1, 1)
    place.store(U8, 3, 1)
    with pytest.raises(Fault):
        place.load(I32, 0)
    place.store(U8, 2, 1)
    assert place.load(I32, 0) == 0x01010101


def test_indeterminate_bytes_are_copied_as_such() -> None:
    place = Place()
    bulk.fill(place.memory, (place.block, 0), 7, 32)
    fresh = place.memory.make_fresh(BlockKind.HEAP, 4, NOWHERE)
    byte = place.byte(0, fresh)
    assert isinstance(byte, Indeterminate)
    place.store(U8, 5, byte)
    with pytest.raises(Fault):
        place.load(U8, 5)
    assert place.block.r == place.block.w == -1
    assert place.load(U8, 4) == 7
    place.store(U8, 5, 9)
    assert place.block.mask is None
    assert place.load(U8, 5) == 9


def test_known_bits_of_an_indeterminate_byte_survive() -> None:
    place = Place()
    place.cells.store_bits(BitRange(0, 4))(place.block, 0, 0b1011)
    for _ in range(8):
        byte = place.byte(0)
        assert isinstance(byte, Indeterminate)
        assert byte & 15 == 0b1011
    place.store(U8, 1, place.byte(0))
    load = place.cells.load_bits(I32, BitRange(0, 4), Reading.CHECKED)
    assert load(place.block, 1) == I32.wrap(0b1011) - 16
    with pytest.raises(Fault):
        place.cells.load_bits(I32, BitRange(0, 5), Reading.CHECKED)(place.block, 1)


def test_unchecked_reads_of_indeterminate_bits_differ() -> None:
    place = Place()
    load = place.cells.loader(U64, Reading.ANY)
    assert len({load(place.block, 0) for _ in range(5)}) == 5
    pointer = place.cells.loader(VOID_POINTER, Reading.ANY)(place.block, 0)
    assert isinstance(pointer, tuple) and pointer[0] is WILD
    bits = place.cells.load_bits(I32, BitRange(0, 16), Reading.ANY)
    assert len({bits(place.block, 0) for _ in range(8)}) > 1


def test_copy_takes_pointers_and_indeterminacy_along() -> None:
    place = Place()
    target = place.memory.make_zero(BlockKind.HEAP, 32, NOWHERE)
    place.store(VOID_POINTER, 8, (place.other, 4))
    bulk.copy(place.memory, (target, 4), (place.block, 4), 16)
    assert place.load(VOID_POINTER, 8, target) == (place.other, 4)
    with pytest.raises(Fault):
        place.load(U8, 4, target)
    assert place.load(U8, 0, target) == 0
    assert place.load(U8, 20, target) == 0


def test_copy_of_a_part_of_a_pointer_and_the_rest() -> None:
    place = Place()
    target = place.memory.make_zero(BlockKind.HEAP, 16, NOWHERE)
    place.store(VOID_POINTER, 0, (place.other, 4))
    bulk.copy(place.memory, (target, 0), (place.block, 0), 3)
    assert not target.ptrs
    assert len(target.frags) == 3
    bulk.copy(place.memory, (target, 3), (place.block, 3), 5)
    assert place.load(VOID_POINTER, 0, target) == (place.other, 4)
    assert not target.frags


def test_copy_over_pointers_takes_them_away() -> None:
    place = Place()
    target = place.memory.make_zero(BlockKind.HEAP, 16, NOWHERE)
    place.store(VOID_POINTER, 0, (place.other, 4), target)
    place.store(I64, 0, 5)
    bulk.copy(place.memory, (target, 0), (place.block, 0), 8)
    assert not target.ptrs
    assert target.rb == target.w == 16
    assert place.load(I64, 0, target) == 5


def test_copy_inside_a_block_moves_pointers() -> None:
    place = Place()
    bulk.fill(place.memory, (place.block, 0), 0, 32)
    place.store(VOID_POINTER, 0, (place.other, 1))
    place.store(VOID_POINTER, 8, (place.other, 2))
    bulk.copy(place.memory, (place.block, 8), (place.block, 0), 16)
    assert [place.load(VOID_POINTER, at) for at in (0, 8, 16)] == [
        (place.other, 1),
        (place.other, 1),
        (place.other, 2),
    ]


def test_fill_initialises_and_takes_pointers_away() -> None:
    place = Place()
    place.store(VOID_POINTER, 8, (place.other, 1))
    bulk.fill(place.memory, (place.block, 0), 256 + 3, 32)
    assert place.load(U8, 9) == 3
    assert not place.block.ptrs
    assert place.block.mask is None
    assert place.block.w == 32


def test_limits_follow_what_a_block_holds() -> None:
    place = Place()
    other = place.other
    assert (other.r, other.rb, other.w) == (16, 16, 16)
    place.store(VOID_POINTER, 0, NUL, other)
    assert (other.r, other.rb, other.w) == (16, -1, -1)
    place.store(I64, 0, 1, other)
    assert (other.r, other.rb, other.w) == (16, 16, 16)
    place.memory.exposing = True
    place.store(VOID_POINTER, 0, NUL, other)
    assert (other.r, other.rb, other.w) == (-1, -1, -1)
    place.memory.free((other, 0), NOWHERE)
    assert (other.r, other.rb, other.w, other.limit) == (-1, -1, -1, -1)


def test_reading_an_address_as_an_integer_exposes_the_block() -> None:
    place = Place()
    place.memory.exposing = True
    place.store(VOID_POINTER, 0, (place.other, 0))
    place.load(I32, 8 - 8 + 0)
    assert place.other.exposed
    assert not place.block.exposed


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("pcbw"), st.integers(0, 24), st.integers(0, 24),
                          st.integers(0, 8)), max_size=12))  # fmt: skip
def test_memory_agrees_with_bytes_and_marks(actions: list[tuple[str, int, int, int]]) -> None:
    """Against a model that keeps, for each byte, what it is."""
    place = Place()
    cells: list[object] = [None] * 32
    address = (place.other.base + 1).to_bytes(8, "little")
    for kind, at, source, size in actions:
        if kind == "p":
            place.store(VOID_POINTER, at, (place.other, 1))
            cells[at : at + 8] = [("p", i) for i in range(8)]
        elif kind == "w":
            place.store(I32, at, 0x04030201)
            cells[at : at + 4] = [1, 2, 3, 4]
        elif kind == "b":
            place.store(U8, at, place.byte(source))
            cells[at] = cells[source]
        else:
            bulk.copy(place.memory, (place.block, at), (place.block, source), size)
            cells[at : at + size] = cells[source : source + size]
    for at, cell in enumerate(cells):
        byte = place.byte(at)
        if cell is None:
            assert isinstance(byte, Indeterminate)
        elif isinstance(cell, tuple):
            assert isinstance(byte, Fragment)
            assert (byte.pointer, byte.index, int(byte)) == (
                (place.other, 1),
                cell[1],
                address[cell[1]],
            )
        else:
            assert byte == cell and type(byte) is int
    for at in range(25):
        if cells[at : at + 8] == [("p", i) for i in range(8)]:
            assert place.load(VOID_POINTER, at) == (place.other, 1)


def test_addresses_do_not_overlap_and_may_touch() -> None:
    touching = 0
    for seed in range(20):
        memory = Memory(8, Random(seed), None)
        blocks = [memory.make_fresh(BlockKind.HEAP, 1 + 16 * (i % 3), NOWHERE) for i in range(20)]
        blocks += [memory.make_fresh(BlockKind.HEAP, 32, NOWHERE) for _ in range(20)]
        blocks.sort(key=lambda block: block.base)
        for one, two in pairwise(blocks):
            assert one.base % 16 == 0
            assert one.base + one.size <= two.base
            touching += one.base + one.size == two.base
    assert touching


def test_alignment_beyond_16() -> None:
    memory = Memory(8, Random(0), None)
    for _ in range(8):
        assert memory.make_zero(BlockKind.GLOBAL, 8, NOWHERE, 256).base % 256 == 0


def test_addresses_are_used_again_or_not() -> None:
    seen = set()
    for seed in range(12):
        memory = Memory(8, Random(seed), None)
        first = memory.make_fresh(BlockKind.HEAP, 4, NOWHERE)
        memory.free((first, 0), NOWHERE)
        second = memory.make_fresh(BlockKind.HEAP, 4, NOWHERE)
        seen.add(first.base == second.base)
        third = memory.make_fresh(BlockKind.HEAP, 4, NOWHERE)
        assert third.base != second.base
    assert seen == {True, False}


def test_addresses_do_not_run_out_in_a_long_run() -> None:
    memory = Memory(4, Random(0), None)
    for _ in range(20_000):
        block = memory.make_fresh(BlockKind.STACK, 64, NOWHERE)
        memory.end(block, State.ENDED, NOWHERE)
    assert len(memory.stack_region.bases) < 1000


def test_integers_resolve_to_the_block_that_lives_there() -> None:
    place = Place()
    block = place.other
    assert place.memory.resolve(block.base) == (block, 0)
    assert place.memory.resolve(block.base + 16)[1] in (0, 16)
    assert place.memory.resolve(0) == NUL
    assert place.memory.resolve(3) == (WILD, 3)
    assert place.memory.resolve(2**63) == (WILD, 2**63)
    place.memory.free((block, 0), NOWHERE)
    assert place.memory.resolve(block.base) == (block, 0)


def test_budget() -> None:
    memory = Memory(8, Random(0), 10_000)
    block = memory.make_fresh(BlockKind.HEAP, 5000, NOWHERE)
    with pytest.raises(OutOfMemory):
        memory.make_fresh(BlockKind.HEAP, 5000, NOWHERE)
    memory = Memory(8, Random(0), 10_000)
    for _ in range(50):
        block = memory.make_fresh(BlockKind.HEAP, 5000, NOWHERE)
        memory.free((block, 0), NOWHERE)


def test_null_is_no_block() -> None:
    assert NULL.limit == WILD.limit == -1
    assert NULL.base == WILD.base == 0

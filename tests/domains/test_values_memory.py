"""Abstract blocks against bytes: whatever is done to both, reads of the one cover the other.

A *pair* is an abstract block and some concrete ones that it describes. Each step of a test
changes one pair: the concrete blocks by one of the ways in which the abstract operation may go.
Afterwards every read, of each type at each offset, must cover what the concrete blocks hold; and
what `leq_blocks` says must be true.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from precis.domains.values import bulk, memory, num
from precis.domains.values.memory import (
    ALL_UNSET,
    ALL_ZERO,
    LIVE,
    Block,
    kind_of,
    load,
    rename_block,
    smashed,
    store,
)
from precis.domains.values.memory_order import join_blocks, leq_blocks, narrow_blocks, widen_blocks
from precis.domains.values.num import Num
from precis.domains.values.value import FLOAT, UNSET, ZERO, Pointers, Value
from precis.ir.types import (
    F32,
    F64,
    F80,
    I8,
    I16,
    I32,
    I64,
    I128,
    U8,
    U16,
    U32,
    U64,
    U128,
    VOID_POINTER,
    DataModel,
    Float,
    Int,
    Pointer,
    Type,
    scalar_bytes,
)
from tests.laws.byte_model import (
    WIDTH,
    Byte,
    covers,
    number_bytes,
    pointer_bytes,
)
from tests.laws.strategies import dice_of, many_examples
from tests.laws.term_dice import Dice

TYPES: tuple[Type, ...] = (
    U8, I8, U16, I16, U32, I32, U64, I64, U128, I128, F32, F64, F80, VOID_POINTER,
)  # fmt: skip
TARGETS = (1, 2, 3)  # blocks that pointers lead to
THRESHOLDS = (-1, 0, 1, 7, 100)
SITE = ("p", 0, 0)


def bytes_of(type_: Type) -> int:
    return scalar_bytes(type_, DataModel.LP64)


@dataclass(slots=True)
class Pair:
    block: Block
    members: list[list[Byte]]

    def copy(self) -> Pair:
        return Pair(self.block, [list(member) for member in self.members])


@dataclass(slots=True)
class Session:
    """Some pairs, changed step by step; `story` tells how."""

    dice: Dice
    pairs: list[Pair] = field(default_factory=list)
    story: list[str] = field(default_factory=list)

    def start(self) -> None:
        low = self.dice.pick((16, 8, 24, 12))
        sizes = self.dice.pick((num.const(low), num.make(low, low + 8, 4), num.make(low, low + 2)))
        for _ in range(2):
            empty = self.dice.pick((ALL_ZERO, ALL_UNSET))
            byte: Byte = 0 if empty is ALL_ZERO else None
            members = [[byte] * self.dice.pick(num.values_of(sizes)) for _ in range(3)]
            self.pairs.append(Pair(Block("heap", sizes, LIVE, False, {}, empty, SITE), members))
            self.story.append(f"start {sizes} {empty}")

    # Choices.

    def number(self, type_: Int) -> Num:
        edges = (0, 1, 5, type_.high, type_.low, 0x01020304 & type_.high)
        low, high = sorted((self.dice.pick(edges), self.dice.pick(edges)))
        step = self.dice.pick((1, 2, 7))
        return num.make(low, high, step) if low < high else num.const(low)

    def pointers(self) -> Pointers:
        blocks = [b for b in TARGETS if self.dice.chance()] or [TARGETS[0]]
        offsets = (ZERO, num.const(8), num.make(0, 8, 4), num.make(-4, 4))
        return tuple((block, self.dice.pick(offsets)) for block in blocks)

    def value(self, type_: Type) -> Value:
        if self.dice.below(6) == 5:
            return UNSET
        unset = self.dice.below(5) == 4
        if isinstance(type_, Float):
            return (FLOAT[0], (), unset)
        if isinstance(type_, Pointer):
            null = self.dice.pick((None, ZERO))
            pointers = self.pointers() if null is None or self.dice.chance() else ()
            return (null, pointers, unset)
        assert isinstance(type_, Int)
        if type_.bits == 8 * WIDTH and self.dice.below(4) == 3:
            return (self.dice.pick((None, self.number(type_))), self.pointers(), unset)
        return (self.number(type_), (), unset)

    def chosen(self, value: Value, size: int) -> list[Byte]:
        """One of the contents that a value describes."""
        number, pointers, unset = value
        ways: list[str] = []
        ways += ["number"] if number is not None else []
        ways += ["pointer"] if pointers else []
        ways += ["unset"] if unset else []
        match self.dice.pick(ways or ["float"]):
            case "number":
                assert number is not None
                return number_bytes(self.within(number), size)
            case "pointer":
                block, offset = self.dice.pick(pointers)
                return pointer_bytes(block, self.within(offset))
            case "unset":
                return [None] * size
            case _:
                return [self.dice.pick((0, 1, 0x3F, 0xFF)) for _ in range(size)]

    def within(self, number: Num) -> int:
        values = num.values_of(number)
        last = len(values) - 1 if num.count(number) < 1 << 62 else -1
        if last < 0:
            return self.dice.pick((number[0], number[1], number[0] + number[2]))
        return values[self.dice.pick((0, last, last // 2, self.dice.below(min(last, 40) + 1)))]

    def offset(self, block: Block, size: int) -> Num | None:
        """A place for an access, exact or not."""
        last = block.size[1] - size
        if last < 0:
            return None
        low = self.dice.below(last + 1)
        if self.dice.below(3):
            return num.const(low - low % size if self.dice.chance() else low)
        step = self.dice.pick((1, size, 4, 8, 2))
        return num.make(low, self.dice.pick((last, min(low + step, last))), step)

    def place(self, offset: Num, size: int, member: list[Byte]) -> int | None:
        """One of the offsets at which the access is valid; a block has no other ones."""
        fits = [at for at in num.values_of(offset) if 0 <= at <= len(member) - size]
        return self.dice.pick(fits) if fits else None

    # Steps.

    def step(self) -> Pair:
        pair = self.dice.pick(self.pairs)
        match self.dice.below(12):
            case 0 | 1 | 2:
                self.stores(pair)
            case 3:
                self.fills(pair)
            case 4 | 5:
                self.copies(pair)
            case 6:
                self.blurs(pair)
            case 7:
                self.joins(pair)
            case 8:
                self.smashes(pair)
            case 9:
                self.moves(pair)
            case 10:
                self.renames(pair)
            case _:
                self.forks(pair)
        return pair

    def written(self, pair: Pair, block: Block, offset: Num, sure: bool,
                contents: list[list[Byte]]) -> None:  # fmt: skip
        """Each member gets its content at one place, or, if that is not sure, maybe not.

        A member for which no place is valid is none any more.
        """
        members = []
        for member, content in zip(pair.members, contents, strict=True):
            at = self.place(offset, len(content), member)
            if at is None:
                continue
            if sure or self.dice.chance():
                member[at : at + len(content)] = content
            members.append(member)
        pair.block, pair.members = block, members

    def stores(self, pair: Pair) -> None:
        type_ = self.dice.pick(TYPES)
        size, value = bytes_of(type_), self.value(type_)
        offset = self.offset(pair.block, size)
        if offset is None:
            return
        sure = self.dice.below(3) > 0
        self.story.append(f"store {offset} {type_} {value} sure={sure}")
        block = store(pair.block, offset, size, kind_of(type_), value, sure)
        self.written(pair, block, offset, sure, [self.chosen(value, size) for _ in pair.members])

    def moves(self, pair: Pair) -> None:
        """A load into a variable, and a store of that; what is unset in it stays unset."""
        source, type_ = self.dice.pick(self.pairs), self.dice.pick(TYPES)
        size = bytes_of(type_)
        start, to = self.offset(source.block, size), self.offset(pair.block, size)
        if start is None or to is None or not source.members:
            return
        value = load(source.block, start, size, type_)
        contents: list[list[Byte]] = []
        for member in pair.members:
            other = member if source is pair else self.dice.pick(source.members)
            at = self.place(start, size, other)
            content = [] if at is None else self.carried(other[at : at + size], type_)
            contents.append(content)
        sure = self.dice.chance()
        self.story.append(f"move {start} to {to} {type_} {value} sure={sure}")
        block = store(pair.block, to, size, kind_of(type_), value, sure)
        kept = [(m, c) for m, c in zip(pair.members, contents, strict=True) if c]
        pair.members = [member for member, _ in kept]
        self.written(pair, block, to, sure, [content for _, content in kept])

    def carried(self, content: list[Byte], type_: Type) -> list[Byte]:
        """What a variable of the type makes of bytes: bytes and pointers stay what they are."""
        if any(byte is None for byte in content):
            return [None] * len(content)
        return content

    def fills(self, pair: Pair) -> None:
        byte = self.number(self.dice.pick((U8, I32)))
        size, offset = self.extent(pair.block), None
        offset = self.offset(pair.block, max(size[0], 1))
        if offset is None:
            return
        sure = self.dice.chance()
        self.story.append(f"fill {offset} with {byte} size {size} sure={sure}")
        block = bulk.fill(pair.block, offset, byte, size, sure)
        contents: list[list[Byte]] = [
            [self.within(byte) & 255] * self.within(size) for _ in pair.members
        ]
        self.written(pair, block, offset, sure, contents)

    def extent(self, block: Block) -> Num:
        """The number of bytes of a copy or fill."""
        most = block.size[1]
        low = 1 + self.dice.below(most)
        if self.dice.chance():
            return num.const(self.dice.pick((low, most, 8)))
        return num.make(low, self.dice.pick((most, low + 4)), self.dice.pick((1, 4)))

    def copies(self, pair: Pair) -> None:
        source = self.dice.pick(self.pairs)
        size = self.extent(pair.block)
        start, to = self.offset(source.block, size[0]), self.offset(pair.block, size[0])
        if start is None or to is None or not source.members:
            return
        sure = self.dice.chance()
        self.story.append(f"copy {start} to {to} size {size} sure={sure} self={source is pair}")
        block = bulk.copy(pair.block, to, source.block, start, size, sure)
        members, contents = [], []
        for member in pair.members:
            other = member if source is pair else self.dice.pick(source.members)
            count = self.within(size)
            at = self.place(start, count, other)
            if at is not None:
                members.append(member)
                contents.append(other[at : at + count])
        pair.members = members
        self.written(pair, block, to, sure, contents)

    def blurs(self, pair: Pair) -> None:
        size = 1 + self.dice.below(pair.block.size[1])
        offset = self.offset(pair.block, size)
        if offset is None:
            return
        pointers = self.pointers() if self.dice.chance() else ()
        unset = self.dice.chance()
        self.story.append(f"blur {offset} {size} {pointers} unset={unset}")
        block = bulk.blur(pair.block, offset, size, pointers, unset)
        contents = [self.noise(size, pointers, unset) for _ in pair.members]
        self.written(pair, block, offset, False, contents)

    def noise(self, size: int, pointers: Pointers, unset: bool) -> list[Byte]:
        content: list[Byte] = [self.dice.pick((0, 1, 0xFF)) for _ in range(size)]
        if unset and self.dice.chance():
            content[self.dice.below(size)] = None
        if pointers and size >= WIDTH and self.dice.chance():
            block, offset = self.dice.pick(pointers)
            at = self.dice.below(size - WIDTH + 1)
            content[at : at + WIDTH] = pointer_bytes(block, self.within(offset))
        return content

    def joins(self, pair: Pair) -> None:
        other = self.dice.pick(self.pairs)
        joined = join_blocks(pair.block, other.block)
        way = self.dice.pick(("join", "widen", "narrow"))
        self.story.append(f"{way} self={other is pair}")
        before = pair.copy()
        members = pair.members + [list(member) for member in other.members if other is not pair]
        if way == "widen":
            joined = widen_blocks(pair.block, joined, THRESHOLDS)
        if way == "narrow":
            if leq_blocks(pair.block, joined):
                check(Pair(narrow_blocks(joined, pair.block), before.members), self.story)
            return
        pair.block, pair.members = joined, members[:5]
        assert leq_blocks(before.block, joined), (
            "below its join",
            before.block.key(),
            joined.key(),
        )
        assert leq_blocks(other.block, joined), ("below its join", other.block.key(), joined.key())

    def smashes(self, pair: Pair) -> None:
        self.story.append("smash")
        pair.block = smashed(pair.block)

    def renames(self, pair: Pair) -> None:
        self.story.append("rename 1 <-> 2")
        names = {1: 2, 2: 1}
        pair.block = rename_block(pair.block, names)
        for member in pair.members:
            for at, byte in enumerate(member):
                if isinstance(byte, tuple):
                    member[at] = byte._replace(block=names.get(byte.block, byte.block))

    def forks(self, pair: Pair) -> None:
        self.story.append("fork")
        self.pairs[self.dice.below(len(self.pairs))] = pair.copy()


def check(pair: Pair, story: list[str]) -> None:
    """Every read covers what each member holds."""
    for type_ in TYPES:
        size = bytes_of(type_)
        for at in range(pair.block.size[1] - size + 1):
            value = load(pair.block, num.const(at), size, type_)
            for member in pair.members:
                content = member[at : at + size]
                if len(content) == size:
                    told = tell(pair, story, at, type_, value, content)
                    assert covers(value, content, type_), told


def tell(pair: Pair, story: list[str], at: object, type_: Type, value: Value,
         content: list[Byte]) -> str:  # fmt: skip
    return "\n".join(
        [*story, f"cells {dict(sorted(pair.block.cells.items()))}", f"rest {pair.block.rest}",
         f"read of {type_} at {at} gives {value}, not {content}"]
    )  # fmt: skip


def check_ranged(session: Session, pair: Pair) -> None:
    """A read at an uncertain place."""
    type_ = session.dice.pick(TYPES)
    size = bytes_of(type_)
    offset = session.offset(pair.block, size)
    if offset is None:
        return
    value = load(pair.block, offset, size, type_)
    for member in pair.members:
        for at in num.values_of(offset):
            content = member[at : at + size]
            if len(content) == size:
                assert covers(value, content, type_), tell(
                    pair, session.story, offset, type_, value, content
                )


def check_order(session: Session) -> None:
    for small in session.pairs:
        assert leq_blocks(small.block, small.block)
        for big in session.pairs:
            if small is not big and leq_blocks(small.block, big.block):
                check(Pair(big.block, small.members), [*session.story, "leq"])


LIMITS: dict[str, dict[str, int]] = {
    "as they are": {},
    "few places": {"MOST_PLACES": 2},
    "few cells": {"MOST_CELLS": 3},
    "few bytes": {"MOST_BYTES": 6, "MOST_PLACES": 3},
}


@pytest.mark.parametrize("limits", LIMITS)
@many_examples(150)
@given(data=st.data())
def test_reads_cover_what_was_written(limits: str, data: st.DataObject) -> None:
    session = Session(dice_of(data))
    with ExitStack() as stack:
        for name, value in LIMITS[limits].items():
            for module in (memory, bulk):
                if hasattr(module, name):
                    stack.enter_context(patch.object(module, name, value))
        session.start()
        for _ in range(1 + session.dice.below(10)):
            pair = session.step()
            check(pair, session.story)
            check_ranged(session, pair)
        check_order(session)


def test_a_rest_of_another_kind_is_not_widened_into_it() -> None:
    """What is signed in the one and unsigned in the other stays in the range of its kind."""
    small: Value = ((-100, 99, 1), (), False)
    large: Value = (num.of_type(U64), (), False)
    a = Block(
        "heap", num.const(64), LIVE, False, {}, memory.Rest(False, True, 8, 0, "s", small), SITE
    )
    b = Block(
        "heap", num.const(64), LIVE, False, {}, memory.Rest(False, True, 8, 0, "u", large), SITE
    )
    joined = join_blocks(a, b)
    wide = widen_blocks(a, joined, THRESHOLDS)
    assert leq_blocks(joined, wide) and leq_blocks(a, wide)
    assert wide.rest.value is not None and wide.rest.value[0] == num.of_type(U64)

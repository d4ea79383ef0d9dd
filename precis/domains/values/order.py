"""How states compare: order, join, widening, narrowing.

Blocks of two states are the same if they have the same name. A global that a state does not
hold has its initial content; a block that only one state holds is kept as it is: nothing in the
other one leads to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

from precis.domains.values.memory import ENDED, Block
from precis.domains.values.memory_order import join_blocks, leq_blocks, narrow_blocks, widen_blocks
from precis.domains.values.state import NO_BLOCK, Part, State
from precis.domains.values.value import (
    Value,
    join_pointers,
    leq_pointers,
)
from precis.domains.values.value import (
    widen as widen_value,
)
from precis.domains.values.world import World


class Context(Protocol):
    world: World
    numeric: Any


def leq(context: Context, small: State, big: State) -> bool:
    if small is big:
        return True
    if (small.kept and not big.kept) or (big.calm and not small.calm) or small.root != big.root:
        return False
    if not context.numeric.leq(small.numbers, big.numbers):
        return False
    if small.objects != big.objects:
        small = aligned(big, small)
    for (p, unset), (q, other) in zip(small.parts, big.parts, strict=True):
        if (unset and not other) or (p != q and not leq_pointers(p, q)):
            return False
    if not _leq_objects(small, big):
        return False
    if any(small.facts.get(c) is not t for c, t in big.facts.items()):
        return False
    if any(small.origins.get(v) != o for v, o in big.origins.items()):
        return False
    return _leq_blocks(context.world, small, big)


def _leq_objects(small: State, big: State) -> bool:
    for a, b in zip(small.objects, big.objects, strict=True):
        if a != b and not (a == NO_BLOCK and b in big.blocks and big.blocks[b].live & ENDED):
            return False
    return True


def _leq_blocks(world: World, small: State, big: State) -> bool:
    for name, block in small.blocks.items():
        known = big.blocks.get(name)
        if known is None:
            if name >= 0:
                return False
            known = world.initial(name)
        if block is not known and not leq_blocks(block, known):
            return False
    for name, block in big.blocks.items():
        if name < 0 and name not in small.blocks and not leq_blocks(world.initial(name), block):
            return False
    return True


def _combined(
    context: Context, left: State, right: State, numbers: Any,
    part: Callable[[Part, Part], Part], block: Callable[[Block, Block], Block],
) -> State:  # fmt: skip
    world = context.world
    parts = left.parts
    if parts != right.parts:
        parts = tuple(
            a if a == b else part(a, b) for a, b in zip(left.parts, right.parts, strict=True)
        )
    blocks: dict[int, Block] = {}
    for name in sorted(left.blocks.keys() | right.blocks.keys()):
        a, b = left.blocks.get(name), right.blocks.get(name)
        if name < 0:
            a = a or world.initial(name)
            b = b or world.initial(name)
        if a is None or b is None:
            one = a or b
            assert one is not None
            blocks[name] = one
        else:
            blocks[name] = a if a is b else block(a, b)
    objects = tuple(_object(a, b, blocks) for a, b in zip(left.objects, right.objects, strict=True))
    origins = {v: o for v, o in left.origins.items() if right.origins.get(v) == o}
    facts = {c: t for c, t in left.facts.items() if right.facts.get(c) is t}
    return State(
        numbers, parts, blocks, objects, origins, left.kept or right.kept,
        left.calm and right.calm, left.root, facts,
    )  # fmt: skip


def _object(a: int, b: int, blocks: dict[int, Block]) -> int:
    """The block of an object; where only one state has one, it may be out of scope."""
    if a == b:
        return a
    assert NO_BLOCK in (a, b), "objects must be made equal before states are joined"
    name = a or b
    block = blocks[name]
    blocks[name] = block.being(block.live | ENDED, block.many, block.held)
    return name


def aligned(left: State, right: State) -> State:
    """The right state, its objects' blocks named as in the left one."""
    from precis.domains.values.heap import merged

    clashes = {
        b: a
        for a, b in zip(left.objects, right.objects, strict=True)
        if NO_BLOCK not in (a, b) and a != b
    }
    if not clashes:
        return right
    # Exchange the names, so that no two blocks become one.
    names = dict(clashes)
    for theirs, mine in clashes.items():
        if mine in right.blocks and mine not in names:
            names[mine] = theirs
    return merged(right, names)


def join(context: Context, left: State, right: State) -> State:
    right = aligned(left, right)
    numbers = context.numeric.join(left.numbers, right.numbers)
    return _combined(context, left, right, numbers, _join_part, join_blocks)


def _join_part(a: Part, b: Part) -> Part:
    return (join_pointers(a[0], b[0]), a[1] or b[1])


def widen(context: Context, previous: State, current: State) -> State:
    """For previous below current."""
    current = aligned(previous, current)
    thresholds = context.world.thresholds

    def part(a: Part, b: Part) -> Part:
        value: Value = widen_value((None, *a), (None, *b), thresholds)
        return (value[1], value[2])

    numbers = context.numeric.widen(previous.numbers, current.numbers, thresholds)
    return _combined(
        context, previous, current, numbers, part,
        lambda a, b: widen_blocks(a, join_blocks(a, b), thresholds),
    )  # fmt: skip


def narrow(context: Context, wide: State, tight: State) -> State:
    numbers = context.numeric.narrow(wide.numbers, tight.numbers)
    blocks = {
        name: narrow_blocks(block, tight.blocks[name]) if name in tight.blocks else block
        for name, block in wide.blocks.items()
    }
    return State(
        numbers, wide.parts, blocks, wide.objects, wide.origins, wide.kept, wide.calm, wide.root,
        wide.facts,
    )  # fmt: skip


def join_by_shape(context: Context, states: Iterable[State]) -> list[State]:
    groups: dict[Any, State] = {}
    for state in states:
        key = state.shape()
        known = groups.get(key)
        groups[key] = state if known is None else join(context, known, state)
    return list(groups.values())

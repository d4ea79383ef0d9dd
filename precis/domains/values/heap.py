"""The blocks of a state: which can be reached, new ones, ones that end, collecting."""

from __future__ import annotations

from collections.abc import Iterable

from precis.domains.values.memory import ENDED, FREED, LIVE, Block, rename_block
from precis.domains.values.memory_order import join_blocks
from precis.domains.values.state import NO_BLOCK, State
from precis.domains.values.value import UNKNOWN, Pointers, Value, renamed
from precis.domains.values.world import GIVEN, ROOM, World


def targets(values: Iterable[Value]) -> list[int]:
    return [block for value in values for block, _ in value[1]]


def may_reach(world: World, state: State, start: Iterable[int]) -> set[int]:
    """The blocks that may be found from these on, themselves included. Globals that still have
    their initial content are looked into as well."""
    seen: set[int] = set()
    work = list(start)
    while work:
        name = work.pop()
        if name in seen or name == UNKNOWN or world.is_code(name):
            continue
        seen.add(name)
        work.extend(targets(world.block(state, name).pointers()))
    return seen


def must_reach_within(state: State, start: Iterable[int]) -> set[int]:
    """The blocks of the state that sure pointers lead to, through blocks of the state."""
    seen: set[int] = set()
    work = list(start)
    while work:
        name = work.pop()
        block = state.blocks.get(name)
        if block is None or name in seen:
            continue
        seen.add(name)
        if not block.many and block.live == LIVE:
            for _, _, value in block.cells.values():
                work.extend(sure(value))
    return seen


def must_reach(
    world: World, state: State, roots: Iterable[Value], start: Iterable[int]
) -> set[int]:
    """Blocks of which it is sure that a chain of pointers leads to them, if they exist."""
    seen: set[int] = set()
    work = list(start)
    work.extend(name for value in roots for name in sure(value))
    while work:
        name = work.pop()
        if name in seen:
            continue
        seen.add(name)
        block = world.block(state, name)
        if block.many or block.live != LIVE:
            continue
        for _, _, value in block.cells.values():
            work.extend(sure(value))
    return seen


def sure(value: Value) -> tuple[int, ...]:
    """The block that a value surely points to."""
    number, pointers, unset = value
    if number is None and not unset and len(pointers) == 1 and pointers[0][0] != UNKNOWN:
        return (pointers[0][0],)
    return ()


def globals_in(state: State) -> list[int]:
    return [name for name in state.blocks if name < 0]


def collected(state: State) -> State:
    """The state without blocks that nothing leads to; if one of them may be live heap memory,
    it is `kept`."""
    blocks = state.blocks
    if not blocks:
        return state
    # Callers may still have pointers to what they gave.
    start = [name for name in blocks if name < 0 or name >= GIVEN]
    start.extend(name for name in state.objects if name)
    start.extend(target for pointers, _ in state.parts for target, _ in pointers)
    seen = _reach_present(blocks, start)
    if len(seen) == len(blocks):
        return state
    lost = [block for name, block in blocks.items() if name not in seen]
    kept = state.kept or any(b.live & LIVE and b.kind not in ("stack", "global") for b in lost)
    rest = {name: block for name, block in blocks.items() if name in seen}
    origins = {v: o for v, o in state.origins.items() if o[0] in seen}
    after = state.with_blocks(rest).with_origins(origins)
    return after if kept == state.kept else after.flagged(kept, state.calm)


def _reach_present(blocks: dict[int, Block], start: Iterable[int]) -> set[int]:
    seen: set[int] = set()
    work = list(start)
    while work:
        name = work.pop()
        block = blocks.get(name)
        if block is None or name in seen:
            continue
        seen.add(name)
        work.extend(targets(block.pointers()))
    return seen


def fresh_name(world: World, state: State, first: int, most: int) -> tuple[State, int, bool]:
    """A name for one more block of a step; and whether it must be joined with an older one.

    When there are too many, all of them become one block for many.
    """
    blocks = state.blocks
    limit = min(most, ROOM - 1)
    for name in range(first, first + limit):
        if name not in blocks:
            return state, name, False
    gathering = first + ROOM - 1
    names = dict.fromkeys(range(first, first + limit), gathering)
    return merged(state, names), gathering, True


def merged(state: State, names: dict[int, int]) -> State:
    """Blocks that take another name; those that share one become one for many."""
    blocks: dict[int, Block] = {}
    for name, block in state.blocks.items():
        target = names.get(name, name)
        known = blocks.get(target)
        fresh = rename_block(block, names)
        if known is None:
            blocks[target] = fresh
        else:
            joined = join_blocks(known, fresh)
            blocks[target] = joined.being(joined.live, True, joined.held)
    parts = tuple(
        (renamed((None, pointers, unset), names)[1], unset) if pointers else (pointers, unset)
        for pointers, unset in state.parts
    )
    objects = tuple(names.get(name, name) for name in state.objects)
    origins = {v: o for v, o in state.origins.items() if o[0] not in names}
    return state.with_objects(objects, blocks).with_parts(parts).with_origins(origins)


def with_new_block(
    world: World, state: State, first: int, most: int, block: Block
) -> tuple[State, int]:
    state, name, together = fresh_name(world, state, first, most)
    if not together:
        return state.with_block(name, block), name
    known = state.blocks.get(name)
    joined = block if known is None else join_blocks(known, block)
    return state.with_block(name, joined.being(joined.live, True, joined.held)), name


def ended(state: State, name: int) -> State:
    """A stack block goes out of scope."""
    block = state.blocks.get(name)
    if block is None:
        return state
    live = block.live | ENDED if block.many else ENDED
    dead = Block(
        block.kind, block.size, live, block.many, block.cells if block.many else {}, block.rest,
        block.site, block.held,
    )  # fmt: skip
    return without_origins(state.with_block(name, dead), name)


def freed(state: State, name: int, sure: bool) -> State:
    block = state.blocks[name]
    certain = sure and not block.many
    live = FREED if certain else block.live | FREED
    cells = {} if certain else block.cells
    dead = Block(
        block.kind, block.size, live, block.many, cells, block.rest, block.site, block.held
    )
    after = without_origins(state.with_block(name, dead), name)
    calm = after.calm and name < GIVEN
    return after if calm == after.calm else after.flagged(after.kept, calm)


def without_origins(state: State, block: int) -> State:
    if any(o[0] == block for o in state.origins.values()):
        return state.with_origins({v: o for v, o in state.origins.items() if o[0] != block})
    return state


def without_overlap(state: State, block: int, low: int, high: int) -> State:
    """A block was written between two offsets: variables are no longer equal to cells there."""
    for name, offset, size in state.origins.values():
        if name == block and offset < high and offset + size > low:
            break
    else:
        return state
    kept = {
        v: o
        for v, o in state.origins.items()
        if o[0] != block or o[1] >= high or o[1] + o[2] <= low
    }
    return state.with_origins(kept)


def all_targets(pointers: Pointers) -> list[int]:
    return [block for block, _ in pointers if block not in (UNKNOWN, NO_BLOCK)]

"""Blocks are made, freed, go out of scope, and join older ones of their step."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Final, TypeVar

from precis.domains.heap.guards import ALWAYS, FALSE, NEVER, PERHAPS, Bracket
from precis.domains.heap.memory import separated
from precis.domains.heap.names import TOP, UNDEFINED, Name, Value, name, numbers
from precis.domains.heap.order import held
from precis.domains.heap.sets import Values, under, union
from precis.domains.heap.spreads import gathered
from precis.domains.heap.state import Block, State
from precis.domains.heap.terms import object_name
from precis.domains.values import num
from precis.ir.instr import BlockKind

OLDER: Final = "older"
Item = TypeVar("Item")


def made(state: State, base: Name, block: Block) -> State:
    """A fresh block."""
    dead = {**state.dead, base: NEVER}
    return replace(
        state, blocks={**state.blocks, base: block}, dead=dead,
        cells={b: c for b, c in state.cells.items() if b is not base},
        spreads={b: c for b, c in state.spreads.items() if b is not base},
    )  # fmt: skip


def freed(state: State, address: Values) -> State:
    guards = state.frame.theory.guards
    for value, b in address.items():
        if value.base is TOP:
            state = state.made_loose(b)
    dead = dict(state.dead)
    for value, b in address.items():
        base = value.base
        if base is None or base in (TOP, UNDEFINED):
            continue
        dead[base] = guards.any_of(state.mark(base), state.hit(base, b))
    return replace(state, dead=dead)


def end_of_scope(state: State, index: int) -> State:
    base = object_name(state, index)
    if base not in state.blocks:
        return state
    return replace(state, dead={**state.dead, base: ALWAYS})


def own_blocks(state: State) -> list[Name]:
    """The blocks that end with the activation."""
    return [
        base
        for base, block in state.blocks.items()
        if block.kind is BlockKind.STACK and base.parts[0][0][0] == state.frame.owner
    ]


def without(state: State, gone: Collection[Name]) -> State:
    """The state without blocks that nothing leads to."""
    if not gone:
        return state

    def kept(mapping: Mapping[Name, Item]) -> dict[Name, Item]:
        return {base: item for base, item in mapping.items() if base not in gone}

    return replace(
        state, cells=kept(state.cells), blocks=kept(state.blocks), dead=kept(state.dead),
        spreads=kept(state.spreads),
    )  # fmt: skip


def folded(state: State, base: Name) -> State:
    """The block of a name that is to be made anew joins the older ones of its step."""
    block = state.blocks.get(base)
    if block is None:
        return state
    older = name(base.kind, *base.parts, OLDER)
    if older in state.blocks:
        for extent in state.cells.get(base, {}):
            state = separated(state, older, extent)
        for extent in state.cells.get(older, {}):
            state = separated(state, base, extent)
    state = _joined(state, base, older, block)
    return replace(
        state,
        variables=tuple(
            None if v is None else _renamed(state, v, base, older) for v in state.variables
        ),
        cells={
            b: {e: _renamed(state, v, base, older) for e, v in cells.items()}
            for b, cells in state.cells.items()
        },
        spreads={
            b: tuple(
                replace(s, values=tuple(_renamed(state, s.content(), base, older).items()))
                for s in found
            )
            for b, found in state.spreads.items()
        },
    )


def _renamed(state: State, values: Values, base: Name, older: Name) -> Values:
    """A set with the name of one block replaced by one that stands for several."""
    if not any(value.base is base for value in values):
        return values
    guards = state.frame.theory.guards
    found: dict[Value, Bracket] = {}
    for value, b in values.items():
        if value.base is base:
            value, b = value._replace(base=older), Bracket(b.may, FALSE)
        known = found.get(value)
        found[value] = b if known is None else guards.any_of(known, b)
    return found


def _joined(state: State, base: Name, older: Name, block: Block) -> State:
    """What is known of a block under its own name goes to that of the older ones."""
    theory = state.frame.theory
    guards = theory.guards
    blocks, cells = dict(state.blocks), dict(state.cells)
    dead, spreads = dict(state.dead), dict(state.spreads)
    del blocks[base]
    known = blocks.get(older)
    mine, theirs = cells.pop(base, {}), cells.pop(older, {})
    ended = dead.pop(base, NEVER)
    if known is None:
        blocks[older] = replace(block, many=True)
        cells[older] = mine
        dead[older] = ended
    else:
        size = known.size
        if size != block.size:
            one = theory.bounds(size, state.reach.may)
            size = numbers(num.join(one, theory.bounds(block.size, state.reach.may)))
        made_when = guards.any_of(known.made, block.made)
        vague = guards.any_of(known.vague, block.vague)
        blocks[older] = replace(known, size=size, many=True, made=made_when, vague=vague)
        cells[older] = {
            extent: union(
                guards, [under(guards, held(state, of, extent), PERHAPS) for of in (base, older)]
            )
            for extent in dict.fromkeys((*mine, *theirs))
        }
        before = dead.get(older, NEVER)
        may, must = guards.either(ended.may, before.may), guards.both(ended.must, before.must)
        dead[older] = Bracket(may, must)
    if base in spreads or older in spreads:
        both = (*spreads.pop(base, ()), *spreads.get(older, ()))
        spreads[older] = gathered(theory, both, state.reach.may)
    return replace(state, cells=cells, blocks=blocks, dead=dead, spreads=spreads)

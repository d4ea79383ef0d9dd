"""A state: everything that is known at one place of a procedure, for all entries at once.

There is one state at each place. What depends on how the place was reached, or on how things
are at entry, stands in the guards of the values; `reach` says under which condition control
gets here at all, and all guards of a state count only where it does.

Cells are kept where something was written. What the others hold is known from the block: what
it was made with, or unknowns named after them if it was there at entry (`memory.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from precis.domains.heap.frame import Frame
from precis.domains.heap.guards import ALWAYS, FALSE, NEVER, TRUE, Bracket
from precis.domains.heap.names import Kind, Name, Value, is_from_outside
from precis.domains.heap.sets import TOP_SET, Values, chosen
from precis.domains.heap.spreads import Spread
from precis.ir.instr import BlockKind, Content

Extent: TypeAlias = tuple[int, int]  # offset and size, in bytes
Cells: TypeAlias = Mapping[Extent, Values]


class Turn(NamedTuple):
    """How often the head of a loop was come to again, None if that is no longer counted; and how
    often it might have been left."""

    head: int
    number: int | None = 0
    forks: int = 0


@dataclass(frozen=True, slots=True)
class Block:
    """A block that was made since entry. `many`: the name stands for several of them; `made`:
    when it is there at all; `vague`: when its memory, but for the cells that are kept, may hold
    anything."""

    size: Value
    kind: BlockKind
    content: Content
    many: bool = False
    made: Bracket = ALWAYS
    vague: Bracket = NEVER


@dataclass(frozen=True, slots=True)
class State:
    """`written` says when a cell that was there at entry was overwritten since; `dead` when a
    block was freed or went out of scope; `spreads` what was written at unknown offsets. Where
    `wild` holds, something was written that nobody knows: what was there at entry and was not
    written since may hold anything. Where `loose` holds, something was freed that nobody knows:
    heap blocks that were there at entry may be gone, but for those that `dead` tells of. What that
    did to blocks made here, and to cells that are kept, stands there.
    `turns` are those of the loops around, from the outermost; states of different turns are kept
    apart as long as these are counted."""

    frame: Frame
    reach: Bracket
    variables: tuple[Values | None, ...]
    cells: Mapping[Name, Cells] = field(default_factory=dict)
    written: Mapping[Name, Mapping[Extent, Bracket]] = field(default_factory=dict)
    dead: Mapping[Name, Bracket] = field(default_factory=dict)
    blocks: Mapping[Name, Block] = field(default_factory=dict)
    spreads: Mapping[Name, tuple[Spread, ...]] = field(default_factory=dict)
    wild: Bracket = NEVER
    loose: Bracket = NEVER
    turns: tuple[Turn, ...] = ()

    def spot(self, at: tuple[str, int, int]) -> tuple[Any, ...]:
        """A step, and in which turn of the loops around it, as the key of what it makes."""
        counts = tuple(turn.number for turn in self.turns)
        owner = self.frame.owner
        if not counts or None in counts:
            return (owner, at[1], at[2])
        return (owner, at[1], (at[2], *counts))

    def is_repeated(self, spot: tuple[Any, ...]) -> bool:
        """May the same have been made before under a key?"""
        return self.frame.is_repeated(spot) and not isinstance(spot[2], tuple)

    def with_variable(self, index: int, values: Values | None) -> State:
        known = self.variables
        return replace(self, variables=(*known[:index], values, *known[index + 1 :]))

    def with_reach(self, reach: Bracket) -> State:
        return self if reach == self.reach else replace(self, reach=reach)

    def with_cells(self, base: Name, cells: Cells) -> State:
        return replace(self, cells={**self.cells, base: cells})

    def mark(self, base: Name) -> Bracket:
        """Was the block freed, or did it go out of scope, under this name?"""
        found = self.dead.get(base)
        if found is not None:
            return found
        found, theory = NEVER, self.frame.theory
        if base.kind in (Kind.ARGUMENT, Kind.IN) and not self.frame.is_root:
            found = theory.guards.opposite(theory.flag("live", base))
        if self.loose.may and base not in self.blocks and self.may_be_freed(base):
            found = Bracket(theory.guards.either(found.may, self.loose.may), found.must)
        return found

    def is_dead(self, base: Name) -> Bracket:
        """Is the block that a base leads into gone, under whatever name?"""
        frame, found = self.frame, self.mark(base)
        if base.kind not in (Kind.ARGUMENT, Kind.IN) or frame.is_root:
            return found
        guards = frame.theory.guards
        for other, freed in self.dead.items():
            if other is base or not freed.may or other.kind not in (Kind.ARGUMENT, Kind.IN):
                continue
            if is_from_outside(base) or is_from_outside(other):
                frame.take_blocks_apart(base, other, guards.both(self.reach.may, freed.may))
                continue
            one = guards.any_of(
                frame.theory.same(base, other, 0), frame.theory.together(base, other)
            )
            found = guards.any_of(found, guards.all_of(freed, one))
        return found

    def may_be_freed(self, base: Name) -> bool:
        """By a step that nobody knows? A run in which it frees anything but a heap block ends."""
        if base.kind in (Kind.GLOBAL, Kind.CODE):
            return False
        block = self.blocks.get(base)
        return block is None or block.kind is BlockKind.HEAP

    def made_wild(self, b: Bracket) -> State:
        """Under this condition nobody knows the memory any more that is there now: anything may
        have been written and freed. What is made or written later is known again."""
        guards = self.frame.theory.guards
        if not guards.possible(guards.both(b.may, self.reach.may)):
            return self
        when = TRUE if guards.implies(self.reach.may, b.may) else b.may
        perhaps, anything = (
            Bracket(when, FALSE),
            partial(chosen, guards, Bracket(when, when), TOP_SET),
        )
        return replace(
            self.made_loose(b),
            wild=guards.any_of(self.wild, perhaps),
            cells={
                base: cells if self.is_constant(base)
                else {extent: anything(values) for extent, values in cells.items()}
                for base, cells in self.cells.items()
            },
            spreads={
                base: tuple(
                    replace(spread, values=tuple(anything(spread.content()).items()))
                    for spread in spreads
                )
                for base, spreads in self.spreads.items()
            },
            blocks={
                base: replace(block, vague=guards.any_of(block.vague, perhaps))
                for base, block in self.blocks.items()
            },
        )  # fmt: skip

    def made_loose(self, b: Bracket) -> State:
        """Under this condition any heap block that is there now may have been freed."""
        guards = self.frame.theory.guards
        if not guards.possible(guards.both(b.may, self.reach.may)):
            return self
        perhaps = Bracket(TRUE if guards.implies(self.reach.may, b.may) else b.may, FALSE)
        dead = {}
        for base, mark in self.dead.items():
            if not self.may_be_freed(base):
                dead[base] = mark
            elif base in self.blocks or mark.may:  # others are as `loose` says
                dead[base] = guards.any_of(mark, perhaps)
        return replace(self, loose=guards.any_of(self.loose, perhaps), dead=dead)

    def is_constant(self, base: Name) -> bool:
        """Is it memory that no run writes and goes on?"""
        if base.kind is not Kind.GLOBAL:
            return False
        return self.frame.program.globals[str(base.parts[0])].constant

    def unknown(self, base: Name) -> Bracket:
        """When may memory of a base that no cell is kept of hold anything?"""
        block = self.blocks.get(base)
        known = NEVER if self.is_constant(base) else self.wild if block is None else block.vague
        return Bracket(known.may, known.may)

    def spared(self, address: Values) -> State:
        """Where memory was used through an address, it was not freed by a step that nobody
        knows."""
        guards = self.frame.theory.guards
        dead = {}
        for value, b in address.items():
            base = value.base
            if base is None or base.kind in (Kind.TOP, Kind.UNDEFINED) or self.is_many(base):
                continue
            mark = self.mark(base)
            if mark.may != mark.must and b.must != FALSE:
                dead[base] = Bracket(
                    guards.without(mark.may, b.must), guards.without(mark.must, b.must)
                )
        return replace(self, dead={**self.dead, **dead}) if dead else self

    def is_many(self, base: Name) -> bool:
        block = self.blocks.get(base)
        return block is not None and block.many

    def hit(self, base: Name, b: Bracket) -> Bracket:
        """When a block of this name is written or freed, if one of them is: a name for several
        is never changed as one, whatever leads to it."""
        return Bracket(b.may, FALSE) if self.is_many(base) else b

    def alike(self, base: Name, same: Bracket) -> Bracket:
        """Are two pointers with this base equal, if their offsets are? They may lead to two of
        the blocks that a name stands for."""
        return Bracket(same.may, FALSE) if self.is_many(base) else same

    def narrowed(self, condition: Bracket) -> State | None:
        """Where the condition holds, too; None if it cannot."""
        if condition == ALWAYS:
            return self
        guards = self.frame.theory.guards
        reach = guards.all_of(self.reach, condition)
        if not guards.possible(reach.may):
            return None
        return replace(self, reach=Bracket(guards.shortened(reach.may), reach.must))

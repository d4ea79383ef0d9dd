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
from typing import Any, NamedTuple, TypeAlias

from precis.domains.heap.frame import Frame
from precis.domains.heap.guards import ALWAYS, FALSE, NEVER, Bracket
from precis.domains.heap.names import Kind, Name, Value
from precis.domains.heap.sets import Values
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
    when it is there at all."""

    size: Value
    kind: BlockKind
    content: Content
    many: bool = False
    made: Bracket = ALWAYS


@dataclass(frozen=True, slots=True)
class State:
    """`written` says when a cell that was there at entry was overwritten since; `dead` when a
    block was freed or went out of scope; `spreads` what was written at unknown offsets. Where
    `wild` holds, something was written or freed that nobody knows: memory that may be written may
    hold anything, and heap blocks may be gone.
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
        known = self.dead.get(base)
        if known is not None:
            return known
        if base.kind in (Kind.ARGUMENT, Kind.IN) and not self.frame.is_root:
            return self.frame.theory.guards.opposite(self.frame.theory.flag("live", base))
        return NEVER

    def is_dead(self, base: Name) -> Bracket:
        """Is the block that a base leads into gone, under whatever name?"""
        frame, found = self.frame, self.mark(base)
        if self.wild.may and self.may_be_freed(base):
            found = frame.theory.guards.any_of(found, Bracket(self.wild.may, FALSE))
        if base.kind not in (Kind.ARGUMENT, Kind.IN) or frame.is_root:
            return found
        guards = frame.theory.guards
        for other, freed in self.dead.items():
            if other is not base and other.kind in (Kind.ARGUMENT, Kind.IN):
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
        """Under this condition nobody knows memory any more."""
        guards = self.frame.theory.guards
        if not guards.possible(guards.both(b.may, self.reach.may)):
            return self
        return replace(self, wild=Bracket(guards.either(self.wild.may, b.may), FALSE))

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

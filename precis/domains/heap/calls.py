"""A callee's summary applied to the memory of a caller.

The cells that the callee wrote are written in its order. A cell of the summary is written where
the callee's own guard says so (`written`), so a call changes what the body would have changed,
as precisely as the guards say when.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final, final

from precis.domains.heap import memory
from precis.domains.heap.arithmetic import viewed
from precis.domains.heap.blocks import folded, made
from precis.domains.heap.choices import named, settled
from precis.domains.heap.frame import Calls
from precis.domains.heap.guards import FALSE, PERHAPS, Bracket, Costly
from precis.domains.heap.instance import Instance, Site
from precis.domains.heap.names import (
    TOP,
    UNDEFINED,
    Name,
    Value,
    constant,
    numbers,
)
from precis.domains.heap.sets import (
    TOP_SET,
    Values,
    hull,
    mapped,
    under,
)
from precis.domains.heap.state import Block, State
from precis.domains.heap.trim import lessened
from precis.domains.protocol import GiveUp, Refused
from precis.domains.values import num
from precis.ir.types import Int, Type

_LONGEST: Final = 3  # calls in the name of a block
_MOST_TARGETS: Final = 24
MOST_AT_EXITS: Final = (None, 40, 16)  # atoms of the state that a call leaves, if all is too much
MOST_NODES_OF_A_CALL: Final = 20_000  # to tell it
_SIZE: Final = num.make(0, (1 << 62) - 1)


@final
class Left:
    """The memory after a callee has left by one exit."""

    def __init__(self, site: Site, exit_: State) -> None:
        self._in = Instance(site, exit_)
        self._weak = site.state.frame.calls is Calls.WEAK

    def after(self) -> State | None:
        """The memory after the callee has left by this exit; None if it never does."""
        left, site = self._in.exit, self._in.site
        # Before anything of the summary is used, its exits too: they hold for other callers only.
        if self._in.overlaps():
            raise Refused(f"what {site.callee.name} is given may overlap in part")
        if self._in.meet_by_chance():
            raise Refused(f"what {site.callee.name} compares may lie outside of its blocks")
        reach = self._in.guards.all_of(self._in.state.reach, self._in.bracket(left.reach))
        if not self._in.guards.possible(reach.may):
            return None
        self._in.state = replace(self._in.state, reach=reach)
        before = self._in.state
        result = self._in.values(left.variables[0] or TOP_SET)
        changes = self._changes()
        created = self._created()
        dead = [(self._in.base(base), self._in.bracket(b)) for base, b in left.dead.items()
                if base not in left.blocks]  # fmt: skip
        # What nobody knows comes before what the callee wrote after it; what it wrote before that
        # is told as it was then.
        state = before.made_wild(self._in.bracket(left.wild))
        state = self._alive(before, state.made_loose(self._in.bracket(left.loose)), dead)
        state = self._with_created(state, created)
        for address, extent, values, type_ in changes:
            for target, b in address.items():
                state = self._written(state, target, extent, (values, b, type_))
        state = self._with_dead(state, dead)
        if site.call.target is not None:
            type_ = state.frame.procedure.variables[site.call.target].type
            values = self._result(result, type_)
            state, values = settled(state, values, (*site.spot, "result"))
            state = state.with_variable(site.call.target, values)
            state = named(state, site.call.target, (*site.spot, "number"))
        return state

    def _result(self, values: Values, type_: Type) -> Values:
        where = self._in.state.reach.may
        return mapped(self._in.guards, values, lambda v: viewed(self._in.theory, v, type_, where))

    def _changes(self) -> list[tuple[Values, int, Values, Type | None]]:
        """The cells that were there before and are written, in order, from the memory before."""
        left = self._in.exit
        found = list(self._spreads())
        known = frozenset(left.frame.sequence)
        if any((base, *e) not in known for base, marks in left.written.items() for e in marks):
            raise GiveUp(f"in which order {self._in.site.callee.name} writes is not known")
        for base, offset, size in left.frame.sequence:
            mark = left.written.get(base, {}).get((offset, size))
            values = left.cells.get(base, {}).get((offset, size))
            if mark is None or values is None:
                continue
            address = under(self._in.guards, self._in.address(base, offset), self._when(mark))
            type_ = left.frame.types.get((base, offset, size))
            if address:
                found.append((address, size, self._in.values(values), type_))
        return found

    def _when(self, written: Bracket) -> Bracket:
        """When a cell is written here, by when the callee writes it. Elsewhere it is another
        cell of the summary, or none, that tells what it holds."""
        b = self._in.bracket(written)
        return Bracket(b.may, FALSE) if self._weak else b

    def _spreads(self) -> Iterator[tuple[Values, int, Values, Type | None]]:
        """Writes at unknown offsets, which come before the cells: these are as they are now."""
        for base, spreads in self._in.exit.spreads.items():
            for spread in spreads:
                places = self._in.total(self._in.address(base, 0), self._in.value(spread.offset), 1)
                address = under(self._in.guards, places, self._when(spread.when))
                address = {v: b for v, b in address.items() if v.base is not None}
                if address:
                    yield address, spread.size, self._in.values(spread.content()), spread.type

    def _written(
        self, state: State, target: Value, size: int, what: tuple[Values, Bracket, Type | None]
    ) -> State:
        values, b, type_ = what
        if target.base is TOP:
            return state.made_wild(b)
        assert target.base is not None
        if target.base is UNDEFINED:
            return state
        if target.is_constant:
            extent = (target.number[0], size)
            return memory.write(state, target.base, extent, values, b, type_)
        if type_ is None:
            type_ = Int(8 * size, False) if size in (1, 2, 4, 8) else None
        if type_ is None:
            return memory.smeared(state, target, constant(size), TOP_SET, b)
        return memory.store(state, {target: b}, values, type_)

    def _created(self) -> list[tuple[Name, Block, list[Any], Bracket]]:
        left = self._in.exit
        found = []
        for base, block in left.blocks.items():
            cells = [
                (extent, self._in.values(values), left.frame.types.get((base, *extent)))
                for extent, values in left.cells.get(base, {}).items()
            ]
            size = self._in.value(block.size)
            known = next(iter(size)) if len(size) == 1 else self._range(size)
            if known.base is not None:
                known = numbers(_SIZE)
            many = block.many or self._in.is_recursive(base)
            made_block = replace(
                block, size=known, many=many, made=self._in.bracket(block.made),
                vague=self._in.bracket(block.vague),
            )  # fmt: skip
            dead = self._in.bracket(left.mark(base))
            found.append((base, made_block, cells, dead))
        return found

    def _range(self, size: Values) -> Value:
        return numbers(hull(self._in.theory, size, self._in.state.reach.may) or _SIZE)

    def _with_created(self, state: State, created: list[Any]) -> State:
        for base, block, cells, dead in created:
            here = self._in.made_name(base)
            known = state.blocks.get(here)
            if known is not None and not block.many:
                state = folded(state, here)
                known = None
            if known is None:
                state = made(state, here, block)
                filled = {extent: values for extent, values, _ in cells}
                state = state.with_cells(here, filled) if filled else state
                state = replace(state, dead={**state.dead, here: dead})
            else:
                made_when = self._in.guards.any_of(known.made, block.made)
                vague = self._in.guards.any_of(known.vague, block.vague)
                more = replace(known, many=True, made=made_when, vague=vague)
                state = replace(state, blocks={**state.blocks, here: more})
                for extent, values, type_ in cells:
                    state = memory.write(state, here, extent, values, PERHAPS, type_)
                joined = Bracket(
                    self._in.guards.either(state.is_dead(here).may, dead.may),
                    self._in.guards.both(state.is_dead(here).must, dead.must),
                )
                state = replace(state, dead={**state.dead, here: joined})
            for extent, _, type_ in cells:
                if type_ is not None:
                    state.frame.note_type((here, *extent), type_)
        return state

    def _alive(self, before: State, state: State, dead: list[tuple[Values, Bracket]]) -> State:
        """What the callee tells of a block by itself holds whatever a step did that nobody knows:
        the callee has used it since."""
        if state.loose == before.loose or self._weak:
            return state
        guards = self._in.guards
        told: dict[Name, int] = {}
        for targets, _ in dead:
            for target, b in targets.items():
                base = target.base
                if base is None or base in (TOP, UNDEFINED) or before.is_many(base):
                    continue
                told[base] = guards.either(told.get(base, FALSE), b.must)
        found = dict(state.dead)
        for base, where in told.items():
            old, perhaps = before.mark(base), state.mark(base)
            found[base] = Bracket(
                guards.either(old.may, guards.without(perhaps.may, where)), old.must
            )
        return replace(state, dead=found)

    def _with_dead(self, state: State, dead: list[tuple[Values, Bracket]]) -> State:
        dead = [(targets, after) for targets, after in dead if after.may]
        for targets, after in dead:
            for target, b in targets.items():
                if target.base is TOP:
                    state = state.made_loose(self._in.guards.all_of(b, after))
        found = dict(state.dead)
        before = state
        for targets, after in dead:
            for target, b in targets.items():
                base = target.base
                if base is None or base in (TOP, UNDEFINED):
                    continue
                b = before.hit(base, b)
                if self._weak:
                    b = Bracket(b.may, FALSE)
                old = found.get(base, before.mark(base))
                # What the callee says of a block holds if it is that block; a block does not
                # come back to life.
                new = self._in.guards.choice(b, after, old)
                found[base] = self._in.guards.any_of(new, old)
        return replace(state, dead=found)


def returned(site: Site, answer: State) -> State | None:
    """The state after a call. If the conditions at the exit make those here too large, it is done
    with fewer of them."""
    frame = site.state.frame
    theory, told = frame.theory, (site.at, answer.reach)
    first = frame.told.get(told, 0)
    for level, most in enumerate(MOST_AT_EXITS[first:], first):
        frame.told[told] = level
        try:
            with theory.guards.within(MOST_NODES_OF_A_CALL):
                return Left(site, answer if most is None else lessened(answer, most)).after()
        except Costly:
            theory.cut("exits")
    frame.told[told] = len(MOST_AT_EXITS)
    return Left(site, lessened(answer, 0)).after()

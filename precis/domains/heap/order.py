"""How states compare, and how they are joined and widened.

Names that stand for choices and for what loops move mean something in each run by itself, so
two states may use one name differently and still be joined.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import Any

from precis.domains.heap import memory, sets, spreads, strings
from precis.domains.heap.forget import forget, forget_conditions
from precis.domains.heap.guards import NEVER, Bracket, Guards
from precis.domains.heap.names import Kind, Name, Value, name, range_of
from precis.domains.heap.sets import TOP_SET, UNSET_SET, Values
from precis.domains.heap.spreads import Spread
from precis.domains.heap.state import Block, Extent, State
from precis.domains.heap.theory import Theory
from precis.domains.values import num
from precis.ir.types import VOID_POINTER, Int, Type

Place = tuple[Any, ...]  # of a number that a loop moves: a variable, or a cell


def key(state: State) -> Hashable:
    return (
        state.reach,
        state.wild,
        state.loose,
        tuple(None if v is None else frozenset(v.items()) for v in state.variables),
        frozenset(
            (base, extent, frozenset(values.items()))
            for base, cells in state.cells.items()
            for extent, values in cells.items()
        ),
        frozenset(state.dead.items()),
        frozenset(
            (base, extent, b)
            for base, marks in state.written.items()
            for extent, b in marks.items()
        ),
        frozenset(state.blocks.items()),
        frozenset(state.spreads.items()),
    )


# Join.


def join(left: State, right: State) -> State:
    """What holds whichever of the two holds."""
    return _Join(left, right).run()


class _Join:
    def __init__(self, left: State, right: State) -> None:
        self._left, self._right = aligned(left, right)
        self._theory = left.frame.theory
        guards = self._guards = self._theory.guards
        self._one, self._two = left.reach, right.reach
        reach = guards.any_of(self._one, self._two)
        self._reach = Bracket(guards.shortened(reach.may), reach.must)
        self._where = self._reach.may

    def run(self) -> State:
        left, right = self._left, self._right
        variables = tuple(
            self._values(a, b) for a, b in zip(left.variables, right.variables, strict=True)
        )
        bases = dict.fromkeys((*left.cells, *right.cells))
        return State(
            left.frame,
            self._reach,
            variables,
            {base: self._cells(base) for base in bases},
            {
                base: self._marks(left.written.get(base, {}), right.written.get(base, {}))
                for base in dict.fromkeys((*left.written, *right.written))
            },
            {base: self._dead(base) for base in dict.fromkeys((*left.dead, *right.dead))},
            {
                base: self._block(left.blocks.get(base), right.blocks.get(base))
                for base in dict.fromkeys((*left.blocks, *right.blocks))
            },
            {base: self._spreads(base) for base in dict.fromkeys((*left.spreads, *right.spreads))},
            self._bracket(left.wild, right.wild),
            self._bracket(left.loose, right.loose),
            left.turns,
        )

    def _bracket(self, a: Bracket, b: Bracket) -> Bracket:
        if a == b:
            return a
        guards = self._guards
        may = guards.either(guards.both(self._one.may, a.may), guards.both(self._two.may, b.may))
        must = guards.both(
            guards.either(a.must, guards.negation(self._one.may)),
            guards.either(b.must, guards.negation(self._two.may)),
        )
        return Bracket(guards.shortened(may, self._where), guards.shortened(must, self._where))

    def _values(self, a: Values | None, b: Values | None) -> Values | None:
        if a is None and b is None:
            return None
        return self._both(UNSET_SET if a is None else a, UNSET_SET if b is None else b)

    def _both(self, a: Values, b: Values) -> Values:
        if a is b or a == b:
            return a
        found = {}
        for value in dict.fromkeys((*a, *b)):
            guard = self._bracket(a.get(value, NEVER), b.get(value, NEVER))
            found[value] = guard
        return sets.pruned(self._theory, found, self._reach.may)

    def _alone(self, base: Name) -> State | None:
        """The state in which alone the block was made: all that is known of it is known there."""
        left, right = self._left, self._right
        if (base in left.blocks) == (base in right.blocks):
            return None
        return left if base in left.blocks else right

    def _cells(self, base: Name) -> dict[Extent, Values]:
        left, right = self._left, self._right
        a, b = left.cells.get(base, {}), right.cells.get(base, {})
        if a is b:
            return dict(a)
        alone = self._alone(base)
        if alone is not None:
            return dict(alone.cells.get(base, {}))
        return {
            extent: self._both(
                held(left, base, extent) if extent not in a else a[extent],
                held(right, base, extent) if extent not in b else b[extent],
            )
            for extent in dict.fromkeys((*a, *b))
        }

    def _marks(self, a: Any, b: Any) -> dict[Extent, Bracket]:
        if a is b:
            return dict(a)
        return {
            extent: self._bracket(a.get(extent, NEVER), b.get(extent, NEVER))
            for extent in dict.fromkeys((*a, *b))
        }

    def _dead(self, base: Name) -> Bracket:
        alone = self._alone(base)
        if alone is not None:
            guards, mark, where = self._guards, alone.mark(base), alone.reach.may
            return Bracket(guards.shortened(mark.may, where), guards.shortened(mark.must, where))
        return self._bracket(self._left.mark(base), self._right.mark(base))

    def _block(self, a: Block | None, b: Block | None) -> Block:
        if a is None or b is None:
            found = a or b
            assert found is not None
            sides = (found.made, NEVER) if b is None else (NEVER, found.made)
            return replace(found, made=self._bracket(*sides))
        if a == b:
            return a
        size = a.size
        if a.size != b.size:
            one = self._theory.bounds(a.size, self._one.may)
            size = Value(None, (), num.join(one, self._theory.bounds(b.size, self._two.may)))
        made, vague = self._bracket(a.made, b.made), self._bracket(a.vague, b.vague)
        return replace(a, size=size, many=a.many or b.many, made=made, vague=vague)

    def _spreads(self, base: Name) -> tuple[Spread, ...]:
        alone = self._alone(base)
        if alone is not None:
            return alone.spreads.get(base, ())
        a, b = self._left.spreads.get(base, ()), self._right.spreads.get(base, ())
        return spreads.joined(self._theory, a, b, self._reach.may)


def aligned(left: State, right: State) -> tuple[State, State]:
    """The same two states with their cells cut alike."""
    for base in left.cells:
        if base in right.cells and left.cells[base] is not right.cells[base]:
            for extent in left.cells[base]:
                right = memory.separated(right, base, extent)
            for extent in right.cells[base]:
                left = memory.separated(left, base, extent)
    return left, right


def held(state: State, base: Name, extent: Extent) -> Values:
    """What a cell holds that the state has no entry for."""
    known = state.cells.get(base, {}).get(extent)
    if known is not None:
        return known
    inside = [e for e in state.cells.get(base, {}) if e[0] < sum(extent) and extent[0] < sum(e)]
    type_ = state.frame.types.get((base, *extent))
    if base in state.blocks and type_ is None:
        type_ = VOID_POINTER  # what it was made with, whatever its type
    if inside or type_ is None:
        return TOP_SET
    return memory.default(state, base, extent[0], type_)


# Order.


def leq(small: State, big: State) -> bool:
    small, big = aligned(small, big)
    if _leq(small, big):
        return True
    named = adapted(small, big)
    return named is not small and _leq(named, big)


def _leq(small: State, big: State) -> bool:
    guards = small.frame.theory.guards
    if not guards.implies(small.reach.may, big.reach.may):
        return False
    where = small.reach.may
    pairs = zip(small.variables, big.variables, strict=True)
    if not all(_variable_leq(small.frame.theory, a, b, where) for a, b in pairs):
        return False
    return _memory_leq(guards, small, big, where)


def _variable_leq(theory: Theory, a: Values | None, b: Values | None, where: int) -> bool:
    if a is b:
        return True
    if b is None:
        return False
    return sets.leq(theory, UNSET_SET if a is None else a, b, where)


def _memory_leq(guards: Guards, small: State, big: State, where: int) -> bool:
    for base, block in small.blocks.items():
        known = big.blocks.get(base)
        if known == block:
            continue
        if known is None or known.many < block.many:
            return False
        if not sets.covers(small.frame.theory, known.size, block.size, where):
            return False
        if not guards.implies(guards.both(where, block.made.may), known.made.may):
            return False
        if not guards.implies(guards.both(where, block.vague.may), known.vague.may):
            return False
    for base in dict.fromkeys((*small.cells, *big.cells)):
        if base in big.blocks and base not in small.blocks:
            continue
        mine_all, theirs_all = small.cells.get(base, {}), big.cells.get(base, {})
        if mine_all == theirs_all:
            continue
        for extent in dict.fromkeys((*mine_all, *theirs_all)):
            mine, theirs = held(small, base, extent), held(big, base, extent)
            if not sets.leq(small.frame.theory, mine, theirs, where):
                return False
    for base in dict.fromkeys((*small.dead, *big.dead)):
        if base in big.blocks and base not in small.blocks:
            continue
        if not _bracket_leq(guards, small.mark(base), big.mark(base), where):
            return False
    for base in dict.fromkeys((*small.written, *big.written)):
        a, b = small.written.get(base, {}), big.written.get(base, {})
        for extent in dict.fromkeys((*a, *b)):
            if not _bracket_leq(guards, a.get(extent, NEVER), b.get(extent, NEVER), where):
                return False
    if not _bracket_leq(guards, small.wild, big.wild, where):
        return False
    if not _bracket_leq(guards, small.loose, big.loose, where):
        return False
    return all(
        spreads.leq(small.frame.theory, small.spreads.get(b, ()), big.spreads.get(b, ()), where)
        for b in dict.fromkeys((*small.spreads, *big.spreads))
        if b in small.blocks or b not in big.blocks
    )


def _bracket_leq(guards: Guards, a: Bracket, b: Bracket, where: int) -> bool:
    return guards.implies(guards.both(where, a.may), b.may) and guards.implies(
        guards.both(where, b.must), a.must
    )


# Numbers that loops move.


def loop_key(state: State, place: Place) -> Any:
    """The key of the number that a loop moves at a place."""
    return ("loop", state.frame.owner, *place)


def moved_by_loop(loop: Any, range_: num.Num, base: Name | None) -> Value:
    """A number, or a pointer with an offset, of this range, under a name of its own."""
    low, high, step = range_
    if low == high:
        return Value(base, (), range_)
    symbol = name(Kind.ANY, loop, 0, (high - low) // max(1, step))
    return Value(base, ((symbol, max(1, step)),), num.const(low))


def _loop_key(values: Values) -> Any:
    """The key of the name that a loop gave to a set."""
    for value in values:
        for symbol, _ in value.linear:
            if symbol.kind is Kind.ANY and symbol.parts[0][0] == "loop":
                return symbol.parts[0]
    return None


def adapted(small: State, big: State) -> State:
    """A state above `small` that names what loops move as `big` does, where it can."""
    found: list[tuple[Place, Values]] = []
    for place, values in places(big):
        mine = at(small, place)
        if _loop_key(values) == loop_key(big, place) and mine is not None and mine != values:
            found.append((place, values))
    if not found:
        return small
    keys = [loop_key(small, place) for place, _ in found]
    held_ = [at(small, place) or UNSET_SET for place, _ in found]
    named, conditions = forget_conditions(small, keys, held_)
    changes = [
        change
        for change, mine, known in zip(found, held_, conditions, strict=True)
        if _agrees(named, change[1], known, _covering(small, change, mine))
    ]
    if not changes:
        return small
    if len(changes) < len(found):
        named = forget(small, [loop_key(small, place) for place, _ in changes])
    for place, values in changes:
        named = put(named, place, values)
    return _with_texts(named, small, big, changes)


def _with_texts(
    named: State, small: State, big: State, changes: list[tuple[Place, Values]]
) -> State:
    """With the texts that what loops move stays within, if it does so in the small state."""
    theory = named.frame.theory
    guards = theory.guards
    reach = named.reach
    for place, values in changes:
        mine = at(small, place) or UNSET_SET
        for value in values:
            for symbol, _ in value.linear:
                for atom, text, bound in strings.bounds_asked(theory, symbol, big.reach.may):
                    limit = value.number[0] + bound  # of the value, less the length
                    is_any = value.number[0] <= 0 <= bound or len(values) == 1
                    if (
                        is_any
                        and value.linear == ((symbol, 1),)
                        and all(
                            _is_within(small, text, one, b, limit)
                            for one, b in mine.items()
                            if one.base is value.base
                        )
                    ):
                        this = guards.atom(atom)
                        reach = guards.all_of(reach, Bracket(this, this))
    return replace(named, reach=reach)


def _is_within(small: State, text: Name, value: Value, b: Bracket, limit: int) -> bool:
    theory = small.frame.theory
    where = theory.guards.both(small.reach.may, b.may)
    offset = Value(None, value.linear, value.number).moved(-limit)
    return strings.is_within(theory, text, offset, where)


def _covering(small: State, change: tuple[Place, Values], mine: Values) -> list[list[Value]]:
    """By which values another set names each one of a set; by all if it cannot be."""
    place, values = change
    guards = small.frame.theory.guards
    found = []
    for value, b in mine.items():
        where = guards.both(small.reach.may, b.may)
        is_one = guards.possible(where)
        found.append([w for w in values if not is_one or _names(small, place, w, value, where)])
    return found


def _agrees(named: State, values: Values, mine: Values, covering: list[list[Value]]) -> bool:
    """Has a set each value only where the other one may have it, and certainly where it must?"""
    guards, reach = named.frame.theory.guards, named.reach.may
    for b, wide in zip(mine.values(), covering, strict=True):
        allowed = 0
        for value in wide:
            allowed = guards.either(allowed, values[value].may)
        if len(wide) < len(values) and not guards.implies(guards.both(reach, b.may), allowed):
            return False
        for value, other in values.items():
            both = guards.both(guards.both(reach, b.may), other.must)
            if value not in wide and guards.possible(both):
                return False
    return True


def _names(small: State, place: Place, wide: Value, value: Value, where: int) -> bool:
    """Can the name in a value stand for what another one is, where a guard holds?"""
    if wide.base is not value.base or not wide.linear:
        return wide == value
    (symbol, step), *more = wide.linear
    low, high, _ = range_of(symbol)
    start = wide.number[0]
    bounds = clipped(small, place, value.base, small.frame.theory.bounds(value, where))
    return not more and num.leq(bounds, num.make(start + low * step, start + high * step, step))


def places(state: State) -> list[tuple[Place, Values]]:
    found: list[tuple[Place, Values]] = []
    for index, values in enumerate(state.variables):
        if values is not None:
            found.append((("v", index), values))
    for base, cells in state.cells.items():
        found.extend((("c", base, *extent), values) for extent, values in cells.items())
    return found


def at(state: State, place: Place) -> Values | None:
    """What a variable or a cell holds; nothing if it is one of a block that is not there."""
    if place[0] == "v":
        return state.variables[place[1]]
    if place[1].kind in (Kind.NEW, Kind.OBJECT) and place[1] not in state.blocks:
        return None
    return held(state, place[1], (place[2], place[3]))


def put(state: State, place: Place, values: Values) -> State:
    if place[0] == "v":
        return state.with_variable(place[1], values)
    cells = dict(state.cells.get(place[1], {}))
    cells[place[2], place[3]] = values
    return state.with_cells(place[1], cells)


def clipped(state: State, place: Place, base: Name | None, range_: num.Num) -> num.Num:
    """Not beyond the type of the variable, if it is one."""
    limit = num.make(-(1 << 62), 1 << 62)
    if base is None:
        frame = state.frame
        type_: Type | None = None
        if place[0] == "c":
            type_ = frame.types.get((place[1], place[2], place[3]))
        elif place[1] < len(frame.procedure.variables):  # else it is one of a caller
            type_ = frame.procedure.variables[place[1]].type
        if isinstance(type_, Int):
            limit = num.of_type(type_)
    return num.meet(range_, limit) or limit

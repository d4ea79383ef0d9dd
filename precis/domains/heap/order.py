"""How states compare, and how they are joined and widened.

Names that stand for choices and for what loops move mean something in each run by itself, so
two states may use one name differently and still be joined.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import Any

from precis.domains.heap import memory, sets, spreads
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
            return alone.mark(base)
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
        made = self._bracket(a.made, b.made)
        return replace(a, size=size, many=a.many or b.many, made=made)

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
    changes: list[tuple[Place, Values]] = []
    for place, values in places(big):
        if _loop_key(values) != loop_key(big, place):
            continue
        mine = at(small, place)
        if mine is None or mine == values:
            continue
        if all(_is_within(small, place, (value, b), values) for value, b in mine.items()):
            changes.append((place, {value: values[value] for value in values}))
    if not changes:
        return small
    small = forget(small, [loop_key(small, place) for place, _ in changes])
    for place, values in changes:
        small = put(small, place, values)
    return small


def _is_within(small: State, place: Place, one: tuple[Value, Bracket], values: Values) -> bool:
    value, b = one
    guards = small.frame.theory.guards
    where = guards.both(small.reach.may, b.may)
    if not guards.possible(where):
        return True
    for wide in values:
        if wide.base is value.base and wide.linear:
            (symbol, step), *more = wide.linear
            low, high, _ = range_of(symbol)
            start = wide.number[0]
            bounds = small.frame.theory.bounds(value, where)
            bounds = _clipped(small, place, value.base, bounds)
            whole = num.make(start + low * step, start + high * step, step)
            if not more and num.leq(bounds, whole):
                return True
        elif wide == value:
            return True
    return False


def places(state: State) -> list[tuple[Place, Values]]:
    found: list[tuple[Place, Values]] = []
    for index, values in enumerate(state.variables):
        if values is not None:
            found.append((("v", index), values))
    for base, cells in state.cells.items():
        found.extend((("c", base, *extent), values) for extent, values in cells.items())
    return found


def at(state: State, place: Place) -> Values | None:
    if place[0] == "v":
        return state.variables[place[1]]
    return held(state, place[1], (place[2], place[3]))


def put(state: State, place: Place, values: Values) -> State:
    if place[0] == "v":
        return state.with_variable(place[1], values)
    cells = dict(state.cells.get(place[1], {}))
    cells[place[2], place[3]] = values
    return state.with_cells(place[1], cells)


# Widening.


def widen(previous: State, current: State, thresholds: tuple[int, ...]) -> State:
    """Numbers that are not stable get the name of a range, the more the wider."""
    previous, current = aligned(previous, current)
    theory, where = current.frame.theory, current.reach.may
    wide = {
        base: spreads.widened(theory, previous.spreads.get(base, ()), new, where, thresholds)
        for base, new in current.spreads.items()
    }
    current = replace(current, spreads=wide)
    changes: list[tuple[Place, Values]] = []
    for place, values in places(current):
        old = at(previous, place)
        if old is None or old == values or not _moves(old, values):
            continue
        changes.append((place, _widened(previous, current, (place, old, values), thresholds)))
    if not changes:
        return current
    keys = [loop_key(current, place) for place, _ in changes]
    current, sets_ = forget_conditions(current, keys, [values for _, values in changes])
    for (place, _), values in zip(changes, sets_, strict=True):
        current = put(current, place, values)
    return current


def _moves(old: Values, new: Values) -> bool:
    """Are there numbers or offsets that were not there before?"""
    return any(value not in old and (value.base is None or value.linear or any(
        known.base is value.base for known in old)) for value in new)  # fmt: skip


def _widened(
    previous: State, current: State, change: tuple[Place, Values, Values],
    thresholds: tuple[int, ...],
) -> Values:  # fmt: skip
    place, old, new = change
    guards = current.frame.theory.guards
    found: dict[Value, Bracket] = {}
    groups: dict[Name | None, list[tuple[Value, Bracket]]] = {}
    for value, b in new.items():
        groups.setdefault(value.base, []).append((value, b))
    for base, members in groups.items():
        if len(members) == 1 and members[0][0] in old:
            found[members[0][0]] = members[0][1]
            continue
        range_ = _range(current, members)
        before = _range(previous, [(v, b) for v, b in old.items() if v.base is base])
        if range_ is None:
            continue
        if before is not None:
            range_ = num.widen(before, num.join(before, range_), thresholds)
        range_ = _clipped(current, place, base, range_)
        may = must = 0
        for _, b in members:
            may, must = guards.either(may, b.may), guards.either(must, b.must)
        found[moved_by_loop(loop_key(current, place), range_, base)] = Bracket(may, must)
    if len(found) == 1:
        return dict.fromkeys(found, Bracket(1, 1))
    return found


def _range(state: State, members: list[tuple[Value, Bracket]]) -> num.Num | None:
    theory = state.frame.theory
    total: num.Num | None = None
    for value, b in members:
        where = theory.guards.both(state.reach.may, b.may)
        if theory.guards.possible(where):
            one = theory.bounds(value, where)
            total = one if total is None else num.join(total, one)
    return total


def _clipped(state: State, place: Place, base: Name | None, range_: num.Num) -> num.Num:
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

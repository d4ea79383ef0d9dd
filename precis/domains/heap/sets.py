"""Sets of values with guards: what a variable or a cell holds.

Of a set {v1: b1, ..., vk: bk} one value is the true one: vi only if bi.may holds, certainly if
bi.must does. The guards count only where the state that has the set does (its `reach`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, TypeAlias

from precis.domains.heap.guards import ALWAYS, FALSE, NEVER, TRUE, Bracket, Guards
from precis.domains.heap.names import (
    ANYTHING,
    SOME,
    TOP,
    UNDEFINED,
    UNSET,
    ZERO,
    Value,
    constant,
    minus,
    numbers,
)
from precis.domains.heap.theory import Theory
from precis.domains.values import num

Values: TypeAlias = Mapping[Value, Bracket]
MOST_VALUES: Final = 12
MOST_PAIRS: Final = 16  # of numbers that lie side by side

TOP_SET: Final[Values] = {ANYTHING: ALWAYS}
UNSET_SET: Final[Values] = {UNSET: ALWAYS}
SOME_SET: Final[Values] = {SOME: ALWAYS}


def only(value: Value) -> Values:
    return {value: ALWAYS}


def under(guards: Guards, values: Values, b: Bracket) -> Values:
    """The set with one more condition on each value."""
    if b == ALWAYS:
        return values
    found = {}
    for value, guard in values.items():
        both = guards.all_of(guard, b)
        if both.may != FALSE:
            found[value] = both
    return found


def union(guards: Guards, parts: Iterable[Values]) -> Values:
    """The sets together; equal values become one."""
    found: dict[Value, Bracket] = {}
    for part in parts:
        for value, guard in part.items():
            known = found.get(value)
            found[value] = guard if known is None else guards.any_of(known, guard)
    return found


def chosen(guards: Guards, test: Bracket, then: Values, other: Values) -> Values:
    """The one set where the test holds, the other where it does not."""
    if then is other or test == ALWAYS:
        return then
    if test == NEVER:
        return other
    found = {}
    for value in dict.fromkeys((*then, *other)):
        b = guards.choice(test, then.get(value, NEVER), other.get(value, NEVER))
        if b.may != FALSE:
            found[value] = b
    return found


def mapped(guards: Guards, values: Values, change: Callable[[Value], Values | Value]) -> Values:
    """The set with something done to each value."""
    parts: list[Values] = []
    for value, guard in values.items():
        result = change(value)
        parts.append({result: guard} if isinstance(result, Value) else under(guards, result, guard))
    return parts[0] if len(parts) == 1 else union(guards, parts)


def pruned(theory: Theory, values: Values, reach: int) -> Values:
    """Without the values that cannot be where the state is, guards made simpler; few enough."""
    guards = theory.guards
    if len(values) == 1:
        ((value, _),) = values.items()
        return values if value.base is TOP else {value: ALWAYS}
    found = {}
    for value, guard in values.items():
        if guards.possible(guards.both(guard.may, reach)):
            may = guards.shortened(guard.may, reach)
            found[value] = Bracket(may, guards.shortened(guard.must, reach))
    if len(found) == 1:
        return dict.fromkeys(found, ALWAYS)
    return found if len(found) <= MOST_VALUES else gathered(theory, found, reach)


def gathered(theory: Theory, values: Values, reach: int) -> Values:
    """Fewer values: numbers become one range, pointers with one base one range of offsets."""
    theory.cut("values")
    guards = theory.guards
    ranges: dict[object, tuple[Value, Bracket]] = {}
    for value, guard in values.items():
        if value.base in (TOP, UNDEFINED):
            wide = value
        else:
            wide = Value(value.base, (), theory.bounds(value, guards.both(reach, guard.may)))
        known = ranges.get(value.base)
        if known is not None:
            joined = Value(value.base, (), num.join(known[0].number, wide.number))
            guard = Bracket(
                guards.either(known[1].may, guard.may), guards.either(known[1].must, guard.must)
            )
            wide = joined
        ranges[value.base] = (wide, guard)
    if len(ranges) > MOST_VALUES:
        return TOP_SET
    if len(ranges) == 1:
        return {wide: ALWAYS for wide, _ in ranges.values()}
    return dict(ranges.values())


def equal(
    guards: Guards, left: Values, right: Values, same: Callable[[Value, Value], Bracket]
) -> Bracket:
    """Do two sets hold the same value?"""
    may = must = differs = FALSE
    for a, b_a in left.items():
        for b, b_b in right.items():
            both = guards.all_of(b_a, b_b)
            if both.may == FALSE:
                continue
            is_same = same(a, b)
            may = guards.either(may, guards.both(is_same.may, both.may))
            must = guards.either(must, guards.both(is_same.must, both.must))
            differs = guards.either(differs, guards.without(both.may, is_same.must))
    return _whole(guards, may, must, differs)


def side_by_side(guards: Guards, low: Values, high: Values, bits: int) -> Values | None:
    """Numbers made of other ones, the higher ones so many bits up; None if these are not known."""
    if len(low) * len(high) > MOST_PAIRS or not all(map(is_known, (*low, *high))):
        return None
    parts: list[Values] = []
    for one, b_one in low.items():
        for other, b_other in high.items():
            both = guards.all_of(b_one, b_other)
            if both.may != FALSE:
                parts.append({constant(one.number[0] | other.number[0] << bits): both})
    return union(guards, parts) if parts else None


def is_known(value: Value) -> bool:
    """Is it one number?"""
    return value.base is None and value.is_constant


def holds(guards: Guards, values: Values, test: Callable[[Value], Bracket]) -> Bracket:
    """Does the value pass a test?"""
    may = must = fails = FALSE
    for value, guard in values.items():
        passed = test(value)
        may = guards.either(may, guards.both(passed.may, guard.may))
        must = guards.either(must, guards.both(passed.must, guard.must))
        fails = guards.either(fails, guards.without(guard.may, passed.must))
    return _whole(guards, may, must, fails)


def _whole(guards: Guards, may: int, must: int, fails: int) -> Bracket:
    """Sets leave no value out: where none can fail a test, the test is passed."""
    return Bracket(may, guards.either(must, guards.negation(fails)))


def leq(theory: Theory, small: Values, big: Values, reach: int) -> bool:
    """Does the big set say no more than the small one, where the guard holds?"""
    if small is big or big == TOP_SET:
        return True
    guards = theory.guards
    for value, guard in small.items():
        where = guards.both(reach, guard.may)
        if guards.implies(where, big.get(value, NEVER).may):
            continue
        allowed = FALSE
        for wide, b in big.items():
            if covers(theory, wide, value, where):
                allowed = guards.either(allowed, b.may)
        if not guards.implies(where, allowed):
            return False
    for wide, guard in big.items():
        where = guards.both(reach, guard.must)
        if guards.implies(where, small.get(wide, NEVER).must):
            continue
        other = FALSE
        for value, b in small.items():
            if not covers(theory, wide, value, guards.both(where, b.may)):
                other = guards.either(other, b.may)
        if guards.possible(guards.both(where, other)):
            return False
    return True


def covers(theory: Theory, wide: Value, value: Value, where: int) -> bool:
    """Is all that a value can be, where the guard holds, in another one?"""
    if wide == value or wide.base is TOP or not theory.guards.possible(where):
        return True
    if wide.base is not value.base or value.base is UNDEFINED:
        return False
    rest = minus(Value(None, value.linear, value.number), Value(None, wide.linear, ZERO))
    if num.leq(theory.bounds(rest, where), wide.number):
        return True
    return num.leq(theory.bounds(rest, where, by_all=True), wide.number)


def hull(theory: Theory, values: Values, reach: int) -> num.Num | None:
    """All numbers of the set as one range; None if it has anything else."""
    total: num.Num | None = None
    for value, guard in values.items():
        if value.base is not None:
            return None
        where = theory.guards.both(reach, guard.may)
        if not theory.guards.possible(where):
            continue
        one = theory.bounds(value, where)
        total = one if total is None else num.join(total, one)
    return total


def any_number(range_: num.Num) -> Values:
    return {numbers(range_): Bracket(TRUE, TRUE)}

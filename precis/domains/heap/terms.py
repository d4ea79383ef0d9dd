"""Terms on states: which values they have under which guards, and when conditions hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias, cast, final

from precis.domains.heap.arithmetic import fitted
from precis.domains.heap.guards import ALWAYS, FALSE, NEVER, PERHAPS, Bracket
from precis.domains.heap.names import (
    ANYTHING,
    NULL,
    TOP,
    UNDEFINED,
    UNSET,
    Kind,
    Name,
    Value,
    computed,
    constant,
    is_region,
    minus,
    name,
    numbers,
    plus,
    pointer,
    ranged,
    times,
)
from precis.domains.heap.pointers import inside, same_place
from precis.domains.heap.sets import (
    SOME_SET,
    TOP_SET,
    Values,
    chosen,
    equal,
    gathered,
    mapped,
    only,
    pruned,
    under,
    union,
)
from precis.domains.heap.state import State
from precis.domains.heap.theory import Theory
from precis.domains.values import num
from precis.ir.types import Float, Int, Logic, Pointer
from precis.ir.values import LEAVES, Term

Known: TypeAlias = dict[Term, "Values | Bracket"]
_MOST_PAIRS: Final = 36


@final
class Terms:
    """Evaluation; the order in which a term's parts are computed is made once."""

    def __init__(self) -> None:
        self._plans: dict[Term, tuple[Term, ...]] = {}

    def values(self, state: State, term: Term) -> Values:
        return cast("Values", self._evaluate(state, term))

    def test(self, state: State, condition: Term) -> Bracket:
        return cast("Bracket", self._evaluate(state, condition))

    def _evaluate(self, state: State, term: Term) -> Values | Bracket:
        if term.op == "var":
            return _leaf(state, term)
        known: Known = {}
        for part in self._plan(term):
            known[part] = _node(state, part, known)
        return known[term]

    def _plan(self, term: Term) -> tuple[Term, ...]:
        """The parts of a term, each after its own."""
        found = self._plans.get(term)
        if found is None:
            order: dict[Term, None] = {}
            work: list[tuple[Term, bool]] = [(term, False)]
            while work:
                part, done = work.pop()
                if done:
                    order[part] = None
                elif part not in order:
                    work.append((part, True))
                    work.extend((arg, False) for arg in reversed(part.args))
            found = self._plans[term] = tuple(order)
        return found


def _node(state: State, term: Term, known: Known) -> Values | Bracket:
    if term.op in LEAVES:
        if isinstance(term.type, Logic):
            return ALWAYS if term.data else NEVER
        return _leaf(state, term)
    if isinstance(term.type, Logic):
        return _condition(state, term, known)
    args = term.args
    match term.op:
        case "ite":
            test = cast("Bracket", known[args[0]])
            then, other = cast("Values", known[args[1]]), cast("Values", known[args[2]])
            return chosen(state.frame.theory.guards, test, then, other)
        case "cast":
            return _cast(state, term, known[args[0]])
        case "offset":
            return _offset(
                state, term, cast("Values", known[args[0]]), cast("Values", known[args[1]])
            )
        case "diff":
            return _pairs(state, known[args[0]], known[args[1]], _distance(term.type))
        case "neg" | "bnot":
            return _sign(state, term, cast("Values", known[args[0]]))
        case _:
            return _pairs(state, known[args[0]], known[args[1]], _operation(state, term))


def _leaf(state: State, term: Term) -> Values:
    match term.op:
        case "var":
            return state.variables[cast("int", term.data)] or only(UNSET)
        case "const":
            if not isinstance(term.data, int) or isinstance(term.type, Float):
                return SOME_SET
            return only(constant(term.data))
        case "local":
            return only(pointer(object_name(state, cast("int", term.data))))
        case "global":
            return only(pointer(name(Kind.GLOBAL, str(term.data))))
        case "function":
            return only(pointer(name(Kind.CODE, str(term.data))))
        case "undef":
            return only(UNSET)
        case _:
            return TOP_SET


def object_name(state: State, index: int) -> Name:
    return name(Kind.OBJECT, ((state.frame.owner, -1, index),))


# Numbers.


def _pairs(
    state: State, left: Values | Bracket, right: Values | Bracket,
    combine: Callable[[Value, Value, int], Values],
) -> Values:  # fmt: skip
    """An operation on each pair of values that can be together."""
    theory = state.frame.theory
    guards = theory.guards
    a, b = cast("Values", left), cast("Values", right)
    if len(a) * len(b) > _MOST_PAIRS:
        a, b = gathered(theory, a, state.reach.may), gathered(theory, b, state.reach.may)
    parts = []
    for x, b_x in a.items():
        for y, b_y in b.items():
            both = guards.all_of(b_x, b_y)
            where = guards.both(both.may, state.reach.may)
            if guards.possible(where):
                parts.append(under(guards, combine(x, y, where), both))
    if not parts:
        return TOP_SET
    return pruned(theory, union(guards, parts), state.reach.may)


def _operation(state: State, term: Term) -> Callable[[Value, Value, int], Values]:
    theory, type_, op = state.frame.theory, term.type, term.op
    if not isinstance(type_, Int):
        return lambda a, b, where: SOME_SET

    def combine(a: Value, b: Value, where: int) -> Values:
        if a.base is not None or b.base is not None:
            return only(numbers(num.of_type(type_)))
        if op == "add":
            return fitted(theory, plus(a, b), type_, where)
        if op == "sub":
            return fitted(theory, minus(a, b), type_, where)
        if op == "mul" and (a.is_constant or b.is_constant):
            one, two = (b, a) if a.is_constant else (a, b)
            return fitted(theory, times(one, two.number[0]), type_, where)
        if op in ("div", "rem") and _may_be_zero(theory, b, where):
            return only(numbers(num.of_type(type_)))  # any value, each time another
        found = computed(op, a, b, type_)
        if found.linear:
            return only(found)
        return only(numbers(ranged(op, theory.bounds(a, where), theory.bounds(b, where), type_)))

    return combine


def _may_be_zero(theory: Theory, value: Value, where: int) -> bool:
    zero = theory.equal_numbers(value, NULL)
    return theory.guards.possible(theory.guards.both(zero.may, where))


def _sign(state: State, term: Term, values: Values) -> Values:
    type_ = term.type
    if not isinstance(type_, Int):
        return SOME_SET
    theory = state.frame.theory

    def change(value: Value) -> Values:
        if value.base is not None:
            return only(numbers(num.of_type(type_)))
        turned = times(value, -1)
        exact = turned if term.op == "neg" else turned.moved(-1)
        return fitted(theory, exact, type_, state.reach.may)

    return mapped(theory.guards, values, change)


def _cast(state: State, term: Term, given: Values | Bracket) -> Values:
    source, target = term.args[0].type, term.type
    theory = state.frame.theory
    if isinstance(source, Logic):
        return chosen(
            theory.guards, cast("Bracket", given), only(constant(1)), only(constant(0))
        )  # fmt: skip

    def change(value: Value) -> Values:
        if isinstance(source, Pointer) and isinstance(target, Pointer):
            return only(value)
        if isinstance(target, Int):
            if value.base is None and not isinstance(source, Pointer):
                return fitted(theory, value, target, state.reach.may)
            return only(value if value == NULL else numbers(num.of_type(target)))
        if isinstance(target, Pointer) and isinstance(source, Int):
            return only(value if value.base is None and value.is_constant else ANYTHING)
        return SOME_SET

    return mapped(theory.guards, cast("Values", given), change)


# Pointers.


def _offset(
    state: State, term: Term, pointers: Values | Bracket, counts: Values | Bracket
) -> Values:
    scale = cast("int", term.data)

    def combine(at: Value, count: Value, where: int) -> Values:
        if at.base in (TOP, UNDEFINED) or count.base is not None:
            return TOP_SET if at.base is None or count.base is not None else only(at)
        return only(plus(at, times(count, scale)))

    return _pairs(state, pointers, counts, combine)


def _distance(type_: object) -> Callable[[Value, Value, int], Values]:
    assert isinstance(type_, Int)

    def combine(a: Value, b: Value, where: int) -> Values:
        if a.base is b.base and a.base not in (TOP, UNDEFINED):
            return only(minus(a, b))
        return only(numbers(num.of_type(type_)))

    return combine


# Conditions.


def _condition(state: State, term: Term, known: Known) -> Bracket:
    guards = state.frame.theory.guards
    args = [known[arg] for arg in term.args]
    match term.op:
        case "not":
            return guards.opposite(cast("Bracket", args[0]))
        case "and":
            return guards.all_of(cast("Bracket", args[0]), cast("Bracket", args[1]))
        case "or":
            return guards.any_of(cast("Bracket", args[0]), cast("Bracket", args[1]))
        case "ite":
            return guards.choice(*(cast("Bracket", arg) for arg in args))
        case "eq" | "ne":
            same = _compared(state, term, args, _is_equal)
            return same if term.op == "eq" else guards.opposite(same)
        case "lt":
            return guards.opposite(_compared(state, term, args[::-1], _is_at_most))
        case _:
            return _compared(state, term, args, _is_at_most)


def _compared(
    state: State, term: Term, args: list[Values | Bracket],
    test: Callable[[State, Value, Value], Bracket],
) -> Bracket:  # fmt: skip
    if not isinstance(term.args[0].type, Int | Pointer):
        return PERHAPS
    left, right = cast("Values", args[0]), cast("Values", args[1])
    return equal(state.frame.theory.guards, left, right, lambda a, b: test(state, a, b))


def _is_at_most(state: State, a: Value, b: Value) -> Bracket:
    if a.base is not b.base or a.base in (TOP, UNDEFINED):
        return PERHAPS
    return state.frame.theory.less_or_equal(a, b)


def _is_equal(state: State, a: Value, b: Value) -> Bracket:
    theory = state.frame.theory
    if not {a.base, b.base}.isdisjoint((TOP, UNDEFINED)):
        return PERHAPS
    for one, other in ((a, b), (b, a)):
        if one.base is None and other.base is not None:
            return NEVER if one == NULL else PERHAPS
    if a.base is b.base:
        same = theory.equal_numbers(a, b)
        return same if a.base is None else state.alike(a.base, same)
    return same_address(state, a, b)


def same_address(state: State, a: Value, b: Value) -> Bracket:
    """Of different bases: one cell, or by chance if one is dead or at the end of its block."""
    assert a.base is not None and b.base is not None
    guards = state.frame.theory.guards
    same = same_place(state, a, b)
    chance = FALSE if state.frame.is_root else _noted(state, a, b)
    for value in (a, b):
        chance = guards.either(chance, _is_strange(state, value).may)
    return Bracket(guards.either(same.may, chance), guards.without(same.must, chance))


def _noted(state: State, a: Value, b: Value) -> int:
    """Note that places of callers are compared, at fixed distances of names; of others, when one
    may lie outside of its block."""
    chance = FALSE
    for one, other in ((a, b), (b, a)):
        if one.base is None or not is_region(one.base):
            continue
        if one.is_constant:
            is_callers = other.base is not None and is_region(other.base)
            base, offset = (other.base, other.number[0]) if is_callers else (None, 0)
            state.frame.differ((one.base, one.number[0], base, offset if other.is_constant else 0))
        else:
            guards = state.frame.theory.guards
            chance = guards.either(chance, is_outside(state, one).may)
    return chance


def _is_strange(state: State, value: Value) -> Bracket:
    """Is it a pointer whose address may be another block's? Callers' blocks were all there at
    once, so that they differ even when some of them are freed."""
    base = value.base
    assert base is not None
    guards = state.frame.theory.guards
    if is_region(base) and base.kind is not Kind.GLOBAL:
        if state.frame.is_root:
            return NEVER
        return guards.opposite(state.frame.theory.flag("live", base))
    return guards.any_of(is_outside(state, value), state.is_dead(base))


def is_outside(state: State, value: Value) -> Bracket:
    """Does it lead to no byte of its block? The block is one that is known."""
    assert value.base is not None
    if value.base.kind is Kind.CODE:
        return NEVER if value == pointer(value.base) else PERHAPS
    return state.frame.theory.guards.opposite(inside(state, value, 1))

"""Terms on states: what a term may be, and what a state becomes when a condition holds.

Each term is turned into a closure once. A closure for a scalar gives a value, one for a Logic
gives a mask: 1 if it may be false, 2 if it may be true.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from precis.domains.numeric import Numeric
from precis.domains.values import num
from precis.domains.values.memory import LIVE
from precis.domains.values.num import BOTH, FALSE, TRUE, Num
from precis.domains.values.state import State, variables_of
from precis.domains.values.value import (
    ANY_OFFSET,
    FLOAT,
    NULL,
    SOMEWHERE,
    UNKNOWN,
    UNSET,
    ZERO,
    Pointers,
    Value,
    any_of,
    as_pointer,
    join,
    join_pointers,
    moved,
    pointer_to,
    used,
)
from precis.domains.values.world import World
from precis.ir.types import Float, Int, Logic, Pointer
from precis.ir.values import Term, compare

Evaluate: TypeAlias = Callable[[State], Value]
Test: TypeAlias = Callable[[State], int]

_ARITHMETIC = {
    "add": num.add, "sub": num.sub, "mul": num.mul, "band": num.band, "bor": num.bor,
    "bxor": num.bxor,
}  # fmt: skip


class Terms:
    """The closures of one program's terms."""

    def __init__(self, world: World, numeric: Numeric[tuple[Num | None, ...]]) -> None:
        self._world = world
        self._numeric = numeric
        self._values: dict[Term, Evaluate] = {}
        self._tests: dict[Term, Test] = {}
        # Of a library, tests of one variable are remembered too: they guard what callers need.
        self.fewest = 1 if world.library else 2

    # Values.

    def value(self, term: Term) -> Evaluate:
        """What the term gives as it is: a copy of an indeterminate variable stays so."""
        found = self._values.get(term)
        if found is None:
            found = self._values[term] = self._make(term)
        return found

    def use(self, term: Term) -> Evaluate:
        """What an operation on the term gets."""
        inner = self.value(term)
        if term.op in ("const", "real", "global", "function", "local"):
            return inner
        type_ = term.type

        def evaluate(state: State) -> Value:
            value = inner(state)
            return used(value, type_) if value[2] else value

        return evaluate

    def number(self, state: State, term: Term) -> Num | None:
        """The plain numbers of an integer term; None if it may be something else."""
        value = self.use(term)(state)
        return None if value[1] else value[0]

    def _make(self, term: Term) -> Evaluate:
        match term.op:
            case "const":
                assert isinstance(term.data, int)
                constant: Value = (num.const(term.data), (), False)
                if isinstance(term.type, Pointer):
                    constant = as_pointer(constant)
                return lambda state: constant
            case "real":
                return lambda state: FLOAT
            case "undef":
                return lambda state: UNSET
            case "var":
                return self._variable(term)
            case "local":
                return self._local(term)
            case "global":
                address = pointer_to(self._world.global_block(str(term.data)))
                return lambda state: address
            case "function":
                code = self._world.code_block(str(term.data))
                place = pointer_to(code)
                return lambda state: place
            case "cast":
                return self._cast(term)
            case "offset":
                return self._offset(term)
            case "diff":
                return self._diff(term)
            case "ite":
                return self._ite(term)
            case _:
                return self._operation(term)

    def _variable(self, term: Term) -> Evaluate:
        index = term.data
        assert isinstance(index, int)
        bounds = self._numeric.bounds

        def evaluate(state: State) -> Value:
            pointers, unset = state.parts[index]
            return (bounds(state.numbers, index), pointers, unset)

        return evaluate

    def _local(self, term: Term) -> Evaluate:
        index = term.data
        assert isinstance(index, int)

        def evaluate(state: State) -> Value:
            block = state.objects[index]
            return pointer_to(block) if block else (None, SOMEWHERE, False)

        return evaluate

    def _cast(self, term: Term) -> Evaluate:
        inner, target = term.args[0], term.type
        if isinstance(target, Float) or isinstance(inner.type, Float):
            anything = any_of(target)
            return lambda state: anything
        if isinstance(inner.type, Logic):
            test = self.test(inner)
            one: Value = (num.const(1), (), False)
            choices = {0: NULL, FALSE: NULL, TRUE: one, BOTH: (num.make(0, 1), (), False)}
            return lambda state: choices[test(state)]
        if isinstance(target, Pointer):
            if isinstance(inner.type, Pointer):
                return self.value(inner)
            whole = self.use(inner)
            return lambda state: self._made_pointer(state, whole(state))
        assert isinstance(target, Int)
        evaluate_inner = self.value(inner)
        narrow = target.bits < 8 * self._world.program.model.pointer_bytes

        def evaluate(state: State) -> Value:
            number, pointers, unset = evaluate_inner(state)
            if unset:
                # A conversion may pass indeterminate bytes on as they are.
                number, pointers, _ = used((number, pointers, True), inner.type)
            if pointers and (narrow or UNKNOWN in dict(pointers)):
                return (num.of_type(target), (), unset)
            if number is not None:
                number = num.wrap(number, target)
            return (number, pointers, unset)

        return evaluate

    def _made_pointer(self, state: State, value: Value) -> Value:
        """An integer made a pointer leads to what lies at that address: to its own block only
        if it is inside of that."""
        found = as_pointer(value)
        for block, offset in value[1]:
            if block != UNKNOWN and not self.in_live_block(state, block, offset):
                return (found[0], join_pointers(found[1], SOMEWHERE), found[2])
        return found

    def _offset(self, term: Term) -> Evaluate:
        base, count = self.use(term.args[0]), self.use(term.args[1])
        scale = term.data
        assert isinstance(scale, int)

        def evaluate(state: State) -> Value:
            number, pointers, _ = base(state)
            places, hidden, _ = count(state)
            distance = num.scale(places, scale) if places is not None and not hidden else ANY_OFFSET
            if distance == ZERO:
                return (number, pointers, False)
            found = moved(pointers, distance)
            if number is not None:
                found = join_pointers(found, SOMEWHERE)
                number = ZERO if num.contains(distance, 0) else None
            return (number, found, False)

        return evaluate

    def _diff(self, term: Term) -> Evaluate:
        left, right = self.use(term.args[0]), self.use(term.args[1])
        anything = any_of(term.type)

        def evaluate(state: State) -> Value:
            x, y = left(state), right(state)
            if x[0] is not None or y[0] is not None:
                return NULL if x == NULL and y == NULL else anything
            if len(x[1]) != 1 or len(y[1]) != 1 or x[1][0][0] != y[1][0][0]:
                return anything
            block = x[1][0][0]
            if block == UNKNOWN or self._world.block(state, block).many:
                return anything
            return (num.sub(x[1][0][1], y[1][0][1]), (), False)

        return evaluate

    def _ite(self, term: Term) -> Evaluate:
        test = self.test(term.args[0])
        yes, no = self.value(term.args[1]), self.value(term.args[2])

        def evaluate(state: State) -> Value:
            mask = test(state)
            if mask == TRUE:
                return yes(state)
            if mask == FALSE:
                return no(state)
            return join(yes(state), no(state))

        return evaluate

    def _operation(self, term: Term) -> Evaluate:
        """Arithmetic: on plain numbers; of addresses only sums and differences are followed."""
        type_ = term.type
        if not isinstance(type_, Int):
            anything = any_of(type_)
            return lambda state: anything
        if term.op in ("neg", "bnot"):
            return self._unary(term, type_)
        if term.op in ("div", "rem"):
            return self._division(term, type_)
        if term.op in ("shl", "shr"):
            return self._shift(term, type_)
        left, right = self.use(term.args[0]), self.use(term.args[1])
        operation = _ARITHMETIC[term.op]
        anything = any_of(type_)
        wrap = num.wrap
        word = self._world.word
        sum_of = term.op if term.op in ("add", "sub") and type_.bits == word.bits else ""

        def evaluate(state: State) -> Value:
            x, p, _ = left(state)
            y, q, _ = right(state)
            if p or q:
                return _address_sum(sum_of, (x, p), (y, q), word, anything)
            if x is None or y is None:
                return anything
            return (wrap(operation(x, y), type_), (), False)

        return evaluate

    def _unary(self, term: Term, type_: Int) -> Evaluate:
        inner = self.use(term.args[0])
        operation = num.neg if term.op == "neg" else num.bnot
        anything = any_of(type_)

        def evaluate(state: State) -> Value:
            x, pointers, _ = inner(state)
            if pointers or x is None:
                return anything
            return (num.wrap(operation(x), type_), (), False)

        return evaluate

    def _division(self, term: Term, type_: Int) -> Evaluate:
        left, right = self.use(term.args[0]), self.use(term.args[1])
        operation = num.div if term.op == "div" else num.rem
        anything = any_of(type_)
        checked = "division" in self._world.properties

        def evaluate(state: State) -> Value:
            x, p, _ = left(state)
            y, q, _ = right(state)
            if p or q or x is None or y is None or (not checked and num.contains(y, 0)):
                return anything
            found = operation(x, y)
            return anything if found is None else (num.wrap(found, type_), (), False)

        return evaluate

    def _shift(self, term: Term, type_: Int) -> Evaluate:
        left, right = self.use(term.args[0]), self.use(term.args[1])
        operation = num.shl if term.op == "shl" else num.shr
        anything = any_of(type_)
        widths = num.make(0, type_.bits - 1)

        def evaluate(state: State) -> Value:
            x, p, _ = left(state)
            y, q, _ = right(state)
            if p or q or x is None or y is None:
                return anything
            if not num.leq(y, widths):
                if y[2]:
                    return anything
                y = num.const(y[0] % type_.bits)
            return (num.wrap(operation(x, y), type_), (), False)

        return evaluate

    # Conditions.

    def test(self, term: Term) -> Test:
        found = self._tests.get(term)
        if found is None:
            found = self._tests[term] = self._make_test(term)
        return found

    def _make_test(self, term: Term) -> Test:
        match term.op:
            case "const":
                fixed = TRUE if term.data else FALSE
                return lambda state: fixed
            case "not":
                inner = self.test(term.args[0])
                return lambda state: _NEGATED[inner(state)]
            case "and" | "or":
                left, right = self.test(term.args[0]), self.test(term.args[1])
                decisive = FALSE if term.op == "and" else TRUE
                return lambda state: _both(left(state), right(state), decisive)
            case "ite":
                return self._test_ite(term)
            case "eq" | "ne" | "lt" | "le":
                return self._comparison(term)
            case _:
                raise AssertionError(f"no truth value: {term}")

    def _test_ite(self, term: Term) -> Test:
        test, yes, no = (self.test(arg) for arg in term.args)

        def evaluate(state: State) -> int:
            mask = test(state)
            found = yes(state) if mask & TRUE else 0
            return found | no(state) if mask & FALSE else found

        return evaluate

    def _comparison(self, term: Term) -> Test:
        left, right = term.args
        if isinstance(left.type, Float):
            return lambda state: BOTH
        x, y, op = self.use(left), self.use(right), term.op
        compare_numbers = num.compare
        relation, direct = relation_of(term)
        related = len(variables_of(term)) >= self.fewest

        def evaluate(state: State) -> int:
            if related and state.facts:
                known = state.facts.get(relation)
                if known is not None:
                    return TRUE if known is direct else FALSE
            a, p, _ = x(state)
            b, q, _ = y(state)
            if p or q:
                return self.compare_addresses(state, op, (a, p, False), (b, q, False))
            if a is None or b is None:
                return BOTH
            return compare_numbers(op, a, b)

        return evaluate

    def compare_addresses(self, state: State, op: str, x: Value, y: Value) -> int:
        """Comparison of values some of which are addresses."""
        found = 0
        if x[0] is not None and y[0] is not None:
            found |= num.compare(op, x[0], y[0])
        for number, pointers, flipped in ((x[0], y[1], True), (y[0], x[1], False)):
            if number is not None:
                for block, offset in pointers:
                    found |= self._against_number(state, op, number, block, offset, flipped)
        for block, offset in x[1]:
            for other, place in y[1]:
                found |= self._against_address(state, op, (block, offset), (other, place))
                if found == BOTH:
                    return BOTH
        return found

    def _against_number(
        self, state: State, op: str, number: Num, block: int, offset: Num, flipped: bool
    ) -> int:
        """A live block does not lie at address zero; nothing else is known of addresses."""
        if number == ZERO and self.in_live_block(state, block, offset):
            if op in ("eq", "ne"):
                return FALSE if op == "eq" else TRUE
            return TRUE if flipped else FALSE
        return BOTH

    def in_live_block(self, state: State, block: int, offset: Num) -> bool:
        """Does the address surely lie inside a live block (or at its first byte)?"""
        if block == UNKNOWN:
            return False
        found = self._world.block(state, block)
        if found.live != LIVE or offset[0] < 0:
            return False
        return offset == ZERO or offset[1] < found.size[0]

    def _against_address(
        self, state: State, op: str, x: tuple[int, Num], y: tuple[int, Num]
    ) -> int:
        if x[0] == y[0] != UNKNOWN and not self._world.block(state, x[0]).many:
            return num.compare(op, x[1], y[1])
        if x[0] == y[0] or op not in ("eq", "ne"):
            return BOTH
        if self._strictly_inside(state, x) and self._strictly_inside(state, y):
            return FALSE if op == "eq" else TRUE
        return BOTH

    def _strictly_inside(self, state: State, place: tuple[int, Num]) -> bool:
        block, offset = place
        if block == UNKNOWN:
            return False
        found = self._world.block(state, block)
        if found.live != LIVE or offset[0] < 0 or found.kind == "outside":
            return False
        return found.kind == "code" or offset[1] < found.size[0]


_NEGATED = (0, TRUE, FALSE, BOTH)


def relation_of(term: Term) -> tuple[Term, bool]:
    """A comparison as `eq` or `lt`, and whether it is that or its opposite."""
    left, right = term.args
    match term.op:
        case "ne":
            return compare("eq", left, right), False
        case "le":
            return compare("lt", right, left), False
        case _:
            return term, True


def _both(x: int, y: int, decisive: int) -> int:
    """`and` (decisive: FALSE) or `or` (decisive: TRUE) of two masks."""
    other = BOTH - decisive
    found = 0
    if x & decisive or y & decisive:
        found |= decisive
    if x & other and y & other:
        found |= other
    return found


def _address_sum(
    op: str, left: tuple[Num | None, Pointers], right: tuple[Num | None, Pointers], word: Int,
    anything: Value,
) -> Value:  # fmt: skip
    """Sums of addresses (as integers) and plain numbers, which count modulo the width."""
    (x, p), (y, q) = left, right
    if op == "add" and p and not q and x is None and y is not None:
        return (None, moved(p, num.wrap(y, word)), False)
    if op == "add" and q and not p and y is None and x is not None:
        return (None, moved(q, num.wrap(x, word)), False)
    if op == "sub" and p and not q and x is None and y is not None:
        return (None, moved(p, num.wrap(num.neg(y), word)), False)
    return anything

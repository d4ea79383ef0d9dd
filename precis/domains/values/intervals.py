"""Intervals with strides, one for each dimension: the numeric domain of `values`.

A condition refines backwards: from the values that a comparison leaves to its operands, through
casts, additions and multiplications by constants, down to variables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias, final

from precis.domains.numeric import Evaluate
from precis.domains.values import num
from precis.domains.values.num import Num
from precis.ir.types import Int
from precis.ir.values import Term

Numbers: TypeAlias = tuple[Num | None, ...]


@final
class Intervals:
    """Implements `Numeric`."""

    __slots__ = ()

    def start(self, dimensions: int) -> Numbers:
        return (None,) * dimensions

    def bounds(self, numbers: Numbers, dimension: int) -> Num | None:
        return numbers[dimension]

    def put(self, numbers: Numbers, dimension: int, bounds: Num | None) -> Numbers:
        return (*numbers[:dimension], bounds, *numbers[dimension + 1 :])

    def assign(self, numbers: Numbers, dimension: int, term: Term, bounds: Num | None) -> Numbers:
        return (*numbers[:dimension], bounds, *numbers[dimension + 1 :])

    def assume(
        self,
        numbers: Numbers,
        condition: Term,
        truth: bool,
        evaluate: Evaluate,
        may_refine: Callable[[int], bool],
    ) -> Numbers | None:
        left, right = condition.args
        a, b = evaluate(left), evaluate(right)
        if a is None or b is None:
            return numbers
        parts = num.refine(condition.op, truth, a, b)
        if parts is None:
            return None
        found: Numbers | None = numbers
        if parts[0] != a:
            found = self._back(numbers, left, parts[0], evaluate, may_refine)
        if found is not None and parts[1] != b:
            found = self._back(found, right, parts[1], evaluate, may_refine)
        return found

    def _back(
        self,
        numbers: Numbers,
        term: Term,
        wanted: Num,
        evaluate: Evaluate,
        may_refine: Callable[[int], bool],
    ) -> Numbers | None:
        """The part in which the term lies in `wanted`, as far as that can be told."""
        while True:
            if term.op == "var":
                dimension = term.data
                assert isinstance(dimension, int)
                known = numbers[dimension]
                if known is None or not may_refine(dimension):
                    return numbers
                part = num.meet(known, wanted)
                return None if part is None else self.put(numbers, dimension, part)
            step = _inward(term, wanted, evaluate)
            if step is None:
                return numbers
            term, part = step
            if part is None:
                return None
            wanted = part

    def entails(self, numbers: Numbers, condition: Term, evaluate: Evaluate) -> bool:
        left, right = condition.args
        a, b = evaluate(left), evaluate(right)
        return a is not None and b is not None and num.compare(condition.op, a, b) == num.TRUE

    def forget(self, numbers: Numbers, dimensions: tuple[int, ...]) -> Numbers:
        changed = list(numbers)
        for dimension in dimensions:
            changed[dimension] = None
        return tuple(changed)

    def rename(self, numbers: Numbers, places: Mapping[int, int], dimensions: int) -> Numbers:
        found: list[Num | None] = [None] * dimensions
        for dimension, place in places.items():
            found[place] = numbers[dimension]
        return tuple(found)

    def leq(self, small: Numbers, big: Numbers) -> bool:
        if small == big:
            return True
        for a, b in zip(small, big, strict=True):
            if a is not None and (b is None or not num.leq(a, b)):
                return False
        return True

    def join(self, left: Numbers, right: Numbers) -> Numbers:
        if left == right:
            return left
        return tuple(
            a if a == b or b is None else b if a is None else num.join(a, b)
            for a, b in zip(left, right, strict=True)
        )

    def widen(self, previous: Numbers, current: Numbers, thresholds: tuple[int, ...]) -> Numbers:
        if previous == current:
            return current
        return tuple(
            b if a == b or a is None else a if b is None else num.widen(a, b, thresholds)
            for a, b in zip(previous, current, strict=True)
        )

    def narrow(self, wide: Numbers, tight: Numbers) -> Numbers:
        return tuple(
            a if a is None or b is None or a == b else num.narrow(a, b)
            for a, b in zip(wide, tight, strict=True)
        )


def _inward(term: Term, wanted: Num, evaluate: Evaluate) -> tuple[Term, Num | None] | None:
    """One step from a term to the argument that decides it, with what is wanted of that."""
    type_ = term.type
    if not isinstance(type_, Int):
        return None
    if term.op == "cast":
        inner = term.args[0]
        value = evaluate(inner)
        if value is None or not isinstance(inner.type, Int):
            return None
        return (inner, num.meet(value, wanted)) if num.leq(value, num.of_type(type_)) else None
    if term.op not in ("add", "sub", "mul"):
        return None
    left, right = term.args
    a, b = evaluate(left), evaluate(right)
    if a is None or b is None:
        return None
    exact = {"add": num.add, "sub": num.sub, "mul": num.mul}[term.op](a, b)
    if not num.leq(exact, num.of_type(type_)):
        return _around(term, wanted, a, b)
    if not b[2]:
        if term.op == "mul":
            return left, num.back_mul_const(wanted, a, b[0])
        back = num.back_add if term.op == "add" else num.back_sub_left
        return left, back(wanted, a, b)
    if not a[2]:
        if term.op == "mul":
            return right, num.back_mul_const(wanted, b, a[0])
        if term.op == "add":
            return right, num.back_add(wanted, b, a)
        return right, num.back_sub_right(wanted, a, b)
    return None


def _around(term: Term, wanted: Num, a: Num, b: Num) -> tuple[Term, Num | None] | None:
    """A sum with a constant that may wrap: modulo 2**bits it has one inverse."""
    left = term.args[0]
    if term.op == "mul" or b[2] or not isinstance(left.type, Int):
        return None
    back = num.sub(wanted, b) if term.op == "add" else num.add(wanted, b)
    return left, num.meet(a, num.wrap(back, left.type))

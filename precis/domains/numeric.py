"""What heap domains ask of a domain of numbers.

A numeric element describes the values of *dimensions* 0 .. n-1, which are the integer variables
of a procedure. `values` uses intervals with strides; domains that relate dimensions to each
other implement the same protocol, and use the terms where intervals use the bounds alone.

Bounds are pairs (low, high) with a stride (see values/num.py); None stands for no number at all:
the dimension holds something else, such as a pointer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, TypeAlias, TypeVar

from precis.ir.values import Term

Bounds: TypeAlias = tuple[int, int, int]
Numbers = TypeVar("Numbers")
Evaluate: TypeAlias = Callable[[Term], Bounds | None]


class Numeric(Protocol[Numbers]):
    """A domain of numbers. `leq`, `join`, `widen` and `narrow` obey the laws of Domain."""

    def start(self, dimensions: int) -> Numbers:
        """No dimension holds a number."""

    def bounds(self, numbers: Numbers, dimension: int) -> Bounds | None: ...

    def put(self, numbers: Numbers, dimension: int, bounds: Bounds | None) -> Numbers:
        """The dimension takes any of these values, in no relation to others."""

    def assign(
        self, numbers: Numbers, dimension: int, term: Term, bounds: Bounds | None
    ) -> Numbers:
        """The dimension takes the value of a term, which lies within the bounds."""

    def assume(
        self,
        numbers: Numbers,
        condition: Term,
        truth: bool,
        evaluate: Evaluate,
        may_refine: Callable[[int], bool],
    ) -> Numbers | None:
        """The part in which a comparison of integers has this truth; None if there is none.

        `evaluate` bounds any integer term; only dimensions that `may_refine` allows may be
        made smaller (an indeterminate variable differs from one use to the next).
        """

    def entails(self, numbers: Numbers, condition: Term, evaluate: Evaluate) -> bool: ...

    def forget(self, numbers: Numbers, dimensions: tuple[int, ...]) -> Numbers:
        """These dimensions hold nothing that will be read."""

    def rename(self, numbers: Numbers, places: Mapping[int, int], dimensions: int) -> Numbers:
        """Dimension d becomes places[d]; the others hold no number."""

    def leq(self, small: Numbers, big: Numbers) -> bool: ...
    def join(self, left: Numbers, right: Numbers) -> Numbers: ...
    def widen(
        self, previous: Numbers, current: Numbers, thresholds: tuple[int, ...]
    ) -> Numbers: ...
    def narrow(self, wide: Numbers, tight: Numbers) -> Numbers: ...

"""What holds when a condition does: the part of a state in which it is true, or false.

Numbers are refined by the numeric domain, addresses here. What is learned of a variable is
learned of the cell it was loaded from, and of variables that are known to equal it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from precis.domains.numeric import Numeric
from precis.domains.values import num
from precis.domains.values.num import FALSE, TRUE, Num
from precis.domains.values.state import State, variables_of
from precis.domains.values.terms import Terms, relation_of
from precis.domains.values.value import NULL, UNKNOWN, ZERO, Value, moved
from precis.domains.values.world import World
from precis.ir.types import Float, Int, Logic, Pointer
from precis.ir.values import Term, binary, compare, const, subterms, var

Assume: TypeAlias = Callable[[State], State | None]
MOST_FACTS: Final = 20
MOST_SHIFT: Final = 64


class Assumptions:
    """Conditions as functions from states to what is left of them."""

    def __init__(
        self, world: World, terms: Terms, numeric: Numeric[tuple[Num | None, ...]]
    ) -> None:
        self._world = world
        self._terms = terms
        self._numeric = numeric
        self._equalities: dict[Term, Assume] = {}

    def assume(self, term: Term, truth: bool) -> Assume:
        """The part of a state in which the condition has this truth; None if there is none."""
        match term.op:
            case "const":
                return (lambda state: state) if bool(term.data) == truth else (lambda state: None)
            case "not":
                return self.assume(term.args[0], not truth)
            case "and" | "or" if (term.op == "and") == truth:
                first, second = (self.assume(arg, truth) for arg in term.args)
                return lambda state: _then(first(state), second)
            case "eq" | "ne" | "lt" | "le":
                return self._remembering(term, truth, self._assume_comparison(term, truth))
            case _:
                test, wanted = self._terms.test(term), TRUE if truth else FALSE
                return lambda state: state if test(state) & wanted else None

    def _remembering(self, term: Term, truth: bool, assume: Assume) -> Assume:
        """A condition between variables is a fact until one of them changes."""
        variables = variables_of(term)
        if len(variables) < self._terms.fewest or not all(_stays(node) for node in subterms(term)):
            return assume
        relation, direct = relation_of(term)

        def remember(state: State) -> State | None:
            after = assume(state)
            if after is None or relation in after.facts or len(after.facts) >= MOST_FACTS:
                return after
            if any(after.parts[v][1] for v in variables):
                return after  # an indeterminate variable differs from one use to the next
            return after.with_fact(relation, truth is direct)

        return remember

    def _assume_comparison(self, term: Term, truth: bool) -> Assume:
        left = term.args[0]
        test, wanted = self._terms.test(term), TRUE if truth else FALSE
        if isinstance(left.type, Float):
            return lambda state: state
        if isinstance(left.type, Pointer):
            return self._assume_pointers(term, truth)
        flag = self._flag(term, truth)
        numeric = self._numeric

        def assume(state: State) -> State | None:
            if not test(state) & wanted:
                return None
            if flag is not None:
                return flag(state)

            def may_refine(variable: int) -> bool:
                return state.parts[variable] == ((), False)

            numbers = numeric.assume(
                state.numbers,
                term,
                truth,
                lambda inner: self._terms.number(state, inner),
                may_refine,
            )
            if numbers is None:
                return None
            if numbers is state.numbers:
                return state
            return self._through_equalities(self.told(state, state.with_numbers(numbers)))

        return assume

    def _through_equalities(self, state: State) -> State | None:
        """What was learned of one of two equal variables is learned of the other."""
        after: State | None = state
        for fact, truth in state.facts.items():
            if truth and fact.op == "eq" and after is not None:
                after = self._equality(fact)(after)
        return after

    def _equality(self, fact: Term) -> Assume:
        found = self._equalities.get(fact)
        if found is None:
            found = self._equalities[fact] = self._plain_comparison(fact)
        return found

    def _plain_comparison(self, fact: Term) -> Assume:
        """As assume, but nothing follows from it."""
        if isinstance(fact.args[0].type, Pointer):
            return self._assume_pointers(fact, True)
        numeric = self._numeric

        def assume(state: State) -> State | None:
            def may_refine(variable: int) -> bool:
                return state.parts[variable] == ((), False)

            numbers = numeric.assume(
                state.numbers,
                fact,
                True,
                lambda inner: self._terms.number(state, inner),
                may_refine,
            )
            if numbers is None or numbers is state.numbers:
                return None if numbers is None else state
            return self.told(state, state.with_numbers(numbers))

        return assume

    def _flag(self, term: Term, truth: bool) -> Assume | None:
        """`(int)logic != 0` and the like: what it says of the Logic."""
        left, right = term.args
        inner = left
        while inner.op == "cast" and isinstance(inner.type, Int):
            inner = inner.args[0]
        if not isinstance(inner.type, Logic) or right.op != "const" or right.data != 0:
            return None
        if term.op not in ("eq", "ne"):
            return None
        return self.assume(inner, (term.op == "ne") == truth)

    def told(self, before: State, after: State) -> State:
        """What was learned of variables is learned of the cells they came from."""
        for variable, (block, offset, size) in after.origins.items():
            if before.value(variable) == after.value(variable):
                continue
            found = after.blocks.get(block)
            cell = None if found is None else found.cells.get(offset)
            if found is None or cell is None or cell[0] != size:
                continue
            cells = dict(found.cells)
            cells[offset] = (size, cell[1], after.value(variable))
            after = after.with_block(block, found.having(cells, found.rest))
        return after

    def _assume_pointers(self, term: Term, truth: bool) -> Assume:
        left, right = term.args
        test, wanted = self._terms.test(term), TRUE if truth else FALSE
        equal = (term.op == "eq") == truth
        x, y = self._terms.use(left), self._terms.use(right)
        if term.op not in ("eq", "ne"):
            return self._assume_order(term, truth)

        def assume(state: State) -> State | None:
            if not test(state) & wanted:
                return None
            a, b = x(state), y(state)
            after: State | None = state
            for mine, other, place in ((a, b, left), (b, a, right)):
                part = self._equal_part(state, mine, other) if equal else _unequal(mine, other)
                if part != mine and after is not None:
                    after = self.narrowed(after, place, part)
            return after

        return assume

    def defined(self, target: int, value: Term) -> Term | None:
        """The fact that an assignment makes: the target equals another variable, or one plus a
        constant. None if it makes none."""
        base, _ = _sum(value)
        if base is None or base.data == target or isinstance(value.type, Float):
            return None
        return compare("eq", var(target, value.type), value)

    def shifted(self, state: State, target: int, value: Term) -> dict[Term, bool]:
        """The equalities that hold after `target = target + constant`, rewritten."""
        base, moved_by = _sum(value)
        if base is None or base.data != target or not isinstance(value.type, Int):
            return {}
        found: dict[Term, bool] = {}
        for fact, truth in state.facts.items():
            if not truth or fact.op != "eq" or target not in variables_of(fact):
                continue
            left, right = fact.args
            inner, distance = _sum(right)
            if left.op != "var" or left.data == target or inner is None or inner.data != target:
                continue
            rest = value.type.wrap(distance - moved_by)
            if abs(rest) <= MOST_SHIFT:
                other = binary("add", inner, const(value.type, rest)) if rest else inner
                found[compare("eq", left, other)] = True
        return found

    def _assume_order(self, term: Term, truth: bool) -> Assume:
        """`<` and `<=` of addresses in one block say something of the offsets."""
        left, right = term.args
        test, wanted = self._terms.test(term), TRUE if truth else FALSE
        x, y = self._terms.use(left), self._terms.use(right)

        def assume(state: State) -> State | None:
            if not test(state) & wanted:
                return None
            a, b = x(state), y(state)
            if a[0] is not None or b[0] is not None or len(a[1]) != 1 or len(b[1]) != 1:
                return state
            (block, low), (other, high) = a[1][0], b[1][0]
            if block != other or block == UNKNOWN or self._world.block(state, block).many:
                return state
            parts = num.refine(term.op, truth, low, high)
            if parts is None:
                return None
            after = self.narrowed(state, left, (None, ((block, parts[0]),), False))
            if after is None:
                return None
            return self.narrowed(after, right, (None, ((block, parts[1]),), False))

        return assume

    def _equal_part(self, state: State, mine: Value, other: Value) -> Value:
        """The addresses of `mine` that may equal one of `other`."""
        pointers = []
        for place in mine[1]:
            single: Value = (None, (place,), False)
            if self._terms.compare_addresses(state, "eq", single, other) & TRUE:
                pointers.append(place)
        number = mine[0]
        if number is not None:
            rest: Value = (number, (), False)
            if not self._terms.compare_addresses(state, "eq", rest, other) & TRUE:
                number = None
        if other == NULL:
            return (ZERO, (), False)
        return (number, tuple(pointers), False)

    def narrowed(self, state: State, term: Term, value: Value) -> State | None:
        """The state in which a pointer term has a smaller value."""
        while term.op == "cast" and isinstance(term.args[0].type, Pointer):
            term = term.args[0]
        if value[0] is None and not value[1]:
            return None
        distance = ZERO
        if term.op == "offset" and term.args[0].op == "var" and term.args[1].op == "const":
            moved_by, scale = term.args[1].data, term.data
            assert isinstance(moved_by, int) and isinstance(scale, int)
            distance = num.const(-moved_by * scale)
            term = term.args[0]
        if term.op != "var" or not isinstance(term.type, Pointer):
            return state
        variable = term.data
        assert isinstance(variable, int)
        known = state.value(variable)
        if known[2]:
            return state
        if distance != ZERO:
            if value[0] is not None:
                return state
            value = (None, moved(value[1], distance), False)
        return self._with_pointer(state, variable, known, value)

    def _with_pointer(
        self, state: State, variable: int, known: Value, value: Value
    ) -> State | None:
        kept = dict(known[1])
        pointers: list[tuple[int, Num]] = []
        for block, offset in value[1]:
            old = kept.get(block)
            if old is None:
                if UNKNOWN not in kept:
                    continue
                part: Num | None = offset
            else:
                part = num.meet(old, offset)
            if part is not None:
                pointers.append((block, part))
        number = ZERO if known[0] is not None and value[0] is not None else None
        if number is None and not pointers:
            return None
        numbers = self._numeric.put(state.numbers, variable, number)
        part_ = (tuple(pointers), False)
        parts = (*state.parts[:variable], part_, *state.parts[variable + 1 :])
        after = state.with_numbers(numbers).with_parts(parts)
        return self.told(state, after)


def _then(state: State | None, following: Assume) -> State | None:
    return None if state is None else following(state)


def _unequal(mine: Value, other: Value) -> Value:
    """What is left of `mine` if it differs from `other`, where that is one thing."""
    return (None, mine[1], False) if other == NULL else mine


def _sum(term: Term) -> tuple[Term | None, int]:
    """A variable plus a constant, taken apart."""
    if term.op == "var":
        return term, 0
    if term.op in ("add", "sub") and isinstance(term.type, Int):
        left, right = term.args
        if left.op == "var" and right.op == "const" and isinstance(right.data, int):
            return left, right.data if term.op == "add" else -right.data
    return None, 0


def _stays(node: Term) -> bool:
    """Has the node one value as long as its variables do not change?"""
    return node.op not in ("local", "undef", "div", "rem") and not isinstance(node.type, Float)

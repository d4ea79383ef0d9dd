"""Forgetting: a name that is about to mean something else is taken out of a state.

A condition becomes what can be said of it without the name; a value that is computed with it
becomes the range of all it can be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from precis.domains.heap.guards import FALSE, TRUE, Bracket
from precis.domains.heap.names import Kind, Name, Value, is_region
from precis.domains.heap.sets import Values
from precis.domains.heap.spreads import Spread
from precis.domains.heap.state import State
from precis.domains.heap.theory import Theory


def forget(state: State, keys: Iterable[Any], cares: bool = True) -> State:
    """Without the numbers and choices of these keys. What is known of their atoms makes the
    result sharper, but then nobody can tell any more that it covers the state."""
    gone = frozenset(keys)
    return _Forgetting(state, gone, atoms_about(state.frame.theory, gone), cares).run()


def forget_conditions(
    state: State, keys: Iterable[Any], sets: Iterable[Values]
) -> tuple[State, list[Values]]:
    """As `forget`, and sets whose conditions are from the same state; their values stay."""
    gone = frozenset(keys)
    forgetting = _Forgetting(state, gone, atoms_about(state.frame.theory, gone))
    return forgetting.run(), [forgetting.conditions(values) for values in sets]


def forget_atoms(state: State, atoms: list[int]) -> State:
    """What can be said of all conditions without these atoms; values stay. What is known of the
    atoms is not used: there are many. Where a pointer is told, it is also told whether it is
    null: little hangs on that, and much on knowing it."""
    return _Forgetting(state, frozenset(), atoms, cares=False, nulls=True).run()


def numbers_in(atoms: Iterable[tuple[Any, ...]]) -> list[Name]:
    """The numbers that no caller knows, of these atoms, in order."""
    found = {s: None for atom in atoms if atom[0] == "most" for s, _ in atom[1]}
    return sorted(symbol for symbol in found if symbol.kind is Kind.ANY)


def atoms_about(theory: Theory, gone: frozenset[Any]) -> list[int]:
    """The atoms that speak of numbers and choices of these keys."""
    seen, found = theory.spoken.get(gone, (0, []))
    atoms = theory.atoms
    if seen < len(atoms):
        more = [number for number in range(seen, len(atoms)) if _speaks_of(atoms[number], gone)]
        found = found + more
        theory.spoken[gone] = len(atoms), found
    return found


def _speaks_of(atom: tuple[Any, ...], gone: frozenset[Any]) -> bool:
    if atom[0] == "choice":
        return atom[1] in gone
    return atom[0] == "most" and any(is_gone(symbol, gone) for symbol, _ in atom[1])


def is_gone(symbol: Name, gone: frozenset[Any]) -> bool:
    if symbol.kind is Kind.TERM:
        return any(is_gone(inner, gone) for v in symbol.parts[1:3] for inner, _ in v.linear)
    return symbol.kind is Kind.ANY and symbol.parts[0] in gone


def guards_of(state: State) -> Iterator[int]:
    """All guards of a state."""
    yield from state.reach
    yield from state.wild
    yield from state.loose
    for values in values_of(state):
        for b in values.values():
            yield from b
    for marks in state.written.values():
        for b in marks.values():
            yield from b
    for b in state.dead.values():
        yield from b
    for block in state.blocks.values():
        yield from (*block.made, *block.vague)
    for spreads in state.spreads.values():
        for spread in spreads:
            yield from spread.when


def values_of(state: State) -> Iterator[Values]:
    yield from (values for values in state.variables if values is not None)
    for cells in state.cells.values():
        yield from cells.values()
    for spreads in state.spreads.values():
        yield from (spread.content() for spread in spreads)


def symbols_of(state: State) -> Iterator[Name]:
    """The names in the sums of all values."""
    sizes = [block.size for block in state.blocks.values()]
    sizes += [spread.offset for spreads in state.spreads.values() for spread in spreads]
    for value in (*sizes, *(value for values in values_of(state) for value in values)):
        for symbol, _ in value.linear:
            yield from _inside(symbol)


def _inside(symbol: Name) -> Iterator[Name]:
    yield symbol
    if symbol.kind is Kind.TERM:
        for value in symbol.parts[1:3]:
            for inner, _ in value.linear:
                yield from _inside(inner)


def inner_keys(atom: tuple[Any, ...]) -> Iterator[Any]:
    """The keys of choices and numbers, which no caller knows, that an atom speaks of."""
    if atom[0] == "choice":
        yield atom[1]
    elif atom[0] == "most":
        for symbol, _ in atom[1]:
            for inner in _inside(symbol):
                if inner.kind is Kind.ANY:
                    yield inner.parts[0]


def inner_of(state: State) -> set[Any]:
    """The keys of choices and numbers that no caller knows, of all guards and values."""
    theory = state.frame.theory
    atoms: set[int] = set()
    for guard in set(guards_of(state)):
        atoms |= theory.guards.support(guard)
    found = {inner for number in atoms for inner in inner_keys(theory.atoms[number])}
    return found | {s.parts[0] for s in symbols_of(state) if s.kind is Kind.ANY}


def choices_of_one_cell(state: State) -> list[Any]:
    """The choices that only what one cell holds hangs on: reading it can make them again."""
    theory = state.frame.theory
    places: dict[Any, int] = {}

    def count(guards: Iterable[int], times: int) -> None:
        atoms: set[int] = set()
        for guard in guards:
            atoms |= theory.guards.support(guard)
        for inner in {k for n in atoms for k in inner_keys(theory.atoms[n])}:
            places[inner] = places.get(inner, 0) + times

    for base, cells in state.cells.items():
        times = 2 if state.is_many(base) else 1
        for values in cells.values():
            count((guard for b in values.values() for guard in b), times)
    count(guards_of(replace(state, cells={})), 2)
    numbers = {s.parts[0] for s in symbols_of(state) if s.kind is Kind.ANY}
    return [inner for inner, so_many in places.items() if so_many == 1 and inner not in numbers]


def inner_counts(state: State) -> dict[Any, int]:
    """How many guards and values speak of each choice or number that no caller knows."""
    counts: dict[Any, int] = {}
    theory = state.frame.theory
    for guard in dict.fromkeys(guards_of(state)):
        keys = (k for n in theory.guards.support(guard) for k in inner_keys(theory.atoms[n]))
        for inner in dict.fromkeys(keys):
            counts[inner] = counts.get(inner, 0) + 1
    for symbol in symbols_of(state):
        if symbol.kind is Kind.ANY:
            counts[symbol.parts[0]] = counts.get(symbol.parts[0], 0) + 1
    return counts


def atom_weights(state: State) -> dict[int, int]:
    """The atoms of all conditions, and how much hangs on each: most on those of pointers."""
    guards = state.frame.theory.guards
    weights: dict[int, int] = {}

    def count(b: Bracket, weight: int, own: frozenset[int] = frozenset()) -> None:
        for atom in (guards.support(b.may) | guards.support(b.must)) - own:
            weights[atom] = weights.get(atom, 0) + weight

    count(state.reach, 2)
    count(state.wild, 4)
    count(state.loose, 4)
    for values in values_of(state):
        leads = any(value.base is not None for value in values)
        own = own_nulls(state, values)
        for b in values.values():
            count(b, 4 if leads else 1, own)
    for marks in state.written.values():
        for b in marks.values():
            count(b, 2)
    for b in state.dead.values():
        count(b, 4)
    for block in state.blocks.values():
        count(block.made, 2)
        count(block.vague, 2)
    for spreads in state.spreads.values():
        for spread in spreads:
            count(spread.when, 2)
    return weights


def own_nulls(state: State, values: Values) -> frozenset[int]:
    """The atoms that say whether the pointers of a set that come from callers are null."""
    theory = state.frame.theory
    atoms = (theory.null_atom(v.base) for v in values if v.base is not None and is_region(v.base))
    return frozenset(atom for atom in atoms if atom is not None)


class _Forgetting:
    def __init__(
        self, state: State, gone: frozenset[Any], atoms: list[int], cares: bool = True,
        nulls: bool = False,
    ) -> None:  # fmt: skip
        self._state = state
        self._gone = gone
        self._atoms = atoms
        self._cares = cares
        self._nulls = nulls
        theory = state.frame.theory
        every = numbers_in(theory.atoms[n] for n in atoms)
        self._numbers = [symbol for symbol in every if is_gone(symbol, gone)]
        self._known: dict[Bracket, Bracket] = {}

    def run(self) -> State:
        state = self._state
        return replace(
            state,
            reach=self._bracket(state.reach),
            wild=self._bracket(state.wild),
            loose=self._bracket(state.loose),
            variables=tuple(None if v is None else self._values(v) for v in state.variables),
            cells={
                base: {extent: self._values(values) for extent, values in cells.items()}
                for base, cells in state.cells.items()
            },
            written={
                base: {extent: self._bracket(b) for extent, b in marks.items()}
                for base, marks in state.written.items()
            },
            dead={base: self._bracket(b) for base, b in state.dead.items()},
            blocks={
                base: replace(
                    block,
                    size=self._value(block.size),
                    made=self._bracket(block.made),
                    vague=self._bracket(block.vague),
                )
                for base, block in state.blocks.items()
            },
            spreads={
                base: tuple(self._spread(spread) for spread in spreads)
                for base, spreads in state.spreads.items()
            },
        )

    def conditions(self, values: Values) -> Values:
        return {value: self._bracket(b) for value, b in values.items()}

    def _bracket(self, b: Bracket) -> Bracket:
        if not self._atoms:
            return b
        found = self._known.get(b)
        if found is None:
            found = self._known[b] = self._state.frame.theory.forgotten(
                self._here(b), self._atoms, self._numbers, self._cares
            )
        return found

    def _without_all_but(self, own: frozenset[int], b: Bracket) -> Bracket:
        atoms = [atom for atom in self._atoms if atom not in own]
        return self._state.frame.theory.forgotten(self._here(b), atoms, (), self._cares)

    def _here(self, b: Bracket) -> Bracket:
        """The bracket by what is known where the state is, if it is about to lose an atom: what
        a test has ruled out stays so."""
        guards, where = self._state.frame.theory.guards, self._state.reach.may
        asked = guards.support(b.may) | guards.support(b.must)
        if b == self._state.reach or asked.isdisjoint(self._atoms):
            return b
        return Bracket(guards.shortened(b.may, where), guards.shortened(b.must, where))

    def _values(self, values: Values) -> Values:
        found: dict[Value, Bracket] = {}
        guards = self._state.frame.theory.guards
        own = own_nulls(self._state, values) if self._nulls else frozenset()
        own = own.intersection(self._atoms)
        for value, b in values.items():
            new = self._value(value, b.may)
            guard = self._without_all_but(own, b) if own else self._bracket(b)
            known = found.get(new)
            found[new] = guard if known is None else guards.any_of(known, guard)
        if len(found) > 1:
            found = {value: b for value, b in found.items() if b.may != FALSE} or found
        return values if found == values else found

    def _spread(self, spread: Spread) -> Spread:
        values = tuple(self._values(spread.content()).items())
        offset = self._value(spread.offset)
        return replace(spread, offset=offset, values=values, when=self._bracket(spread.when))

    def _value(self, value: Value, where: int = TRUE) -> Value:
        """The value without the numbers; `where` it is the value, they may be known better."""
        if not any(is_gone(symbol, self._gone) for symbol, _ in value.linear):
            return value
        kept = tuple(pair for pair in value.linear if not is_gone(pair[0], self._gone))
        gone = tuple(pair for pair in value.linear if is_gone(pair[0], self._gone))
        theory = self._state.frame.theory
        here = theory.guards.both(self._state.reach.may, where)
        return Value(value.base, kept, theory.bounds(Value(None, gone, value.number), here))

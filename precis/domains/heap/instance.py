"""A callee's names, values and guards in the memory of a caller.

Every unknown of the callee is looked up in the memory before the call; from that, values and
guards of the summary are carried over.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final, final

from precis.domains.heap import memory
from precis.domains.heap.arithmetic import viewed
from precis.domains.heap.externals import brought
from precis.domains.heap.filled import is_filled
from precis.domains.heap.forget import forget
from precis.domains.heap.frame import FAR, Overlap
from precis.domains.heap.guards import (
    ALWAYS,
    FALSE,
    NEVER,
    PERHAPS,
    TRUE,
    Bracket,
)
from precis.domains.heap.names import (
    NULL,
    ROOM,
    TOP,
    UNDEFINED,
    Kind,
    Name,
    Value,
    computed,
    constant,
    is_given,
    is_region,
    minus,
    name,
    numbers,
    plus,
    times,
)
from precis.domains.heap.plain import is_plain
from precis.domains.heap.pointers import in_heap, is_code, is_heap, is_writable, same_place
from precis.domains.heap.rebound import rebound
from precis.domains.heap.sets import (
    TOP_SET,
    Values,
    equal,
    holds,
    mapped,
    only,
    pruned,
    under,
    union,
)
from precis.domains.heap.state import State
from precis.domains.heap.terms import Terms, is_outside
from precis.domains.heap.text_here import length_here
from precis.domains.heap.theory import Atom
from precis.domains.protocol import CallSite, GiveUp
from precis.domains.values import num
from precis.ir.instr import Call
from precis.ir.procedure import Procedure
from precis.ir.types import Int, Pointer, Type, scalar_bytes

_LONGEST: Final = 3  # calls in the name of a block
_MOST_TARGETS: Final = 24
_ALIASES: Final = ("same", "block")


@dataclass(frozen=True, slots=True)
class Site:
    """A call under way: the memory before it, and what is called."""

    state: State
    call: Call
    callee: Procedure
    spot: tuple[Any, ...]  # where the call stands, and in which turns of loops
    arguments: tuple[Values, ...]
    at: CallSite


def entered(terms: Terms, state: State, call: Call, callee: Procedure, at: CallSite) -> Site:
    arguments = tuple(terms.values(state, argument) for argument in call.arguments)
    if len(arguments) < len(callee.parameters):
        raise GiveUp(f"{callee.name} is called with too few arguments")
    return Site(state, call, callee, state.spot(at), arguments, at)


@final
class Instance:
    """One summary at one call."""

    def __init__(self, site: Site, exit_: State) -> None:
        self.site = site
        self.exit = exit_
        if site.state.is_repeated(site.spot):
            self.site = site = self._once_more(site)
        self.state = state = site.state
        self.theory = state.frame.theory
        self.guards = self.theory.guards
        self._symbols: dict[Name, Values] = {}
        self._nodes: dict[int, Bracket] = {FALSE: NEVER, TRUE: ALWAYS}
        self._atoms: dict[int, Bracket] = {}
        self._bases: dict[Name, Name] = {}

    def _once_more(self, site: Site) -> Site:
        """The call without what it brought before: the same names come again. What is handed over
        may be of these."""
        state, count = site.state, len(site.state.variables)
        state = replace(state, variables=(*state.variables, *site.arguments))
        state = forget(state, self._keys())
        state = rebound(state, lambda old: old[:3] == tuple(site.spot))
        arguments = tuple(values or TOP_SET for values in state.variables[count:])
        state = replace(state, variables=state.variables[:count])
        return replace(site, state=state, arguments=arguments)

    def _keys(self) -> list[Any]:
        """The keys of numbers and choices that this call may have brought before."""
        found: dict[Any, None] = {}
        for atom in self._known_atoms():
            if atom[0] == "choice" and atom[1][:3] == tuple(self.site.spot):
                found[atom[1]] = None
            elif atom[0] == "most":
                for symbol, _ in atom[1]:
                    if symbol.kind is Kind.ANY and symbol.parts[0][:3] == tuple(self.site.spot):
                        found[symbol.parts[0]] = None
        return list(found)

    def _known_atoms(self) -> list[Atom]:
        return self.site.state.frame.theory.atoms

    # Names and values.

    def symbol(self, unknown: Name) -> Values:
        """What an unknown of the callee is here."""
        found = self._symbols.get(unknown)
        if found is None:
            found = self._symbols[unknown] = self._symbol(unknown)
        return found

    def _symbol(self, unknown: Name) -> Values:
        match unknown.kind:
            case Kind.ARGUMENT if is_given(unknown):
                types = [argument.type for argument in self.site.call.arguments]
                handed = list(zip(types, self.site.arguments, strict=True))
                return brought(self.state, tuple(self.site.spot), unknown, handed)
            case Kind.ARGUMENT:
                index: int = unknown.parts[0]
                given, type_ = self.site.arguments[index], unknown.parts[1]
                where = self.state.reach.may
                return mapped(self.guards, given, lambda v: viewed(self.theory, v, type_, where))
            case Kind.IN:
                base, offset, type_ = unknown.parts
                if isinstance(offset, int):
                    type_ = self._pointer_type(base, offset, type_)
                    return memory.load(self.state, self.address(base, offset), type_)
                places = self.total(self.address(base, 0), self.value(offset), 1)
                return memory.load(self.state, places, type_)
            case Kind.ANY:
                key, low, high = unknown.parts
                renamed = name(Kind.ANY, (*self.site.spot, key), low, high)
                return only(Value(None, ((renamed, 1),), num.const(0)))
            case Kind.TERM:
                return self._term(*unknown.parts)
            case Kind.AFTER | Kind.BEFORE:
                return self._room(unknown.parts[0], unknown.kind is Kind.AFTER)
            case Kind.LENGTH:
                return mapped(self.guards, self.symbol(unknown.parts[0]), self._length)
            case _:
                return only(Value(unknown, (), num.const(0)))

    def _pointer_type(self, base: Name, offset: int, type_: Type) -> Type:
        """The type by which the callee read a pointer; its name does not tell it."""
        if not isinstance(type_, Pointer):
            return type_
        size = scalar_bytes(type_, self.state.frame.program.model)
        known = self.exit.frame.types.get((base, offset, size))
        return known if isinstance(known, Pointer) else type_

    def _term(self, op: str, a: Value, b: Value, type_: Int) -> Values:
        parts = []
        for x, b_x in self.value(a).items():
            for y, b_y in self.value(b).items():
                both = self.guards.all_of(b_x, b_y)
                if x.base is not None or y.base is not None:
                    parts.append({numbers(num.of_type(type_)): both})
                else:
                    parts.append({computed(op, x, y, type_): both})
        return pruned(self.theory, union(self.guards, parts), self.state.reach.may)

    def address(self, base: Name, offset: int) -> Values:
        """The places here that a cell of the callee may be."""
        found = {v.moved(offset): b for v, b in self.base(base).items() if v.base is not None}
        return dict(list(found.items())) if len(found) <= _MOST_TARGETS else TOP_SET

    def base(self, base: Name) -> Values:
        if is_region(base) and base.kind is not Kind.GLOBAL:
            return self.symbol(base)
        return only(Value(self.made_name(base), (), num.const(0)))

    def made_name(self, base: Name) -> Name:
        """A block that the callee made, or a global, under its name here."""
        if base.kind not in (Kind.NEW, Kind.OBJECT):
            return base
        found = self._bases.get(base)
        if found is None:
            path, *more = base.parts
            site = tuple(self.site.spot)
            if site not in path:
                path = (site, *path)
            if len(path) > _LONGEST:
                path = (path[0], *path[-(_LONGEST - 1) :])
            found = self._bases[base] = name(base.kind, path, *more)
        return found

    def is_recursive(self, base: Name) -> bool:
        path = base.parts[0]
        return tuple(self.site.spot) in path or len(path) >= _LONGEST

    def _room(self, base: Name, is_after: bool) -> Values:
        """How many bytes lie behind, or in front of, where a pointer of the callee leads."""

        def room(value: Value) -> Value:
            target = value.base
            if target is None or target in (TOP, UNDEFINED):
                return numbers(ROOM)
            offset = Value(None, value.linear, value.number)
            block = self.state.blocks.get(target)
            if target.kind is Kind.GLOBAL:
                size = constant(self.state.frame.program.globals[str(target.parts[0])].size)
            elif block is not None:
                size = block.size
            elif is_region(target):
                kind = Kind.AFTER if is_after else Kind.BEFORE
                here = Value(None, ((name(kind, target), 1),), num.const(0))
                return minus(here, offset) if is_after else plus(here, offset)
            else:
                return numbers(ROOM)
            return minus(size, offset) if is_after else offset

        return mapped(self.guards, self.symbol(base), room)

    def _length(self, value: Value) -> Value:
        """How long the text is here that a pointer of the callee leads to."""
        return length_here(self.state, value, self.state.reach.may)

    def values(self, values: Values) -> Values:
        """A set of the callee, with the conditions as they are here."""
        parts = []
        for value, b in values.items():
            guard = self.bracket(b)
            if self.guards.possible(self.guards.both(guard.may, self.state.reach.may)):
                here = self.value(value)
                if here:
                    parts.append(under(self.guards, here, guard))
        if not parts:
            return TOP_SET
        return pruned(self.theory, union(self.guards, parts), self.state.reach.may)

    def value(self, value: Value) -> Values:
        if value.base in (TOP, UNDEFINED):
            return only(value)
        total: Values = only(Value(None, (), value.number))
        if value.base is not None:
            # A place behind a name is told where the name is not null.
            places = {v: b for v, b in self.base(value.base).items() if v != NULL}
            total = mapped(self.guards, places, lambda v: _moved(v, value.number))
        for symbol, count in value.linear:
            total = self.total(total, self.symbol(symbol), count)
        return total

    def total(self, total: Values, more: Values, count: int) -> Values:
        parts = []
        for a, b_a in total.items():
            for b, b_b in more.items():
                both = self.guards.all_of(b_a, b_b)
                if both.may == FALSE:
                    continue
                if b.base is not None:
                    parts.append(under(self.guards, TOP_SET, both))
                elif a.base in (TOP, UNDEFINED):
                    parts.append({a: both})
                else:
                    parts.append({plus(a, times(b, count)): both})
        return pruned(self.theory, union(self.guards, parts), self.state.reach.may)

    # Guards.

    def bracket(self, b: Bracket) -> Bracket:
        if b.may == b.must:
            return self.guard(b.may)
        return Bracket(self.guard(b.may).may, self.guard(b.must).must)

    def guard(self, node: int) -> Bracket:
        """A guard of the callee as a condition here."""
        found = self._nodes.get(node)
        if found is None:
            atom, low, high = self.exit.frame.theory.guards.split(node)
            test = self._atom(atom)
            found = self.guards.choice(test, self.guard(high), self.guard(low))
            self._nodes[node] = found
        return found

    def _atom(self, number: int) -> Bracket:
        found = self._atoms.get(number)
        if found is None:
            atom = self.exit.frame.theory.atoms[number]
            found = self._atoms[number] = self._meaning(atom)
        return found

    def _meaning(self, atom: Atom) -> Bracket:
        guards, theory, state = self.guards, self.theory, self.state
        match atom:
            case ("most", linear, bound):
                limit = constant(bound)
                total = self.value(Value(None, linear, num.const(0)))
                return holds(
                    guards, total,
                    lambda v: PERHAPS if v.base is not None else theory.less_or_equal(v, limit),
                )  # fmt: skip
            case ("same", y, x, distance):
                left = self.base(y)
                right = mapped(guards, self.base(x), lambda v: v.moved(distance))
                return equal(guards, left, right, lambda a, b: same_place(state, a, b))
            case ("null", y):
                return holds(guards, self.symbol(y), _is_null)
            case ("live", x):
                return holds(guards, self.symbol(x), self._is_live)
            case ("heap", x):
                return holds(guards, self.symbol(x), lambda v: is_heap(state, v))
            case ("inside", x):
                return holds(guards, self.symbol(x), lambda v: in_heap(state, v.base))
            case ("writable", x):
                return holds(guards, self.symbol(x), lambda v: is_writable(state, v))
            case ("code", x):
                return holds(guards, self.symbol(x), lambda v: is_code(state, v))
            case ("block", y, x):
                return equal(guards, self.symbol(y), self.symbol(x), self._together)
            case ("set", x, low, high):
                return holds(
                    guards, self.symbol(x), lambda v: is_filled(state, v.moved(low), high - low)
                )
            case ("plain", x, *where):
                bytes_ = (where[0], where[1], where[2])
                return holds(guards, self.symbol(x), lambda v: is_plain(state, v, bytes_))
            case ("choice", key):
                return theory.choice((*self.site.spot, key))
            case _:
                raise AssertionError(atom)

    def _is_live(self, value: Value) -> Bracket:
        if value.base is None or value.base in (TOP, UNDEFINED):
            return NEVER if value.base is None else PERHAPS
        return self.guards.opposite(self.state.is_dead(value.base))

    def overlaps(self) -> bool:
        """May arguments overlap in a way that the summary does not hold for?"""
        guards = self.guards
        for (y, x, low, high, exact), when in tuple(self.exit.frame.overlaps.items()):
            for a, b_a in self.base(y).items():
                for b, b_b in self.base(x).items():
                    near = self._near(a, b, (low, high, exact))
                    if near == FALSE:
                        continue
                    where = guards.both(guards.both(b_a.may, b_b.may), self.state.reach.may)
                    if not isinstance(near, tuple):
                        where = guards.both(where, near)
                    if not guards.possible(where):
                        continue
                    where = guards.both(where, self.guard(when).may)
                    if isinstance(near, tuple):
                        self.state.frame.apart(near, where)
                    elif guards.possible(where) and self._must(where, TOP in (a.base, b.base)):
                        return True
        return False

    def _must(self, where: int, anywhere: bool) -> bool:
        """Must the summary be refused, where it does not hold if a guard does? Not if callers can
        be asked not to bring that about; if a pointer leads anywhere then, by which pointers are
        the same."""
        frame = self.state.frame
        if frame.is_root:
            return True
        entry = self.theory.at_entry(where)
        if anywhere:
            asked, atoms = self.guards.support(entry), self.theory.atoms
            entry = self.guards.exists(entry, [n for n in asked if atoms[n][0] not in _ALIASES])
        reach = self.state.reach.may
        returns = self.guards.both(reach, self.bracket(self.exit.reach).may)
        if self.guards.possible(returns):
            reach = returns  # what the callee needs holds there: callers have to be left some way
        if self.guards.implies(reach, entry):
            return True
        return not frame.bar(entry)

    def meet_by_chance(self) -> bool:
        """May places that the callee compares have one address without being one? Between
        unknowns it is asked of the callers in turn."""
        for y, of_y, x, of_x in tuple(self.exit.frame.compared):
            others = {NULL: ALWAYS} if x is None else self.base(x)
            for a, b_a in self.base(y).items():
                for b, b_b in others.items():
                    where = self.guards.both(b_a.may, b_b.may)
                    where = self.guards.both(where, self.state.reach.may)
                    chance = self._chance(a.moved(of_y), None if x is None else b.moved(of_x))
                    where = self.guards.both(where, chance)
                    anywhere = TOP in (a.base, b.base)
                    if self.guards.possible(where) and self._must(where, anywhere):
                        return True
        return False

    def _chance(self, a: Value, b: Value | None) -> int:
        """When a place is outside of its block and the other, if it is the callers', in another."""
        if a.base in (None, UNDEFINED) or (b is not None and b.base in (None, UNDEFINED, a.base)):
            return FALSE
        if a.base is TOP or (b is not None and b.base is TOP):
            return TRUE
        assert a.base is not None
        if a.base.kind not in (Kind.ARGUMENT, Kind.IN):
            return is_outside(self.state, a).may
        if self.state.frame.is_root:
            return FALSE
        if not a.is_constant:
            return is_outside(self.state, a).may
        base, offset = None, 0
        if b is not None and b.base is not None and is_region(b.base):
            base, offset = b.base, b.number[0] if b.is_constant else 0
        self.state.frame.differ((a.base, a.number[0], base, offset))
        return FALSE

    def _near(self, a: Value, b: Value, gap: tuple[int, int, int | None]) -> int | Overlap:
        """When two places overlap so; of unknowns, what is to be asked of the callers in turn."""
        low, high, exact = gap
        x, y = a.base, b.base
        if x is None or y is None or UNDEFINED in (x, y):
            return FALSE
        if TOP in (x, y):
            return TRUE
        distance = minus(Value(None, a.linear, a.number), Value(None, b.linear, b.number))
        if x is y:
            above = self.theory.less_or_equal(constant(low), distance)
            found = self.guards.all_of(above, self.theory.less_or_equal(distance, constant(high)))
            if exact is not None:
                same = self.theory.equal_numbers(distance, constant(exact))
                found = self.guards.all_of(found, self.guards.opposite(same))
            return found.may
        if not (is_region(x) and is_region(y)) or x.kind is y.kind is Kind.GLOBAL:
            return FALSE
        if self.state.frame.is_root:
            return FALSE
        if not distance.is_constant:
            return (x, y, -FAR, FAR, None)
        moved = distance.number[0]
        rest = None if exact is None else exact - moved
        return (x, y, low - moved, high - moved, rest)

    def _together(self, a: Value, b: Value) -> Bracket:
        x, y = a.base, b.base
        if x is None or y is None:
            return NEVER
        if x is y:
            return PERHAPS if x in (TOP, UNDEFINED) else self.state.alike(x, ALWAYS)
        if not (is_region(x) and is_region(y)) or Kind.GLOBAL in (x.kind, y.kind):
            return PERHAPS if TOP in (x, y) or Kind.GLOBAL in (x.kind, y.kind) else NEVER
        same = equal(self.guards, only(a), only(b), lambda p, q: same_place(self.state, p, q))
        return self.guards.any_of(same, self.theory.together(x, y))


def _moved(value: Value, by: num.Num) -> Value:
    return Value(value.base, value.linear, num.add(value.number, by))


def _is_null(value: Value) -> Bracket:
    if value.base in (TOP, UNDEFINED):
        return PERHAPS
    return ALWAYS if value == NULL else NEVER

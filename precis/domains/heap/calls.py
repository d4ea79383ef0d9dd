"""A callee's summary in the caller's memory.

Every unknown of the callee is looked up in the memory before the call; from that, values and
guards of the summary are carried over, and then the cells that the callee wrote are written, in
its order. A cell of the summary is written where the callee's own guard says so (`written`),
so a call changes what the body would have changed, as precisely as the guards say when.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, final

from precis.domains.heap import memory
from precis.domains.heap.arithmetic import viewed
from precis.domains.heap.forget import forget
from precis.domains.heap.frame import Calls
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
    TOP,
    UNDEFINED,
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
    times,
)
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
from precis.domains.heap.state import Block, State
from precis.domains.heap.terms import Terms, inside, same_place
from precis.domains.heap.theory import Atom
from precis.domains.heap.transfer import folded, made, of_type, settled
from precis.domains.protocol import CallSite, GiveUp, Refused
from precis.domains.values import num
from precis.ir.instr import BlockKind, Call
from precis.ir.procedure import Procedure
from precis.ir.types import Int, Type

_LONGEST: Final = 3  # calls in the name of a block
_MOST_TARGETS: Final = 24
_SIZE: Final = num.make(0, (1 << 62) - 1)


@dataclass(frozen=True, slots=True)
class Site:
    """A call under way: the memory before it, and what is called."""

    state: State
    call: Call
    callee: Procedure
    spot: tuple[Any, ...]  # where the call stands, and in which turns of loops
    arguments: tuple[Values, ...]


def entered(terms: Terms, state: State, call: Call, callee: Procedure, at: CallSite) -> Site:
    arguments = tuple(terms.values(state, argument) for argument in call.arguments)
    if len(arguments) < len(callee.parameters):
        raise GiveUp(f"{callee.name} is called with too few arguments")
    return Site(state, call, callee, state.spot(at), arguments)


@final
class Instance:
    """One summary at one call."""

    def __init__(self, site: Site, exit_: State) -> None:
        self._site = site
        self._exit = exit_
        state = site.state
        if state.is_repeated(site.spot):
            state = forget(state, self._keys())
        self.state = state
        self._theory = state.frame.theory
        self._guards = self._theory.guards
        self._symbols: dict[Name, Values] = {}
        self._nodes: dict[int, Bracket] = {FALSE: NEVER, TRUE: ALWAYS}
        self._atoms: dict[int, Bracket] = {}
        self._bases: dict[Name, Name] = {}

    def _keys(self) -> list[Any]:
        """The keys of numbers and choices that this call may have brought before."""
        found: dict[Any, None] = {}
        for atom in self._theory_atoms():
            if atom[0] == "choice" and atom[1][:3] == tuple(self._site.spot):
                found[atom[1]] = None
            elif atom[0] == "most":
                for symbol, _ in atom[1]:
                    if symbol.kind is Kind.ANY and symbol.parts[0][:3] == tuple(self._site.spot):
                        found[symbol.parts[0]] = None
        return list(found)

    def _theory_atoms(self) -> list[Atom]:
        return self._site.state.frame.theory.atoms

    # Names and values.

    def symbol(self, unknown: Name) -> Values:
        """What an unknown of the callee is here."""
        found = self._symbols.get(unknown)
        if found is None:
            found = self._symbols[unknown] = self._symbol(unknown)
        return found

    def _symbol(self, unknown: Name) -> Values:
        match unknown.kind:
            case Kind.ARGUMENT:
                index: int = unknown.parts[0]
                given, type_ = self._site.arguments[index], unknown.parts[1]
                where = self.state.reach.may
                return mapped(self._guards, given, lambda v: viewed(self._theory, v, type_, where))
            case Kind.IN:
                base, offset, type_ = unknown.parts
                if isinstance(offset, int):
                    return memory.load(self.state, self.address(base, offset), type_)
                places = self._sum(self.address(base, 0), self.value(offset), 1)
                return memory.load(self.state, places, type_)
            case Kind.ANY:
                key, low, high = unknown.parts
                renamed = name(Kind.ANY, (*self._site.spot, key), low, high)
                return only(Value(None, ((renamed, 1),), num.const(0)))
            case Kind.TERM:
                return self._term(*unknown.parts)
            case Kind.AFTER | Kind.BEFORE:
                return self._room(unknown.parts[0], unknown.kind is Kind.AFTER)
            case _:
                return only(Value(unknown, (), num.const(0)))

    def _term(self, op: str, a: Value, b: Value, type_: Int) -> Values:
        parts = []
        for x, b_x in self.value(a).items():
            for y, b_y in self.value(b).items():
                both = self._guards.all_of(b_x, b_y)
                if x.base is not None or y.base is not None:
                    parts.append({numbers(num.of_type(type_)): both})
                else:
                    parts.append({computed(op, x, y, type_): both})
        return pruned(self._theory, union(self._guards, parts), self.state.reach.may)

    def address(self, base: Name, offset: int) -> Values:
        """The places here that a cell of the callee may be."""
        found = {v.moved(offset): b for v, b in self.base(base).items() if v.base is not None}
        return dict(list(found.items())) if len(found) <= _MOST_TARGETS else TOP_SET

    def base(self, base: Name) -> Values:
        if is_region(base) and base.kind is not Kind.GLOBAL:
            return self.symbol(base)
        return only(Value(self._made_name(base), (), num.const(0)))

    def _made_name(self, base: Name) -> Name:
        """A block that the callee made, or a global, under its name here."""
        if base.kind not in (Kind.NEW, Kind.OBJECT):
            return base
        found = self._bases.get(base)
        if found is None:
            path, *more = base.parts
            site = tuple(self._site.spot)
            if site not in path:
                path = (site, *path)
            if len(path) > _LONGEST:
                path = (path[0], *path[-(_LONGEST - 1) :])
            found = self._bases[base] = name(base.kind, path, *more)
        return found

    def _is_recursive(self, base: Name) -> bool:
        path = base.parts[0]
        return tuple(self._site.spot) in path or len(path) >= _LONGEST

    def _room(self, base: Name, is_after: bool) -> Values:
        """How many bytes lie behind, or in front of, where a pointer of the callee leads."""

        def room(value: Value) -> Value:
            target = value.base
            if target is None or target in (TOP, UNDEFINED):
                return numbers(_SIZE)
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
                return numbers(_SIZE)
            return minus(size, offset) if is_after else offset

        return mapped(self._guards, self.symbol(base), room)

    def values(self, values: Values) -> Values:
        """A set of the callee, with the conditions as they are here."""
        parts = []
        for value, b in values.items():
            guard = self.bracket(b)
            if self._guards.possible(self._guards.both(guard.may, self.state.reach.may)):
                parts.append(under(self._guards, self.value(value), guard))
        if not parts:
            return TOP_SET
        return pruned(self._theory, union(self._guards, parts), self.state.reach.may)

    def value(self, value: Value) -> Values:
        if value.base in (TOP, UNDEFINED):
            return only(value)
        total: Values = only(Value(None, (), value.number))
        if value.base is not None:
            total = mapped(self._guards, self.base(value.base), lambda v: _moved(v, value.number))
        for symbol, count in value.linear:
            total = self._sum(total, self.symbol(symbol), count)
        return total

    def _sum(self, total: Values, more: Values, count: int) -> Values:
        parts = []
        for a, b_a in total.items():
            for b, b_b in more.items():
                both = self._guards.all_of(b_a, b_b)
                if both.may == FALSE:
                    continue
                if b.base is not None:
                    parts.append(under(self._guards, TOP_SET, both))
                elif a.base in (TOP, UNDEFINED):
                    parts.append({a: both})
                else:
                    parts.append({plus(a, times(b, count)): both})
        return pruned(self._theory, union(self._guards, parts), self.state.reach.may)

    # Guards.

    def bracket(self, b: Bracket) -> Bracket:
        if b.may == b.must:
            return self.guard(b.may)
        return Bracket(self.guard(b.may).may, self.guard(b.must).must)

    def guard(self, node: int) -> Bracket:
        """A guard of the callee as a condition here."""
        found = self._nodes.get(node)
        if found is None:
            atom, low, high = self._exit.frame.theory.guards.split(node)
            test = self._atom(atom)
            found = self._guards.choice(test, self.guard(high), self.guard(low))
            self._nodes[node] = found
        return found

    def _atom(self, number: int) -> Bracket:
        found = self._atoms.get(number)
        if found is None:
            atom = self._exit.frame.theory.atoms[number]
            found = self._atoms[number] = self._meaning(atom)
        return found

    def _meaning(self, atom: Atom) -> Bracket:
        guards, theory, state = self._guards, self._theory, self.state
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
            case ("writable", x):
                return holds(guards, self.symbol(x), lambda v: is_writable(state, v))
            case ("block", y, x):
                return equal(guards, self.symbol(y), self.symbol(x), self._together)
            case ("choice", key):
                return theory.choice((*self._site.spot, key))
            case _:
                raise AssertionError(atom)

    def _is_live(self, value: Value) -> Bracket:
        if value.base is None or value.base in (TOP, UNDEFINED):
            return NEVER if value.base is None else PERHAPS
        return self._guards.opposite(self.state.is_dead(value.base))

    def overlaps(self) -> bool:
        """May arguments overlap in a way that the summary does not hold for?"""
        for y, x, low, high, exact in tuple(self._exit.frame.overlaps):
            for a, b_a in self.base(y).items():
                for b, b_b in self.base(x).items():
                    where = self._guards.both(b_a.may, b_b.may)
                    where = self._guards.both(where, self.state.reach.may)
                    near = self._near(a, b, (low, high, exact))
                    if self._guards.possible(self._guards.both(where, near)):
                        return True
        return False

    def _near(self, a: Value, b: Value, gap: tuple[int, int, int | None]) -> int:
        """When two places overlap so; between unknowns it is asked of the callers in turn."""
        low, high, exact = gap
        x, y = a.base, b.base
        if x is None or y is None or UNDEFINED in (x, y):
            return FALSE
        if TOP in (x, y):
            return TRUE
        distance = minus(Value(None, a.linear, a.number), Value(None, b.linear, b.number))
        if x is y:
            above = self._theory.less_or_equal(constant(low), distance)
            found = self._guards.all_of(above, self._theory.less_or_equal(distance, constant(high)))
            if exact is not None:
                same = self._theory.equal_numbers(distance, constant(exact))
                found = self._guards.all_of(found, self._guards.opposite(same))
            return found.may
        if not (is_region(x) and is_region(y)) or x.kind is y.kind is Kind.GLOBAL:
            return FALSE
        if self.state.frame.is_root:
            return FALSE
        if not distance.is_constant:
            return TRUE
        moved = distance.number[0]
        rest = None if exact is None else exact - moved
        self.state.frame.apart((x, y, low - moved, high - moved, rest))
        return FALSE

    def _together(self, a: Value, b: Value) -> Bracket:
        x, y = a.base, b.base
        if x is None or y is None:
            return NEVER
        if x is y:
            return PERHAPS if x in (TOP, UNDEFINED) or self.state.is_many(x) else ALWAYS
        if not (is_region(x) and is_region(y)) or Kind.GLOBAL in (x.kind, y.kind):
            return PERHAPS if TOP in (x, y) or Kind.GLOBAL in (x.kind, y.kind) else NEVER
        same = equal(self._guards, only(a), only(b), lambda p, q: same_place(self.state, p, q))
        return self._guards.any_of(same, self._theory.together(x, y))

    # The memory after the call.

    def after(self) -> State | None:
        """The memory after the callee has left by this exit; None if it never does."""
        left, site = self._exit, self._site
        # Before anything of the summary is used, its exits too: they hold for other callers only.
        if self.overlaps():
            raise Refused(f"what {site.callee.name} is given may overlap in part")
        reach = self._guards.all_of(self.state.reach, self.bracket(left.reach))
        if not self._guards.possible(reach.may):
            return None
        self.state = replace(self.state, reach=reach)
        before = self.state
        result = self.values(left.variables[0] or TOP_SET)
        changes = self._changes()
        created = self._created()
        dead = [(self.base(base), self.bracket(b)) for base, b in left.dead.items()
                if base not in left.blocks]  # fmt: skip
        state = self._with_created(before, created)
        for address, extent, values, type_ in changes:
            for target, b in address.items():
                state = self._written(state, target, extent, (values, b, type_))
        state = self._with_dead(state, dead).made_wild(self.bracket(left.wild))
        state = self._settled(state, changes)
        if site.call.target is not None:
            type_ = state.frame.procedure.variables[site.call.target].type
            values = self._result(result, type_)
            state, values = settled(state, values, (*site.spot, "result"))
            state = state.with_variable(site.call.target, values)
        return state

    def _settled(self, state: State, changes: list[tuple[Values, int, Values, Any]]) -> State:
        """The cells that were written, with choices where nobody knows what they hold."""
        number = 0
        for address, size, _, _ in changes:
            for target in address:
                base = target.base
                if base is None or not target.is_constant or state.is_many(base):
                    continue
                extent = (target.number[0], size)
                values = state.cells.get(base, {}).get(extent)
                if values is None:
                    continue
                key = (*self._site.spot, f"cell {number}")
                number += 1
                state, new = settled(state, values, key)
                if new is not values:
                    state = state.with_cells(base, {**state.cells[base], extent: new})
        return state

    def _result(self, values: Values, type_: Type) -> Values:
        where = self.state.reach.may
        return mapped(self._guards, values, lambda v: viewed(self._theory, v, type_, where))

    def _changes(self) -> list[tuple[Values, int, Values, Type | None]]:
        """The cells that were there before and are written, in order, from the memory before."""
        left = self._exit
        weak = self.state.frame.calls is Calls.WEAK
        found = list(self._spreads(weak))
        for base, offset, size in left.frame.sequence:
            mark = left.written.get(base, {}).get((offset, size))
            values = left.cells.get(base, {}).get((offset, size))
            if mark is None or values is None:
                continue
            guard = self.bracket(mark)
            if weak:
                guard = Bracket(guard.may, FALSE)
            address = under(self._guards, self.address(base, offset), guard)
            type_ = left.frame.types.get((base, offset, size))
            if address:
                found.append((address, size, self.values(values), type_))
        return found

    def _spreads(self, weak: bool) -> Iterator[tuple[Values, int, Values, Type | None]]:
        """Writes at unknown offsets, which come before the cells: these are as they are now."""
        for base, spreads in self._exit.spreads.items():
            for spread in spreads:
                when = self.bracket(spread.when)
                if weak:
                    when = Bracket(when.may, FALSE)
                places = self._sum(self.address(base, 0), self.value(spread.offset), 1)
                address = under(self._guards, places, when)
                address = {v: b for v, b in address.items() if v.base is not None}
                if address:
                    yield address, spread.size, self.values(spread.content()), spread.type

    def _written(
        self, state: State, target: Value, size: int, what: tuple[Values, Bracket, Type | None]
    ) -> State:
        values, b, type_ = what
        if target.base is TOP:
            return state.made_wild(b)
        assert target.base is not None
        if target.base is UNDEFINED:
            return state
        if target.is_constant:
            extent = (target.number[0], size)
            return memory.write(state, target.base, extent, values, b, type_)
        if type_ is None:
            type_ = Int(8 * size, False) if size in (1, 2, 4, 8) else None
        if type_ is None:
            raise GiveUp(f"{self._site.callee.name} writes to an unknown place")
        return memory.store(state, {target: b}, values, type_)

    def _created(self) -> list[tuple[Name, Block, list[Any], Bracket]]:
        left = self._exit
        found = []
        for base, block in left.blocks.items():
            cells = [
                (extent, self.values(values), left.frame.types.get((base, *extent)))
                for extent, values in left.cells.get(base, {}).items()
            ]
            size = self.value(block.size)
            known = next(iter(size)) if len(size) == 1 else self._range(size)
            if known.base is not None:
                known = numbers(_SIZE)
            many = block.many or self._is_recursive(base)
            made_block = replace(block, size=known, many=many)
            dead = self.bracket(left.mark(base))
            found.append((base, made_block, cells, dead))
        return found

    def _range(self, size: Values) -> Value:
        from precis.domains.heap.sets import hull

        return numbers(hull(self._theory, size, self.state.reach.may) or _SIZE)

    def _with_created(self, state: State, created: list[Any]) -> State:
        for base, block, cells, dead in created:
            here = self._made_name(base)
            known = state.blocks.get(here)
            if known is not None and not block.many:
                state = folded(state, here)
                known = None
            if known is None:
                state = made(state, here, block)
                filled = {extent: values for extent, values, _ in cells}
                state = state.with_cells(here, filled) if filled else state
                state = replace(state, dead={**state.dead, here: dead})
            else:
                state = replace(state, blocks={**state.blocks, here: replace(known, many=True)})
                for extent, values, type_ in cells:
                    state = memory.write(state, here, extent, values, PERHAPS, type_)
                joined = Bracket(
                    self._guards.either(state.is_dead(here).may, dead.may),
                    self._guards.both(state.is_dead(here).must, dead.must),
                )
                state = replace(state, dead={**state.dead, here: joined})
            for extent, _, type_ in cells:
                if type_ is not None:
                    state.frame.types.setdefault((here, *extent), type_)
        return state

    def _with_dead(self, state: State, dead: list[tuple[Values, Bracket]]) -> State:
        found = dict(state.dead)
        before = state
        for targets, after in dead:
            for target, b in targets.items():
                base = target.base
                if base is None or base is UNDEFINED:
                    continue
                if base is TOP:
                    state = state.made_wild(self._guards.all_of(b, after))
                    continue
                if before.is_many(base) or before.frame.calls is Calls.WEAK:
                    b = Bracket(b.may, FALSE)
                old = found.get(base, before.mark(base))
                # What the callee says of a block holds if it is that block; a block does not
                # come back to life.
                new = self._guards.choice(b, after, old)
                found[base] = self._guards.any_of(new, old)
        return replace(state, dead=found)


def _moved(value: Value, by: num.Num) -> Value:
    return Value(value.base, value.linear, num.add(value.number, by))


def _is_null(value: Value) -> Bracket:
    if value.base in (TOP, UNDEFINED):
        return PERHAPS
    return ALWAYS if value == NULL else NEVER


def is_heap(state: State, value: Value) -> Bracket:
    """Does a pointer lead to the start of a heap block? (Freed or not.)"""
    base = value.base
    if base is None:
        return NEVER
    if base in (TOP, UNDEFINED):
        return PERHAPS
    block = state.blocks.get(base)
    if block is not None:
        heap = block.kind is BlockKind.HEAP
        return NEVER if not heap else _at_start(state, value)
    if base.kind in (Kind.GLOBAL, Kind.CODE, Kind.OBJECT):
        return NEVER
    if state.frame.is_root:
        return NEVER
    moved = Value(None, value.linear, value.number)
    at_start = state.frame.theory.equal_numbers(moved, constant(0))
    return state.frame.theory.guards.all_of(state.frame.theory.flag("heap", base), at_start)


def _at_start(state: State, value: Value) -> Bracket:
    return state.frame.theory.equal_numbers(Value(None, value.linear, value.number), constant(0))


def is_writable(state: State, value: Value) -> Bracket:
    base = value.base
    if base is None or base.kind is Kind.CODE:
        return NEVER
    if base in (TOP, UNDEFINED):
        return PERHAPS
    if base.kind is Kind.GLOBAL:
        known = state.frame.program.globals[str(base.parts[0])]
        return NEVER if known.constant else ALWAYS
    if is_region(base) and not state.frame.is_root:
        return state.frame.theory.flag("writable", base)
    return ALWAYS


__all__ = ["Instance", "Site", "entered", "inside", "is_heap", "is_writable", "of_type"]

"""What steps do to states, and where blocks end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final, TypeAlias, final

from precis.domains.heap import memory
from precis.domains.heap.bits import loaded_bits, with_bits
from precis.domains.heap.blocks import end_of_scope, folded, freed, made, own_blocks
from precis.domains.heap.choices import (
    MOST_SETTLED,
    any_number,
    choice,
    chosen_number,
    decided,
    named,
    settled,
    settled_cells,
    settled_pointers,
)
from precis.domains.heap.copies import contents, scalars
from precis.domains.heap.frame import Calls
from precis.domains.heap.guards import ALWAYS, FALSE, NEVER, PERHAPS, Bracket
from precis.domains.heap.names import (
    NULL,
    READS,
    TOP,
    UNDEFINED,
    UNSET,
    Kind,
    Value,
    constant,
    is_region,
    name,
    numbers,
    pointer,
)
from precis.domains.heap.pointers import room
from precis.domains.heap.rebound import rebound
from precis.domains.heap.sets import (
    SOME_SET,
    TOP_SET,
    Values,
    equal,
    holds,
    hull,
    only,
    under,
    union,
)
from precis.domains.heap.state import Block, Extent, State
from precis.domains.heap.terms import Terms, object_name
from precis.domains.heap.turns import Leaves, turned
from precis.domains.protocol import CallSite, GiveUp
from precis.domains.streams import is_medium
from precis.domains.values import num
from precis.ir.instr import (
    Alloc,
    Assign,
    Assume,
    BlockKind,
    Branch,
    Call,
    Case,
    Check,
    Choose,
    Content,
    Copy,
    End,
    Fill,
    Free,
    Halt,
    Havoc,
    Jump,
    Load,
    Measure,
    Return,
    ScopeBegin,
    ScopeEnd,
    Step,
    Store,
    Switch,
    Unreachable,
    Unsupported,
    Volatility,
)
from precis.ir.procedure import Procedure
from precis.ir.types import U8, Float, Int, Pointer, Type, scalar_bytes
from precis.ir.values import Term

After: TypeAlias = tuple[State, ...]
RESULT: Final = 0  # at an exit the state has one variable
_MOST_COPIED: Final = 4096
SOME_BYTE: Final = only(numbers(num.of_type(U8)))


def of_type(type_: Type) -> Values:
    """Any value of a type."""
    if isinstance(type_, Int):
        return only(numbers(num.of_type(type_)))
    return SOME_SET if isinstance(type_, Float) else TOP_SET


@final
class Transfer:
    def __init__(self, terms: Terms, may_fail: bool, media: bool) -> None:
        self._terms = terms
        self._may_fail = may_fail
        self._media = media  # are there streams in memory?

    def effect(self, procedure: Procedure, step: Step, at: CallSite) -> Callable[[State], After]:
        match step:
            case Assign(target=target, value=value):
                return lambda s: (self._assign(s, target, value, at),)
            case Load(address=address):
                return lambda s: tuple(self._load(a, step, at) for a in self._through(s, address))
            case Store(address=address):
                return lambda s: tuple(self._store(a, step) for a in self._through(s, address))
            case Copy():
                return lambda s: (self._copy(s, step, at),)
            case Fill():
                return lambda s: (self._fill(s, step),)
            case Alloc():
                return lambda s: (self._alloc(s, step, at),)
            case Free(address=address):
                return lambda s: (freed(s, self._terms.values(s, address)),)
            case ScopeBegin():
                return lambda s: (self._begin(s, step),)
            case ScopeEnd(object=index):
                return lambda s: (end_of_scope(s, index),)
            case Assume(condition=condition):
                return lambda s: _some(s.narrowed(self._terms.test(s, condition)))
            case Choose(target=target):
                return lambda s: (chosen_number(s, target, (*s.spot(at), "input")),)
            case Havoc(target=target):
                return lambda s: (_havoc(s, target, at),)
            case Measure(target=target, address=address):
                return lambda s: (self._measure(s, target, address, at),)
            case Check():
                return lambda s: (s,)
            case Unsupported(reason=reason):
                return _given_up(f"not supported: {reason}")
            case _:
                return _given_up("threads are not followed")

    def _assign(self, state: State, target: int, value: Term, at: CallSite) -> State:
        state = state.with_variable(target, self._terms.values(state, value))
        return named(state, target, (*state.spot(at), "number"))

    def _measure(self, state: State, target: int, address: Term, at: CallSite) -> State:
        """How many bytes lie behind a pointer; if it does not lead into its block, nobody asks."""
        guards = state.frame.theory.guards
        parts = [
            {room(state, value, guards.both(state.reach.may, b.may)): b}
            for value, b in self._terms.values(state, address).items()
        ]
        state = state.with_variable(target, union(guards, parts))
        return named(state, target, (*state.spot(at), "number"))

    def any_result(
        self, state: State, call: Call, at: CallSite, range_: num.Num | None = None
    ) -> State:
        """After a call that gives any value, or any number of a range."""
        if call.target is None:
            return state
        if range_ is None:
            return _havoc(state, call.target, at)
        state = state.with_variable(call.target, only(numbers(range_)))
        return named(state, call.target, (*state.spot(at), "number"))

    def choice_at(self, state: State, at: CallSite) -> tuple[State, Bracket]:
        """Something about a call that turns out one way or the other."""
        return choice(state, (*state.spot(at), "comes"))

    def smeared_all(
        self, state: State, places: Values, sizes: Values, byte: Values = SOME_BYTE
    ) -> State:
        """Each of so many bytes from a place on may have got a value."""
        guards = state.frame.theory.guards
        for size, b_size in sizes.items():
            for target, b in places.items():
                when = guards.all_of(b, b_size)
                if target.base is TOP:
                    state = state.made_wild(when)
                elif target.base is not None and target.base is not UNDEFINED:
                    state = memory.smeared(state, target, size, byte, when)
        return state

    # Memory.

    def _through(self, state: State, address: Term) -> After:
        """The state where the address is one: a run that goes through null ends there."""
        values = self._terms.values(state, address)
        if all(value.base is not None for value in values):
            return (state,)
        guards = state.frame.theory.guards
        leads = holds(guards, values, lambda v: NEVER if v.base is None else ALWAYS)
        return _some(state.narrowed(leads))

    def _load(self, state: State, step: Load, at: CallSite) -> State:
        if step.bits is not None:
            address = self._terms.values(state, step.address)
            state = state.with_variable(
                step.target, loaded_bits(state, address, step.bits, step.type)
            )
            return named(state, step.target, (*state.spot(at), "number"))
        if step.volatility is Volatility.VOLATILE and not self._is_automatic(state, step.address):
            state = state.with_variable(step.target, of_type(step.type))
            return named(state, step.target, (*state.spot(at), "number"))
        if not self._media and is_medium(step.type):
            return state.with_variable(step.target, only(NULL))
        address = self._terms.values(state, step.address)
        key = None
        if self._is_somewhere(state, address, step.type):
            key = (*state.spot(at), READS, 0)
            if state.is_repeated(key):
                state = rebound(state, lambda old: old == key)
                address = self._terms.values(state, step.address)
        size = scalar_bytes(step.type, state.frame.program.model)
        state = settled_cells(state, address, size, (*state.spot(at), "holds"))
        address = self._terms.values(state, step.address)
        values = memory.load(state, address, step.type, key)
        state, values = settled(state, values, (*state.spot(at), "is"))
        state = state.with_variable(step.target, values)
        return named(state, step.target, (*state.spot(at), "number"))

    def _is_automatic(self, state: State, address: Term) -> bool:
        """Is it memory that only the program writes? What callers hand in may be any."""
        blocks = (state.blocks.get(v.base) for v in self._terms.values(state, address) if v.base)
        return all(block is not None and block.kind is BlockKind.STACK for block in blocks)

    def _is_somewhere(self, state: State, address: Values, type_: Type) -> bool:
        """Is a pointer read at an index into memory that was there at entry, which has a name only
        after the step?"""
        frame = state.frame
        if not isinstance(type_, Pointer) or frame.is_root or frame.inlined:
            return False
        if frame.relation.is_coarse:  # its conditions were too large
            return False
        return any(
            value.base is not None
            and is_region(value.base)
            and not value.is_constant
            and not memory.is_known_outside(Value(None, value.linear, value.number))
            for value in address
        )

    def _store(self, state: State, step: Store) -> State:
        address = self._terms.values(state, step.address)
        if step.bits is not None:
            return with_bits(state, address, self._terms.values(state, step.value), step.bits)
        value = self._terms.values(state, step.value)
        return memory.store(state, address, value, step.value.type)

    def _fill(self, state: State, step: Fill) -> State:
        before, guards = state, state.frame.theory.guards
        byte = _constant(self._terms.values(state, step.byte))
        low = None if byte is None else byte & 255
        for size, b_size in self._terms.values(before, step.size).items():
            for value, b in self._terms.values(before, step.address).items():
                when = guards.all_of(b, b_size)
                if value.base in (None, UNDEFINED) or size == NULL:
                    continue
                assert value.base is not None
                if value.base is TOP:
                    state = state.made_wild(when)
                elif size.base is None and size.is_constant and value.is_constant:
                    extent = (value.number[0], size.number[0])
                    state = memory.fill(state, value.base, extent, low, when)
                else:
                    content = TOP_SET if low is None else only(constant(low))
                    state = memory.smeared(state, value, size, content, when)
        return state

    def _copy(self, state: State, step: Copy, at: CallSite) -> State:
        for value in self._terms.values(state, step.source):
            if value.base is not None and value.is_constant:
                state = settled_pointers(state, value.base, (*state.spot(at), "copied"))
        before = state
        targets = self._terms.values(before, step.target)
        for size, b in self._terms.values(before, step.size).items():
            if size.base is not None or not size.is_constant or size.number[0] > _MOST_COPIED:
                state = self.smeared_all(state, targets, {size: b}, TOP_SET)
            elif size.number[0] > 0:
                state = self._copied(state, before, step, (size.number[0], b))
        return state

    def _copied(
        self, state: State, before: State, step: Copy, so_many: tuple[int, Bracket]
    ) -> State:
        """So many bytes are copied from the memory before, if a condition holds."""
        size, b_size = so_many
        sources = self._terms.values(before, step.source)
        guards = state.frame.theory.guards
        pieces: dict[Extent, list[Values]] = {}
        types: dict[Extent, Type | None] = {}
        layout = dict(scalars(before, step, size))
        for value, b in sources.items():
            if value.base in (None, UNDEFINED):
                continue
            for extent, type_, values in contents(before, value, size, layout):
                pieces.setdefault(extent, []).append(under(guards, values, b))
                types[extent] = type_
        for target, b in self._terms.values(before, step.target).items():
            if target.base in (None, UNDEFINED):
                continue
            assert target.base is not None
            b = guards.all_of(b, b_size)
            if target.base is TOP:
                state = state.made_wild(b)
                continue
            if not target.is_constant:
                state = memory.smeared(state, target, constant(size), TOP_SET, b)
                continue
            for (offset, length), parts in pieces.items():
                whole = union(guards, parts)
                extent = (target.number[0] + offset, length)
                state = memory.write(state, target.base, extent, whole, b, types[offset, length])
        return state

    def _alloc(self, state: State, step: Alloc, at: CallSite) -> State:
        base = name(Kind.NEW, (state.spot(at),))
        state = folded(state, base)
        state, size = self._sized(state, step.size, (*state.spot(at), "size"))
        if size.base is not None:
            size = numbers(num.make(0, (1 << 62) - 1))
        block = Block(size, step.kind, step.content)
        state = made(state, base, block)
        result: Values = only(pointer(base))
        if step.kind is BlockKind.HEAP and self._may_fail:
            state, fails = choice(state, (*state.spot(at), "fails"))
            guards = state.frame.theory.guards
            result = {NULL: fails, pointer(base): guards.opposite(fails)}
            dead = guards.any_of(state.is_dead(base), fails)
            state = replace(state, dead={**state.dead, base: dead})
        return state.with_variable(step.target, result)

    def _sized(self, state: State, term: Term, key: tuple[Any, ...]) -> tuple[State, Value]:
        """The size of a block. One of a few numbers gets a name where no caller has to be told of
        it: which one it is then goes with all that depends on the same."""
        values = self._terms.values(state, term)
        if len(values) == 1:
            return state, next(iter(values))
        whole = _range(state, values)
        is_number = all(value.base is None for value in values)
        if state.frame.calls is not Calls.INLINE or not is_number or len(values) > MOST_SETTLED:
            return state, whole
        state, found = any_number(state, key, whole.number[:2])
        size = next(iter(found))
        theory, guards, fits = state.frame.theory, state.frame.theory.guards, FALSE
        for value, b in self._terms.values(state, term).items():
            fits = guards.either(fits, guards.both(b.may, theory.equal_numbers(size, value).may))
        return state.narrowed(guards.exact(fits)) or state, size

    def _begin(self, state: State, step: ScopeBegin) -> State:
        base = object_name(state, step.object)
        size = state.frame.procedure.objects[step.object].size
        known = constant(size or 0)
        if step.size is not None:
            sizes = self._terms.values(state, step.size)
            known = next(iter(sizes)) if len(sizes) == 1 else _range(state, sizes)
        if base in state.blocks:
            state = folded(end_of_scope(state, step.object), base)
        return made(state, base, Block(known, BlockKind.STACK, Content.INDETERMINATE))

    # Ends.

    def end(self, procedure: Procedure, end: End, block: int) -> Callable[[State], Leaves]:
        leave = self._end(procedure, end, block)
        return lambda s: turned(s, block, leave(s))

    def _end(self, procedure: Procedure, end: End, block: int) -> Callable[[State], Leaves]:
        at = (procedure.name, block, -1)
        match end:
            case Jump(to=to):
                return lambda s: ((to, s),)
            case Branch(condition=condition, then=then, otherwise=otherwise):
                ways = (then, otherwise)
                return lambda s: tuple(self._branch(s, condition, ways, (*s.spot(at), "branch")))
            case Switch():
                less = replace(end, cases=_ranges(end.cases))
                return lambda s: tuple(self._switch(s, less, (*s.spot(at), "case")))
            case Return(value=value):
                return lambda s: ((-1, self._returned(s, value)),)
            case Halt():
                return lambda s: ((-1, replace(s, variables=(only(UNSET),))),)
            case Unreachable():
                return _never

    def _branch(
        self, state: State, condition: Term, ways: tuple[int, int], key: tuple[Any, ...]
    ) -> Iterator[tuple[int, State]]:
        state, test = decided(state, self._terms.test(state, condition), key)
        guards = state.frame.theory.guards
        for to, side in ((ways[0], test), (ways[1], guards.opposite(test))):
            after = state.narrowed(side)
            if after is not None:
                yield to, after

    def _switch(
        self, state: State, end: Switch, key: tuple[Any, ...]
    ) -> Iterator[tuple[int, State]]:
        values = self._terms.values(state, end.value)
        rest: State | None = state
        for number, case in enumerate(end.cases):
            if rest is None:
                return
            test = self._in_case(rest, values, case.low, case.high)
            rest, test = decided(rest, test, (*key, number))
            inside = rest.narrowed(test)
            if inside is not None:
                yield case.to, inside
            rest = rest.narrowed(rest.frame.theory.guards.opposite(test))
        if rest is not None:
            yield end.default, rest

    def _in_case(self, state: State, values: Values, low: int, high: int) -> Bracket:
        theory = state.frame.theory

        def test(a: Value, _: Value) -> Bracket:
            if a.base is not None:
                return PERHAPS
            above = theory.less_or_equal(constant(low), a)
            return theory.guards.all_of(above, theory.less_or_equal(a, constant(high)))

        return equal(theory.guards, values, only(NULL), test)

    def _returned(self, state: State, value: Term | None) -> State:
        result = only(UNSET) if value is None else self._terms.values(state, value)
        dead = dict(state.dead)
        for base in own_blocks(state):
            dead[base] = ALWAYS
        callers = state.variables[len(state.frame.procedure.variables) :]
        return replace(state, variables=(result, *callers), dead=dead)


# Helpers.


def _ranges(cases: tuple[Case, ...]) -> tuple[Case, ...]:
    """Cases of values in a row that lead to the same block, as one; as they are if some have a
    value in common: then the first counts."""
    found: list[Case] = []
    order = sorted(cases, key=lambda case: case.low)
    if any(one.low > one.high or one.high >= two.low for one, two in pairwise(order)):
        return cases
    for case in order:
        if found and found[-1].to == case.to and found[-1].high + 1 == case.low:
            found[-1] = replace(found[-1], high=case.high)
        else:
            found.append(case)
    return tuple(found)


def _some(state: State | None) -> After:
    return () if state is None else (state,)


def _given_up(reason: str) -> Callable[[State], After]:
    def give_up(state: State) -> After:
        raise GiveUp(reason)

    return give_up


def _never(state: State) -> tuple[tuple[int, State], ...]:
    raise GiveUp("control may get to a place that is declared unreachable")


def _havoc(state: State, target: int, at: CallSite) -> State:
    state = state.with_variable(target, of_type(_type(state, target)))
    return named(state, target, (*state.spot(at), "number"))


def _type(state: State, variable: int) -> Type:
    return state.frame.procedure.variables[variable].type


def _constant(values: Values) -> int | None:
    if len(values) != 1:
        return None
    (value,) = values
    return value.number[0] if value.base is None and value.is_constant else None


def _range(state: State, values: Values) -> Value:
    found = hull(state.frame.theory, values, state.reach.may)
    return numbers(found or num.make(0, (1 << 62) - 1))

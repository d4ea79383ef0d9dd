"""What steps do to states, and where blocks end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final, TypeAlias, final

from precis.domains.heap import memory
from precis.domains.heap.forget import forget
from precis.domains.heap.frame import Frame
from precis.domains.heap.guards import ALWAYS, FALSE, NEVER, PERHAPS, TRUE, Bracket
from precis.domains.heap.names import (
    ANYTHING,
    NULL,
    TOP,
    UNDEFINED,
    UNSET,
    Kind,
    Name,
    Value,
    constant,
    is_region,
    name,
    numbers,
    pointer,
)
from precis.domains.heap.sets import TOP_SET, Values, equal, holds, only, under, union
from precis.domains.heap.spreads import gathered
from precis.domains.heap.state import Block, Extent, State, Turn
from precis.domains.heap.terms import Terms, object_name
from precis.domains.protocol import CallSite, GiveUp
from precis.domains.values import num
from precis.ir.instr import (
    Alloc,
    Assign,
    Assume,
    BlockKind,
    Branch,
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
from precis.ir.types import Array, Int, Pointer, Record, Type
from precis.ir.values import Term

After: TypeAlias = tuple[State, ...]
Leaves: TypeAlias = tuple[tuple[int, State], ...]
RESULT: Final = 0  # at an exit the state has one variable
OLDER: Final = "older"
_MOST_COPIED: Final = 4096
MOST_SETTLED: Final = 4
MOST_TURNS: Final = 40  # of a loop that are followed one by one
MOST_FORKS: Final = 8  # of them that may also leave it
MOST_TURNS_IN_ALL: Final = 400  # of a procedure


def of_type(type_: Type) -> Values:
    """Any value of a type."""
    return only(numbers(num.of_type(type_))) if isinstance(type_, Int) else TOP_SET


@final
class Transfer:
    def __init__(self, terms: Terms, may_fail: bool) -> None:
        self._terms = terms
        self._may_fail = may_fail

    def effect(self, procedure: Procedure, step: Step, at: CallSite) -> Callable[[State], After]:
        match step:
            case Assign(target=target, value=value):
                return lambda s: (s.with_variable(target, self._terms.values(s, value)),)
            case Load(address=address):
                return lambda s: tuple(self._load(a, step, at) for a in self._through(s, address))
            case Store(address=address):
                return lambda s: tuple(self._store(a, step) for a in self._through(s, address))
            case Copy():
                return lambda s: (self._copy(s, step),)
            case Fill():
                return lambda s: (self._fill(s, step),)
            case Alloc():
                return lambda s: (self._alloc(s, step, at),)
            case Free(address=address):
                return lambda s: (freed(s, self._terms.values(s, address)),)
            case ScopeBegin():
                return lambda s: (self._begin(s, step),)
            case ScopeEnd(object=index):
                return lambda s: (_end_of_scope(s, index),)
            case Assume(condition=condition):
                return lambda s: _some(s.narrowed(self._terms.test(s, condition)))
            case Choose(target=target):
                return lambda s: (chosen_number(s, target, (*s.spot(at), "input")),)
            case Havoc(target=target) | Measure(target=target):
                return lambda s: (s.with_variable(target, of_type(_type(s, target))),)
            case Check():
                return lambda s: (s,)
            case Unsupported(reason=reason):
                return _given_up(f"not supported: {reason}")
            case _:
                return _given_up("threads are not followed")

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
        if step.volatility is Volatility.VOLATILE or step.bits is not None:
            return state.with_variable(step.target, of_type(step.type))
        values = memory.load(state, self._terms.values(state, step.address), step.type)
        state, values = settled(state, values, (*state.spot(at), "is"))
        return state.with_variable(step.target, values)

    def _store(self, state: State, step: Store) -> State:
        address = self._terms.values(state, step.address)
        if step.bits is not None:
            type_ = Int(8 * step.bits.bytes, False)
            if step.bits.bytes in (1, 2, 4, 8):
                return memory.store(state, address, of_type(type_), type_)
            raise GiveUp("a bit-field of an odd size")
        value = self._terms.values(state, step.value)
        return memory.store(state, address, value, step.value.type)

    def _fill(self, state: State, step: Fill) -> State:
        sizes = self._terms.values(state, step.size)
        byte = _constant(self._terms.values(state, step.byte))
        size = _constant(sizes)
        for value, b in self._terms.values(state, step.address).items():
            if value.base in (None, UNDEFINED):
                continue
            assert value.base is not None
            if value.base is TOP:
                state = state.made_wild(b)
                continue
            if size is None or not value.is_constant:
                raise GiveUp("memory of unknown place or size is filled")
            if size:
                extent = (value.number[0], size)
                low = None if byte is None else byte & 255
                state = memory.fill(state, value.base, extent, low, b)
        return state

    def _copy(self, state: State, step: Copy) -> State:
        size = _constant(self._terms.values(state, step.size))
        if size is None or size > _MOST_COPIED:
            raise GiveUp("memory of unknown size is copied")
        if size == 0:
            return state
        before = state
        sources = self._terms.values(state, step.source)
        guards = state.frame.theory.guards
        pieces: dict[Extent, list[Values]] = {}
        types: dict[Extent, Type | None] = {}
        layout = dict(_scalars(state, step, size))
        for value, b in sources.items():
            if value.base in (None, UNDEFINED):
                continue
            for extent, type_, values in _contents(before, value, size, layout):
                pieces.setdefault(extent, []).append(under(guards, values, b))
                types[extent] = type_
        for target, b in self._terms.values(before, step.target).items():
            if target.base in (None, UNDEFINED):
                continue
            assert target.base is not None
            if target.base is TOP:
                state = state.made_wild(b)
                continue
            if not target.is_constant:
                raise GiveUp("memory is copied to an unknown place")
            for (offset, length), parts in pieces.items():
                whole = union(guards, parts)
                extent = (target.number[0] + offset, length)
                state = memory.write(state, target.base, extent, whole, b, types[offset, length])
        return state

    def _alloc(self, state: State, step: Alloc, at: CallSite) -> State:
        base = name(Kind.NEW, (state.spot(at),))
        state = folded(state, base)
        sizes = self._terms.values(state, step.size)
        size = next(iter(sizes)) if len(sizes) == 1 else _range(state, sizes)
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

    def _begin(self, state: State, step: ScopeBegin) -> State:
        base = object_name(state, step.object)
        size = state.frame.procedure.objects[step.object].size
        known = constant(size or 0)
        if step.size is not None:
            sizes = self._terms.values(state, step.size)
            known = next(iter(sizes)) if len(sizes) == 1 else _range(state, sizes)
        if base in state.blocks:
            state = folded(_end_of_scope(state, step.object), base)
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
                return lambda s: tuple(self._switch(s, end, (*s.spot(at), "case")))
            case Return(value=value):
                return lambda s: ((-1, self._returned(s, value)),)
            case Halt():
                return lambda s: ((-1, replace(s, variables=(only(UNSET),))),)
            case Unreachable():
                return lambda s: ()

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
        for base, block in state.blocks.items():
            own = base.kind is Kind.OBJECT or block.kind is BlockKind.STACK
            if own:
                dead[base] = ALWAYS
        return replace(state, variables=(result,), dead=dead)


# Loops.


def turned(state: State, block: int, leaves: Leaves) -> Leaves:
    """Where control goes, with the turns of loops counted on."""
    frame = state.frame
    around = frame.heads.get(block, ())
    if not around and not any(to in frame.heads for to, _ in leaves):
        return leaves
    known = {turn.head: turn for turn in state.turns}
    found = []
    for to, after in leaves:
        turns = []
        for head in frame.heads.get(to, ()):
            turn = known.get(head, Turn(head)) if head in around else Turn(head)
            left = any(head not in frame.heads.get(other, ()) for other, _ in leaves)
            if left and head in around and turn.number is not None:
                turn = turn._replace(forks=turn.forks + 1)
            if to == head and head in around:
                turn = _again(frame, turn)
            turns.append(turn)
        found.append((to, replace(after, turns=tuple(turns))))
    return tuple(found)


def _again(frame: Frame, turn: Turn) -> Turn:
    """The next turn; from some number on turns are not counted any more."""
    forks = MOST_FORKS if frame.is_root else 0
    frame.turns += 1
    many = turn.number is None or turn.number >= MOST_TURNS or frame.turns > MOST_TURNS_IN_ALL
    if many or turn.forks > forks:
        return Turn(turn.head, None, 0)
    return turn._replace(number=(turn.number or 0) + 1)


# Helpers.


def _some(state: State | None) -> After:
    return () if state is None else (state,)


def _given_up(reason: str) -> Callable[[State], After]:
    def give_up(state: State) -> After:
        raise GiveUp(reason)

    return give_up


def _type(state: State, variable: int) -> Type:
    return state.frame.procedure.variables[variable].type


def _constant(values: Values) -> int | None:
    if len(values) != 1:
        return None
    (value,) = values
    return value.number[0] if value.base is None and value.is_constant else None


def _range(state: State, values: Values) -> Value:
    from precis.domains.heap.sets import hull

    found = hull(state.frame.theory, values, state.reach.may)
    return numbers(found or num.make(0, (1 << 62) - 1))


def choice(state: State, key: tuple[Any, ...]) -> tuple[State, Bracket]:
    """A fresh choice; an older one of the key is forgotten."""
    if state.is_repeated(key):
        state = forget(state, [key])
    return state, state.frame.theory.choice(key)


def settled(state: State, values: Values, key: tuple[Any, ...]) -> tuple[State, Values]:
    """A set of which nobody knows when it is which value, with choices that say it."""
    guards = state.frame.theory.guards
    unsure = any(
        guards.possible(guards.both(state.reach.may, guards.without(b.may, b.must)))
        for b in values.values()
    )
    if len(values) < 2 or len(values) > MOST_SETTLED or not unsure:
        return state, values
    found: dict[Value, Bracket] = {}
    left = TRUE
    items = list(values.items())
    if state.is_repeated(key):
        state = forget(state, [(*key, number) for number in range(len(items) - 1)])
    for number, (value, b) in enumerate(items[:-1]):
        turned = state.frame.theory.choice((*key, number))
        if turned == PERHAPS:
            return state, values
        may = must = FALSE
        for _, other in items[number + 1 :]:
            may, must = guards.either(may, other.may), guards.either(must, other.must)
        free = guards.either(guards.without(turned.may, must), guards.negation(may))
        this = guards.both(left, guards.both(b.may, guards.either(b.must, free)))
        found[value] = Bracket(this, this)
        left = guards.without(left, this)
    found[items[-1][0]] = Bracket(left, left)
    return state, found


def decided(state: State, test: Bracket, key: tuple[Any, ...]) -> tuple[State, Bracket]:
    """A condition as one that is known exactly, with a choice where it is not known."""
    guards = state.frame.theory.guards
    unknown = guards.without(test.may, test.must)
    if not guards.possible(guards.both(unknown, state.reach.may)):
        return state, Bracket(test.may, test.may)
    state, turned = choice(state, key)
    exact = guards.either(test.must, guards.both(test.may, turned.may))
    return state, Bracket(exact, exact) if turned != PERHAPS else test


def chosen_number(state: State, target: int, key: tuple[Any, ...]) -> State:
    """An input."""
    type_ = _type(state, target)
    if not isinstance(type_, Int):
        return state.with_variable(target, TOP_SET)
    if state.is_repeated(key):
        state = forget(state, [key])
    symbol = name(Kind.ANY, key, type_.low, type_.high)
    return state.with_variable(target, only(Value(None, ((symbol, 1),), num.const(0))))


def made(state: State, base: Name, block: Block) -> State:
    """A fresh block."""
    dead = {**state.dead, base: NEVER}
    return replace(
        state, blocks={**state.blocks, base: block}, dead=dead,
        cells={b: c for b, c in state.cells.items() if b is not base},
        spreads={b: c for b, c in state.spreads.items() if b is not base},
    )  # fmt: skip


def freed(state: State, address: Values) -> State:
    guards = state.frame.theory.guards
    dead = dict(state.dead)
    for value, b in address.items():
        base = value.base
        if base is None or base is UNDEFINED:
            continue
        if base is TOP:
            state = state.made_wild(b)
            continue
        if state.is_many(base):
            b = Bracket(b.may, FALSE)
        dead[base] = guards.any_of(state.mark(base), b)
    return replace(state, dead=dead)


def _end_of_scope(state: State, index: int) -> State:
    base = object_name(state, index)
    if base not in state.blocks:
        return state
    return replace(state, dead={**state.dead, base: ALWAYS})


def folded(state: State, base: Name) -> State:
    """The block of a name that is to be made anew joins the older ones of its step."""
    block = state.blocks.get(base)
    if block is None:
        return state
    older = name(base.kind, *base.parts, OLDER)
    return renamed(state, {base: older})


def renamed(state: State, names: dict[Name, Name]) -> State:
    """Blocks under names that stand for several of them."""
    guards = state.frame.theory.guards

    def value(v: Value) -> Value:
        return Value(names.get(v.base, v.base), v.linear, v.number) if v.base else v

    def values(vs: Values) -> Values:
        if not any(v.base in names for v in vs):
            return vs
        found: dict[Value, Bracket] = {}
        for v, b in vs.items():
            if v.base in names:
                b = Bracket(b.may, FALSE)
            new = value(v)
            known = found.get(new)
            found[new] = b if known is None else guards.any_of(known, b)
        return found

    blocks, cells = dict(state.blocks), dict(state.cells)
    dead, spreads = dict(state.dead), dict(state.spreads)
    for base, older in names.items():
        block = blocks.pop(base)
        known = blocks.get(older)
        mine, theirs = cells.pop(base, {}), cells.pop(older, {})
        if known is None:
            blocks[older] = replace(block, many=True)
            cells[older] = mine
            dead[older] = dead.pop(base, NEVER)
        else:
            size = known.size
            if size != block.size:
                theory = state.frame.theory
                one = theory.bounds(size, state.reach.may)
                size = numbers(num.join(one, theory.bounds(block.size, state.reach.may)))
            blocks[older] = replace(known, size=size, many=True)
            joined: dict[Extent, Values] = {}
            for extent in dict.fromkeys((*mine, *theirs)):
                sides = []
                for side in (mine, theirs):
                    content = only(UNSET if block.content is Content.INDETERMINATE else NULL)
                    sides.append(under(guards, side.get(extent, content), PERHAPS))
                joined[extent] = union(guards, sides)
            cells[older] = joined
            one_dead, other_dead = dead.pop(base, NEVER), dead.get(older, NEVER)
            dead[older] = Bracket(
                guards.either(one_dead.may, other_dead.may),
                guards.both(one_dead.must, other_dead.must),
            )
        if base in spreads or older in spreads:
            both = (*spreads.pop(base, ()), *spreads.get(older, ()))
            spreads[older] = gathered(state.frame.theory, both, state.reach.may)
    return replace(
        state,
        variables=tuple(None if v is None else values(v) for v in state.variables),
        cells={b: {e: values(v) for e, v in c.items()} for b, c in cells.items()},
        blocks=blocks, dead=dead,
        spreads={
            b: tuple(replace(s, values=tuple(values(s.content()).items())) for s in found)
            for b, found in spreads.items()
        },
    )  # fmt: skip


def _scalars(state: State, step: Copy, size: int) -> Iterator[tuple[int, Type]]:
    """The scalars of the record that is copied, if the pointers say which."""
    program = state.frame.program
    for term in (step.source, step.target):
        type_ = term.type
        while term.op == "cast" and isinstance(term.args[0].type, Pointer):
            term = term.args[0]
            type_ = term.type
        if isinstance(type_, Pointer) and isinstance(type_.target, Record):
            layout = program.records.get(type_.target.name)
            if layout is not None and layout.size == size and not layout.union:
                yield from _leaves(state, type_.target, 0)
                return


def _leaves(state: State, type_: Type, offset: int) -> Iterator[tuple[int, Type]]:
    work: list[tuple[Type, int]] = [(type_, offset)]
    while work:
        type_, offset = work.pop()
        match type_:
            case Record(name=record):
                layout = state.frame.program.records[record]
                if layout.union:
                    continue
                for field in reversed(layout.fields):
                    if field.bits is None:
                        work.append((field.type, offset + field.offset))
            case Array(element=element, count=count) if count is not None and count <= 64:
                width = _width(state, element)
                work.extend((element, offset + at * width) for at in reversed(range(count)))
            case Int() | Pointer():
                yield offset, type_
            case _:
                pass


def _width(state: State, type_: Type) -> int:
    from precis.ir.types import scalar_bytes

    match type_:
        case Record(name=record):
            return state.frame.program.records[record].size
        case Array(element=element, count=count):
            return (count or 0) * _width(state, element)
        case _:
            return scalar_bytes(type_, state.frame.program.model)


def _contents(
    state: State, value: Value, size: int, layout: dict[int, Type]
) -> Iterator[tuple[Extent, Type | None, Values]]:
    """The cells of a piece of memory, offsets from its start, that together are all of it."""
    from precis.ir.types import scalar_bytes

    base = value.base
    assert base is not None
    if base is TOP or not value.is_constant:
        yield (0, size), None, TOP_SET
        return
    start = value.number[0]
    state = memory.separated(state, base, (start, size))
    covered = 0
    known = {
        (offset - start, length): values
        for (offset, length), values in state.cells.get(base, {}).items()
        if start <= offset and offset + length <= start + size
    }
    for offset, type_ in layout.items():
        length = scalar_bytes(type_, state.frame.program.model)
        if not any(o < offset + length and offset < o + n for o, n in known):
            known[offset, length] = memory.load_cell(state, base, start + offset, length, type_)
    for (offset, length), values in sorted(known.items()):
        if is_region(base):
            memory.note_others(state, base, (start + offset, length))
        if offset > covered:
            yield (covered, offset - covered), None, _gap(state, base)
        yield (offset, length), state.frame.types.get((base, start + offset, length)), values
        covered = max(covered, offset + length)
    if covered < size:
        yield (covered, size - covered), None, _gap(state, base)


def _gap(state: State, base: Name) -> Values:
    block = state.blocks.get(base)
    if block is None or base in state.spreads:
        return {ANYTHING: ALWAYS}
    return only(UNSET if block.content is Content.INDETERMINATE else NULL)

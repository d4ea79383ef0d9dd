"""What steps do to states.

A step that touches memory comes after the obligation that the access is valid; these functions
describe the memories that got past it: null, dead blocks and offsets out of bounds are left out.
Reading through an unknown address gives anything; writing through one is the end of what can be
said.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from precis.domains.numeric import Numeric
from precis.domains.protocol import CallSite, GiveUp
from precis.domains.values import bulk, heap, num
from precis.domains.values.assume import MOST_FACTS, Assumptions
from precis.domains.values.memory import (
    ALL_UNSET,
    ALL_ZERO,
    LIVE,
    Block,
    kind_of,
    load,
    overlapping,
    store,
)
from precis.domains.values.num import Num
from precis.domains.values.state import NO_BLOCK, State, variables_of
from precis.domains.values.terms import Terms
from precis.domains.values.value import (
    NULL,
    UNKNOWN,
    ZERO,
    Value,
    any_of,
    join,
    pointer_to,
)
from precis.domains.values.world import World, offsets_within
from precis.ir.instr import (
    Alloc,
    Assign,
    Assume,
    BlockKind,
    Choose,
    Content,
    Copy,
    Fill,
    Free,
    Havoc,
    Load,
    Measure,
    ScopeBegin,
    ScopeEnd,
    Step,
    Store,
    Unsupported,
    Volatility,
)
from precis.ir.procedure import Procedure
from precis.ir.types import BitRange, Int, Type, scalar_bytes
from precis.ir.values import Term

After: TypeAlias = tuple[State, ...]
Effect: TypeAlias = Callable[[State], After]
Leaves: TypeAlias = tuple[tuple[int, State], ...]
RESULT = 0  # at the exit of a procedure its state has one variable: the result


class Transfer:
    """The effects of one program's steps."""

    def __init__(
        self, world: World, terms: Terms, assumptions: Assumptions,
        numeric: Numeric[tuple[Num | None, ...]],
    ) -> None:  # fmt: skip
        self.world = world
        self.terms = terms
        self.assumptions = assumptions
        self.numeric = numeric

    def effect(self, procedure: Procedure, step: Step, at: CallSite) -> Effect:
        match step:
            case Assign(target=target, value=value):
                return self._assign(target, value)
            case Load():
                return self._load(procedure, step)
            case Store():
                return self._store(step)
            case Copy():
                return self._copy(step)
            case Fill():
                return self._fill(step)
            case Alloc():
                return self._alloc(step, at)
            case Free():
                return self._free(step)
            case Measure():
                return self._measure(procedure, step)
            case ScopeBegin():
                return self._scope_begin(procedure, step)
            case ScopeEnd(object=index):
                return lambda state: (self.scope_end(state, index),)
            case Assume(condition=condition):
                return self._assume(condition)
            case Choose(target=target, source=source):
                return self._choose(procedure, target, source)
            case Havoc(target=target):
                anything = any_of(procedure.variables[target].type)
                return lambda state: (self.assigned(state, target, anything),)
            case Unsupported(reason=reason):
                return _giving_up(f"not supported: {reason}")
            case _:
                return _giving_up("threads are not followed by this analysis")

    def assigned(self, state: State, variable: int, value: Value) -> State:
        numbers = self.numeric.put(state.numbers, variable, value[0])
        return state.assigned(variable, numbers, (value[1], value[2]))

    def _assign(self, target: int, term: Term) -> Effect:
        evaluate = self.terms.value(term)
        assign = self.numeric.assign
        equality = self.assumptions.defined(target, term)

        def effect(state: State) -> After:
            number, pointers, unset = evaluate(state)
            numbers = assign(state.numbers, target, term, number)
            after = state.assigned(target, numbers, (pointers, unset))
            if equality is not None:
                if not unset and len(after.facts) < MOST_FACTS:
                    after = after.with_fact(equality, True)
            elif state.facts:
                for fact in self.assumptions.shifted(state, target, term):
                    after = after.with_fact(fact, True)
            if term.op == "var":
                origin = state.origins.get(term.data)  # type: ignore[arg-type]
                if origin is not None:
                    after = after.with_origins({**after.origins, target: origin})
            return (after,)

        return effect

    def _choose(self, procedure: Procedure, target: int, source: str) -> Effect:
        type_ = procedure.variables[target].type
        anything = any_of(type_)
        if source.rstrip("()").endswith("bool") and isinstance(type_, Int):
            anything = (num.make(0, 1), (), False)

        def effect(state: State) -> After:
            return self.split(self.assigned(state, target, anything), target)

        return effect

    def split(self, state: State, variable: int) -> After:
        """One state for each value of a variable that has few."""
        number = state.numbers[variable]
        if number is None or not number[2] or num.count(number) > self.world.policy.split:
            return (state,)
        before = state
        return tuple(
            self.assumptions.told(
                before,
                state.with_numbers(self.numeric.put(state.numbers, variable, num.const(value))),
            )
            for value in num.values_of(number)
        )

    # Memory.

    def places(self, state: State, address: Value, size: int) -> list[tuple[int, Num]]:
        """The blocks and offsets at which an access of so many bytes is valid."""
        found = []
        for name, offset in address[1]:
            if name == UNKNOWN:
                found.append((name, offset))
                continue
            block = self.world.block(state, name)
            if not block.live & LIVE:
                continue
            within = offsets_within(block, size)
            part = None if within is None else num.meet(offset, within)
            if part is not None:
                found.append((name, part))
        return found

    def read(self, state: State, address: Value, size: int, type_: Type) -> Value | None:
        """What a load gives; None if no access is valid."""
        found: Value | None = None
        for name, offset in self.places(state, address, size):
            if name == UNKNOWN:
                number, pointers, _ = any_of(type_)
                value: Value = (number, pointers, True)
            else:
                value = load(self.world.block(state, name), offset, size, type_)
            found = value if found is None else join(found, value)
        return found

    def _load(self, procedure: Procedure, step: Load) -> Effect:
        address, target, type_ = self.terms.use(step.address), step.target, step.type
        size = scalar_bytes(type_, self.world.program.model)
        if step.bits is not None:
            return self._load_bits(step, step.bits)
        volatile = step.volatility is Volatility.VOLATILE
        kind = kind_of(type_)

        def effect(state: State) -> After:
            where = address(state)
            value = self.read(state, where, size, type_)
            if value is None:
                return ()
            if volatile and not self._is_automatic(state, where):
                value = any_of(type_)
            origin = None if volatile else self._origin(state, where, size, kind)
            if origin is None and not volatile and not value[2]:
                state, origin = self._noted(state, where, size, kind, value)
            after = self.assigned(state, target, value)
            if origin is not None:
                after = after.with_origins({**after.origins, target: origin})
            return (after,)

        return effect

    def _is_automatic(self, state: State, address: Value) -> bool:
        return all(
            name != UNKNOWN and self.world.block(state, name).kind == "stack"
            for name, _ in address[1]
        )

    def _origin(
        self, state: State, address: Value, size: int, kind: str
    ) -> tuple[int, int, int] | None:
        """The cell that a load reads, if it is one cell of one block."""
        if len(address[1]) != 1:
            return None
        name, offset = address[1][0]
        block = state.blocks.get(name)
        if block is None or offset[2] or block.many:
            return None
        cell = block.cells.get(offset[0])
        if cell is None or cell[0] != size or cell[1] != kind or cell[2][2]:
            return None
        return (name, offset[0], size)

    def _noted(
        self, state: State, address: Value, size: int, kind: str, value: Value
    ) -> tuple[State, tuple[int, int, int] | None]:
        """A load that reads the rest of one block makes a cell there: what is learned of the
        variable afterwards is learned of the memory."""
        if len(address[1]) != 1 or len(value[1]) + (value[0] is not None) < 2:
            return state, None
        name, offset = address[1][0]
        block = state.blocks.get(name)
        if block is None or offset[2] or block.many or overlapping(block.cells, offset[0], size):
            return state, None
        if block.rest.zero and block.rest.value is None:
            return state, None
        cells = {**block.cells, offset[0]: (size, kind, value)}
        state = state.with_block(name, block.having(cells, block.rest))
        return state, (name, offset[0], size)

    def _load_bits(self, step: Load, bits: BitRange) -> Effect:
        address, target, size = self.terms.use(step.address), step.target, bits.bytes
        assert isinstance(step.type, Int)
        field = Int(bits.width, step.type.signed)
        raw_type = Int(8 * size, False)

        def effect(state: State) -> After:
            raw = self.read(state, address(state), size, raw_type)
            if raw is None:
                return ()
            number = num.of_type(field)
            if raw[0] is not None and not raw[0][2] and not raw[1] and not raw[2]:
                number = num.const(field.wrap(raw[0][0] >> bits.shift))
            return (self.assigned(state, target, (number, (), raw[2])),)

        return effect

    def write(self, state: State, address: Value, size: int, kind: str, value: Value) -> After:
        places = self.places(state, address, size)
        if not places:
            return ()
        sure = len(places) == 1
        for name, offset in places:
            if name == UNKNOWN:
                raise GiveUp("memory is written through an unknown pointer")
            if self.world.is_constant(name):
                continue
            block = self.world.block(state, name)
            certain = sure and not block.many
            changed = store(block, offset, size, kind, value, certain)
            state = heap.without_overlap(
                state.with_block(name, changed), name, offset[0], offset[1] + size
            )
        return (state,)

    def _store(self, step: Store) -> Effect:
        address, value = self.terms.use(step.address), self.terms.value(step.value)
        type_ = step.value.type
        if step.bits is not None:
            return self._store_bits(step, step.bits)
        size, kind = scalar_bytes(type_, self.world.program.model), kind_of(type_)

        def effect(state: State) -> After:
            return self.write(state, address(state), size, kind, value(state))

        return effect

    def _store_bits(self, step: Store, bits: BitRange) -> Effect:
        """The bytes are read, changed and written; unset bits around the field stay so."""
        address, size = self.terms.use(step.address), bits.bytes
        raw_type = Int(8 * size, False)
        mask = ((1 << bits.width) - 1) << bits.shift

        def effect(state: State) -> After:
            where = address(state)
            raw = self.read(state, where, size, raw_type)
            if raw is None:
                return ()
            fresh: Value = (num.of_type(raw_type), raw[1], raw[2])
            put = self.terms.number(state, step.value)
            whole = bits.width == 8 * size
            old = raw[0]
            exact = old is not None and not old[2] and not raw[1] and not raw[2]
            if put is not None and not put[2] and (exact or whole):
                base = old[0] & ~mask if exact and old is not None else 0
                fresh = (num.const(base | ((put[0] << bits.shift) & mask)), (), False)
            return self.write(state, where, size, "u", fresh)

        return effect

    def _copy(self, step: Copy) -> Effect:
        target, source = self.terms.use(step.target), self.terms.use(step.source)

        def effect(state: State) -> After:
            size = self.terms.number(state, step.size)
            if size is None:
                raise GiveUp("the length of a copy is not a number")
            if size[1] == 0:
                return (state,)
            least = max(size[0], 0)
            size = num.make(least, max(size[1], least), size[2] if size[0] >= 0 else 1)
            return self._copied(state, target(state), source(state), size)

        return effect

    def _copied(self, state: State, to: Value, start: Value, size: Num) -> After:
        least = size[0]
        sources = self.places(state, start, least)
        places = self.places(state, to, least)
        if least > 0 and (not sources or not places):
            return ()
        if any(name == UNKNOWN for name, _ in (*sources, *places)):
            raise GiveUp("memory is copied through an unknown pointer")
        before = state
        sure = len(places) == 1 and len(sources) == 1
        for name, offset in places:
            if self.world.is_constant(name):
                continue
            for other, place in sources:
                block = self.world.block(state, name)
                room = self.world.block(before, other)
                most = min(size[1], max(block.size[1], least), max(room.size[1], least))
                part = num.make(least, most) if most != size[1] else size
                certain = sure and not block.many and not room.many
                changed = bulk.copy(block, offset, room, place, part, certain)
                state = heap.without_overlap(
                    state.with_block(name, changed), name, offset[0], offset[1] + most
                )
        return (state,)

    def _fill(self, step: Fill) -> Effect:
        address = self.terms.use(step.address)

        def effect(state: State) -> After:
            size = self.terms.number(state, step.size)
            what = self.terms.number(state, step.byte)
            if size is None or what is None:
                raise GiveUp("the length of a fill is not a number")
            if size[1] == 0:
                return (state,)
            least = max(size[0], 0)
            places = self.places(state, address(state), least)
            if least > 0 and not places:
                return ()
            for name, offset in places:
                if name == UNKNOWN:
                    raise GiveUp("memory is filled through an unknown pointer")
                if self.world.is_constant(name):
                    continue
                block = self.world.block(state, name)
                most = min(size[1], max(block.size[1], least))
                part = num.make(least, most) if least != most else num.const(least)
                certain = len(places) == 1 and not block.many
                changed = bulk.fill(block, offset, what, part, certain)
                state = heap.without_overlap(
                    state.with_block(name, changed), name, offset[0], offset[1] + most
                )
            return (state,)

        return effect

    # Blocks.

    def _alloc(self, step: Alloc, at: CallSite) -> Effect:
        rest = ALL_ZERO if step.content is Content.ZERO else ALL_UNSET
        kind = step.kind.value
        first = self.world.site(*at)
        heap_block = step.kind is BlockKind.HEAP
        fails = heap_block and self.world.may_fail
        target, most = step.target, self.world.policy.at_site
        too_large = num.make(self.world.half, 1 << 65)
        site = (at.procedure, at.block, at.step)

        def effect(state: State) -> After:
            size = self.terms.number(state, step.size)
            if size is None:
                raise GiveUp("the size of an allocation is not a number")
            fitting = num.at_most(size, self.world.half - 1)
            after: list[State] = []
            if fitting is not None and fitting[1] >= 0:
                fitting = num.at_least(fitting, 0)
            else:
                fitting = None
            if fitting is not None:
                block = Block(kind, fitting, LIVE, False, {}, rest, site)
                made, name = heap.with_new_block(self.world, state, first, most, block)
                after.append(self.assigned(made, target, pointer_to(name)))
            if fails or num.meet(size, too_large) is not None or size[0] < 0:
                after.append(self.assigned(state, target, NULL))
            return tuple(after)

        return effect

    def _free(self, step: Free) -> Effect:
        address = self.terms.use(step.address)
        term = step.address

        def effect(state: State) -> After:
            number, pointers, _ = address(state)
            after: list[State] = []
            if number is not None:
                null = self.assumptions.narrowed(state, term, NULL)
                if null is not None:
                    after.append(null)
            for name, offset in pointers:
                if name == UNKNOWN:
                    raise GiveUp("an unknown pointer is freed")
                block = self.world.block(state, name)
                freeable = block.live & LIVE and block.kind in ("heap", "mixed", "outside")
                if freeable and num.contains(offset, 0):
                    only = self.assumptions.narrowed(state, term, pointer_to(name))
                    if only is not None:
                        after.append(heap.freed(only, name, True))
            return tuple(after)

        return effect

    def _measure(self, procedure: Procedure, step: Measure) -> Effect:
        address, target = self.terms.use(step.address), step.target
        anything = any_of(procedure.variables[target].type)
        whole = procedure.variables[target].type

        def effect(state: State) -> After:
            number, pointers, _ = address(state)
            found: Value | None = None if number is None else NULL
            for name, offset in pointers:
                if name == UNKNOWN or self.world.is_code(name):
                    return (self.assigned(state, target, anything),)
                value = self._left(self.world.block(state, name), offset)
                found = value if found is None else join(found, value)
            if found is None:
                return ()
            if isinstance(whole, Int) and found[0] is not None:
                found = (num.wrap(found[0], whole), (), False)
            return (self.assigned(state, target, found),)

        return effect

    def _left(self, block: Block, offset: Num) -> Value:
        """How many bytes follow a place; none before the block, beyond it, or if it is dead."""
        inside = num.at_least(offset, 0)
        if inside is None:
            return NULL
        left = num.sub(block.size, inside)
        if left[1] <= 0:
            return NULL
        value: Value = (left if left[0] >= 0 else num.make(0, left[1]), (), False)
        sure = block.live == LIVE and offset[0] >= 0 and left[0] >= 0
        return value if sure else join(value, NULL)

    def _scope_begin(self, procedure: Procedure, step: ScopeBegin) -> Effect:
        local = procedure.objects[step.object]
        index = step.object
        first = self.world.object_site(procedure.name, index)
        fixed = num.const(local.size) if local.size is not None else ZERO
        site = (procedure.name, -1, index)
        most = self.world.policy.at_site

        def effect(state: State) -> After:
            size: Num | None = fixed
            if step.size is not None:
                size = self.terms.number(state, step.size)
                size = None if size is None else num.at_least(size, 0)
                if size is None:
                    raise GiveUp("the size of an array is not known to be valid")
            assert size is not None
            state = self.scope_end(state, index)
            block = Block("stack", size, LIVE, False, {}, ALL_UNSET, site)
            made, name = heap.with_new_block(self.world, state, first, most, block)
            objects = (*made.objects[:index], name, *made.objects[index + 1 :])
            return (made.with_objects(objects, made.blocks),)

        return effect

    def scope_end(self, state: State, index: int) -> State:
        name = state.objects[index]
        if name == NO_BLOCK:
            return state
        state = heap.ended(state, name)
        objects = (*state.objects[:index], NO_BLOCK, *state.objects[index + 1 :])
        return heap.collected(state.with_objects(objects, state.blocks))

    # Control.

    def _assume(self, condition: Term) -> Effect:
        assume = self.assumptions.assume(condition, True)
        variables = tuple(sorted(variables_of(condition)))

        def effect(state: State) -> After:
            after = assume(state)
            return () if after is None else self.split_after(state, after, variables)

        return effect

    def split_after(self, before: State, after: State, variables: tuple[int, ...]) -> After:
        """A test that leaves few values of a variable that had many: one state for each."""
        if after.numbers is before.numbers:
            return (after,)
        most = self.world.policy.split
        for variable in variables:
            old, new = before.numbers[variable], after.numbers[variable]
            if old == new or old is None or new is None or not new[2]:
                continue
            if num.count(new) <= most < num.count(old):
                return self.split(after, variable)
        return (after,)


def _giving_up(reason: str) -> Effect:
    def effect(state: State) -> After:
        raise GiveUp(reason)

    return effect

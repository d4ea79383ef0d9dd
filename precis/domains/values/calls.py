"""How states cross calls: entries, summaries, and the way back.

An entry is the part of the caller's state that the callee can reach: arguments, the blocks they
lead to, and the globals that the callee or what it calls may touch. Blocks are renamed in the
order in which they are reached, so that calls from different places have equal entries. What is
left behind is untouched by the call and put together with the answer afterwards.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Final, final

from precis.domains.numeric import Numeric
from precis.domains.protocol import (
    CallSite,
    Exit,
    GiveUp,
    Judgement,
    Need,
    Outcome,
    Piece,
    Side,
    Standing,
    Summary,
)
from precis.domains.values import heap, num, order
from precis.domains.values.judge import Judge
from precis.domains.values.leaks import called
from precis.domains.values.memory import ANYTHING, ENDED, FREED, LIVE, Block, Rest, rename_block
from precis.domains.values.memory_order import join_blocks, leq_blocks, widen_blocks
from precis.domains.values.needs import FrameIsFree, HoldsAtEntry, moved, substituted
from precis.domains.values.num import Num
from precis.domains.values.state import DEAD, NO_BLOCK, State
from precis.domains.values.terms import Terms
from precis.domains.values.transfer import RESULT, Transfer
from precis.domains.values.value import (
    ANY_OFFSET,
    ANY_POINTER,
    FARTHEST,
    SOMEWHERE,
    UNKNOWN,
    ZERO,
    Value,
    any_of,
    as_pointer,
    join,
    join_pointers,
    leq,
    renamed,
    widen,
)
from precis.domains.values.world import GIVEN, OUTSIDE, ROOM, World
from precis.ir.callgraph import call_graph
from precis.ir.instr import Call, computed
from precis.ir.procedure import Procedure
from precis.ir.signature import fits
from precis.ir.types import Int, Pointer, Type
from precis.ir.values import subterms

MOST_ANSWERS: Final = 24  # of a recursive procedure, before they are widened into one


@final
class Entry:
    """What a callee starts with. Equal entries describe the same memories."""

    __slots__ = ("_hash", "_key", "blocks", "root", "values")

    def __init__(
        self, values: tuple[Value, ...], blocks: dict[int, Block], root: bool = False
    ) -> None:
        self.values = values
        self.blocks = blocks
        self.root = root
        ordered = tuple((name, blocks[name].key()) for name in sorted(blocks))
        self._key = (values, ordered, root)
        self._hash = hash(self._key)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Entry) and (self is other or self._key == other._key)

    def shape(self) -> Hashable:
        values = tuple(tuple(p[0] for p in value[1]) for value in self.values)
        return (values, tuple(sorted((n, b.live, b.many) for n, b in self.blocks.items())))


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A call: the caller's state, and how the blocks it gives are called by the callee."""

    state: State
    call: Call
    names: dict[int, int]  # the caller's -> the callee's
    shared: frozenset[int]  # globals that the callee can get at
    site: CallSite
    result: int | None


class Calls:
    def __init__(
        self, world: World, terms: Terms, transfer: Transfer, judge: Judge,
        numeric: Numeric[tuple[Num | None, ...]],
    ) -> None:  # fmt: skip
        self.world = world
        self.terms = terms
        self.transfer = transfer
        self.assumptions = transfer.assumptions
        self.judge = judge
        self.numeric = numeric
        self._touched: dict[str, frozenset[int]] | None = None

    # Entries.

    def root_entry(self, procedure: Procedure) -> Entry:
        """What the program is started with: any numbers; `main` has its arguments."""
        types = [procedure.variables[p].type for p in procedure.parameters]
        values = [any_of(type_) for type_ in types]
        blocks: dict[int, Block] = {}
        if len(types) >= 2 and isinstance(types[0], Int) and isinstance(types[1], Pointer):
            values[0] = (num.make(0, (1 << 31) - 1), (), False)
            width = self.world.program.model.pointer_bytes
            for at in range(1, len(types)):
                table, values[at] = _arguments(width, GIVEN + 2 * at)
                blocks.update(table)
        return Entry(tuple(values), blocks, True)

    def unknown_entry(self, procedure: Procedure) -> Entry:
        """Any caller: every pointer is null, invalid, or leads to memory outside."""
        values = []
        for parameter in procedure.parameters:
            value = any_of(procedure.variables[parameter].type)
            if value is ANY_POINTER:
                value = (ZERO, ((OUTSIDE, ANY_OFFSET),), False)
            values.append(value)
        return Entry(tuple(values), {OUTSIDE: outside()}, False)

    def start(self, procedure: Procedure, entry: Entry) -> State:
        count = len(procedure.variables)
        numbers = self.numeric.start(count)
        parts = [DEAD] * count
        for parameter, value in zip(procedure.parameters, entry.values, strict=True):
            numbers = self.numeric.put(numbers, parameter, value[0])
            parts[parameter] = (value[1], value[2])
        objects = (NO_BLOCK,) * len(procedure.objects)
        return State(
            numbers, tuple(parts), dict(entry.blocks), objects, {}, False, True, entry.root, {}
        )

    def enter(
        self, state: State, call: Call, callee: Procedure, site: CallSite
    ) -> tuple[tuple[Entry, Frame], ...]:
        if not fits(callee, call):
            raise GiveUp(f"{callee.name} is called with arguments of the wrong kind")
        values = tuple(
            _as_type(self.terms.value(argument)(state), callee.variables[p].type)
            for p, argument in zip(callee.parameters, call.arguments, strict=True)
        )
        touched = self.touched(callee.name)
        given = self._given(state, values, touched)
        names: dict[int, int] = {}
        for name in given:
            if 0 < name != OUTSIDE:
                names[name] = GIVEN + len(names)
        held = self._held(state, call, site, set(given))
        blocks: dict[int, Block] = {}
        for name in given:
            block = state.blocks.get(name)
            if block is None:
                continue
            fresh = rename_block(block, names)
            if name > 0:
                fresh = fresh.being(fresh.live, fresh.many, name in held or fresh.held)
            blocks[names.get(name, name)] = fresh
        entry = Entry(tuple(renamed(value, names) for value in values), blocks)
        shared = frozenset(name for name in given if name < 0 or name == OUTSIDE)
        return ((entry, Frame(state, call, names, shared, site, call.target)),)

    def _given(self, state: State, values: tuple[Value, ...], touched: frozenset[int]) -> list[int]:
        """The blocks the callee can get at, in the order in which it does."""
        seen: dict[int, None] = {}
        # The first found is the first looked into.
        work = [*heap.targets(values), *sorted(touched, reverse=True)]
        at = 0
        while at < len(work):
            name = work[at]
            at += 1
            if name in seen or name == UNKNOWN or self.world.is_code(name):
                continue
            if name > 0 and name not in state.blocks:
                continue
            seen[name] = None
            block = self.world.block(state, name)
            for offset in sorted(block.cells):
                work.extend(target for target, _ in block.cells[offset][2][1])
            if block.rest.value is not None:
                work.extend(target for target, _ in block.rest.value[1])
        return list(seen)

    def _held(self, state: State, call: Call, site: CallSite, given: set[int]) -> set[int]:
        """Blocks that stay reachable from the caller whatever the callee does."""
        procedure = self.world.program.procedures[site.procedure]
        after = self.world.holders(procedure).after(site.block, site.step)
        roots = [
            state.value(v)
            for v in range(len(procedure.variables))
            if v != call.target and after >> v & 1
        ]
        start = [
            name
            for name, block in state.blocks.items()
            if name not in given
            and (name < 0 or name in state.objects or (name >= GIVEN and block.kind == "stack"))
        ]
        own = {n: b for n, b in state.blocks.items() if n not in given}
        apart = state.with_blocks(own)
        found = {n for value in roots for n in heap.sure(value)}
        for name in heap.must_reach_within(apart, [*start, *found]):
            block = own[name]
            if not block.many and block.live == LIVE:
                found.update(n for c in block.cells.values() for n in heap.sure(c[2]))
        return found

    def touched(self, name: str) -> frozenset[int]:
        """The globals that a procedure, or what it may call, mentions."""
        if self._touched is None:
            self._touched = self._all_touched()
        return self._touched[name]

    def _all_touched(self) -> dict[str, frozenset[int]]:
        """Callees come first, and the members of a component have one set."""
        graph = call_graph(self.world.program)
        found: dict[str, frozenset[int]] = {}
        for component in graph.components:
            whole: set[int] = set()
            for member in component:
                whole.update(self._mentioned(member))
                for callee in graph.callees[member]:
                    whole.update(found.get(callee, ()))
            shared = frozenset(whole)
            found.update((member, shared) for member in component)
        return found

    def _mentioned(self, name: str) -> Iterator[int]:
        for block in self.world.program.procedures[name].blocks:
            for item in (*block.steps, block.end):
                for root in computed(item):
                    for node in subterms(root):
                        if node.op == "global":
                            yield self.world.global_block(str(node.data))

    # Coverage.

    def match(self, coverage: Entry, entry: Entry) -> tuple[()] | None:
        if coverage == entry:
            return ()
        if coverage.root != entry.root or len(coverage.values) != len(entry.values):
            return None
        if not all(leq(a, b) for a, b in zip(entry.values, coverage.values, strict=True)):
            return None
        for name, block in entry.blocks.items():
            known = coverage.blocks.get(name)
            if known is None:
                if name > 0:
                    return None
                known = self.world.initial(name)
            if not leq_blocks(block, known):
                return None
        for name, block in coverage.blocks.items():
            absent = name < 0 and name not in entry.blocks
            if absent and not leq_blocks(self.world.initial(name), block):
                return None
        return ()

    def widen_entry(self, old: Entry, new: Entry) -> Entry:
        thresholds = self.world.thresholds
        values = tuple(
            widen(a, join(a, b), thresholds) for a, b in zip(old.values, new.values, strict=True)
        )
        blocks: dict[int, Block] = {}
        for name in sorted({*old.blocks, *new.blocks}):
            a, b = old.blocks.get(name), new.blocks.get(name)
            if name < 0:
                a = a or self.world.initial(name)
                b = b or self.world.initial(name)
            if a is None or b is None:
                block = a or b
                assert block is not None
                blocks[name] = block
            else:
                blocks[name] = widen_blocks(a, join_blocks(a, b), thresholds)
        return Entry(values, blocks, old.root)

    # Answers.

    def resume(self, frame: Frame, outcome: Outcome[State]) -> tuple[State, ...]:
        state, answer = frame.state, outcome.answer
        if outcome.exit is not Exit.RETURN:
            return (halted(self.numeric, state.root),)
        back = {mine: theirs for theirs, mine in frame.names.items()}
        blocks = {
            name: block
            for name, block in state.blocks.items()
            if name not in frame.names and not (name in frame.shared and name in answer.blocks)
        }
        names = self._named(blocks, answer, back)
        for name in sorted(answer.blocks):
            if (name < 0 or name == OUTSIDE) and name not in frame.shared:
                continue  # known only to a wider coverage: this call did not give it
            self._take_back(state, answer.blocks[name], names.get(name, name), names, blocks)
        result = renamed((answer.numbers[RESULT], *answer.parts[RESULT]), names)
        calm = state.calm and answer.calm
        touched = set(frame.names) | answer.blocks.keys()
        origins = {v: o for v, o in state.origins.items() if o[0] not in touched}
        after = State(
            state.numbers, state.parts, blocks, state.objects, origins,
            state.kept or answer.kept, calm, state.root, state.facts,
        )  # fmt: skip
        if frame.result is not None:
            caller = self.world.program.procedures[frame.site.procedure]
            result = _as_type(result, caller.variables[frame.result].type)
            after = self.transfer.assigned(after, frame.result, result)
        return (heap.collected(after),)

    def _take_back(
        self, state: State, block: Block, target: int, names: dict[int, int],
        blocks: dict[int, Block],
    ) -> None:  # fmt: skip
        """A block of the answer takes its place in the caller's state."""
        if target == UNKNOWN:
            return
        fresh = rename_block(block, names)
        before = state.blocks.get(target)
        if before is not None and target > 0:
            fresh = Block(
                fresh.kind, fresh.size, fresh.live, fresh.many, fresh.cells, fresh.rest,
                before.site, before.held,
            )  # fmt: skip
        known = blocks.get(target)
        if known is None:
            blocks[target] = fresh
        else:
            joined = join_blocks(known, fresh)
            blocks[target] = joined.being(joined.live, True, joined.held)

    def _named(
        self, blocks: dict[int, Block], answer: State, back: dict[int, int]
    ) -> dict[int, int]:
        """Names in the caller for the blocks of an answer."""
        names: dict[int, int] = {}
        taken = set(blocks) | set(back.values())
        limit = min(self.world.policy.at_site, ROOM - 1)
        for name in sorted(answer.blocks):
            if name < 0 or name == OUTSIDE:
                continue
            if name >= GIVEN:
                # One that this caller did not give: only a wider coverage knows it.
                names[name] = back.get(name, UNKNOWN)
                continue
            first = name - name % ROOM
            if name == first + ROOM - 1:
                continue
            free = next((n for n in range(first, first + limit) if n not in taken), None)
            target = name if name not in taken else free
            names[name] = first + ROOM - 1 if target is None else target
            taken.add(names[name])
        return names

    def lift(self, frame: Frame, need: Need[Any], site: CallSite) -> Judgement[State, Any]:
        """A callee's need, at a call."""
        state = frame.state
        if isinstance(need.safe_if, FrameIsFree):
            live = [
                called(self.world, name, block)
                for name, block in sorted(state.blocks.items())
                if name not in frame.names and block.live & LIVE and block.kind in _HEAP
            ]
            if live or state.kept:
                what = live[0] if live else "memory that nothing leads to"
                return Judgement(Standing.OPEN, (), why=f"{what} may still be allocated")
            if state.root:
                return Judgement(Standing.MET, ())
            mine = Need(need.origin, need.safe_if, (*need.via, site))
            return Judgement(Standing.OPEN, (), mine, "the callers may have allocated memory")
        if isinstance(need.safe_if, HoldsAtEntry):
            return self._lift_obligation(frame, need, need.safe_if, site)
        return Judgement(Standing.OPEN, (), why="the caller cannot tell")

    def _lift_obligation(
        self, frame: Frame, need: Need[Any], asked: HoldsAtEntry, site: CallSite
    ) -> Judgement[State, Any]:
        """Judge a callee's obligation with the arguments in place of the parameters."""
        arguments = dict(enumerate(frame.call.arguments))
        state: State | None = frame.state
        for guard, truth in asked.guards:
            mine = substituted(guard, arguments)
            if mine is not None and state is not None:
                state = self.assumptions.assume(mine, truth)(state)
        if state is None:
            return Judgement(Standing.MET, ())
        obligation = moved(asked.obligation, arguments)
        if obligation is None:
            return Judgement(Standing.OPEN, (), why="the arguments are not known")
        verdict = self.judge.stands(state, obligation, frame.call, need.origin)
        if verdict.standing is Standing.MET or not self.world.has_callers(state):
            return Judgement(verdict.standing, (), why=verdict.why)
        own = self.judge.at_entry(state, obligation, site.procedure)
        if own is None:
            return Judgement(verdict.standing, (), why=verdict.why)
        mine_need: Need[Any] = Need(need.origin, own, (*need.via, site))
        return Judgement(verdict.standing, (), mine_need, verdict.why)

    # Summaries.

    def finish(
        self, procedure: Procedure, entry: Entry, exits: Sequence[tuple[Exit, State]],
        needs: Sequence[Need[Any]],
    ) -> Summary[Any, State]:  # fmt: skip
        returns = [state for exit_, state in exits if exit_ is Exit.RETURN]
        outcomes = [Outcome(Exit.RETURN, state) for state in self._few(returns)]
        if len(returns) < len(exits):
            outcomes.append(Outcome(Exit.HALT, halted(self.numeric, entry.root)))
        return Summary(
            Piece(procedure.name), Side.OVER, entry, tuple(outcomes), tuple(needs),
            frozenset(),
        )  # fmt: skip

    def _few(self, states: list[State]) -> list[State]:
        most = self.world.policy.outcomes
        if len(states) <= most:
            return states
        joined = order.join_by_shape(self, states)
        if len(joined) <= most:
            return joined
        return [self._joined(joined)]

    def _joined(self, states: list[State]) -> State:
        return reduce(lambda a, b: order.join(self, a, b), states)

    def join_answers(
        self, older: Sequence[Outcome[State]], newer: Sequence[Outcome[State]]
    ) -> tuple[Outcome[State], ...]:
        fresh = [
            outcome
            for outcome in newer
            if not any(
                known.exit is outcome.exit and order.leq(self, outcome.answer, known.answer)
                for known in older
            )
        ]
        if not fresh:
            return older if isinstance(older, tuple) else tuple(older)
        together = [*older, *fresh]
        if len(together) <= MOST_ANSWERS:
            return tuple(together)
        halts = [outcome for outcome in together if outcome.exit is not Exit.RETURN]
        old = [o.answer for o in older if o.exit is Exit.RETURN]
        new = [o.answer for o in fresh if o.exit is Exit.RETURN]
        if not old:
            wide = self._joined(new)
        else:
            before = self._joined(old)
            wide = order.widen(self, before, self._joined([before, *new])) if new else before
        return (Outcome(Exit.RETURN, wide), *halts[:1])


_HEAP = ("heap", "mixed", "outside")


def _as_type(value: Value, type_: Type) -> Value:
    """A value passed as another type of the same kind."""
    if isinstance(type_, Int) and value[0] is not None:
        return (num.wrap(value[0], type_), value[1], value[2])
    return as_pointer(value) if isinstance(type_, Pointer) else value


def outside() -> Block:
    """All memory that unknown callers may give: anything, live or not, of any size."""
    pointers = join_pointers(SOMEWHERE, ((OUTSIDE, ANY_OFFSET),))
    inside: Value = (num.of_type(Int(64, False)), pointers, True)
    rest = ANYTHING._replace(value=inside)
    live = LIVE | FREED | ENDED
    return Block("outside", num.make(0, FARTHEST), live, True, {}, rest, ("", -1, -1), True)


def _arguments(width: int, table: int) -> tuple[dict[int, Block], Value]:
    """`argv`: a table of texts, ended by null; nothing is known of their number or length."""
    site = ("argv", -1, -1)
    byte: Value = (num.of_type(Int(8, False)), (), False)
    text = table + 1
    inside: Value = (ZERO, ((text, ZERO),), False)
    blocks = {
        table: Block(
            "global", num.make(width, 1 << 40, width), LIVE, False, {},
            Rest(False, False, width, 0, "p", inside), site,
        ),
        text: Block(
            "global", num.make(1, 1 << 40), LIVE, True, {}, Rest(True, False, 1, 0, "u", byte), site
        ),
    }  # fmt: skip
    return blocks, (None, ((table, ZERO),), False)


def halted(numeric: Numeric[tuple[Num | None, ...]], root: bool) -> State:
    """The program has ended; nothing of its memory matters any more."""
    return State(numeric.start(1), (DEAD,), {}, (), {}, False, True, root, {})

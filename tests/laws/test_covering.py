"""The test of covering has teeth: states that are changed to be wrong are found to be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from precis.domains.values import num
from precis.domains.values.memory import ALL_ZERO, FREED, LIVE, Block
from precis.domains.values.state import State
from precis.domains.values.value import ZERO
from precis.interp.outcome import Inputs, Malloc, Natives, Settings
from precis.interp.shared import Shared
from precis.ir.types import Int, Pointer
from tests.laws import covering
from tests.laws.analysed import ALL, analysed, read, sources
from tests.laws.moments import Moment
from tests.laws.shadow import Tally, follow
from tests.laws.term_meaning import UNCLEAR, Setting, meaning

Change = Callable[[State, Moment], Iterator[State]]


def _live(state: State, moment: Moment, kind: type) -> list[int]:
    return [
        index
        for index, variable in enumerate(moment.procedure.variables)
        if moment.is_live(index) and isinstance(variable.type, kind)
    ]


def other_number(state: State, moment: Moment) -> Iterator[State]:
    for index in _live(state, moment, Int):
        held = moment.variable(index)
        if isinstance(held, int) and not state.parts[index][0]:
            wrong = (*state.numbers[:index], num.const(held + 1), *state.numbers[index + 1 :])
            yield state.with_numbers(wrong)


def other_pointer(state: State, moment: Moment) -> Iterator[State]:
    for index in _live(state, moment, Pointer):
        pointers, unset = state.parts[index]
        if pointers and moment.variable(index) is not None:
            moved = tuple((block, num.add(offset, num.const(1))) for block, offset in pointers)
            if all(not offset[2] for _, offset in moved):
                yield state.with_parts(_with(state.parts, index, (moved, unset)))


def never_null(state: State, moment: Moment) -> Iterator[State]:
    for index in _live(state, moment, Pointer):
        held = moment.variable(index)
        if held is not None and held[0].base + held[1] == 0:
            numbers = (*state.numbers[:index], None, *state.numbers[index + 1 :])
            yield state.with_numbers(numbers)


def always_null(state: State, moment: Moment) -> Iterator[State]:
    for index in _live(state, moment, Pointer):
        held = moment.variable(index)
        if held is not None and held[0].base + held[1] != 0:
            numbers = (*state.numbers[:index], ZERO, *state.numbers[index + 1 :])
            parts = _with(state.parts, index, ((), False))
            yield state.with_numbers(numbers).with_parts(parts)


def _with(parts: tuple[Any, ...], index: int, part: Any) -> tuple[Any, ...]:
    return (*parts[:index], part, *parts[index + 1 :])


def _blocks(state: State, change: Callable[[Block], Block | None]) -> Iterator[State]:
    for name, block in state.blocks.items():
        changed = change(block)
        if changed is not None:
            yield state.with_block(name, changed)


def other_size(state: State, moment: Moment) -> Iterator[State]:
    return _blocks(
        state,
        lambda b: (
            Block(
                b.kind,
                num.add(b.size, num.const(1)),
                b.live,
                b.many,
                b.cells,
                b.rest,
                b.site,
                b.held,
            )
            if not b.size[2]
            else None
        ),
    )


def freed(state: State, moment: Moment) -> Iterator[State]:
    return _blocks(state, lambda b: b.being(FREED, b.many, b.held) if b.live == LIVE else None)


def other_bytes(state: State, moment: Moment) -> Iterator[State]:
    def change(block: Block) -> Block | None:
        if not block.cells or block.live != LIVE or block.many:
            return None
        cells = {
            at: (size, kind, (num.add(value[0], num.const(1)), (), False))
            for at, (size, kind, value) in block.cells.items()
            if value[0] is not None and not value[0][2] and not value[1] and not value[2]
        }
        return block.having({**block.cells, **cells}, block.rest) if cells else None

    return _blocks(state, change)


def all_zero(state: State, moment: Moment) -> Iterator[State]:
    return _blocks(
        state, lambda b: b.having({}, ALL_ZERO) if b.rest != ALL_ZERO and b.live == LIVE else None
    )


def no_blocks(state: State, moment: Moment) -> Iterator[State]:
    heap = [name for name, block in state.blocks.items() if block.kind == "heap"]
    if heap and not state.kept:
        yield state.with_blocks({n: b for n, b in state.blocks.items() if n not in heap})


def false_facts(state: State, moment: Moment) -> Iterator[State]:
    setting: Setting = moment.setting()
    for relation, truth in state.facts.items():
        if meaning(relation, setting) is not UNCLEAR:
            yield state.with_fact(relation, not truth)


def false_origins(state: State, moment: Moment) -> Iterator[State]:
    for variable, (block, at, size) in state.origins.items():
        if moment.is_live(variable) and at >= size:
            yield state.with_origins({variable: (block, at - size, size)})


def callers_hold_all(state: State, moment: Moment) -> Iterator[State]:
    if len(moment.activations) == 1:
        return _blocks(state, lambda b: b.being(b.live, b.many, True))
    return iter(())


CHANGES: tuple[Change, ...] = (
    other_number, other_pointer, never_null, always_null, other_size, freed, other_bytes, all_zero,
    no_blocks, false_facts, false_origins, callers_hold_all,
)  # fmt: skip


def test_wrong_states_are_found() -> None:
    made: Counter[str] = Counter()
    found: Counter[str] = Counter()

    def why_not(domain: Any, state: State, moment: Moment) -> str:
        reason = covering.why_not(domain, state, moment)
        if not reason:
            for change in CHANGES:
                for wrong in change(state, moment):
                    made[change.__name__] += 1
                    found[change.__name__] += bool(covering.why_not(domain, wrong, moment))
        return reason

    for name in ("lists", "growing_arrays", "cyclic_structures", "trees_by_recursion"):
        done = analysed(read(sources()[name]), "values", ALL, Malloc.NEVER_FAILS, "small")
        settings = Settings(ALL, timeout=60.0, natives=Natives.MODELS_ONLY)
        shared = Shared(done.program)
        for seed in range(2):
            inputs = Inputs(seed, None, b"")
            follow(done.program, done.schedule, why_not, inputs, settings, shared, Tally(), 250)
    for change in CHANGES:
        name = change.__name__
        assert found[name] > 0.3 * made[name] > 0, (name, made[name], found[name])

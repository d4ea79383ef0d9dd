"""Lost blocks: which, and the exact step that lost the first one.

A heap block is lost when no variable and no reachable memory holds a pointer into it.
Looking for lost blocks at every step would be too slow, so the fast run looks at growing
intervals and at its end. A block once lost stays lost; that bounds the step from both sides,
and replays of the run that look at finer and finer points find it.

Roots are globals, the objects and variables of active procedures; those without a name only
while they are still to be read (see ir/holders.py). Variables of main count until it returns, so
a block that only they know is lost by that return; exit() leaves them in place. A block whose
address was turned into an integer is never lost: the integer may be turned back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from precis.interp import faults
from precis.interp.cells import Fragment
from precis.interp.machine import Activation, Ended, Machine
from precis.interp.memory import Block
from precis.interp.steps import Mode
from precis.ir.holders import holders
from precis.ir.instr import Return
from precis.ir.types import Pointer
from precis.ir.values import subterms

PROBES: Final = 64  # points looked at in one replay


@dataclass(frozen=True, slots=True)
class Loss:
    """The first lost block, and the run stopped at the step that lost it."""

    machine: Machine
    block: Block
    step: int
    activations: tuple[Activation, ...]


class Found(faults.Stop):
    """A look found lost blocks."""

    def __init__(self, numbers: frozenset[int]) -> None:
        super().__init__()
        self.numbers = numbers


def watch(machine: Machine) -> None:
    """Make a fast run look for lost blocks now and then."""
    if not machine.memory.exposing:
        return
    machine.last_clean = 0

    def look() -> None:
        activations = machine.activations_now()
        lost = lost_blocks(machine, activations)
        if lost:
            raise Found(lost)
        machine.last_clean = machine.exact_steps(activations)

    machine.on_alloc = look


def lost_blocks(machine: Machine, activations: tuple[Activation, ...]) -> frozenset[int]:
    """The numbers of live heap blocks that nothing reaches."""
    roots: list[Block] = [*machine.globals]
    for activation in activations:
        roots.extend(_roots(machine, activation))
    roots.extend(block for block in machine.memory.heap.values() if block.exposed)
    seen = _reached(roots)
    return frozenset(number for number in machine.memory.heap if number not in seen)


def _reached(roots: Iterable[Block]) -> set[int]:
    """The numbers of the blocks that pointers lead to from these on."""
    seen: set[int] = set()
    work = list(roots)
    while work:
        block = work.pop()
        if block.number in seen or block.limit < 0:
            continue
        seen.add(block.number)
        work.extend(pointer[0] for pointer in block.ptrs.values())
        work.extend(piece[0][0] for piece in block.frags.values())
    return seen


def _roots(machine: Machine, activation: Activation) -> Iterable[Block]:
    holding = _holding(machine, activation)
    for name, value in activation.variables.items():
        if name[0] == "v":
            number = int(name[1:])
            if holding >> number & 1:
                yield from _held(value)
        elif name[0] == "b":
            yield value
        elif name == "al":
            yield from value


def _held(value: Any) -> Iterable[Block]:
    if isinstance(value, tuple):
        yield value[0]
    elif isinstance(value, Fragment):
        yield value.pointer[0]


def _holding(machine: Machine, activation: Activation) -> int:
    """The variables that hold blocks, as bits; of one that waits for a call, after the call."""
    known = machine.shared.holders.get(activation.procedure.name)
    if known is None:
        known = holders(activation.procedure)
        machine.shared.holders[activation.procedure.name] = known
    block, index = activation.place
    if block < 0:
        return known.lasting
    return known.lasting | known.live[block][index + 1 if activation.waiting else index]


def first_loss(
    machine: Machine,
    ended: Ended,
    replay: Callable[[Mode], Machine],
    execute: Callable[[Machine], Ended],
) -> Loss | None:
    """The first loss of the run that ended so, if there was one."""
    if isinstance(ended.stop, faults.OutOfTime):
        return None
    if not isinstance(ended.stop, Found) and not lost_blocks(machine, ended.activations):
        return None
    low, high = machine.last_clean, machine.steps + 1
    while high - low > 1:
        points = sorted({low + (high - low) * i // PROBES for i in range(1, PROBES)} - {low})
        narrowed = _probe(replay(Mode.COUNTED), execute, points)
        if narrowed is None:
            return None
        clean = [point for point in points if point < narrowed]
        low, high = max([low, *clean]), min(high, narrowed)
    return _stop_at(replay(Mode.TRACED), execute, high - 1)


def _probe(machine: Machine, execute: Callable[[Machine], Ended], points: list[int]) -> int | None:
    """The first of the points before which a block is lost; past all of them if none.

    None: the replay did not get so far.
    """
    rest = iter(points)
    machine.stop = next(rest)

    def look() -> None:
        lost = lost_blocks(machine, machine.activations_now())
        if lost:
            raise Found(lost)
        machine.stop = next(rest, -1)
        if machine.stop < 0:
            raise faults.Arrived

    machine.on_hit = look
    ended = execute(machine)
    if isinstance(ended.stop, faults.OutOfTime):
        return None
    if isinstance(ended.stop, Found):
        return machine.stop
    return points[-1] + 1 if machine.stop > 0 else 1 << 62


def _stop_at(machine: Machine, execute: Callable[[Machine], Ended], step: int) -> Loss | None:
    """Run up to the step that loses a block, note where that is, and do it.

    What a procedure returns and its caller drops is lost by the call.
    """
    where: list[tuple[Activation, ...]] = []
    returned: set[int] = set()

    def look() -> None:
        if machine.stop == step:
            where.append(machine.activations_now())
            returned.update(_reached(_returned(where[0][0])))
            machine.stop = step + 1
        else:
            raise Found(lost_blocks(machine, machine.activations_now()))

    machine.stop = step
    machine.on_hit = look
    ended = execute(machine)
    lost = ended.stop.numbers if isinstance(ended.stop, Found) else None
    if lost is None:
        lost = lost_blocks(machine, ended.activations)
    if not lost or not where:
        return None
    number = min(lost)
    activations = where[0][1:] if number in returned else where[0]
    return Loss(machine, machine.memory.heap[number], step, activations)


def _returned(activation: Activation) -> Iterable[Block]:
    """Where the value leads to that an activation is about to return."""
    block, index = activation.place
    blocks = activation.procedure.blocks
    if block < 0 or index < len(blocks[block].steps):
        return
    end = blocks[block].end
    if isinstance(end, Return) and end.value and isinstance(end.value.type, Pointer):
        for node in subterms(end.value):
            if node.op == "var":
                yield from _held(activation.variables.get(f"v{node.data}"))

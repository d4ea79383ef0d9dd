"""From an open obligation back to its causes: the branches and calls on a way to it."""

from __future__ import annotations

from precis.engine.activation import Activation, Key, Node
from precis.engine.results import Note
from precis.engine.schedule import Schedule
from precis.ir.clike import print_term
from precis.ir.instr import Branch, Call, Switch
from precis.ir.location import Location
from precis.ir.procedure import Procedure

MOST_NOTES = 16
MOST_FRAMES = 12


def trace(schedule: Schedule, activation: Activation, node: Node | None) -> tuple[Note, ...]:
    """The last notes of a way from the root to a state of an activation, oldest first."""
    parts: list[list[tuple[Location, str]]] = [_way(activation.procedure, node)]
    key: Key = activation.key
    seen = {key}
    while len(parts) < MOST_FRAMES:
        caller = schedule.callers.get(key)
        if caller is None or caller.key in seen:
            break
        procedure = schedule.program.procedures[caller.site.procedure]
        step = procedure.blocks[caller.site.block].steps[caller.site.step]
        notes = _way(procedure, caller.node)
        notes.append((step.at, f"calls {key[0]}"))
        parts.append(notes)
        key = caller.key
        seen.add(key)
    found: list[Note] = []
    for depth, notes in enumerate(reversed(parts)):
        found.extend(Note(at, text, depth) for at, text in notes)
    return tuple(found[-MOST_NOTES:])


def _way(procedure: Procedure, node: Node | None) -> list[tuple[Location, str]]:
    """The branches taken on the way to a block."""
    found: list[tuple[Location, str]] = []
    while node is not None and node.parent is not None and len(found) < MOST_NOTES:
        before = procedure.blocks[node.parent.block].end
        if isinstance(before, Branch) and before.then != before.otherwise:
            truth = "true" if node.block == before.then else "false"
            found.append((before.at, f"{print_term(before.condition, procedure)} is {truth}"))
        elif isinstance(before, Switch):
            found.append((before.at, f"a case of {print_term(before.value, procedure)}"))
        node = node.parent
    found.reverse()
    return found


def user_place(schedule: Schedule, activation: Activation, inner: Location) -> Location:
    """The place in the user's code: of an obligation in a library model, the call."""
    if not activation.procedure.library:
        return inner
    key: Key = activation.key
    for _ in range(1000):
        caller = schedule.callers.get(key)
        if caller is None:
            return inner
        procedure = schedule.program.procedures[caller.site.procedure]
        if not procedure.library:
            step = procedure.blocks[caller.site.block].steps[caller.site.step]
            assert isinstance(step, Call)
            return step.at
        key = caller.key
    return inner

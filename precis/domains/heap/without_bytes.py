"""What callers are told of texts by functions of the C library.

What such a function does with a text, and needs of it, is told by the length of the text only: not
by its first bytes, each of which costs a condition or two at every call. If it is enough that each
text ends in its block, just that is asked, though less might do: a comparison ends where texts
differ. Where a number of bytes is given as well, all cases are told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from precis.domains.heap.forget import forget_atoms, guards_of
from precis.domains.heap.guards import FALSE, TRUE, Bracket, Guards
from precis.domains.heap.judge import Condition
from precis.domains.heap.names import Kind, Name, Value, constant, name
from precis.domains.heap.state import State
from precis.domains.heap.strings import speaks_of_bytes
from precis.domains.heap.theory import Atom, Theory
from precis.domains.protocol import Need
from precis.domains.values import num


def need_without_bytes(need: Need[Condition]) -> Need[Condition]:
    """A need that is enough for another one, and asks nothing of bytes, if there is one."""
    frame, safe = need.safe_if.frame, need.safe_if.guard
    guards = frame.theory.guards
    if not _texts_in(frame.theory, safe):
        return need
    ends = _ending(frame.theory, safe)
    if ends is not None:
        return replace(need, safe_if=replace(need.safe_if, guard=ends))
    asked = _byte_atoms(frame.theory, [safe])
    less = frame.theory.forgotten(Bracket(FALSE, safe), asked, cares=False).must
    if not guards.possible(less):
        return need
    return replace(need, safe_if=replace(need.safe_if, guard=less))


def _ending(theory: Theory, safe: int) -> int | None:
    """The condition that texts end in their blocks, if that is enough; of as few as it takes."""
    guards = theory.guards
    atoms = [theory.atoms[number] for number in sorted(guards.support(safe))]
    if any(s.kind is Kind.ARGUMENT for atom in atoms for s in _symbols(atom)):
        return None
    wanted = [one for text in _texts_in(theory, safe) for one in _ends(theory, text)]
    if not guards.implies(_all(guards, wanted), safe):
        return None
    for one in tuple(wanted):
        fewer = [other for other in wanted if other is not one]
        if guards.implies(_all(guards, fewer), safe):
            wanted = fewer
    return _all(guards, wanted)


def _ends(theory: Theory, text: Name) -> Iterator[Bracket]:
    """What it takes that a text ends in its block."""
    guards = theory.guards
    behind, before, length = (
        Value(None, ((name(kind, text), 1),), num.const(0))
        for kind in (Kind.AFTER, Kind.BEFORE, Kind.LENGTH)
    )
    yield guards.opposite(theory.null(text))
    yield theory.flag("live", text)
    yield theory.less_or_equal(constant(0), before)
    yield theory.less_or_equal(length.moved(1), behind)


def _all(guards: Guards, some: Iterable[Bracket]) -> int:
    found = TRUE
    for one in some:
        found = guards.both(found, one.must)
    return found


def _texts_in(theory: Theory, guard: int) -> list[Name]:
    """The texts that a guard asks the length of."""
    atoms = (theory.atoms[number] for number in sorted(theory.guards.support(guard)))
    found = {s.parts[0]: None for atom in atoms for s in _symbols(atom) if s.kind is Kind.LENGTH}
    return list(found)


def exit_without_bytes(state: State) -> State:
    """The state at an exit without conditions on bytes, if there are texts."""
    theory = state.frame.theory
    if not any(symbol.kind is Kind.LENGTH for atom in theory.atoms for symbol in _symbols(atom)):
        return state
    asked = _byte_atoms(theory, guards_of(state))
    return forget_atoms(state, asked) if asked else state


def _byte_atoms(theory: Theory, guards: Iterable[int]) -> list[int]:
    asked = sorted(theory.guards.atoms(list(guards)))
    return [number for number in asked if speaks_of_bytes(theory.atoms[number])]


def _symbols(atom: Atom) -> list[Name]:
    return [symbol for symbol, _ in atom[1]] if atom[0] == "most" else []

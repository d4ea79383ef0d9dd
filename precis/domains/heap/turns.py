"""Turns of loops: how long they are followed one by one."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, TypeAlias

from precis.domains.heap.frame import Calls, Frame
from precis.domains.heap.state import State, Turn

Leaves: TypeAlias = tuple[tuple[int, State], ...]
MOST_TURNS: Final = 40  # of a loop that are followed one by one
MOST_FORKS: Final = 8  # of them that may also leave it
MOST_TURNS_IN_ALL: Final = 400  # of a procedure


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
            if frame.is_root or frame.calls is Calls.INLINE:
                left = any(head not in frame.heads.get(other, ()) for other, _ in leaves)
            else:
                left = len({frame.may_leave(head, other) for other, _ in leaves}) > 1
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

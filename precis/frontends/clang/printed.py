"""What only the text of a declaration tells, as clang prints it.

The children of a FOR_STMT do not say which part of `for (a; b; c)` is missing. clang prints
every function in one form, with macros expanded, and its loops in the order of the tree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from precis.frontends.clang.cursors import Node, Unit
from precis.frontends.clang.kinds import Kind

_TOKEN: Final = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|\w+|[^\w\s]', re.DOTALL)
_PARTS: Final = 3


def for_parts(unit: Unit, root: Node, loops: Sequence[Node]) -> dict[Node, tuple[bool, bool, bool]]:
    """Which parts each of the loops in `root` has; `loops` are all of them, in preorder.

    A loop that the text does not settle is left out.
    """
    found: dict[Node, tuple[bool, bool, bool]] = {}
    unclear = False
    for loop in loops:
        if len(loop.children) == 4:
            found[loop] = (True, True, True)
        elif len(loop.children) == 1:
            found[loop] = (False, False, False)
        else:
            unclear = True
    if unclear:
        headers = list(_headers(unit.printed(root)))
        if len(headers) == len(loops):
            for loop, parts in zip(loops, headers, strict=True):
                if sum(parts) == len(loop.children) - 1:
                    found[loop] = parts
    return found


def _headers(text: str) -> Iterator[tuple[bool, bool, bool]]:
    tokens = _TOKEN.findall(text)
    for position, token in enumerate(tokens):
        if token == "for":
            yield _parts(tokens, position + 2)


def _parts(tokens: Sequence[str], position: int) -> tuple[bool, bool, bool]:
    """Are there tokens before, between and behind the semicolons of a header?"""
    parts = [False] * _PARTS
    part = depth = 0
    for token in tokens[position:]:
        if token in "([{":
            depth += 1
        elif token in ")]}":
            depth -= 1
            if depth < 0:
                break
        if token == ";" and depth == 0:
            part += 1
        elif part < _PARTS:
            parts[part] = True
    return parts[0], parts[1], parts[2]


def loops_of(root: Node) -> list[Node]:
    """The for loops of a function, in preorder."""
    found = []
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.kind == Kind.FOR_STMT:
            found.append(node)
        waiting.extend(reversed(node.children))
    return found

"""What only the text of a declaration tells, as clang prints it.

The children of a FOR_STMT do not say which part of `for (a; b; c)` is missing, those of an
ASM_STMT which operands are outputs. clang prints every function in one form, with macros
expanded, and its statements in the order of the tree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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


def tokens_of(unit: Unit, root: Node) -> list[str]:
    """The tokens of a function as clang prints it."""
    return list(_TOKEN.findall(unit.printed(root)))


def nodes_of(root: Node, kind: Kind) -> list[Node]:
    """The nodes of a kind in a function, in preorder."""
    found = []
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.kind == kind:
            found.append(node)
        waiting.extend(reversed(node.children))
    return found


# Assembler code


@dataclass(frozen=True, slots=True)
class Assembler:
    """An asm statement: its text, and the constraints of its operands."""

    text: str
    outputs: tuple[str, ...]
    inputs: tuple[str, ...]
    clobbers_memory: bool
    jumps: bool


_BEFORE_STATEMENT: Final = frozenset({";", "{", "}", ":", ")", "else", "do"})


def assembler_parts(unit: Unit, root: Node) -> dict[Node, Assembler]:
    """The asm statements of a function; none if the text does not settle which is which."""
    nodes = nodes_of(root, Kind.ASM_STMT)
    tokens = tokens_of(unit, root)
    starts = [
        position
        for position, token in enumerate(tokens)
        if token == "asm" and tokens[position - 1] in _BEFORE_STATEMENT
    ]
    if len(starts) != len(nodes):
        return {}
    return {node: _assembler(tokens, start + 1) for node, start in zip(nodes, starts, strict=True)}


def _assembler(tokens: Sequence[str], position: int) -> Assembler:
    words = []
    while tokens[position] != "(":
        words.append(tokens[position])
        position += 1
    sections = _strings(tokens, position + 1)
    text, outputs, inputs, clobbers = (*sections, (), (), ())[:4]
    is_basic = len(sections) == 1
    memory = is_basic or "memory" in clobbers
    return Assembler("".join(text).strip(), outputs, inputs, memory, "goto" in words)


def _strings(tokens: Sequence[str], position: int) -> list[tuple[str, ...]]:
    """The strings between the colons of an asm statement, outside parentheses."""
    sections: list[list[str]] = [[]]
    depth = 0
    for token in tokens[position:]:
        depth += (token in "([{") - (token in ")]}")
        if depth < 0:
            break
        if depth == 0 and token == ":":
            sections.append([])
        elif depth == 0 and token.startswith('"'):
            sections[-1].append(token[1:-1])
    return [tuple(section) for section in sections]

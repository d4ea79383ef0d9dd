"""The lengths of variable length arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from precis.frontends.clang.body import Body
from precis.frontends.clang.c_types import CType, Sort
from precis.frontends.clang.cursors import Node
from precis.frontends.clang.failure import Unlowered
from precis.frontends.clang.kinds import Kind
from precis.ir.values import Term, binary


def bind_sizes(body: Body, type_: CType, parts: Sequence[Node]) -> None:
    """Evaluate the lengths in a declared type, once (C17 6.7.6.2 paragraph 5).

    libclang shows the length expressions of all dimensions, the innermost first.
    """
    levels = []
    while type_.sort in (Sort.ARRAY, Sort.VLA, Sort.POINTER):
        if type_.sort is not Sort.POINTER:
            levels.append(type_)
        type_ = type_.inner
    if not any(level.sort is Sort.VLA and level not in body.sizes for level in levels):
        return
    lengths = [part for part in parts if Kind.UNEXPOSED_EXPR <= part.kind < Kind.UNEXPOSED_STMT]
    for level, length in zip(reversed(levels[: len(lengths)]), lengths, strict=False):
        if level.sort is Sort.VLA:
            count = body.as_word(body.value(length))
            size = binary("mul", count, body.size_of(level.inner))
            body.sizes[level] = body.keep(size, body.at(length))


def size_of_type(body: Body, node: Node) -> Term:
    """`sizeof(T[n]...)`, as a word.

    libclang shows the lengths, twice: innermost first and then again outermost first; the type
    of the elements has to be read from the text.
    """
    parts = [part for part in node.children if part.kind != Kind.TYPE_REF]
    lengths = parts[: len(parts) // 2]
    size = body.word(_element_size(body, node, len(lengths)))
    for length in lengths:
        size = binary("mul", body.as_word(body.kept(body.value(length), (), length)), size)
    return body.keep(size, body.at(node))


_BASIC: Final = {"char": 1, "_Bool": 1, "short": 2, "int": 4, "unsigned": 4, "float": 4}
_QUALIFIERS: Final = frozenset({"const", "volatile", "signed", "unsigned", "struct", "union"})


def _element_size(body: Body, node: Node, dimensions: int) -> int:
    words = body.unit.tokens(node)
    if not words or words[0] not in ("sizeof", "__sizeof__") or dimensions == 0:
        raise Unlowered("sizeof a variable length array type")
    words = words[2 : words.index("[")] if "[" in words else []
    pointer = body.types.word.bits // 8
    if words and words[-1] == "*":
        return pointer
    named = [part for part in node.children if part.kind == Kind.TYPE_REF]
    plain = [word for word in words if word not in _QUALIFIERS] or ["int"]
    if named and len(plain) == 1 and named[0].type.is_complete:
        return named[0].type.size
    if plain[0] == "long" and set(plain) <= {"long", "int"}:
        return 8 if plain.count("long") == 2 else pointer
    if plain == ["double"]:
        return 8
    if plain[0] in _BASIC and set(plain[1:]) <= {"int"}:
        return _BASIC[plain[0]]
    raise Unlowered("sizeof a variable length array type")

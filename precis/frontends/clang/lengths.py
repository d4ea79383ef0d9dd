"""The lengths of variable length arrays."""

from __future__ import annotations

from collections.abc import Sequence

from precis.frontends.clang.body import Body
from precis.frontends.clang.c_types import CType, Sort
from precis.frontends.clang.cursors import Node
from precis.frontends.clang.kinds import Kind
from precis.ir.values import binary


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

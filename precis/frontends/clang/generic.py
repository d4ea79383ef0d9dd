"""Which branch of a _Generic clang chose: libclang shows all and marks none.

The result has the type of the branch, which often settles it. Where several branches share
that type, their type names are compared with the controlling type. The names are taken from the
text, or, since macros hide it, from clang's printed form of the function.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from precis.frontends.clang.body import Body
from precis.frontends.clang.c_types import CType, Sort
from precis.frontends.clang.cursors import Node
from precis.frontends.clang.failure import Unlowered
from precis.frontends.clang.kinds import Kind
from precis.frontends.clang.printed import nodes_of, tokens_of


def chosen(body: Body, node: Node) -> Node:
    children = [child for child in node.children if child.kind != Kind.TYPE_REF]
    control, branches = children[0], children[1:]
    fitting = [branch for branch in branches if branch.type is node.type]
    if len(fitting) == 1:
        return fitting[0]
    names = _names(body, node)
    if len(names) == len(branches):
        names = [_without_typedefs(name, body.unit.typedefs) for name in names]
        wanted = _normal(_value_spelling(control.type))
        for name, branch in zip(names, branches, strict=True):
            if _normal(name) == wanted:
                return branch
        if "default" in names and all(_is_plain(name) for name in names):
            return branches[names.index("default")]
    raise Unlowered("_Generic with branches of one type")


def _names(body: Body, node: Node) -> list[str]:
    found = _association_names(body.unit.tokens(node))
    if found or body.root is None:
        return found
    if body.generic_names is None:
        body.generic_names = _printed_names(body, body.root)
    return body.generic_names.get(node, [])


def _printed_names(body: Body, root: Node) -> dict[Node, list[str]]:
    """The type names of each _Generic in a function, none if their number is not that printed."""
    nodes = nodes_of(root, Kind.GENERIC_SELECTION_EXPR)
    tokens = tokens_of(body.unit, root)
    starts = [position for position, token in enumerate(tokens) if token == "_Generic"]
    if len(starts) != len(nodes):
        return {}
    pairs = zip(nodes, starts, strict=True)
    return {node: _association_names(tokens[start:]) for node, start in pairs}


_WORD: Final = re.compile(r"\w+")


def _without_typedefs(name: str, typedefs: Mapping[str, str]) -> str:
    """The name with typedefs resolved, except where that takes more than putting in their text."""

    def resolved(match: re.Match[str]) -> str:
        text = typedefs.get(match[0], match[0])
        is_simple = _WORD.fullmatch(name) or not ("*" in text or "(" in text or "[" in text)
        return text if is_simple else match[0]

    return _WORD.sub(resolved, name)


def _value_spelling(type_: CType) -> str:
    if type_.sort in (Sort.ARRAY, Sort.VLA):
        return f"{type_.inner.spelling} *"
    return type_.spelling


_KEYWORDS = frozenset(
    {"char", "short", "int", "long", "float", "double", "signed", "unsigned", "_Bool", "void"}
    | {"const", "struct", "union", "enum", "*", "default"}
)


def _is_plain(name: str) -> bool:
    """Is it written in full, so that another text means another type?"""
    words = name.split()
    tags = {words[i + 1] for i, w in enumerate(words[:-1]) if w in ("struct", "union", "enum")}
    return all(word in _KEYWORDS or word in tags for word in words)


def _normal(name: str) -> tuple[str, ...]:
    """One spelling for the many of a type; qualifiers of the value itself do not count."""
    if "(" in name:  # of a function or array: clang's own spelling on both sides
        return ("".join(name.split()),)
    base, *pointers = name.split("*")
    words = [word for word in base.split() if word not in ("volatile", "restrict")]
    if not pointers:
        words = [word for word in words if word != "const"]
    if {"long", "short", "unsigned", "signed"} & set(words) and "double" not in words:
        is_char = "char" in words
        words = [w for w in words if w != "int" and (w != "signed" or is_char)]
        if not {"char", "long", "short"} & set(words):
            words.append("int")
    if pointers:
        pointers[-1] = ""
    return (" ".join(sorted(words)), *(" ".join(sorted(p.split())) for p in pointers))


def _association_names(tokens: list[str]) -> list[str]:
    """The type names of `_Generic(e, T: a, U: b)`, or nothing if the text is not like that."""
    if not tokens or tokens[0] != "_Generic":
        return []
    names: list[str] = []
    depth = 0
    current: list[str] = []
    in_name = False
    for token in tokens[1:]:
        if token in "([{":
            depth += 1
        elif token in ")]}":
            depth -= 1
            if depth == 0:
                break
        if depth == 1 and token == ",":
            current, in_name = [], True
        elif depth == 1 and token == ":" and in_name:
            names.append(" ".join(current))
            in_name = False
        elif in_name:
            current.append(token)
    return names

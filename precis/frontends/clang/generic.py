"""Which branch of a _Generic clang chose: libclang shows all and marks none.

The result has the type of the branch, which often settles it. Where several branches share
that type, their type names, taken from the text, are compared with the controlling type.
"""

from __future__ import annotations

from precis.frontends.clang.c_types import CType, Sort
from precis.frontends.clang.cursors import Node, Unit
from precis.frontends.clang.failure import Unlowered
from precis.frontends.clang.kinds import Kind


def chosen(unit: Unit, node: Node) -> Node:
    children = [child for child in node.children if child.kind != Kind.TYPE_REF]
    control, branches = children[0], children[1:]
    fitting = [branch for branch in branches if branch.type is node.type]
    if len(fitting) == 1:
        return fitting[0]
    names = _association_names(unit.tokens(node))
    if len(names) == len(branches):
        wanted = _normal(_value_spelling(control.type))
        for name, branch in zip(names, branches, strict=True):
            if _normal(name) == wanted:
                return branch
        if "default" in names and all(_is_plain(name) for name in names):
            return branches[names.index("default")]
    raise Unlowered("_Generic with branches of one type")


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
        if depth == 1 and token == ",":
            current, in_name = [], True
        elif depth == 1 and token == ":" and in_name:
            names.append(" ".join(current))
            in_name = False
        elif in_name:
            current.append(token)
    return names

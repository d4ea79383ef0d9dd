"""Does a library model do for what a program declares?

Programs that were written against the system's headers see other types than the models do. A
model is used only if values and memory of the declared types mean the same to it.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from precis.frontends.clang.c_types import CType, Sort

_Pair: TypeAlias = tuple[CType, CType]

# Records that programs hand around and never look into, and what they are in the models.
_OPAQUE: Final = {"struct _IO_FILE": "struct __precis_file"}
_NUMBERS: Final = (Sort.INT, Sort.BOOL)


def fits(declared: CType, modelled: CType) -> bool:
    """Names and signs of types do not matter; sizes, members and their places do."""
    seen: set[_Pair] = set()
    waiting = [(declared, modelled)]
    while waiting:
        pair = waiting.pop()
        if pair in seen:
            continue
        seen.add(pair)
        parts = _parts(*pair)
        if parts is None:
            return False
        waiting.extend(parts)
    return True


def is_opaque(type_: CType) -> bool:
    """Is it a record that the library has another form of?"""
    return type_.sort is Sort.RECORD and _unqualified(type_) in _OPAQUE


def _unqualified(type_: CType) -> str:
    return " ".join(type_.spelling.split()[-2:])


def _parts(one: CType, other: CType) -> list[_Pair] | None:
    """The pairs that have to fit if the two are to fit; None if they cannot."""
    if one.sort in _NUMBERS and other.sort in _NUMBERS:
        return [] if one.bits == other.bits else None
    if one.sort is not other.sort:
        return None
    match one.sort:
        case Sort.VOID:
            return []
        case Sort.FLOAT:
            return [] if one.bits == other.bits else None
        case Sort.POINTER:
            return _pointed_to(one.inner, other.inner)
        case Sort.ARRAY:
            known = one.count is not None and other.count is not None
            return None if known and one.count != other.count else [(one.inner, other.inner)]
        case Sort.RECORD:
            return _members(one, other)
        case Sort.FUNCTION:
            return _signatures(one, other)
        case _:
            return None


def _pointed_to(one: CType, other: CType) -> list[_Pair]:
    unknown = any(
        type_.sort is Sort.VOID or (type_.sort is Sort.RECORD and not type_.is_complete)
        for type_ in (one, other)
    )
    opaque = _OPAQUE.get(_unqualified(one)) == _unqualified(other)
    return [] if unknown or opaque else [(one, other)]


def _members(one: CType, other: CType) -> list[_Pair] | None:
    if (one.size, one.is_union) != (other.size, other.is_union):
        return None
    if [(f.offset, f.width) for f in one.fields] != [(f.offset, f.width) for f in other.fields]:
        return None
    return [(a.type, b.type) for a, b in zip(one.fields, other.fields, strict=True)]


def _signatures(one: CType, other: CType) -> list[_Pair] | None:
    results = (one.inner, other.inner)
    if not one.prototyped:
        return [results]
    same = one.variadic == other.variadic and len(one.parameters) == len(other.parameters)
    return [results, *zip(one.parameters, other.parameters, strict=True)] if same else None

"""C types -> IR types, and the layouts of records.

A record is named after its tag, or after the typedef of a tagless one. Two records of one name
that differ (in other scopes or files) get numbers, so that a name stands for one layout; the
same struct seen in several files is one record.
"""

from __future__ import annotations

from typing import Final, final

from precis.frontends.clang.c_types import CField, CType, Sort
from precis.frontends.clang.failure import Unlowered
from precis.frontends.clang.library import library, text
from precis.ir.types import (
    U8,
    VOID,
    Array,
    BitRange,
    DataModel,
    Field,
    Float,
    Function,
    Int,
    Layout,
    Pointer,
    Record,
    Type,
)
from precis.ir.values import Term, cast, const, truth_of

_BOOL: Final = U8


@final
class Types:
    """The types of one program, over all its files."""

    def __init__(self, model: DataModel) -> None:
        self.model = model
        self.word = model.word
        self.records: dict[str, Layout] = {}
        self._converted: dict[CType, Type] = {}
        self._names: dict[CType, str] = {}
        self._by_shape: dict[tuple[object, ...], str] = {}
        self._taken: dict[str, int] = {}
        self._waiting: list[CType] = []

    def of(self, type_: CType) -> Type:
        found = self._converted.get(type_)
        if found is None:
            found = self._converted[type_] = self._convert(type_)
        return found

    def _convert(self, type_: CType) -> Type:
        match type_.sort:
            case Sort.BOOL:
                return _BOOL
            case Sort.INT:
                return Int(type_.bits, type_.signed)
            case Sort.FLOAT:
                return Float(type_.bits)
            case Sort.POINTER:
                return Pointer(self._pointed_to(type_.inner))
            case Sort.ARRAY | Sort.VLA:
                return Array(self.of(type_.inner), type_.count)
            case Sort.RECORD:
                return Record(self.record_name(type_)) if type_.is_complete else VOID
            case Sort.FUNCTION:
                parameters = tuple(self.decayed(p) for p in type_.parameters)
                return Function(self.of(type_.inner), parameters, type_.variadic)
            case Sort.VOID:
                return VOID
            case Sort.OTHER:
                raise Unlowered(f"type {type_}")

    def _pointed_to(self, type_: CType) -> Type:
        """What cannot be lowered can still be pointed to."""
        try:
            return self.of(type_)
        except Unlowered:
            return VOID

    def decayed(self, type_: CType) -> Type:
        """The type of a value: arrays and functions become pointers (C17 6.3.2.1)."""
        match type_.sort:
            case Sort.ARRAY | Sort.VLA:
                return Pointer(self._pointed_to(type_.inner))
            case Sort.FUNCTION:
                return Pointer(self._pointed_to(type_))
            case _:
                return self.of(type_)

    def pointer_to(self, type_: CType) -> Pointer:
        return Pointer(self._pointed_to(type_))

    def convert(self, value: Term, to: CType) -> Term:
        """C's conversion of a scalar (C17 6.3)."""
        if to.sort is Sort.BOOL:
            return cast(_BOOL, truth_of(value))
        return self.cast(value, self.decayed(to))

    def cast(self, value: Term, to: Type) -> Term:
        """Between pointers and integers of another width: by way of the word."""
        given = value.type
        if isinstance(to, Pointer) and isinstance(given, Int) and given.bits != self.word.bits:
            value = cast(self.word, value)
        elif isinstance(given, Pointer) and isinstance(to, Int) and to.bits != self.word.bits:
            value = cast(Int(self.word.bits, False), value)
        return cast(to, value)

    def size(self, type_: CType) -> Term:
        """sizeof, as a word; of a complete type of fixed size."""
        if not type_.is_complete:
            if type_.sort in (Sort.VOID, Sort.FUNCTION):  # as gcc has it
                return const(self.word, 1)
            raise Unlowered(f"size of incomplete type {type_}")
        return const(self.word, type_.size)

    # Records

    def record_name(self, type_: CType) -> str:
        name = self._names.get(type_)
        if name is None:
            tag = _tag(type_)
            shape = (tag, *_shape(type_))
            name = self._by_shape.get(shape)
            if name is None:
                name = self._by_shape[shape] = self._fresh(tag)
                self._waiting.append(type_)
            self._names[type_] = name
        return name

    def _fresh(self, tag: str) -> str:
        number = self._taken.get(tag, 0) + 1
        self._taken[tag] = number
        return tag if number == 1 else f"{tag}.{number}"

    def finish(self) -> dict[str, Layout]:
        """The layouts of all records named so far, and of those that they mention."""
        while self._waiting:
            type_ = self._waiting.pop()
            name = self._names[type_]
            fields = tuple(self._field(f) for f in type_.fields if f.name or f.width is None)
            union = type_.is_union
            self.records[name] = Layout(name, union, fields, type_.size, type_.align)
        return self.records

    def _field(self, field: CField) -> Field:
        try:
            type_ = self.of(field.type)
        except Unlowered:
            type_ = Array(U8, max(field.type.size, 0))
        if field.width is None:
            return Field(field.name, type_, field.offset // 8)
        return Field(field.name, type_, field.offset // 8, bit_range(field.offset, field.width))


def bit_range(offset: int, width: int) -> BitRange:
    return BitRange(offset % 8, width)


def _tag(type_: CType) -> str:
    name = _declared_name(type_)
    return name if name.isidentifier() else "anonymous"


def _declared_name(type_: CType) -> str:
    """The tag, or typedef, or for an anonymous record a text with its place."""
    lib = library()
    return text(lib.clang_getCursorSpelling(lib.clang_getTypeDeclaration(type_.raw)))


def _shape(type_: CType) -> tuple[object, ...]:
    members = tuple((f.name, f.offset, f.width, f.type.spelling) for f in type_.fields)
    return (type_.is_union, type_.size, type_.align, _declared_name(type_), members)


def find_field(type_: CType, name: str, member: CType | None = None) -> CField:
    """The member of that name, with its offset from the start of `type_`.

    Members of anonymous structs and unions are members of the record around (C17 6.7.2.1). An
    anonymous one itself, which clang describes instead of naming it, is found by its type.
    """
    found = _find(type_, name, member if "(" in name else None, 0)
    if found is None:
        raise Unlowered(f"member {name} of {type_}")
    return found


def _find(type_: CType, name: str, anonymous: CType | None, base: int) -> CField | None:
    for field in type_.fields:
        if field.type is anonymous if anonymous is not None else field.name == name:
            return CField(field.name, field.type, base + field.offset, field.width)
        if not field.name and field.type.sort is Sort.RECORD:
            inner = _find(field.type, name, anonymous, base + field.offset)
            if inner is not None:
                return inner
    return None


def promoted(type_: Type, width: int | None = None) -> Type:
    """The integer promotions (C17 6.3.1.1); `width` is that of a bit-field."""
    if not isinstance(type_, Int):
        return type_
    bits = type_.bits if width is None else width
    if bits < 32:
        return Int(32, True)
    return Int(32, type_.signed) if bits == 32 else type_


def common(left: Type, right: Type) -> Type:
    """The usual arithmetic conversions (C17 6.3.1.8) of promoted types.

    Types of equal width and sign are one here, so ranks do not matter.
    """
    if isinstance(left, Float) or isinstance(right, Float):
        widths = [t.bits for t in (left, right) if isinstance(t, Float)]
        return Float(max(widths))
    if isinstance(left, Int) and isinstance(right, Int):
        if left.signed == right.signed:
            return left if left.bits >= right.bits else right
        signed, unsigned = (left, right) if left.signed else (right, left)
        return signed if signed.bits > unsigned.bits else unsigned
    raise Unlowered("arithmetic on these types")

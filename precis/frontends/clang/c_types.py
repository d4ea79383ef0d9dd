"""C types, as libclang knows them.

A `CType` is made once per canonical type (typedefs resolved, `const` and `restrict` dropped,
`volatile` kept). What it is made of is looked up when asked for: struct types are recursive.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, final

from precis.frontends.clang.library import FieldVisitor, RawCursor, RawType, library, text


class Sort(Enum):
    VOID = "void"
    BOOL = "bool"
    INT = "int"  # also enumerations
    FLOAT = "float"
    POINTER = "pointer"
    ARRAY = "array"  # count is None for an incomplete one
    VLA = "variable length array"
    RECORD = "record"
    FUNCTION = "function"
    OTHER = "other"  # complex numbers, vectors, ...


_SIGNED: Final = frozenset({13, 14, 16, 17, 18, 19, 20})
_UNSIGNED: Final = frozenset({4, 5, 6, 7, 8, 9, 10, 11, 12})
_WCHAR, _ENUM, _RECORD, _NO_PROTOTYPE, _PROTOTYPE, _ATOMIC = 15, 106, 105, 110, 111, 177
_FLOAT: Final = {21: 32, 22: 64, 23: 80, 30: 80}  # a __float128 counts as long double
_VOLATILE = 4
_CONST = 1


@dataclass(frozen=True, slots=True)
class CField:
    """A member; `offset` and `width` are in bits, `width` is None if it is no bit-field."""

    name: str
    type: CType
    offset: int
    width: int | None


@final
class CType:
    """`bits` is the width of an integer or float; sizes are in bytes, -1 if unknown."""

    __slots__ = (
        "_fields", "_inner", "_parameters", "_reader", "align", "bits", "count", "is_va_list",
        "key", "prototyped", "raw", "signed", "size", "sort", "spelling", "variadic", "volatile",
    )  # fmt: skip

    def __init__(self, reader: TypeReader, raw: RawType, sort: Sort, key: int) -> None:
        lib = library()
        self._reader = reader
        self.raw = raw
        self.sort = sort
        self.key = key
        # libclang dies on the size of its own placeholder types.
        sized = sort not in (Sort.OTHER, Sort.FUNCTION, Sort.VOID, Sort.VLA)
        self.size: int = lib.clang_Type_getSizeOf(raw) if sized else -1
        self.align: int = lib.clang_Type_getAlignOf(raw) if sized else -1
        self.volatile = bool((raw.first or 0) & _VOLATILE)
        self.bits = 0
        self.signed = False
        self.count: int | None = None
        self.variadic = False
        self.prototyped = False
        self.spelling = text(lib.clang_getTypeSpelling(raw))
        self.is_va_list = "struct __va_list_tag" in self.spelling
        self._inner: CType | None = None
        self._fields: list[CField] | None = None
        self._parameters: list[CType] | None = None

    def __repr__(self) -> str:
        return self.spelling

    @property
    def inner(self) -> CType:
        """What a pointer points to, an array is made of, a function gives back."""
        if self._inner is None:
            self._inner = self._reader.inner(self)
        return self._inner

    @property
    def fields(self) -> list[CField]:
        if self._fields is None:
            self._fields = self._reader.fields(self)
        return self._fields

    @property
    def parameters(self) -> list[CType]:
        if self._parameters is None:
            self._parameters = self._reader.parameters(self)
        return self._parameters

    @property
    def is_complete(self) -> bool:
        return self.size >= 0

    @property
    def is_union(self) -> bool:
        return self._reader.is_union(self)

    @property
    def is_scalar(self) -> bool:
        return self.sort in _SCALARS


_SCALARS: Final = frozenset({Sort.BOOL, Sort.INT, Sort.FLOAT, Sort.POINTER})
_SORTS: Final = {
    2: Sort.VOID,
    3: Sort.BOOL,
    _WCHAR: Sort.INT,
    **dict.fromkeys(_SIGNED | _UNSIGNED, Sort.INT),
    _ENUM: Sort.INT,
    **dict.fromkeys(_FLOAT, Sort.FLOAT),
    101: Sort.POINTER,
    _RECORD: Sort.RECORD,
    _NO_PROTOTYPE: Sort.FUNCTION,
    _PROTOTYPE: Sort.FUNCTION,
    112: Sort.ARRAY,
    114: Sort.ARRAY,
    115: Sort.VLA,
}


@final
class TypeReader:
    """Makes each CType of a translation unit once."""

    def __init__(self) -> None:
        self._lib = library()
        self._known: dict[int, CType] = {}
        self._by_written: dict[int, CType] = {}

    def of_cursor(self, cursor: RawCursor) -> CType:
        return self.of(self._lib.clang_getCursorType(cursor))

    def of(self, raw: RawType) -> CType:
        written = (raw.first or 0) & ~3
        found = self._by_written.get(written)
        if found is None:
            found = self._by_written[written] = self._canonical(raw)
        return found

    def _canonical(self, raw: RawType) -> CType:
        raw = self._lib.clang_getCanonicalType(raw)
        while raw.kind == _ATOMIC:
            raw = self._lib.clang_getCanonicalType(self._lib.clang_Type_getValueType(raw))
        key = (raw.first or 0) & ~3
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._make(raw, key)
        return found

    def _make(self, raw: RawType, key: int) -> CType:
        lib = self._lib
        made = CType(self, raw, _SORTS.get(raw.kind, Sort.OTHER), key)
        kind = raw.kind
        if kind == _ENUM:
            under = lib.clang_getEnumDeclIntegerType(lib.clang_getTypeDeclaration(raw))
            kind = lib.clang_getCanonicalType(under).kind
        if made.sort in (Sort.INT, Sort.BOOL):
            made.bits = 8 * made.size
            made.signed = kind in _SIGNED or kind == _WCHAR
        elif made.sort is Sort.FLOAT:
            made.bits = _FLOAT[kind]
        elif kind == 112:
            made.count = lib.clang_getArraySize(raw)
        elif made.sort is Sort.FUNCTION:
            made.prototyped = kind == _PROTOTYPE
            made.variadic = bool(lib.clang_isFunctionTypeVariadic(raw)) and made.prototyped
        return made

    def inner(self, of: CType) -> CType:
        lib = self._lib
        match of.sort:
            case Sort.POINTER:
                return self.of(lib.clang_getPointeeType(of.raw))
            case Sort.ARRAY | Sort.VLA:
                return self.of(lib.clang_getArrayElementType(of.raw))
            case Sort.FUNCTION:
                return self.of(lib.clang_getResultType(of.raw))
            case _:
                raise ValueError(f"{of} has no inner type")

    def parameters(self, of: CType) -> list[CType]:
        lib = self._lib
        count = lib.clang_getNumArgTypes(of.raw)
        return [self.of(lib.clang_getArgType(of.raw, number)) for number in range(max(count, 0))]

    def fields(self, of: CType) -> list[CField]:
        cursors: list[RawCursor] = []

        def visit(cursor: RawCursor, _data: object) -> int:
            cursors.append(cursor)
            return 1

        self._lib.clang_Type_visitFields(of.raw, FieldVisitor(visit), None)
        return [self._field(cursor) for cursor in cursors]

    def _field(self, cursor: RawCursor) -> CField:
        lib = self._lib
        type_ = self.of_cursor(cursor)
        name = text(lib.clang_getCursorSpelling(cursor))
        width = (
            lib.clang_getFieldDeclBitWidth(cursor) if lib.clang_Cursor_isBitField(cursor) else None
        )
        if "(" in name:  # clang's description of an anonymous member
            name = ""
        return CField(name, type_, lib.clang_Cursor_getOffsetOfField(cursor), width)

    def is_constant(self, raw: RawType) -> bool:
        """Is a variable of this type never to be written? What qualifies the elements of an array
        stands at the array."""
        raw = self._lib.clang_getCanonicalType(raw)
        while (raw.first or 0) & 7 != _CONST:
            if raw.kind not in (112, 114):
                return False
            raw = self._lib.clang_getCanonicalType(self._lib.clang_getArrayElementType(raw))
        return True

    def is_union(self, of: CType) -> bool:
        declaration: RawCursor = self._lib.clang_getTypeDeclaration(of.raw)
        return declaration.kind == 3

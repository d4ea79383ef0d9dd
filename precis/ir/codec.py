"""Programs as bytes.

Every value of the IR is a dataclass, an enum, a term, or a container of those. A dataclass
becomes a list of its class number and its fields; types, terms and locations, which are shared,
stand once in a table and are referred to by number. The classes are numbered by their order in
`_CLASSES`, so the format is tied to this version of the IR: `FORMAT` goes up when it changes.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any, Final, cast, get_args

import msgspec

from precis.ir import instr, location, obligation, procedure, program, types, values
from precis.ir.program import Program

FORMAT: Final = 2

_ENUMS: Final[tuple[type[Enum], ...]] = (
    types.DataModel,
    instr.BlockKind,
    instr.Content,
    instr.Volatility,
    program.Language,
)


def _dataclasses() -> tuple[type[Any], ...]:
    found = []
    for module in (types, obligation, instr, procedure, program):
        for value in vars(module).values():
            defined_here = isinstance(value, type) and value.__module__ == module.__name__
            if defined_here and hasattr(value, "__dataclass_fields__"):
                found.append(value)
    return tuple(found)


_CLASSES: Final = _dataclasses()
_CLASS_NUMBER: Final = {class_: number for number, class_ in enumerate(_CLASSES)}
_FIELDS: Final = {class_: tuple(f.name for f in fields(class_)) for class_ in _CLASSES}

# Tags of encoded lists: below these, a class number.
_TERM, _LOCATION, _ENUM, _TUPLE, _MAP = -1, -2, -3, -4, -5
_TYPE = -8
_TYPES: Final = frozenset(get_args(types.Type))
_WIDEST: Final = 1024  # bits of a number; no number of a program has as many
_WIDE, _TEXT = -6, -7  # what the wire format has no place for: wide integers, broken Unicode
_ANY_TEXT: Final = ("utf-8", "surrogatepass")


class Places(Enum):
    """Whether what is encoded says where in the source it stands."""

    KEPT = "kept"
    LEFT_OUT = "left out"


class _Encoder:
    __slots__ = (
        "_places", "location_numbers", "locations", "term_numbers", "terms", "type_numbers",
        "types",
    )  # fmt: skip

    def __init__(self, places: Places = Places.KEPT) -> None:
        self._places = places
        self.types: list[Any] = []
        self.type_numbers: dict[types.Type, int] = {}
        self.terms: list[Any] = []
        self.term_numbers: dict[values.Term, int] = {}
        self.locations: list[Any] = []
        self.location_numbers: dict[location.Location, int] = {}

    def plain(self, value: Any) -> Any:
        if value is None or isinstance(value, bytes | float):
            return value
        if isinstance(value, int):
            return value if -(1 << 63) <= value < 1 << 64 else [_WIDE, str(value)]
        if isinstance(value, str):
            return value if _is_unicode(value) else [_TEXT, value.encode(*_ANY_TEXT)]
        if isinstance(value, values.Term):
            return [_TERM, self.term(value)]
        if isinstance(value, location.Location):
            return [_LOCATION, self.location(value)]
        if isinstance(value, tuple):
            return [_TUPLE, *map(self.plain, value)]
        if type(value) in _TYPES:
            return [_TYPE, self.type(value)]
        if type(value) in _FIELDS:
            return self._row(value)
        if isinstance(value, Enum):
            return [_ENUM, _ENUMS.index(type(value)), value.value]
        if isinstance(value, Mapping):
            return [_MAP, *((self.plain(key), self.plain(item)) for key, item in value.items())]
        raise TypeError(f"not a value of the IR: {type(value)}")

    def _row(self, value: Any) -> list[Any]:
        class_ = type(value)
        fields_ = (self.plain(getattr(value, name)) for name in _FIELDS[class_])
        return [_CLASS_NUMBER[class_], *fields_]

    def type(self, type_: types.Type) -> int:
        number = self.type_numbers.get(type_)
        if number is None:
            row = self._row(type_)
            number = self.type_numbers[type_] = len(self.types)
            self.types.append(row)
        return number

    def term(self, root: values.Term) -> int:
        for node in values.subterms(root):
            if node not in self.term_numbers:
                args = [self.term_numbers[arg] for arg in node.args]
                self.term_numbers[node] = len(self.terms)
                data = self.plain(node.data)
                self.terms.append([node.op, self.type(node.type), args, data])
        return self.term_numbers[root]

    def location(self, place: location.Location) -> int:
        if self._places is Places.LEFT_OUT:
            return 0
        number = self.location_numbers.get(place)
        if number is None:
            number = self.location_numbers[place] = len(self.locations)
            texts = (self.plain(place.file), self.plain(place.macro))
            numbers = (place.line, place.column, place.end_line, place.end_column)
            self.locations.append([*texts, *numbers, *place.argument])
        return number


def _is_unicode(text: str) -> bool:
    """Names of files that are not UTF-8 hold lone surrogates."""
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)


class _Decoder:
    __slots__ = ("locations", "terms", "types")

    def __init__(self, rows: list[Any], terms: list[Any], locations: list[Any]) -> None:
        self.types: list[types.Type] = []
        for row in rows:
            self.types.append(self.value(row))
        self.terms: list[values.Term] = []
        for op, type_, args, data in terms:
            operands = tuple([self.terms[arg] for arg in args])
            self.terms.append(values.term(op, self.types[type_], operands, self.value(data)))
        self.locations = [self._location(row) for row in locations]

    def _location(self, row: list[Any]) -> location.Location:
        file, macro, line, column, end_line, end_column, *argument = row
        return location.Location(
            self.value(file), line, column, end_line, end_column, self.value(macro),
            (argument[0], argument[1]),
        )  # fmt: skip

    def value(self, plain: Any) -> Any:
        if type(plain) is not list:
            return plain
        tag = plain[0]
        if tag == _TERM:
            return self.terms[plain[1]]
        if tag == _LOCATION:
            return self.locations[plain[1]]
        if tag == _TYPE:
            return self.types[plain[1]]
        if tag >= 0:
            return _CLASSES[tag](*map(self.value, plain[1:]))
        if tag == _TUPLE:
            return tuple(map(self.value, plain[1:]))
        if tag == _ENUM:
            return _ENUMS[plain[1]](plain[2])
        if tag == _WIDE:
            return int(plain[1])
        if tag == _TEXT:
            return plain[1].decode(*_ANY_TEXT)
        return {self.value(key): self.value(item) for key, item in plain[1:]}


def encode(whole: Program) -> bytes:
    encoder = _Encoder()
    body = encoder.plain(whole)
    tables = (encoder.types, encoder.terms, encoder.locations)
    return msgspec.msgpack.encode([FORMAT, *tables, body])


def decode(data: bytes) -> Program:
    """The program again, equal to the one encoded. Raises ValueError for other data."""
    # Nothing of what is made here is garbage, and looking for some takes as long as the rest.
    with _without_collection():
        return _decoded(data)


@contextmanager
def _without_collection() -> Iterator[None]:
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _decoded(data: bytes) -> Program:
    try:
        format_, *tables, body = msgspec.msgpack.decode(data)
    except (msgspec.DecodeError, ValueError, TypeError) as error:
        raise ValueError(f"not an encoded program: {error}") from error
    if format_ != FORMAT:
        raise ValueError(f"encoded program of format {format_}, not {FORMAT}")
    try:
        return cast("Program", _Decoder(*tables).value(body))
    except (AttributeError, IndexError, TypeError, ValueError) as error:
        raise ValueError(f"not an encoded program: {error}") from error


def encode_term(root: values.Term) -> Any:
    """A term alone, as plain data."""
    encoder = _Encoder()
    encoder.term(root)
    return [encoder.types, encoder.terms]


def decode_term(data: Any) -> values.Term:
    """Inverse of `encode_term`; raises ValueError for other data."""
    try:
        rows, terms = data
        return _Decoder(rows, terms, []).terms[-1]
    except (AttributeError, IndexError, TypeError, ValueError) as error:
        raise ValueError(f"not an encoded term: {error}") from error


def encode_types(wanted: Sequence[types.Type]) -> list[Any]:
    """Types alone, as plain data: a table, and the number of each in it."""
    encoder = _Encoder()
    numbers = [encoder.type(type_) for type_ in wanted]
    return [encoder.types, numbers]


def decode_types(data: Any) -> list[types.Type]:
    """Inverse of `encode_types`; raises ValueError for other data."""
    try:
        rows, numbers = data
        table = _Decoder(rows, [], []).types
        found = [table[number] for number in numbers]
        hash(tuple(table))
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"not encoded types: {error}") from error
    if not all(map(_is_type, table)):
        raise ValueError("not encoded types")
    return found


def _is_type(type_: Any) -> bool:
    if isinstance(type_, types.Int | types.Float):
        return type(type_.bits) is int and 0 < type_.bits <= _WIDEST
    return type(type_) in _TYPES


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a program as bytes, and what it mentions: equal for parts that differ only in
    where they stand in the source."""

    data: bytes
    globals: frozenset[str]
    functions: frozenset[str]
    records: frozenset[str]


def part(value: Any) -> Part:
    """A procedure, a global or any other part of a program by itself."""
    encoder = _Encoder(Places.LEFT_OUT)
    body = encoder.plain(value)
    data = msgspec.msgpack.encode([FORMAT, encoder.types, encoder.terms, body])
    found: dict[str, set[str]] = {"global": set(), "function": set()}
    for term in encoder.term_numbers:
        if term.op in found:
            found[term.op].add(str(term.data))
    records = (t.name for t in encoder.type_numbers if isinstance(t, types.Record))
    return Part(data, frozenset(found["global"]), frozenset(found["function"]), frozenset(records))

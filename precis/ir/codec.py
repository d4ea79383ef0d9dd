"""Programs as bytes.

Every value of the IR is a dataclass, an enum, a term, or a container of those. A dataclass
becomes a list of its class number and its fields; terms and locations, which are shared, stand
once in a table and are referred to by number. The classes are numbered by their order in
`_CLASSES`, so the format is tied to this version of the IR: `FORMAT` goes up when it changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from enum import Enum
from typing import Any, Final, cast

import msgspec

from precis.ir import instr, location, obligation, procedure, program, types, values
from precis.ir.program import Program

FORMAT: Final = 1

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
_WIDE, _TEXT = -6, -7  # what the wire format has no place for: wide integers, broken Unicode
_ANY_TEXT: Final = ("utf-8", "surrogatepass")


class _Encoder:
    __slots__ = ("location_numbers", "locations", "term_numbers", "terms")

    def __init__(self) -> None:
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
        names = _FIELDS.get(type(value))
        if names is not None:
            number = _CLASS_NUMBER[type(value)]
            return [number, *(self.plain(getattr(value, name)) for name in names)]
        if isinstance(value, Enum):
            return [_ENUM, _ENUMS.index(type(value)), value.value]
        if isinstance(value, Mapping):
            return [_MAP, *((self.plain(key), self.plain(item)) for key, item in value.items())]
        raise TypeError(f"not a value of the IR: {type(value)}")

    def term(self, root: values.Term) -> int:
        for node in values.subterms(root):
            if node not in self.term_numbers:
                args = [self.term_numbers[arg] for arg in node.args]
                self.term_numbers[node] = len(self.terms)
                data = self.plain(node.data)
                self.terms.append([node.op, self.plain(node.type), args, data])
        return self.term_numbers[root]

    def location(self, place: location.Location) -> int:
        number = self.location_numbers.get(place)
        if number is None:
            number = self.location_numbers[place] = len(self.locations)
            names = location.Location.__slots__
            self.locations.append([self.plain(getattr(place, name)) for name in names])
        return number


def _is_unicode(text: str) -> bool:
    """Names of files that are not UTF-8 hold lone surrogates."""
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)


class _Decoder:
    __slots__ = ("locations", "terms")

    def __init__(self, terms: list[Any], locations: list[Any]) -> None:
        self.locations = [location.Location(*map(self.value, row)) for row in locations]
        self.terms: list[values.Term] = []
        for op, type_, args, data in terms:
            operands = tuple(self.terms[arg] for arg in args)
            self.terms.append(values.term(op, self.value(type_), operands, self.value(data)))

    def value(self, plain: Any) -> Any:
        if not isinstance(plain, list):
            return plain
        tag = plain[0]
        if tag >= 0:
            return _CLASSES[tag](*map(self.value, plain[1:]))
        if tag == _TERM:
            return self.terms[plain[1]]
        if tag == _LOCATION:
            return self.locations[plain[1]]
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
    return msgspec.msgpack.encode([FORMAT, encoder.terms, encoder.locations, body])


def decode(data: bytes) -> Program:
    """The program again, equal to the one encoded. Raises ValueError for other data."""
    try:
        format_, terms, locations, body = msgspec.msgpack.decode(data)
    except (msgspec.DecodeError, ValueError, TypeError) as error:
        raise ValueError(f"not an encoded program: {error}") from error
    if format_ != FORMAT:
        raise ValueError(f"encoded program of format {format_}, not {FORMAT}")
    try:
        return cast("Program", _Decoder(terms, locations).value(body))
    except (AttributeError, IndexError, TypeError, ValueError) as error:
        raise ValueError(f"not an encoded program: {error}") from error


def encode_term(root: values.Term) -> Any:
    """A term alone, as plain data."""
    encoder = _Encoder()
    encoder.term(root)
    return encoder.terms


def decode_term(data: Any) -> values.Term:
    """Inverse of `encode_term`; raises ValueError for other data."""
    try:
        return _Decoder(data, []).terms[-1]
    except (AttributeError, IndexError, TypeError, ValueError) as error:
        raise ValueError(f"not an encoded term: {error}") from error

"""String literals: their bytes, from the form in which clang prints them."""

from __future__ import annotations

import re
from typing import Final

from precis.frontends.clang.failure import Unlowered

_SIMPLE: Final = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, "e": 27}
_PIECE: Final = re.compile(
    r"""\\x(?P<hex>[0-9a-fA-F]+)|\\(?P<octal>[0-7]{1,3})|\\u(?P<u>[0-9a-fA-F]{4})
    |\\U(?P<U>[0-9a-fA-F]{8})|\\(?P<simple>.)|(?P<join>"")|(?P<plain>.)""",
    re.VERBOSE | re.DOTALL,
)


def string_bytes(spelling: str, element: int, count: int) -> bytes:
    """The content of an array of `count` elements of `element` bytes that the literal fills."""
    opening = spelling.find('"')
    if opening < 0 or not spelling.endswith('"'):
        raise Unlowered("string literal")
    data = b"".join(
        _encoded(match, element) for match in _PIECE.finditer(spelling[opening + 1 : -1])
    )
    size = element * count
    return data[:size].ljust(size, b"\0")


def _encoded(match: re.Match[str], element: int) -> bytes:
    if match["join"]:  # clang writes "" where a hexadecimal escape must not run on
        return b""
    if match["plain"]:
        return _character(ord(match["plain"]), element)
    if match["simple"]:
        return _unit(_SIMPLE.get(match["simple"], ord(match["simple"])), element)
    if match["u"] or match["U"]:
        return _character(int(match["u"] or match["U"], 16), element)
    return _unit(int(match["hex"], 16) if match["hex"] else int(match["octal"], 8), element)


def _unit(value: int, element: int) -> bytes:
    return (value & ((1 << (8 * element)) - 1)).to_bytes(element, "little")


def _character(code: int, element: int) -> bytes:
    match element:
        case 1:
            return chr(code).encode("utf-8", "replace")
        case 2:
            return chr(code).encode("utf-16-le", "replace")
        case _:
            return _unit(code, element)

"""What formats of printf and scanf ask for."""

from __future__ import annotations

import re
from typing import Final

from precis.ir.types import DataModel, Int

_CONVERSION: Final = re.compile(
    rb"%[-+ #0]*(?:[0-9]+)?(?:\.[0-9]*)?(hh|h|ll|l|j|z|t)?([diuoxXcsp%aAeEfFgG])"
)
_INPUT: Final = re.compile(rb"%(\*?)([0-9]*)(hh|h|ll|l|j|z|t|)([diuoxXc%])")


def _conversions(text: bytes, pattern: re.Pattern[bytes]) -> list[re.Match[bytes]] | None:
    """All that begins with a percent sign; None if some of it is not of the pattern."""
    if b"\xff" in text:  # a byte that is not known: it may be a percent sign
        return None
    found = []
    at = text.find(b"%")
    while at >= 0:
        match = pattern.match(text, at)
        if match is None:
            return None
        found.append(match)
        at = text.find(b"%", match.end())
    return found


def slots(text: bytes) -> list[bytes] | None:
    """The kinds of the arguments that a format asks for; None if it is not plain."""
    matches = _conversions(text, _CONVERSION)
    if matches is None:
        return None
    found: list[bytes] = []
    for match in matches:
        kind = match[2]
        if kind == b"s":
            if match[1] or b"." in match[0]:
                return None
            found.append(b"s")
        elif kind in b"aAeEfFgG":
            found.append(b"f")
        elif kind != b"%":
            found.append(b"d")
    return found


def stored(text: bytes, model: DataModel) -> list[Int] | None:
    """The numbers that a format of scanf stores; None if it is not plain."""
    matches = _conversions(text, _INPUT)
    if matches is None:
        return None
    word = 8 * model.pointer_bytes  # long has the width of pointers, too
    bits = {b"hh": 8, b"h": 16, b"": 32, b"l": word, b"ll": 64, b"j": 64, b"z": word, b"t": word}
    found: list[Int] = []
    for match in matches:
        ignored, width, size, kind = match.groups()
        if kind == b"c" and (width not in (b"", b"1") or size):
            return None
        if kind == b"%" and len(match[0]) > 2:
            return None
        if kind == b"c" and not ignored:
            found.append(Int(8, False))
        elif kind != b"%" and not ignored:
            found.append(Int(bits[size], kind in b"di"))
    return found

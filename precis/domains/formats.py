"""What formats of printf ask for."""

from __future__ import annotations

import re
from typing import Final

_CONVERSION: Final = re.compile(
    rb"%[-+ #0]*(?:[0-9]+)?(?:\.[0-9]*)?(hh|h|ll|l|j|z|t)?([diuoxXcsp%aAeEfFgG])"
)


def slots(text: bytes) -> list[bytes] | None:
    """The kinds of the arguments that a format asks for; None if it is not plain."""
    if b"\xff" in text:  # a byte that is not known: it may be a percent sign
        return None
    found: list[bytes] = []
    at = 0
    while True:
        at = text.find(b"%", at)
        if at < 0:
            return found
        match = _CONVERSION.match(text, at)
        if match is None:
            return None
        kind = match[2]
        if kind == b"s":
            if match[1] or b"." in match[0]:
                return None
            found.append(b"s")
        elif kind in b"aAeEfFgG":
            found.append(b"f")
        elif kind != b"%":
            found.append(b"d")
        at = match.end()

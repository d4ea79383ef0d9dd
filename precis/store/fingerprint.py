"""Of the code of Precis that summaries depend on."""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Final

_PACKAGE: Final = Path(__file__).resolve().parent.parent
_ROOMS: Final = ("ir", "domains", "engine", "store")


@cache
def fingerprint() -> bytes:
    """Changes with every file that could make a difference: a new Precis starts anew."""
    found = blake2b(digest_size=16)
    for room in _ROOMS:
        for path in sorted((_PACKAGE / room).rglob("*.py")):
            content = path.read_bytes()
            found.update(f"{path.relative_to(_PACKAGE)} {len(content)}\n".encode() + content)
    return found.digest()

"""Source files as reports name and read them."""

from __future__ import annotations

import stat
from functools import lru_cache
from pathlib import Path
from typing import Final

_PACKAGE: Final = str(Path(__file__).resolve().parent.parent)
_LARGEST: Final = 64 << 20


def shown_file(file: str) -> str:
    """The name of a file; one of Precis itself without the folder that Precis is installed in."""
    if file.startswith(_PACKAGE + "/"):
        return "precis" + file[len(_PACKAGE) :]
    return file


def is_ours(file: str) -> bool:
    """A library model or header of Precis."""
    return file.startswith(_PACKAGE + "/")


def inside(file: str) -> str:
    """What a place in this file is inside of, where the code of the user is at another one."""
    return "inside the library model" if is_ours(file) else "inside what is called there"


def source_line(file: str, number: int) -> bytes:
    """A line of a file without its end; nothing if it cannot be had."""
    lines = _lines(file)
    return lines[number - 1].rstrip(b"\r") if 1 <= number <= len(lines) else b""


@lru_cache(maxsize=16)
def _lines(file: str) -> tuple[bytes, ...]:
    try:
        path = Path(file)
        status = path.stat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST:
            return ()
        return tuple(path.read_bytes().split(b"\n"))
    except (OSError, ValueError):
        return ()

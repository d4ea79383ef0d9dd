"""Fast twins of the models of <string.h>."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from precis.interp import bulk
from precis.interp.memory import NUL, Pointer
from precis.interp.plain import DECLINED, Declined, is_plain, text_at

if TYPE_CHECKING:
    from precis.interp.machine import Machine


def _strlen(machine: Machine, text: Pointer) -> int | Declined:
    found = text_at(text)
    return DECLINED if found is None else len(found)


def _order(a: bytes, b: bytes) -> int:
    return (a > b) - (a < b)


def _strcmp(machine: Machine, a: Pointer, b: Pointer) -> int | Declined:
    x, y = text_at(a), text_at(b)
    return DECLINED if x is None or y is None else _order(x, y)


def _strncmp(machine: Machine, a: Pointer, b: Pointer, size: int) -> int | Declined:
    x, y = text_at(a), text_at(b)
    return DECLINED if x is None or y is None else _order(x[:size], y[:size])


def _memcmp(machine: Machine, a: Pointer, b: Pointer, size: int) -> int | Declined:
    if not size or not is_plain(*a, size) or not is_plain(*b, size):
        return DECLINED
    (x, i), (y, j) = a, b
    return _order(bytes(x.data[i : i + size]), bytes(y.data[j : j + size]))


def _copied(machine: Machine, to: Pointer, source: Pointer, size: int) -> bool:
    """Copy bytes of one block to another, if that can be done."""
    block, offset = to
    if block is source[0] or not block.writable or not 0 <= offset <= block.limit - size:
        return False
    bulk.copy(machine.memory, to, source, size)
    return True


def _strcpy(machine: Machine, to: Pointer, source: Pointer) -> Pointer | Declined:
    text = text_at(source)
    if text is None or not _copied(machine, to, source, len(text) + 1):
        return DECLINED
    return to


def _strcat(machine: Machine, to: Pointer, source: Pointer) -> Pointer | Declined:
    start, text = text_at(to), text_at(source)
    if start is None or text is None:
        return DECLINED
    end = (to[0], to[1] + len(start))
    return to if _copied(machine, end, source, len(text) + 1) else DECLINED


def _strchr(machine: Machine, text: Pointer, char: int) -> Pointer | Declined:
    found = text_at(text)
    if found is None:
        return DECLINED
    at = (found + b"\0").find(char & 255)
    return (text[0], text[1] + at) if at >= 0 else NUL


def _strrchr(machine: Machine, text: Pointer, char: int) -> Pointer | Declined:
    found = text_at(text)
    if found is None:
        return DECLINED
    at = (found + b"\0").rfind(char & 255)
    return (text[0], text[1] + at) if at >= 0 else NUL


def _memchr(machine: Machine, start: Pointer, char: int, size: int) -> Pointer | Declined:
    block, offset = start
    if not size or not is_plain(block, offset, size):
        return DECLINED
    at = block.data.find(char & 255, offset, offset + size)
    return (block, at) if at >= 0 else NUL


STRINGS: Final[dict[str, Callable[..., Any]]] = {
    "strlen": _strlen,
    "strcmp": _strcmp,
    "strncmp": _strncmp,
    "memcmp": _memcmp,
    "strcpy": _strcpy,
    "strcat": _strcat,
    "strchr": _strchr,
    "strrchr": _strrchr,
    "memchr": _memchr,
}

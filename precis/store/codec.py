"""Traces and what came of them, as bytes with a digest in front.

The digest guards against accidents; everything is checked for its type when it is read, and
nothing is executed or unpickled.
"""

from __future__ import annotations

import zlib
from hashlib import blake2b
from typing import Any, Final, TypeVar

import msgspec

_SIZE: Final = 16  # bytes of a digest
_LARGEST: Final = 1 << 28  # bytes of an entry
Item = TypeVar("Item")


def closed(value: Any) -> bytes:
    data = zlib.compress(msgspec.msgpack.encode(value), 1)
    return digest(data) + data


def opened(data: bytes, type_: type[Item]) -> Item:
    """Inverse of `closed`; raises ValueError for anything else."""
    rest = data[_SIZE:]
    if data[:_SIZE] != digest(rest):
        raise ValueError("damaged")
    try:
        unpacked = zlib.decompressobj().decompress(rest, _LARGEST)
        return msgspec.msgpack.decode(unpacked, type=type_)
    except (zlib.error, msgspec.MsgspecError) as error:
        raise ValueError(f"not an entry: {error}") from error


def digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=_SIZE).digest()

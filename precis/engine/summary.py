"""The table of summaries: what is known of which piece, for which entries; and the store that
keeps them between runs, as the engine asks for it.

Summaries of one bucket are kept in the order in which they were learned. An exact entry is
found by its key; a wider one by asking the domain whether its coverage fits.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Protocol, TypeAlias

import msgspec

from precis.domains.protocol import Piece, Summary

FORMAT = 1


class SummaryTable:
    """Finished summaries of one domain."""

    __slots__ = ("_buckets", "_exact")

    def __init__(self) -> None:
        self._exact: dict[tuple[Piece, Hashable], Summary[Any, Any]] = {}
        self._buckets: dict[tuple[Piece, Hashable], list[Summary[Any, Any]]] = {}

    def add(self, summary: Summary[Any, Any], bucket: Hashable, entry: Hashable) -> None:
        self._exact[summary.piece, entry] = summary
        self._buckets.setdefault((summary.piece, bucket), []).append(summary)

    def exact(self, piece: Piece, entry: Hashable) -> Summary[Any, Any] | None:
        return self._exact.get((piece, entry))

    def candidates(self, piece: Piece, bucket: Hashable) -> list[Summary[Any, Any]]:
        """Those whose coverage may fit, the earliest learned first."""
        return self._buckets.get((piece, bucket), [])

    def __iter__(self) -> Iterator[Summary[Any, Any]]:
        return iter(self._exact.values())

    def __len__(self) -> int:
        return len(self._exact)


def to_bytes(domain: Any, summary: Summary[Any, Any]) -> bytes:
    """A summary as it travels and is stored, with the domain's name and version."""
    return msgspec.msgpack.encode([FORMAT, domain.name, domain.version, domain.encode(summary)])


def from_bytes(domain: Any, data: bytes) -> Summary[Any, Any]:
    """Inverse of `to_bytes`; raises ValueError for anything else."""
    try:
        head = msgspec.msgpack.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"not a stored summary: {error}") from error
    if not isinstance(head, list) or len(head) != 4 or head[0] != FORMAT:
        raise ValueError("not a stored summary of this format")
    if head[1:3] != [domain.name, domain.version]:
        raise ValueError(f"a summary of {head[1]} {head[2]}, not {domain.name} {domain.version}")
    summary: Summary[Any, Any] = domain.decode(head[3])
    return summary


def content_hash(domain: Any, summary: Summary[Any, Any]) -> str:
    """Equal for equal summaries; what `depends_on` holds."""
    return sha256(to_bytes(domain, summary)).hexdigest()[:32]


# What is kept between runs: plain values.


# A way to a state: the number of a member, a block of it, and the number of the node before, or -1.
Row: TypeAlias = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Asked:
    """The first call that asked for a summary, and the digest of what it got, which is empty
    for one of a member. `caller` is the number of a member, `node` that of a row."""

    callee: str
    caller: int
    block: int
    step: int
    node: int
    sure: bool
    digest: bytes = b""


@dataclass(frozen=True, slots=True)
class Trace:
    """What activations that were done together learned of others, in the order in which they
    asked: where they get the same answers again, the same comes of them.

    `members` are their procedures, each with its key, the one that was asked for last; `inner`
    who asked first for each of the others.
    """

    members: tuple[tuple[str, bytes], ...]
    asked: tuple[Asked, ...]
    inner: tuple[Asked, ...]
    nodes: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class KeptOpen:
    """An obligation that was left open; `standing` is the value of a `Standing`, `node` the
    number of a row or -1."""

    procedure: str
    number: int
    standing: str
    why: str
    node: int
    via: tuple[tuple[str, int, int], ...]
    prunes: bool
    sure: bool
    certain: bool
    asked: bool


@dataclass(frozen=True, slots=True)
class KeptUnlooked:
    """A call of a procedure whose obligations nobody looked at."""

    callee: str
    block: int
    step: int
    why: str
    node: int
    by_name: bool
    supposed: bool


@dataclass(frozen=True, slots=True)
class KeptOne:
    """A finished activation: its summary as bytes, and all that reports ask of it. `lost` are
    blocks, steps and reasons, `used` the callees that count, `whys` what there is to say of
    obligations that callers are asked for."""

    summary: bytes
    found: tuple[KeptOpen, ...]
    unlooked: tuple[KeptUnlooked, ...]
    lost: tuple[tuple[int, int, str], ...]
    used: tuple[str, ...]
    states: int
    steps: int
    given_up: bool
    whys: tuple[tuple[str, int, str], ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """What came of the members of a trace, and how many states that cost."""

    ones: tuple[KeptOne, ...]
    nodes: tuple[Row, ...]
    spent: int


class SummaryStore(Protocol):
    """Summaries of earlier runs. Whatever goes wrong with it, the work is done without it."""

    def traces(self, key: bytes) -> Sequence[Trace]:
        """The ways in which activations with this key went, the latest first."""

    def kept(self, key: bytes, trace: Trace) -> Kept | None:
        """What came of one of them."""

    def keep(self, key: bytes, trace: Trace, kept: Kept) -> None: ...

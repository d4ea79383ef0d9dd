"""Summaries as plain data come back as they were, and damage is noticed."""

from __future__ import annotations

import contextlib
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from precis.domains.heap.domain import Heap
from precis.domains.protocol import Summary
from precis.engine.activation import ONE_STATE, Activation
from precis.engine.budget import Budget, Exhausted
from precis.engine.schedule import Schedule
from precis.engine.summary import from_bytes, to_bytes
from precis.frontends.clang.link import Extent
from tests.domains.heap.analysing import PROPERTIES, lowered

HERE = Path(__file__).parent
SOURCES = [*sorted((HERE / "twins").glob("*.c")), *sorted((HERE / "idioms").glob("*.c"))[::9]]
JUNK: tuple[Any, ...] = (None, "x", -1, [], [[]], 1 << 62, True, 1.5, b"\x00", {"a": 1})


class Recording(Schedule):
    """A schedule that keeps each summary, and how it is encoded when nobody has used it yet."""

    found: list[tuple[Summary[Any, Any], bytes]]

    def _settle(self, activations: list[Activation]) -> None:
        super()._settle(activations)
        for one in activations:
            assert one.summary is not None
            self.found.append((one.summary, to_bytes(self.domain, one.summary)))


def learned(path: Path) -> tuple[Heap, list[tuple[Summary[Any, Any], bytes]]]:
    program = lowered(path.read_text("utf-8"), extent=Extent.EVERYTHING)
    domain = Heap(program, may_fail=True, properties=frozenset(PROPERTIES), library=True)
    schedule = Recording(domain, program, ONE_STATE, Budget(states=1000))
    schedule.found = []
    with contextlib.suppress(Exhausted):
        schedule.bottom_up()
    return domain, schedule.found


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_summaries_come_back_as_they_were(path: Path) -> None:
    domain, found = learned(path)
    assert found
    for summary, data in found:
        back = from_bytes(domain, data)
        assert to_bytes(domain, back) == data
        assert (back.piece, back.side, back.granted) == (
            summary.piece, summary.side, summary.granted,
        )  # fmt: skip
        assert [(n.origin, n.via) for n in back.needs] == [(n.origin, n.via) for n in summary.needs]
        assert list(domain.describe(back)) == list(domain.describe(summary))
        assert domain.measures(back) == domain.measures(summary)
        mine, other = domain.preconditions(back), domain.preconditions(summary)
        assert list(mine.values()) == list(other.values())


def test_damage_is_noticed() -> None:
    """Bytes that are not a summary raise ValueError and nothing else."""
    random_ = random.Random(7)
    for path in SOURCES[:3]:
        domain, found = learned(path)
        for _, data in found:
            for _ in range(100):
                _decoded(domain, _with_junk(random_, data))
        for junk in (b"", b"\xc1", msgspec.msgpack.encode([1, 2]), found[0][1][:-1]):
            with pytest.raises(ValueError):
                from_bytes(domain, junk)


def _decoded(domain: Heap, data: bytes) -> None:
    """Either an error of the right kind, or a summary that can be written again."""
    try:
        summary = from_bytes(domain, data)
    except ValueError:
        return
    to_bytes(domain, summary)


def _with_junk(random_: random.Random, data: bytes) -> bytes:
    """Some part of the plain data is replaced."""
    whole = msgspec.msgpack.decode(data)
    place = whole
    for _ in range(random_.randrange(1, 9)):
        inner = [item for item in place if isinstance(item, list) and item]
        if not inner:
            break
        place = random_.choice(inner)
    place[random_.randrange(len(place))] = random_.choice(JUNK)
    return msgspec.msgpack.encode(whole)

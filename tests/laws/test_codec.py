"""Summaries travel: encoding and decoding are inverse, and damage is noticed."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from precis.engine.budget import Exhausted
from precis.engine.summary import content_hash, from_bytes, to_bytes
from precis.interp.outcome import Malloc
from precis.ir.procedure import Procedure
from precis.ir.program import Program
from tests.laws.analysed import ALL, Analysed, analysed, read, sources
from tests.laws.strategies import DOMAINS
from tests.laws.term_dice import HOSTILE

JUNK: tuple[Any, ...] = (None, "x", -1, [], [[]], 1 << 62, True, 1.5, b"\x00", {"a": 1})


def _analysed(domain: str, name: str) -> Analysed:
    try:
        return analysed(read(sources()[name]), domain, ALL, Malloc.MAY_FAIL, "small")
    except Exhausted:
        return analysed(read(sources()[name]), domain, ALL, Malloc.MAY_FAIL, "fine")


CASES = [(domain, name) for domain in DOMAINS for name in sources()]


@pytest.mark.parametrize(("domain", "name"), CASES)
def test_summaries_come_back_as_they_were(domain: str, name: str) -> None:
    done = _analysed(domain, name)
    for activation in done.activations:
        summary = activation.summary
        assert summary is not None
        data = to_bytes(done.domain, summary)
        back = from_bytes(done.domain, data)
        assert to_bytes(done.domain, back) == data
        assert content_hash(done.domain, back) == content_hash(done.domain, summary)
        assert (back.piece, back.side) == (summary.piece, summary.side)
        assert (back.assumptions, back.depends_on) == (summary.assumptions, summary.depends_on)
        assert back.needs == summary.needs
        assert back.coverage == summary.coverage
        assert done.domain.match(back.coverage, summary.coverage) is not None
        assert done.domain.match(summary.coverage, back.coverage) is not None
        assert [o.exit for o in back.outcomes] == [o.exit for o in summary.outcomes]
        for mine, other in zip(back.outcomes, summary.outcomes, strict=True):
            assert done.domain.key(mine.answer) == done.domain.key(other.answer)
        assert list(done.domain.describe(back)) == list(done.domain.describe(summary))


@pytest.mark.parametrize("domain", DOMAINS)
def test_damage_is_noticed(domain: str) -> None:
    """Bytes that are not a summary raise ValueError and nothing else."""
    random_ = random.Random(7)
    for name in list(sources())[:6]:
        done = _analysed(domain, name)
        for activation in done.activations[:4]:
            assert activation.summary is not None
            data = to_bytes(done.domain, activation.summary)
            for _ in range(60):
                _decoded(done.domain, _cut(random_, data))
                _decoded(done.domain, _with_junk(random_, data))
    for junk in (b"", b"\xc1", msgspec.msgpack.encode([1, 2]), msgspec.msgpack.encode(JUNK[0])):
        with pytest.raises(ValueError):
            from_bytes(done.domain, junk)


def _decoded(domain: Any, data: bytes) -> None:
    """Either an error of the right kind, or a summary that can be written again."""
    try:
        summary = from_bytes(domain, data)
    except ValueError:
        return
    to_bytes(domain, summary)


def _cut(random_: random.Random, data: bytes) -> bytes:
    at = random_.randrange(len(data))
    if random_.random() < 0.3:
        return data[:at]
    return data[:at] + bytes((random_.randrange(256),)) + data[at + 1 :]


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


@pytest.mark.parametrize("domain", DOMAINS)
def test_texts_hold_no_control_characters(domain: str) -> None:
    source = sources()["lists"]
    bare = read(source)
    for name in HOSTILE:
        if not name:
            continue
        try:
            done = analysed(_named(bare, name), domain, ALL, Malloc.MAY_FAIL, "coarse")
        except Exhausted:
            continue
        for activation in done.activations:
            for line in done.domain.describe(activation.summary):
                assert all(c.isprintable() for c in line), (name, line)


def _named(program: Program, name: str) -> Program:
    """The program, its variables and objects all called so."""
    procedures: dict[str, Procedure] = {}
    for key, procedure in program.procedures.items():
        variables = tuple(replace(v, name=name if v.name else "") for v in procedure.variables)
        objects = tuple(replace(o, name=name) for o in procedure.objects)
        procedures[key] = replace(procedure, variables=variables, objects=objects)
    return replace(program, procedures=procedures)

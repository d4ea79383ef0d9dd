"""Programs as bytes: what the laws on generated programs do not reach."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from precis.ir.codec import FORMAT, decode, encode
from precis.ir.instr import Case, Switch
from precis.ir.location import NOWHERE, Location
from precis.ir.procedure import BasicBlock
from precis.ir.types import I128
from precis.ir.values import const
from tests.ir.sample import SAMPLE, with_procedure


def test_sample_decodes() -> None:
    assert decode(encode(SAMPLE)) == SAMPLE


def test_wide_cases_decode() -> None:
    main = SAMPLE.procedures["main"]
    switch = Switch(const(I128, -(1 << 100)), (Case(I128.low, I128.high, 0),), 0, NOWHERE)
    program = with_procedure(replace(main, blocks=(BasicBlock((), switch),)))
    assert decode(encode(program)) == program


def test_file_names_that_are_not_unicode_decode() -> None:
    broken = replace(SAMPLE.procedures["main"], at=Location("caf\udce9.c", 1))
    program = replace(with_procedure(broken), sources=("caf\udce9.c",))
    assert decode(encode(program)) == program


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"junk",
        encode(SAMPLE)[:-1],
        msgspec.msgpack.encode([FORMAT + 1, [], [], []]),
        msgspec.msgpack.encode([FORMAT, [], [], [999]]),
        msgspec.msgpack.encode([FORMAT, [], [], [-1, 5]]),
        msgspec.msgpack.encode([FORMAT, [["add"]], [], []]),
    ],
)
def test_other_data_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="encoded program"):
        decode(data)

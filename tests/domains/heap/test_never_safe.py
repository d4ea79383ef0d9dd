"""Programs in which something goes wrong: `heap` must leave something open, or say it gave up."""

from __future__ import annotations

from pathlib import Path

import pytest

from precis.domains.heap.frame import Calls
from tests.domains.heap.analysing import checked, lowered

BROKEN = sorted((Path(__file__).parent / "broken").glob("*.c"))


@pytest.mark.parametrize("calls", Calls, ids=lambda calls: calls.value)
@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_a_broken_program_is_not_proved(path: Path, calls: Calls) -> None:
    result = checked(lowered(path.read_text("utf-8")), calls)
    assert not result.wrong
    assert result.doubts or result.lost or result.stopped

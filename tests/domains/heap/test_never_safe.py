"""Programs in which something goes wrong: `heap` must leave something open, or say it gave up."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.domains.heap.analysing import checked, lowered

BROKEN = sorted((Path(__file__).parent / "broken").glob("*.c"))


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_a_broken_program_is_not_proved(path: Path) -> None:
    result = checked(lowered(path.read_text("utf-8")))
    assert not result.wrong
    assert result.doubts or result.lost or result.stopped

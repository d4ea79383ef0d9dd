"""Programs that some run breaks, each by a corner of C that an analysis once got wrong.

No analysis may call them safe; whether a run is found is not asked here.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from precis.engine.results import Verdict
from precis.engine.verify import Searching
from tests.checking import check

BROKEN = sorted((Path(__file__).parent / "broken").glob("*.c"))


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_never_safe(path: Path) -> None:
    result = check(path.read_text("utf-8"), search=Searching.OFF)
    assert result.verdict is Verdict.UNKNOWN
    assert not result.internal

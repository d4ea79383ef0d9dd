"""What several tests of heap need."""

from __future__ import annotations

from typing import Any

import pytest

from precis.domains.heap import instance, theory, trim
from precis.engine.activation import Activation


@pytest.fixture
def states_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks are told apart however deep the calls, conditions may be large, and the states at
    the end can be looked at."""
    monkeypatch.setattr(instance, "_LONGEST", 8)
    for limit in ("FIRST_NODES", "MOST_NODES"):
        monkeypatch.setattr(theory, limit, 200_000)
    monkeypatch.setattr(trim, "MOST_OF_CALLERS", ((200, 150),) * 5)
    monkeypatch.setattr(Activation, "settle", _settle)


def _settle(self: Activation, summary: Any) -> None:
    self.summary, self.settled = summary, True

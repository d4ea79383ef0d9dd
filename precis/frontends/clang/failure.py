"""How lowering says that it does not know a construct."""

from __future__ import annotations

from typing import Final

INTERNAL: Final = "lowering failed, which is a bug in Precis"


class Unlowered(Exception):
    """Raised inside one statement, where it becomes an `Unsupported` step with this reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

"""How lowering says that it does not know a construct."""

from __future__ import annotations


class Unlowered(Exception):
    """Raised inside one statement, where it becomes an `Unsupported` step with this reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

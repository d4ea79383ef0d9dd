"""What the rest of Precis asks of a front end."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from precis.ir.program import Program


class FrontEnd(Protocol):
    """Source files of one program -> its IR.

    Raises InputError, with a place, for what the user can mend. A construct that the front
    end does not know is no error: it becomes an `Unsupported` step where it stands.
    """

    def load(self, paths: Sequence[Path]) -> Program: ...

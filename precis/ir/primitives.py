"""Functions without a body that the models of the library are written over."""

from __future__ import annotations

from typing import Final

# Bytes from memory to a descriptor, and from a descriptor to memory: (descriptor, place, size).
WRITE: Final = "__precis_write"
READ: Final = "__precis_read"

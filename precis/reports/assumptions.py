"""The titles of docs/assumptions.md, by number."""

from __future__ import annotations

from typing import Final

ASSUMPTIONS: Final[dict[int, str]] = {
    1: "Machine",
    2: "Evaluation order",
    3: "long double",
    4: "Floating point",
    5: "Stack",
    6: "Signals",
    7: "Allocation",
    8: "Integers made from pointers",
    9: "Files",
    10: "Environment",
    11: "Bounds",
    12: "Comparison of pointers",
    13: "Volatile",
    14: "Unchecked properties",
    15: "memcpy",
    16: "Variables out of scope",
    17: "Library",
    18: "Results that are missing",
    19: "Functions without a body",
    20: "Projects",
    21: "Atomic operations",
    22: "Assembler code",
    23: "Callers of a library",
    24: "Formats",
}

"""What a compiled run reported, in the words of our rules."""

from __future__ import annotations

import re
from dataclasses import dataclass

LEAK = "leak"  # of LeakSanitizer: a lost block, whenever it was lost


@dataclass(frozen=True, slots=True)
class Reported:
    """A rule that a run broke, and the line in the program; 0 if the report names none."""

    rule: str
    line: int


_ADDRESS = (
    ("heap-use-after-free", "use-after-free"),
    ("stack-use-after-return", "use-after-scope"),
    ("stack-use-after-scope", "use-after-scope"),
    ("buffer-overflow", "out-of-bounds"),
    ("buffer-underflow", "out-of-bounds"),
    ("negative-size-param", "out-of-bounds"),
    ("attempting double-free", "double-free"),
    ("attempting free on address which was not malloc", "invalid-free"),
    ("points to the zero page", "null-dereference"),
    ("SEGV on unknown address", "invalid-pointer"),
    ("unknown-crash", "out-of-bounds"),
)
_UNDEFINED = (
    ("null pointer", "null-dereference"),
    ("out of bounds", "out-of-bounds"),
    ("signed integer overflow", "signed-overflow"),
    ("negation of", "signed-overflow"),
    ("by -1 cannot be represented", "signed-overflow"),
    ("shift", "bad-shift"),
    ("division by zero", "division-by-zero"),
    ("misaligned address", "invalid-pointer"),
    ("pointer index expression", "out-of-bounds"),
    ("insufficient space", "out-of-bounds"),
    ("not a valid value", "uninitialised-use"),
)
# What stands before a block that was never allocated may not even be mapped.
_IN_FREE = re.compile(r"^\s+#[0-9] 0x\w+ in \w*free\b", re.MULTILINE)
_LIVE = re.compile(r"^bench: live (-?\d+)$", re.MULTILINE)


def reported(stderr: str, file: str) -> Reported | None:
    """The first violation that a run reported on stderr; `file` is the name of its source."""
    runtime = re.search(rf"{re.escape(file)}:(\d+):\d+: runtime error: (.*)", stderr)
    if runtime:
        rule = _first(_UNDEFINED, runtime.group(2))
        return Reported(rule, int(runtime.group(1)))
    failed = re.search(rf"{re.escape(file)}:(\d+): \w+: Assertion ", stderr)
    if failed:
        return Reported("assertion", int(failed.group(1)))
    if "bench: reach_error" in stderr:
        return Reported("reachable-error", _frame(stderr, file))
    if "ERROR: AddressSanitizer" in stderr:
        if "SEGV" in stderr and _IN_FREE.search(stderr):
            return Reported("invalid-free", _frame(stderr, file))
        return Reported(_first(_ADDRESS, stderr), _frame(stderr, file))
    if "ERROR: LeakSanitizer" in stderr:
        return Reported(LEAK, 0)
    return None


def live_blocks(stderr: str) -> int | None:
    """How many blocks were live at exit; None if the run did not get there."""
    found = _LIVE.search(stderr)
    return int(found.group(1)) if found else None


def _first(table: tuple[tuple[str, str], ...], text: str) -> str:
    return next((rule for words, rule in table if words in text), f"unknown: {text[:80]}")


def _frame(stderr: str, file: str) -> int:
    """The line of the innermost frame in the program itself."""
    found = re.search(rf"^\s+#\d+ .*{re.escape(file)}:(\d+)", stderr, re.MULTILINE)
    return int(found.group(1)) if found else 0

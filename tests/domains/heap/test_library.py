"""What summaries take for granted of callers must not become a proof for a library."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

OVERLAP = """
#include <assert.h>
void f(int *p, char *q) { *p = 1; *q = 5; assert(*p == 1 || *p == 5); }
"""
LOST = "void g(int **slot) { *slot = 0; }\n"


@pytest.mark.parametrize(
    ("source", "more"),
    ((OVERLAP, ()), (OVERLAP, ("--domain", "heap")), (LOST, ("--domain", "heap"))),
    ids=("overlap", "overlap, heap", "lost, heap"),
)
def test_a_library_that_callers_can_break_is_not_proved(
    source: str, more: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "l.c").write_text(source, "ascii")
    command = [sys.executable, "-m", "precis", "check", "--library", *more, "l.c"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 5, done.stdout
    assert "verdict: UNKNOWN" in done.stdout

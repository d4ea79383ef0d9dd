"""The processes that check files."""

from __future__ import annotations

import subprocess
import sys

LATE = """
import os, signal
from multiprocessing import Pipe
from precis.cli.workers import _serve
ours, theirs = Pipe()
ours.close()
_serve(theirs)
os.kill(os.getpid(), signal.SIGTERM)
print("ends by itself")
"""


def test_a_process_that_is_done_is_not_disturbed_by_being_ended() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LATE], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.stdout, done.stderr, done.returncode) == ("ends by itself\n", "", 0)

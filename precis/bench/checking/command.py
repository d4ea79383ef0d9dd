"""`precis check` on a few programs: its JSON, or why there is none."""

from __future__ import annotations

import json
import shlex
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

FORMAT = "precis check 1"
_GRACE = 200.0  # seconds that the command may take for a program besides twice its time limit


class CheckError(Exception):
    """The command did not answer as agreed."""


@dataclass(frozen=True, slots=True)
class Said:
    """What the command wrote: an entry for each program, in the order they were given."""

    programs: tuple[dict[str, Any], ...]
    seconds: float


def check(
    command: Sequence[str], options: Sequence[str], sources: Sequence[Path], timeout: float
) -> Said:
    """The answer to a check of some programs, each of which may take `timeout` seconds."""
    with tempfile.TemporaryDirectory(prefix="precis-bench-") as folder:
        output = Path(folder, "check.json")
        line = [*command, "check", *options, "--timeout", f"{timeout:g}", "--json", str(output)]
        line += map(str, sources)
        begin = perf_counter()
        try:
            done = subprocess.run(
                line,
                capture_output=True,
                stdin=subprocess.DEVNULL,
                timeout=(2 * timeout + _GRACE) * len(sources),
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise CheckError(f"no answer in {error.timeout:.0f} s: {shlex.join(line)}") from error
        seconds = perf_counter() - begin
        try:
            programs = _programs(json.loads(output.read_bytes()), sources)
        except (OSError, ValueError, KeyError, TypeError) as error:
            told = done.stderr.decode("utf-8", "replace").strip().splitlines()
            detail = told[-1] if told else repr(error)
            raise CheckError(f"no result, exit status {done.returncode}: {detail}") from error
    return Said(programs, seconds)


def _programs(log: dict[str, Any], sources: Sequence[Path]) -> tuple[dict[str, Any], ...]:
    if log["format"] != FORMAT:
        raise ValueError(f"format {log['format']!r} instead of {FORMAT!r}")
    entries = tuple(log["programs"])
    if [entry["program"] for entry in entries] != list(map(str, sources)):
        raise ValueError("the programs of the answer are not those of the question")
    return entries

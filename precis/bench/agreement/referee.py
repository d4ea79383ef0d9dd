"""`precis run` on many inputs of one program at once.

    precis run FILE --property P .. --batch INPUTS.json

reads a JSON list of input lists and writes one line of JSON for each: `values`, `status`, `stdout`
(bytes as latin-1) and `violation`, null or `rule`, `file`, `line`.
"""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .reports import Reported

TIME_LIMIT = 300.0  # seconds for all inputs of a program


@dataclass(frozen=True, slots=True)
class Refereed:
    """What the referee says of one input."""

    status: int
    stdout: bytes
    violation: Reported | None


class RefereeError(Exception):
    """The command did not answer as agreed."""


def referee(
    command: str, source: Path, properties: Sequence[str], inputs: Sequence[Sequence[int]]
) -> dict[tuple[int, ...], Refereed]:
    """The referee's answers, by input."""
    batch = source.with_suffix(".inputs.json")
    batch.write_text(json.dumps([list(values) for values in inputs]), encoding="ascii")
    asked = [part for name in properties for part in ("--property", name)]
    line = [*shlex.split(command), "run", str(source), *asked, "--batch", str(batch)]
    try:
        done = subprocess.run(
            line, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIME_LIMIT
        )
    except subprocess.TimeoutExpired as error:
        raise RefereeError(f"no answer in {TIME_LIMIT:.0f} s: {shlex.join(line)}") from error
    try:
        answers = [_answer(json.loads(text)) for text in done.stdout.splitlines()]
    except (ValueError, KeyError, TypeError) as error:
        raise RefereeError(f"{shlex.join(line)}: {error!r}\n{done.stdout[:500]}") from error
    if len(answers) != len(inputs):
        raise RefereeError(
            f"{shlex.join(line)}: {len(answers)} answers for {len(inputs)} inputs, "
            f"exit {done.returncode}\n{done.stderr[-2000:]}"
        )
    return dict(answers)


def _answer(entry: dict[str, Any]) -> tuple[tuple[int, ...], Refereed]:
    found = entry["violation"]
    violation = Reported(str(found["rule"]), int(found["line"])) if found else None
    stdout = str(entry["stdout"]).encode("latin-1")
    values = tuple(int(value) for value in entry["values"])
    return values, Refereed(int(entry["status"]), stdout, violation)

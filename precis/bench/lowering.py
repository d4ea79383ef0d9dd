"""How fast files are lowered, and how much faster when the cache has them."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

_DATABASE: Final = "compile_commands.json"


@dataclass(frozen=True, slots=True)
class Measured:
    """`report` is what the command says of the first run."""

    report: tuple[str, ...]
    first: float
    second: float
    differs: bool  # did the second run find something else?


def measure(command: Sequence[str], place: Path) -> Measured:
    """Lower a folder, or the project of a compilation database, twice with a fresh cache."""
    given = ["-p", str(place)] if _is_project(place) else [str(place)]
    with tempfile.TemporaryDirectory(prefix="precis-lower-") as folder:
        words = [*command, "lower", "--cache", f"{folder}/cache", *given]
        report, first = _run(words, Path(folder, "first.json"))
        _, second = _run(words, Path(folder, "second.json"))
    same = first["units"] == second["units"]
    return Measured(report, float(first["seconds"]), float(second["seconds"]), not same)


def _is_project(place: Path) -> bool:
    return place.name == _DATABASE or (place / _DATABASE).is_file()


def _run(words: list[str], answer: Path) -> tuple[tuple[str, ...], dict[str, Any]]:
    done = subprocess.run(
        [*words, "--json", str(answer)], stdout=subprocess.PIPE, text=True, check=False
    )
    if not answer.exists():
        raise RuntimeError(f"{' '.join(words)} ended with status {done.returncode}")
    return tuple(done.stdout.splitlines()), json.loads(answer.read_text("utf-8"))


def lines(found: Measured) -> list[str]:
    factor = found.first / max(found.second, 1e-9)
    again = f"from the cache: {found.second:.1f} s, {factor:.1f} times as fast"
    return [
        *found.report,
        again,
        *(["WRONG the cache changed the result"] if found.differs else []),
    ]

"""Checks the units of a compilation database, each as a library of its own."""

from __future__ import annotations

import fnmatch
import json
import os
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

DATABASE: Final = "compile_commands.json"
_GRACE: Final = 120.0  # seconds besides twice the time limit


@dataclass(frozen=True, slots=True)
class Way:
    """How units are checked. `linked` are files that each of them is linked with. `whole`: from
    main, with all files of the project that it needs."""

    command: tuple[str, ...]
    project: Path
    calls: str = "strong"
    classes: str = "order"
    linked: tuple[str, ...] = ()
    assumed: tuple[int, ...] = ()
    timeout: float = 120.0
    whole: bool = False
    properties: tuple[str, ...] = ()  # none: those that `check` takes by itself
    kept: Path | None = None  # where what was found of each unit is written down

    def options(self, unit: str) -> list[str]:
        files = () if self.whole else (unit, *self.linked)
        links = [word for file in files for word in ("--link", file)]
        assumed = [word for number in self.assumed for word in ("--assume", str(number))]
        asked = [word for name in self.properties for word in ("--property", name)]
        return [
            "--no-search" if self.whole else "--library", "--domain", "heap",
            "--calls", self.calls,
            "--alias-classes", self.classes, "-p", ".", "-j", "1",
            "--timeout", f"{self.timeout:g}", *asked, *assumed, *links,
        ]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Unit:
    """A file and what the command said of it; `failed` says why it said nothing."""

    file: str
    seconds: float  # of the processor
    peak: int  # bytes, of the process that analysed it
    result: dict[str, Any] = field(default_factory=dict)
    failed: str = ""


def units(project: Path, only: str) -> list[str]:
    """The files of a project that one of some patterns fits, relative to it, in order of name."""
    entries = json.loads((project / DATABASE).read_text("utf-8"))
    found = {
        os.path.relpath(Path(entry.get("directory", ""), entry["file"]), project.resolve())
        for entry in entries
    }
    patterns = only.split(",")
    return sorted(
        file for file in found if any(fnmatch.fnmatch(file, pattern) for pattern in patterns)
    )


def checked(files: Sequence[str], way: Way, jobs: int) -> Iterator[Unit]:
    """Each file, several at a time, in order. They share what is learned of the library, but
    nothing that was learned before."""
    with (
        tempfile.TemporaryDirectory(prefix="precis-cache-") as cache,
        ThreadPoolExecutor(jobs) as pool,
    ):
        yield from pool.map(lambda file: _known(file, way) or _kept(file, way, cache), files)


def _record(file: str, way: Way) -> Path | None:
    """Where a unit is written down."""
    if way.kept is None:
        return None
    kind = "whole" if way.whole else "library"
    return way.kept / f"{way.calls}-{way.classes}-{kind}" / f"{quote(file, safe='')}.json"


def _known(file: str, way: Way) -> Unit | None:
    """A unit that an earlier run with the same options wrote down."""
    record = _record(file, way)
    if record is None or not record.is_file():
        return None
    try:
        found = json.loads(record.read_bytes())
        unit = Unit(**found["unit"])
    except (ValueError, KeyError, TypeError):
        return None  # that run was stopped while it wrote
    return unit if found["options"] == way.options(file) else None


def _kept(file: str, way: Way, cache: str) -> Unit:
    """Check a unit, and write down what was found."""
    unit = _checked(file, way, cache)
    record = _record(file, way)
    if record is not None:
        record.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"options": way.options(file), "unit": asdict(unit)})
        record.write_text(text, "utf-8")
    return unit


def _checked(file: str, way: Way, cache: str) -> Unit:
    with tempfile.TemporaryDirectory(prefix="precis-project-") as folder:
        answer, told = Path(folder, "check.json"), Path(folder, "stderr")
        options = (*way.options(file), "--cache", cache, "--json", str(answer))
        words = [*way.command, "check", *options, file]
        seconds, peak = _run(words, way.project, told, 2 * way.timeout + _GRACE)
        try:
            (program,) = json.loads(answer.read_bytes())["programs"]
        except (OSError, ValueError, KeyError, TypeError):
            lines = told.read_text("utf-8", "replace").strip().splitlines()
            return Unit(file, seconds, peak, failed=lines[0] if lines else "no answer in time")
    if program["error"] is not None:
        return Unit(file, seconds, peak, failed=str(program["reason"]))
    return Unit(file, seconds, peak, _scored(program))


def _scored(program: dict[str, Any]) -> dict[str, Any]:
    """What scores are made of: the rest of a large project would fill the memory."""
    obligations = [
        {name: one[name] for name in ("procedure", "status", "why", "rule", "library", "at")}
        for one in program["obligations"]
    ]
    kept = {name: program[name] for name in ("procedures", "findings", "stages", "verdict")}
    return {**kept, "obligations": obligations}


def _run(words: Sequence[str], folder: Path, told: Path, timeout: float) -> tuple[float, int]:
    """Run a command: its seconds, and the most bytes that it, or a process that it waited for,
    held."""
    with told.open("wb") as errors:
        running = subprocess.Popen(
            words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors
        )
        clock = threading.Timer(timeout, running.kill)
        clock.start()
        try:
            _, _, usage = os.wait4(running.pid, 0)
        finally:
            clock.cancel()
            running.returncode = 0  # it has been waited for
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024

"""Runs a folder of C programs with expected output, such as a checkout of c-testsuite.

A program `NAME.c` has its expected standard output in `NAME.c.expected` and must end with
status 0. The folder is the user's; nothing of it is kept here.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Trial:
    name: str
    passed: bool
    reason: str


def trials(folder: Path, command: tuple[str, ...], jobs: int, timeout: float) -> Iterator[Trial]:
    """Every program that has an expected output, in order of name."""
    sources = sorted(p for p in folder.rglob("*.c") if p.with_name(p.name + ".expected").exists())
    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(lambda source: _trial(source, command, timeout), sources)


def _trial(source: Path, command: tuple[str, ...], timeout: float) -> Trial:
    expected = source.with_name(source.name + ".expected").read_bytes()
    try:
        done = subprocess.run(
            [*command, "run", source.name],
            cwd=source.parent,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Trial(source.name, False, f"no answer within {timeout:g} s")
    if done.returncode != 0:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        return Trial(source.name, False, f"status {done.returncode}: {' '.join(lines[:2])}")
    if done.stdout != expected:
        return Trial(source.name, False, "the output differs")
    return Trial(source.name, True, "")

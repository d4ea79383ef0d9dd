"""Programs compiled by gcc, plainly and with sanitizers, and run on given inputs."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

SUPPORT = Path(__file__).with_name("support.c")
TIME_LIMIT = 20.0  # seconds for one run; a generated program needs milliseconds

_COMMON = ("-std=gnu17", "-O0", "-g", "-w", "-fno-omit-frame-pointer")
_COUNTED = ("malloc", "calloc", "realloc", "free", "strdup", "strndup")
_COUNTING = tuple(f"-Wl,--wrap={name}" for name in _COUNTED)
_SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
_ENVIRONMENT = {
    "ASAN_OPTIONS": "detect_stack_use_after_return=1:detect_leaks=1:color=never",
    "UBSAN_OPTIONS": "print_stacktrace=0:color=never",
    "LSAN_OPTIONS": "color=never",
    "LC_ALL": "C",
}


@dataclass(frozen=True, slots=True)
class Ran:
    """One run of a compiled program; a signal n is the status 128 + n, as in a shell."""

    status: int
    stdout: bytes
    stderr: str


class CompileError(Exception):
    """gcc refused a program."""


@dataclass(frozen=True, slots=True)
class Support:
    """The object files that every program is linked with."""

    counting: Path
    plain: Path


def compile_support(directory: Path) -> Support:
    counting, plain = directory / "support_count.o", directory / "support.o"
    _gcc("-c", "-DBENCH_COUNT", str(SUPPORT), "-o", str(counting))
    _gcc("-c", str(SUPPORT), "-o", str(plain))
    return Support(counting, plain)


def compile_plain(source: Path, support: Support) -> Path:
    """A build that writes the number of live blocks to stderr when it ends."""
    target = source.with_suffix(".plain")
    _gcc(str(source), str(support.counting), *_COUNTING, "-o", str(target))
    return target


def compile_sanitized(source: Path, support: Support) -> Path:
    target = source.with_suffix(".asan")
    _gcc(*_SANITIZERS, str(source), str(support.plain), "-o", str(target))
    return target


def _gcc(*arguments: str) -> None:
    done = subprocess.run(["gcc", *_COMMON, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        raise CompileError(done.stderr)


def run(program: Path, values: Sequence[int], wrapper: Sequence[str] = ()) -> Ran:
    """Run a build on the given inputs; `wrapper` is a command that runs a command."""
    environment = {**os.environ, **_ENVIRONMENT, "BENCH_VALUES": ",".join(map(str, values))}
    try:
        done = subprocess.run(
            [*wrapper, str(program)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TIME_LIMIT,
            env=environment,
        )
    except subprocess.TimeoutExpired:
        return Ran(124, b"", "bench: time limit")
    status = done.returncode if done.returncode >= 0 else 128 - done.returncode
    return Ran(status, done.stdout, done.stderr.decode("latin-1"))

"""Checks of the programs of a checkout, several at a time."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ..checking.answers import answer_of, no_answer
from ..checking.command import CheckError, check
from .expected import expected
from .judge import Judged, judged

SUFFIX: Final = ".err.exit_leaks"
_TESTS: Final = Path("tests", "predator-regre")
_HEADERS: Final = Path("include", "predator-builtins")
_PROPERTIES: Final = ("memory-safety", "leaks", "cleanup", "assertions")
# What Predator knows without a body: an error is reached where it is called, so that is a macro;
# what draws or debugs does nothing; some names stand for any number.
_MACROS: Final = ("PREDATOR", "___sl_error(message)=reach_error()")
_KNOWN: Final = """
#define KNOWN __attribute__((weak))
KNOWN void ___sl_break(const char *message) { (void)message; }
KNOWN void __VERIFIER_plot(const char *name, ...) { (void)name; }
KNOWN void ___sl_plot_trace_now(const char *plot, const char *node) { (void)plot; (void)node; }
KNOWN void ___sl_plot_trace_once(const char *plot, const char *node) { (void)plot; (void)node; }
KNOWN void ___sl_enable_debugging_of(unsigned module, int on) { (void)module; (void)on; }
int __VERIFIER_nondet_int(void);
KNOWN int ___sl_get_nondet_int(void) { return __VERIFIER_nondet_int(); }
KNOWN int __nondet(void) { return __VERIFIER_nondet_int(); }
KNOWN int nondet_int(void) { return __VERIFIER_nondet_int(); }
KNOWN int undef_int(void) { return __VERIFIER_nondet_int(); }
"""


@dataclass(frozen=True, slots=True)
class Checkout:
    """A checkout of Predator: the programs that have an expectation, and those without."""

    folder: Path
    programs: tuple[Path, ...]
    without: tuple[Path, ...]

    def options(self, known: Path) -> list[str]:
        """Those of a check that asks what Predator was asked; `known` is a file of the program."""
        options = ["--malloc", "never-fails", "--assume", "19", "--std", "gnu99"]
        options += [word for name in _PROPERTIES for word in ("--property", name)]
        options += [word for macro in _MACROS for word in ("-D", macro)]
        return [*options, "-I", str(self.folder / _HEADERS), "--link", str(known)]


def checkout(folder: Path, only: str = "*") -> Checkout:
    """The tests in a folder whose names fit the pattern; none if it is no checkout."""
    programs = sorted((folder / _TESTS).glob(f"{only}.c"))
    known = [path for path in programs if _output(path).exists()]
    return Checkout(folder, tuple(known), tuple(sorted(set(programs) - set(known))))


def judgements(
    tests: Checkout, command: Sequence[str], jobs: int, timeout: float
) -> Iterator[Judged]:
    """Every program that has an expectation, in order of name; each may take `timeout` seconds."""
    with tempfile.TemporaryDirectory(prefix="precis-predator-") as folder:
        known = Path(folder, "known.c")
        known.write_text(_KNOWN, "ascii")
        options = tests.options(known)
        pool = ThreadPoolExecutor(jobs)
        try:
            yield from pool.map(lambda p: _judged(p, command, options, timeout), tests.programs)
        finally:
            pool.shutdown(cancel_futures=True)


def _judged(
    program: Path, command: Sequence[str], options: Sequence[str], timeout: float
) -> Judged:
    wanted = expected(_output(program).read_text("utf-8", "replace"))
    try:
        said = check(command, options, [program], timeout)
    except CheckError as error:
        return judged(program.stem, wanted, no_answer(str(error)))
    return judged(program.stem, wanted, answer_of(said.programs[0]), said.seconds)


def _output(program: Path) -> Path:
    return program.with_name(program.stem + SUFFIX)

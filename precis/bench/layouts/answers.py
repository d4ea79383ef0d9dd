"""The answers to a program of questions: by gcc and by Precis."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from .definitions import Model

TIME_LIMIT = 600.0  # seconds for one program

_GCC = {Model.LP64: ("gcc", "-m64"), Model.ILP32: ("gcc", "-m32")}
_FLAGS = ("-std=gnu17", "-O0", "-w")


class NoAnswerError(Exception):
    """A command refused the questions or failed on them."""


def compiled_answers(source: Path, model: Model) -> bytes:
    """What gcc says: the output of the program, for ILP32 only what a compiled file shows.

    A 32-bit program is not linked, so that no 32-bit library is needed.
    """
    if model is Model.LP64:
        target = source.with_suffix(".run")
        _run([*_GCC[model], *_FLAGS, str(source), "-o", str(target)])
        return _run([str(target)])
    target = source.with_suffix(".o")
    _run([*_GCC[model], *_FLAGS, "-c", str(source), "-o", str(target)])
    return _section(target, ".figures") + _section(target, ".given")


def precis_answers(command: Sequence[str], source: Path, model: Model) -> bytes:
    return _run([*command, "run", "--data-model", model.value, str(source)])


def _section(file: Path, name: str) -> bytes:
    target = file.with_suffix(name)
    _run(["objcopy", "-O", "binary", "-j", name, str(file), str(target)])
    return target.read_bytes()


def _run(line: Sequence[str]) -> bytes:
    done = subprocess.run(line, capture_output=True, timeout=TIME_LIMIT)
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip()[-2000:]
        raise NoAnswerError(f"{' '.join(line)} ended with status {done.returncode}\n{said}")
    return done.stdout

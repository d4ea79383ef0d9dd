"""C files -> Program. Parsing and lowering happen in a child process; see child.py."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from signal import Signals
from typing import Final

import msgspec

from precis.errors import InputError, ToolError
from precis.frontends.clang.child import Answer, Ending, Limits, Refused, run
from precis.frontends.clang.cursors import Diagnostic, Unit, read
from precis.frontends.clang.flags import ClangFlags, arguments
from precis.frontends.clang.link import Extent, Linker
from precis.frontends.clang.models import MODELS, index
from precis.frontends.clang.tolerance import is_harmless, local_fault
from precis.ir.codec import decode, encode
from precis.ir.program import Program

_LARGEST: Final = 64 << 20  # bytes of one source file


@dataclass(frozen=True, slots=True)
class ClangFrontEnd:
    """The C front end, as `protocol.FrontEnd`."""

    flags: ClangFlags = field(default_factory=ClangFlags)
    entry: str = "main"
    extent: Extent = Extent.REACHABLE
    limits: Limits = field(default_factory=Limits)

    def load(self, paths: Sequence[Path]) -> Program:
        return load(paths, self.flags, self.entry, self.extent, self.limits)


def load(
    paths: Sequence[Path],
    flags: ClangFlags | None = None,
    entry: str = "main",
    extent: Extent = Extent.REACHABLE,
    limits: Limits | None = None,
) -> Program:
    """The program that the files make up, with the library models it reaches.

    Its `entry` is empty if no file defines such a function; then every function is lowered.
    """
    if not paths:
        raise InputError("no file is given")
    for path in paths:
        _inspect(path)
    flags = flags or ClangFlags()
    limits = limits or Limits()
    answer = run(lambda: encode(_lower(paths, flags, entry, extent)), limits)
    return _understood(answer, paths, limits)


def _inspect(path: Path) -> None:
    """Refuse what is no readable text file, before libclang waits for it or says nothing."""
    name = str(path)
    try:
        status = path.stat()
    except FileNotFoundError:
        raise InputError("no such file", file=name) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=name) from None
    if stat.S_ISDIR(status.st_mode):
        raise InputError("is a directory, not a C file", file=name)
    if not stat.S_ISREG(status.st_mode):
        raise InputError("is not a regular file", file=name)
    if not os.access(path, os.R_OK):
        raise InputError("cannot be read: permission denied", file=name)
    if status.st_size > _LARGEST:
        size = status.st_size >> 20
        raise InputError(f"has {size} MB; files up to {_LARGEST >> 20} MB are read", file=name)
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            if b"\0" in chunk:
                raise InputError("is a binary file, not C source text", file=name)


def _understood(answer: Answer, paths: Sequence[Path], limits: Limits) -> Program:
    first = str(paths[0])
    match answer.ending:
        case Ending.DONE:
            return decode(answer.content)
        case Ending.REFUSED:
            raise _decoded_error(answer.content)
        case Ending.OUT_OF_TIME:
            raise InputError(f"parsing took longer than {limits.seconds:g} seconds", file=first)
        case Ending.OUT_OF_MEMORY:
            raise InputError(f"parsing needs more than {limits.megabytes} MB of memory", file=first)
        case Ending.CRASHED:
            name = Signals(answer.signal).name if answer.signal else "no answer"
            raise InputError(
                f"libclang crashed on this program ({name}); it may nest too deeply", file=first
            )
        case Ending.BROKEN:
            raise RuntimeError(f"the C front end failed\n{answer.content.decode()}")


# In the child


def _lower(paths: Sequence[Path], flags: ClangFlags, entry: str, extent: Extent) -> Program:
    try:
        linker = Linker(flags.model, _model_finder(flags))
        for path in paths:
            linker.add(_parsed(str(path), flags))
        return linker.program(entry, extent)
    except (InputError, ToolError) as error:
        raise Refused(_encoded_error(error)) from None


def _encoded_error(error: InputError | ToolError) -> bytes:
    if isinstance(error, ToolError):
        return msgspec.msgpack.encode({"tool": error.tool, "message": error.message})
    names = ("message", "file", "line", "column", "advice")
    return msgspec.msgpack.encode({name: getattr(error, name) for name in names})


def _decoded_error(content: bytes) -> InputError | ToolError:
    fields = msgspec.msgpack.decode(content)
    return ToolError(**fields) if "tool" in fields else InputError(**fields)


def _parsed(path: str, flags: ClangFlags) -> Unit:
    unit = read(path, arguments(flags))
    if unit is None:
        raise InputError("libclang could not parse this file", file=path)
    for diagnostic in unit.diagnostics():
        if is_harmless(diagnostic):
            continue
        fault = local_fault(unit, diagnostic)
        if fault is None:
            raise _error(diagnostic, path)
        unit.faults.append(fault)
    return unit


def _error(diagnostic: Diagnostic, path: str) -> InputError:
    place = diagnostic.place
    advice = ""
    if diagnostic.message.endswith("file not found"):
        advice = "if the header is part of the program, name its folder with -I DIR"
    return InputError(
        diagnostic.message,
        file=place.file or path,
        line=place.line,
        column=place.column,
        advice=advice,
    )


def _model_finder(flags: ClangFlags) -> Callable[[str], Unit | None]:
    """Reads the model of a library function, each file once."""
    own_flags = ClangFlags(model=flags.model)
    units: dict[str, Unit] = {}

    def find(name: str) -> Unit | None:
        file = index().get(name)
        if file is None:
            return None
        if file not in units:
            units[file] = _parsed(str(MODELS / file), own_flags)
        return units[file]

    return find

"""Files, library models and what joins from the pool -> one program; in the child."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import final

from precis.errors import InputError
from precis.frontends.cache import Inputs
from precis.frontends.clang.cursors import Diagnostic, Unit, read
from precis.frontends.clang.flags import (
    GNU89_INLINE,
    ClangFlags,
    Headers,
    arguments,
    has_gnu89_inline,
)
from precis.frontends.clang.inputs import inputs_of
from precis.frontends.clang.link import Extent, Linker
from precis.frontends.clang.models import MODELS, index
from precis.frontends.clang.source import Source, Sources
from precis.frontends.clang.symbols import File, Strength
from precis.frontends.clang.tolerance import is_harmless, is_of_gnu89, local_fault
from precis.ir.program import Program


@dataclass(frozen=True, slots=True)
class Definitions:
    """The names that a file defines for others, and those of them that may be overridden."""

    names: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()


def lowered(
    given: Sources, pool: Sequence[Definitions], entry: str, extent: Extent
) -> tuple[Program, Inputs]:
    """The program, and what it was made of; `pool` says what the files of the pool define."""
    reader = _Reader()
    model = given.files[0].flags.model
    offered = _Offered(given.pool, pool, reader)
    linker = Linker(model, _model_finder(ClangFlags(model=model)), offered)
    for source in given.files:
        linker.add(reader.read(source))
    program = linker.program(entry, extent)
    return program, reader.inputs()


def definitions(source: Source) -> tuple[Definitions, Inputs]:
    reader = _Reader()
    file = File(reader.read(source), library=False)
    file.read()
    strong: list[str] = []
    weak: list[str] = []
    for symbol in file.definitions():
        if not symbol.is_own:
            (strong if symbol.strength is Strength.STRONG else weak).append(symbol.name)
    return Definitions((*strong, *weak), tuple(weak)), reader.inputs()


@final
class _Reader:
    """Parses the files of a program and remembers what they read."""

    def __init__(self) -> None:
        self._units: list[tuple[Unit, ClangFlags]] = []

    def read(self, source: Source) -> Unit:
        unit = _parsed(str(source.path), source.flags)
        self._units.append((unit, source.flags))
        return unit

    def inputs(self) -> Inputs:
        return inputs_of(self._units)


@final
class _Offered:
    """The pool (link.Pool): which file defines a name."""

    def __init__(
        self, files: Sequence[Source], defined: Sequence[Definitions], reader: _Reader
    ) -> None:
        self._reader = reader
        self._by_name: dict[str, list[Source]] = {}
        self._weak = {
            (source, name)
            for source, found in zip(files, defined, strict=True)
            for name in found.weak
        }
        for source, found in zip(files, defined, strict=True):
            for name in found.names:
                self._by_name.setdefault(name, []).append(source)

    def __contains__(self, name: str) -> bool:
        return name in self._by_name

    def take(self, name: str) -> Unit:
        found = self._by_name[name]
        strong = [source for source in found if (source, name) not in self._weak] or found[:1]
        if len(strong) > 1:
            places = " and ".join(str(source.path) for source in strong[:2])
            raise InputError(
                f"{name} is defined in {places}",
                advice="say which belongs to the program with --link, without other files",
            )
        (source,) = strong
        for names in self._by_name.values():
            if source in names:
                names.remove(source)
        self._by_name = {key: files for key, files in self._by_name.items() if files}
        return self._reader.read(source)


def _model_finder(flags: ClangFlags) -> Callable[[str], Unit | None]:
    """Reads the model of a library function, each file once."""
    units: dict[str, Unit] = {}

    def find(name: str) -> Unit | None:
        file = index().get(name)
        if file is None:
            return None
        if file not in units:
            units[file] = _parsed(str(MODELS / file), flags)
        return units[file]

    return find


def _parsed(path: str, flags: ClangFlags) -> Unit:
    unit = read(path, arguments(flags, path))
    if unit is None:
        raise InputError("libclang crashed or gave up on this file", file=path)
    diagnostics = unit.diagnostics()
    if not has_gnu89_inline(flags) and any(is_of_gnu89(one) for one in diagnostics):
        return _parsed(path, replace(flags, extra=(*flags.extra, GNU89_INLINE)))
    unit.has_gnu89_inline = has_gnu89_inline(flags)
    for diagnostic in diagnostics:
        if is_harmless(diagnostic):
            continue
        fault = local_fault(unit, diagnostic)
        if fault is None:
            raise _error(diagnostic, path, flags)
        unit.faults.append(fault)
    return unit


def _error(diagnostic: Diagnostic, path: str, flags: ClangFlags) -> InputError:
    place = diagnostic.place
    return InputError(
        diagnostic.message,
        file=place.file or path,
        line=place.line,
        column=place.column,
        advice=_advice(diagnostic.message, flags),
    )


def _advice(message: str, flags: ClangFlags) -> str:
    if not message.endswith("file not found"):
        return ""
    if flags.headers is Headers.SYSTEM:
        return "install the package that has the header, or build what makes it"
    return (
        "if the header is part of the program, name its folder with -I DIR; "
        "if it is the system's, --headers system reads those"
    )

"""Names -> front ends, domains."""

from __future__ import annotations

import functools
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from precis.errors import InputError
from precis.frontends.clang.flags import PREPROCESSED, Headers
from precis.ir.program import Program
from precis.ir.types import DataModel

if TYPE_CHECKING:
    from precis.domains.protocol import Domain
    from precis.engine.analysis import Plan
    from precis.engine.summary import SummaryStore
    from precis.engine.verify import Options
    from precis.frontends.cache import Cache
    from precis.frontends.clang.link import Extent
    from precis.frontends.clang.parse import ClangFrontEnd
    from precis.frontends.clang.source import Source, Sources
    from precis.frontends.clang.whole import Definitions
    from precis.store.sqlite import SqliteStore

TEXT_SUFFIX = ".pir"  # printed IR
SUFFIXES: Final = (".c", PREPROCESSED, TEXT_SUFFIX)
DOMAINS: Final = ("values", "heap")  # in the order they are tried
NOTHING_DEFINED: Final = "no function is defined here"  # also as the front end says it


@dataclass(frozen=True, slots=True)
class Reading:
    """How source files are read. `flags` are flags for libclang that have passed its list."""

    model: DataModel = DataModel.LP64
    include: tuple[str, ...] = ()
    defined: tuple[str, ...] = ()
    undefined: tuple[str, ...] = ()
    standard: str = ""
    flags: tuple[str, ...] = ()
    headers: Headers = Headers.OWN


@dataclass(frozen=True, slots=True)
class SourceFile:
    path: str
    reading: Reading


@dataclass(frozen=True, slots=True)
class Target:
    """A program, as its files. Those of the pool join if they define something it needs.

    `name` is what reports call it; `options`, those of `precis run` that read it in this way,
    None if there are none; `cache`, the folder that keeps what was made of files, if any.
    """

    name: str
    files: tuple[SourceFile, ...]
    pool: tuple[SourceFile, ...] = ()
    options: tuple[str, ...] | None = ()
    cache: str = ""


def target_of(path: Path, how: Reading) -> Target:
    """A program in one file."""
    words = replay_words(how)
    options = None if words is None else tuple(words)
    return Target(str(path), (SourceFile(str(path), how),), options=options)


def load(path: Path, how: Reading, entry: str = "main") -> Program:
    """The program in a file, as far as its entry reaches; raises InputError."""
    return load_target(target_of(path, how), entry)


def load_library(path: Path, how: Reading) -> Program:
    """Every function of a file, without an entry; raises InputError."""
    return load_library_target(target_of(path, how))


def load_target(target: Target, entry: str = "main") -> Program:
    """The program, as far as its entry reaches; raises InputError."""
    return _loaded(target, entry, "reachable")


def load_library_target(target: Target) -> Program:
    """Every function of its files, without an entry; raises InputError."""
    program = _loaded(target, "", "everything")
    if all(procedure.library for procedure in program.procedures.values()):
        raise InputError(NOTHING_DEFINED, file=target.name)
    return program


def load_unit(target: Target, entry: str = "main") -> Program:
    """All that its files define, be it nothing; raises InputError."""
    return _loaded(target, entry, "everything")


def replay_words(how: Reading) -> list[str] | None:
    """The options of `precis run` that read a file in this way; None if there are none."""
    words = [] if how.model is DataModel.LP64 else ["--data-model", how.model.value]
    words += [] if how.headers is Headers.OWN else ["--headers", how.headers.value]
    words += [f"-I{folder}" for folder in how.include]
    words += [f"-D{text}" for text in how.defined]
    words += [f"-U{name}" for name in how.undefined]
    words += ["--std", how.standard] if how.standard else []
    waiting = list(how.flags)
    while waiting:
        flag = waiting.pop(0)
        if flag in ("-I", "-D", "-U"):
            words.append(flag + waiting.pop(0))
        elif flag.startswith("-std="):
            words += ["--std", flag.removeprefix("-std=")]
        elif flag.startswith(("-I", "-D", "-U")):
            words.append(flag)
        else:
            return None
    return words


def _loaded(target: Target, entry: str, extent: str) -> Program:
    paths = [Path(file.path) for file in target.files]
    if any(path.suffix == TEXT_SUFFIX for path in paths):
        if len(paths) > 1:
            raise InputError("a printed program is linked already", file=target.name)
        return _load_text(paths[0])
    from precis.frontends.clang.link import Extent

    return _front_end(target.cache, entry, Extent(extent)).load_sources(_sources(target))


def encoded_unit(target: Target) -> bytes:
    """As `load_unit`, of C files, for `ir.codec.decode` in another process."""
    return _front_end(target.cache).encoded(_sources(target))


def _sources(target: Target) -> Sources:
    from precis.frontends.clang.source import Sources

    files, pool = map(_source, target.files), map(_source, target.pool)
    return Sources(tuple(files), tuple(pool))


def definitions(file: SourceFile, cache: str) -> Definitions:
    """What a file defines for others; raises InputError."""
    return _front_end(cache).definitions(_source(file))


def prepare_front_end() -> None:
    """Do once what every child of this process would do for itself."""
    from precis.frontends.clang.parse import prepare

    prepare()


def _front_end(cache: str, entry: str = "", extent: Extent | None = None) -> ClangFrontEnd:
    from precis.frontends.clang.link import Extent
    from precis.frontends.clang.parse import ClangFrontEnd

    kept = _cache(cache) if cache else None
    return ClangFrontEnd(entry=entry, extent=extent or Extent.EVERYTHING, cache=kept)


@functools.cache
def _cache(folder: str) -> Cache:
    """One for the whole process: it remembers what it has read of the disk."""
    from precis.frontends.cache import Cache

    return Cache(Path(folder))


def _source(file: SourceFile) -> Source:
    from precis.frontends.clang.flags import ClangFlags
    from precis.frontends.clang.source import Source

    how = file.reading
    standard = (f"-std={how.standard}",) if how.standard else ()
    extra = (*standard, *how.flags)
    flags = ClangFlags(how.model, how.include, how.defined, how.undefined, extra, how.headers)
    for text in (file.path, *flags.include, *flags.define, *flags.undefine, *flags.extra):
        _refuse_odd_bytes(text, Path(file.path))
    return Source(Path(file.path), flags)


def _refuse_odd_bytes(text: str, path: Path) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise InputError(
            "the names of files and flags must be UTF-8 text", file=str(path), advice="rename it"
        ) from None


def _load_text(path: Path) -> Program:
    from precis.frontends.text.parse import parse

    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        raise InputError("no such file", file=str(path)) from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {error}", file=str(path)) from None
    return parse(text, str(path))


def sources(folder: Path) -> list[Path]:
    """The C files of a folder, recursively, in order of name.

    A folder that is a link is not entered, and neither is a file beside which lies the source
    that it was preprocessed from.
    """
    found = []
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in names:
            path = Path(place, name)
            made = path.suffix == PREPROCESSED and f"{path.stem}.c" in names
            if path.suffix in SUFFIXES and not made and path.is_file():
                found.append(path)
    if not found:
        raise InputError(
            "no C files in this folder",
            file=str(folder),
            advice="give a .c file, or a folder that holds some (subfolders are searched)",
        )
    return sorted(found)


class Precision(Enum):
    """COARSE keeps little apart: for when FINE takes too long."""

    FINE = "fine"
    COARSE = "coarse"
    INLINED = "inlined"  # without summaries: what a callee does is followed at each call


@functools.cache
def store_in(folder: str) -> SqliteStore | None:
    """The summaries that a folder keeps, once for the whole process; None without a folder."""
    if not folder:
        return None
    from precis.store.sqlite import SqliteStore

    return SqliteStore(Path(folder))


def plans(
    names: Sequence[str], program: Program, options: Options, store: SummaryStore | None = None
) -> list[Plan]:
    """The analyses of a check, in the order they are tried."""
    from precis.engine.activation import COARSE, FINE, ONE_STATE
    from precis.engine.analysis import Plan
    from precis.engine.verify import Mode, Searching

    found = []
    a_program = options.mode is Mode.PROGRAM
    searched = a_program and options.search is Searching.ON  # then most of the time is for that
    for name in names:
        if name == "heap":
            follows = options.calls in ("", "inline")
            if options.calls != "inline":
                summaries = domain(name, program, options)
                share = 0.06 if searched else 0.2 if follows and a_program else 0.9
                found.append(Plan(summaries, ONE_STATE, share, late=True, store=store))
            if follows:
                bodies = domain(name, program, options, Precision.INLINED)
                share = 0.1 if searched else 0.25
                found.append(Plan(bodies, ONE_STATE, share, for_programs=True, late=True))
                share = 0.1 if searched else 0.9
                cases = replace(found[-1], share=share, by_cases=True)
                found.append(cases)
            continue
        found.append(Plan(domain(name, program, options), FINE, 0.5))
        coarse = domain(name, program, options, Precision.COARSE)
        found.append(Plan(coarse, COARSE, 0.5, fallback=True))
    return found


def domain(
    name: str, program: Program, options: Options, precision: Precision = Precision.FINE
) -> Domain[Any, Any, Any, Any, Any, Any, Any]:
    """The abstract domain of a name, for one program."""
    match name:
        case "values":
            from precis.domains.values.domain import Values
            from precis.domains.values.world import COARSE, FINE
            from precis.engine.verify import Mode
            from precis.interp.outcome import Malloc

            return Values(
                program,
                options.properties,
                options.malloc is Malloc.MAY_FAIL,
                options.assumed,
                FINE if precision is Precision.FINE else COARSE,
                library=options.mode is Mode.LIBRARY,
            )
        case "heap":
            from precis.domains.heap.domain import Heap
            from precis.domains.heap.frame import Alias, Calls, Classes
            from precis.engine.verify import Mode
            from precis.interp.outcome import Malloc

            calls = Calls.WEAK if options.calls == "weak" else Calls.STRONG
            if precision is Precision.INLINED:
                calls = Calls.INLINE
            may_fail = options.malloc is Malloc.MAY_FAIL
            return Heap(
                program, may_fail, Alias.ALL, calls, options.properties, options.assumed,
                classes=Classes(options.alias_classes), library=options.mode is Mode.LIBRARY,
            )  # fmt: skip
        case _:
            raise InputError(f"unknown domain {name!r}", advice=f"there are {', '.join(DOMAINS)}")

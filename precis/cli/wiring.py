"""Names -> front ends, domains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from precis.errors import InputError
from precis.ir.program import Program
from precis.ir.types import DataModel

if TYPE_CHECKING:
    from precis.domains.protocol import Domain
    from precis.engine.analysis import Plan
    from precis.engine.verify import Options

TEXT_SUFFIX = ".pir"  # printed IR
DOMAINS: Final = ("values",)  # in the order they are tried


@dataclass(frozen=True, slots=True)
class Reading:
    """How source files are read. `flags` are flags for libclang that have passed its list."""

    model: DataModel = DataModel.LP64
    include: tuple[str, ...] = ()
    defined: tuple[str, ...] = ()
    undefined: tuple[str, ...] = ()
    standard: str = ""
    flags: tuple[str, ...] = ()


def load(path: Path, how: Reading, entry: str = "main") -> Program:
    """The program in a file, as far as its entry reaches; raises InputError."""
    return _loaded(path, how, entry, "reachable")


def load_library(path: Path, how: Reading) -> Program:
    """Every function of a file, without an entry; raises InputError."""
    return _loaded(path, how, "", "everything")


def replay_words(how: Reading, entry: str) -> list[str] | None:
    """The options of `precis run` that read a program in this way; None if there are none."""
    words = [] if how.model is DataModel.LP64 else ["--data-model", how.model.value]
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
    return words if entry == "main" else [*words, "--entry", entry]


def _loaded(path: Path, how: Reading, entry: str, extent: str) -> Program:
    if path.suffix == TEXT_SUFFIX:
        return _load_text(path)
    from precis.frontends.clang.flags import ClangFlags
    from precis.frontends.clang.link import Extent
    from precis.frontends.clang.parse import load as load_c

    standard = (f"-std={how.standard}",) if how.standard else ()
    flags = ClangFlags(how.model, how.include, how.defined, how.undefined, (*standard, *how.flags))
    for text in (str(path), *flags.include, *flags.define, *flags.undefine, *flags.extra):
        _refuse_odd_bytes(text, path)
    return load_c([path], flags, entry, Extent(extent))


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
    """The programs a folder stands for: its C files, recursively, in order of name."""
    found = sorted(
        path
        for pattern in ("*.c", f"*{TEXT_SUFFIX}")
        for path in folder.rglob(pattern)
        if path.is_file()
    )
    if not found:
        raise InputError(
            "no C files in this folder",
            file=str(folder),
            advice="give a .c file, or a folder that holds some (subfolders are searched)",
        )
    return found


class Precision(Enum):
    """COARSE keeps little apart: for when FINE takes too long."""

    FINE = "fine"
    COARSE = "coarse"


def plans(names: Sequence[str], program: Program, options: Options) -> list[Plan]:
    """The analyses of a check, in the order they are tried."""
    from precis.engine.activation import COARSE, FINE
    from precis.engine.analysis import Plan

    found = []
    for name in names:
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
        case _:
            raise InputError(f"unknown domain {name!r}", advice=f"there are {', '.join(DOMAINS)}")

"""Names -> front ends and properties."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from precis.errors import InputError
from precis.ir.program import Program
from precis.ir.types import DataModel

TEXT_SUFFIX = ".pir"  # printed IR


@dataclass(frozen=True, slots=True)
class Reading:
    """How source files are read."""

    model: DataModel = DataModel.LP64
    include: tuple[str, ...] = ()
    defined: tuple[str, ...] = ()
    undefined: tuple[str, ...] = ()
    standard: str = ""


def load(path: Path, how: Reading, entry: str = "main") -> Program:
    """The program in a file; raises InputError."""
    if path.suffix == TEXT_SUFFIX:
        return _load_text(path)
    from precis.frontends.clang.flags import ClangFlags
    from precis.frontends.clang.parse import load as load_c

    extra = (f"-std={how.standard}",) if how.standard else ()
    flags = ClangFlags(how.model, how.include, how.defined, how.undefined, extra)
    return load_c([path], flags, entry)


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

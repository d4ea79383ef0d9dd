"""compile_commands.json: the files that a project compiles, and how.

Nothing in it is run, and no flag reaches libclang but those that say how a source is read. A
flag that would make the file mean something else, and cannot be followed, refuses the file.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from precis.errors import InputError
from precis.frontends.clang.flags import PREPROCESSED, allowed
from precis.ir.types import DataModel

NAME: Final = "compile_commands.json"
_LARGEST: Final = 256 << 20  # bytes of a database
_SUFFIXES: Final = (".c", PREPROCESSED)

# Flags whose value is the next word, and which do not matter here.
_SKIPPED_WITH_VALUE: Final = frozenset(
    {"-o", "-MF", "-MT", "-MQ", "-Xclang", "-Xlinker", "-Xassembler", "-Xpreprocessor", "-L"}
    | {"-l", "-T", "-u", "-z", "-B", "-arch", "-target", "--param", "-load", "-plugin", "-aux-info"}
)
_PATHS: Final = ("-I", "-isystem", "-iquote", "-idirafter", "-include")
_MODELS: Final = {"-m32": DataModel.ILP32, "-m64": DataModel.LP64}
# Flags that change what a source means and that cannot be followed.
_REFUSED: Final = ("@", "-imacros", "-isysroot", "--sysroot", "-specs", "-mx32", "-mbig-endian")


@dataclass(frozen=True, slots=True)
class Command:
    """How a project compiles one file. `refused` says why it cannot be read, if it cannot."""

    path: str
    flags: tuple[str, ...]
    model: DataModel
    refused: str = ""


def read_database(folder: Path, here: Path) -> list[Command]:
    """The C files of the database in a folder, in its order, each way of compiling one once.

    Names inside `here` are relative to it. Files outside of the project, which is `here` if
    the database lies in it and else the folder of the database, are refused.
    """
    place = folder / NAME if folder.is_dir() else folder
    root = here if place.resolve().is_relative_to(here.resolve()) else place.parent
    rows = _rows(place)
    found: dict[tuple[str, tuple[str, ...], DataModel], Command] = {}
    for number, row in enumerate(rows):
        entry = _Entry(_checked(row, number, place), place.parent, root.resolve(), here.resolve())
        for command in entry.commands():
            found.setdefault((command.path, command.flags, command.model), command)
    if not found:
        raise InputError("no C file is compiled here", file=str(place))
    return list(found.values())


def _rows(place: Path) -> list[Any]:
    try:
        if place.stat().st_size > _LARGEST:
            raise InputError(f"has more than {_LARGEST >> 20} MB", file=str(place))
        rows = json.loads(place.read_bytes())
    except FileNotFoundError:
        raise InputError(
            "no such file",
            file=str(place),
            advice="a build tool writes it: cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=1, bear -- make",
        ) from None
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"cannot be read: {error}", file=str(place)) from None
    if not isinstance(rows, list):
        raise InputError("is not a list of compile commands", file=str(place))
    return rows


def _checked(row: Any, number: int, place: Path) -> dict[str, Any]:
    """The row, if it has the form of a compile command."""
    if isinstance(row, dict) and isinstance(row.get("file"), str):
        words = row.get("arguments")
        listed = isinstance(words, list) and all(isinstance(word, str) for word in words)
        if listed or (words is None and isinstance(row.get("command"), str)):
            texts = [row["file"], row.get("directory", ""), row.get("command", ""), *(words or ())]
            if all(isinstance(text, str) and "\0" not in text for text in texts):
                return row
    raise InputError(
        f"entry {number + 1} is no compile command",
        file=str(place),
        advice="an entry has file, directory, and arguments or command",
    )


class _Entry:
    """One row of a database; names in it are relative to its `directory`."""

    __slots__ = ("_folder", "_here", "_root", "_row")

    def __init__(self, row: dict[str, Any], base: Path, root: Path, here: Path) -> None:
        self._row = row
        self._folder = base / row.get("directory", "")
        self._root, self._here = root, here

    def commands(self) -> Iterator[Command]:
        """One command, or none if the file is no C source."""
        path = self._shown(self._row["file"])
        if not path.endswith(_SUFFIXES):
            return
        refused = ""
        flags: tuple[str, ...] = ()
        try:
            words = self._words()
        except ValueError as error:
            words, refused = [], f"its command cannot be read: {error}"
        if not (self._folder / self._row["file"]).resolve().is_relative_to(self._root):
            refused = f"it lies outside of {self._root}"
        if not refused:
            flags, refused = self._followed(words)
        models = [_MODELS[word] for word in flags if word in _MODELS]
        model = models[-1] if models else DataModel.LP64
        yield Command(path, tuple(f for f in flags if f not in _MODELS), model, refused)

    def _words(self) -> list[str]:
        """The flags of the command, without the compiler."""
        words = self._row.get("arguments")
        return (shlex.split(self._row["command"]) if words is None else words)[1:]

    def _followed(self, words: list[str]) -> tuple[tuple[str, ...], str]:
        """The flags for libclang, and why the file cannot be read, if it cannot."""
        kept: list[str] = []
        waiting = list(reversed(words))
        while waiting:
            word = waiting.pop()
            if word.startswith(_REFUSED):
                return (), f"the compiler flag {word} cannot be followed"
            if word in _SKIPPED_WITH_VALUE and waiting:
                waiting.pop()
            elif word == "-x" and waiting:
                if waiting.pop() not in ("c", "cpp-output"):
                    return (), "it is not compiled as C"
            elif word in _PATHS and waiting:
                kept += [word, self._shown(waiting.pop())]
            elif word in ("-D", "-U") and waiting:
                kept += [word, waiting.pop()]
            elif word.startswith("-I") and len(word) > 2:
                kept += ["-I", self._shown(word.removeprefix("-I"))]
            else:
                kept.append(word)
        passed, dropped = allowed(kept, self._root)
        if "-include" in dropped:
            file = dropped[dropped.index("-include") + 1]
            return (), f"the compiler flag -include {file} leads outside of {self._root}"
        return passed, ""

    def _shown(self, name: str) -> str:
        """A name that is right from the current folder, and short if it lies below."""
        full = os.path.normpath(self._folder / name)
        return os.path.relpath(full, self._here) if _is_below(full, self._here) else full


def _is_below(path: str, folder: Path) -> bool:
    return Path(path).is_relative_to(folder)

"""PATHs and options -> the programs that they mean.

A PATH is a file, which is a program with the files of `--link`; a folder, which stands for the
programs in it; or a task file (task_files.py). With `-p` it is a file of the project, which is
a program with those other files of the project that it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from precis.cli.flags import flags_of
from precis.cli.wiring import Reading, SourceFile, Target, definitions, replay_words, sources
from precis.errors import InputError
from precis.frontends.clang.flags import Headers
from precis.ir.types import DataModel

if TYPE_CHECKING:
    from precis.frontends.clang.database import Command


class Origin(Enum):
    """How a program came to be looked at: it was named, or lies in a folder that was."""

    NAMED = "named"
    FOLDER = "folder"


@dataclass(frozen=True, slots=True)
class Found:
    """A program that is meant; `refused` says why it cannot be read, if that is known already."""

    target: Target
    origin: Origin = Origin.NAMED
    refused: str = ""


def reading_of(options: dict[str, Any], flags: Sequence[str] = (), root: Path = Path()) -> Reading:
    """How the options say that files are read."""
    given = flags_of(flags, root)
    return Reading(
        given.model or DataModel(options["data_model"] or "LP64"),
        options["include"],
        options["defined"],
        options["undefined"],
        options["std"],
        given.passed,
        Headers(options["headers"] or "own"),
    )


@dataclass(frozen=True, slots=True)
class Chooser:
    """Finds programs: `reading` is what the options ask for, `root` the current folder."""

    reading: Reading
    root: Path
    link: tuple[str, ...] = ()
    database: str = ""
    cache: str = ""

    def one(self, path: str) -> Target:
        """The program that a file stands for."""
        if self.database:
            return self._of_project(path)
        return self._target(path)

    def all(self, paths: Sequence[str], entry: str, tell: Callable[[str], None]) -> list[Found]:
        """The programs of all PATHs, each once; without any, those of the project."""
        if self.database:
            return list(self._projects(paths, entry, tell))
        found: dict[str, Found] = {}
        for path in paths:
            if Path(path).is_dir():
                for inner in map(str, sources(Path(path))):
                    found.setdefault(inner, Found(self._target(inner), Origin.FOLDER))
            else:
                found.setdefault(path, Found(self._target(path)))
        return list(found.values())

    def files(self, paths: Sequence[str]) -> list[Found]:
        """Every file as something of its own."""
        if not self.database:
            return self.all(paths, "", lambda text: None)
        return [
            Found(replace(target, pool=()), refused=command.refused)
            for target, command in self._chosen(paths)
        ]

    # Files by name

    def _target(self, path: str) -> Target:
        names = [path, *(name for name in self._linked() if not _is_same(name, path))]
        words = replay_words(self.reading)
        options = None if words is None else (*words, *_link_words(self.link))
        files = tuple(SourceFile(name, self.reading) for name in names)
        return Target(path, files, (), options, self.cache)

    def _linked(self) -> list[str]:
        found: dict[str, None] = {}
        for name in self.link:
            inner = map(str, sources(Path(name))) if Path(name).is_dir() else (name,)
            found.update(dict.fromkeys(inner))
        return list(found)

    # Files of a project

    def _of_project(self, path: str) -> Target:
        chosen = self._chosen([path])
        for target, command in chosen:
            if not command.refused:
                return target
        raise InputError(chosen[0][1].refused, file=path)

    def _projects(
        self, paths: Sequence[str], entry: str, tell: Callable[[str], None]
    ) -> Iterator[Found]:
        """The files that were named, else all that define the entry (without one: all)."""
        chosen = self._chosen(paths)
        for number, (target, command) in enumerate(chosen, 1):
            if command.refused:
                yield Found(target, refused=command.refused)
            elif paths or not entry:
                yield Found(target)
            else:
                tell(f"{number} of {len(chosen)} files looked at")
                if self._defines(target.files[0], entry):
                    yield Found(target, Origin.FOLDER)

    def _defines(self, file: SourceFile, entry: str) -> bool:
        """A file that cannot be read is kept, to be reported."""
        try:
            return entry in definitions(file, self.cache).names
        except InputError:
            return True

    def _chosen(self, paths: Sequence[str]) -> list[tuple[Target, Command]]:
        """The commands of the files that are named, or of all, as programs."""
        from precis.frontends.clang.database import read_database

        commands = read_database(Path(self.database), self.root)
        chosen = [c for c in commands if not paths or any(_covers(p, c.path) for p in paths)]
        for path in paths:
            if not any(_covers(path, command.path) for command in chosen):
                raise InputError(f"is not compiled in {self.database}", file=path)
        readable = {c: self._file(c) for c in commands if not c.refused}
        counts: dict[str, int] = {}
        found = []
        for command in chosen:
            count = counts[command.path] = counts.get(command.path, 0) + 1
            name = command.path if count == 1 else f"{command.path} ({count})"
            found.append((self._compiled(name, command, readable), command))
        return found

    def _compiled(
        self, name: str, command: Command, readable: Mapping[Command, SourceFile]
    ) -> Target:
        files, pool = [self._file(command)], []
        if self.link:
            linked = self._linked()
            files += [f for f in readable.values() if any(_is_same(f.path, n) for n in linked)]
        else:
            pool = [
                file
                for other, file in readable.items()
                if other.path != command.path and other.model is command.model
            ]
        options = ("-p", self.database, *_link_words(self.link)) if name == command.path else None
        return Target(name, tuple(dict.fromkeys(files)), tuple(pool), options, self.cache)

    def _file(self, command: Command) -> SourceFile:
        how = replace(
            self.reading, model=command.model, flags=command.flags, headers=Headers.SYSTEM
        )
        return SourceFile(command.path, how)


def chooser(options: dict[str, Any], root: Path, flags: Sequence[str] = ()) -> Chooser:
    """From the options that all commands share."""
    if options["database"] and flags:
        raise InputError("with -p the flags are those of the project; none may follow --")
    return Chooser(
        reading_of(options, flags, root),
        root,
        options["link"],
        options["database"] or "",
        options["cache"],
    )


def _covers(path: str, file: str) -> bool:
    """Is it the file, or a folder above it?"""
    return _is_same(path, file) or Path(file).resolve().is_relative_to(Path(path).resolve())


def _is_same(one: str, other: str) -> bool:
    return one == other or Path(one).resolve() == Path(other).resolve()


def _link_words(link: Sequence[str]) -> list[str]:
    return [word for name in link for word in ("--link", name)]

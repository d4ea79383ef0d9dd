"""Source files and how they are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from precis.frontends.clang.flags import ClangFlags


@dataclass(frozen=True, slots=True)
class Source:
    path: Path
    flags: ClangFlags = field(default_factory=ClangFlags)


@dataclass(frozen=True, slots=True)
class Sources:
    """The files of a program. Those in `pool` join it only if they define something it needs."""

    files: tuple[Source, ...]
    pool: tuple[Source, ...] = ()


def sources(paths: Sequence[Path], flags: ClangFlags | None = None) -> Sources:
    """Files that are read in the same way."""
    return Sources(tuple(Source(path, flags or ClangFlags()) for path in paths))

"""What a translation unit was made of: the files it read and those it looked for in vain."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from precis.frontends.cache import Inputs, digest
from precis.frontends.clang.cursors import Unit
from precis.frontends.clang.flags import HEADERS, ClangFlags, search_folders

_ASKS: Final = re.compile(rb'has_include(?:_next)?\s*\(\s*["<]([^">\n]+)[">]')


def inputs_of(units: list[tuple[Unit, ClangFlags]]) -> Inputs:
    """Headers of Precis are left out: its version stands for them."""
    files: dict[str, bytes] = {}
    absent: dict[str, set[str]] = {}
    for unit, flags in units:
        for path, content in unit.files_read():
            if not path.startswith(str(HEADERS)):
                files.setdefault(path, digest(content))
        for place in dict.fromkeys(_candidates(unit, search_folders(flags))):
            if not os.path.lexists(place):
                folder, _, name = place.rpartition("/")
                absent.setdefault(folder or "/", set()).add(name)
    return Inputs(files, {folder: tuple(sorted(names)) for folder, names in absent.items()})


def _candidates(unit: Unit, folders: list[str]) -> Iterator[str]:
    """Where each name that is included, or asked for, is or could be."""
    wanted = dict.fromkeys(unit.include_names())
    for path, content in unit.files_read():
        asked = ((path, os.fsdecode(found[1])) for found in _ASKS.finditer(content))
        wanted.update(dict.fromkeys(asked))
    beside = {includer: str(Path(includer).parent) for includer, _ in wanted}
    for includer, name in wanted:
        yield name if name.startswith("/") else f"{beside[includer]}/{name}"
    for name in dict.fromkeys(name for _, name in wanted):
        if not name.startswith("/"):
            yield from (f"{folder}/{name}" for folder in folders)

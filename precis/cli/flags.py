"""Compiler flags after `--`: those that say how the source is to be read, and no others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from precis.errors import InputError
from precis.ir.types import DataModel

_MODELS: Final = {"-m32": DataModel.ILP32, "-m64": DataModel.LP64}
_ACCEPTED: Final = (
    "accepted are -I, -isystem, -iquote, -D, -U, -std=, -m32, -m64, -f(un)signed-char, "
    "-include with a file inside the current folder, and warnings (-W..., ignored)"
)


@dataclass(frozen=True, slots=True)
class Flags:
    """`model` is what -m32 or -m64 ask for."""

    passed: tuple[str, ...] = ()
    model: DataModel | None = None


def flags_of(words: Sequence[str], root: Path) -> Flags:
    """The flags for libclang; raises InputError for one that may not reach it."""
    from precis.frontends.clang.flags import allowed

    passed, dropped = allowed(words, root)
    for flag in dropped:
        if not _is_warning(flag):
            raise InputError(f"the compiler flag {flag} is not accepted", advice=_ACCEPTED)
    models = [_MODELS[flag] for flag in passed if flag in _MODELS]
    rest = tuple(flag for flag in passed if flag not in _MODELS)
    return Flags(rest, models[-1] if models else None)


def _is_warning(flag: str) -> bool:
    """-Wall, -Wno-x; not -Wp,x, which hands x to the preprocessor."""
    return flag.startswith("-W") and "," not in flag

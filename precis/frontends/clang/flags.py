"""The compiler flags that may reach libclang.

libclang acts on flags like a compiler: `-MD -MF x` writes x, `-fplugin` loads code. So flags of
a project pass an allow-list, and the rest is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

from precis.frontends.clang.system_headers import system_folders
from precis.ir.types import DataModel

HEADERS: Final = Path(__file__).resolve().parent.parent / "headers"
_PRELUDE: Final = HEADERS / "precis_prelude.h"  # read before every file
PREPROCESSED: Final = ".i"  # how the names of preprocessed files end

# Flags without a value, whole.
GNU89_INLINE: Final = "-fgnu89-inline"
_PLAIN: Final = frozenset(
    {"-fsigned-char", "-funsigned-char", "-fshort-enums", "-fno-short-enums", GNU89_INLINE}
    | {"-fms-extensions", "-fwrapv", "-fno-builtin", "-ffreestanding", "-fno-strict-aliasing"}
    | {"-fpack-struct", "-ansi", "-pedantic", "-trigraphs", "-m32", "-m64", "-w"}
)
_STANDARD: Final = re.compile(r"-std=[a-z0-9+:]+")
_WITH_VALUE: Final = ("-I", "-isystem", "-iquote", "-idirafter", "-D", "-U", "-include")

# What older C allows and gcc only warns of; not the errors of a program.
_TOLERATED: Final = (
    "implicit-function-declaration",
    "implicit-int",
    "int-conversion",
    "incompatible-function-pointer-types",
    "incompatible-pointer-types",
    "return-type",
    "main-return-type",
    "non-pod-varargs",
)


class Headers(Enum):
    """Where `#include <...>` looks after the folders of the flags."""

    OWN = "own"  # the headers that come with Precis, and nothing else
    SYSTEM = "system"  # those of this machine, where there are any


@dataclass(frozen=True, slots=True)
class ClangFlags:
    """How to read a file of a program. `extra` has passed `allowed`."""

    model: DataModel = DataModel.LP64
    include: tuple[str, ...] = ()
    define: tuple[str, ...] = ()
    undefine: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    headers: Headers = Headers.OWN


def allowed(flags: Sequence[str], root: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The flags that may pass, and those that are dropped; `-include` stays inside `root`."""
    passed: list[str] = []
    dropped: list[str] = []
    waiting = list(flags)
    while waiting:
        flag = waiting.pop(0)
        name = next((n for n in _WITH_VALUE if flag == n), None)
        if name is not None and waiting:
            value = waiting.pop(0)
            if name == "-include" and not _is_inside(value, root):
                dropped += [flag, value]
            else:
                passed += [flag, value]
        elif flag in _PLAIN or _STANDARD.fullmatch(flag) or _is_joined(flag):
            passed.append(flag)
        else:
            dropped.append(flag)
    return tuple(passed), tuple(dropped)


def _is_joined(flag: str) -> bool:
    """-Idir, -DNAME=VALUE: a value in the same word."""
    return len(flag) > 2 and flag[:2] in ("-I", "-D", "-U")


def _is_inside(path: str, root: Path) -> bool:
    return (root / path).resolve().is_relative_to(root.resolve())


def arguments(flags: ClangFlags, path: str) -> list[str]:
    """The command line for libclang to read a file with."""
    # In what is preprocessed `linux` and other macros of the compiler are plain names.
    words = ["-x", "cpp-output", "-undef"] if path.endswith(PREPROCESSED) else ["-x", "c"]
    words += ["-nostdinc", "-fno-blocks", "-ferror-limit=500"]
    words += ["-fbracket-depth=100000", "--target=x86_64-pc-linux-gnu"]
    words += ["-m32"] if flags.model is DataModel.ILP32 else ["-m64"]
    if not any(flag.startswith("-std=") for flag in flags.extra):
        words.append("-std=gnu17")
    words += [f"-Wno-{name}" for name in _TOLERATED]
    for folder in flags.include:
        words += ["-I", folder]
    words += [f"-D{text}" for text in flags.define]
    words += [f"-U{text}" for text in flags.undefine]
    words += list(flags.extra)
    for folder in _last_folders(flags):
        words += ["-isystem", folder]
    # Past the driver, which drops -include for what is preprocessed.
    words += ["-Xclang", "-include", "-Xclang", str(_PRELUDE)]
    return words


def has_gnu89_inline(flags: ClangFlags) -> bool:
    """Is `extern inline` a body to inline only, as gcc had it before C99?"""
    standards = [f for f in flags.extra if f.startswith("-std=") or f == "-ansi"]
    old = bool(standards) and (standards[-1] == "-ansi" or standards[-1][-2:] in ("89", "90"))
    return GNU89_INLINE in flags.extra or old


def search_folders(flags: ClangFlags) -> list[str]:
    """Every folder in which headers are looked for, beside that of the file that includes."""
    found = list(flags.include)
    waiting = list(flags.extra)
    while waiting:
        flag = waiting.pop(0)
        if flag in _FOLDERS and waiting:
            found.append(waiting.pop(0))
        elif flag.startswith("-I"):
            found.append(flag.removeprefix("-I"))
    return [*found, *_last_folders(flags)]


_FOLDERS: Final = ("-I", "-isystem", "-iquote", "-idirafter")


def _last_folders(flags: ClangFlags) -> tuple[str, ...]:
    system = system_folders() if flags.headers is Headers.SYSTEM else ()
    return (*system, str(HEADERS))

"""Where this machine keeps its C headers, found by looking, without running anything.

Projects are configured for the headers of the machine they are built on. A compiler's own
headers (stddef.h, stdarg.h) come from gcc if there is one; else those of Precis, which are
searched last, take their place. `stand_ins` is searched first: it has headers for what clang
cannot read of gcc's, and for what a machine without 32-bit libraries lacks.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

STAND_INS: Final = Path(__file__).resolve().parent.parent / "stand_ins"
_GCC: Final = Path("/usr/lib/gcc")
_LIBC: Final = ("/usr/local/include", "/usr/include/x86_64-linux-gnu", "/usr/include")


@cache
def system_folders() -> tuple[str, ...]:
    """The folders, in the order they are searched; none if there is no C library to build with."""
    if not any(Path(folder, "stdio.h").is_file() for folder in _LIBC):
        return ()
    libc = [folder for folder in _LIBC if Path(folder).is_dir()]
    return (str(STAND_INS), *_compiler_folders(), *libc)


def _compiler_folders() -> list[str]:
    """The newest gcc's own headers."""
    found = [folder for folder in _GCC.glob("x86_64*/*/include") if (folder / "stddef.h").is_file()]
    found.sort(key=lambda folder: [int(n) for n in re.findall(r"\d+", folder.parent.name)])
    return [str(found[-1])] if found else []

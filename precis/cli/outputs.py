"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from pathlib import Path
from types import TracebackType
from typing import Self

from precis.errors import ToolError


class Output:
    """A file under way: its text goes to a neighbour, which takes its place in the end.

    Making one proves that it can be written, so that nobody waits for a report in vain. A
    device or pipe is written as it is. Raises ToolError.
    """

    __slots__ = ("_file", "_path", "_shown", "_temporary")

    def __init__(self, path: str) -> None:
        self._shown = path
        self._path = Path(os.path.realpath(path))  # a link stays a link
        self._temporary: Path | None = None
        try:
            if _is_special(self._path):
                handle = os.open(self._path, os.O_WRONLY)
            else:
                self._temporary = self._path.with_name(f".precis-{secrets.token_hex(8)}.tmp")
                handle = os.open(self._temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
            self._file = os.fdopen(handle, "w", encoding="utf-8", newline="\n")
        except OSError as error:
            raise self._failure(error) from error

    def write(self, text: str) -> None:
        try:
            self._file.write(text)
        except OSError as error:
            raise self._failure(error) from error

    def commit(self) -> None:
        """Let the text take its place."""
        try:
            self._file.close()
            if self._temporary is not None:
                self._temporary.replace(self._path)
                self._temporary = None
        except OSError as error:
            raise self._failure(error) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with contextlib.suppress(OSError):
            self._file.close()
        if self._temporary is not None:
            with contextlib.suppress(OSError):
                self._temporary.unlink()

    def _failure(self, error: OSError) -> ToolError:
        return ToolError("disk", f"cannot write {self._shown}: {error.strerror}")


def _is_special(path: Path) -> bool:
    """Something else than a file stands there; raises OSError for what cannot be written."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return False
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder")
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, "permission denied")
    return not stat.S_ISREG(mode)

"""What was made of source files, kept on disk for as long as nothing it was made of changes.

An entry is found by a key: what is asked for, of which files, by which Precis. It holds with
the files that were read, by the digest of their content, and with the names that were looked
for and not found: a header that appears in front of another one is a change, too. Entries are
written whole or not at all; one that is damaged, or out of date, counts as none.

Nothing is executed or unpickled that lies here; a digest guards against accidents.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

_LOG: Final = logging.getLogger(__name__)
_MAGIC: Final = b"precis cache 1\n"
_DIGEST: Final = 20  # bytes
_BOUND: Final = 1 << 30  # bytes that a cache may hold
_KEPT: Final = 0.8  # how much of them after some were removed
_ROUND: Final = 64  # entries written between two looks at the size
_PACKAGE: Final = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Inputs:
    """What something was made of: digests of files, and names that a folder does not have."""

    files: Mapping[str, bytes] = field(default_factory=dict)
    absent: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_DIGEST).digest()


@cache
def fingerprint(*others: Path) -> bytes:
    """Of the code that makes entries: the front ends, the IR, and other files it relies on."""
    parts = hashlib.blake2b(digest_size=_DIGEST)
    for room in ("ir", "frontends"):
        for path in sorted((_PACKAGE / room).rglob("*")):
            if path.suffix in (".py", ".c", ".h", ".json"):
                parts.update(f"{path.relative_to(_PACKAGE)}\n".encode() + digest(path.read_bytes()))
    for path in others:
        status = path.stat()
        parts.update(f"{path} {status.st_size} {status.st_mtime_ns}\n".encode())
    return parts.digest()


class Disk:
    """Files and folders as they are now; what was read is remembered until it changes."""

    __slots__ = ("_digests", "_names")

    def __init__(self) -> None:
        self._digests: dict[str, tuple[tuple[int, int, int], bytes]] = {}
        self._names: dict[str, tuple[int, frozenset[str]]] = {}

    def holds(self, inputs: Inputs) -> bool:
        """Is everything as it was?"""
        try:
            return all(self.digest(name) == known for name, known in inputs.files.items()) and all(
                self._names_in(folder).isdisjoint(names) for folder, names in inputs.absent.items()
            )
        except OSError:
            return False

    def digest(self, name: str) -> bytes:
        status = os.stat(name)  # noqa: PTH116 - a Path takes longer than the call
        state = (status.st_ino, status.st_size, status.st_mtime_ns)
        known = self._digests.get(name)
        if known is None or known[0] != state:
            known = self._digests[name] = (state, digest(Path(name).read_bytes()))
        return known[1]

    def _names_in(self, folder: str) -> frozenset[str]:
        try:
            changed = os.stat(folder).st_mtime_ns  # noqa: PTH116 - as above
        except (FileNotFoundError, NotADirectoryError):
            return frozenset()
        known = self._names.get(folder)
        if known is None or known[0] != changed:
            known = self._names[folder] = (
                changed,
                frozenset(entry.name for entry in os.scandir(folder)),
            )
        return known[1]


class Cache:
    """A folder of entries. Whatever goes wrong with it, the work is done without it."""

    __slots__ = ("_bound", "_disk", "_folder", "_written")

    def __init__(self, folder: Path, bound: int = _BOUND) -> None:
        self._folder = folder
        self._bound = bound
        self._disk = Disk()
        self._written = 0

    def get(self, key: bytes) -> bytes | None:
        """The content under a key, if it still holds."""
        path = self._path(key)
        try:
            data = path.read_bytes()
            inputs, content = _opened(data)
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            _LOG.debug("cache entry %s is not used: %s", path, error)
            return None
        if not self._disk.holds(inputs):
            return None
        with contextlib.suppress(OSError):
            os.utime(path)  # what is used is removed last
        return content

    def put(self, key: bytes, inputs: Inputs, content: bytes) -> None:
        path = self._path(key)
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _write_whole(path, _closed(inputs, content))
            if self._written % _ROUND == 0:
                self._make_room()
            self._written += 1
        except OSError as error:
            _LOG.debug("no cache entry %s: %s", path, error)

    def _path(self, key: bytes) -> Path:
        name = key.hex()
        return self._folder / name[:2] / name[2:]

    def _make_room(self) -> None:
        """Remove what was not used for longest, if there is too much."""
        entries = list(_entries(self._folder))
        held = sum(size for _, size, _ in entries)
        if held <= self._bound:
            return
        for _, size, path in sorted(entries):
            if held <= self._bound * _KEPT:
                return
            Path(path).unlink(missing_ok=True)
            held -= size


def _entries(folder: Path) -> Iterable[tuple[int, int, str]]:
    """When each entry was last used, its size and its name."""
    for part in os.scandir(folder):
        if part.is_dir(follow_symlinks=False):
            for entry in os.scandir(part.path):
                with contextlib.suppress(FileNotFoundError):  # another process was faster
                    status = entry.stat(follow_symlinks=False)
                    yield status.st_mtime_ns, status.st_size, entry.path


def _closed(inputs: Inputs, content: bytes) -> bytes:
    rest = msgspec.msgpack.encode((inputs, content))
    return _MAGIC + digest(rest) + rest


def _opened(data: bytes) -> tuple[Inputs, bytes]:
    """Inverse of `_closed`; raises ValueError for anything else."""
    head = len(_MAGIC)
    rest = data[head + _DIGEST :]
    if data[:head] != _MAGIC or data[head : head + _DIGEST] != digest(rest):
        raise ValueError("damaged")
    return msgspec.msgpack.decode(rest, type=tuple[Inputs, bytes])


def _write_whole(path: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise

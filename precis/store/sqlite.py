"""A store of summaries in a file of SQLite.

Several processes may use it at a time: each entry is a transaction of its own, so one that is
killed loses nothing. Entries that were not of use for longest go first when there is no room.
Whatever the disk refuses costs only the store: there is one warning, and the work goes on
without it. A file that is no store, or is damaged, is put aside for a new one.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, final

from precis.engine.summary import Kept, Trace
from precis.store.codec import closed, digest, opened
from precis.store.fingerprint import fingerprint

NAME: Final = "summaries.sqlite"
_LOG: Final = logging.getLogger(__name__)
_FORMAT: Final = 1
_BOUND: Final = 1 << 30  # bytes that the store may hold
_KEPT: Final = 0.8  # how much of its entries after some were removed
_ROUND: Final = 512  # entries written between two looks at the size
_PATIENCE: Final = 10.0  # seconds to wait for another process
_WAYS: Final = 16  # entries of one key that are looked at
_DAY: Final = 86_400
_DAMAGED: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_BUSY: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


@final
class SqliteStore:
    """Implements `SummaryStore`."""

    __slots__ = ("_bound", "_connection", "_is_off", "_path", "_process", "_written")

    def __init__(self, folder: Path, bound: int = _BOUND) -> None:
        self._path = folder / NAME
        self._bound = bound
        self._connection: sqlite3.Connection | None = None
        self._process = 0
        self._written = 0
        self._is_off = False

    def traces(self, key: bytes) -> Sequence[Trace]:
        rows = self._rows(
            "SELECT trace FROM summaries WHERE key = ? ORDER BY used DESC, way LIMIT ?",
            (_own(key), _WAYS),
        )
        found = []
        for (data,) in rows:
            with contextlib.suppress(ValueError):
                found.append(opened(data, Trace))
        return found

    def kept(self, key: bytes, trace: Trace) -> Kept | None:
        where = (_own(key), _way(trace))
        for data, used in self._rows(
            "SELECT kept, used FROM summaries WHERE key = ? AND way = ?", where
        ):
            with contextlib.suppress(ValueError):
                found = opened(data, Kept)
                if used != _today():
                    self._write(
                        "UPDATE summaries SET used = ? WHERE key = ? AND way = ?",
                        (_today(), *where),
                    )
                return found
        return None

    def keep(self, key: bytes, trace: Trace, kept: Kept) -> None:
        try:
            values = (_own(key), _way(trace), closed(trace), closed(kept), _today())
        except ValueError as error:  # a text that is no Unicode
            _LOG.debug("a summary is not kept: %s", error)
            return
        self._write("INSERT OR REPLACE INTO summaries VALUES (?, ?, ?, ?, ?)", values)
        self._written += 1
        if self._written % _ROUND == 0:
            self._make_room()

    def is_there(self) -> bool:
        """Can it be used at all? If not, there is a warning."""
        return bool(self._rows("SELECT 1", ()))

    def close(self) -> None:
        if self._connection is not None:
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None

    # The file.

    def _rows(self, statement: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
        try:
            connection = self._opened()
            return [] if connection is None else connection.execute(statement, values).fetchall()
        except (sqlite3.Error, OSError) as error:
            self._failed(error)
            return []

    def _write(self, statement: str, values: tuple[object, ...]) -> None:
        try:
            connection = self._opened()
            if connection is not None:
                connection.execute(statement, values)
        except (sqlite3.Error, OSError) as error:
            self._failed(error)

    def _opened(self) -> sqlite3.Connection | None:
        """The connection of this process; None if there is no store."""
        if self._is_off:
            return None
        if self._connection is None or self._process != os.getpid():
            self._connection = _connected(self._path)
            self._process = os.getpid()
        return self._connection

    def _failed(self, error: Exception) -> None:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in _BUSY:
            _LOG.debug("the store of summaries is busy: %s", error)
            return
        self.close()
        self._is_off = True
        _LOG.warning("summaries are not kept: %s: %s", self._path, error)

    def _make_room(self) -> None:
        """Remove what was not of use for longest, if there is too much."""
        try:
            connection = self._opened()
            if connection is None or _size(connection) <= self._bound:
                return
            (count,) = connection.execute("SELECT COUNT(*) FROM summaries").fetchone()
            connection.execute(
                "DELETE FROM summaries WHERE (key, way) IN "
                "(SELECT key, way FROM summaries ORDER BY used, key, way LIMIT ?)",
                (int(count * (1 - _KEPT)) + 1,),
            )
            connection.execute("VACUUM")
        except (sqlite3.Error, OSError) as error:
            self._failed(error)


def _connected(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        return _prepared(path)
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF not in _DAMAGED:
            raise
        _LOG.debug("%s is damaged, and made anew: %s", path, error)
    for name in (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))):
        name.unlink(missing_ok=True)
    return _prepared(path)


def _prepared(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version not in (0, _FORMAT):
            connection.execute("DROP TABLE IF EXISTS summaries")
        connection.executescript(Path(__file__).with_name("schema.sql").read_text("utf-8"))
        connection.execute(f"PRAGMA user_version = {_FORMAT}")
    except BaseException:
        connection.close()
        raise
    return connection


def _size(connection: sqlite3.Connection) -> int:
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    (size,) = connection.execute("PRAGMA page_size").fetchone()
    return int(pages) * int(size)


def _own(key: bytes) -> bytes:
    """A key of this very Precis."""
    return digest(fingerprint() + key)


def _way(trace: Trace) -> bytes:
    return digest(closed(trace))


def _today() -> int:
    return int(time.time()) // _DAY

"""The store on disk: damage, several processes, a disk that refuses."""

from __future__ import annotations

import logging
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from precis.engine.summary import Asked, Kept, KeptOne, KeptOpen, KeptUnlooked, Trace
from precis.store.sqlite import NAME, SqliteStore

KEY = b"k" * 20
TRACE = Trace(
    (("h", b"m" * 20),), (Asked("f", 0, 1, 2, 0, True, b"d" * 20),), (),
    ((0, 0, -1), (0, 3, 0)),
)  # fmt: skip
FOUND = KeptOpen("f", 3, "open", "why", 1, (("g", 0, 1),), True, False, True, True)
UNLOOKED = KeptUnlooked("g", 0, 1, "why", 0, True, False)
ONE = KeptOne(
    b"summary",
    (FOUND,),
    (UNLOOKED,),
    ((0, -1, "reason"),),
    ("f",),
    10,
    20,
    False,
    (("f", 1, "why"),),
)
KEPT = Kept((ONE,), ((0, 0, -1), (0, 1, 0)), 30)


def test_what_is_kept_comes_back(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    assert store.is_there() and not store.traces(KEY)
    store.keep(KEY, TRACE, KEPT)
    store.keep(KEY, TRACE, KEPT)
    for other in (store, SqliteStore(tmp_path)):
        assert list(other.traces(KEY)) == [TRACE]
        assert other.kept(KEY, TRACE) == KEPT
        assert not other.traces(b"x" * 20) and other.kept(b"x" * 20, TRACE) is None


def changed(folder: Path, column: str, value: bytes) -> SqliteStore:
    with sqlite3.connect(folder / NAME) as connection:
        connection.execute(f"UPDATE summaries SET {column} = ?", (value,))
    return SqliteStore(folder)


@pytest.mark.parametrize("value", [b"", b"x", b"x" * 100])
def test_a_damaged_entry_is_none(tmp_path: Path, value: bytes) -> None:
    SqliteStore(tmp_path).keep(KEY, TRACE, KEPT)
    assert changed(tmp_path, "kept", value).kept(KEY, TRACE) is None
    assert not changed(tmp_path, "trace", value).traces(KEY)


def test_an_entry_of_another_kind_is_none(tmp_path: Path) -> None:
    from precis.store.codec import closed

    SqliteStore(tmp_path).keep(KEY, TRACE, KEPT)
    assert changed(tmp_path, "kept", closed(TRACE)).kept(KEY, TRACE) is None


def test_a_file_that_is_no_store_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b"not a database" * 100)
    store = SqliteStore(tmp_path)
    store.keep(KEY, TRACE, KEPT)
    assert store.kept(KEY, TRACE) == KEPT


def test_a_store_of_another_format_is_emptied(tmp_path: Path) -> None:
    SqliteStore(tmp_path).keep(KEY, TRACE, KEPT)
    with sqlite3.connect(tmp_path / NAME) as connection:
        connection.execute("PRAGMA user_version = 77")
    store = SqliteStore(tmp_path)
    assert not store.traces(KEY)
    store.keep(KEY, TRACE, KEPT)
    assert SqliteStore(tmp_path).kept(KEY, TRACE) == KEPT


def test_a_disk_that_refuses_costs_one_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("in the way")
    store = SqliteStore(tmp_path / "file")
    with caplog.at_level(logging.WARNING):
        assert not store.is_there()
        store.keep(KEY, TRACE, KEPT)
        assert not store.traces(KEY) and store.kept(KEY, TRACE) is None
    assert len(caplog.records) == 1 and "summaries are not kept" in caplog.text


def test_a_disk_that_is_full_costs_one_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = SqliteStore(tmp_path)
    store.keep(KEY, TRACE, KEPT)
    connection = store._opened()
    assert connection is not None
    connection.execute("PRAGMA max_page_count = 1")
    large = Kept((KeptOne(os.urandom(1 << 20), (), (), (), (), 0, 0, False, ()),), (), 0)
    with caplog.at_level(logging.WARNING):
        store.keep(b"l" * 20, TRACE, large)
        store.keep(b"m" * 20, TRACE, large)
    assert len(caplog.records) == 1
    assert SqliteStore(tmp_path).kept(KEY, TRACE) == KEPT


def test_what_was_not_of_use_makes_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("precis.store.sqlite._ROUND", 8)
    store = SqliteStore(tmp_path, bound=1 << 18)
    for number in range(64):
        kept = Kept((KeptOne(os.urandom(1 << 14), (), (), (), (), 0, 0, False, ()),), (), 0)
        store.keep(number.to_bytes(20, "big"), TRACE, kept)
    store.close()
    assert (tmp_path / NAME).stat().st_size < 1 << 19


WRITER = """
import sys
from pathlib import Path
from precis.store.sqlite import SqliteStore
from tests.store.test_sqlite import KEPT, TRACE
store = SqliteStore(Path(sys.argv[1]))
for number in range(100):
    store.keep(f"{sys.argv[2]}{number}".encode(), TRACE, KEPT)
    assert store.kept(f"{sys.argv[2]}{number}".encode(), TRACE) == KEPT
"""


def test_two_processes_write_at_a_time(tmp_path: Path) -> None:
    root = Path(__file__).parent.parent.parent
    command = [sys.executable, "-c", WRITER, str(tmp_path)]
    started = [subprocess.Popen([*command, name], cwd=root) for name in "ab"]
    assert [process.wait(120) for process in started] == [0, 0]
    store = SqliteStore(tmp_path)
    for name in "ab":
        for number in range(100):
            assert store.kept(f"{name}{number}".encode(), TRACE) == KEPT

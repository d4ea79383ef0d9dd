"""The cache gives what was made before, and only as long as nothing it was made of changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from precis.frontends.cache import Cache, Inputs, digest
from precis.frontends.clang import parse
from precis.frontends.clang.flags import ClangFlags
from precis.frontends.clang.link import Extent
from precis.frontends.clang.parse import ClangFrontEnd
from precis.ir.program import Program

SOURCE = '#include "size.h"\nint main(void) { return SIZE; }\n'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "size.h").write_text("#define SIZE 1\n")
    (tmp_path / "a.c").write_text(SOURCE)
    return tmp_path


def flags(project: Path, *extra: str) -> ClangFlags:
    return ClangFlags(include=(str(project / "one"), str(project / "two")), extra=extra)


def load(project: Path, how: ClangFlags | None = None, entry: str = "main") -> Program:
    front_end = ClangFrontEnd(how or flags(project), entry, cache=Cache(project / "cache"))
    return front_end.load([project / "a.c"])


def entries(project: Path) -> list[Path]:
    return sorted(path for path in (project / "cache").rglob("*") if path.is_file())


@pytest.fixture
def no_parsing(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """From where it is switched on, nothing may be parsed."""
    return monkeypatch


def forbid(patch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object) -> None:
        raise AssertionError("parsed although the cache has it")

    patch.setattr(parse, "run", fail)


def test_a_second_load_parses_nothing(project: Path, no_parsing: pytest.MonkeyPatch) -> None:
    first = load(project)
    forbid(no_parsing)
    assert load(project) == first


@pytest.mark.parametrize(
    "change",
    [
        lambda project: (project / "a.c").write_text(SOURCE.replace("SIZE;", "SIZE + 1;")),
        lambda project: (project / "two" / "size.h").write_text("#define SIZE 2\n"),
        lambda project: (project / "one" / "size.h").write_text("#define SIZE 3\n"),
        lambda project: (project / "size.h").write_text("#define SIZE 3\n"),
    ],
    ids=["source", "header", "header in front", "header beside"],
)
def test_a_change_is_noticed(project: Path, change: object) -> None:
    before = load(project)
    assert callable(change)
    change(project)
    after = load(project)
    assert after == ClangFrontEnd(flags(project)).load([project / "a.c"])
    assert after != before


def test_a_header_that_was_only_asked_for_is_noticed(project: Path) -> None:
    text = '#if __has_include("extra.h")\n#define SIZE 9\n#else\n#include "size.h"\n#endif\n'
    (project / "a.c").write_text(text + "int main(void) { return SIZE; }\n")
    before = load(project)
    (project / "two" / "extra.h").write_text("")
    assert load(project) != before


def test_what_is_asked_for_is_part_of_the_key(project: Path) -> None:
    load(project)
    load(project, flags(project, "-DOTHER"))
    load(project, entry="start")
    everything = ClangFrontEnd(
        flags(project), extent=Extent.EVERYTHING, cache=Cache(project / "cache")
    )
    everything.load([project / "a.c"])
    assert len(entries(project)) == 4


@pytest.mark.parametrize("damage", [b"", b"precis cache 1\n", b"x" * 400])
def test_a_damaged_entry_is_ignored_and_rewritten(project: Path, damage: bytes) -> None:
    first = load(project)
    (entry,) = entries(project)
    whole = entry.read_bytes()
    entry.write_bytes(damage)
    assert load(project) == first
    assert entry.read_bytes() == whole
    entry.write_bytes(whole[:-1])
    assert load(project) == first
    assert entry.read_bytes() == whole


def test_a_failing_file_is_not_kept(project: Path) -> None:
    (project / "a.c").write_text("int main(void) { return }")
    with pytest.raises(Exception, match="expected expression"):
        load(project)
    assert entries(project) == []


def test_a_cache_that_cannot_be_written_does_no_harm(project: Path) -> None:
    (project / "cache").write_text("a file in its place")
    assert load(project).entry == "main"


def test_the_least_recently_used_entries_go_first(tmp_path: Path) -> None:
    cache = Cache(tmp_path, bound=5000)
    keys = [digest(bytes([number])) for number in range(65)]
    for age, key in enumerate(keys[:64]):
        cache.put(key, Inputs(), bytes(100))
        (entry,) = (path for path in tmp_path.rglob(key.hex()[2:]))
        os.utime(entry, (age, age))
    assert cache.get(keys[0]) == bytes(100)  # used: the youngest now
    cache.put(keys[64], Inputs(), bytes(100))
    held = [key for key in keys if cache.get(key) is not None]
    assert held[0] == keys[0] and keys[1] not in held and keys[64] in held
    assert sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file()) <= 5000

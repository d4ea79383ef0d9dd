"""compile_commands.json: what is read of it, and that nothing of it is run or written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from precis.errors import InputError
from precis.frontends.clang.database import Command, read_database
from precis.frontends.clang.flags import ClangFlags
from precis.frontends.clang.parse import load
from precis.ir.types import DataModel


def commands(folder: Path, *rows: Any, here: Path | None = None) -> list[Command]:
    (folder / "compile_commands.json").write_text(json.dumps(rows), "utf-8")
    return read_database(folder, here or folder)


def row(folder: Path, *flags: str, file: str = "a.c") -> dict[str, Any]:
    return {"directory": str(folder), "file": file, "arguments": ["cc", *flags, "-c", file]}


def test_arguments_and_command_mean_the_same(tmp_path: Path) -> None:
    listed = row(tmp_path, "-DNAME=a b", "-I", "include", "-O2", "-Wall")
    typed = {"directory": str(tmp_path), "file": "a.c", "command": "cc '-DNAME=a b' -Iinclude a.c"}
    found = commands(tmp_path, listed, typed)
    assert found == [Command("a.c", ("-DNAME=a b", "-I", "include"), DataModel.LP64)]


def test_names_are_relative_to_the_folder_of_the_entry(tmp_path: Path) -> None:
    entry = row(tmp_path / "build", "-I..", "-isystem", "sys", "-iquote../q", file="../src/a.c")
    (found,) = commands(tmp_path, entry)
    assert found.path == "src/a.c"
    assert found.flags == ("-I", ".", "-isystem", "build/sys")
    outside = commands(tmp_path, entry, here=tmp_path / "elsewhere")[0]
    assert outside.path == str(tmp_path / "src" / "a.c")


def test_each_way_of_compiling_a_file_counts_once(tmp_path: Path) -> None:
    rows = [row(tmp_path, "-DA"), row(tmp_path, "-DA", "-O2"), row(tmp_path, "-DB")]
    assert [c.flags for c in commands(tmp_path, *rows)] == [("-DA",), ("-DB",)]


def test_the_data_model_is_that_of_the_last_flag(tmp_path: Path) -> None:
    (found,) = commands(tmp_path, row(tmp_path, "-m64", "-m32"))
    assert (found.model, found.flags) == (DataModel.ILP32, ())


def test_files_that_are_no_c_are_left_out(tmp_path: Path) -> None:
    rows = [row(tmp_path, file=name) for name in ("a.cpp", "b.S", "c.c", "d.i")]
    assert [c.path for c in commands(tmp_path, *rows)] == ["c.c", "d.i"]


@pytest.mark.parametrize(
    "flags",
    [
        ["-fplugin=./evil.so"],
        ["-Xclang", "-load", "-Xclang", "./evil.so"],
        ["-load", "./evil.so"],
        ["-MD", "-MF", "written.d"],
        ["-MMD", "-MFwritten.d"],
        ["-Wp,-MD,written.d"],
        ["-o", "written.o"],
        ["-save-temps"],
        ["--serialize-diagnostics", "written.d"],
        ["-fmodules-cache-path=written"],
        ["-B", "."],
    ],
)
def test_flags_that_do_something_are_dropped(flags: list[str], tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text("int main(void) { return 0; }")
    (tmp_path / "evil.so").write_text("not loaded")
    (found,) = commands(tmp_path, row(tmp_path, *flags))
    assert (found.flags, found.refused) == ((), "")
    assert load([source], ClangFlags(extra=found.flags)).entry == "main"
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"a.c", "evil.so", "compile_commands.json"}


@pytest.mark.parametrize(
    ("flags", "reason"),
    [
        (["@flags.txt"], "@flags.txt cannot be followed"),
        (["-imacros", "x.h"], "-imacros cannot be followed"),
        (["--sysroot=/x"], "--sysroot=/x cannot be followed"),
        (["-include", "../outside.h"], "leads outside"),
        (["-include", "/etc/hostname"], "leads outside"),
        (["-x", "c++"], "not compiled as C"),
    ],
)
def test_flags_that_cannot_be_followed_refuse_their_file(
    flags: list[str], reason: str, tmp_path: Path
) -> None:
    refused, fine = commands(tmp_path, row(tmp_path, *flags), row(tmp_path, file="b.c"))
    assert reason in refused.refused and not refused.flags
    assert not fine.refused


@pytest.mark.parametrize("file", ["/etc/x.c", "../x.c", "link/x.c"])
def test_a_file_outside_of_the_project_is_refused(file: str, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "link").symlink_to("/etc")
    (found,) = commands(project, row(project, file=file))
    assert "outside" in found.refused


def test_a_command_that_cannot_be_taken_apart_is_refused(tmp_path: Path) -> None:
    (found,) = commands(tmp_path, {"directory": ".", "file": "a.c", "command": "cc 'a.c"})
    assert "cannot be read" in found.refused


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        "[1]",
        "[" * 100_000,
        '[{"file": 3}]',
        '[{"file": "a.c"}]',
        '[{"file": "a.c", "arguments": [1]}]',
        '[{"file": "a\\u0000.c", "command": "cc"}]',
    ],
)
def test_what_is_no_database(text: str, tmp_path: Path) -> None:
    (tmp_path / "compile_commands.json").write_text(text, "utf-8")
    with pytest.raises(InputError, match=r"compile_commands\.json"):
        read_database(tmp_path, tmp_path)


def test_a_missing_database_is_explained(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="bear"):
        read_database(tmp_path, tmp_path)

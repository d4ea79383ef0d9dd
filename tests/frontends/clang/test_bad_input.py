"""What the user can mend is an InputError with a place, never a traceback."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from precis.errors import InputError
from precis.frontends.clang.child import Ending, Limits, run
from precis.frontends.clang.flags import ClangFlags, allowed
from precis.frontends.clang.parse import load
from tests.frontends.clang.lowering import lower


def refused(*paths: Path, limits: Limits | None = None) -> InputError:
    with pytest.raises(InputError) as caught:
        load(paths, limits=limits)
    return caught.value


def test_missing_file(tmp_path: Path) -> None:
    assert str(refused(tmp_path / "none.c")) == f"{tmp_path}/none.c: no such file"


def test_directory(tmp_path: Path) -> None:
    assert "is a directory" in str(refused(tmp_path))


def test_fifo_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.c")
    assert "not a regular file" in str(refused(tmp_path / "pipe.c"))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_unreadable_file(tmp_path: Path) -> None:
    path = tmp_path / "secret.c"
    path.write_text("int main(void) { return 0; }")
    path.chmod(0)
    assert "permission denied" in str(refused(path))


def test_binary_file(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_bytes(b"\x7fELF\0\0\0")
    assert "binary file" in str(refused(path))


def test_empty_file_has_no_functions(tmp_path: Path) -> None:
    path = tmp_path / "empty.c"
    path.write_text("")
    assert str(refused(path)) == f"{path}: no function is defined here"


def test_syntax_error_has_its_place(tmp_path: Path) -> None:
    path = tmp_path / "broken.c"
    path.write_text("int main(void) {\n    return 1 +;\n}\n")
    error = refused(path)
    assert (error.file, error.line, error.column) == (str(path), 2, 15)
    assert error.message == "expected expression"


def test_missing_header_is_named_and_explained(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text('#include "project.h"\nint main(void) { return 0; }\n')
    error = refused(path)
    assert "project.h" in error.message
    assert error.line == 1
    assert "-I DIR" in error.advice


def test_included_header_is_found_by_flag(tmp_path: Path) -> None:
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "project.h").write_text("#define STATUS 3\n")
    flags = ClangFlags(include=(str(tmp_path / "include"),))
    source = '#include "project.h"\nint main(void) { return STATUS; }\n'
    assert lower(source, tmp_path, flags).entry == "main"


def test_two_mains(tmp_path: Path) -> None:
    first, second = tmp_path / "a.c", tmp_path / "b.c"
    first.write_text("int main(void) { return 0; }\n")
    second.write_text("\nint main(void) { return 1; }\n")
    error = refused(first, second)
    assert (error.file, error.line) == (str(second), 2)
    assert f"{first}:1:5" in error.message


def test_two_mains_in_one_file(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text("int main(void) { return 0; }\nint main(void) { return 1; }\n")
    assert "redefinition of 'main'" in refused(path).message


def test_failed_static_assertion(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text('_Static_assert(sizeof(int) == 3, "odd machine");\n')
    assert "odd machine" in refused(path).message


def test_time_limit(tmp_path: Path) -> None:
    path = tmp_path / "long.c"
    path.write_text("int x[] = {" + "1," * 400_000 + "};\nint main(void) { return x[0]; }")
    assert "longer than 0.5 seconds" in str(refused(path, limits=Limits(seconds=0.5)))


def test_crash_of_the_child_is_an_answer() -> None:
    def crash() -> bytes:
        os.abort()

    answer = run(crash, Limits())
    assert answer.ending is Ending.CRASHED
    assert answer.signal == 6


def test_exception_in_the_child_is_told() -> None:
    def fail() -> bytes:
        raise ValueError("the reason")

    answer = run(fail, Limits())
    assert answer.ending is Ending.BROKEN
    assert b"the reason" in answer.content


def test_memory_limit() -> None:
    answer = run(lambda: bytes(3 << 30), Limits(megabytes=256))
    assert answer.ending is Ending.OUT_OF_MEMORY


def test_only_harmless_flags_pass(tmp_path: Path) -> None:
    good = "-Iinclude -I other -DX=1 -U Y -std=c99 -m32 -funsigned-char -include inside.h"
    bad = "-include ../outside.h -MD -MF out.d -o a.out -fplugin=x.so -Xclang -load @file -c"
    passed, dropped = allowed([*bad.split(), *good.split()], tmp_path)
    assert " ".join(passed) == good
    assert " ".join(dropped) == bad

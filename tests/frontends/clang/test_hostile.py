"""Sources that try to use up time, memory or the stack end with a message, within the limits."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from precis.errors import InputError
from precis.frontends.clang.child import Limits
from precis.frontends.clang.parse import load

LIMITS = Limits(seconds=60.0, megabytes=1024)


def outcome(path: Path, limits: Limits = LIMITS) -> str:
    """The message, or nothing if the program was read; in time in any case."""
    start = time.monotonic()
    try:
        load([path], limits=limits)
        message = ""
    except InputError as error:
        message = str(error)
    assert time.monotonic() - start < limits.seconds + 10
    return message


def test_a_source_of_20_megabytes(tmp_path: Path) -> None:
    path = tmp_path / "big.c"
    lines = "".join(f"int f{n}(int a) {{ return a + {n}; }}\n" for n in range(1000))
    filler = "/* " + "x" * 90 + " */\n"
    path.write_text(lines + filler * (20_000_000 // len(filler)) + "int main(void) { return 0; }")
    assert path.stat().st_size > 20_000_000
    assert outcome(path) == ""


def test_200_levels_of_includes(tmp_path: Path) -> None:
    for level in range(200):
        (tmp_path / f"h{level}.h").write_text(f'#include "h{level + 1}.h"\n')
    (tmp_path / "h200.h").write_text("#define STATUS 3\n")
    path = tmp_path / "deep.c"
    path.write_text('#include "h0.h"\nint main(void) { return STATUS; }\n')
    message = outcome(path)
    assert message == "" or "too deeply" in message


def test_a_header_that_includes_itself(tmp_path: Path) -> None:
    (tmp_path / "self.h").write_text('#include "self.h"\n')
    path = tmp_path / "a.c"
    path.write_text('#include "self.h"\nint main(void) { return 0; }\n')
    assert "nested too deeply" in outcome(path)


def test_a_macro_bomb(tmp_path: Path) -> None:
    path = tmp_path / "bomb.c"
    rows = "".join(f"#define M{n} M{n - 1} M{n - 1} M{n - 1} M{n - 1}\n" for n in range(1, 30))
    path.write_text(f"#define M0 x +\n{rows}int main(void) {{ int x = 1; return M29 0; }}\n")
    message = outcome(path, Limits(seconds=8.0, megabytes=400))
    assert "took longer" in message or "memory" in message or "crashed" in message


def test_a_loop_of_links(tmp_path: Path) -> None:
    (tmp_path / "a.c").symlink_to(tmp_path / "b.c")
    (tmp_path / "b.c").symlink_to(tmp_path / "a.c")
    with pytest.raises(InputError, match="cannot be read"):
        load([tmp_path / "a.c"])
    (tmp_path / "h.h").symlink_to(tmp_path / "h.h")
    path = tmp_path / "main.c"
    path.write_text('#include "h.h"\nint main(void) { return 0; }\n')
    assert "h.h" in outcome(path)

"""Bad input gets a message, the right exit status and no traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest


def precis(
    *arguments: str | Path, timeout: float = 120, given: str = ""
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "precis", *map(str, arguments)],
        input=given,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=timeout,
        check=False,
    )
    assert "Traceback" not in done.stderr
    return done


@pytest.fixture
def source(tmp_path: Path):  # type: ignore[no-untyped-def]
    def write(text: str, name: str = "program.c") -> Path:
        path = tmp_path / name
        path.write_text(text, "utf-8")
        return path

    return write


def test_no_such_file(tmp_path: Path) -> None:
    done = precis("run", tmp_path / "missing.c")
    assert done.returncode == 2
    assert "missing.c" in done.stderr and "no such file" in done.stderr.lower()


def test_folder_without_c(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing", "utf-8")
    done = precis("run", tmp_path)
    assert done.returncode == 2
    assert "no C files" in done.stderr


def test_syntax_error(source) -> None:  # type: ignore[no-untyped-def]
    done = precis("run", source("int main(void) {\n    return 1 +;\n}\n"))
    assert done.returncode == 2
    assert "program.c:2:" in done.stderr and "expected expression" in done.stderr


def test_missing_header(source) -> None:  # type: ignore[no-untyped-def]
    done = precis("run", source('#include "config.h"\nint main(void) { return 0; }\n'))
    assert done.returncode == 2
    assert "config.h" in done.stderr and "-I" in done.stderr


@pytest.mark.parametrize(
    "arguments", [["run", "--bogus", "x.c"], ["frobnicate"], ["run"], ["run", "--seed", "x", "a.c"]]
)
def test_wrong_usage(arguments: list[str]) -> None:
    done = precis(*arguments)
    assert done.returncode == 2
    assert "--help" in done.stderr


def test_unknown_property(source) -> None:  # type: ignore[no-untyped-def]
    done = precis("run", "--property", "termination", source("int main(void) { return 0; }\n"))
    assert done.returncode == 2
    assert "termination" in done.stderr and "memory-safety" in done.stderr


def test_binary_file(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_bytes(b"\x7fELF\x02\x01\x01" + bytes(range(256)) * 40)
    done = precis("run", path)
    assert done.returncode == 2
    assert "binary" in done.stderr


def test_unreadable_bytes_in_an_include_path(source) -> None:  # type: ignore[no-untyped-def]
    done = precis("run", "-I", "/nowhere\x1b[31m", source("int main(void) { return 0; }\n"))
    assert "\x1b" not in done.stderr


def test_huge_line(source) -> None:  # type: ignore[no-untyped-def]
    text = "int table[] = {" + "1," * 2_500_000 + "1};\nint main(void) { return table[9] - 1; }\n"
    done = precis("run", source(text), timeout=300)
    assert done.returncode in (0, 2)
    if done.returncode == 2:
        assert "program.c" in done.stderr


def test_nested_parentheses(source) -> None:  # type: ignore[no-untyped-def]
    text = "int main(void) { return " + "(" * 10_000 + "0" + ")" * 10_000 + "; }\n"
    done = precis("run", source(text))
    # gcc accepts this; a refusal would have to name the place.
    assert done.returncode == 0 or "program.c:1" in done.stderr


def test_fifo(tmp_path: Path) -> None:
    path = tmp_path / "pipe.c"
    os.mkfifo(path)
    done = precis("run", path, timeout=20)
    assert done.returncode == 2
    assert "not a regular file" in done.stderr


def test_interrupt_during_a_run(source) -> None:  # type: ignore[no-untyped-def]
    path = source('#include <stdio.h>\nint main(void) { puts("on"); fflush(stdout); for (;;) ; }\n')
    process = subprocess.Popen(
        [sys.executable, "-m", "precis", "run", path],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    time.sleep(2.0)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "interrupted" in errors and "Traceback" not in errors
    assert output == "on\n"


@pytest.mark.parametrize("text", ["", "\n\n", "/* nothing */\n", "int x;\n"])
def test_empty_program(source, text: str) -> None:  # type: ignore[no-untyped-def]
    done = precis("run", source(text))
    assert done.returncode == 2
    assert "main" in done.stderr or "no function" in done.stderr


def test_two_definitions_of_main(source) -> None:  # type: ignore[no-untyped-def]
    text = "int main(void) { return 0; }\nint main(void) { return 1; }\n"
    done = precis("run", source(text))
    assert done.returncode == 2
    assert "program.c:2" in done.stderr and "main" in done.stderr


def test_endless_loop_with_a_time_limit(source) -> None:  # type: ignore[no-untyped-def]
    done = precis("run", "--timeout", "1", source("int main(void) { for (;;) ; }\n"), timeout=30)
    assert done.returncode == 5
    assert "time limit" in done.stderr


def test_endless_allocation_with_a_memory_limit(source) -> None:  # type: ignore[no-untyped-def]
    text = "#include <stdlib.h>\nint main(void) { for (;;) malloc(100000); }\n"
    done = precis("run", "--memory", "50", source(text), timeout=60)
    assert done.returncode == 5
    assert "memory" in done.stderr


def test_endless_recursion_with_a_memory_limit(source) -> None:  # type: ignore[no-untyped-def]
    text = "static int f(int n) { return f(n + 1) + 1; }\nint main(void) { return f(0); }\n"
    done = precis("run", "--memory", "100", source(text), timeout=120)
    assert done.returncode == 5


def test_values_used_up(source) -> None:  # type: ignore[no-untyped-def]
    text = (
        "extern int __VERIFIER_nondet_int(void);\n"
        "int main(void) {\n    int a = __VERIFIER_nondet_int();\n"
        "    return a + __VERIFIER_nondet_int();\n}\n"
    )
    done = precis("run", "--values", "1", source(text))
    assert done.returncode == 2
    assert "program.c:4" in done.stderr


def test_values_that_are_no_numbers(source) -> None:  # type: ignore[no-untyped-def]
    done = precis("run", "--values", "1,two", source("int main(void) { return 0; }\n"))
    assert done.returncode == 2
    assert "two" in done.stderr


def test_hostile_file_name(tmp_path: Path) -> None:
    path = tmp_path / "a\x1b[31m\n<script>.c"
    path.write_text("int main(void) { int *p = 0; return *p; }\n", "utf-8")
    done = precis("run", path)
    assert done.returncode == 100
    assert "\x1b" not in done.stderr


def test_closed_output(source) -> None:  # type: ignore[no-untyped-def]
    path = source(
        '#include <stdio.h>\nint main(void) { for (int i = 0; i < 100000; i++) puts("y"); }\n'
    )
    line = f"{sys.executable} -m precis run {path} | head -1"
    done = subprocess.run(line, shell=True, capture_output=True, text=True, check=False)
    assert done.stdout == "y\n"
    assert "Traceback" not in done.stderr

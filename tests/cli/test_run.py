"""`precis run` as users call it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"

ECHO = r"""
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
int main(int argc, char **argv) {
    char line[32];
    int n = __VERIFIER_nondet_int();
    for (int i = 1; i < argc; i++)
        printf("%s ", argv[i]);
    if (fgets(line, sizeof line, stdin))
        printf("%s", line);
    fprintf(stderr, "done\n");
    printf("%d\n", n);
    return 3;
}
"""


def precis(*arguments: str | Path, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "precis", *map(str, arguments)],
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def echo(tmp_path: Path) -> Path:
    path = tmp_path / "echo.c"
    path.write_text(ECHO, "utf-8")
    return path


def test_streams_arguments_and_status(echo: Path) -> None:
    done = precis("run", "--values", "-5", echo, "--", "one", "two", given="line\n")
    assert done.stdout == "one two line\n-5\n"
    assert done.stderr == "done\n"
    assert done.returncode == 3


def test_stdin_from_a_file(echo: Path, tmp_path: Path) -> None:
    (tmp_path / "in").write_text("from a file\n", "utf-8")
    done = precis("run", "--values", "1", "--stdin", tmp_path / "in", echo)
    assert done.stdout == "from a file\n1\n"


def test_a_recorded_run_repeats(echo: Path, tmp_path: Path) -> None:
    record = tmp_path / "run.json"
    first = precis("run", "--seed", "12", "--record", record, echo, given="typed\n")
    again = precis("run", "--replay", record, echo)
    assert again.stdout == first.stdout
    assert again.returncode == first.returncode == 3
    assert json.loads(record.read_text("utf-8"))


def test_a_recorded_violation_repeats_with_its_settings(tmp_path: Path) -> None:
    path, record = tmp_path / "program.c", tmp_path / "run.json"
    path.write_text(
        "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\n"
        "int main(void) {\n    int n = __VERIFIER_nondet_int();\n"
        "    for (int i = 0; i < 20; i++) {\n        int *p = malloc(4);\n"
        "        *p = n;\n        p = 0;\n    }\n    return 0;\n}\n",
        "utf-8",
    )
    first = precis("run", "--malloc", "may-fail", "--seed", "5", "--record", record, path)
    again = precis("run", "--replay", record, path)
    assert first.returncode == again.returncode == 100
    assert first.stderr == again.stderr
    leak = precis("run", "--replay", record, "--property", "leaks", path)
    assert "violation: memory-leak" in leak.stderr
    path.write_text("int main(void) { return 0; }\n", "utf-8")
    changed = precis("run", "--replay", record, path)
    assert changed.returncode == 0
    assert "did not end as the recorded one" in changed.stderr


def test_a_record_of_something_else_is_refused(echo: Path, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text("{}", "utf-8")
    done = precis("run", "--replay", tmp_path / "run.json", echo)
    assert done.returncode == 2
    assert "cannot replay" in done.stderr


def test_seeds_choose_different_inputs(echo: Path) -> None:
    outputs = {precis("run", "--seed", str(seed), echo).stdout for seed in range(4)}
    assert len(outputs) > 1
    assert precis("run", "--seed", "2", echo).stdout == precis("run", "--seed", "2", echo).stdout


def test_batch_of_inputs(echo: Path, tmp_path: Path) -> None:
    (tmp_path / "inputs.json").write_text("[[1], [2], []]", "utf-8")
    done = precis("run", "--batch", tmp_path / "inputs.json", "--stdin", "/dev/null", echo)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["stdout"] for row in rows[:2]] == ["1\n", "2\n"]
    assert [row["status"] for row in rows] == [3, 3, 2]


def test_violation_report() -> None:
    done = precis("run", EXAMPLES / "buggy" / "use_after_free.c")
    assert done.returncode == 100
    first, *rest = done.stderr.splitlines()
    assert first == f"violation: use-after-free {EXAMPLES / 'buggy' / 'use_after_free.c'}:9"
    text = "\n".join(rest)
    assert "list = list->next" in text
    assert "drop at" in text and "main at" in text
    assert "what to do" in text


def test_folder_of_correct_examples() -> None:
    done = precis("run", "--runs", "3", EXAMPLES / "correct")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1].endswith("10 without a violation")


def test_folder_of_buggy_examples() -> None:
    done = precis("run", "--property", "memory-safety", "--property", "leaks",
                  "--property", "assertions", "--runs", "10", EXAMPLES / "buggy")  # fmt: skip
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == "6 programs, 0 without a violation"


def test_printed_ir_runs_like_its_source(tmp_path: Path) -> None:
    source = EXAMPLES / "correct" / "tree_sort.c"
    printed = precis("ir", source)
    assert printed.returncode == 0
    (tmp_path / "tree.pir").write_text(printed.stdout, "utf-8")
    assert precis("run", tmp_path / "tree.pir").stdout == precis("run", source).stdout


@pytest.mark.parametrize("model, size", [("LP64", "8 8"), ("ILP32", "4 4")])
def test_data_models(tmp_path: Path, model: str, size: str) -> None:
    path = tmp_path / "sizes.c"
    path.write_text(
        "#include <stdio.h>\nstruct s { char c; void *p; };\n"
        'int main(void) { printf("%d %d\\n", (int)sizeof(long), '
        "(int)(sizeof(struct s) - sizeof(void *))); return 0; }\n",
        "utf-8",
    )
    assert precis("run", "--data-model", model, path).stdout == size + "\n"


def test_an_array_of_negative_length_is_undecided(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text("int main(void) {\n    int n = -3;\n    int a[n];\n    a[0] = 1;\n}\n", "utf-8")
    done = precis("run", path)
    assert done.returncode == 5
    assert "program.c:3" in done.stderr and "-12 bytes" in done.stderr

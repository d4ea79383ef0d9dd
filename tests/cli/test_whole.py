"""Programs of many files, projects and task files, as users give them to the command."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from precis.cli.lowering import _unit
from precis.cli.wiring import Reading, target_of
from precis.frontends.clang.system_headers import system_folders
from precis.ir import values

HEADER = """
struct node { struct node *next; int value; };
struct stack { struct node *top; int height; };
int push(struct stack *s, int value);
int pop(struct stack *s, int *value);
void clear(struct stack *s);
extern int pushes;
"""
PUSH = """
int pushes;
static struct node *fresh(int value)
{
    struct node *n = malloc(sizeof *n);
    if (n)
        n->value = value;
    return n;
}
int push(struct stack *s, int value)
{
    struct node *n = fresh(value);
    if (!n)
        return 0;
    n->next = s->top;
    s->top = n;
    s->height++;
    pushes++;
    return 1;
}
"""
POP = """
int pop(struct stack *s, int *value)
{
    struct node *n = s->top;
    if (!n)
        return 0;
    s->top = n->next;
    s->height--;
    *value = n->value;
    free(n);
    return 1;
}
void clear(struct stack *s)
{
    int ignored;
    while (pop(s, &ignored))
        ;
}
"""
MAIN = """
int main(void)
{
    struct stack s = {0};
    push(&s, 1);
    push(&s, 2);
    clear(&s);
    return pushes > 2;
}
"""
WRONG = MAIN.replace("    clear(&s);\n", "    clear(&s);\n    return s.top->value;\n")


def precis(
    folder: Path, *arguments: str | Path, **environment: str
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "precis", *map(str, arguments)],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert "Traceback" not in done.stderr and "bug in Precis" not in done.stderr
    return done


def verdict(done: subprocess.CompletedProcess[str]) -> str:
    return done.stdout.rstrip("\n").rpartition("\n")[2]


def write(folder: Path, **texts: str) -> None:
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.c").write_text(text, "utf-8")


def split(folder: Path, main: str = MAIN) -> None:
    """The program as one file, and as three."""
    head = "#include <stdlib.h>\n" + HEADER
    write(folder, whole=head + PUSH + POP + main)
    (folder / "stack.h").write_text(HEADER)
    include = '#include <stdlib.h>\n#include "stack.h"\n'
    write(folder / "parts", main=include.replace("stack.h", "../stack.h") + main)
    write(folder / "parts", push=include.replace("stack.h", "../stack.h") + PUSH)
    write(folder / "parts", pop=include.replace("stack.h", "../stack.h") + POP)


PARTS = ("parts/main.c", "--link", "parts/push.c", "--link", "parts/pop.c")


def printed(text: str) -> list[str]:
    """Printed IR without places and the names of files."""
    lines = [re.sub(r" @ \S+$| @ \S+ \{$", "", line) for line in text.splitlines()]
    return [line for line in lines if not line.startswith(("source ", "file "))]


def test_a_program_in_three_files_is_the_one_in_one_file(tmp_path: Path) -> None:
    split(tmp_path)
    one, three = precis(tmp_path, "ir", "whole.c"), precis(tmp_path, "ir", *PARTS)
    assert printed(one.stdout) == printed(three.stdout) != []
    by_folder = precis(tmp_path, "ir", "parts/main.c", "--link", "parts")
    assert sorted(printed(by_folder.stdout)) == sorted(printed(one.stdout))


@pytest.mark.parametrize(("main", "status"), [(MAIN, 0), (WRONG, 1)])
def test_a_program_in_three_files_has_the_same_verdict(
    main: str, status: int, tmp_path: Path
) -> None:
    split(tmp_path, main)
    one, three = precis(tmp_path, "check", "whole.c"), precis(tmp_path, "check", *PARTS)
    assert verdict(one) == verdict(three)
    assert (one.returncode, three.returncode) == (status, status)


def test_a_violation_in_linked_files_is_repeated_by_the_command_it_shows(tmp_path: Path) -> None:
    split(tmp_path, WRONG)
    done = precis(tmp_path, "check", *PARTS)
    (command,) = re.findall(r"repeat: precis (.*)", done.stdout)
    assert "--link parts/push.c" in command
    again = precis(tmp_path, *command.split())
    assert again.returncode == 100 and "null-dereference" in again.stderr


def test_commands_take_linked_files(tmp_path: Path) -> None:
    split(tmp_path)
    assert precis(tmp_path, "run", *PARTS).returncode == 0
    summaries = precis(tmp_path, "summarize", *PARTS, "--function", "pop")
    assert summaries.returncode == 0 and summaries.stdout.startswith("pop")
    alone = precis(tmp_path, "run", "parts/main.c")
    assert alone.returncode == 5 and "no body" in alone.stderr


def test_a_conflict_names_both_places(tmp_path: Path) -> None:
    split(tmp_path)
    done = precis(tmp_path, "check", "whole.c", "--link", "parts/push.c")
    assert done.returncode == 2
    assert "whole.c:" in done.stderr and "parts/push.c:" in done.stderr
    assert "defined twice" in done.stderr


# Projects


def database(folder: Path, *files: str, flags: tuple[str, ...] = ()) -> None:
    rows = [
        {"directory": str(folder), "file": file, "arguments": ["cc", *flags, "-c", file]}
        for file in files
    ]
    (folder / "compile_commands.json").write_text(json.dumps(rows), "utf-8")


def test_a_project(tmp_path: Path) -> None:
    split(tmp_path)
    write(tmp_path / "parts", other="int other; int main(void) { return other; }")
    database(tmp_path, *(f"parts/{name}.c" for name in ("main", "push", "pop", "other")))
    done = precis(tmp_path, "check", "-p", ".")
    assert done.returncode == 0, done.stdout + done.stderr
    names = [line.split()[0] for line in done.stdout.splitlines() if line.startswith("parts")]
    assert names == ["parts/main.c", "parts/other.c"]
    assert precis(tmp_path, "run", "-p", ".", "parts/main.c").returncode == 0
    alone = precis(tmp_path, "check", "-p", ".", "parts/main.c")
    assert verdict(alone) == "verdict: SAFE"
    missing = precis(tmp_path, "check", "-p", ".", "whole.c")
    assert missing.returncode == 2 and "not compiled in" in missing.stderr


def test_a_file_that_fails_costs_only_itself(tmp_path: Path) -> None:
    write(tmp_path, fine="int main(void) { return 0; }", bad="int main(void) { return }")
    write(tmp_path, lost='#include "missing.h"\nint main(void) { return 0; }')
    write(tmp_path, odd="int main(void) { return 0; }")
    database(tmp_path, "fine.c", "bad.c", "lost.c")
    rows = json.loads((tmp_path / "compile_commands.json").read_text())
    rows.append({"directory": str(tmp_path), "file": "odd.c", "arguments": ["cc", "@flags"]})
    (tmp_path / "compile_commands.json").write_text(json.dumps(rows))
    done = precis(tmp_path, "check", "-p", ".")
    assert done.returncode == 2
    assert "fine.c  SAFE" in done.stdout
    assert "bad.c:1:25: expected expression" in done.stderr
    assert "'missing.h' file not found" in done.stderr and "install the package" in done.stderr
    assert "the compiler flag @flags cannot be followed" in done.stderr


def test_a_hostile_project_runs_and_writes_nothing(tmp_path: Path) -> None:
    write(tmp_path, a="int main(void) { return 0; }")
    flags = ("-fplugin=./x.so", "-Xclang", "-load", "-Xclang", "./x.so", "-MD", "-MF", "x.d")
    database(tmp_path, "a.c", "../../../../../../etc/passwd.c", flags=(*flags, "-o", "x.o"))
    before = sorted(tmp_path.iterdir())
    done = precis(tmp_path, "check", "-p", ".")
    assert "a.c" in done.stdout and "outside of" in done.stderr
    assert sorted(tmp_path.iterdir()) == before


# Preprocessed files, task files


def test_a_preprocessed_file(tmp_path: Path) -> None:
    text = '# 1 "a.c"\n# 1 "<built-in>" 1\n# 3 "a.c" 2\nint linux(void) { return 0; }\n'
    (tmp_path / "a.i").write_text(text + "int main(void) { return linux(); }\n")
    assert verdict(precis(tmp_path, "check", "a.i")) == "verdict: SAFE"


SIZES = """
extern void reach_error(void);
int main(void) { if (sizeof(long) == 4) reach_error(); return 0; }
"""


def task(folder: Path, model: str, expected: str, *files: str) -> Path:
    (folder / "reach.prp").write_text("CHECK( init(main()), LTL(G ! call(reach_error())) )\n")
    listed = ", ".join(f"'{file}'" for file in files)
    (folder / "task.yml").write_text(
        f"format_version: '2.0'\ninput_files: [{listed}]\nproperties:\n"
        f"  - property_file: reach.prp\n    expected_verdict: {expected}\n"
        f"options:\n  language: C\n  data_model: {model}\n"
    )
    return folder / "task.yml"


@pytest.mark.parametrize(
    ("model", "expected", "said", "status"),
    [
        ("LP64", "true", "expected true, as found", 0),
        ("ILP32", "false", "expected false, as found", 1),
        ("ILP32", "true", "expected true, WRONG: UNSAFE was found", 1),
    ],
)
def test_a_task_file(model: str, expected: str, said: str, status: int, tmp_path: Path) -> None:
    write(tmp_path, sizes=SIZES)
    task(tmp_path, model, expected, "sizes.c")
    done = precis(tmp_path, "check", "task.yml")
    assert f"task.yml: {said}" in done.stdout
    assert done.returncode == status


def test_a_task_of_several_files_and_properties(tmp_path: Path) -> None:
    split(tmp_path)
    path = task(tmp_path, "LP64", "true", "parts/main.c", "parts/push.c", "parts/pop.c")
    (tmp_path / "free.prp").write_text("CHECK( init(main()), LTL(G valid-free) )\n")
    text = path.read_text().replace(
        "options:", "  - property_file: free.prp\n    expected_verdict: true\noptions:"
    )
    path.write_text(text)
    done = precis(tmp_path, "check", "task.yml")
    assert "task.yml [reach]: expected true, as found" in done.stdout
    assert "task.yml [free]: expected true, as found" in done.stdout
    one = precis(tmp_path, "check", "--property", "free.prp", "task.yml")
    assert "task.yml: expected true, as found" in one.stdout


@pytest.mark.parametrize(
    "text", ["", "- 1", "input_files: []", "a: &a [*a]", "options: {language: Java}", "[" * 5000]
)
def test_what_is_no_task_file(text: str, tmp_path: Path) -> None:
    (tmp_path / "task.yml").write_text(text)
    done = precis(tmp_path, "check", "task.yml")
    assert done.returncode == 2 and "task.yml" in done.stderr


def test_32_bit_by_flag(tmp_path: Path) -> None:
    write(tmp_path, sizes=SIZES)
    assert precis(tmp_path, "check", "sizes.c").returncode == 0
    assert precis(tmp_path, "check", "sizes.c", "--", "-m32").returncode == 1


# Machines without tools, the cache, lowering


def test_no_compiler_is_needed(tmp_path: Path) -> None:
    split(tmp_path)
    done = precis(tmp_path, "check", "whole.c", "--no-cache", PATH="")
    assert verdict(done) == "verdict: SAFE"


def test_the_cache_is_where_it_is_wanted(tmp_path: Path) -> None:
    split(tmp_path)
    precis(tmp_path, "check", "whole.c", "--no-cache", XDG_CACHE_HOME=str(tmp_path / "xdg"))
    assert not (tmp_path / "xdg").exists()
    first = precis(tmp_path, "check", "whole.c", "--cache", "kept")
    assert any((tmp_path / "kept").rglob("*"))
    again = precis(tmp_path, "check", "whole.c", "--cache", "kept")
    assert first.stdout == again.stdout
    precis(tmp_path, "check", "whole.c", XDG_CACHE_HOME=str(tmp_path / "xdg"))
    assert (tmp_path / "xdg" / "precis").is_dir()


def test_lowering_is_reported(tmp_path: Path) -> None:
    unknown = "int g(void) { _Complex double z = 1; return 1; }"
    write(tmp_path, a="int f(void) { return 1; }", b=unknown)
    write(tmp_path, c="int h(void) { return }", d="int only_data[3];")
    done = precis(tmp_path, "lower", ".", "--json", "out.json")
    assert done.returncode == 2
    assert "c.c:1:22: expected expression" in done.stdout
    assert "translation units: 4, 1 failed" in done.stdout
    assert "procedures: 2, 1 with unsupported constructs (50.00% without)" in done.stdout
    units = json.loads((tmp_path / "out.json").read_text())["units"]
    assert [unit["procedures"] for unit in units] == [1, 1, 0, 0]
    assert list(units[1]["unsupported"].values()) == [1]


@pytest.mark.skipif(not system_folders(), reason="no C library headers here")
def test_the_benchmark_of_lowering(tmp_path: Path) -> None:
    write(tmp_path, a='#include <stdio.h>\nint f(void) { return puts("x"); }')
    database(tmp_path, "a.c")
    done = precis(tmp_path, "bench", "lower", ".")
    assert done.returncode == 0, done.stderr
    assert "translation units: 1, 0 failed" in done.stdout and "from the cache:" in done.stdout


def test_nothing_of_a_file_stays_when_it_is_lowered(tmp_path: Path) -> None:
    write(tmp_path, a="int f(int n) { return n * 12345 + 678; }")
    known = len(values._table)
    unit = _unit(target_of(tmp_path / "a.c", Reading()))
    assert unit.procedures == 1
    assert len(values._table) == known

"""Verdicts against what Predator's tests expect: its messages, the comparison, the command."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from precis.bench.checking.answers import Answer, Claim, Shown, no_answer
from precis.bench.predator.checks import SUFFIX, checkout
from precis.bench.predator.expected import Error, Expected, Kind, expected
from precis.bench.predator.judge import Outcome, judged
from precis.bench.predator.score import lines

NULL, LOST, ASSERTED = Error(Kind.MEMORY, 4), Error(Kind.LEAK, 9), Error(Kind.REACHED, 7)

MESSAGES = (
    ("", Expected()),
    ("t.c:3: note: writing heap graph to 'a.dot'...\n", Expected()),
    ("t.c:3: warning: end of function main() has not been reached\n", Expected()),
    ("t.c:3: warning: ignoring call of undefined function: f()\n", Expected()),
    (
        "t.c:4: error: dereference of NULL value with offset 8B\nt.c:2: note: from call of f()\n",
        Expected((NULL,)),
    ),
    ("t.c:4: error: dereferencing object of size 4B out of bounds\n", Expected((NULL,))),
    ("t.c:4: error: double free by free()\n", Expected((NULL,))),
    ("t.c:4:17: error: free() called with offset 8B\n", Expected((NULL,))),
    ("t.c:4: error: attempt to free a non-heap object\n", Expected((NULL,))),
    ("t.c:9: warning: memory leak detected while destroying a variable on stack\n" * 2,
     Expected((LOST,))),
    ("t.c:7: error: ___sl_error() reached, analysis of this code path will not continue\n",
     Expected((ASSERTED,))),
    ("t.c:7: error: call depth exceeds SE_MAX_CALL_DEPTH (64)\n",
     Expected(gave_up="call depth exceeds SE_MAX_CALL_DEPTH (64)")),
    ("t.c:4: error: invalid dereference\nt.c:5: warning: something new\n",
     Expected((NULL,), "something new")),
    ("internal compiler error\n", Expected(gave_up="internal compiler error")),
)  # fmt: skip


@pytest.mark.parametrize(("text", "wanted"), MESSAGES)
def test_messages_are_sorted(text: str, wanted: Expected) -> None:
    assert expected(text) == wanted


def test_expectations_in_words() -> None:
    assert str(Expected()) == "correct"
    assert str(Expected(gave_up="too deep")) == "unknown (too deep)"
    errors = (LOST, NULL, Error(Kind.LEAK, 2))
    assert str(Expected(errors)) == "leak at 2, 9, memory at 4"


SHOWN_NULL = Answer("UNSAFE", "null-dereference", shown=(Shown("null-dereference", 4),))
SHOWN_LEAK = Answer("UNSAFE", "memory-leak", shown=(Shown("memory-leak", 9),))
NOT_FREED = Answer("UNSAFE", "not-freed", shown=(Shown("not-freed", 12),))
BOTH = Answer("UNSAFE", "not-freed", shown=(*NOT_FREED.shown, *SHOWN_NULL.shown))
OPEN = Answer(
    "UNKNOWN",
    reason="no block is lost at t.c:9: the time is used up",
    claims=(Claim("leaks", "memory-leak", 9, "open", "the time is used up"),),
)

OUTCOMES = (
    (Expected(), Answer("SAFE"), Outcome.SAFE),
    (Expected(), OPEN, Outcome.UNDECIDED),
    (Expected(), SHOWN_NULL, Outcome.WRONG_UNSAFE),
    (Expected((NULL,)), Answer("SAFE"), Outcome.WRONG_SAFE),
    (Expected((NULL,)), OPEN, Outcome.UNDECIDED),
    (Expected((NULL,)), SHOWN_NULL, Outcome.UNSAFE),
    (Expected((NULL,)), SHOWN_LEAK, Outcome.OTHER_PROPERTY),
    (Expected((NULL,)), BOTH, Outcome.OTHER_PROPERTY),
    (Expected((LOST,)), NOT_FREED, Outcome.UNSAFE),
    (Expected((LOST, NULL)), BOTH, Outcome.UNSAFE),
    (Expected(gave_up="too deep"), Answer("SAFE"), Outcome.NOT_COMPARED),
    (Expected(gave_up="too deep"), SHOWN_NULL, Outcome.NOT_COMPARED),
    (Expected((NULL,), "too deep"), Answer("SAFE"), Outcome.WRONG_SAFE),
    (Expected(), no_answer("bad-input: not C"), Outcome.UNDECIDED),
    (Expected(), no_answer("internal-error: oops"), Outcome.CRASH),
)


@pytest.mark.parametrize(("wanted", "answer", "outcome"), OUTCOMES)
def test_answers_are_judged(wanted: Expected, answer: Answer, outcome: Outcome) -> None:
    assert judged("t", wanted, answer).outcome is outcome


def test_difference_in_a_line() -> None:
    wrong = judged("t", Expected((NULL,)), SHOWN_LEAK)
    assert wrong.differs
    assert str(wrong) == (
        "UNSAFE by another property: t: expected memory at 4; said UNSAFE memory-leak at line 9"
    )


def test_table() -> None:
    some = [judged("t", wanted, answer, 1.0) for wanted, answer, _ in OUTCOMES]
    table = list(lines(some))
    assert table[0].split() == ["programs", "15"]
    assert "wrong SAFE                           2" in table
    assert any("2 of them correct, 1 with an error" in line for line in table)
    assert any("1 SAFE, 1 UNSAFE, 0 UNKNOWN" in line for line in table)
    assert "     1 memory-leak: the time is used up" in table
    assert table[-1] == "seconds: 15.0 in all checks, 1.00 for a program"


HEADER = """
#ifdef PREDATOR
void ___sl_error(const char *message);
void __VERIFIER_plot(const char *name, ...);
#endif
int __nondet();
"""
CORRECT = """
#include <stdlib.h>
#include <verifier-builtins.h>
void elsewhere(void);
int main(void) {
    int *p = malloc(sizeof *p);
    *p = 1;
    elsewhere();
    if (*p != 1)
        ___sl_error("changed");
    free(p);
    return 0;
}
"""
REACHED = """
#include <verifier-builtins.h>
int main(void) {
    int drawn;
    __VERIFIER_plot("first", &drawn);
    if (__nondet() == 5)
        ___sl_error("five");
    return 0;
}
"""
LEFT = """
#include <stdlib.h>
static char *kept;
int main(void) { kept = malloc(3); exit(0); }
"""
ERROR = "error: ___sl_error() reached, analysis of this code path will not continue"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder like a checkout, with programs that Precis and the expectations agree on."""
    tests, headers = tmp_path / "tests/predator-regre", tmp_path / "include/predator-builtins"
    tests.mkdir(parents=True)
    headers.mkdir(parents=True)
    (headers / "verifier-builtins.h").write_text(HEADER)
    for name, source, output in (
        ("test-1", CORRECT, "test-1.c:8: warning: ignoring call of undefined function: f()\n"),
        ("test-2", REACHED, f"test-2.c:7: {ERROR}\n"),
        ("test-3", LEFT, "test-3.c:4: warning: memory leak detected while destroying\n"),
    ):
        (tests / f"{name}.c").write_text(source)
        (tests / f"{name}{SUFFIX}").write_text(output)
    (tests / "test-4.c").write_text("int main(void) { return 0; }\n")
    (tests / "test-4.err").write_text("")
    return tmp_path


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "precis", "bench", "predator", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


def test_programs_of_a_checkout(folder: Path) -> None:
    found = checkout(folder, "test-[13-9]")
    assert [path.name for path in found.programs] == ["test-1.c", "test-3.c"]
    assert [path.name for path in found.without] == ["test-4.c"]


def test_command_on_agreeing_programs(folder: Path) -> None:
    output = folder / "out.json"
    done = bench(str(folder), "--json", str(output))
    assert done.returncode == 0, done.stdout + done.stderr
    rows = json.loads(output.read_text())
    assert [row["outcome"] for row in rows] == [
        Outcome.SAFE.value,
        Outcome.UNSAFE.value,
        Outcome.UNSAFE.value,
    ]
    assert "2 of them at an expected line" in done.stdout
    assert "left out, as they have no expected output: 1" in done.stdout


def test_command_tells_differences(folder: Path) -> None:
    (folder / "tests/predator-regre" / f"test-2{SUFFIX}").write_text("")
    done = bench(str(folder), "--only", "test-2")
    assert done.returncode == 1
    wrong = "wrong UNSAFE: test-2: expected correct; said UNSAFE reachable-error at line 7"
    assert done.stdout.splitlines()[0] == wrong


def test_command_needs_a_checkout(tmp_path: Path) -> None:
    done = bench(str(tmp_path))
    assert done.returncode == 2
    assert "no test of Predator" in done.stderr

"""A check as text: golden files, limits, hostile names."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from precis.engine.results import Note, Status, Verdict
from precis.reports.assumptions import ASSUMPTIONS
from precis.reports.checked import (
    Cause,
    Checked,
    IfOpen,
    NotChecked,
    overall,
    row_of,
    verdict_text,
)
from precis.reports.log_lines import inert
from precis.reports.rules import RULES
from precis.reports.text import Detail, closing_lines, heading_lines, program_lines
from tests.reports.check_samples import (
    AT,
    FILE,
    FINDING,
    HOSTILE,
    LIBRARY,
    NO_MAIN,
    OPEN,
    ROOT,
    SAFE,
    SEVERAL,
    UNKNOWN,
    UNREAD,
    UNSAFE,
    hostile,
)


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def text(programs: Sequence[Checked], detail: Detail = Detail.BRIEF) -> str:
    tell = program_lines if len(programs) == 1 else heading_lines
    lines = [line for program in programs for line in tell(program, detail)]
    rows = [row_of(program) for program in programs]
    lines += closing_lines(rows, overall(rows, IfOpen.FAIL))
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize(
    ("name", "programs", "detail"),
    [
        ("safe", (SAFE,), Detail.BRIEF),
        ("unsafe", (UNSAFE,), Detail.BRIEF),
        ("unknown", (UNKNOWN,), Detail.BRIEF),
        ("unknown-full", (UNKNOWN,), Detail.FULL),
        ("library", (LIBRARY,), Detail.BRIEF),
        ("several", SEVERAL, Detail.BRIEF),
    ],
)
def test_golden(
    name: str, programs: Sequence[Checked], detail: Detail, golden: Callable[[str, str], None]
) -> None:
    golden(f"check/{name}.txt", text(programs, detail))


def test_the_titles_of_assumptions_are_those_of_the_document() -> None:
    document = (ROOT / "docs/assumptions.md").read_text("utf-8")
    found = re.findall(r"^(\d+)\. \*\*(.+?)\*\*", document, re.MULTILINE)
    assert {int(number): title.rstrip(".") for number, title in found} == ASSUMPTIONS


def test_every_line_of_a_hostile_result_is_one_printable_line() -> None:
    for word in HOSTILE:
        programs = (hostile(word), NotChecked(word, Cause.BAD_INPUT, word, word))
        shown = text(programs, Detail.FULL) + text(programs[:1], Detail.FULL)
        for line in shown.split("\n"):
            assert all(character.isprintable() for character in line), repr(line)
            assert not line.lstrip().startswith("::") and "##[" not in line
            assert inert(line) == line


def test_identical_open_obligations_are_one_row_with_each_reason_once() -> None:
    same = [replace(OPEN, number=n, why=why) for n, why in enumerate(("a", "b", "a"))]
    shown = text((replace(UNKNOWN, obligations=tuple(same)),))
    assert "open: 1 obligation\n" in shown
    assert shown.count("valid for a read") == 1
    assert shown.count("why: a") == 1 and shown.count("why: b") == 1
    assert "obligations: 3 open\n" in shown


def test_open_obligations_are_capped_unless_all_are_asked_for() -> None:
    many = tuple(replace(OPEN, at=replace(AT, line=n)) for n in range(1, 31))
    program = replace(UNKNOWN, obligations=many)
    assert text((program,)).count("valid for a read") == 20
    assert "  ... and 10 more (-v shows all)\n" in text((program,))
    assert text((program,), Detail.FULL).count("valid for a read") == 30


def test_conditional_obligations_are_a_count_unless_all_are_asked_for() -> None:
    assert "conditional: 1 obligation, proved if the open ones hold\n" in text((UNKNOWN,))
    assert f"if those at {FILE}:10:9 hold" not in text((UNKNOWN,))
    assert f"if those at {FILE}:10:9 hold" in text((UNKNOWN,), Detail.FULL)


def test_only_the_end_of_a_long_trace_is_shown() -> None:
    trace = tuple(Note(AT, f"step {n}.") for n in range(100))
    shown = text((replace(UNSAFE, findings=(replace(FINDING, trace=trace),)),))
    assert "step 79." not in shown and "step 80." in shown and "step 99." in shown


def test_a_file_name_in_a_command_is_quoted() -> None:
    assert "repeat: precis run 'a b.c' --values" in text((replace(UNSAFE, program="a b.c"),))


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((Verdict.SAFE, "", "", 0), "SAFE"),
        ((Verdict.SAFE, "", "", 1), "SAFE under 1 precondition"),
        ((Verdict.SAFE, "", "", 7), "SAFE under 7 preconditions"),
        ((Verdict.UNSAFE, "double-free", "", 0), "UNSAFE (double-free)"),
        ((Verdict.UNKNOWN, "", "a limit", 3), "UNKNOWN (a limit)"),
        ((Verdict.UNKNOWN, "", "", 0), "UNKNOWN"),
    ],
)
def test_forms_of_a_verdict(arguments: tuple[Verdict, str, str, int], expected: str) -> None:
    assert verdict_text(*arguments) == expected


FOUND_IN_LIBRARY = replace(LIBRARY, verdict=Verdict.UNKNOWN, reason="x", findings=(FINDING,))
BUG = replace(SAFE, internal=True)
STOPPED = NotChecked("x.c", Cause.INTERRUPTED, "interrupted")


@pytest.mark.parametrize(
    ("programs", "verdict", "status"),
    [
        ((SAFE,), "SAFE", 0),
        ((UNSAFE,), "UNSAFE (use-after-free)", 1),
        ((UNKNOWN,), "UNKNOWN (1 obligation is open)", 5),
        ((LIBRARY,), "SAFE under 2 preconditions", 0),
        ((LIBRARY, SAFE, LIBRARY), "SAFE under 4 preconditions", 0),
        ((FOUND_IN_LIBRARY,), "UNKNOWN (x)", 1),
        ((SAFE, UNKNOWN, UNSAFE), "UNSAFE (use-after-free)", 1),
        ((SAFE, UNKNOWN), "UNKNOWN (1 of 2 programs undecided)", 5),
        ((SAFE, UNREAD), "UNKNOWN (1 of 2 programs could not be checked)", 2),
        ((UNREAD,), "UNKNOWN (line 2: expected expression)", 2),
        ((UNSAFE, UNREAD), "UNSAFE (use-after-free)", 2),
        ((SAFE, NO_MAIN), "UNKNOWN (1 of 2 programs undecided)", 5),
        ((UNSAFE, BUG), "UNSAFE (use-after-free)", 4),
        ((SAFE, STOPPED), "UNKNOWN (1 of 2 programs could not be checked)", 130),
    ],
)
def test_the_worst_verdict_and_status_count(
    programs: tuple[Checked, ...], verdict: str, status: int
) -> None:
    whole = overall([row_of(program) for program in programs], IfOpen.FAIL)
    assert verdict_text(whole.verdict, whole.rule, whole.reason, whole.preconditions) == verdict
    assert whole.status == status
    allowed = overall([row_of(program) for program in programs], IfOpen.ALLOW)
    assert allowed.status == (0 if status == 5 else status)
    assert replace(allowed, status=status) == whole


def test_every_rule_has_a_title_and_advice() -> None:
    assert all(rule.title and rule.advice and rule.cwe for rule in RULES.values())


def test_every_status_is_counted() -> None:
    items = tuple(replace(OPEN, status=status) for status in Status)
    shown = text((replace(UNKNOWN, obligations=items),))
    assert "obligations: 1 proved, 1 conditional, 1 latent, 1 open, 1 violated\n" in shown

"""The comparison with compiled builds: reports are read right, and planted truth is confirmed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from precis.bench.agree import Contest, Sanitizing, agree
from precis.bench.agreement.builds import Ran
from precis.bench.agreement.referee import Refereed
from precis.bench.agreement.reports import LEAK, Reported, live_blocks, reported
from precis.bench.agreement.verdicts import (
    Tally,
    Truth,
    chosen_inputs,
    judge_referee,
    judge_sanitized,
)
from precis.bench.generate import generate_to

REPORTS = (
    ("p.c:12:5: runtime error: signed integer overflow: 1 + 2", Reported("signed-overflow", 12)),
    ("p.c:3:9: runtime error: load of null pointer of type 'int'", Reported("null-dereference", 3)),
    (
        "p.c:4:1: runtime error: index 5 out of bounds for type 'int [5]'",
        Reported("out-of-bounds", 4),
    ),
    ("p.c:8:2: runtime error: shift exponent 32 is too large", Reported("bad-shift", 8)),
    ("p: p.c:9: main: Assertion `x' failed.", Reported("assertion", 9)),
    (
        "==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x1\n"
        "    #0 0x1 in strlen ../asan.cpp:1\n    #1 0x2 in main /tmp/p.c:21\n",
        Reported("use-after-free", 21),
    ),
    (
        "==1==ERROR: AddressSanitizer: attempting double-free on 0x1 in thread T0:\n"
        "    #0 0x1 in __interceptor_free\n    #1 0x2 in drop /tmp/p.c:7\n",
        Reported("double-free", 7),
    ),
    ("==1==ERROR: LeakSanitizer: detected memory leaks", Reported(LEAK, 0)),
    ("bench: live 0", None),
)


@pytest.mark.parametrize(("stderr", "expected"), REPORTS, ids=lambda value: str(value)[:30])
def test_reading_a_report(stderr: str, expected: Reported | None) -> None:
    assert reported(stderr, "p.c") == expected


def test_live_blocks_are_known_only_if_the_run_ended() -> None:
    assert live_blocks("bench: live 3\n") == 3
    assert live_blocks("") is None


def test_a_sample_of_inputs_holds_both_kinds() -> None:
    breaking = frozenset({(0, 0), (3, 7)})
    truth = Truth(Path("p.c"), (), ((0, 3), (0, 15)), "assertion", 1, breaking)
    chosen = chosen_inputs(truth, 6)
    assert len(chosen) <= 6
    assert breaking <= set(chosen)
    assert len(chosen_inputs(truth, 64)) == 64


SILENT = Refereed(0, b"x\n", None)
CASES = (
    # planted rule, what the referee says, whether that is a disagreement
    ("", SILENT, False),
    ("", Refereed(1, b"x\n", None), True),
    ("", Refereed(0, b"y\n", None), True),
    ("", Refereed(100, b"x\n", Reported("double-free", 4)), True),
    ("double-free", Refereed(100, b"", Reported("double-free", 4)), False),
    ("double-free", Refereed(100, b"", Reported("double-free", 5)), True),
    ("double-free", Refereed(100, b"", Reported("invalid-free", 4)), True),
    ("double-free", SILENT, True),
)


@pytest.mark.parametrize(("rule", "said", "differs"), CASES)
def test_judging_the_referee(rule: str, said: Refereed, differs: bool) -> None:
    truth = Truth(Path("p.c"), (), ((0, 1),), rule, 4, frozenset({(1,)} if rule else ()))
    tally = Tally()
    judge_referee(truth, (1,), Ran(0, b"x\n", ""), said, tally)
    assert bool(tally.disagreements) == differs


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_compiled_builds_confirm_the_planted_truth(tmp_path: Path) -> None:
    sources = generate_to(tmp_path, 2024, 12)
    total = agree(sources, tmp_path, Contest("", Sanitizing.ON, 4), 2)
    assert total.disagreements == []
    assert total.counts["programs"] == 12


@pytest.mark.parametrize("line, excepted", [(5, True), (6, False)])
def test_a_wrong_free_may_look_like_a_second_one(line: int, excepted: bool) -> None:
    truth = Truth(Path("p.c"), (), (), "invalid-free", 5, frozenset({()}))
    seen = Ran(
        1,
        b"",
        "==1==ERROR: AddressSanitizer: attempting double-free on 0x1\n"
        f"    #0 0x1 in free ../asan.cpp:1\n    #1 0x2 in main /tmp/p.c:{line}\n",
    )
    tally = Tally()
    judge_sanitized(truth, (), Ran(0, b"", ""), seen, tally)
    assert bool(tally.exceptions) is excepted
    assert bool(tally.disagreements) is not excepted

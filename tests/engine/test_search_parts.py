"""The parts of a search: candidates, aiming, minimising, the text of a replay."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from precis.cli.wiring import Reading, load
from precis.engine.candidates import Candidates, undone
from precis.engine.minimise import minimised
from precis.engine.search_aim import aims
from precis.interp.outcome import Inputs, Malloc, Settings
from precis.interp.probe import Comparison, Prober
from precis.ir.instr import Choose
from precis.ir.program import Program
from precis.properties.place import with_obligations
from tests.engine.test_search import ALL, HEAD, searched


def program_of(body: str, folder: Path) -> Program:
    path = folder / "program.c"
    path.write_text(HEAD + body)
    return with_obligations(load(path, Reading()), ALL)


def first_candidates(body: str, folder: Path, count: int) -> list[int | float]:
    """Of the first input in main."""
    program = program_of(body, folder)
    main = program.procedures["main"]
    step = next(s for block in main.blocks for s in block.steps if isinstance(s, Choose))
    type_ = main.variables[step.target].type
    return list(Candidates(program).of(type_, step.source, step.at)[:count])


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("int main(void) { return input() == 77; }", [77, 0]),
        ("int main(void) { int x = input(); return x < 3 || x > 6; }", [3, 4, 5, 6, 2, 7]),
        ("int main(void) { int x = input(); int y = 2 * x + 1; return y == 21; }", [10]),
        ("int main(void) { int a[7]; a[0] = 1; return a[input()]; }", [7, -1, 0]),
        ("int main(void) { return 8 / (input() - 55); }", [55]),
        ("int main(void) { switch (input()) { case 7: case 90: return 1; } return 0; }", [7, 90]),
        ("int main(void) { return __VERIFIER_nondet_bool(); }", [0, 1]),
        ("int main(void) { return __VERIFIER_nondet_uchar() < 4; }", [0, 1, 2, 3, 4, 5]),
        ("int main(void) { return __VERIFIER_nondet_double() < 2.5; }", [2.5, 0.0]),
    ],
)
def test_candidates(body: str, expected: list[int | float], tmp_path: Path) -> None:
    assert first_candidates(body, tmp_path, len(expected)) == expected


def test_candidates_fit_their_type(tmp_path: Path) -> None:
    body = "int main(void) { int x = 1000000; return __VERIFIER_nondet_uchar() == x - 999000; }"
    found = first_candidates(body, tmp_path, 1000)
    assert all(0 <= value <= 255 for value in found)
    assert len(found) == len(set(found))


@pytest.mark.parametrize(
    ("op", "other", "place", "value", "expected"),
    [
        ("add", 3, 0, 10, 7),
        ("sub", 3, 0, 10, 13),
        ("sub", 3, 1, 10, -7),
        ("mul", 4, 0, 20, 5),
        ("div", 4, 0, 20, 80),
        ("shl", 3, 0, 40, 5),
        ("shr", 3, 0, 5, 40),
        ("bxor", 6, 0, 5, 3),
        ("neg", 0, 0, 5, -5),
        ("bnot", 0, 0, 5, -6),
        ("mul", 0, 0, 20, 20),
        ("band", 1, 0, 1, 1),
    ],
)
def test_operations_are_undone(op: str, other: int, place: int, value: int, expected: int) -> None:
    assert undone(((op, other, place),), value) == expected


def serving(good: Callable[[Inputs], bool]) -> Callable[[Inputs], Inputs | None]:
    return lambda inputs: inputs if good(inputs) else None


def test_values_are_minimised() -> None:
    start = Inputs(5, (900, -3, 17, 2), b"abc", (), frozenset({2, 9}))
    found = minimised(start, serving(lambda inputs: max(inputs.values or (0,)) > 100))
    assert found == Inputs(0, (101,), b"", (), frozenset())


def test_what_is_needed_stays() -> None:
    start = Inputs(5, (-70, 4.5), b"xay", (), frozenset({2, 9}))

    def good(inputs: Inputs) -> bool:
        values = inputs.values or ()
        needed = len(values) == 2 and values[0] < -60 and values[1] > 1.5
        return (
            needed
            and inputs.seed == 5
            and b"a" in (inputs.stdin or b"")
            and 9 in (inputs.failures or ())
        )

    assert minimised(start, serving(good)) == Inputs(5, (-61, 4.0), b"a", (), frozenset({9}))


def test_attempt_that_uses_other_values_is_no_gain() -> None:
    def attempt(inputs: Inputs) -> Inputs | None:
        wrapped = tuple(int(value) % 256 for value in inputs.values or ())
        used = replace(inputs, values=wrapped)
        return used if wrapped and wrapped[0] >= 40 else None

    assert minimised(Inputs(0, (255,)), attempt).values == (40,)


def aimed(
    body: str, values: tuple[int | float, ...], folder: Path
) -> list[tuple[int | float, ...]]:
    """The departures from a run, with every condition wanted to turn."""
    prober = Prober(program_of(body, folder), Settings(ALL), 1 << 30)

    def log(inputs: Inputs) -> list[Comparison]:
        return prober.comparisons(inputs, 20)[0]

    start = Inputs(0, values)
    return [inputs.values or () for inputs in aims(start, log, lambda comparison: (0,))]


@pytest.mark.parametrize(
    ("body", "values", "expected"),
    [
        ("int main(void) { return input() == 5 ? 1 : 0; }", (9,), (5,)),
        (
            "int main(void) { int x = input(); if (3 * x + input() == 70) return 1; }",
            (1, 1),
            (23, 1),
        ),
        ("int main(void) { int x = input(); if (x * x == 1522756) return 1; }", (3,), (1234,)),
        ("int main(void) { if (__VERIFIER_nondet_double() < 1.5) return 1; }", (9.0,), (1.5,)),
    ],
)
def test_aims(
    body: str, values: tuple[int | float, ...], expected: tuple[int | float, ...], tmp_path: Path
) -> None:
    assert expected in aimed(body, values, tmp_path)


def test_aims_keep_an_equation(tmp_path: Path) -> None:
    program = program_of(
        "int main(void) { int x = input(), y = input();\n"
        "  if (x + y == 1000) if (x - y == 10) reach_error(); return 0; }",
        tmp_path,
    )
    prober = Prober(program, Settings(), 1 << 30)

    def log(inputs: Inputs) -> list[Comparison]:
        return prober.comparisons(inputs, 20)[0]

    def wanted(comparison: Comparison) -> tuple[int, ...]:
        return (0,) if comparison.y == 10 else ()

    assert (505, 495) in [i.values for i in aims(Inputs(0, (1000, 0)), log, wanted)]


REPLAYED = {
    "values": (
        "int main(void) { if (input() == -77 && input() > 900) reach_error(); }",
        Settings(),
    ),
    "failure": (
        "int main(void) { char *p = malloc(1); if (!p) return 0; free(p);\n"
        "  p = malloc(2); *p = 1; free(p); return 0; }",
        Settings(malloc=Malloc.MAY_FAIL),
    ),
    "text": (
        "int main(void) { char b[9]; if (fgets(b, 9, stdin) && b[0] == '%' && b[1] == 's')\n"
        "  reach_error(); return 0; }",
        Settings(),
    ),
    "no_text": ("int main(void) { if (getchar() == EOF) reach_error(); return 0; }", Settings()),
    "leak": (
        "int main(void) { char *p = malloc(1); if (input() != 4) free(p); p = 0; return 0; }",
        Settings(frozenset({"leaks", "memory-safety"})),
    ),
}


@pytest.mark.parametrize("name", REPLAYED)
def test_replay_repeats_the_run(name: str, tmp_path: Path) -> None:
    body, settings = REPLAYED[name]
    (finding,) = searched(tmp_path, body, settings).findings
    command = f"{sys.executable} -m precis run {tmp_path / 'program.c'} {finding.replay}"
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 100, done.stderr
    first = done.stderr.splitlines()[0]
    assert first.split()[1] == finding.rule
    assert first.endswith(f":{finding.at.line}")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--fail", "1"], "--fail needs --malloc may-fail"),
        (["--malloc", "may-fail", "--fail", "0"], "allocations are counted from 1"),
        (["--malloc", "may-fail", "--fail", "x"], "not a number"),
    ],
)
def test_bad_failures_are_refused(options: list[str], message: str, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text("int main(void) { return 0; }")
    command = [sys.executable, "-m", "precis", "run", str(path), *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert message in done.stderr

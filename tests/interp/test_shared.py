"""Runs that share code, that are told which allocations fail, and that are watched."""

from __future__ import annotations

import gc
import threading
from pathlib import Path

import pytest

from precis.cli.wiring import Reading, load
from precis.interp.outcome import Ending, Inputs, Malloc, Outcome, Settings
from precis.interp.probe import Prober
from precis.interp.record import recorded, recorded_inputs, same_outcome
from precis.interp.run import run
from precis.interp.shared import Shared
from precis.ir.program import Program
from precis.properties.place import NAMES, with_obligations
from tests.annotated import PROGRAMS

EVERYTHING = Settings(frozenset(NAMES), memory=1 << 26, timeout=20)
FILES = [
    path
    for folder in ("memory", "leaks", "uninitialised")
    for path in sorted((PROGRAMS / folder).glob("*.c"))
]
ASKING = """
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    char *a = malloc(1), *b = calloc(2, 2), *c = realloc(NULL, 3);
    int x = __VERIFIER_nondet_int();
    while (x > 5) x--;
    int result = (a == NULL) + 2 * (b == NULL) + 4 * (c == NULL);
    free(a); free(b); free(c);
    return result;
}
"""


def ignore(descriptor: int, content: bytes) -> None:
    pass


def program_of(text: str, folder: Path, properties: frozenset[str] = frozenset(NAMES)) -> Program:
    path = folder / "program.c"
    path.write_text(text)
    return with_obligations(load(path, Reading()), properties)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_shared_code_runs_as_fresh_code(path: Path) -> None:
    program = with_obligations(load(path, Reading()), EVERYTHING.properties)
    shared = Shared(program)

    def outcome(seed: int, common: Shared | None) -> Outcome:
        return run(program, Inputs(seed, stdin=b""), EVERYTHING, ignore, shared=common)

    for seed in (0, 1, 0):
        assert outcome(seed, shared) == outcome(seed, None)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_probe_sees_what_a_run_sees(path: Path) -> None:
    program = with_obligations(load(path, Reading()), EVERYTHING.properties)
    prober = Prober(program, EVERYTHING, 1 << 30)
    inputs = Inputs(3, (), b"", (), frozenset())
    probe = prober.exact_probe(inputs, 20)
    outcome = prober.outcome(inputs, 20)
    assert probe.ending is outcome.ending
    if outcome.ending is Ending.VIOLATION:
        violation = outcome.violation
        assert violation is not None
        assert probe.breach is not None
        assert (probe.breach.rule, probe.breach.inner) == (violation.rule, violation.inner)


@pytest.mark.parametrize("failures", [(), (1,), (2,), (3,), (1, 3), (1, 2, 3)])
def test_given_allocations_fail(failures: tuple[int, ...], tmp_path: Path) -> None:
    program = program_of(ASKING, tmp_path)
    settings = Settings(malloc=Malloc.MAY_FAIL)
    inputs = Inputs(7, (0,), b"", (), frozenset(failures))
    outcome = run(program, inputs, settings, ignore)
    assert outcome.status == sum(1 << number - 1 for number in failures)

    record = recorded(program, inputs, settings, outcome)
    again = run(program, recorded_inputs(record), settings, ignore)
    assert recorded_inputs(record).failures == frozenset(failures)
    assert same_outcome(record, again)


def test_no_allocation_fails_that_never_fails(tmp_path: Path) -> None:
    inputs = Inputs(0, (0,), b"", (), frozenset({1, 2, 3}))
    assert run(program_of(ASKING, tmp_path), inputs, Settings(), ignore).status == 0


def test_record_with_bad_failures_is_refused(tmp_path: Path) -> None:
    program = program_of(ASKING, tmp_path)
    outcome = run(program, Inputs(0, (0,)), Settings(), ignore)
    record = recorded(program, Inputs(0, (0,)), Settings(), outcome)
    assert recorded_inputs(record).failures is None
    for bad in ('"x"', "[0]", '["a"]'):
        with pytest.raises(ValueError, match="failures"):
            recorded_inputs(record.replace('"failures": null', f'"failures": {bad}'))


def test_probe_tells_what_was_asked_for(tmp_path: Path) -> None:
    prober = Prober(program_of(ASKING, tmp_path), Settings(), 1 << 30)
    probe = prober.probe(Inputs(0, ()), lambda type_, source, at: 4, 20)
    assert probe.inputs.values == (4,)
    assert probe.allocations == 3
    assert not probe.asked_input
    farther = prober.probe(Inputs(0, (9,)), None, 20)
    assert sum(farther.reached) == sum(probe.reached) + 1  # the body of the loop
    assert prober.probe(Inputs(0, ()), None, 20).ending is Ending.NO_VALUE


def test_probe_notes_what_is_compared(tmp_path: Path) -> None:
    prober = Prober(program_of(ASKING, tmp_path), Settings(), 1 << 30)
    compared, steps = prober.comparisons(Inputs(0, (7,)), 20)
    ours = [(c.x, c.y) for c in compared if c.procedure.name == "main"]
    assert ours == [(5, 7), (5, 6), (5, 5)]
    assert steps > 20


ENDLESS = {
    "loop": "int main(void) { for (;;) ; }",
    "calls": "static int f(int n) { return n; } int main(void) { for (;;) f(1); }",
    "fibonacci": "static int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\n"
    "int main(void) { return f(60); }",
}


@pytest.mark.parametrize("name", ENDLESS)
def test_steps_end_a_probe(name: str, tmp_path: Path) -> None:
    prober = Prober(program_of(ENDLESS[name], tmp_path), Settings(), 20_000)
    probe = prober.probe(Inputs(0, ()), None, None)
    assert probe.ending is Ending.OUT_OF_TIME
    assert 20_000 < probe.steps < 25_000


def test_frames_end_a_probe(tmp_path: Path) -> None:
    text = "static int f(int n) { return f(n + 1) + 1; } int main(void) { return f(0); }"
    program = program_of(text, tmp_path, frozenset())
    assert Prober(program, Settings(), 1 << 30).probe(Inputs(0, ()), None, None).ending is (
        Ending.OUT_OF_MEMORY
    )


@pytest.mark.parametrize("in_thread", [False, True], ids=["main", "thread"])
def test_time_that_ends_with_the_run_does_no_harm(in_thread: bool, tmp_path: Path) -> None:
    """The stack is deep, so that it takes long to look at when the run has ended."""
    text = "static int f(int n) { return n ? f(n - 1) + 1 : *(int *)0; }\n"
    program = program_of(text + "int main(void) { return f(9000); }", tmp_path, frozenset())
    endings = []

    def runs() -> None:
        for count in range(1, 7):
            settings = Settings(timeout=count / 50)
            endings.append(run(program, Inputs(0, ()), settings, ignore).ending)

    gc.disable()  # what others do at a collection must not be what is interrupted
    try:
        if in_thread:
            thread = threading.Thread(target=runs)
            thread.start()
            thread.join()
        else:
            runs()
    finally:
        gc.enable()
    assert len(endings) == 6
    assert set(endings) <= {Ending.OUT_OF_TIME, Ending.VIOLATION}

"""Are the verdicts of `precis check` true?

Generates programs with planted truth, checks them, and holds each verdict against the truth: a
program with a planted defect must not be SAFE, a correct one not UNSAFE, a violation that is shown
must be the planted one, and an obligation that the defect breaks must not be held to be met.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from .agreement.verdicts import Truth, read_truth
from .checking.answers import Answer, answer_of, no_answer
from .checking.command import CheckError, check
from .checking.judge import Judged, judged
from .checking.score import Score

# Starting the command costs a tenth of what it takes to check a program, and the JSON of a
# program is half a megabyte.
BATCH = 10


DEFAULT = ("memory-safety", "leaks", "assertions")


class Asked(Enum):
    """Which properties are checked."""

    DEFAULT = "default"  # those of the command
    PLANTED = "planted"  # those under which the truth of the program is stated

    def properties(self, truth: Truth) -> tuple[str, ...]:
        return DEFAULT if self is Asked.DEFAULT else truth.properties


class Searching(Enum):
    """Whether runs are searched for that show a violation."""

    ON = "--search"
    OFF = "--no-search"


@dataclass(frozen=True, slots=True)
class Contest:
    """How programs are checked; no domains stand for all of them."""

    command: tuple[str, ...]
    asked: Asked = Asked.DEFAULT
    domains: tuple[str, ...] = ()
    searching: Searching = Searching.ON
    timeout: float = 60.0  # seconds for a program

    def options(self, properties: Sequence[str]) -> list[str]:
        """Those of the command that bear on verdicts; the truth has it that malloc succeeds."""
        options = ["--malloc", "never-fails", self.searching.value]
        options += [word for name in properties for word in ("--property", name)]
        return options + [word for name in self.domains for word in ("--domain", name)]


def compare(sources: Sequence[Path], contest: Contest, jobs: int) -> Score:
    """Check the programs, several commands at a time, and judge the verdicts in order."""
    programs: dict[Path, Judged] = {}
    seconds = 0.0
    with ThreadPoolExecutor(jobs) as pool:
        work = pool.map(lambda batch: _judged_batch(batch, contest), _batches(sources, contest))
        for some, taken in work:
            programs |= {program.source: program for program in some}
            seconds += taken
    return Score(tuple(programs[source] for source in sources), seconds)


def _batches(sources: Sequence[Path], contest: Contest) -> list[list[Truth]]:
    """Programs that one command can check: they have the same properties."""
    alike: dict[tuple[str, ...], list[Truth]] = {}
    for source in sources:
        truth = read_truth(source)
        alike.setdefault(contest.asked.properties(truth), []).append(truth)
    return [
        truths[first : first + BATCH]
        for truths in alike.values()
        for first in range(0, len(truths), BATCH)
    ]


def _judged_batch(truths: Sequence[Truth], contest: Contest) -> tuple[list[Judged], float]:
    properties = contest.asked.properties(truths[0])
    try:
        answers, seconds = _answers(truths, contest)
    except CheckError:
        # One of them may have brought down the whole: each by itself.
        alone = [_answer(truth, contest) for truth in truths]
        answers, seconds = [answer for answer, _ in alone], sum(taken for _, taken in alone)
    pairs = zip(truths, answers, strict=True)
    return [judged(truth, properties, answer) for truth, answer in pairs], seconds


def _answers(truths: Sequence[Truth], contest: Contest) -> tuple[list[Answer], float]:
    options = contest.options(contest.asked.properties(truths[0]))
    sources = [truth.source for truth in truths]
    said = check(contest.command, options, sources, contest.timeout)
    return [answer_of(entry) for entry in said.programs], said.seconds


def _answer(truth: Truth, contest: Contest) -> tuple[Answer, float]:
    try:
        answers, seconds = _answers([truth], contest)
    except CheckError as error:
        return no_answer(str(error)), 0.0
    return answers[0], seconds

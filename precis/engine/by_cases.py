"""One analysis of a whole program, each case of its inputs by itself.

A domain that can look at a root in cases is asked for them. A case in which nothing stays open is
done; one in which something does is looked at in finer cases, if there are any. The cases of a root
are all that can be, so when all are done everything is proved. If a case stays open that cannot be
told apart any further, that is the end: the others could not help.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from precis.domains.protocol import Splitting
from precis.engine import analysis
from precis.engine.analysis import Analysed, Plan
from precis.engine.budget import LOOK, Budget, Exhausted
from precis.ir.program import Program

TRIAL: Final = 0.05  # of the time that is left, for a case that can be told apart further
FEW: Final = 40  # states, for one that is as fine as others that stayed open: most end at once
MOST_CASES: Final = 2000  # that are looked at


def analyse(
    program: Program, plan: Plan, roots: Sequence[tuple[str, Any]], budget: Budget, stopped: bool
) -> Analysed:
    """As `analysis.analyse`; it finds all or nothing. The whole was analysed before, and something
    stayed open or it was `stopped`: then it gets this time, too, if there are no cases."""
    if stopped and not any(_finer(program, plan, *root) for root in roots):
        return analysis.analyse(program, plan, roots, budget)
    return _Cases(program, plan, budget).run(roots)


def _finer(program: Program, plan: Plan, name: str, entry: Any) -> list[tuple[str, Any]]:
    domain: Splitting = plan.domain
    return [(name, case) for case in domain.cases(program.procedures[name], entry)]


class _Cases:
    def __init__(self, program: Program, plan: Plan, budget: Budget) -> None:
        self._program = program
        self._plan = plan
        self._budget = budget
        self._found = Analysed()
        self._open: set[int] = set()  # how fine cases were that stayed open

    def run(self, roots: Sequence[tuple[str, Any]]) -> Analysed:
        work: list[tuple[str, Any, int]] = []
        count = 0
        try:
            for name, entry in reversed(roots):
                work += reversed(self._instead(name, entry, 0, "no inputs can be told apart"))
            while work:
                count += 1
                if count > MOST_CASES:
                    raise Exhausted(f"inputs have more than {MOST_CASES:,} cases")
                work += reversed(self._look(*work.pop()))
        except Exhausted as limit:
            self._found.stopped = str(limit)
        return self._found

    def _look(self, name: str, entry: Any, depth: int) -> list[tuple[str, Any, int]]:
        """Analyse a case; the finer ones that are to be looked at instead."""
        is_last = not _finer(self._program, self._plan, name, entry)
        limits = self._plan.limits
        states = FEW if depth in self._open and not is_last else limits.states
        self._budget.look()
        budget = self._budget.share(
            1.0 if is_last else TRIAL, states, 1 if limits.single else LOOK
        )  # fmt: skip
        part = analysis.analyse(self._program, self._plan, [(name, entry)], budget)
        self._found.states += part.states
        if _is_done(part):
            self._found.reached |= part.reached
            assumptions = {*self._found.assumptions, *part.assumptions}
            self._found.assumptions = tuple(sorted(assumptions))
            return []
        self._open.add(depth)
        return self._instead(name, entry, depth, _why(part))

    def _instead(
        self, name: str, entry: Any, depth: int, why: str
    ) -> list[tuple[str, Any, int]]:  # fmt: skip
        """The finer cases of one that stays open; raises Exhausted if there are none."""
        finer = _finer(self._program, self._plan, name, entry)
        if not finer:
            raise Exhausted(why)
        return [(name, case, depth + 1) for _, case in finer]


def _is_done(part: Analysed) -> bool:
    is_open = part.doubts or part.latent or part.lost or part.supposed
    return not (is_open or part.stopped or part.wrong)


def _why(part: Analysed) -> str:
    """Why a case is not done."""
    if part.stopped or part.wrong:
        return part.stopped or part.wrong
    reasons = [doubt.why for doubt in part.doubts.values()] + [lost.reason for lost in part.lost]
    return ": ".join(("a case of the inputs stays open", *reasons[:1]))

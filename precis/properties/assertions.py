"""Assertions hold and error functions are not reached.

An assertion is lowered to a branch to a call of `__assert_fail`, so that it behaves as in C
when it is not checked. The obligation stands before that call.
"""

from __future__ import annotations

from typing import Final

from precis.ir.instr import Call, Step
from precis.ir.obligation import NeverReached, Obligation

RULE_OF_FUNCTION: Final = {
    "__assert_fail": "assertion",
    "reach_error": "reachable-error",
    "__VERIFIER_error": "reachable-error",
}


def before_step(step: Step) -> tuple[Obligation, ...]:
    if isinstance(step, Call) and step.function.op == "function":
        rule = RULE_OF_FUNCTION.get(str(step.function.data))
        if rule is not None:
            return (NeverReached(rule),)
    return ()

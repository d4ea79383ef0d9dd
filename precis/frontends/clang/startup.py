"""What runs before main and after it.

Constructors are called and destructors registered with atexit where main begins; where main
returns it calls exit, which runs the handlers (C17 5.1.2.2.3).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from precis.ir.instr import Branch, Call, Case, End, Jump, Return, Step, Switch, computed
from precis.ir.procedure import BasicBlock, Procedure
from precis.ir.types import I32
from precis.ir.values import Term, cast, const, subterms

_LAST: Final = 65536  # after every priority
_ATTRIBUTE: Final = re.compile(r"__attribute__\(\((constructor|destructor)(?:\((\d+)\))?\)\)")


@dataclass(frozen=True, slots=True)
class Priorities:
    """When a function runs by itself: before main, after it, or None."""

    before: int | None = None
    after: int | None = None


NEVER: Final = Priorities()


def priorities(head: str) -> Priorities:
    """From the attributes in clang's printed form of a function."""
    found = {kind: int(number or _LAST) for kind, number in _ATTRIBUTE.findall(head)}
    return Priorities(found.get("constructor"), found.get("destructor"))


def with_startup(main: Procedure, calls: Sequence[tuple[Term, tuple[Term, ...]]]) -> Procedure:
    """main with calls in front, made once even if a jump leads back to its first block."""
    steps = [Call(None, function, arguments, main.at) for function, arguments in calls]
    moved = len(main.blocks)
    rest = [BasicBlock(b.steps, _retargeted(b.end, moved)) for b in main.blocks]
    first = BasicBlock(tuple(steps), Jump(moved, main.at))
    return replace(main, blocks=(first, *rest[1:], rest[0]))


def _retargeted(end: End, first: int) -> End:
    """The end, where block 0 has become block `first`."""

    def to(block: int) -> int:
        return block or first

    match end:
        case Jump():
            return replace(end, to=to(end.to))
        case Branch():
            return replace(end, then=to(end.then), otherwise=to(end.otherwise))
        case Switch():
            cases = tuple(Case(case.low, case.high, to(case.to)) for case in end.cases)
            return replace(end, cases=cases, default=to(end.default))
        case _:
            return end


def with_exit(main: Procedure, exit_: Term) -> Procedure:
    """main that calls exit where it returns."""
    return replace(main, blocks=tuple(_exiting(block, exit_) for block in main.blocks))


def _exiting(block: BasicBlock, exit_: Term) -> BasicBlock:
    end = block.end
    if not isinstance(end, Return):
        return block
    known = end.value is not None and end.value.op != "undef"
    status = cast(I32, end.value) if known and end.value is not None else const(I32, 0)
    call: Step = Call(None, exit_, (status,), end.at)
    return BasicBlock((*block.steps, call), end)


def is_mentioned(name: str, procedures: Iterable[Procedure]) -> bool:
    """Does any of the procedures call a function or take its address?"""
    return any(
        node.op == "function" and node.data == name
        for procedure in procedures
        for block in procedure.blocks
        for item in (*block.steps, block.end)
        for root in computed(item)
        for node in subterms(root)
    )

"""An engine that does what comments `//! ...` in the program tell it."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from precis.domains.protocol import Piece, Side, Summary
from precis.engine.budget import Budget, Event, Exhausted
from precis.engine.results import (
    Finding,
    Input,
    Kind,
    Note,
    ObligationResult,
    Precondition,
    ProcedureResult,
    Result,
    Stage,
    Status,
    Verdict,
)
from precis.interp.outcome import Malloc
from precis.ir.location import Location
from precis.ir.obligation import PROPERTY_OF_RULE
from precis.ir.program import Program


class Mode(Enum):
    PROGRAM = "program"
    LIBRARY = "library"


class Searching(Enum):
    ON = "on"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Options:
    properties: frozenset[str]
    malloc: Malloc = Malloc.MAY_FAIL
    mode: Mode = Mode.PROGRAM
    assumed: frozenset[int] = frozenset()
    search: Searching = Searching.ON
    calls: str = ""
    alias_classes: str = "order"


def verify(
    program: Program, name: str, plans: Sequence[Any], options: Options, budget: Budget
) -> Result:
    budget.on_event(Event("values", "main", 1, 2))
    result = Result(
        name,
        Verdict.SAFE,
        properties=tuple(sorted(options.properties)),
        library=options.mode is Mode.LIBRARY,
        assumptions=(5, 17, *sorted(options.assumed)),
        stages=(Stage("values", 1, 0, f"{len(plans)} plans"),),
        procedures=tuple(
            ProcedureResult(p.name, p.at, "values", 1, 2, 3, (("returns anything",),), p.library)
            for p in program.procedures.values()
        ),
    )
    lines = Path(name).read_text("utf-8", "replace").split("\n")
    for number, line in enumerate(lines, 1):
        if "//! " in line:
            words = line.partition("//! ")[2].split()
            result = _told(result, words, Location(name, number, 5, number, 9), options)
    return result


def _told(result: Result, words: list[str], at: Location, options: Options) -> Result:
    match words:
        case ["unsafe", rule]:
            return _with(result, verdict=Verdict.UNSAFE, rule=rule, findings=(_finding(rule, at),))
        case ["finding", rule]:
            found = (*result.findings, _finding(rule, at))
            return _with(result, verdict=Verdict.UNKNOWN, reason="findings", findings=found)
        case ["open", *reason]:
            item = ObligationResult(
                "main", at.line, "invalid-pointer", "memory-safety", at,
                "the pointer is valid for a read of 4 bytes", Status.OPEN, "", " ".join(reason),
            )  # fmt: skip
            found = (*result.obligations, item)
            return _with(result, verdict=Verdict.UNKNOWN, reason="1 open", obligations=found)
        case ["needs", *text]:
            need = Precondition("f", at, "null-dereference", " ".join(text))
            return _with(result, preconditions=(*result.preconditions, need))
        case ["options"]:
            shown = f"{options.malloc.value} {options.search.value} {sorted(options.properties)}"
            return _with(result, verdict=Verdict.UNKNOWN, reason=shown)
        case ["claim", status]:
            item = ObligationResult(
                "main", 0, "assertion", "assertions", at, "it holds", Status(status), ""
            )
            return _with(result, obligations=(item,))
        case ["internal"]:
            return _with(result, verdict=Verdict.UNKNOWN, reason="it failed", internal=True)
        case ["raise"]:
            raise KeyError("a bug")
        case ["exhaust"]:
            raise Exhausted("the time of 1 s is used up (--timeout)")
        case ["crash"]:
            os.kill(os.getpid(), signal.SIGSEGV)
        case ["sleep", seconds]:
            Path(f"{result.program}.sleeps").touch()
            time.sleep(float(seconds))
    return result


def _with(result: Result, **changes: Any) -> Result:
    from dataclasses import replace

    return replace(result, **changes)


def _finding(rule: str, at: Location) -> Finding:
    return Finding(
        rule,
        PROPERTY_OF_RULE[rule],
        Kind.VIOLATION,
        "main",
        at,
        at,
        "what happens",
        "search",
        inputs=(Input("__VERIFIER_nondet_int", at, 3),),
        stack=(Note(at, "main"),),
        trace=(Note(at, "x = 3"),),
        values=(("x", "3"),),
        block="heap block of 4 bytes",
        replay="--seed 3",
    )


def summarize(
    program: Program, plan: Any, functions: Sequence[str], options: Options, budget: Budget
) -> Sequence[Summary[Any, Any]]:
    return [Summary(Piece(name), Side.OVER, None, ()) for name in functions]

"""Results of checks, made by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import precis
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
from precis.ir.location import Location
from precis.reports.checked import Cause, Checked, NotChecked

ROOT = Path(__file__).parents[2]
FILE = "examples/buggy/use_after_free.c"
MODEL = str(Path(precis.__file__).resolve().parent / "frontends/models/string.c")

AT = Location(FILE, 9, 31, 9, 35)
FREE = Location(FILE, 10, 9, 10, 19)
CALL = Location(FILE, 22, 5, 22, 15)
LOOP = Location(FILE, 15, 21, 15, 26, "LIMIT", (15, 3))

FINDING = Finding(
    "use-after-free",
    "memory-safety",
    Kind.VIOLATION,
    "drop",
    AT,
    Location(MODEL, 144, 9),
    "read of freed memory",
    "search",
    inputs=(Input("__VERIFIER_nondet_int", LOOP, 3), Input("__VERIFIER_nondet_float", LOOP, 0.5)),
    stack=(Note(AT, "drop"), Note(CALL, "main")),
    trace=(
        Note(CALL, "calls drop(heap block 5)"),
        Note(AT, "list != NULL is true", 1),
        Note(FREE, "frees heap block 5", 1),
    ),
    values=(("list", "heap block 5, freed"),),
    block="heap block of 8 bytes, freed at line 10",
    replay="--values 3,0.5",
)


def obligation(number: int, status: Status, at: Location, **more: str) -> ObligationResult:
    what = "the pointer is valid for a read of 8 bytes"
    return ObligationResult(
        "drop", number, "invalid-pointer", "memory-safety", at, what, status, "values", **more
    )


OPEN = replace(
    obligation(1, Status.OPEN, FREE, why="list may be freed"), stage="", trace=FINDING.trace[:2]
)
CONDITIONAL = replace(obligation(2, Status.CONDITIONAL, AT), requires=(FREE,))
PROCEDURES = (
    ProcedureResult("drop", AT, "values", 2, 14, 80, (("entry: any list", "returns"),)),
    ProcedureResult("strlen", Location(MODEL, 10, 1), "values", 1, 1, 1, library=True),
)
STAGES = (
    Stage("values", 4, 2, "1,204 states"),
    Stage("search", 1, 1, "40 runs", "the time of 60 s is used up (--timeout)"),
)
PROPERTIES = ("assertions", "leaks", "memory-safety")

UNSAFE = Result(
    FILE,
    Verdict.UNSAFE,
    "use-after-free",
    properties=PROPERTIES,
    findings=(FINDING,),
    obligations=(
        obligation(0, Status.PROVED, CALL),
        OPEN,
        CONDITIONAL,
        replace(obligation(3, Status.VIOLATED, AT), stage="search"),
    ),
    procedures=PROCEDURES,
    stages=STAGES,
    assumptions=(5, 17),
)
SAFE = Result(
    "examples/correct/list_reverse.c",
    Verdict.SAFE,
    properties=PROPERTIES,
    obligations=(obligation(0, Status.PROVED, CALL),),
    assumptions=(5,),
)
UNKNOWN = replace(
    UNSAFE, verdict=Verdict.UNKNOWN, rule="", reason="1 obligation is open", findings=()
)
LIBRARY = Result(
    FILE,
    Verdict.SAFE,
    properties=PROPERTIES,
    library=True,
    obligations=(obligation(0, Status.LATENT, AT),),
    preconditions=(
        Precondition("drop", AT, "null-dereference", "list is null or a list"),
        Precondition("drop", FREE, "invalid-free", "no node is shared"),
    ),
)
UNREAD = NotChecked(
    "src/broken.c", Cause.BAD_INPUT, "expected expression", "", Location("src/broken.c", 2, 15)
)
NO_MAIN = NotChecked("src/part.c", Cause.NO_ENTRY, "no main: use --library")
SEVERAL: tuple[Checked, ...] = (SAFE, UNSAFE, UNREAD, NO_MAIN)

HOSTILE = (
    "<script>alert(1)</script>",
    "\"'/><svg onload=alert(1)>",
    "\x1b]0;owned\x07\x1b[2J\r\n\x00\u202e\u2028\x9b",
    "%0A::error file=x::owned",
    "::stop-commands::x\n::error::owned\n##[error]owned",
    "[click](http://evil.example) {0} {name}",
    "\udcff\ud800 lone",
    "漢字 🙂",
)


def hostile(text: str) -> Result:
    """A result that has the text wherever a program can put some."""
    at = Location(text, 3, 2, 3, 4, text)
    note = Note(at, text, 2)
    finding = Finding(
        "assertion", "assertions", Kind.MANIFEST, text, at, replace(at, line=4), text, text,
        (Input(text, at, float("nan")),), (note,), (note,), ((text, text),), text, text,
    )  # fmt: skip
    item = ObligationResult(
        text, 1, "assertion", "assertions", at, text, Status.OPEN, text, text, (note,), (at,)
    )
    return Result(
        text, Verdict.UNKNOWN, "", text, ("assertions",), True, (finding,),
        (item, replace(item, status=Status.CONDITIONAL)),
        (Precondition(text, at, "assertion", text),),
        (ProcedureResult(text, at, text, 1, 1, 1, ((text,),)),),
        (Stage(text, 1, 1, text, text),), (17, 999),
    )  # fmt: skip

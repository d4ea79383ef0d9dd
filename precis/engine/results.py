"""What a check of one program gives: plain values that reports show.

No times are in here: two checks of the same program give equal results.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from precis.ir.location import Location


class Verdict(Enum):
    SAFE = "SAFE"
    UNSAFE = "UNSAFE"
    UNKNOWN = "UNKNOWN"


BEYOND = "nothing is known beyond "
INSIDE = "nothing is known inside "


class Status(Enum):
    """How an obligation stands in the end."""

    PROVED = "proved"  # no run breaks it
    CONDITIONAL = "conditional"  # no run breaks it if none breaks the open ones before it
    LATENT = "latent"  # library mode: it is a precondition of an entry
    OPEN = "open"
    VIOLATED = "violated"  # a replayed run breaks it


class Kind(Enum):
    """What a finding rests on."""

    VIOLATION = "violation"  # a run from the entry, replayed by the referee
    MANIFEST = "manifest"  # library mode: every call of the procedure that gets there fails


@dataclass(frozen=True, slots=True)
class Note:
    """A step of a trace: a place, what happens there, and how deep in calls."""

    at: Location
    text: str
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Input:
    """One nondeterministic input of a run."""

    source: str
    at: Location
    value: int | float


@dataclass(frozen=True, slots=True)
class Finding:
    """A broken obligation. `at` is the place in the user's code, `inner` the exact one, maybe in
    a library model. The stack is innermost first, the trace oldest first."""

    rule: str
    property: str
    kind: Kind
    procedure: str
    at: Location
    inner: Location
    message: str
    stage: str
    inputs: tuple[Input, ...] = ()
    stack: tuple[Note, ...] = ()
    trace: tuple[Note, ...] = ()
    values: tuple[tuple[str, str], ...] = ()
    block: str = ""  # the story of the memory block it is about
    replay: str = ""  # the command that repeats the run


@dataclass(frozen=True, slots=True)
class ObligationResult:
    """One obligation of the program, over all the ways that lead to it.

    `rule` is what a violation would be reported as (of pointers: the general one), `what` the
    obligation in words, `why` what may be wrong (open) or who must see to it (latent).
    `requires` are places of open obligations that it depends on, of a conditional one.
    """

    procedure: str
    number: int
    rule: str
    property: str
    at: Location
    what: str
    status: Status
    stage: str  # that decided it; empty while open
    why: str = ""
    trace: tuple[Note, ...] = ()
    requires: tuple[Location, ...] = ()
    library: bool = False  # it stands in a library model

    def is_beyond(self) -> bool:
        """Is it open only because the analysis gave up before it got there, or did not look?"""
        return self.status is Status.OPEN and self.why.startswith((BEYOND, INSIDE))


@dataclass(frozen=True, slots=True)
class Precondition:
    """Library mode: what callers of an entry must establish."""

    procedure: str
    at: Location  # of the obligation
    rule: str
    text: str


@dataclass(frozen=True, slots=True)
class ProcedureResult:
    """What an analysis did with a procedure. `summaries` are texts, `depth` how many calls may
    be under way below it (of recursion: one turn), `given_up` why parts of it are not known, and
    `measures` how large its summaries are, if the domain tells."""

    name: str
    at: Location
    stage: str
    activations: int
    states: int
    steps: int
    summaries: tuple[tuple[str, ...], ...] = ()
    library: bool = False
    depth: int = 0
    given_up: tuple[str, ...] = ()
    measures: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage of the check: what it looked at and what it decided."""

    name: str
    decided: int
    left: int
    cost: str  # in its own units: states, runs
    stopped: str = ""  # why it ended early, if it did
    recalled: int = field(default=0, compare=False)  # summaries of earlier runs that it took


@dataclass(frozen=True, slots=True)
class Result:
    """The check of one program.

    `rule` is that of the first finding if the verdict is UNSAFE, `reason` says why it is
    UNKNOWN. Sequences are in the order of the source.
    """

    program: str
    verdict: Verdict
    rule: str = ""
    reason: str = ""
    properties: tuple[str, ...] = ()
    library: bool = False
    findings: tuple[Finding, ...] = ()
    obligations: tuple[ObligationResult, ...] = ()
    preconditions: tuple[Precondition, ...] = ()
    procedures: tuple[ProcedureResult, ...] = ()
    stages: tuple[Stage, ...] = ()
    assumptions: tuple[int, ...] = ()
    internal: bool = False  # an internal check failed: the run ends with status 4

"""What a run is given and what it gives back."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from precis.ir.location import Location

DEFAULT_PROPERTIES = frozenset({"memory-safety", "assertions"})


class Malloc(Enum):
    """Whether allocation can fail; then the inputs decide which do."""

    NEVER_FAILS = "never-fails"
    MAY_FAIL = "may-fail"


class Natives(Enum):
    """Whether fast twins stand in for models."""

    USE = "use"
    MODELS_ONLY = "models-only"


@dataclass(frozen=True, slots=True)
class Inputs:
    """Everything a run depends on besides the program.

    `values` answer the nondeterministic calls in order, without them the seed does. With
    `stdin` None, input is read from the outside as the program asks for it. `failures` are the
    allocations that fail if any may, counted from 1; with None the seed decides.
    """

    seed: int = 0
    values: tuple[int | float, ...] | None = None
    stdin: bytes | None = None
    args: tuple[str, ...] = ()
    failures: frozenset[int] | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """`timeout` in seconds, `memory` in bytes of blocks."""

    properties: frozenset[str] = DEFAULT_PROPERTIES
    malloc: Malloc = Malloc.NEVER_FAILS
    timeout: float | None = None
    memory: int | None = None
    natives: Natives = Natives.USE


class Ending(Enum):
    EXIT = "exit"
    VIOLATION = "violation"
    ASSUME_FAILED = "assume-failed"
    OUT_OF_TIME = "out-of-time"
    OUT_OF_MEMORY = "out-of-memory"
    UNSUPPORTED = "unsupported"
    UNDEFINED = "undefined"  # undefined behaviour of a property that is not checked
    NO_VALUE = "no-value"  # the given values are used up


@dataclass(frozen=True, slots=True)
class Chosen:
    """One nondeterministic input."""

    source: str
    at: Location
    value: int | float


@dataclass(frozen=True, slots=True)
class Frame:
    procedure: str
    at: Location


@dataclass(frozen=True, slots=True)
class TraceStep:
    at: Location
    text: str


@dataclass(frozen=True, slots=True)
class BlockStory:
    """The memory block a violation is about."""

    text: str
    kind: str
    size: int
    made: Location
    ended: Location | None


@dataclass(frozen=True, slots=True)
class Violation:
    """`at` is the place in the user's program, `inner` the exact one, maybe in a model.

    The stack and the trace are innermost first and oldest first.
    """

    rule: str
    property: str
    at: Location
    inner: Location
    message: str
    stack: tuple[Frame, ...]
    values: tuple[tuple[str, str], ...]
    trace: tuple[TraceStep, ...]
    block: BlockStory | None


@dataclass(frozen=True, slots=True)
class Outcome:
    ending: Ending
    status: int
    violation: Violation | None
    reason: str
    at: Location | None
    steps: int
    chosen: tuple[Chosen, ...]
    stdin_read: bytes

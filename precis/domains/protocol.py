"""What the engine asks of an abstract domain, and what summaries are made of.

The engine knows nothing of heaps or numbers. It holds states it cannot look into and asks a
`Domain` five kinds of question: how states compare, what one step does, how an obligation
stands, how a state crosses a call, and what a finished activation amounts to.

States stay inside one activation and are never stored; summaries travel, and have a codec.

Entries, coverages, answers, bindings, frames and logs belong to the domain; the engine passes
them on. An *entry* is what a call gives to a callee, in the callee's own names; a *frame* is what
stays behind at the call; a *binding* says how a summary's coverage fits an entry.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar, runtime_checkable

from precis.domains.picture import Picture
from precis.ir.instr import Call, End, Step
from precis.ir.obligation import Obligation
from precis.ir.procedure import Procedure

State = TypeVar("State")
Entry = TypeVar("Entry")
Coverage = TypeVar("Coverage")
Answer = TypeVar("Answer")
Binding = TypeVar("Binding")
Frame = TypeVar("Frame")
Log = TypeVar("Log")

# Numbers of docs/assumptions.md.
EXTERNAL: Final = 19  # functions without a body
CALLERS: Final = 23  # callers of a library hold their own blocks
FORMATS: Final = 24  # no format has %n

IMPOSSIBLE: Final = "never"  # in place of a need in words: it contradicts those before it


class ObligationId(NamedTuple):
    """A `Check` of the program: its procedure and its number there."""

    procedure: str
    number: int


class CallSite(NamedTuple):
    """A `Call` of the program."""

    procedure: str
    block: int
    step: int


class Side(Enum):
    """OVER covers every run and may conclude SAFE; UNDER follows real runs."""

    OVER = "over"
    UNDER = "under"


class Exit(Enum):
    """How control leaves a piece of program. HALT (exit, abort) climbs through every caller."""

    RETURN = "return"
    HALT = "halt"
    RAISE = "raise"
    STOP = "stop"  # a transaction ended


class Standing(Enum):
    """How the memories that a state describes stand to an obligation."""

    MET = "met"  # every one meets it
    NEVER_MET = "never met"  # none does, if there is any: a candidate, never a verdict
    OPEN = "open"  # some may not


@dataclass(frozen=True, slots=True)
class Need(Generic[Coverage]):
    """A latent obligation: it holds in every run whose entry `safe_if` describes.

    `via` are the calls it has climbed through, the innermost first.
    """

    origin: ObligationId
    safe_if: Coverage
    via: tuple[CallSite, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome(Generic[Answer]):
    exit: Exit
    answer: Answer


class Piece(NamedTuple):
    """A piece of a procedure, from the start of one block to the exit or to another block.

    The whole procedure is (name, 0, -1).
    """

    procedure: str
    start: int = 0
    end: int = -1


@dataclass(frozen=True, slots=True)
class Summary(Generic[Coverage, Answer]):
    """What was learned of a piece: every entry that `coverage` describes leaves by `outcomes`.

    Obligations inside that stand for every such entry are met; the `needs` are those that
    depend on it. `assumptions` are numbers of docs/assumptions.md. `depends_on` are the
    keys of the summaries that were used. `granted` is what is taken for granted of every entry
    besides, in words; the domain sees to it at calls.
    """

    piece: Piece
    side: Side
    coverage: Coverage
    outcomes: tuple[Outcome[Answer], ...]
    needs: tuple[Need[Coverage], ...] = ()
    assumptions: frozenset[int] = frozenset()
    depends_on: frozenset[str] = frozenset()
    granted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unfollowed(Generic[State]):
    """The states after a call of a library model that was not followed: the obligations inside
    stay open, and the states are those where they are met."""

    states: tuple[State, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Judgement(Generic[State, Coverage]):
    """An answer to `Domain.judge`.

    `passed` describes the memories that meet the obligation; the analysis goes on with them.
    `need` is what a caller must establish, over the entry; None if the domain cannot say, and
    then the obligation is unknown, not latent. `why` says in a few words what may be wrong.
    `certain`, of what is never met: there are entries from which control surely gets there, unless
    it fails before.
    """

    standing: Standing
    passed: tuple[State, ...]
    need: Need[Coverage] | None = None
    why: str = ""
    certain: bool = False


@dataclass(frozen=True, slots=True)
class Redo(Generic[Entry]):
    """The activation must be done again from another entry; the engine bounds how often."""

    entry: Entry
    reason: str


class GiveUp(Exception):
    """The domain cannot go on with this activation: its verdict is unknown, for this reason."""


class Refused(GiveUp):
    """No summary of what is called holds here: nothing is known of the callee's own obligations
    either."""


# mypy asks for variance that the methods of Domain below would not have.
class Summaries(Protocol[Entry, Coverage, Answer, Binding]):  # type: ignore[misc]
    """What all systems share, contracts too."""

    def join_needs(
        self, older: Sequence[Need[Coverage]], newer: Sequence[Need[Coverage]]
    ) -> tuple[Need[Coverage], ...]:
        """Needs that ask for all that the given ones do; `older` itself if it does."""

    def bucket(self, procedure: Procedure, entry: Entry | None) -> Hashable:
        """Index into the table: entries that fit the same coverages have one bucket."""

    def match(self, coverage: Coverage, entry: Entry | None) -> Binding | None:
        """How the coverage fits the entry; None if it does not describe it."""

    def encode(self, summary: Summary[Coverage, Answer]) -> Any:
        """Plain data: None, truth values, numbers, texts, and lists and tuples of them."""

    def decode(self, data: Any) -> Summary[Coverage, Answer]:
        """Inverse of encode; raises ValueError for anything else."""

    def packed(self, summary: Summary[Coverage, Answer]) -> Summary[Coverage, Answer]:
        """A final summary without what only its activation needed, which is forgotten."""

    def describe(self, summary: Summary[Coverage, Answer]) -> Sequence[str]:
        """Lines of text for users."""

    def preconditions(self, summary: Summary[Coverage, Answer]) -> Mapping[Need[Coverage], str]:
        """What needs ask of callers, in words; those that follow from others need not be there, and
        one that nobody can meet who meets those before it is IMPOSSIBLE."""

    def draw(self, summary: Summary[Coverage, Answer]) -> Sequence[Picture]:
        """The entry and each outcome as a picture."""


@runtime_checkable
class Measured(Protocol):
    """A domain that tells how large its summaries are."""

    def measures(self, summary: Summary[Any, Any]) -> Mapping[str, Any]:
        """Plain data, for comparing ways to compute a summary."""


class Splitting(Protocol):
    """A domain that can look at a root in cases."""

    def cases(self, procedure: Procedure, entry: Any) -> Sequence[Any]:
        """Entries that together cover all runs from this one, finer than it; none if there is
        nothing to tell apart. They may be found by what analyses have seen so far."""


@dataclass(frozen=True, slots=True)
class Context:
    """What a summary depends on besides the procedure, what that names, and the summaries of
    callees: plain data, and more globals and procedures that it may speak of."""

    data: Any
    globals: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mentions:
    """Names of the program that an encoded summary speaks of."""

    globals: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    records: frozenset[str] = frozenset()


@runtime_checkable
class Keepable(Protocol):
    """A domain that packs and whose summaries for unknown callers may be used in later runs."""

    def context(self, procedure: Procedure) -> Context:
        """All of the program and the options that the summary depends on; rather too much."""

    def mentions(self, data: Any) -> Mentions:
        """What an encoded summary speaks of."""


@runtime_checkable
class Coarsening(Protocol):
    """A domain that can do with less where an activation takes too long."""

    def coarser(self, procedure: Procedure, entry: Any) -> Any | None:
        """The entry to start again with, what ran being dropped; None if nothing is left to
        save."""


@runtime_checkable
class Supposing(Protocol):
    """A domain that may suppose, of a call that no summary holds for, that nothing goes wrong in
    it: that is one open entry, where otherwise all obligations in there would be open."""

    supposes: bool


Transfer = Callable[[State, Log], tuple[State, ...]]


class Domain(
    Summaries[Entry, Coverage, Answer, Binding],
    Protocol[State, Entry, Coverage, Answer, Binding, Frame, Log],
):
    """An abstract domain for fixpoint explorers. Its laws are tested in tests/laws.

    `name` and `version` are part of the key of each stored summary. Raise `version` whenever
    the same program can get a different summary. If it `packs`, an activation that is done is
    checked at once, and only its summary is kept.
    """

    name: str
    packs: bool
    version: int

    # Order. leq may answer False for states it cannot compare; join is an upper bound, not
    # always the least; widen(previous, current) covers both and makes every chain finite;
    # narrow(wide, tight) lies between the two for tight below wide.
    def leq(self, small: State, big: State) -> bool: ...
    def join(self, left: State, right: State) -> State: ...
    def widen(self, previous: State, current: State) -> State: ...
    def narrow(self, wide: State, tight: State) -> State: ...

    def key(self, state: State) -> Hashable:
        """Equal for states that describe the same memories in the same way."""

    def merge_key(self, state: State) -> Hashable:
        """States of one key are merged first when there are too many at a point."""

    def may_repeat(self, state: State) -> bool:
        """May a state at the head of a loop come to it again with the same merge key? If not,
        there is no need to widen it."""

    def widen_entry(self, old: Entry | None, new: Entry | None) -> Entry | None:
        """An entry that covers both, such that chains are finite."""

    def start(self, procedure: Procedure, entry: Entry | None) -> tuple[State, Log]:
        """The state before block 0; None stands for unknown callers."""

    def prepare(self, procedure: Procedure, step: Step, at: CallSite) -> Transfer[State, Log]:
        """The effect of a step, ready to run; called once per step, so dispatch here."""

    def prepare_end(
        self, procedure: Procedure, end: End, block: int
    ) -> Callable[[State, Log], tuple[tuple[int, State], ...]]:
        """Where a state goes at the end of a block: to which blocks, as what. Number -1 stands
        for leaving the procedure by this Return or Halt."""

    def judge(
        self, state: State, obligation: Obligation, following: Step | End, origin: ObligationId,
        log: Log,
    ) -> Judgement[State, Coverage]:  # fmt: skip
        """How an obligation stands before the step it belongs to. OPEN is always sound."""

    def passing(
        self, state: State, obligation: Obligation, following: Step | End, origin: ObligationId,
        log: Log,
    ) -> tuple[State, ...]:  # fmt: skip
        """As `judge`, where nobody asks yet but with what the analysis goes on."""

    def targets(self, state: State, call: Call) -> tuple[str, ...] | None:
        """The procedures a call may reach; None if the domain cannot say."""

    def enter(
        self, state: State, call: Call, callee: Procedure, site: CallSite, log: Log
    ) -> tuple[tuple[Entry | None, Frame], ...]:
        """The callee's entries in its own names, each with what stays behind.

        A compositional domain asks for unknown callers, so that each procedure is analysed once.
        """

    def resume(
        self, frame: Frame, binding: Binding, outcome: Outcome[Answer], log: Log
    ) -> tuple[State, ...]:
        """The caller's states after the call; after a HALT, those that the program ends in."""

    def returned(
        self, state: State, call: Call, states: Sequence[State], origin: ObligationId
    ) -> Sequence[Judgement[State, Coverage]]:
        """The calls' own `NotLost`, which can only be judged when the result is there: what is
        not met in these states after the return from a call in `state`. `judge` leaves it out."""

    def anything(self, frame: Frame, log: Log) -> list[tuple[Exit, tuple[State, ...]]]:
        """The states after a call whose summary was refused: the callee may do anything."""

    def lift(
        self, frame: Frame, binding: Binding, need: Need[Coverage], site: CallSite
    ) -> Judgement[State, Coverage]:
        """A callee's need at a call: met here, never met, open, or now the caller's own."""

    def external(
        self, state: State, call: Call, name: str, site: CallSite, log: Log
    ) -> tuple[State, ...] | Unfollowed[State] | None:
        """The effect of a call that the domain knows without looking at a body.

        None: it does not, and the body is analysed. Raises GiveUp if nothing can be said.
        """

    def finish(
        self,
        procedure: Procedure,
        entry: Entry | None,
        exits: Sequence[tuple[Exit, State]],
        needs: Sequence[Need[Coverage]],
        log: Log,
    ) -> Summary[Coverage, Answer] | Redo[Entry]:
        """The activation as a summary; pattern, delta or coverage is made here.

        GiveUp: nothing is known of the whole activation; its summary is `nothing_known`.
        """

    def nothing_known(
        self, procedure: Procedure, entry: Entry | None, log: Log
    ) -> Summary[Coverage, Answer]:
        """A summary for every entry that says nothing. Only asked for where `finish` gave up."""

    def unknown_exits(self, state: State) -> Sequence[tuple[Exit, State]]:
        """What may be where control leaves the procedure after it got to a state from which it is
        not followed: anything. Only asked of a domain that `packs`."""

    def join_answers(
        self, older: Sequence[Outcome[Answer]], newer: Sequence[Outcome[Answer]]
    ) -> tuple[Outcome[Answer], ...]:
        """Outcomes that cover both and, along a chain of them, become stable: for recursion.

        Gives `older` itself if it covers `newer`.
        """

"""An activation of a procedure: what it is made of, while it is explored and when it is done."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from precis.domains.protocol import (
    CallSite,
    Exit,
    Need,
    ObligationId,
    Outcome,
    Standing,
    Summary,
)
from precis.engine.budget import ROOM, SHARES
from precis.ir.instr import Call, Check, End, Halt, Return, Step, successors
from precis.ir.location import Location
from precis.ir.loops import edges, weak_order
from precis.ir.obligation import (
    NonZero,
    NotLost,
    ValidCall,
    ValidFree,
    ValidRead,
    ValidWrite,
)
from precis.ir.procedure import Procedure

Key = tuple[str, Hashable]  # an activation: procedure and entry
# What the step after a check takes for granted, whatever the check said.
ASSUMED: Final = (ValidRead, ValidWrite, ValidFree, ValidCall, NonZero)
LEAVES: Final = -1  # in place of a block: control leaves the procedure


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is kept apart before states are merged."""

    apart: int = 48  # states of one merge key at a block
    at_loops: int = 160  # the same at the head of a loop: turns that are followed one by one
    keys: int = 64  # merge keys at a block
    in_block: int = 128  # states on the way through a block
    contexts: int = 40  # entries of a procedure
    library_contexts: int = 12
    forks: int = 16  # turns of a loop that may go on or not, followed one by one
    narrowings: int = 1
    iterations: int = 60  # of a recursive component
    states: int = 25_000  # that are looked at in all
    patience: int = 1 << 30  # states of one activation, if it has few blocks
    turns: int = 8  # states for each block, if it has many
    together: bool = False  # all states of a block are merged when there are too many
    single: bool = False  # one state at each block: what comes in by its edges, joined

    def patience_of(self, procedure: Procedure) -> int:
        return max(self.patience, self.turns * len(procedure.blocks))


FINE: Final = Limits()
COARSE: Final = Limits(
    apart=2,
    at_loops=3,
    forks=2,
    keys=4,
    in_block=8,
    contexts=4,
    library_contexts=2,
    together=True,
    states=100_000,
)

ONE_STATE: Final = Limits(
    single=True,
    narrowings=0,
    in_block=1,
    iterations=30,
    contexts=1 << 30,
    library_contexts=1 << 30,
    states=1 << 30,
    patience=3000,
    turns=16,
)


@dataclass(frozen=True, slots=True)
class Request:
    """A call that needs a summary of `callee` for `entry`."""

    site: CallSite
    callee: Procedure
    entry: Any
    node: Node
    sure: bool
    by: Key | None = None  # in place of the activation that it comes from


@dataclass(frozen=True, slots=True)
class Reply:
    """What is known so far: bindings with outcomes, and needs."""

    binding: Any
    outcomes: tuple[Outcome[Any], ...]
    needs: tuple[Need[Any], ...]


class Node:
    """A state at the start of a block, and the one it came from.

    `sure`: every run from the entry that breaks nothing and does not go on for ever comes here.
    `covered`: states that came in by edges and are known to be below its own.
    """

    __slots__ = ("block", "covered", "parent", "state", "superseded", "sure")

    def __init__(self, block: int, state: Any, parent: Node | None, sure: bool) -> None:
        self.block = block
        self.state = state
        self.parent = parent
        self.superseded = False
        self.covered: dict[Any, Any] = {}
        self.sure = sure


@dataclass(frozen=True, slots=True)
class Caller:
    """The first call that asked for an activation."""

    key: Key
    site: CallSite
    node: Node
    sure: bool


@dataclass(slots=True)
class Work:
    """What was done for an activation, in all its rounds: states looked at, also to check its
    result, and the first request for each summary, with the number it had among all requests.
    `keepable`: nothing else had a part in it, such as the clock."""

    spent: int = 0
    keepable: bool = True
    asked: dict[Key, tuple[int, Request]] = field(default_factory=dict)


@dataclass(slots=True)
class Open:
    """An obligation that a state leaves open, the first one of its kind."""

    origin: ObligationId
    standing: Standing
    why: str
    node: Node | None
    via: tuple[CallSite, ...] = ()
    prunes: bool = False  # the analysis went on with fewer runs
    sure: bool = False  # every run of the activation gets there
    certain: bool = False  # ... from some entries, whatever turns out inside, or breaks something
    asked: bool = False  # callers are asked not to get there: it counts for roots alone


@dataclass(frozen=True, slots=True)
class Unlooked:
    """A call of a procedure whose obligations nobody looked at there, nor those of what it calls
    (`by_name`: as far as these are called by name). If it is `supposed`, none of them is
    taken to be broken in this call: all from there on hangs on that."""

    callee: str
    site: CallSite
    why: str
    node: Node
    by_name: bool
    supposed: bool = False


@dataclass(frozen=True, slots=True)
class Lost:
    """A place beyond which nothing is known. If it is `contained`, only inside of its procedure and
    in what that calls: callers went on as if anything could have happened."""

    procedure: str
    block: int
    step: int
    at: Location
    reason: str
    contained: bool = False


Replies = Generator[Request, Reply, Any]


class Code:
    """A procedure made ready for a domain: closures for its steps, in blocks."""

    __slots__ = (
        "blocks", "ends", "heads", "is_exit", "position", "procedure", "returns", "span",
    )  # fmt: skip

    def __init__(self, domain: Any, procedure: Procedure) -> None:
        self.procedure = procedure
        order = weak_order(edges(procedure))
        self.position = {block: at for at, block in enumerate(order.blocks)}
        self.span = order.span
        self.heads = frozenset(order.span)
        self.returns = returning_blocks(procedure)
        self.blocks: list[list[tuple[str, Any, Any, int]]] = [[] for _ in procedure.blocks]
        self.ends: list[Callable[[Any, Any], tuple[tuple[int, Any], ...]] | None]
        self.ends = [None] * len(procedure.blocks)
        self.is_exit: list[Exit] = [
            Exit.HALT if isinstance(block.end, Halt) else Exit.RETURN for block in procedure.blocks
        ]
        for number in order.blocks:
            block = procedure.blocks[number]
            self.ends[number] = domain.prepare_end(procedure, block.end, number)
            items = self.blocks[number]
            for index, step in enumerate(block.steps):
                site = CallSite(procedure.name, number, index)
                if isinstance(step, Check):
                    following = _following(block.steps, index, block.end)
                    items.append(("check", step, following, index))
                elif isinstance(step, Call):
                    items.append(("call", step, (site, _leak_check(procedure, site)), index))
                else:
                    items.append(("step", domain.prepare(procedure, step, site), step, index))

    def turn(self, source: int | None, block: int) -> tuple[int, int]:
        """When a block is visited that control comes to: after those before it, and back at the
        head of a loop after the whole body."""
        at = self.position[block]
        if source is not None and block in self.span:
            end = at + self.span[block] - 1
            if at <= self.position[source] <= end:
                return end, 1
        return at, 0


def returning_blocks(procedure: Procedure) -> frozenset[int]:
    """The blocks from which control may get to a return."""
    before: dict[int, list[int]] = {}
    for number, block in enumerate(procedure.blocks):
        for target in successors(block.end):
            before.setdefault(target, []).append(number)
    work = [n for n, block in enumerate(procedure.blocks) if isinstance(block.end, Return)]
    found = set(work)
    while work:
        fresh = [n for n in before.get(work.pop(), ()) if n not in found]
        found.update(fresh)
        work.extend(fresh)
    return frozenset(found)


def _following(steps: tuple[Step, ...], index: int, end: End) -> Step | End:
    for step in steps[index + 1 :]:
        if not isinstance(step, Check):
            return step
    return end


def _leak_check(procedure: Procedure, site: CallSite) -> ObligationId | None:
    """The obligation of a call to lose no block: whether it does shows when it returns."""
    steps = procedure.blocks[site.block].steps
    for index in range(site.step - 1, -1, -1):
        step = steps[index]
        if not isinstance(step, Check):
            return None
        if isinstance(step.obligation, NotLost):
            return ObligationId(procedure.name, step.number)
    return None


@dataclass(slots=True)
class Point:
    """The states at the start of a block; `forks`: how many of them went on in several ways."""

    forks: int = 0
    kept: dict[Hashable, dict[Hashable, Node]] = field(default_factory=dict)
    incoming: dict[Hashable, dict[Any, Any]] = field(default_factory=dict)  # last by each edge
    gathered: dict[Hashable, Node] = field(default_factory=dict)

    def nodes(self) -> list[Node]:
        found = [node for group in self.kept.values() for node in group.values()]
        return [*found, *self.gathered.values()]


class Activation:
    """One procedure with one entry, under way or done."""

    __slots__ = (
        "code", "entry", "exits", "fixed", "found", "gathers", "given_up", "key", "log", "lost",
        "needs", "nodes", "patience", "plain", "points", "procedure", "recalled",
        "revised", "room", "seconds", "settled", "shares", "states", "steps", "summary",
        "tentative", "unlooked", "used",
    )  # fmt: skip

    code: Code  # as soon as it is explored

    def __init__(self, procedure: Procedure, entry: Any, key: Key, patience: int = 1 << 30) -> None:
        self.procedure = procedure
        self.patience = patience  # states after which it takes too long
        self.seconds = 0.0  # that it took by itself
        self.room = ROOM  # bytes that it may still take
        self.shares = SHARES  # of the time
        self.entry = entry
        self.key = key
        self.summary: Summary[Any, Any] | None = None
        self.fixed: dict[tuple[int, Hashable], Any] = {}
        self.states = 0
        self.steps = 0
        self.log: Any = None
        self.nodes: list[Node] = []  # all that were made
        self.settled = False  # its result was checked, and nothing is left but that
        self.recalled = False  # it comes from an earlier run
        self.reset()

    def reset(self) -> None:
        self.points: dict[int, Point] = {}
        self.exits: dict[Hashable, tuple[Exit, Any]] = {}
        self.found: dict[tuple[ObligationId, tuple[CallSite, ...]], Open] = {}
        self.needs: dict[Need[Any], str] = {}  # and why, if nothing shows the obligation
        self.lost: dict[Lost, None] = {}
        self.unlooked: dict[tuple[str, CallSite], Unlooked] = {}
        self.used: dict[Key, None] = {}
        self.gathers = False  # some head was widened
        self.tentative = False  # states are on their way: what they say of obligations is not kept
        self.revised = False  # some state was gone on from that was replaced later
        self.given_up = False  # nothing is known of it
        # With one state at each block: each is just what came in by one edge, by final summaries.
        self.plain = True

    def give_up(self, reason: str, contained: bool) -> None:
        """Nothing is known from its start on."""
        used = self.used
        self.reset()
        self.used = used
        self.given_up = True
        at = self.procedure.at
        self.lost[Lost(self.procedure.name, 0, -1, at, reason, contained)] = None

    def settle(self, summary: Summary[Any, Any]) -> None:
        """Keep the summary, what is open, and the ways there; forget the states."""
        self.forget_states()
        self.summary, self.log = summary, None
        self.points, self.exits = {}, {}
        self.explain({need.origin: why for need, why in self.needs.items() if why})
        self.settled = True

    def explain(self, whys: Mapping[ObligationId, str]) -> None:
        """The needs are those of the summary, with what there is to say of their obligations."""
        needs = () if self.summary is None else self.summary.needs
        self.needs = {need: whys.get(need.origin, "") for need in needs}

    def forget_states(self) -> None:
        """Nodes stay: ways lead over them."""
        for node in self.nodes:
            node.state = None
            node.covered = {}
        self.nodes.clear()

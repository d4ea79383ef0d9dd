"""What `values` knows of the program as a whole: names of blocks, initial contents, thresholds.

Blocks are numbers. Globals and procedures have negative ones; a block that a procedure makes is
named after the step that makes it, with room for a few at a time; the blocks a callee is given
are numbered as it can reach them. Names depend on the program alone, not on the order in which
things are analysed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from precis.domains.values import num
from precis.domains.values.memory import (
    ALL_ZERO,
    ANYTHING,
    LIVE,
    MOST_CELLS,
    Block,
    Cell,
    kind_of,
    smashed,
)
from precis.domains.values.num import Num
from precis.domains.values.state import State
from precis.domains.values.value import (
    ANY_OFFSET,
    ANY_POINTER,
    FLOAT,
    ZERO,
    Value,
    any_of,
    as_pointer,
    moved,
    pointer_to,
)
from precis.ir.holders import Holders, holders
from precis.ir.instr import Alloc, Branch, ScopeBegin, Switch, computed
from precis.ir.notation import name_text
from precis.ir.procedure import Procedure
from precis.ir.program import Global, Program
from precis.ir.types import Int, Pointer, scalar_bytes
from precis.ir.values import Term, subterms

ROOM: Final = 64  # names for the blocks of one step
GIVEN: Final = 1 << 40  # the first block that callers give
OUTSIDE: Final = 1 << 41  # all memory that unknown callers may give
CODE_SITE: Final = ("", -1, -1)


@dataclass(frozen=True, slots=True)
class Policy:
    """How much is kept apart."""

    at_site: int = 40  # single blocks of one step; further ones become one for many
    outcomes: int = 48  # of a procedure
    split: int = 8  # an input with at most so many values is followed value by value


FINE: Final = Policy()
COARSE: Final = Policy(at_site=2, outcomes=4, split=0)


class World:
    """One program, as the domain sees it."""

    def __init__(
        self, program: Program, properties: frozenset[str], may_fail: bool,
        assumed: frozenset[int], policy: Policy, library: bool,
    ) -> None:  # fmt: skip
        self.program = program
        self.properties = properties
        self.may_fail = may_fail
        self.assumed = assumed
        self.policy = policy
        self.library = library
        self.word = program.model.word
        self.half = 1 << (8 * program.model.pointer_bytes - 1)
        names = sorted(program.globals)
        self._globals = {name: -2 * at - 1 for at, name in enumerate(names)}
        code = sorted({*program.procedures, *program.externals})
        self._code = {name: -2 * at - 2 for at, name in enumerate(code)}
        self.name_of = {
            **{number: name for name, number in self._globals.items()},
            **{number: name for name, number in self._code.items()},
        }
        self._initial: dict[int, Block] = {}
        self._sites = _sites(program)
        self._holders: dict[str, Holders] = {}
        self._makers: dict[int, tuple[str, int, int]] | None = None
        self.thresholds = thresholds(program)

    def global_block(self, name: str) -> int:
        return self._globals[name]

    def code_block(self, name: str) -> int:
        return self._code.get(name, 0)

    def is_code(self, block: int) -> bool:
        return block < 0 and block % 2 == 0

    def is_constant(self, block: int) -> bool:
        """May the block never be written?"""
        if block >= 0:
            return False
        return self.is_code(block) or self.program.globals[self.name_of[block]].constant

    def has_callers(self, state: State) -> bool:
        """Are there callers that nobody knows, and can be asked for something?"""
        return self.library or OUTSIDE in state.blocks

    def site(self, procedure: str, block: int, step: int) -> int:
        """The first of the names for blocks made by a step."""
        return self._sites[procedure, block, step] * ROOM + ROOM

    def object_site(self, procedure: str, index: int) -> int:
        return self._sites[procedure, -1, index] * ROOM + ROOM

    def holders(self, procedure: Procedure) -> Holders:
        """Which of its variables keep blocks from being lost."""
        found = self._holders.get(procedure.name)
        if found is None:
            found = self._holders[procedure.name] = holders(procedure)
        return found

    def made_by(self, name: int) -> str:
        """A name for a block that some procedure makes: the object, or the line of the step."""
        if self._makers is None:
            self._makers = {at: place for place, at in self._sites.items()}
        place = self._makers.get(name // ROOM - 1)
        if place is None:
            return f"block {name}"
        procedure, block, index = place
        made = self.program.procedures[procedure]
        if block == -1:
            return name_text(made.objects[index].name or "temporary")
        turn = name % ROOM
        many = "s" if turn == ROOM - 1 else f".{turn + 1}" if turn else ""
        return f"new{many}@{made.blocks[block].steps[index].at.line}"

    def block(self, state: State, name: int) -> Block:
        found = state.blocks.get(name)
        return found if found is not None else self.initial(name)

    def initial(self, name: int) -> Block:
        """A global or procedure as it is before the program starts."""
        found = self._initial.get(name)
        if found is None:
            if self.is_code(name):
                found = Block("code", ZERO, LIVE, False, {}, ALL_ZERO, CODE_SITE)
            else:
                found = self._global(self.program.globals[self.name_of[name]])
            self._initial[name] = found
        return found

    def _global(self, global_: Global) -> Block:
        size = num.const(global_.size)
        site = (global_.name, -1, -1)
        unknown = global_.external or (self.library and not global_.constant)
        if unknown:
            return Block("global", size, LIVE, False, {}, ANYTHING, site)
        cells: dict[int, Cell] = {}
        for piece in global_.pieces:
            if isinstance(piece.value, bytes):
                for at, byte in enumerate(piece.value, piece.offset):
                    if byte:
                        cells[at] = (1, "u", (num.const(byte), (), False))
            elif piece.bits is not None:
                return Block("global", size, LIVE, False, {}, ANYTHING, site)
            else:
                width = scalar_bytes(piece.value.type, self.program.model)
                cells[piece.offset] = (width, kind_of(piece.value.type), self.constant(piece.value))
        block = Block("global", size, LIVE, False, cells, ALL_ZERO, site)
        return smashed(block) if len(cells) > MOST_CELLS else block

    def constant(self, term: Term) -> Value:
        """The value of a term of an initialiser."""
        match term.op:
            case "const":
                assert isinstance(term.data, int)
                value: Value = (num.const(term.data), (), False)
                return as_pointer(value) if isinstance(term.type, Pointer) else value
            case "real":
                return FLOAT
            case "global":
                return pointer_to(self._globals[str(term.data)])
            case "function":
                return pointer_to(self._code[str(term.data)])
            case "offset":
                base, count = (self.constant(arg) for arg in term.args)
                assert isinstance(term.data, int)
                distance = num.scale(count[0], term.data) if count[0] is not None else ANY_OFFSET
                if base[0] is not None and distance != ZERO:
                    return ANY_POINTER
                return (base[0], moved(base[1], distance), False)
            case "cast":
                value = self.constant(term.args[0])
                if isinstance(term.type, Pointer):
                    return as_pointer(value)
                if isinstance(term.type, Int) and value[0] is not None:
                    return (num.wrap(value[0], term.type), value[1], False)
                return value if isinstance(term.type, Int) else any_of(term.type)
            case _:
                return any_of(term.type)


def _sites(program: Program) -> dict[tuple[str, int, int], int]:
    found: dict[tuple[str, int, int], int] = {}
    for name in sorted(program.procedures):
        procedure = program.procedures[name]
        for index in range(len(procedure.objects)):
            found[name, -1, index] = len(found)
        for number, block in enumerate(procedure.blocks):
            for index, step in enumerate(block.steps):
                if isinstance(step, Alloc):
                    found[name, number, index] = len(found)
    return found


def thresholds(program: Program) -> tuple[int, ...]:
    """The constants that tests and sizes compare with, and their neighbours."""
    around = compared(program.procedures.values())
    # With the ends of the types among them, nothing is widened past its type needlessly.
    return tuple(sorted(around | set(num.STAIRS)))


def compared(procedures: Iterable[Procedure]) -> set[int]:
    """The constants that tests and sizes of some procedures compare with, and their neighbours."""
    known = list(procedures)
    cases = {
        bound
        for procedure in known
        for block in procedure.blocks
        if isinstance(block.end, Switch)
        for case in block.end.cases
        for bound in (case.low, case.high)
    }
    return tested(known) | _near(cases)


def tested(procedures: Iterable[Procedure]) -> set[int]:
    """As `compared`, without the cases of switches."""
    found = {-1, 0, 1}
    for procedure in procedures:
        for local in procedure.objects:
            if local.size is not None:
                found.add(local.size)
        for block in procedure.blocks:
            for item in (*block.steps, block.end):
                if isinstance(item, Branch | Switch | Alloc | ScopeBegin):
                    for root in computed(item):
                        found.update(_constants(root))
    return _near(found)


def _near(constants: Iterable[int]) -> set[int]:
    return {c + d for c in constants for d in (-1, 0, 1)}


def _constants(root: Term) -> set[int]:
    return {
        int(node.data)
        for node in subterms(root)
        if node.op == "const" and isinstance(node.data, int)
    }


def offsets_within(block: Block, size: int) -> Num | None:
    """Where an access of so many bytes may begin in some block that this one stands for."""
    last = block.size[1] - size
    return num.make(0, last) if last >= 0 else None

"""Does a state of `values` describe a memory of the referee?

It does if every block of the memory that the innermost activation can get at has a block of the
state that stands for it, such that all that the state says is true: of variables, objects,
bytes, sizes, lifetimes, facts, origins. The blocks are matched from variables and objects on,
along the pointers; where several blocks of the state may stand for one, all are tried.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

from precis.domains.values import num
from precis.domains.values.domain import Values
from precis.domains.values.memory import ENDED, FREED, LIVE, Cell, Rest
from precis.domains.values.memory import Block as Abstract
from precis.domains.values.state import NO_BLOCK, State
from precis.domains.values.value import UNKNOWN, Value
from precis.interp.cells import Indeterminate
from precis.interp.memory import NULL, WILD, Block
from precis.interp.memory import State as Life
from precis.ir.instr import BlockKind
from precis.ir.types import Float, Int
from precis.ir.types import Pointer as PointerType
from tests.laws.moments import Moment
from tests.laws.term_meaning import UNCLEAR, meaning

MOST_TRIES = 3000  # ways to match blocks
_LIVES = {Life.LIVE: LIVE, Life.FREED: FREED, Life.ENDED: ENDED}
Pointer: TypeAlias = tuple[Block, int]
Link: TypeAlias = tuple[Pointer, Value, str]  # a pointer, what may describe it, where it is


class NotCovered(Exception):
    """The state says something that is not true."""


@dataclass(slots=True)
class _Match:
    """Blocks of the memory (by number) and of the state that stand for each other."""

    names: dict[int, int] = field(default_factory=dict)
    blocks: dict[int, Block] = field(default_factory=dict)  # by number
    single: dict[int, int] = field(default_factory=dict)  # name -> number
    links: list[Link] = field(default_factory=list)  # still to be followed
    complete: bool = False  # the blocks that nothing leads to are among the links, too

    def copy(self) -> _Match:
        return _Match(
            dict(self.names), dict(self.blocks), dict(self.single), list(self.links), self.complete
        )


def why_not(domain: Values, state: State, moment: Moment) -> str:
    """Empty if the state describes the memory, else what is wrong."""
    try:
        _Covering(domain, state, moment).solve()
    except NotCovered as reason:
        return str(reason)
    return ""


class _Covering:
    def __init__(self, domain: Values, state: State, moment: Moment) -> None:
        self.world = domain.world
        self.state = state
        self.moment = moment
        self.width = self.world.program.model.pointer_bytes
        self.strict = "uninitialised" in self.world.properties
        self.tries = 0

    def solve(self) -> None:
        match = _Match()
        self._roots(match)
        self._complete(match)

    def _complete(self, match: _Match) -> None:
        """Follow all links; try all ways where there are several. The first reason counts."""
        self.tries += 1
        if self.tries > MOST_TRIES:
            return  # undecided: taken for covered
        unsure = self._follow(match)
        if unsure is None and not match.complete:
            match.complete = True
            match.links = self._unreached(match)
            unsure = self._follow(match)
        if unsure is None:
            self._whole(match)
            return
        link, names = unsure
        reason: NotCovered | None = None
        for name in names:
            attempt = match.copy()
            try:
                self._bind(attempt, link[0][0], name, link[2])
                self._complete(attempt)
            except NotCovered as this:
                reason = reason or this
            else:
                return
        assert reason is not None
        raise reason

    def _follow(self, match: _Match) -> tuple[Link, list[int]] | None:
        """Do what is certain; then a link with several ways, with these, or None."""
        unsure: list[Link] = []
        while match.links:
            link = match.links.pop()
            names = self._ways(match, link)
            if len(names) == 1:
                self._bind(match, link[0][0], names[0], link[2])
            elif names:
                unsure.append(link)
            if not match.links:
                match.links, unsure = (
                    [u for u in unsure if self._is_certain(match, u)],
                    [u for u in unsure if not self._is_certain(match, u)],
                )
        if not unsure:
            return None
        match.links = unsure[1:]
        return unsure[0], self._ways(match, unsure[0])

    def _is_certain(self, match: _Match, link: Link) -> bool:
        return len(self._ways(match, link)) < 2

    def _ways(self, match: _Match, link: Link) -> list[int]:
        """The names a link may lead to; none if it is all right as it is."""
        (block, offset), value, where = link
        known = match.names.get(block.number)
        if known is not None:
            places = dict(value[1])
            if known in places and num.contains(places[known], offset):
                return []
            raise NotCovered(
                f"{where} leads to {block!r} + {offset}, which is {self._name(known)}; "
                f"not one of {self._text(value)}"
            )
        names = [
            name
            for name, offsets in value[1]
            if num.contains(offsets, offset) and not self._unfit(match, block, name)
        ]
        if not names:
            unfit = [(self._name(n), self._unfit(match, block, n)) for n, _ in value[1]]
            place = f"{block!r} + {offset}"
            raise NotCovered(f"{where} leads to {place}, not one of {self._text(value)} {unfit}")
        return names

    def _unfit(self, match: _Match, block: Block, name: int) -> str:
        """Why a block of the state cannot stand for a block of the memory."""
        if name < 0 and self._concrete(name) is not block:
            return "another global"
        if name >= 0 and name not in self.state.blocks:
            return "not in the state"
        known = self.world.block(self.state, name)
        if not known.many and match.single.get(name, block.number) != block.number:
            return "taken"
        if name < 0 and block.kind is BlockKind.CODE:
            return ""
        if known.kind not in (block.kind.value, "mixed", "outside") and name >= 0:
            return f"of kind {known.kind}"
        if not known.live & _LIVES[block.state]:
            return f"live is {known.live}"
        return "" if num.contains(known.size, block.size) else f"of size {known.size}"

    def _concrete(self, name: int) -> Block:
        """The block of a global or procedure."""
        kind = "code" if self.world.is_code(name) else "global"
        compiler = self.moment.machine.compiler
        text = self.world.name_of[name]
        return compiler.code(text) if kind == "code" else compiler.block(kind, text)

    def _bind(self, match: _Match, block: Block, name: int, where: str) -> None:
        known = match.names.get(block.number)
        if known is not None:
            if known != name:
                raise NotCovered(
                    f"{where}: {block!r} is {self._name(known)}, not {self._name(name)}"
                )
            return
        wrong = self._unfit(match, block, name)
        if wrong:
            raise NotCovered(f"{where}: {block!r} is not {self._name(name)}: {wrong}")
        abstract = self.world.block(self.state, name)
        match.names[block.number] = name
        match.blocks[block.number] = block
        if not abstract.many:
            match.single[name] = block.number
        if block.limit >= 0:
            self._content(match, block, abstract, self._name(name))

    # What the state says directly.

    def _roots(self, match: _Match) -> None:
        self._variables(match)
        for index, name in enumerate(self.state.objects):
            self._object(match, index, name)
        procedure, texts = self.moment.procedure, self.moment.texts
        named = {self.world.global_block(name) for name in texts.mentioned(procedure)}
        below = {self.world.global_block(name) for name in texts.mentioned_below(procedure)}
        # Of others the state speaks only as far as pointers lead to them.
        for number in sorted(named | (below & self.state.blocks.keys())):
            block = self._concrete(number)
            if block.writable or block.ptrs or number in self.state.blocks:
                self._bind(match, block, number, "global")

    def _variables(self, match: _Match) -> None:
        leaks = "leaks" in self.world.properties
        for index, declared in enumerate(self.moment.procedure.variables):
            held = self.moment.variable(index)
            if self.moment.is_live(index):
                where = f"variable {index} {declared.name}"
                self._scalar(match, held, self.state.value(index), declared.type, where)
            elif leaks and declared.name and _leads_to_heap(held):
                # A name counts as a way to its block until it is overwritten.
                where = f"dead variable {index} {declared.name}"
                self._scalar(match, held, self.state.value(index), declared.type, where)

    def _object(self, match: _Match, index: int, name: int) -> None:
        block = self.moment.object(index)
        if name == NO_BLOCK:
            if block is not None and block.limit >= 0:
                raise NotCovered(f"object {index} is alive, the state has no block for it")
            return
        if block is not None:
            self._bind(match, block, name, f"object {index}")
        elif not self.state.blocks[name].live & ENDED:
            raise NotCovered(f"object {index} has no block, the state has {self._name(name)}")

    def _scalar(self, match: _Match, held: Any, value: Value, type_: Any, where: str) -> None:
        unset = value[2]
        if held is None or (isinstance(held, Indeterminate) and self.strict):
            if not unset:
                raise NotCovered(f"{where} is unset, not {self._text(value)}")
            return
        if (unset and not self.strict) or isinstance(type_, Float):
            return
        if isinstance(type_, PointerType):
            self._pointer(match, held, value, where)
        else:
            assert isinstance(type_, Int)
            self._integer(match, int(held), value, where)

    def _pointer(self, match: _Match, held: Pointer, value: Value, where: str) -> None:
        number, pointers, _ = value
        if UNKNOWN in dict(pointers):
            return
        if held[0] is NULL and held[1] == 0:
            if number is None or not num.contains(number, 0):
                raise NotCovered(f"{where} is null, not {self._text(value)}")
        elif held[0] is NULL or held[0] is WILD:
            raise NotCovered(f"{where} is the address {held[1]:#x}, not {self._text(value)}")
        else:
            match.links.append((held, value, where))

    def _integer(self, match: _Match, held: int, value: Value, where: str) -> None:
        number, pointers, _ = value
        if number is not None and num.contains(number, held):
            return
        if not pointers:
            raise NotCovered(f"{where} is {held}, not {self._text(value)}")
        if UNKNOWN in dict(pointers):
            return
        for block, offset in self.moment.at_address(held, 8 * self.width):
            link: Link = ((block, offset), value, where)
            try:
                self._ways(match, link)
            except NotCovered:
                continue
            match.links.append(link)
            return
        raise NotCovered(f"{where} is {held:#x}, an address of none of {self._text(value)}")

    # Bytes.

    def _content(self, match: _Match, block: Block, abstract: Abstract, name: str) -> None:
        inside = bytearray(block.size)
        for at, cell in abstract.cells.items():
            if at + cell[0] > block.size:
                continue  # of a larger block that this one stands for
            inside[at : at + cell[0]] = b"\x01" * cell[0]
            self._cell(match, block, at, cell, f"{name}[{at}]")
        self._rest(match, block, abstract.rest, inside, name)

    def _is_unset(self, block: Block, at: int, size: int) -> bool:
        mask = block.mask
        return mask is not None and mask[at : at + size] != b"\xff" * size

    def _cell(self, match: _Match, block: Block, at: int, cell: Cell, where: str) -> None:
        size, kind, value = cell
        if self._is_unset(block, at, size):
            if not value[2]:
                raise NotCovered(f"{where} is unset, not {self._text(value)}")
            return
        if (value[2] and not self.strict) or kind == "f":
            return
        pointer = block.ptrs.get(at) if size == self.width else None
        raw = int.from_bytes(block.data[at : at + size], "little", signed=kind == "s")
        if kind == "p":
            held = pointer or self.moment.machine.memory.resolve(raw)
            self._pointer(match, held, value, where)
        elif pointer is not None and pointer[0] is not NULL and pointer[0] is not WILD:
            if value[0] is not None and num.contains(value[0], raw):
                return
            self._pointer(match, pointer, value, where)
        else:
            self._integer(match, raw, value, where)

    def _rest(self, match: _Match, block: Block, rest: Rest, inside: bytearray, name: str) -> None:
        may_be_unset = rest.unset or (rest.value is not None and rest.value[2])
        unit = rest.size if rest.size > 0 else 1
        at = 0
        while at < block.size:
            if inside[at]:
                at += 1
                continue
            where = f"{name}[{at}] in the rest"
            if self._is_unset(block, at, 1):
                if not may_be_unset:
                    raise NotCovered(f"{where} is unset, not {rest}")
                at += 1
                continue
            if self._is_unit(block, at, rest, inside):
                self._unit(match, block, at, rest, where)
                at += unit
                continue
            if block.data[at] and rest.value is None:
                raise NotCovered(f"{where} is {block.data[at]}, not {rest}")
            if not block.data[at] and rest.value is None and not rest.zero:
                raise NotCovered(f"{where} is 0, not {rest}")
            at += 1

    def _is_unit(self, block: Block, at: int, rest: Rest, inside: bytearray) -> bool:
        """Does a whole unit of the rest begin here, with all its bytes set?"""
        end = at + rest.size
        if rest.value is None or rest.size <= 0 or (at - rest.phase) % rest.size:
            return False
        if end > block.size or any(inside[at:end]):
            return False
        return not self._is_unset(block, at, rest.size)

    def _unit(self, match: _Match, block: Block, at: int, rest: Rest, where: str) -> None:
        assert rest.value is not None
        zero = not any(block.data[at : at + rest.size])
        if zero and rest.zero:
            return
        self._cell(match, block, at, (rest.size, rest.kind, rest.value), where)

    # What holds for the whole.

    def _whole(self, match: _Match) -> None:
        for relation, truth in self.state.facts.items():
            found = meaning(relation, self.moment.setting())
            if found is not UNCLEAR and found is not truth:
                raise NotCovered(f"the fact {relation!r} is not {truth}")
        for variable, (name, at, size) in self.state.origins.items():
            self._origin(match, variable, name, at, size)
        self._heap(match)

    def _unreached(self, match: _Match) -> list[Link]:
        """Live heap memory that nothing leads to: some block of the state must stand for it."""
        heap = self.moment.machine.memory.heap
        new = [n for n in heap if n > self.moment.began.made and n not in match.names]
        if not new or self.state.kept:
            return []
        elsewhere = self.moment.reached_from_before(set(match.names))
        anywhere: Value = (None, tuple((name, num.const(0)) for name in self.state.blocks), False)
        return [
            ((heap[number], 0), anywhere, "nothing") for number in new if number not in elsewhere
        ]

    def _origin(self, match: _Match, variable: int, name: int, at: int, size: int) -> None:
        number = match.single.get(name)
        held = self.moment.variable(variable)
        if number is None or held is None or not self.moment.is_live(variable):
            return
        block = match.blocks[number]
        where = f"variable {variable} is not {self._name(name)}[{at}]"
        if block.limit < 0 or at + size > block.size or self._is_unset(block, at, size):
            raise NotCovered(f"{where}: no value there")
        raw = int.from_bytes(block.data[at : at + size], "little")
        mask = (1 << 8 * size) - 1
        if isinstance(held, tuple):
            held = held[0].base + held[1]
        if isinstance(held, int) and held & mask != raw:
            raise NotCovered(f"{where}: {held} is not {raw}")

    def _heap(self, match: _Match) -> None:
        """What was freed since the entry; what callers hold."""
        began = self.moment.began
        if self.state.calm:
            freed = [n for n in began.heap if n not in self.moment.machine.memory.heap]
            if freed:
                raise NotCovered(f"heap blocks {freed[:3]} were freed since the entry: not calm")
        for number, name in match.names.items():
            held = self.world.block(self.state, name).held
            if not held or not _is_live_heap(match.blocks[number]):
                continue
            if number not in self.moment.held_by_callers():
                raise NotCovered(f"{self._name(name)} is not held by callers")

    # Words.

    def _name(self, name: int) -> str:
        return self.world.name_of.get(name, f"block {name}")

    def _text(self, value: Value) -> str:
        return str(value)


def _is_live_heap(block: Block) -> bool:
    return block.limit >= 0 and block.kind is BlockKind.HEAP


def _leads_to_heap(held: Any) -> bool:
    return isinstance(held, tuple) and _is_live_heap(held[0])

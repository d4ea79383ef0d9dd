"""Summaries of `values` for users and for the store: text, picture, plain data."""

from __future__ import annotations

from typing import Any, Final

from precis.domains.picture import Picture
from precis.domains.protocol import (
    CallSite,
    Exit,
    Need,
    ObligationId,
    Outcome,
    Piece,
    Side,
    Summary,
)
from precis.domains.values import num
from precis.domains.values.calls import Entry
from precis.domains.values.memory import ENDED, FREED, LIVE, Block, Rest
from precis.domains.values.needs import FrameIsFree, HoldsAtEntry
from precis.domains.values.state import State
from precis.domains.values.value import UNKNOWN, Value
from precis.domains.values.world import GIVEN, OUTSIDE, World
from precis.ir import obligation as ob
from precis.ir.clike import print_type
from precis.ir.codec import decode_term, encode_term
from precis.ir.notation import name_text
from precis.ir.obligation import terms_of
from precis.ir.procedure import Procedure
from precis.ir.types import I8, I16, I32, I64, U8, U16, U32, U64


class Text:
    def __init__(self, world: World) -> None:
        self._world = world

    def describe(self, summary: Summary[Entry, State]) -> list[str]:
        procedure = self._world.program.procedures[summary.piece.procedure]
        lines = ["for"]
        for parameter, value in zip(procedure.parameters, summary.coverage.values, strict=True):
            name = procedure.variables[parameter].name
            text = name_text(name) if name else f"argument {parameter}"
            lines.append(f"  {text} = {self.value(value)}")
        if not procedure.parameters:
            lines.append("  no arguments")
        lines.extend(self._blocks(summary.coverage.blocks))
        if not summary.outcomes:
            lines.append("never returns")
        for outcome in summary.outcomes:
            lines.extend(self._outcome(procedure, outcome))
        for need in summary.needs:
            lines.append(f"needs: {self._need(need, procedure.name)}")
        return lines

    def _need(self, need: Need[Any], owner: str) -> str:
        at = f"check {need.origin.number} of {name_text(need.origin.procedure)}"
        if isinstance(need.safe_if, FrameIsFree):
            return f"{at} holds if no caller has allocated memory"
        procedure = self._world.program.procedures[owner]
        return f"{at}: {need.safe_if.describe(procedure)}"

    def _outcome(self, procedure: Procedure, outcome: Outcome[State]) -> list[str]:
        if outcome.exit is not Exit.RETURN:
            return ["ends the program"]
        answer = outcome.answer
        value = (answer.numbers[0], *answer.parts[0])
        lines = [f"returns {self.value(value)}"]
        lines.extend(self._blocks(answer.blocks))
        return lines

    def value(self, value: Value) -> str:
        number, pointers, unset = value
        words = []
        if number is not None:
            words.append("null" if pointers and number == (0, 0, 0) else number_text(number))
        for block, offset in pointers:
            words.append(f"&{self.name(block)}" + _at(offset))
        if unset:
            words.append("unset")
        return " or ".join(words) or "any"

    def name(self, block: int) -> str:
        if block == UNKNOWN:
            return "unknown"
        if block < 0:
            return name_text(self._world.name_of[block])
        if block == OUTSIDE:
            return "outside"
        return f"given{block - GIVEN}" if block >= GIVEN else self._world.made_by(block)

    def _blocks(self, blocks: dict[int, Block]) -> list[str]:
        return [f"  {self.name(name)}: {self._block(blocks[name])}" for name in sorted(blocks)]

    def _block(self, block: Block) -> str:
        words = ["any number of blocks" if block.many else block.kind]
        words.append(size_text(block.size))
        states = ((LIVE, "live"), (FREED, "freed"), (ENDED, "out of scope"))
        words.append(" or ".join(word for bit, word in states if block.live & bit))
        cells = [f"[{at}] {self.value(block.cells[at][2])}" for at in sorted(block.cells)]
        shown = ", ".join(cells[:8]) + (" ..." if len(cells) > 8 else "")
        return ", ".join(words) + (f": {shown}" if shown else "")

    def draw(self, summary: Summary[Entry, State]) -> list[Picture]:
        from precis.domains.values.picture import pictures

        return pictures(self._world, self.name, self.value, summary)


def _at(offset: num.Num) -> str:
    if offset == (0, 0, 0):
        return ""
    return f"+{num.text(offset)}" if offset[1] - offset[0] < 1 << 60 else "+any"


_WHOLE: Final = {num.of_type(type_): f"any {print_type(type_)}" for type_ in
                 (I8, U8, I16, U16, I32, U32, I64, U64)}  # fmt: skip


def number_text(number: num.Num) -> str:
    return _WHOLE.get(number) or num.text(number)


def size_text(size: num.Num) -> str:
    return "of any size" if size[1] >= 1 << 60 else f"{num.text(size)} bytes"


# Plain data.


def encode(summary: Summary[Entry, State]) -> Any:
    return [
        list(summary.piece),
        summary.side.value,
        _encode_entry(summary.coverage),
        [[outcome.exit.value, _encode_state(outcome.answer)] for outcome in summary.outcomes],
        [_encode_need(need) for need in summary.needs],
        sorted(summary.assumptions),
        sorted(summary.depends_on),
    ]


def decode(data: Any) -> Summary[Any, State]:
    """Raises ValueError for anything that `encode` did not make."""
    try:
        piece, side, coverage, outcomes, needs, assumptions, depends = data
        return Summary(
            Piece(*piece),
            Side(side),
            _decode_entry(coverage),
            tuple(Outcome(Exit(exit_), _decode_state(answer)) for exit_, answer in outcomes),
            tuple(_decode_need(need) for need in needs),
            frozenset(map(int, assumptions)),
            frozenset(map(str, depends)),
        )
    except (TypeError, ValueError, KeyError, IndexError) as error:
        raise ValueError(f"not a summary of values: {error}") from error


def _encode_need(need: Need[Any]) -> Any:
    asked = need.safe_if
    inside: Any = None
    if isinstance(asked, HoldsAtEntry):
        kind = type(asked.obligation).__name__
        terms = [encode_term(t) for t in terms_of(asked.obligation)]
        guards = [[encode_term(guard), truth] for guard, truth in asked.guards]
        inside = [kind, terms, guards, asked.always]
    return [list(need.origin), [list(site) for site in need.via], inside]


def _decode_need(data: Any) -> Need[Any]:
    origin, via, inside = data
    asked: FrameIsFree | HoldsAtEntry = FrameIsFree()
    if inside is not None:
        kind, terms, guards, always = inside
        obligation = _OBLIGATIONS[kind](*(decode_term(t) for t in terms))
        tests = tuple((decode_term(guard), bool(truth)) for guard, truth in guards)
        asked = HoldsAtEntry(obligation, tests, bool(always))
    return Need(ObligationId(*origin), asked, tuple(CallSite(*site) for site in via))


_OBLIGATIONS: Final[dict[str, Any]] = {
    kind.__name__: kind
    for kind in (
        ob.ValidRead, ob.ValidWrite, ob.ValidFree, ob.NoOverflow, ob.ShiftInRange, ob.NonZero,
    )
}  # fmt: skip


def _encode_entry(entry: Entry) -> Any:
    return [_plain(entry.values), _encode_blocks(entry.blocks), entry.root]


def _plain(data: Any) -> Any:
    """Nested tuples as they are, but for numbers that the wire format cannot hold."""
    if isinstance(data, tuple):
        return [_plain(part) for part in data]
    if isinstance(data, int) and not -(1 << 63) <= data < 1 << 63:
        return str(data)
    return data


def _decode_entry(data: Any) -> Entry:
    values, blocks, root = data
    return Entry(tuple(_value(v) for v in values), _decode_blocks(blocks), bool(root))


def _encode_state(state: State) -> Any:
    return [
        _plain(state.numbers), _plain(state.parts), _encode_blocks(state.blocks), state.kept,
        state.calm, state.root,
    ]  # fmt: skip


def _decode_state(data: Any) -> State:
    numbers, parts, blocks, kept, calm, root = data
    return State(
        tuple(_number(n) for n in numbers),
        tuple((_pointers(p), bool(unset)) for p, unset in parts),
        _decode_blocks(blocks), (), {}, bool(kept), bool(calm), bool(root), {},
    )  # fmt: skip


def _encode_blocks(blocks: dict[int, Block]) -> Any:
    return [
        [
            name, b.kind, _plain(b.size), b.live, b.many,
            [[at, *_plain(b.cells[at])] for at in sorted(b.cells)], _plain(tuple(b.rest)),
            list(b.site), b.held,
        ]
        for name, b in sorted(blocks.items())
    ]  # fmt: skip


def _decode_blocks(data: Any) -> dict[int, Block]:
    found = {}
    for name, kind, size, live, many, cells, rest, site, held in data:
        number = _number(size)
        if number is None:
            raise ValueError("a block without a size")
        zero, unset, width, phase, how, value = rest
        found[int(name)] = Block(
            str(kind), number, int(live), bool(many),
            {int(at): (int(w), str(k), _value(v)) for at, w, k, v in cells},
            Rest(
                bool(zero), bool(unset), int(width), int(phase), str(how),
                None if value is None else _value(value),
            ),
            (str(site[0]), int(site[1]), int(site[2])), bool(held),
        )  # fmt: skip
    return found


def _value(data: Any) -> Value:
    number, pointers, unset = data
    return (_number(number), _pointers(pointers), bool(unset))


def _pointers(data: Any) -> tuple[tuple[int, num.Num], ...]:
    found = []
    for block, offset in data:
        number = _number(offset)
        if number is None:
            raise ValueError("a pointer without an offset")
        found.append((int(block), number))
    return tuple(found)


def _number(data: Any) -> num.Num | None:
    if data is None:
        return None
    low, high, step = (int(part) for part in data)
    if low > high or step < 0 or (step == 0) != (low == high):
        raise ValueError("not a number")
    return (low, high, step)

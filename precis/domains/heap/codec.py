"""A packed summary as plain data, and back.

What comes back is what was there, to the number of each node: the atoms are asked in the same
order, so that the same is known of them, and the nodes of the guards are made in the same order.
Names and types stand once in a table and are referred to by number. Whatever is not a summary of
a procedure of this program raises ValueError.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Final, TypeVar, final

from precis.domains.heap.frame import Alias, Calls, Case, CellName, Frame, Pair, Relation
from precis.domains.heap.guards import FALSE, TRUE, Bracket, TooLarge
from precis.domains.heap.judge import Condition
from precis.domains.heap.names import Kind, Name, Value, name
from precis.domains.heap.sets import Values
from precis.domains.heap.spreads import Spread
from precis.domains.heap.state import Block, State, Turn
from precis.domains.heap.theory import Theory
from precis.domains.protocol import (
    CallSite,
    Exit,
    Mentions,
    Need,
    ObligationId,
    Outcome,
    Piece,
    Side,
    Summary,
)
from precis.ir.codec import decode_types, encode_types, part
from precis.ir.instr import BlockKind, Content
from precis.ir.procedure import Procedure
from precis.ir.program import Program
from precis.ir.types import Type

FORMAT: Final = "heap 3"
# Tags of lists within names and atoms.
_TUPLE, _NAME, _VALUE, _TYPE, _WIDE = range(5)
# What the parts of the domain raise for data that never was a summary.
_WRONG: Final = (
    ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError,
)  # fmt: skip


Item = TypeVar("Item")


def encoded(summary: Summary[Condition, State]) -> list[Any]:
    """Raises ValueError for a summary with something in it that has no place here."""
    return _Encoder().summary(summary)


def decoded(program: Program, data: Any) -> Summary[Condition, State]:
    """Inverse of `encoded`; raises ValueError for anything else."""
    try:
        return _Decoder(program, data).summary()
    except TooLarge:
        raise ValueError("guards that are too large") from None
    except _WRONG as error:
        raise ValueError(f"not a summary: {error}") from error


def mentioned(data: Any) -> Mentions:
    """What an encoded summary speaks of."""
    globals_ = tuple(parts[0] for kind, *parts in data[3] if kind == Kind.GLOBAL)
    functions = tuple(parts[0] for kind, *parts in data[3] if kind == Kind.CODE)
    return Mentions(globals_, functions, part(tuple(decode_types(data[2]))).records)


@final
class _Encoder:
    def __init__(self) -> None:
        self._types: dict[Type, int] = {}
        self._names: dict[Name, int] = {}
        self._rows: list[list[Any]] = []
        self._frames: dict[Frame, int] = {}

    def summary(self, summary: Summary[Condition, State]) -> list[Any]:
        if summary.coverage is not None or summary.piece != Piece(summary.piece.procedure):
            raise ValueError("not a summary for every caller")
        outcomes = [[o.exit.value, self._state(o.answer)] for o in summary.outcomes]
        needs = [
            [
                list(need.origin), self._frame(need.safe_if.frame), need.safe_if.guard,
                need.safe_if.fails, [list(site) for site in need.via],
            ]
            for need in summary.needs
        ]  # fmt: skip
        frames = [self._frame_row(frame) for frame in self._frames]
        return [
            FORMAT, summary.piece.procedure, encode_types(list(self._types)), self._rows, frames,
            outcomes, needs, sorted(summary.assumptions), list(summary.granted),
        ]  # fmt: skip

    # Names and values.

    def _plain(self, part: Any) -> Any:
        """What names and atoms are made of."""
        if part is None or type(part) in (str, bool):
            return part
        if type(part) is int:
            return part if -(1 << 63) <= part < 1 << 64 else [_WIDE, str(part)]
        if type(part) is tuple:
            return [_TUPLE, *map(self._plain, part)]
        if type(part) is Name:
            return [_NAME, self._name(part)]
        if type(part) is Value:
            return [_VALUE, *self._value(part)]
        return [_TYPE, self._type(part)]

    def _type(self, type_: Type) -> int:
        return self._types.setdefault(type_, len(self._types))

    def _name(self, this: Name) -> int:
        found = self._names.get(this)
        if found is None:
            row = [int(this.kind), *map(self._plain, this.parts)]
            found = self._names[this] = len(self._rows)
            self._rows.append(row)
        return found

    def _value(self, value: Value) -> list[Any]:
        base = None if value.base is None else self._name(value.base)
        linear = [[self._name(symbol), self._plain(count)] for symbol, count in value.linear]
        return [base, linear, [self._plain(number) for number in value.number]]

    def _values(self, values: Values) -> list[Any]:
        return [[self._value(value), list(b)] for value, b in values.items()]

    # Frames and states.

    def _frame(self, frame: Frame) -> int:
        return self._frames.setdefault(frame, len(self._frames))

    def _frame_row(self, frame: Frame) -> list[Any]:
        guards = frame.theory.guards
        return [
            self._relation(frame.relation), frame.alias.value, frame.calls.value,
            [[self._plain(tuple(overlap)), when] for overlap, when in frame.overlaps.items()],
            [self._plain(tuple(compared)) for compared in frame.compared],
            [self._cell(cell) for cell in frame.sequence],
            None if frame.classes is None else list(frame.classes),
            [[self._cell(cell), self._type(type_)] for cell, type_ in frame.types.items()],
            [[what, count] for what, count in frame.theory.cuts.items()],
            [self._plain(tuple(atom)) for atom in frame.theory.atoms],
            [list(guards.split(node)) for node in range(2, len(guards))],
        ]  # fmt: skip

    def _relation(self, relation: Relation) -> list[Any]:
        cut = sorted(relation.cut, key=lambda pair: (pair[0].order, pair[1].order, pair[2]))
        return [
            [self._cell(pair) for pair in relation.pairs], [self._cell(pair) for pair in cut],
            relation.is_root, relation.separate, relation.coarser, self._plain(relation.inputs),
        ]  # fmt: skip

    def _cell(self, cell: CellName | Pair) -> list[Any]:
        return [self._plain(part) for part in cell]

    def _state(self, state: State) -> list[Any]:
        return [
            self._frame(state.frame), list(state.reach),
            [None if values is None else self._values(values) for values in state.variables],
            [
                [self._name(base), [[list(e), self._values(v)] for e, v in cells.items()]]
                for base, cells in state.cells.items()
            ],
            [
                [self._name(base), [[list(e), list(b)] for e, b in marks.items()]]
                for base, marks in state.written.items()
            ],
            [[self._name(base), list(b)] for base, b in state.dead.items()],
            [[self._name(base), self._block(block)] for base, block in state.blocks.items()],
            [[self._name(base), [self._spread(s) for s in spreads]]
             for base, spreads in state.spreads.items()],
            list(state.wild), list(state.loose),
            [list(turn) for turn in state.turns],
        ]  # fmt: skip

    def _block(self, block: Block) -> list[Any]:
        kind, content = block.kind.value, block.content.value
        return [
            self._value(block.size), kind, content, block.many, list(block.made), list(block.vague),
        ]  # fmt: skip

    def _spread(self, spread: Spread) -> list[Any]:
        type_ = None if spread.type is None else self._type(spread.type)
        values = [[self._value(value), list(b)] for value, b in spread.values]
        return [self._value(spread.offset), spread.size, values, list(spread.when), type_]


_LENGTHS: Final[Mapping[Kind, tuple[int, ...]]] = {
    Kind.GLOBAL: (1,), Kind.CODE: (1,), Kind.ARGUMENT: (2,), Kind.IN: (3,), Kind.NEW: (1, 2),
    Kind.OBJECT: (1, 2), Kind.ANY: (3,), Kind.AFTER: (1,), Kind.BEFORE: (1,),
    Kind.UNDEFINED: (0,), Kind.TOP: (0,), Kind.TERM: (4,), Kind.LENGTH: (1,),
}  # fmt: skip


@final
class _Decoder:
    def __init__(self, program: Program, data: Any) -> None:
        head, procedure, types, names, frames, outcomes, needs, assumptions, granted = data
        if head != FORMAT:
            raise ValueError("a summary of another format")
        self._program = program
        self._procedure: Procedure = program.procedures[procedure]
        self._types = decode_types(types)
        self._names: list[Name] = []
        for row in names:
            self._names.append(self._new_name(row))
        self._nodes: dict[Frame, list[int]] = {}  # by the numbers that they had
        self._frames = [self._frame(row) for row in frames]
        self._rest = (outcomes, needs, assumptions, granted)

    def summary(self) -> Summary[Any, State]:
        outcomes, needs, assumptions, granted = self._rest
        return Summary(
            Piece(self._procedure.name), Side.OVER, None,
            tuple(Outcome(Exit(exit_), self._state(state)) for exit_, state in outcomes),
            tuple(self._need(*need) for need in needs),
            frozenset(map(_int, assumptions)), granted=tuple(map(_str, granted)),
        )  # fmt: skip

    def _need(
        self, origin: Any, frame: Any, guard: Any, fails: Any, via: Any
    ) -> Need[Condition]:  # fmt: skip
        procedure, number = origin
        here = self._frames[_index(frame)]
        return Need(
            ObligationId(_str(procedure), _int(number)),
            Condition(here, *(self._nodes[here][_index(some)] for some in (guard, fails))),
            tuple(CallSite(_str(p), _int(block), _int(step)) for p, block, step in via),
        )

    # Names and values.

    def _part(self, plain: Any) -> Any:
        if type(plain) is not list:
            if plain is None or type(plain) in (str, bool, int):
                return plain
            raise ValueError("not a part of a name")
        tag, *rest = plain
        match tag:
            case 0:  # _TUPLE
                return tuple(map(self._part, rest))
            case 1:  # _NAME
                return self._names[_index(*rest)]
            case 2:  # _VALUE
                return self._value(rest)
            case 3:  # _TYPE
                return self._types[_index(*rest)]
            case 4:  # _WIDE
                return int(_str(*rest))
            case _:
                raise ValueError("not a part of a name")

    def _new_name(self, row: Any) -> Name:
        kind, *plain = row
        kind = Kind(_int(kind))
        parts = [self._part(part) for part in plain]
        if len(parts) not in _LENGTHS[kind] or not self._fits(kind, parts):
            raise ValueError(f"not a name of kind {kind.name}")
        return name(kind, *parts)

    def _fits(self, kind: Kind, parts: list[Any]) -> bool:
        match kind:
            case Kind.GLOBAL:
                return _str(parts[0]) in self._program.globals
            case Kind.CODE:
                return bool(_str(parts[0]))
            case Kind.ARGUMENT:
                # Within a key it may be one of another procedure.
                is_key = type(parts[0]) is tuple
                return (is_key or _index(parts[0]) >= 0) and parts[1] in self._types
            case Kind.IN:
                base, offset, type_ = parts
                is_offset = type(offset) is int or type(offset) is Value
                return type(base) is Name and is_offset and type_ in self._types
            case Kind.NEW | Kind.OBJECT:
                return type(parts[0]) is tuple and all(type(more) is str for more in parts[1:])
            case Kind.ANY:
                return _int(parts[1]) <= _int(parts[2])
            case Kind.AFTER | Kind.BEFORE | Kind.LENGTH:
                return type(parts[0]) is Name
            case Kind.TERM:
                op, a, b, type_ = parts
                return type(op) is str and type(a) is type(b) is Value and type_ in self._types
            case _:
                return True

    def _name(self, number: Any) -> Name:
        return self._names[_index(number)]

    def _value(self, row: Any) -> Value:
        base, linear, number = row
        low, high, step = (_int(self._part(part)) for part in number)
        return Value(
            None if base is None else self._name(base),
            tuple((self._name(symbol), _int(self._part(count))) for symbol, count in linear),
            (low, high, step),
        )

    def _values(self, frame: Frame, rows: Any) -> Values:
        return {self._value(value): self._bracket(frame, b) for value, b in rows}

    # Frames and states.

    def _frame(self, row: Any) -> Frame:
        (relation, alias, calls, overlaps, compared, sequence, classes, types, cuts, atoms,
         nodes) = row  # fmt: skip
        known = self._relation(*relation)
        frame = Frame(self._program, self._procedure, known, Alias(alias), Calls(calls))
        frame.compared = dict.fromkeys(self._tuple(pair, 4) for pair in compared)
        frame.sequence = tuple(self._cell(cell) for cell in sequence)
        frame.classes = None if classes is None else tuple(map(_int, classes))
        for cell, type_ in types:
            frame.types[self._cell(cell)] = self._types[_index(type_)]
        self._ask(frame.theory, atoms)
        here = self._nodes[frame] = [FALSE, TRUE]
        for atom, low, high in nodes:
            made = frame.theory.guards.made(_index(atom), here[_index(low)], here[_index(high)])
            here.append(made)
        frame.overlaps = {self._tuple(overlap, 5): here[_index(when)] for overlap, when in overlaps}
        frame.theory.cuts = {_str(what): _int(count) for what, count in cuts}
        return frame

    def _ask(self, theory: Theory, atoms: Any) -> None:
        """The atoms get the numbers that they had; some bring others with them."""
        for number, plain in enumerate(atoms):
            atom = self._part(plain)
            theory.ask(atom)
            if theory.atoms[number] != atom:
                raise ValueError("not the atoms of a summary")
        if len(theory.atoms) != len(atoms):
            raise ValueError("not the atoms of a summary")

    def _relation(
        self, pairs: Any, cut: Any, is_root: Any, separate: Any, coarser: Any, inputs: Any
    ) -> Relation:
        return Relation(
            tuple(self._cell(pair) for pair in pairs), frozenset(self._cell(pair) for pair in cut),
            _bool(is_root), _bool(separate), _int(coarser), _cases(self._part(inputs)),
        )  # fmt: skip

    def _cell(self, row: Any) -> tuple[Name, Any, int]:
        first, second, third = map(self._part, row)
        if type(first) is not Name or type(second) not in (int, Name) or type(third) is not int:
            raise ValueError("not a cell")
        return first, second, third

    def _tuple(self, plain: Any, length: int) -> Any:
        found = self._part(plain)
        if type(found) is not tuple or len(found) != length or type(found[0]) is not Name:
            raise ValueError("not a pair of places")
        return found

    def _state(self, row: Any) -> State:
        number, reach, variables, cells, written, dead, blocks, spreads, wild, loose, turns = row
        frame = self._frames[_index(number)]
        bracket = partial(self._bracket, frame)
        return State(
            frame,
            bracket(reach),
            tuple(None if values is None else self._values(frame, values) for values in variables),
            self._by_name(cells, lambda some: _by_extent(some, lambda v: self._values(frame, v))),
            self._by_name(
                written, lambda some: _by_extent(some, lambda b: self._bracket(frame, b))
            ),
            self._by_name(dead, bracket),
            self._by_name(blocks, lambda block: self._block(frame, *block)),
            self._by_name(spreads, lambda some: tuple(self._spread(frame, *s) for s in some)),
            bracket(wild),
            bracket(loose),
            tuple(
                Turn(_int(head), None if count is None else _int(count), _int(forks))
                for head, count, forks in turns
            ),
        )

    def _bracket(self, frame: Frame, row: Any) -> Bracket:
        may, must = map(_index, row)
        return Bracket(self._nodes[frame][may], self._nodes[frame][must])

    def _by_name(self, rows: Any, inner: Callable[[Any], Item]) -> dict[Name, Item]:
        return {self._name(base): inner(rest) for base, rest in rows}

    def _block(
        self, frame: Frame, size: Any, kind: Any, content: Any, many: Any, made: Any, vague: Any
    ) -> Block:
        return Block(
            self._value(size), BlockKind(kind), Content(content), _bool(many),
            self._bracket(frame, made), self._bracket(frame, vague),
        )  # fmt: skip

    def _spread(
        self, frame: Frame, offset: Any, size: Any, values: Any, when: Any, type_: Any
    ) -> Spread:
        return Spread(
            self._value(offset), _int(size),
            tuple((self._value(value), self._bracket(frame, b)) for value, b in values),
            self._bracket(frame, when), None if type_ is None else self._types[_index(type_)],
        )  # fmt: skip


def _by_extent(rows: Iterable[Any], inner: Callable[[Any], Item]) -> dict[tuple[int, int], Item]:
    return {(_int(offset), _int(size)): inner(rest) for (offset, size), rest in rows}


def _cases(inputs: Any) -> tuple[Case, ...]:
    return tuple((key, _int(low), _int(high)) for key, low, high in inputs)


def _index(number: Any) -> int:
    if type(number) is not int or number < 0:
        raise ValueError("not a number of something")
    return number


def _int(number: Any) -> int:
    if type(number) is not int:
        raise ValueError("not a number")
    return number


def _bool(value: Any) -> bool:
    if type(value) is not bool:
        raise ValueError("not a truth value")
    return value


def _str(text: Any) -> str:
    if type(text) is not str:
        raise ValueError("not a text")
    return text

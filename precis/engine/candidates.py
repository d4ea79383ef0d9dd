"""Values worth trying for the inputs of a program.

What a program compares its inputs with tells which values make it go another way. A value that
is wanted somewhere is followed back to the inputs: through assignments, whose arithmetic is
undone, through calls, and through memory, where a place is an object and an offset, or behind
pointers an offset and a type. No path is looked at, so this is a guess, and only the order in
which values are tried rests on it:

    int y = 3 * read() + 1;             20 is wanted of y, 19 and 21 beside it,
    if (y == 20) ...                    so 6 is of the input; then 5 and 7
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from precis.ir.instr import (
    Assign,
    BlockKind,
    Call,
    Check,
    Choose,
    End,
    Load,
    Return,
    Step,
    Store,
    Switch,
    computed,
)
from precis.ir.location import Location
from precis.ir.obligation import NonZero, NoOverflow, ShiftInRange
from precis.ir.procedure import Procedure
from precis.ir.program import Program
from precis.ir.types import Array, Float, Int, Pointer, Type
from precis.ir.values import COMPARISONS, Term, subterms

NEAR: Final = 1  # assignments between an input and a value wanted of it
FARTHEST: Final = 8  # assignments that a wanted value is followed back through
MOST_WANTED: Final = 48  # values of one place
WIDEST: Final = 64  # a range up to this is tried value by value
SMALL: Final = (0, 1, -1, 2, 3, 4, 5, -2, 6, 7, 8, 10, 16, 9)
LARGE: Final = (100, 255, 256, 1000, -1000, 65536)
FLOATS: Final = (0.0, 1.0, -1.0, 0.5, 2.0, -0.5, 1e10, -1e10, 1e300, float("inf"), float("nan"))
MOST_CONSTANTS: Final = 40  # of the whole program, tried for every input

Number: TypeAlias = int | float
Node: TypeAlias = tuple[object, ...]
Undo: TypeAlias = tuple[tuple[str, int, int], ...]  # operators with their other operand, its place


@dataclass(slots=True)
class _Wants:
    """What is wanted of a place: values with the number of assignments they came through, and
    those that it is ordered against, which bound a range."""

    values: dict[int, int] = field(default_factory=dict)
    cuts: dict[int, int] = field(default_factory=dict)


class Candidates:
    """The values to try for each input, the most promising first."""

    def __init__(self, program: Program) -> None:
        flow = _Flow(program)
        self.types = _types(program)
        self._wants = flow.wants
        self._nodes = flow.inputs
        self.constants = tuple(flow.constants)[:MOST_CONSTANTS]
        self._reals = tuple(flow.reals)[:MOST_CONSTANTS]
        self._known: dict[tuple[str, Location, Type], tuple[Number, ...]] = {}

    def of(self, type_: Type, source: str, at: Location) -> tuple[Number, ...]:
        key = (source, at, type_)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = tuple(self._made(type_, source, at))
        return found

    def _made(self, type_: Type, source: str, at: Location) -> list[Number]:
        if source.rstrip("()").endswith("bool"):
            return [0, 1]
        if isinstance(type_, Float):
            return [float(value) for value in dict.fromkeys((*self._reals, *FLOATS))]
        if not isinstance(type_, Int):
            return [0, 8]
        values: dict[int, None] = {}
        for value in self._integers_for(type_, self._nodes.get((source, at), ())):
            if type_.low <= value <= type_.high:
                values[value] = None
        return list(values)

    def _integers_for(self, type_: Int, nodes: tuple[Node, ...]) -> Iterator[int]:
        wants = _joined([self._wants[node] for node in nodes if node in self._wants])
        yield from _range(wants.cuts, type_)
        near = [value for value, distance in wants.values.items() if distance <= NEAR]
        yield from near
        yield from SMALL[:4]
        yield from _beside(near)
        yield from SMALL
        yield from (type_.high, type_.low)
        far = sorted(wants.values, key=lambda value: wants.values[value])
        yield from far
        yield from self.constants
        yield from _beside(far)
        yield from _beside(self.constants)
        yield from (type_.high - 1, type_.low + 1, *LARGE)


def _types(program: Program) -> dict[tuple[str, Location], Type]:
    """The types of all inputs, by what is asked and where."""
    return {
        (step.source, step.at): procedure.variables[step.target].type
        for procedure in program.procedures.values()
        for block in procedure.blocks
        for step in block.steps
        if isinstance(step, Choose)
    }


def _beside(values: Iterable[int]) -> Iterator[int]:
    for value in values:
        yield from (value + 1, value - 1)


def _joined(parts: list[_Wants]) -> _Wants:
    whole = _Wants()
    for part in parts:
        for value, distance in part.values.items():
            whole.values[value] = min(distance, whole.values.get(value, distance))
        for value, distance in part.cuts.items():
            whole.cuts[value] = min(distance, whole.cuts.get(value, distance))
    return whole


def _range(cuts: dict[int, int], type_: Int) -> Iterator[int]:
    """Every value between the nearest bounds, if there are few; inside first, then the edges."""
    if not cuts:
        return
    nearest = min(cuts.values())
    bounds = [value for value, distance in cuts.items() if distance == nearest]
    if len(bounds) == 1:
        bounds.append(max(type_.low, 0))
    low, high = min(bounds), max(bounds)
    if high - low <= WIDEST:
        yield from range(low, high + 1)
        yield from (low - 1, high + 1)


class _Flow:
    """Where values go in the user's procedures, and what is wanted of them."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.wants: dict[Node, _Wants] = {}
        self.inputs: dict[tuple[str, Location], tuple[Node, ...]] = {}
        self.constants: dict[int, None] = {}
        self.reals: dict[float, None] = {}
        self._edges: dict[Node, list[tuple[Node, Undo]]] = {}
        self._procedure: Procedure
        self._order = 0
        for procedure in program.procedures.values():
            if not procedure.library:
                self._procedure = procedure
                for block in procedure.blocks:
                    for item in (*block.steps, block.end):
                        self._item(item)
        for variable in program.globals.values():
            if variable.kind is BlockKind.GLOBAL and variable.at.file in program.sources:
                self._length(variable.type)
        self._propagate()

    def _item(self, item: Step | End) -> None:
        here = self._procedure.name
        match item:
            case Choose(target=target, source=source, at=at):
                nodes = self.inputs.get((source, at), ())
                self.inputs[source, at] = (*nodes, ("variable", here, target))
            case Assign(target=target, value=value):
                self._flows(value, ("variable", here, target))
            case Load(target=target, address=address, type=type_):
                self._edge(("variable", here, target), self._cell(address, type_), ())
            case Store(address=address, value=value):
                self._flows(value, self._cell(address, value.type))
            case Return(value=value) if value is not None:
                self._flows(value, ("result", here))
            case Call():
                self._call(item)
            case Switch():
                self._switch(item)
            case Check():
                self._check(item)
        for root in computed(item):
            for node in subterms(root):
                self._term(node)

    def _call(self, step: Call) -> None:
        if step.function.op != "function":
            return
        name = str(step.function.data)
        callee = self.program.procedures.get(name)
        if callee is None:
            return
        for parameter, argument in zip(callee.parameters, step.arguments, strict=False):
            self._flows(argument, ("variable", name, parameter))
        if step.target is not None:
            variable: Node = ("variable", self._procedure.name, step.target)
            self._edge(variable, ("result", name), ())

    def _switch(self, end: Switch) -> None:
        for case in end.cases:
            self._constant(case.low)
            self._constant(case.high)
            self._want(end.value, case.low)
            self._want(end.value, case.high)

    def _check(self, step: Check) -> None:
        match step.obligation:
            case NonZero(term=term):
                self._want(term.args[1], 0)
            case ShiftInRange(term=term):
                bits = term.type.bits if isinstance(term.type, Int) else 0
                self._want(term.args[1], bits)
                self._want(term.args[1], -1)
            case NoOverflow(term=term) if isinstance(term.type, Int):
                self._want(term, term.type.high + 1, NEAR + 1)
                self._want(term, term.type.low - 1, NEAR + 1)

    def _term(self, node: Term) -> None:
        if node.op == "real" and isinstance(node.data, float):
            self.reals[node.data] = None
        elif node.op in COMPARISONS:
            self._comparison(node)
        elif node.op == "offset":
            self._index(node)
        elif node.op == "local":
            local = self._procedure.objects[int(node.data or 0)]
            if local.name:
                self._length(local.type)

    def _comparison(self, node: Term) -> None:
        for one, other in (node.args, node.args[::-1]):
            if other.op == "const" and isinstance(other.data, int) and isinstance(other.type, Int):
                self._constant(other.data)
                self._want(one, other.data, ordered=node.op in ("lt", "le"))
            elif isinstance(one.type, Float) and other.op == "real":
                self._want(one, int(float(other.data or 0)))

    def _index(self, node: Term) -> None:
        """An index into an object of known size: its last element, and beyond."""
        base, count = node.args
        size = self._size(base)
        if size is not None and count.op != "const":
            length = size // int(node.data or 1)
            self._want(count, length)
            self._want(count, -1)

    def _size(self, base: Term) -> int | None:
        while base.op in ("cast", "offset") and isinstance(base.type, Pointer):
            if base.op == "offset" and base.args[1].op != "const":
                return None
            base = base.args[0]
        if base.op == "local":
            return self._procedure.objects[int(base.data or 0)].size
        if base.op == "global":
            return self.program.globals[str(base.data)].size
        return None

    def _length(self, type_: Type) -> None:
        if isinstance(type_, Array) and type_.count is not None:
            self._constant(type_.count)

    def _constant(self, value: int) -> None:
        self.constants[value] = None

    def _want(self, term: Term, value: int, distance: int = 0, *, ordered: bool = False) -> None:
        for leaf, undo in _leaves(term):
            wanted = undone(undo, value)
            wants = self.wants.setdefault(self._variable(leaf), _Wants())
            wants.values.setdefault(wanted, distance)
            if ordered:
                wants.cuts.setdefault(wanted, 0)

    def _flows(self, value: Term, target: Node) -> None:
        for leaf, undo in _leaves(value):
            self._edge(target, self._variable(leaf), undo)

    def _edge(self, target: Node, source: Node, undo: Undo) -> None:
        self._edges.setdefault(target, []).append((source, undo))

    def _variable(self, leaf: Term) -> Node:
        return ("variable", self._procedure.name, leaf.data)

    def _cell(self, address: Term, type_: Type) -> Node:
        """A place in memory: of which object, as far as that is plain, and where in it."""
        at = 0
        while address.op in ("cast", "offset") and isinstance(address.args[0].type, Pointer):
            if address.op == "offset" and address.args[1].op == "const":
                at += int(address.args[1].data or 0) * int(address.data or 1)
            address = address.args[0]
        match address.op:
            case "local":
                return ("object", self._procedure.name, address.data, at)
            case "global":
                return ("global", address.data, at)
            case _:
                return ("behind", at, type_)

    def _propagate(self) -> None:
        """Follow what is wanted back, one assignment a round."""
        fresh = {node: (dict(w.values), dict(w.cuts)) for node, w in self.wants.items()}
        for distance in range(1, FARTHEST + 1):
            coming: dict[Node, tuple[dict[int, int], dict[int, int]]] = {}
            for node, (values, cuts) in fresh.items():
                for source, undo in self._edges.get(node, ()):
                    self._hand_on(source, undo, (values, cuts), distance, coming)
            fresh = coming

    def _hand_on(
        self,
        source: Node,
        undo: Undo,
        wanted: tuple[dict[int, int], dict[int, int]],
        distance: int,
        coming: dict[Node, tuple[dict[int, int], dict[int, int]]],
    ) -> None:
        known = self.wants.setdefault(source, _Wants())
        arrived = coming.setdefault(source, ({}, {}))
        for kept, given, new in zip((known.values, known.cuts), wanted, arrived, strict=True):
            for value in given:
                back = undone(undo, value)
                if back not in kept and len(kept) < MOST_WANTED:
                    kept[back] = new[back] = distance


def _leaves(root: Term) -> Iterator[tuple[Term, Undo]]:
    """The variables of an integer term, each with what is done to it on the way to the root."""
    work: list[tuple[Term, Undo]] = [(root, ())]
    for _ in range(32):  # parts of a term; larger ones are looked into no further
        if not work:
            return
        node, undo = work.pop()
        if node.op == "var":
            yield node, undo
        elif node.op == "ite":
            work.extend((arg, undo) for arg in node.args[1:])
        elif isinstance(node.type, Int | Float) and node.op not in COMPARISONS:
            for place, arg in enumerate(node.args):
                if isinstance(arg.type, Int | Float):
                    other = _known(node.args[1 - place]) if len(node.args) == 2 else 0
                    work.append((arg, (*undo, (node.op, other, place))))


def _known(term: Term) -> int:
    return term.data if term.op == "const" and isinstance(term.data, int) else 0


def undone(undo: Undo, value: int) -> int:
    """The operand that makes an integer operation give the value, or come near it.

    An operand that is not known counts as 0.
    """
    for op, other, place in undo:
        match op:
            case "add":
                value -= other
            case "sub":
                value = value + other if place == 0 else other - value
            case "mul" if other:
                value = value // other
            case "div" if place == 0 and other:
                value *= other
            case "div" if value:
                value = other // value
            case "shl" if place == 0 and 0 < other < 64:
                value >>= other
            case "shr" if place == 0 and 0 < other < 64:
                value <<= other
            case "bxor":
                value ^= other
            case "neg":
                value = -value
            case "bnot":
                value = ~value
    return value

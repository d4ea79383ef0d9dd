"""Names, values and guards in the words of the C program."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, Final, final

from precis.domains.heap.cases import Literal, cubes
from precis.domains.heap.guards import FALSE, TRUE, Bracket
from precis.domains.heap.names import (
    READ,
    TOP,
    UNDEFINED,
    Kind,
    Name,
    Value,
    is_given,
    is_place,
    name,
)
from precis.domains.heap.sets import Values
from precis.domains.heap.theory import Atom, Theory
from precis.ir.instr import Call, Step
from precis.ir.procedure import Procedure
from precis.ir.program import Program
from precis.ir.types import Array, Pointer, Record, Type, scalar_bytes

MOST_CASES: Final = 4  # of a guard that are shown
OTHER_CASES: Final = " or in other cases"
_MOST_WAYS: Final = 40
_SIGNS: Final = {
    "mul": "*", "div": "/", "rem": "%", "band": "&", "bor": "|", "bxor": "^", "shl": "<<",
    "shr": ">>",
}  # fmt: skip


@final
class Words:
    """How one procedure speaks of what it is given."""

    def __init__(self, program: Program, procedure: Procedure, short: bool = False) -> None:
        self._program = program
        self._procedure = procedure
        self._short = short  # signs instead of sentences, for pictures

    # Names.

    def name(self, name: Name) -> str:
        """A value that was there at entry, or a block."""
        return self._named(name)[0]

    def _named(self, name: Name) -> tuple[str, Type | None]:
        """The text, and the type that it has in the program."""
        match name.kind:
            case Kind.ARGUMENT if is_given(name):
                return self._given(name.parts[0]), None
            case Kind.ARGUMENT:
                index = self._procedure.parameters[name.parts[0]]
                variable = self._procedure.variables[index]
                return variable.name or f"argument {name.parts[0] + 1}", variable.type
            case Kind.IN:
                base, offset, _ = name.parts
                if isinstance(offset, int):
                    return self.cell(base, offset)
                places = [symbol.parts[0] for symbol, _ in offset.linear if is_place(symbol)]
                if places:
                    return f"what is {self._read(places[0])} {self.name(base)}", None
                return f"{self.name(base)}[{self.value(offset)} bytes]", None
            case Kind.GLOBAL:
                return f"&{name.parts[0]}", None
            case Kind.CODE:
                return str(name.parts[0]), None
            case Kind.NEW | Kind.OBJECT:
                return self._block(name), None
            case Kind.AFTER:
                return f"the room behind {self.name(name.parts[0])}", None
            case Kind.BEFORE:
                return f"the room before {self.name(name.parts[0])}", None
            case Kind.LENGTH:
                return f"the length of the text at {self.name(name.parts[0])}", None
            case Kind.TERM:
                op, a, b, _ = name.parts
                return f"({self.value(a)} {_SIGNS[op]} {self.value(b)})", None
            case Kind.ANY:
                return "a number", None
            case _:
                return name.kind.name.lower(), None

    def _given(self, key: tuple[Any, ...]) -> str:
        """What a function without a body gives, or leaves in a variable, at a call."""
        step, key, lines = self._way(key)
        if not isinstance(step, Call):
            return "what comes from outside"
        called = str(step.function.data) if step.function.op == "function" else "a function"
        return f"what {called} {key[3]} (line {lines})"

    def _read(self, key: tuple[Any, ...]) -> str:
        """How a step read something somewhere."""
        step, key, lines = self._way(key)
        when = "read before" if key[3] == READ else "read"
        return f"{when} (line {lines}) from" if step is not None else "read somewhere from"

    def _way(self, key: tuple[Any, ...]) -> tuple[Step | None, tuple[Any, ...], str]:
        """The step that a key is of, its last part, and the line of the step; after that those of
        the calls that lead there, the innermost first."""
        lines: list[str] = []
        while True:
            procedure = self._program.procedures.get(str(key[0]))
            if procedure is None:
                return None, key, ""
            at = key[2][0] if isinstance(key[2], tuple) else key[2]
            step = procedure.blocks[key[1]].steps[at]
            lines.insert(0, str(step.at.line))
            if len(key) != 4:
                return step, key, " from ".join(lines)
            key = key[3]

    def _block(self, name: Name) -> str:
        owner, block, step = name.parts[0][-1]
        procedure = self._program.procedures.get(str(owner).split("@")[0])
        at = step[0] if isinstance(step, tuple) else step
        if procedure is None:
            return "a new block"
        if block == -1:
            return procedure.objects[at].name or "a temporary"
        several = "those" if len(name.parts) > 1 else "the block"
        return f"{several} of line {procedure.blocks[block].steps[at].at.line}"

    def cell(self, base: Name, offset: int) -> tuple[str, Type | None]:
        """The memory so many bytes behind a pointer."""
        if base.kind is Kind.GLOBAL:
            known = self._program.globals[str(base.parts[0])]
            return self._part(str(base.parts[0]), known.type, offset)
        if base.kind in (Kind.NEW, Kind.OBJECT):
            text = self._block(base)
            return (text if offset == 0 else f"{text}, byte {offset}"), None
        text, type_ = self._named(base)
        target = type_.target if isinstance(type_, Pointer) else None
        inner = f"({text})" if text.startswith("*") else text
        if isinstance(target, Record):
            inside, field_type = self._part("", target, offset)
            if inside.startswith("."):
                return f"{inner}->{inside[1:]}", field_type
        if offset == 0:
            return f"*{text}", target
        size = self._size(target)
        if size and offset % size == 0:
            return f"{inner}[{offset // size}]", target
        return f"{inner}[{offset} bytes]", None

    def _part(self, text: str, type_: Type | None, offset: int) -> tuple[str, Type | None]:
        while True:
            if isinstance(type_, Record) and type_.name in self._program.records:
                layout = self._program.records[type_.name]
                for field in layout.fields:
                    if field.offset <= offset < field.offset + max(1, self._size(field.type)):
                        text += f".{field.name}" if field.name else ""
                        type_, offset = field.type, offset - field.offset
                        break
                else:
                    return f"{text}, byte {offset}", None
            elif isinstance(type_, Array) and self._size(type_.element):
                size = self._size(type_.element)
                text += f"[{offset // size}]"
                type_, offset = type_.element, offset % size
            else:
                return (text if offset == 0 else f"{text}, byte {offset}"), type_

    def _size(self, type_: Type | None) -> int:
        match type_:
            case Record(name=record) if record in self._program.records:
                return self._program.records[record].size
            case Array(element=element, count=count):
                return (count or 0) * self._size(element)
            case None | Record():
                return 0
            case _:
                try:
                    return scalar_bytes(type_, self._program.model)
                except (AssertionError, KeyError, ValueError, TypeError):
                    return 0

    # Values.

    def value(self, value: Value) -> str:
        if value.base is TOP:
            return "anything"
        if value.base is UNDEFINED:
            return "unset"
        low, high, _ = value.number
        parts = [] if value.base is None else [self._pointer(value.base)]
        for symbol, count in value.linear:
            text = self.name(symbol)
            parts.append(text if count == 1 else f"{count}*{text}")
        if low != high:
            parts.append("any number" if high - low >= 1 << 31 else f"{low}..{high}")
        elif low or not parts:
            parts.append(str(low))
        return " + ".join(parts).replace("+ -", "- ")

    def _pointer(self, base: Name) -> str:
        if base.kind is Kind.GLOBAL or base.kind in (Kind.NEW, Kind.OBJECT):
            prefix = "" if base.kind is Kind.GLOBAL else "&"
            return f"{prefix}{self.name(base)}"
        return self.name(base)

    def values(self, theory: Theory, values: Values) -> str:
        """A set, each value with its condition."""
        found = []
        for value, b in values.items():
            when = self.bracket(theory, b)
            found.append(self.value(value) + (f" {when}" if when else ""))
        return "; ".join(found)

    # Guards.

    def bracket(self, theory: Theory, b: Bracket) -> str:
        """`if ...` for a condition, empty for one that always holds."""
        if b.must == TRUE:
            return ""
        exact = b.may == b.must
        if self._short:
            text = "" if b.may == TRUE else self.guard(theory, b.may)
            return text if exact else f"{text} ?".lstrip()
        if exact:
            return f"if {self.guard(theory, b.may)}"
        if b.may == TRUE:
            return "possibly"
        return f"possibly if {self.guard(theory, b.may)}"

    def guard(self, theory: Theory, guard: int, where: int = TRUE) -> str:
        """A guard, as it is where another one holds."""
        if guard in (FALSE, TRUE):
            return "always" if guard == TRUE else "never"
        ways = _ways(theory, guard, where)
        both = " & " if self._short else " and "
        cases = [both.join(self._case(theory, literals)) for literals in ways[:MOST_CASES]]
        text = (" | " if self._short else " or ").join(cases)
        rest = " | ..." if self._short else OTHER_CASES
        return text + (rest if len(ways) > MOST_CASES else "")

    def _case(self, theory: Theory, literals: tuple[tuple[int, bool], ...]) -> Iterator[str]:
        """One way to make a guard true; all that is said of one sum in one piece."""
        bounds: dict[Any, list[int | None]] = {}
        for number, holds in literals:
            atom = theory.atoms[number]
            if atom[0] == "most":
                known = bounds.setdefault(atom[1], [None, None])
                if holds:
                    known[1] = atom[2] if known[1] is None else min(known[1], atom[2])
                else:
                    known[0] = atom[2] + 1 if known[0] is None else max(known[0], atom[2] + 1)
        for number, holds in literals:
            atom = theory.atoms[number]
            if atom[0] != "most":
                yield self._literal(atom, holds)
            elif atom[1] in bounds:
                low, high = bounds.pop(atom[1])
                other = self._struct_of(atom[1], low)
                if high is None and other and bounds.get(other[0]) == [other[1], None]:
                    del bounds[other[0]]
                    yield other[2]
                    continue
                if low is not None and low == high and all(c > 0 for _, c in atom[1]):
                    yield f"{self._sum(list(atom[1]))} == {low}"
                    continue
                if low is not None:
                    yield self._compared(atom[1], low - 1, False)
                if high is not None:
                    yield self._compared(atom[1], high, True)

    def _struct_of(self, linear: Any, low: int | None) -> tuple[Any, int, str] | None:
        """Of one end of a struct that is there, to the bytes before or behind a pointer: the other
        one, and what both say together."""
        if len(linear) != 1 or linear[0][0].kind not in (Kind.AFTER, Kind.BEFORE):
            return None
        symbol, count = linear[0]
        base = symbol.parts[0]
        text, type_ = self._named(base)
        size = self._size(type_.target) if isinstance(type_, Pointer) else 0
        if not size or not isinstance(type_, Pointer) or not isinstance(type_.target, Record):
            return None
        ends = {Kind.AFTER: size, Kind.BEFORE: 0}
        if low != ends.pop(symbol.kind):
            return None
        ((kind, least),) = ends.items()
        return ((name(kind, base), count),), least, f"{text} leads to a whole {type_.target.name}"

    def _literal(self, atom: Atom, holds: bool) -> str:
        if self._short and atom[0] in ("null", "same"):
            return self._sign(atom, holds)
        match atom:
            case ("null", name):
                return f"{self.name(name)} is {'null' if holds else 'not null'}"
            case ("same", y, x, 0):
                verb = "point to the same object" if holds else "point to different objects"
                return f"{self.name(y)} and {self._pointer(x)} {verb}"
            case ("same", y, x, distance):
                verb = "points" if holds else "does not point"
                return f"{self.name(y)} {verb} {distance} bytes behind {self._pointer(x)}"
            case ("block", y, x):
                verb = "are in one block" if holds else "are in different blocks"
                return f"{self.name(y)} and {self.name(x)} {verb}"
            case ("choice", _):
                return "something turns out so" if holds else "something turns out otherwise"
            case (kind, base, *_):
                return self._state(str(kind), self._pointer(base), holds)
            case _:
                return str(atom[0])

    def _sign(self, atom: Atom, holds: bool) -> str:
        sign = "=" if holds else "\u2260"
        if atom[0] == "null":
            return f"{self.name(atom[1])}{sign}0"
        _, y, x, distance = atom
        moved = f"{distance:+}" if distance else ""
        return f"{self.name(y)}{sign}{self._pointer(x)}{moved}"

    def _state(self, kind: str, pointer: str, holds: bool) -> str:
        verb = "" if holds else "not "
        match kind:
            case "live":
                return f"{pointer} is {verb}live"
            case "inside":
                return f"{pointer} does {verb}lead into a heap block".replace("does lead", "leads")
            case "heap":
                return f"{pointer} is {verb}the start of a heap block"
            case "writable":
                return f"{pointer} may {verb}be written through"
            case "code":
                return f"{pointer} is {verb}a function that may be called so"
            case "set":
                return f"what {pointer} points to is {verb}set"
            case _:
                other = "no pointers to heap blocks" if holds else "pointers to heap blocks"
                return f"{pointer} leads to {other}"

    def _compared(self, linear: Any, bound: int, holds: bool) -> str:
        """linear <= bound, or its negation, with negative parts on the other side."""
        limit = bound if holds else bound + 1
        left = [(s, c) for s, c in linear if c > 0]
        right = [(s, -c) for s, c in linear if c < 0]
        if len(linear) == 1 and linear[0][0].kind in (Kind.AFTER, Kind.BEFORE):
            base = linear[0][0].parts[0]
            side = "from {} on" if linear[0][0].kind is Kind.AFTER else "in front of {}"
            side = side.format(self._pointer(base))
            if linear[0][0].kind is Kind.BEFORE and bound == -1:
                verb = "leads" if holds else "does not lead"
                return f"{self._pointer(base)} {verb} before its block"
            if limit < 0:
                side = "behind" if linear[0][0].kind is Kind.AFTER else "before"
                verb = f"leads at {'least' if holds else 'most'} {-limit} bytes"
                return f"{self._pointer(base)} {verb} {side} its block"
            return f"at {'most' if holds else 'least'} {limit} bytes lie {side}"
        if bound == 0 and _is_end(linear):
            verb = "does not end" if holds else "ends"
            return f"the text at {self._pointer(linear[0][0].parts[0])} {verb} in its block"
        if right and limit > 0:
            right_text = f"{self._sum(right)} + {limit}"
        elif right and limit < 0:
            right_text = f"{self._sum(right)} - {-limit}"
        else:
            right_text = self._sum(right) if right else str(limit)
        return f"{self._sum(left)} {'<=' if holds else '>='} {right_text}"

    def _sum(self, parts: list[tuple[Name, int]]) -> str:
        texts = (self.name(s) if c == 1 else f"{c}*{self.name(s)}" for s, c in parts)
        return " + ".join(texts) or "0"


def _is_end(linear: Any) -> bool:
    """Is it the room behind a text less its length?"""
    if len(linear) != 2 or [count for _, count in linear] != [1, -1]:
        return False
    (behind, _), (length, _) = linear
    kinds = (behind.kind, length.kind)
    return kinds == (Kind.AFTER, Kind.LENGTH) and behind.parts[0] is length.parts[0]


def _ways(theory: Theory, guard: int, where: int) -> list[tuple[Literal, ...]]:
    """The ways to make a guard true, as few and short as they come out; some if they are many."""
    guards = theory.guards
    guard = guards.given(guard, where)
    known = guards.care(guard)
    high = guards.either(guard, guards.negation(known))
    found = cubes(guards, guards.both(guard, known), high, _MOST_WAYS)
    if found is None:
        found = list(islice(_paths(theory, guard), MOST_CASES + 1))
    return sorted(found, key=len)


def _paths(theory: Theory, guard: int) -> Iterator[tuple[tuple[int, bool], ...]]:
    """The ways to make a guard true, each as the atoms it asks and what they are."""
    work: list[tuple[int, tuple[tuple[int, bool], ...]]] = [(guard, ())]
    while work:
        node, literals = work.pop()
        if node == TRUE:
            yield literals
        elif node != FALSE:
            atom, low, high = theory.guards.split(node)
            work.append((low, (*literals, (atom, False))))
            work.append((high, (*literals, (atom, True))))

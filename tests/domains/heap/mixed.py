"""Random C programs whose procedures write one buffer through pointers of several sizes.

The pointers overlap as they like, wholly and in part. `Mixed` has the program as text, and the
bytes that a run leaves in the buffer.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TypeAlias

SIZES = {"char": 1, "short": 2, "int": 4}
Pointers: TypeAlias = dict[str, str]  # the type that each leads to


@dataclass(frozen=True)
class Store:
    target: str
    number: int


@dataclass(frozen=True)
class Copy:
    target: str
    source: str


@dataclass(frozen=True)
class Either:
    then: list[Statement]
    other: list[Statement]


@dataclass(frozen=True)
class Call:
    arguments: list[str]


Statement: TypeAlias = Store | Copy | Either | Call


@dataclass(frozen=True)
class Procedure:
    name: str
    pointers: Pointers
    body: list[Statement]
    callee: Procedure | None = None

    def text(self) -> str:
        formals = ", ".join(f"{type_} *{name}" for name, type_ in self.pointers.items())
        return f"static void {self.name}({formals}, int c) {{ {self._text(self.body)} }}"

    def _text(self, body: list[Statement]) -> str:
        return " ".join(self._one(statement) for statement in body)

    def _one(self, statement: Statement) -> str:
        match statement:
            case Store(target, number):
                return f"*{target} = {number};"
            case Copy(target, source):
                return f"*{target} = *{source};"
            case Either(then, other):
                return f"if (c) {{ {self._text(then)} }} else {{ {self._text(other)} }}"
            case Call(arguments):
                assert self.callee is not None
                types = self.callee.pointers.values()
                given = (f"({t} *){a}" for a, t in zip(arguments, types, strict=True))
                return f"{self.callee.name}({', '.join(given)}, c);"

    def run(self, places: dict[str, int], condition: int, memory: bytearray) -> None:
        self._run(self.body, places, condition, memory)

    def _run(
        self, body: list[Statement], places: dict[str, int], condition: int, memory: bytearray
    ) -> None:
        def put(target: str, number: int) -> None:
            at, size = places[target], SIZES[self.pointers[target]]
            whole = number & ((1 << 8 * size) - 1)
            memory[at : at + size] = whole.to_bytes(size, "little")

        for statement in body:
            match statement:
                case Store(target, number):
                    put(target, number)
                case Copy(target, source):
                    at, size = places[source], SIZES[self.pointers[source]]
                    put(target, int.from_bytes(memory[at : at + size], "little", signed=True))
                case Either(then, other):
                    self._run(then if condition else other, places, condition, memory)
                case Call(arguments):
                    assert self.callee is not None
                    given = [places[argument] for argument in arguments]
                    inner = dict(zip(self.callee.pointers, given, strict=True))
                    self.callee.run(inner, condition, memory)


@dataclass
class Mixed:
    """Each byte is said to be what it is in the end, and said not to be, at a line of its own."""

    dice: random.Random

    def __post_init__(self) -> None:
        inner = self._procedure("g", None)
        outer = self._procedure("f", inner)
        condition = self.dice.randint(0, 1)
        places = {name: self.dice.choice((0, 0, 1, 2, 2, 3, 4)) for name in outer.pointers}
        memory = bytearray(8)
        outer.run(places, condition, memory)
        given = (f"({type_} *)(b + {places[name]})" for name, type_ in outer.pointers.items())
        start = "int main(void) { unsigned char b[8] = {0}; int k = __VERIFIER_nondet_int();"
        start += f" f({', '.join(given)}, {condition});"
        lines = [*PRELUDE, inner.text(), outer.text(), start]
        self.false = range(len(lines) + 1, len(lines) + 9)
        self.true = range(len(lines) + 9, len(lines) + 17)
        for sign in ("!=", "=="):
            lines += [f"if (k == {k}) assert(b[{k}] {sign} {memory[k]});" for k in range(8)]
        self.source = "\n".join([*lines, "return 0; }", ""])

    def _procedure(self, name: str, callee: Procedure | None) -> Procedure:
        count = self.dice.randint(2, 3)
        pointers = {f"p{n}": self.dice.choice(list(SIZES)) for n in range(count)}
        return Procedure(name, pointers, self._body(list(pointers), callee, 0), callee)

    def _body(self, names: list[str], callee: Procedure | None, depth: int) -> list[Statement]:
        return [self._statement(names, callee, depth) for _ in range(self.dice.randint(2, 4))]

    def _statement(self, names: list[str], callee: Procedure | None, depth: int) -> Statement:
        kind = self.dice.random()
        if kind < 0.2:
            return Copy(self.dice.choice(names), self.dice.choice(names))
        if kind < 0.35 and depth < 2:
            inner = [self._body(names, callee, depth + 1) for _ in range(2)]
            return Either(*inner)
        if kind < 0.5 and callee is not None:
            return Call([self.dice.choice(names) for _ in callee.pointers])
        return Store(self.dice.choice(names), self.dice.randint(1, 100))


PRELUDE = (
    "void __assert_fail(const char *, const char *, unsigned, const char *);",
    '#define assert(c) ((c) ? (void)0 : __assert_fail("", "", 0, ""))',
    "int __VERIFIER_nondet_int(void);",
)

"""A state of the `values` domain: what is known before a step of one activation.

It describes every memory for which there is a way to give each block of the state to blocks of
the memory (one, or any number for `many`; none if nothing points to it) such that variables,
objects and cells hold what their abstract values allow. A block of the program's globals that is
not in the state still holds its initial content.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Final, TypeAlias, final

from precis.domains.values.memory import Block
from precis.domains.values.value import Pointers, Value
from precis.ir.values import Term, subterms

Part: TypeAlias = tuple[Pointers, bool]  # of a variable: what is not a number
NOTHING: Final[Part] = ((), False)
DEAD: Final[Part] = ((), True)
Origin: TypeAlias = tuple[int, int, int]  # block, offset, size
Facts: TypeAlias = dict[Term, bool]
NO_BLOCK: Final = 0
_variables: dict[Term, frozenset[int]] = {}


def variables_of(term: Term) -> frozenset[int]:
    found = _variables.get(term)
    if found is None:
        found = _variables[term] = frozenset(
            node.data for node in subterms(term) if node.op == "var" and isinstance(node.data, int)
        )
    return found


@final
class State:
    """Immutable. `objects` are the current blocks of the procedure's objects.

    `origins`: variables that hold the same value as a cell. `kept`: heap memory may be live that
    nothing in the state leads to. `calm`: nothing that existed at entry was freed since.
    `facts`: conditions between variables, each with its truth.
    """

    __slots__ = (
        "_key", "_shape", "blocks", "calm", "facts", "kept", "numbers", "objects", "origins",
        "parts", "root",
    )  # fmt: skip

    def __init__(
        self, numbers: Any, parts: tuple[Part, ...], blocks: dict[int, Block],
        objects: tuple[int, ...], origins: dict[int, Origin], kept: bool, calm: bool, root: bool,
        facts: Facts,
    ) -> None:  # fmt: skip
        self.numbers = numbers
        self.parts = parts
        self.blocks = blocks
        self.objects = objects
        self.origins = origins
        self.kept = kept
        self.calm = calm
        self.root = root
        self.facts = facts
        self._key: Hashable = None
        self._shape: Hashable = None

    def value(self, variable: int) -> Value:
        pointers, unset = self.parts[variable]
        return (self.numbers[variable], pointers, unset)

    def with_blocks(self, blocks: dict[int, Block]) -> State:
        return State(
            self.numbers, self.parts, blocks, self.objects, self.origins, self.kept, self.calm,
            self.root, self.facts,
        )  # fmt: skip

    def with_block(self, name: int, block: Block) -> State:
        blocks = self.blocks.copy()
        blocks[name] = block
        return self.with_blocks(blocks)

    def with_numbers(self, numbers: Any) -> State:
        return State(
            numbers, self.parts, self.blocks, self.objects, self.origins, self.kept, self.calm,
            self.root, self.facts,
        )  # fmt: skip

    def with_parts(self, parts: tuple[Part, ...]) -> State:
        return State(
            self.numbers, parts, self.blocks, self.objects, self.origins, self.kept, self.calm,
            self.root, self.facts,
        )  # fmt: skip

    def with_objects(self, objects: tuple[int, ...], blocks: dict[int, Block]) -> State:
        return State(
            self.numbers, self.parts, blocks, objects, self.origins, self.kept, self.calm,
            self.root, self.facts,
        )  # fmt: skip

    def with_origins(self, origins: dict[int, Origin]) -> State:
        return State(
            self.numbers, self.parts, self.blocks, self.objects, origins, self.kept, self.calm,
            self.root, self.facts,
        )  # fmt: skip

    def flagged(self, kept: bool, calm: bool) -> State:
        return State(
            self.numbers, self.parts, self.blocks, self.objects, self.origins, kept, calm,
            self.root, self.facts,
        )  # fmt: skip

    def with_fact(self, condition: Term, truth: bool) -> State:
        return State(
            self.numbers, self.parts, self.blocks, self.objects, self.origins, self.kept,
            self.calm, self.root, {**self.facts, condition: truth},
        )  # fmt: skip

    def assigned(self, variable: int, numbers: Any, part: Part) -> State:
        """A variable takes a value, whose number is already among `numbers`."""
        parts = self.parts
        if parts[variable] != part:
            parts = (*parts[:variable], part, *parts[variable + 1 :])
        origins = self.origins
        if variable in origins:
            origins = {v: o for v, o in origins.items() if v != variable}
        facts = self.facts
        if facts:
            facts = {c: t for c, t in facts.items() if variable not in variables_of(c)}
        return State(
            numbers, parts, self.blocks, self.objects, origins, self.kept, self.calm, self.root,
            facts,
        )  # fmt: skip

    def key(self) -> Hashable:
        found = self._key
        if found is None:
            blocks = tuple(sorted([(name, b.key()) for name, b in self.blocks.items()], key=_name))
            found = self._key = (
                self.numbers, self.parts, blocks, self.objects, tuple(sorted(self.origins.items())),
                self.kept, self.calm, self.root, frozenset(self.facts.items()),
            )  # fmt: skip
        return found

    def shape(self) -> Hashable:
        """States of one shape differ in numbers only, more or less."""
        found = self._shape
        if found is None:
            parts = tuple(tuple(p[0] for p in pointers) for pointers, _ in self.parts)
            blocks = tuple(sorted((n, b.live, b.many) for n, b in self.blocks.items()))
            found = self._shape = (parts, blocks, self.objects)
        return found


def _name(item: tuple[int, object]) -> int:
    return item[0]

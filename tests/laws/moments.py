"""A run of the referee, stopped before a step: what the innermost activation sees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from precis.interp.machine import Activation, Machine
from precis.interp.memory import Block
from precis.ir.callgraph import call_graph
from precis.ir.instr import computed
from precis.ir.liveness import live_variables
from precis.ir.procedure import Procedure
from precis.ir.program import Program
from precis.ir.values import subterms
from tests.laws.term_meaning import Setting


@dataclass(frozen=True, slots=True)
class Began:
    """The memory when an activation began: blocks made so far, live heap blocks."""

    made: int
    heap: tuple[int, ...]


@dataclass(slots=True)
class Moment:
    """`place` is (block, step) of the procedure; `blocks` are all blocks the run ever made."""

    machine: Machine
    activations: tuple[Activation, ...]
    began: Began
    blocks: list[Block]
    place: tuple[int, int]
    texts: Texts
    _held: set[int] | None = field(default=None)

    @property
    def procedure(self) -> Procedure:
        return self.activations[0].procedure

    def variable(self, index: int) -> Any:
        """Its value; None if it has none."""
        return self.activations[0].variables.get(f"v{index}")

    def object(self, index: int) -> Block | None:
        """Its current block, or the last one it had."""
        block = self.activations[0].variables.get(f"b{index}")
        return block if isinstance(block, Block) and block.number else None

    def is_live(self, index: int) -> bool:
        """May the variable still be read?"""
        block, step = self.place
        return bool(self.texts.live(self.procedure)[block][step] >> index & 1)

    def setting(self) -> Setting:
        return Setting(
            self.variable, self._block, lambda block: int(block.base), self.machine.memory.resolve,
            self.machine.program.model.word,
        )  # fmt: skip

    def _block(self, kind: str, data: int | str) -> Block | None:
        if kind == "local":
            assert isinstance(data, int)
            return self.object(data)
        compiler = self.machine.compiler
        return compiler.code(str(data)) if kind == "function" else compiler.block(kind, str(data))

    def at_address(self, value: int, bits: int) -> Iterator[tuple[Block, int]]:
        """The blocks an integer may be an address of, the newest first."""
        value &= (1 << bits) - 1
        for block in (*reversed(self.blocks), *self.machine.memory.code.values()):
            if -64 <= value - block.base <= block.size + 64:
                yield block, value - block.base

    def held_by_callers(self) -> set[int]:
        """The blocks that are reached without the innermost activation."""
        if self._held is None:
            start = list(self.machine.globals)
            for activation in self.activations[1:]:
                start.extend(_roots(activation))
            self._held = reached(start)
        return self._held

    def reached_from_before(self, known: set[int]) -> set[int]:
        """The blocks that are reached from older ones than the activation, but for some."""
        made = self.began.made
        return reached([b for b in self.blocks if b.number <= made and b.number not in known])


def reached(start: list[Block]) -> set[int]:
    seen: set[int] = set()
    work = list(start)
    while work:
        block = work.pop()
        if block.number in seen or block.limit < 0:
            continue
        seen.add(block.number)
        work.extend(pointer[0] for pointer in block.ptrs.values())
        work.extend(piece[0][0] for piece in block.frags.values())
    return seen


def _roots(activation: Activation) -> Iterator[Block]:
    for name, value in activation.variables.items():
        if name[0] == "v" and isinstance(value, tuple):
            yield value[0]
        elif name[0] == "b" and isinstance(value, Block):
            yield value
        elif name == "al":
            yield from value


class Texts:
    """What the text of a program says, found out once for each procedure."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._graph = call_graph(program)
        self._below: dict[str, frozenset[str]] = {}
        self._live: dict[str, tuple[tuple[int, ...], ...]] = {}
        self._mentioned: dict[str, tuple[str, ...]] = {}

    def live(self, procedure: Procedure) -> tuple[tuple[int, ...], ...]:
        found = self._live.get(procedure.name)
        if found is None:
            found = self._live[procedure.name] = live_variables(procedure)
        return found

    def mentioned(self, procedure: Procedure) -> tuple[str, ...]:
        """The globals that the steps of a procedure speak of."""
        found = self._mentioned.get(procedure.name)
        if found is None:
            names = {
                str(node.data): None
                for block in procedure.blocks
                for item in (*block.steps, block.end)
                for root in computed(item)
                for node in subterms(root)
                if node.op == "global"
            }
            found = self._mentioned[procedure.name] = tuple(names)
        return found

    def mentioned_below(self, procedure: Procedure) -> frozenset[str]:
        """Those that it and all that it may call speak of."""
        found = self._below.get(procedure.name)
        if found is None:
            names = self._graph.reachable((procedure.name,))
            procedures = [
                self._program.procedures[n] for n in names if n in self._program.procedures
            ]
            found = frozenset(name for each in procedures for name in self.mentioned(each))
            self._below[procedure.name] = found
        return found

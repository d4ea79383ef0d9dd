"""Puts the obligations of the chosen properties into a program.

The memory-safety obligations always stand: a run that breaks one has no meaning beyond it, so
no other property can be spoken of there. Whether they are *reported* is for the caller.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from precis.errors import InputError
from precis.ir.defined import maybe_undefined, without_result
from precis.ir.holders import holders
from precis.ir.instr import Check, End, Step, operands
from precis.ir.obligation import InitialisedVariable, Obligation
from precis.ir.procedure import BasicBlock, Procedure
from precis.ir.program import Program
from precis.properties import assertions, leaks, memory_safety, overflow, uninitialised

NAMES: Final = (
    "memory-safety",
    "leaks",
    "cleanup",
    "uninitialised",
    "assertions",
    "overflow",
    "division",
)


def chosen(names: tuple[str, ...], default: tuple[str, ...]) -> frozenset[str]:
    """The properties a user named, or the default; raises InputError for an unknown name."""
    for name in names:
        if name not in NAMES:
            raise InputError(
                f"unknown property {name!r}", advice="the properties are " + ", ".join(NAMES)
            )
    return frozenset(names or default)


def with_obligations(program: Program, properties: frozenset[str]) -> Program:
    """The program with a `Check` before each step that owes one; earlier checks are dropped."""
    if "leaks" in properties:
        program = leaks.with_results_held(program)
    no_result = without_result(program.procedures.values())
    procedures = {
        name: _Placer(program, procedure, properties, no_result).placed()
        for name, procedure in program.procedures.items()
    }
    return replace(program, procedures=procedures)


class _Placer:
    """One procedure under way; checks are numbered in the order of blocks and steps."""

    __slots__ = ("_count", "_holders", "_procedure", "_program", "_properties", "_undefined")

    def __init__(
        self,
        program: Program,
        procedure: Procedure,
        properties: frozenset[str],
        no_result: frozenset[str],
    ) -> None:
        bare = tuple(
            replace(block, steps=tuple(s for s in block.steps if not isinstance(s, Check)))
            for block in procedure.blocks
        )
        self._program = program
        self._procedure = replace(procedure, blocks=bare)
        self._properties = properties
        self._count = 0
        if "leaks" in properties:
            self._holders = holders(self._procedure)
        self._undefined: dict[tuple[int, int], list[int]] = {}
        if "uninitialised" in properties:
            for read in maybe_undefined(self._procedure, no_result):
                self._undefined.setdefault((read.block, read.step), []).append(read.variable)

    def placed(self) -> Procedure:
        blocks = tuple(
            BasicBlock(tuple(self._steps(number, block)), block.end)
            for number, block in enumerate(self._procedure.blocks)
        )
        return replace(self._procedure, blocks=blocks)

    def _steps(self, number: int, block: BasicBlock) -> Iterator[Step]:
        for index, step in enumerate(block.steps):
            yield from self._checks((number, index), step)
            yield step
        yield from self._checks((number, len(block.steps)), block.end)

    def _checks(self, place: tuple[int, int], item: Step | End) -> Iterator[Check]:
        for obligation in self._obligations(place, item):
            yield Check(obligation, self._count, item.at)
            self._count += 1

    def _obligations(self, place: tuple[int, int], item: Step | End) -> Iterator[Obligation]:
        properties = self._properties
        yield from map(InitialisedVariable, self._undefined.get(place, ()))
        if "overflow" in properties or "division" in properties:
            yield from overflow.of_terms(operands(item), properties)
        if isinstance(item, End):
            if "cleanup" in properties:
                yield from leaks.cleanup_before_end(self._program, self._procedure, item)
            if "leaks" in properties:
                yield from leaks.before_end(item, place, self._holders)
            return
        if "assertions" in properties:
            yield from assertions.before_step(item)
        yield from memory_safety.before_step(self._program, item)
        if "uninitialised" in properties:
            yield from uninitialised.before_step(self._program, item)
        if "leaks" in properties:
            yield from leaks.before_step(self._procedure, item, place, self._holders)

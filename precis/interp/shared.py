"""What the runs of one program have in common: the code generated for it.

Generated code calls values by names, such as `k7`. Some are the same in every run: a place, the
table of a switch. Others belong to one run: the block of a global, a load from its memory. Of
those a recipe is kept, which makes the value for a run that uses the name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from types import CodeType
from typing import Any, Final, TypeAlias

from precis.interp.code import NO_PLACE, Place
from precis.interp.natives import native_names
from precis.interp.outcome import Natives
from precis.interp.steps import Mode
from precis.ir.defined import without_result
from precis.ir.holders import Holders
from precis.ir.instr import Call, End, Step
from precis.ir.procedure import Procedure
from precis.ir.program import Program
from precis.ir.values import Term

DEEPEST_PLAIN: Final = 60  # plain functions nest in Python's own stack
Recipe: TypeAlias = Callable[[Any], object]  # of the compiler of a run


@dataclass(frozen=True, slots=True)
class Compiled:
    """`places[line]` is the step that the line of the generated source belongs to."""

    procedure: Procedure
    places: tuple[Place, ...]
    source: str

    def place(self, line: int) -> Place:
        return self.places[line] if 0 <= line < len(self.places) else NO_PLACE

    def step(self, place: Place) -> Step | End | None:
        block, index = place
        if block < 0:
            return None
        steps = self.procedure.blocks[block].steps
        return steps[index] if index < len(steps) else self.procedure.blocks[block].end


@dataclass(frozen=True, slots=True)
class Generated:
    """Code, and the names of the values that it uses."""

    code: CodeType
    names: tuple[str, ...]


class Codes:
    """The code of a program in one mode, for one set of properties and of natives.

    It grows as runs get to procedures that none got to before.
    """

    def __init__(self, shared: Shared, mode: Mode, properties: frozenset[str]) -> None:
        self.shared = shared
        self.mode = mode
        self.properties = properties
        self.natives: frozenset[str] = frozenset()
        self.names: dict[object, str] = {}
        self.fixed: dict[str, object] = {}
        self.recipes: dict[str, Recipe] = {}
        self.functions: dict[str, Generated] = {}
        self.terms: dict[Term, Generated] = {}
        self.compiled: dict[CodeType, Compiled] = {}
        self.traces: list[tuple[Procedure, Place]] = []
        self.comparisons: list[tuple[Procedure, Place]] = []

    def name(self, key: object) -> str:
        # Equal keys of different types (True and 1) must not share a name.
        typed = (type(key), key)
        name = self.names.get(typed)
        if name is None:
            name = self.names[typed] = f"k{len(self.names)}"
        return name


@dataclass(slots=True, eq=False)
class Shared:
    """Handed to one run after the other, it saves all but the first from compiling."""

    program: Program
    plain: set[str] = field(init=False)
    no_result: frozenset[str] = field(init=False)
    labels: dict[str, str] = field(init=False)  # of procedures in generated code
    numbers: dict[str, int] = field(init=False)  # of procedures and externals
    first: dict[str, int] = field(init=False)  # number of a procedure's first block among all
    blocks: int = field(init=False)
    holders: dict[str, Holders] = field(init=False, default_factory=dict)
    _codes: dict[tuple[Mode, frozenset[str], Natives], Codes] = field(
        init=False, default_factory=dict
    )

    def __post_init__(self) -> None:
        procedures = self.program.procedures
        self.plain = plain_procedures(self.program)
        self.no_result = without_result(procedures.values())
        self.labels = {name: f"f{i}" for i, name in enumerate(procedures)}
        names = dict.fromkeys((*procedures, *self.program.externals))
        self.numbers = {name: i for i, name in enumerate(names)}
        self.first = {}
        self.blocks = 0
        for name, procedure in procedures.items():
            self.first[name] = self.blocks
            self.blocks += len(procedure.blocks)

    def codes(self, mode: Mode, properties: frozenset[str], natives: Natives) -> Codes:
        key = (mode, properties, natives)
        found = self._codes.get(key)
        if found is None:
            found = self._codes[key] = Codes(self, mode, properties)
            found.natives = native_names(self.program, natives)
        return found


def plain_procedures(program: Program) -> set[str]:
    """Those whose calls nest to a bounded depth."""
    callees = {name: _callees(procedure, program) for name, procedure in program.procedures.items()}
    height: dict[str, int] = {}
    changed = True
    while changed:
        changed = False
        for name, called in callees.items():
            if name in height or called is None or not called <= height.keys():
                continue
            tallest = max((height[callee] for callee in called), default=0) + 1
            if tallest <= DEEPEST_PLAIN:
                height[name] = tallest
                changed = True
    return set(height)


def _callees(procedure: Procedure, program: Program) -> set[str] | None:
    """The procedures called directly, or None if there are calls through pointers."""
    found: set[str] = set()
    for block in procedure.blocks:
        for step in block.steps:
            if not isinstance(step, Call):
                continue
            if step.function.op != "function":
                return None
            name = str(step.function.data)
            if name in program.procedures:
                found.add(name)
    return found

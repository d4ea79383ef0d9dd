"""Basic blocks under construction.

Scopes are the hard part: an object lives from the entry into the C block it is declared in to
the exit from it (C17 6.2.4), whichever way control takes, and the objects of a scope are known
only once it has been lowered. So entries and exits are noted as marks, and `finish` turns them
into steps; jumps to labels and cases, which can leave and enter scopes, are resolved then too.
Ending an object that has no block does nothing, so an exit may end all objects of its scopes.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TypeAlias, final

from precis.frontends.clang.failure import Unlowered
from precis.frontends.clang.simplify import simplified
from precis.ir.instr import (
    Alloc,
    Assign,
    Call,
    Case,
    Choose,
    End,
    Jump,
    Load,
    Measure,
    ScopeBegin,
    ScopeEnd,
    Step,
    Switch,
    Unreachable,
    Unsupported,
)
from precis.ir.location import NOWHERE, Location
from precis.ir.procedure import BasicBlock, LocalObject, Variable
from precis.ir.types import Pointer, Type
from precis.ir.values import Data, Term, local, var


@final
class Scope:
    """A C block. `objects` begin where it is entered, `sized` ones (VLAs) where declared.

    `cleanups` are calls to make, the last one first, on the way out of what follows them.
    """

    __slots__ = ("cleanups", "objects", "parent", "sized")

    def __init__(self, parent: Scope | None) -> None:
        self.parent = parent
        self.objects: list[int] = []
        self.sized: list[int] = []
        self.cleanups: list[Call] = []

    def up_to(self, outer: Scope | None) -> list[Scope]:
        """This scope and those around it, innermost first, without `outer`."""
        found = []
        scope: Scope | None = self
        while scope is not None and scope is not outer:
            found.append(scope)
            scope = scope.parent
        return found


@dataclass(frozen=True, slots=True)
class _Entry:
    scope: Scope
    at: Location


_Here: TypeAlias = tuple[tuple[Scope, int], ...]  # scopes, each with its cleanups so far


@dataclass(frozen=True, slots=True)
class _Exit:
    scopes: _Here
    at: Location


@dataclass(frozen=True, slots=True)
class _Goto:
    label: int
    name: str
    here: _Here
    at: Location


@dataclass(frozen=True, slots=True)
class Dispatch:
    """A switch whose cases are still being found: (low, high, block, scope of the label)."""

    value: Term
    scope: Scope
    at: Location
    cases: list[tuple[int, int, int, Scope]] = field(default_factory=list)
    default: list[tuple[int, Scope]] = field(default_factory=list)


_Item: TypeAlias = Step | _Entry | _Exit
_OpenEnd: TypeAlias = End | _Goto | Dispatch


@final
class _Block:
    __slots__ = ("end", "items")

    def __init__(self) -> None:
        self.items: list[_Item] = []
        self.end: _OpenEnd | None = None


@final
class Builder:
    """Blocks, variables and objects of one procedure.

    Steps go to the current block. After an end there is none until `start`; what is added
    in between cannot be reached and is dropped in the end.
    """

    def __init__(self) -> None:
        self.variables: list[Variable] = []
        self.objects: list[LocalObject] = []
        self.scope = Scope(None)
        self.labels: dict[int, tuple[int, Scope]] = {}  # by the key of their statement
        self._cleaned: dict[int, int] = {}  # the cleanups of its scope in front of a label
        self._blocks: list[_Block] = [_Block()]
        self._current: _Block | None = self._blocks[0]

    # Variables and objects

    def variable(self, name: str, type_: Type, at: Location) -> int:
        self.variables.append(Variable(name, type_, at))
        return len(self.variables) - 1

    def var(self, index: int) -> Term:
        return var(index, self.variables[index].type)

    def object(self, name: str, type_: Type, size: int | None, align: int, at: Location) -> int:
        """A new object; `declare` puts it into a scope."""
        self.objects.append(LocalObject(name, type_, size, align, at))
        return len(self.objects) - 1

    def declare(self, number: int) -> None:
        """The object belongs to the current scope."""
        sized = self.objects[number].size is None
        (self.scope.sized if sized else self.scope.objects).append(number)

    def local(self, number: int) -> Term:
        return local(number, Pointer(self.objects[number].type))

    # Blocks

    def block(self) -> int:
        self._blocks.append(_Block())
        return len(self._blocks) - 1

    def start(self, block: int) -> None:
        self._current = self._blocks[block]

    def go_on_in(self, block: int, at: Location) -> None:
        """Jump there, and add what follows to it."""
        self.end(Jump(block, at))
        self.start(block)

    def step(self, step: _Item) -> None:
        if self._current is None:
            self.start(self.block())
        assert self._current is not None
        self._current.items.append(step)

    def assign(self, index: int, value: Term, at: Location) -> None:
        """Assign a variable; a temporary that was made just for this is left out."""
        if value.op != "var" or not self._retarget(value.data, index):
            self.step(Assign(index, value, at))

    def _retarget(self, temporary: Data, index: int) -> bool:
        """Let the last step write to the variable instead of to a temporary."""
        newest = len(self.variables) - 1
        if temporary != newest or self.variables[newest].name or self._current is None:
            return False
        if self.variables[newest].type != self.variables[index].type:
            return False
        items = self._current.items
        for position in range(len(items) - 1, -1, -1):
            item = items[position]
            if isinstance(item, Load | Call | Alloc | Choose | Measure) and item.target == newest:
                items[position] = replace(item, target=index)
                self.variables.pop()
                return True
            if not isinstance(item, ScopeEnd):
                return False
        return False

    def end(self, end: _OpenEnd) -> None:
        if self._current is not None:
            self._current.end = end
        self._current = None

    @property
    def count(self) -> int:
        """How many blocks there are, open ones too."""
        return len(self._blocks)

    def give_up(self, first: int, why: Unsupported) -> None:
        """A statement fails that began when there were `first` blocks: nothing is known beyond.

        Its blocks that lead nowhere yet must not count as ones that no run gets to.
        """
        self.step(why)
        for block in self._blocks[first:]:
            if block.end is None and block is not self._current:
                block.items.append(why)
                block.end = Unreachable(why.at)

    @property
    def is_reachable(self) -> bool:
        return self._current is not None

    @property
    def has_steps(self) -> bool:
        """Has anything been added at all?"""
        return len(self._blocks) > 1 or bool(self._blocks[0].items) or self._current is None

    # Scopes and jumps

    def enter(self, at: Location) -> Scope:
        self.scope = Scope(self.scope)
        self.step(_Entry(self.scope, at))
        return self.scope

    def leave(self, at: Location) -> None:
        """The end of the current scope is reached."""
        if self.is_reachable:
            self.step(_Exit(_here([self.scope]), at))
        assert self.scope.parent is not None
        self.scope = self.scope.parent

    def leave_to(self, outer: Scope | None, at: Location) -> None:
        """Control is about to go to a place in `outer`; the current scope does not change."""
        scopes = _here(self.scope.up_to(outer))
        if scopes and self.is_reachable:
            self.step(_Exit(scopes, at))

    def clean_up(self, call: Call) -> None:
        """Make the call on every way from here out of the current scope."""
        self.scope.cleanups.append(call)

    def goto(self, label: int, name: str, at: Location) -> None:
        self.end(_Goto(label, name, _here(self.scope.up_to(None)), at))

    def label(self, label: int, at: Location) -> None:
        block = self.block()
        self.labels[label] = (block, self.scope)
        self._cleaned[label] = len(self.scope.cleanups)
        self.go_on_in(block, at)

    # The finished blocks

    def finish(self) -> tuple[BasicBlock, ...]:
        for block in list(self._blocks):
            self._resolve(block)
        finished = []
        for block in self._blocks:
            if block.end is None:  # of no use to anyone, else a gap in the lowering
                block.items.append(Unsupported("code that leads nowhere", NOWHERE))
            end = block.end or Unreachable(NOWHERE)
            assert not isinstance(end, _Goto | Dispatch)
            finished.append((_expanded(block.items), end))
        return simplified(finished)

    def _resolve(self, block: _Block) -> None:
        match block.end:
            case _Goto(label=label, name=name, here=here, at=at):
                if label not in self.labels:
                    block.items.append(Unsupported(f"goto {name}, which is not lowered", at))
                    block.end = Unreachable(at)
                    return
                to, inner = self.labels[label]
                block.items.extend(_left(here, inner, self._cleaned[label], at))
                block.items.extend(_entered(here[0][0], inner, at))
                block.end = Jump(to, at)
            case Dispatch() as dispatch:
                self._resolve_dispatch(block, dispatch)

    def _resolve_dispatch(self, block: _Block, dispatch: Dispatch) -> None:
        def edge(to: int, scope: Scope) -> int:
            here = tuple((around, 0) for around in dispatch.scope.up_to(None))
            steps = _left(here, scope, 0, dispatch.at)
            steps += _entered(dispatch.scope, scope, dispatch.at)
            if not steps:
                return to
            between = self.block()
            self._blocks[between].items.extend(steps)
            self._blocks[between].end = Jump(to, dispatch.at)
            return between

        edges = {(to, scope): edge(to, scope) for _, _, to, scope in dispatch.cases}
        cases = tuple(Case(low, high, edges[to, scope]) for low, high, to, scope in dispatch.cases)
        if not dispatch.default:
            raise Unlowered("switch without a place to go to")
        to, scope = dispatch.default[0]
        default = edges.get((to, scope)) or edge(to, scope)
        block.end = Switch(dispatch.value, cases, default, dispatch.at)


def _here(scopes: list[Scope]) -> _Here:
    return tuple((scope, len(scope.cleanups)) for scope in scopes)


def _left(here: _Here, target: Scope, cleaned: int, at: Location) -> list[Step]:
    """The steps out of the scopes that a jump leaves, and back over declarations in its target.

    clang sees to it that no jump goes forward over a cleanup.
    """
    around = {id(scope) for scope in target.up_to(None)}
    steps: list[Step] = []
    for scope, count in here:
        if id(scope) not in around:
            steps += _way_out(scope, count, at)
        elif scope is target:
            steps += reversed(scope.cleanups[cleaned:count])
    return steps


def _way_out(scope: Scope, count: int, at: Location) -> list[Step]:
    ends: list[Step] = [ScopeEnd(number, at) for number in _objects([scope])]
    return [*reversed(scope.cleanups[:count]), *ends]


def _entered(source: Scope, target: Scope, at: Location) -> list[Step]:
    """The steps into the scopes that a jump enters."""
    around = {id(scope) for scope in source.up_to(None)}
    entered = [scope for scope in target.up_to(None) if id(scope) not in around]
    return [ScopeBegin(number, at) for scope in reversed(entered) for number in scope.objects]


def _objects(scopes: list[Scope]) -> list[int]:
    """The objects of the scopes, in the order in which they go."""
    found: list[int] = []
    for scope in scopes:
        found.extend(reversed(scope.sized))
        found.extend(reversed(scope.objects))
    return found


def _expanded(items: list[_Item]) -> list[Step]:
    steps: list[Step] = []
    for item in items:
        match item:
            case _Entry(scope=scope, at=at):
                steps.extend(ScopeBegin(number, at) for number in scope.objects)
            case _Exit(scopes=scopes, at=at):
                for scope, count in scopes:
                    steps.extend(_way_out(scope, count, at))
            case _:
                steps.append(item)
    return steps

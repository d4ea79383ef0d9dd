"""Procedures: variables, objects and basic blocks."""

from __future__ import annotations

from dataclasses import dataclass

from precis.ir.instr import End, Step
from precis.ir.location import Location
from precis.ir.types import Function, Type


@dataclass(frozen=True, slots=True)
class Variable:
    """A scalar that is not in memory. Made up ones have an empty name."""

    name: str
    type: Type
    at: Location


@dataclass(frozen=True, slots=True)
class LocalObject:
    """A local that lives in memory; `size` is None if ScopeBegin gives it."""

    name: str
    type: Type
    size: int | None
    align: int
    at: Location


@dataclass(frozen=True, slots=True)
class BasicBlock:
    steps: tuple[Step, ...]
    end: End


@dataclass(frozen=True, slots=True)
class Procedure:
    """A function body. Control starts at block 0.

    `parameters` are the variables that receive the arguments of a call, in order, with the
    hidden ones (see instr.Call). `library` marks a model: violations in it are its caller's.
    """

    name: str
    type: Function
    parameters: tuple[int, ...]
    variables: tuple[Variable, ...]
    objects: tuple[LocalObject, ...]
    blocks: tuple[BasicBlock, ...]
    at: Location
    library: bool = False
    internal: bool = False  # not visible outside its source file (C's static)

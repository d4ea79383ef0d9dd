"""Programs: everything that is analysed or run together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from precis.ir.instr import BlockKind
from precis.ir.location import Location
from precis.ir.procedure import Procedure
from precis.ir.types import BitRange, DataModel, Function, Layout, Type
from precis.ir.values import Term


class Language(Enum):
    """Which steps a program may use: the modelling steps are for MODEL only."""

    C = "c"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of a global's initial value: a constant or address at an offset, or plain bytes."""

    offset: int
    value: Term | bytes
    bits: BitRange | None = None


@dataclass(frozen=True, slots=True)
class Global:
    """A block that lives as long as the program; bytes without a piece are zero.

    `kind` is GLOBAL or LITERAL. A `constant` block must not be written. An `external` one is
    defined elsewhere: nothing is known of its content.
    """

    name: str
    type: Type
    size: int
    align: int
    at: Location
    pieces: tuple[Piece, ...] = ()
    kind: BlockKind = BlockKind.GLOBAL
    constant: bool = False
    external: bool = False
    internal: bool = False


@dataclass(frozen=True, slots=True)
class External:
    """A procedure without a body here; the referee may have a native for it."""

    name: str
    type: Function
    at: Location


@dataclass(frozen=True, slots=True)
class Program:
    """`entry` names the procedure that runs start at, empty in a library."""

    model: DataModel
    records: Mapping[str, Layout]
    globals: Mapping[str, Global]
    procedures: Mapping[str, Procedure]
    externals: Mapping[str, External]
    entry: str
    language: Language = Language.C
    sources: tuple[str, ...] = field(default=())

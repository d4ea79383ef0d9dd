"""Boxes and arrows: a memory, or a state that stands for many memories, as reports draw it.

A picture says what is there, never where it goes on paper: that is the matter of the reports.
Texts in it are plain and may hold anything a program may hold; who draws them escapes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class BoxKind(Enum):
    """What a box stands for. Frames and globals are where reading a picture begins."""

    FRAME = "frame"  # the variables of one activation
    GLOBAL = "global"  # blocks that live as long as the program
    STACK = "stack"  # a block of an activation that stands apart from its variables
    HEAP = "heap"
    LITERAL = "literal"  # a string of the program text
    FREED = "freed"  # freed or out of scope, and still pointed to
    SUMMARY = "summary"  # any number of blocks, drawn as one


class Mark(Enum):
    """How the value of a row is to be read."""

    PLAIN = "plain"
    STRING = "string"
    POINTER = "pointer"  # an arrow leaves here; the text, if any, stands beside its start
    NULL = "null"
    UNSET = "unset"  # never initialised
    HEADING = "heading"  # names the deeper rows that follow
    GAP = "gap"  # rows were left out here


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a box. A `port` lets arrows begin or end here; it is unique within its box."""

    label: str
    value: str = ""
    mark: Mark = Mark.PLAIN
    port: str = ""
    depth: int = 0  # how far it stands below a heading


@dataclass(frozen=True, slots=True)
class Box:
    """`key` is unique within the picture and not shown; `tag` is a short name that is."""

    key: str
    title: str
    kind: BoxKind
    rows: tuple[Row, ...] = ()
    tag: str = ""
    note: str = ""


class ArrowStyle(Enum):
    SOLID = "solid"
    DASHED = "dashed"  # may point there
    DANGLING = "dangling"  # points to what is no longer there


@dataclass(frozen=True, slots=True)
class End:
    """An end of an arrow: a row of a box, or the box as a whole if the port is empty."""

    box: str
    port: str = ""


@dataclass(frozen=True, slots=True)
class Arrow:
    """`source` names a row; an arrow whose ends are not in the picture is not drawn."""

    source: End
    target: End
    label: str = ""
    style: ArrowStyle = ArrowStyle.SOLID


@dataclass(frozen=True, slots=True)
class Picture:
    """Boxes in the order they are met: frames first, outermost first."""

    title: str
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...] = ()
    notes: tuple[str, ...] = ()

"""A domain that knows nothing but names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from precis.domains.picture import Box, BoxKind, Picture, Row
from precis.domains.protocol import Summary
from precis.ir.program import Program


class Values:
    name = "values"
    version = 1
    packs = False

    def __init__(self, program: Program, *options: object, **more: object) -> None:
        self.program = program

    def describe(self, summary: Summary[Any, Any]) -> Sequence[str]:
        return (f"of {summary.piece.procedure}:", "returns anything")

    def draw(self, summary: Summary[Any, Any]) -> Sequence[Picture]:
        box = Box("frame", summary.piece.procedure, BoxKind.FRAME, (Row("x", "1"),))
        return (Picture("entry", (box,)), Picture("return", (box, box)))

    def encode(self, summary: Summary[Any, Any]) -> object:
        return ["anything", summary.piece.start]

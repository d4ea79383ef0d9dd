"""C text -> program, for the tests of the C front end."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path

from precis.frontends.clang.flags import ClangFlags
from precis.frontends.clang.link import Extent
from precis.frontends.clang.parse import load
from precis.ir.instr import Step, Unsupported
from precis.ir.program import Program


def lower(
    source: str,
    folder: Path,
    flags: ClangFlags | None = None,
    extent: Extent = Extent.REACHABLE,
) -> Program:
    path = folder / "program.c"
    path.write_text(textwrap.dedent(source), encoding="utf-8")
    return load([path], flags, extent=extent)


def steps(program: Program, procedure: str = "main") -> list[Step]:
    return [step for block in program.procedures[procedure].blocks for step in block.steps]


def unsupported(program: Program) -> Iterator[Unsupported]:
    for name in program.procedures:
        yield from (step for step in steps(program, name) if isinstance(step, Unsupported))

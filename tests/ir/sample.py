"""A small program that uses every kind of step, in printed form."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from precis.frontends.text.parse import parse
from precis.ir.procedure import Procedure
from precis.ir.program import Program

TEXT = (Path(__file__).parent / "sample.ir").read_text(encoding="ascii")
SAMPLE = parse(TEXT, "sample.ir")


def with_procedure(procedure: Procedure) -> Program:
    return replace(SAMPLE, procedures={**SAMPLE.procedures, procedure.name: procedure})

"""No indeterminate value is used.

Copying is not use: whole areas, and single bytes read as `unsigned char` (C17 6.2.6.1).
"""

from __future__ import annotations

from precis.ir.instr import Load, Step
from precis.ir.obligation import InitialisedMemory, Obligation
from precis.ir.program import Program
from precis.ir.types import U8, scalar_bytes


def before_step(program: Program, step: Step) -> tuple[Obligation, ...]:
    if not isinstance(step, Load) or (step.type == U8 and step.bits is None):
        return ()
    size = step.bits.bytes if step.bits else scalar_bytes(step.type, program.model)
    return (InitialisedMemory(step.address, size, step.bits),)

"""The blocks that exist before a run starts: globals, literals, procedures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from precis.interp import bulk
from precis.interp.memory import Block, settle
from precis.interp.terms import Terms
from precis.ir.instr import BlockKind
from precis.ir.program import Global, Piece

if TYPE_CHECKING:
    from precis.interp.machine import Machine

STREAMS = {"stdin": 0, "stdout": 1, "stderr": 2}


def make_statics(machine: Machine) -> list[Block]:
    """Make them all, then fill the globals, whose pieces may hold addresses of any."""
    program, compiler, memory = machine.program, machine.compiler, machine.memory
    for name in (*program.procedures, *program.externals):
        place = program.procedures.get(name) or program.externals[name]
        block = memory.make_zero(BlockKind.CODE, 0, place.at)
        block.limit = -1
        block.r = block.rb = block.w = -1
        block.name = block.procedure = name
        compiler.add_block("code", name, block)
    blocks = []
    for name, variable in program.globals.items():
        block = memory.make_zero(variable.kind, variable.size, variable.at, variable.align)
        block.name = name
        block.type = variable.type
        compiler.add_block("global", name, block)
        blocks.append(block)
    for name, variable in program.globals.items():
        _fill(machine, compiler.block("global", name), variable)
    return blocks


def _fill(machine: Machine, block: Block, variable: Global) -> None:
    for piece in variable.pieces:
        _put(machine, block, piece)
    if variable.external and variable.name in STREAMS:
        stream = machine.memory.make_zero(BlockKind.GLOBAL, 1, variable.at)
        stream.name = variable.name
        stream.data[0] = STREAMS[variable.name]
        block.ptrs[0] = (stream, 0)
    elif variable.external:
        block.mask = bytearray(block.size)
        block.missing = block.size
    block.writable = not variable.constant
    settle(block, machine.memory.exposing)


def _put(machine: Machine, block: Block, piece: Piece) -> None:
    if isinstance(piece.value, bytes):
        bulk.write(machine.memory, (block, piece.offset), piece.value)
        return
    terms = Terms(machine.compiler)
    text = terms.value(piece.value)
    scope: dict[str, object] = {}
    exec("\n".join([*terms.before, f"result = {text}"]), machine.compiler.namespace, scope)
    if piece.bits is not None:
        store = machine.cells.store_bits(piece.bits)
    else:
        store = machine.cells.storer(piece.value.type)
    store(block, piece.offset, scope["result"])  # type: ignore[arg-type]

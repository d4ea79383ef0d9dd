"""The blocks that exist before a run starts: globals, literals, procedures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from precis.interp.memory import Block, settle
from precis.ir.instr import BlockKind
from precis.ir.program import Global, Piece

if TYPE_CHECKING:
    from precis.interp.machine import Machine

STREAMS = {"stdin": 0, "stdout": 1, "stderr": 2}


def make_code(machine: Machine, name: str) -> Block:
    """The block of a procedure or external, for one whose address is used."""
    program = machine.program
    place = program.procedures.get(name) or program.externals[name]
    return machine.memory.make_code(machine.shared.numbers[name], name, place.at)


def make_statics(machine: Machine) -> list[Block]:
    """Make all globals, then fill them: their pieces may hold addresses of any."""
    program, compiler, memory = machine.program, machine.compiler, machine.memory
    blocks = []
    for name, variable in program.globals.items():
        block = memory.make_zero(variable.kind, variable.size, variable.at, variable.align)
        block.name = name
        block.type = variable.type
        compiler.add_block("global", name, block)
        blocks.append(block)
    for block, variable in zip(blocks, program.globals.values(), strict=True):
        _fill(machine, block, variable)
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
        block.data[piece.offset : piece.offset + len(piece.value)] = piece.value
        return
    if piece.bits is not None:
        store = machine.cells.store_bits(piece.bits)
    else:
        store = machine.cells.storer(piece.value.type)
    store(block, piece.offset, machine.compiler.evaluated(piece.value))

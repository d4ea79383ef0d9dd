"""Every access lies in one live block, every free is of a live heap block or null."""

from __future__ import annotations

from precis.ir.instr import Call, Copy, Fill, Free, Load, Step, Store
from precis.ir.obligation import Obligation, ValidCall, ValidFree, ValidRead, ValidWrite
from precis.ir.primitives import READ, WRITE
from precis.ir.program import Program
from precis.ir.types import BitRange, Type, scalar_bytes
from precis.ir.values import Term, const


def before_step(program: Program, step: Step) -> tuple[Obligation, ...]:
    match step:
        case Load(address=address, type=type_, bits=bits):
            return (ValidRead(address, _size(program, type_, bits)),)
        case Store(address=address, value=value, bits=bits):
            return (ValidWrite(address, _size(program, value.type, bits)),)
        case Copy(target=target, source=source, size=size):
            return (ValidRead(source, size), ValidWrite(target, size))
        case Fill(address=address, size=size):
            return (ValidWrite(address, size),)
        case Free(address=address):
            return (ValidFree(address),)
        case Call(function=function, arguments=(_, place, size)) if _name(function) == WRITE:
            return (ValidRead(place, size),)
        case Call(function=function, arguments=(_, place, size)) if _name(function) == READ:
            return (ValidWrite(place, size),)
        case Call(function=function, arguments=arguments):
            known = _is_known(program, function, len(arguments))
            return () if known else (ValidCall(function),)
        case _:
            return ()


def _name(function: Term) -> str:
    return str(function.data) if function.op == "function" else ""


def _size(program: Program, type_: Type, bits: BitRange | None) -> Term:
    size = bits.bytes if bits else scalar_bytes(type_, program.model)
    return const(program.model.word, size)


def _is_known(program: Program, function: Term, arguments: int) -> bool:
    """A call by name with the right number of arguments needs no check."""
    if function.op != "function":
        return False
    procedure = program.procedures.get(str(function.data))
    return procedure is None or len(procedure.parameters) == arguments

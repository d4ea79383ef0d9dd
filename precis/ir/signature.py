"""What a function type means for the variables and arguments of calls.

Types stay as the source has them; how records and extra arguments are passed (see instr.Call)
is worked out here.
"""

from __future__ import annotations

from dataclasses import dataclass

from precis.ir.instr import Call
from precis.ir.procedure import Procedure
from precis.ir.types import VOID, VOID_POINTER, Function, Pointer, Record, Type, Void


@dataclass(frozen=True, slots=True)
class Signature:
    """The types of what is passed, hidden ones included, and of the value that comes back."""

    parameters: tuple[Type, ...]
    result: Type  # a scalar, or Void


def signature(function: Function) -> Signature:
    result = function.result
    parameters = [Pointer(t) if isinstance(t, Record) else t for t in function.parameters]
    if isinstance(result, Record):
        parameters.insert(0, Pointer(result))
        result = VOID
    if function.variadic:
        parameters.append(VOID_POINTER)
    return Signature(tuple(parameters), result)


def fits(callee: Procedure, call: Call) -> bool:
    """Does the procedure take arguments of these kinds, and give a value if one is used?"""
    if len(callee.parameters) != len(call.arguments):
        return False
    if call.target is not None and isinstance(signature(callee.type).result, Void):
        return False
    return all(
        type(callee.variables[p].type) is type(argument.type)
        for p, argument in zip(callee.parameters, call.arguments, strict=True)
    )

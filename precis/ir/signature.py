"""What a function type means for the variables and arguments of calls.

Types stay as the source has them; how records and extra arguments are passed (see instr.Call)
is worked out here.
"""

from __future__ import annotations

from dataclasses import dataclass

from precis.ir.types import VOID, VOID_POINTER, Function, Pointer, Record, Type


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

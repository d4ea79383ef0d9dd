"""The typing rules of terms, as `values` documents them."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Sequence

from precis.ir.notation import ARITY, type_text
from precis.ir.procedure import Procedure
from precis.ir.program import Program
from precis.ir.types import (
    LOGIC,
    BitRange,
    DataModel,
    Float,
    Int,
    Logic,
    Pointer,
    Type,
    is_scalar,
)
from precis.ir.values import ARITHMETIC, COMPARISONS, LEAVES, Term

_ON_FLOATS_TOO = ("add", "sub", "mul", "div")


def agree(x: Type, y: Type) -> bool:
    """May a value of one type stand where the other is asked for? Pointers convert freely."""
    return x == y or (isinstance(x, Pointer) and isinstance(y, Pointer))


def typing_fault(term: Term, program: Program, procedure: Procedure | None) -> str:
    """What is wrong with a term whose arguments are right; empty if nothing is.

    Outside of all procedures there are no variables and no objects.
    """
    if term.op in LEAVES:
        if term.args:
            return f"{term.op} takes no arguments"
        return _leaf_fault(term, program, procedure)
    if term.op == "offset":
        if not isinstance(term.data, int):
            return f"offset with data {term.data!a}"
    elif term.data is not None:
        return f"{term.op} carries no data"
    if len(term.args) != ARITY[term.op]:
        return f"{term.op} takes {ARITY[term.op]} arguments, not {len(term.args)}"
    if _is_well_typed(term, program.model):
        return ""
    types = ", ".join(type_text(arg.type) for arg in term.args)
    return f"{term.op} of {types} does not give {type_text(term.type)}"


def _is_well_typed(term: Term, model: DataModel) -> bool:
    types = [arg.type for arg in term.args]
    x = types[0]
    if term.op in ARITHMETIC or term.op in ("neg", "bnot"):
        numeric = Int | Float if term.op in (*_ON_FLOATS_TOO, "neg") else Int
        return isinstance(x, numeric) and all(type_ == term.type for type_ in types)
    if term.op in COMPARISONS:
        return is_scalar(x) and agree(x, types[1]) and term.type == LOGIC
    if term.op in ("not", "and", "or"):
        return all(type_ == LOGIC for type_ in (*types, term.type))
    match term.op:
        case "shl" | "shr":
            return isinstance(x, Int) and isinstance(types[1], Int) and term.type == x
        case "ite":
            value = types[1] == LOGIC or is_scalar(types[1])
            return x == LOGIC and value and agree(types[1], types[2]) and term.type == types[1]
        case "cast":
            return _converts(x, term.type)
        case "offset":
            plain = term.args[1].op != "const" or term.data == 1
            return isinstance(x, Pointer) and types[1] == model.word and term.type == x and plain
        case "diff":
            return all(isinstance(t, Pointer) for t in types) and term.type == model.word
        case _:
            return False


def bits_faults(bits: BitRange, type_: Type) -> Iterator[str]:
    if not isinstance(type_, Int):
        yield f"a bit-field of type {type_text(type_)}"
    elif not (0 <= bits.shift <= 7 and 1 <= bits.width <= type_.bits):
        yield f"bits {bits.shift} + {bits.width} of {type_text(type_)}"


def _converts(source: Type, target: Type) -> bool:
    """C17 6.5.4: every scalar to every other, but never a pointer from or to a float."""
    if not is_scalar(target) or not (is_scalar(source) or isinstance(source, Logic)):
        return False
    kinds = {type(source), type(target)}
    return kinds != {Pointer, Float} and kinds != {Pointer, Logic}


def _leaf_fault(term: Term, program: Program, procedure: Procedure | None) -> str:
    match term.op, term.data:
        case "const", int(value):
            return _constant_fault(value, term.type, program.model)
        case "real", float(value):
            return _real_fault(value, term.type)
        case "undef", None:
            return "" if is_scalar(term.type) else f"undef of type {type_text(term.type)}"
        case "var", int(index):
            if procedure is None or not _is_index(index, procedure.variables):
                return f"no variable has the number {index}"
            declared = procedure.variables[index].type
            wrong = f"%{index} is {type_text(declared)}, not {type_text(term.type)}"
            return "" if term.type == declared else wrong
        case "local", int(index):
            if procedure is None or not _is_index(index, procedure.objects):
                return f"no object has the number {index}"
        case "global", str(name):
            if name not in program.globals:
                return f"no global is called {name!a}"
        case "function", str(name):
            if name not in program.procedures and name not in program.externals:
                return f"no procedure is called {name!a}"
        case _:
            return f"{term.op} with data {term.data!a}"
    if not isinstance(term.type, Pointer):
        return f"an address of type {type_text(term.type)}"
    return ""


def _is_index(index: int, row: Sequence[object]) -> bool:
    return 0 <= index < len(row)


def _constant_fault(value: int, type_: Type, model: DataModel) -> str:
    match type_:
        case Int():
            fits = type_.low <= value <= type_.high
        case Pointer():
            fits = 0 <= value < 1 << (8 * model.pointer_bytes)
        case Logic():
            fits = value in (0, 1)
        case _:
            fits = False
    return "" if fits else f"{value} is not a value of {type_text(type_)}"


def _real_fault(value: float, type_: Type) -> str:
    if not isinstance(type_, Float):
        return f"a real of type {type_text(type_)}"
    if type_.bits == 32 and math.isfinite(value):
        try:
            (single,) = struct.unpack("f", struct.pack("f", value))
        except OverflowError:
            single = math.inf
        if single != value:
            return f"{value!r} is not a value of f32"
    return ""

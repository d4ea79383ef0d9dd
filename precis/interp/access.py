"""Loads and stores -> statements.

While a block's limit says so, an access is one call of `struct` on its bytes; else one of the
functions of cells.py does it, and finds what is wrong with it. Those functions check bounds
themselves, so a check in front of an access that asks for the same need not be written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from precis.interp.cells import FORMATS, Loader, Reading, Storer
from precis.interp.terms import Terms
from precis.ir.instr import Call, Check, Copy, End, Fill, Free, Load, Step, Store
from precis.ir.obligation import (
    InitialisedMemory,
    Obligation,
    ValidCall,
    ValidFree,
    ValidRead,
    ValidWrite,
)
from precis.ir.types import DataModel, Float, Int, Pointer, Type, scalar_bytes
from precis.ir.values import Term

FRAGILE: Final = frozenset({"var", "ite"})  # terms that can hand on a piece of a pointer


class Accesses(Protocol):
    """Names of the functions that do an access in full."""

    def constant(self, key: object, value: object) -> str: ...

    def loader(self, step: Load, reading: Reading) -> str: ...

    def storer(self, step: Store) -> str: ...


def load_value(step: Load, reading: Reading, terms: Terms, names: Accesses) -> str:
    """An expression for the value read."""
    block, offset = terms.spot(step.address)
    slow = f"{names.loader(step, reading)}({block}, {offset})"
    if step.bits is not None or _is_wide(step.type):
        return slow
    if isinstance(step.type, Pointer):
        return f"{block}.ptrs.get({offset}) or {slow}"
    if isinstance(step.type, Int) and step.type.bits == 8:
        test = _within(offset, 1, f"{block}.rb")
        return f"{_byte(step.type, block, offset, terms)} if {test} else {slow}"
    code, size = _format(step.type)
    test = _within(offset, size, f"{block}.r")
    return f"UNPACK_{code}({block}.data, {offset})[0] if {test} else {slow}"


def store_lines(step: Store, terms: Terms, names: Accesses) -> list[tuple[str, list[str]]]:
    """Statements: a head with the lines below it, or a single line with none."""
    value = terms.atom(step.value)
    block, offset = terms.spot(step.address)
    slow = f"{names.storer(step)}({block}, {offset}, {value})"
    type_ = step.value.type
    if step.bits is not None or _is_wide(type_) or isinstance(type_, Pointer):
        return [(slow, [])]
    code, size = _format(type_)
    test = _within(offset, size, f"{block}.w")
    if isinstance(type_, Int) and type_.bits == 8:
        if step.value.op in FRAGILE or step.value.op == "cast":
            test += f" and {value}.__class__ is int"
        byte = value if not type_.signed else f"{value} & 255"
        quick = f"{block}.data[{offset}] = {byte}"
    else:
        quick = f"PACK_{code}({block}.data, {offset}, {value})"
    return [(f"if {test}:", [quick]), ("else:", [slow])]


def _is_wide(type_: Type) -> bool:
    """128-bit integers and long doubles are never accessed in one go."""
    return isinstance(type_, Int | Float) and (type_.bits > 64)


def _format(type_: Type) -> tuple[str, int]:
    assert isinstance(type_, Int | Float)
    return FORMATS[type_], type_.bits // 8


def _within(offset: str, size: int, limit: str) -> str:
    if offset.isdigit():
        return f"{limit} >= {int(offset) + size}"
    return f"0 <= {offset} <= {limit} - {size}"


def _byte(type_: Int, block: str, offset: str, terms: Terms) -> str:
    if not type_.signed:
        return f"{block}.data[{offset}]"
    name = terms.fresh()
    return f"({name} if ({name} := {block}.data[{offset}]) < 128 else {name} - 256)"


def implied(check: Check, step: Step | End, model: DataModel) -> bool:
    """Does the step itself test the obligation in front of it?"""
    obligation = check.obligation
    match step:
        case Load(address=address):
            return _implied_by_load(obligation, step, model)
        case Store(address=address, value=value, bits=bits):
            size = bits.bytes if bits else scalar_bytes(value.type, model)
            return _is(obligation, ValidWrite, address, size)
        case Copy(target=target, source=source, size=amount):
            match obligation:
                case ValidRead():
                    return obligation.address is source and obligation.size is amount
                case ValidWrite():
                    return obligation.address is target and obligation.size is amount
            return False
        case Fill(address=address, size=amount):
            match obligation:
                case ValidWrite():
                    return obligation.address is address and obligation.size is amount
            return False
        case Free(address=address):
            return isinstance(obligation, ValidFree) and obligation.address is address
        case Call(function=function):
            return isinstance(obligation, ValidCall) and obligation.function is function
        case _:
            return False


def _implied_by_load(obligation: Obligation, step: Load, model: DataModel) -> bool:
    size = step.bits.bytes if step.bits else scalar_bytes(step.type, model)
    if isinstance(obligation, InitialisedMemory):
        return is_of_load(obligation, step)
    return _is(obligation, ValidRead, step.address, size)


def is_of_load(obligation: Obligation, step: Load) -> bool:
    """Is it the obligation that what the step loads is initialised?"""
    return (
        isinstance(obligation, InitialisedMemory)
        and obligation.address is step.address
        and obligation.bits == step.bits
    )


def _is(
    obligation: Obligation, kind: type[ValidRead] | type[ValidWrite], address: Term, size: int
) -> bool:
    if not isinstance(obligation, kind):
        return False
    amount = obligation.size
    return obligation.address is address and amount.op == "const" and amount.data == size


LoaderMaker = Callable[[Load, Reading], Loader]
StorerMaker = Callable[[Store], Storer]

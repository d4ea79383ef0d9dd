"""What every front end and pass promises of a program.

Names and numbers refer to what is there; terms are typed as `values` says and steps as `instr`
does; the layouts of memory fit. Pointers of different targets count as one type. Nothing is
said about what a run does: a well-formed program may still go wrong.

welltyped.py         terms
wellformed_steps.py  the bodies of procedures
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from precis.ir.instr import BlockKind
from precis.ir.notation import name_text, type_text
from precis.ir.procedure import LocalObject, Procedure
from precis.ir.program import Global, Piece, Program
from precis.ir.signature import signature
from precis.ir.types import (
    Array,
    BitRange,
    DataModel,
    Field,
    Float,
    Function,
    Int,
    Layout,
    Logic,
    Pointer,
    Record,
    Type,
    Void,
    is_scalar,
    scalar_bytes,
)
from precis.ir.values import subterms
from precis.ir.wellformed_steps import body_faults
from precis.ir.welltyped import agree, bits_faults, typing_fault

_INT_BITS = (8, 16, 32, 64, 128)
_FLOAT_BITS = (32, 64, 80)


def violations(program: Program) -> tuple[str, ...]:
    """The promises that the program breaks, in its own order."""
    return tuple(_violations(program))


def _violations(program: Program) -> Iterator[str]:
    yield from _named(program)
    for layout in program.records.values():
        where = f"record {name_text(layout.name)}"
        yield from (f"{where}: {fault}" for fault in _record_faults(layout, program))
    for global_ in program.globals.values():
        where = f"global {name_text(global_.name)}"
        yield from (f"{where}: {fault}" for fault in _global_faults(global_, program))
    for external in program.externals.values():
        where = f"external {name_text(external.name)}"
        yield from (f"{where}: {fault}" for fault in _type_faults(external.type, program))
    for procedure in program.procedures.values():
        where = f"procedure {name_text(procedure.name)}"
        yield from (f"{where}: {fault}" for fault in _procedure_faults(procedure, program))


def _named(program: Program) -> Iterator[str]:
    """Everything stands under its own name, and a name means one thing."""
    seen: set[str] = set()
    for kind, items in (
        ("global", program.globals),
        ("external", program.externals),
        ("procedure", program.procedures),
    ):
        for name, item in items.items():
            if item.name != name:
                yield f"{kind} {name_text(item.name)} stands under the name {name_text(name)}"
            if name in seen:
                yield f"{kind} {name_text(name)}: the name has another meaning already"
            seen.add(name)
    for name, layout in program.records.items():
        if layout.name != name:
            yield f"record {name_text(layout.name)} stands under the name {name_text(name)}"
    if program.entry and program.entry not in program.procedures:
        yield f"the entry {name_text(program.entry)} is not a procedure"


# Types and layouts


def _type_faults(root: Type, program: Program) -> Iterator[str]:
    work = [root]
    while work:
        type_ = work.pop()
        match type_:
            case Int(bits=bits) if bits not in _INT_BITS:
                yield f"no integer has {bits} bits"
            case Float(bits=bits) if bits not in _FLOAT_BITS:
                yield f"no float has {bits} bits"
            case Pointer(target=target):
                work.append(target)
                if isinstance(target, Logic):
                    yield "a pointer to logic"
            case Array(element=element, count=count):
                work.append(element)
                if not _is_stored(element) or (count is not None and count < 0):
                    yield f"no array is {type_text(type_)}"
            case Record(name=name) if name not in program.records:
                yield f"no record is called {name_text(name)}"
            case Function(result=result, parameters=parameters):
                work += [result, *parameters]
                if not (_is_passed(result) or isinstance(result, Void)):
                    yield f"no function gives {type_text(result)}"
                yield from (
                    f"no function takes {type_text(t)}" for t in parameters if not _is_passed(t)
                )


def _is_stored(type_: Type) -> bool:
    """Can memory hold values of the type?"""
    return is_scalar(type_) or isinstance(type_, Array | Record)


def _is_passed(type_: Type) -> bool:
    return is_scalar(type_) or isinstance(type_, Record)


def size_of(type_: Type, program: Program) -> int:
    """The bytes of a stored type; those of unknown length count as none."""
    count = 1
    while isinstance(type_, Array):
        count *= type_.count or 0
        type_ = type_.element
    if isinstance(type_, Record):
        layout = program.records.get(type_.name)
        return count * layout.size if layout else 0
    return count * scalar_bytes(type_, program.model) if is_scalar(type_) else 0


def _align_faults(align: int) -> Iterator[str]:
    if align < 1 or align & (align - 1):
        yield f"the alignment {align} is not a power of two"


def _block_faults(type_: Type, size: int | None, align: int, program: Program) -> Iterator[str]:
    """Of memory that a declaration makes."""
    yield from _type_faults(type_, program)
    yield from _align_faults(align)
    if not _is_stored(type_):
        yield f"memory of type {type_text(type_)}"
    elif size is not None and size < size_of(type_, program):
        yield f"{size} bytes do not hold {type_text(type_)}"


def _overlapping(ranges: Iterable[tuple[int, int]]) -> bool:
    """Do any of these ranges of bits, each with its end, have one in common?"""
    end = 0
    for low, high in sorted(r for r in ranges if r[0] < r[1]):
        if low < end:
            return True
        end = high
    return False


def _range(offset: int, bits: BitRange | None, size: int) -> tuple[int, int]:
    """The bits from an offset in bytes that a field or piece takes."""
    if bits is None:
        return 8 * offset, 8 * (offset + size)
    return 8 * offset + bits.shift, 8 * offset + bits.shift + bits.width


def _record_faults(layout: Layout, program: Program) -> Iterator[str]:
    yield from _align_faults(layout.align)
    ranges = []
    for field in layout.fields:
        where = f"field {name_text(field.name)}"
        yield from (f"{where}: {fault}" for fault in _field_faults(field, program))
        taken = _range(field.offset, field.bits, size_of(field.type, program))
        ranges.append(taken)
        if not 0 <= taken[0] <= taken[1] <= 8 * layout.size:
            yield f"{where} lies outside of the {layout.size} bytes"
    if not layout.union and _overlapping(ranges):
        yield "fields overlap"


def _field_faults(field: Field, program: Program) -> Iterator[str]:
    yield from _type_faults(field.type, program)
    if not _is_stored(field.type):
        yield f"memory of type {type_text(field.type)}"
    if field.bits is not None:
        yield from bits_faults(field.bits, field.type)


# Globals


def _global_faults(global_: Global, program: Program) -> Iterator[str]:
    yield from _block_faults(global_.type, global_.size, global_.align, program)
    if global_.kind not in (BlockKind.GLOBAL, BlockKind.LITERAL):
        yield f"a global of kind {global_.kind.value}"
    if global_.external and global_.pieces:
        yield "is defined elsewhere, and has pieces"
    ranges = []
    for piece in global_.pieces:
        where = f"piece at {piece.offset}"
        yield from (f"{where}: {fault}" for fault in _piece_faults(piece, program))
        taken = _range(piece.offset, piece.bits, _piece_bytes(piece, program.model))
        ranges.append(taken)
        if not 0 <= taken[0] <= taken[1] <= 8 * global_.size:
            yield f"{where} lies outside of the {global_.size} bytes"
    if _overlapping(ranges):
        yield "pieces overlap"


def _piece_bytes(piece: Piece, model: DataModel) -> int:
    if isinstance(piece.value, bytes):
        return len(piece.value)
    return scalar_bytes(piece.value.type, model) if is_scalar(piece.value.type) else 0


def _piece_faults(piece: Piece, program: Program) -> Iterator[str]:
    value = piece.value
    if isinstance(value, bytes):
        if piece.bits is not None:
            yield "a bit-field of plain bytes"
        return
    if not is_scalar(value.type):
        yield f"a value of type {type_text(value.type)}"
    if piece.bits is not None:
        yield from bits_faults(piece.bits, value.type)
    for node in subterms(value):
        if node.op == "undef":
            yield "undef is not a constant"
        if fault := typing_fault(node, program, None):
            yield fault
            return


# Procedures


def _procedure_faults(procedure: Procedure, program: Program) -> Iterator[str]:
    yield from _type_faults(procedure.type, program)
    for index, variable in enumerate(procedure.variables):
        yield from (f"%{index}: {fault}" for fault in _type_faults(variable.type, program))
        if not is_scalar(variable.type):
            yield f"%{index}: a variable of type {type_text(variable.type)}"
    for index, object_ in enumerate(procedure.objects):
        yield from (f"&{index}: {fault}" for fault in _object_faults(object_, program))
    yield from _parameter_faults(procedure)
    if not procedure.blocks:
        yield "has no blocks"
    yield from body_faults(procedure, program)


def _object_faults(object_: LocalObject, program: Program) -> Iterator[str]:
    yield from _block_faults(object_.type, object_.size, object_.align, program)
    if object_.size is not None and object_.size < 0:
        yield f"a size of {object_.size} bytes"


def _parameter_faults(procedure: Procedure) -> Iterator[str]:
    asked = signature(procedure.type).parameters
    given = procedure.parameters
    if len(given) != len(asked):
        yield f"{len(given)} parameters where the type asks for {len(asked)}"
    if len(set(given)) != len(given):
        yield "two parameters are one variable"
    for index, type_ in zip(given, asked, strict=False):
        if not 0 <= index < len(procedure.variables):
            yield f"no variable has the number {index}"
        elif not agree(procedure.variables[index].type, type_):
            yield f"%{index} does not take {type_text(type_)}"

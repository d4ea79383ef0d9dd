"""Function definitions -> procedures."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from precis.errors import InputError
from precis.frontends.clang import (
    assembler,
    calls,
    conditions,
    expressions,
    jumps,
    operators,
    statements,
)
from precis.frontends.clang.body import Body, InMemory, InVariable, Place, Whole, stripped
from precis.frontends.clang.builtins import BUILTINS
from precis.frontends.clang.c_types import CType, Sort
from precis.frontends.clang.cursors import Node, Unit
from precis.frontends.clang.failure import INTERNAL, Unlowered
from precis.frontends.clang.kinds import Kind, Unary
from precis.frontends.clang.lengths import bind_sizes
from precis.frontends.clang.printed import for_parts, nodes_of
from precis.frontends.clang.statements import guarded, indeterminate
from precis.frontends.clang.tolerance import broken_statements
from precis.frontends.clang.types import promoted
from precis.ir.instr import Copy, Return, Unsupported
from precis.ir.location import Location
from precis.ir.procedure import Procedure
from precis.ir.types import F32, F64, I32, VOID, VOID_POINTER, Function, Type
from precis.ir.values import Term, const

for _module in (expressions, conditions, operators, calls, statements, jumps, assembler):
    _module.install()


def lower_function(whole: Whole, unit: Unit, node: Node, name: str) -> Procedure:
    """The procedure; `library` and `internal` are for the caller to say."""
    body = Body(whole, unit, name)
    body.root = node
    body.broken = broken_statements(unit, node)
    at = unit.place(node)
    body.addressed = frozenset(_addressed(node))
    body.for_parts = for_parts(unit, node, nodes_of(node, Kind.FOR_STMT))
    body.builder.enter(at)
    parameters: list[int] = []
    try:
        type_ = _signature(body, node)
        parameters = _parameters(body, node)
    except Unlowered as failure:
        type_ = Function(VOID, (), False)
        body.result_type = None
        body.builder.step(Unsupported(failure.reason, at))
    else:
        _lower_body(body, node.children[-1])
    _fall_off(body, node)
    jumps.resolve_indirect(body, node)
    blocks = body.builder.finish()
    return Procedure(
        name,
        type_,
        tuple(parameters),
        tuple(body.builder.variables),
        tuple(body.builder.objects),
        blocks,
        at,
    )


def _lower_body(body: Body, node: Node) -> None:
    """An error of ours costs one procedure, and says so; never the program."""
    scope, blocks = body.builder.scope, body.builder.count
    try:
        guarded(body, node)
    except (InputError, MemoryError):
        raise
    except Exception as error:
        logging.getLogger(__name__).exception("lowering of %s failed", body.name)
        body.builder.scope = scope
        reason = f"{INTERNAL} ({type(error).__name__}: {error})"
        body.builder.give_up(blocks, Unsupported(reason, body.at(node)))


def _addressed(root: Node) -> list[int]:
    """The variables that have their address taken."""
    found = []
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.kind == Kind.UNARY_OPERATOR and node.operator == Unary.ADDRESS:
            operand = stripped(node.children[0])
            if operand.kind == Kind.DECL_REF_EXPR:
                found.append(operand.target)
        waiting.extend(node.children)
    return found


def _signature(body: Body, node: Node) -> Function:
    body.result_type = node.type.inner
    parameters = [parameter.type for parameter in body.unit.parameters(node)]
    result = body.types.of(node.type.inner)
    wanted = tuple(_passed(body, node.type, parameter) for parameter in parameters)
    return Function(result, wanted, node.type.variadic)


def _passed(body: Body, function: CType, parameter: CType) -> Type:
    """As what an argument arrives: promoted, if the function was defined without prototype."""
    kind = body.types.decayed(parameter)
    if function.prototyped:
        return kind
    return F64 if kind == F32 else promoted(kind)


def _parameters(body: Body, node: Node) -> list[int]:
    builder = body.builder
    at = body.at(node)
    numbers: list[int] = []
    if node.type.inner.sort is Sort.RECORD:
        index = builder.variable("", body.pointer(node.type.inner), at)
        body.result = builder.var(index)
        numbers.append(index)
    declared = body.unit.parameters(node)
    arriving = [(child, _arrival(body, node, child)) for child in declared]
    numbers.extend(index for _, index in arriving)
    if node.type.variadic:
        index = builder.variable("", VOID_POINTER, at)
        body.extra = builder.var(index)
        numbers.append(index)
    for position, (child, index) in enumerate(arriving):
        body.bindings[child.target] = _settled(body, child, index, _adjusted(node, position))
    for child in declared:
        bind_sizes(body, child.type, child.children)
    return numbers


def _arrival(body: Body, node: Node, parameter: Node) -> int:
    """The variable that receives the argument."""
    at = body.at(parameter)
    if parameter.type.sort is Sort.RECORD:
        return body.builder.variable("", body.pointer(parameter.type), at)
    kind = _passed(body, node.type, parameter.type)
    name = "" if _needs_object(body, parameter) else parameter.name
    return body.builder.variable(name, kind, at)


def _needs_object(body: Body, parameter: Node) -> bool:
    return parameter.target in body.addressed or parameter.type.volatile


def _adjusted(function: Node, position: int) -> CType | None:
    """The type of a parameter with arrays and functions as pointers (C17 6.7.6.3), if known."""
    types = function.type.parameters if function.type.prototyped else []
    return types[position] if position < len(types) else None


def _settled(body: Body, parameter: Node, index: int, adjusted: CType | None) -> Place:
    """Where the parameter lives in the body."""
    type_, at = parameter.type, body.at(parameter)
    arrived = body.builder.var(index)
    if type_.sort is Sort.RECORD:
        place = _object(body, parameter, body.types.of(type_), type_.size, type_.align)
        size = body.size_of(type_)
        body.builder.step(Copy(place.address, arrived, size, at))
        return place
    kind = body.types.decayed(type_)
    if _needs_object(body, parameter):
        if not type_.is_scalar:
            if adjusted is None:
                raise Unlowered("address of a parameter of array type")
            type_ = adjusted
        place = InMemory(_object(body, parameter, kind, type_.size, type_.align).address, type_)
        body.store(place, body.types.convert(arrived, type_), at)
        return place
    if arrived.type != kind:
        narrow = InVariable(body.builder.variable(parameter.name, kind, at), type_)
        body.store(narrow, body.types.convert(arrived, type_), at)
        return narrow
    return InVariable(index, type_)


def _object(body: Body, node: Node, kind: Type, size: int, align: int) -> InMemory:
    number = body.builder.object(node.name, kind, size, align, body.at(node))
    body.builder.declare(number)
    return InMemory(body.builder.local(number), node.type)


def _fall_off(body: Body, node: Node) -> None:
    """Control reaches the closing brace; of main that is `return 0` (C17 5.1.2.2.3)."""
    if not body.builder.is_reachable:
        return
    at = body.closing(node)
    value: Term | None = None
    result = body.result_type
    if result is not None and result.is_scalar:
        if body.name == "main":
            value = body.types.convert(const(I32, 0), result)
        else:
            value = indeterminate(body)
    body.builder.leave_to(None, at)
    body.builder.end(Return(value, at))


def builtin_procedure(whole: Whole, unit: Unit, name: str, type_: CType, at: Location) -> Procedure:
    """A function that is otherwise lowered to steps, for those who call it by its address."""
    body = Body(whole, unit, name)
    kinds = [whole.types.decayed(parameter) for parameter in type_.parameters]
    indices = [body.builder.variable("", kind, at) for kind in kinds]
    arguments: Sequence[Term] = [body.builder.var(index) for index in indices]
    value = BUILTINS[name](body, arguments, type_.inner, at)
    result = whole.types.of(type_.inner)
    if body.builder.is_reachable:
        body.builder.end(Return(None if value is None else value, at))
    return Procedure(
        name,
        Function(result, tuple(kinds), type_.variadic),
        tuple(indices),
        tuple(body.builder.variables),
        (),
        body.builder.finish(),
        at,
        library=True,
    )

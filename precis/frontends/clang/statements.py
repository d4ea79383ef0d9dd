"""Statements, and declarations inside functions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from precis.frontends.clang.body import (
    EFFECTS,
    PLACES,
    STATEMENTS,
    VALUES,
    Body,
    InMemory,
    InVariable,
    Place,
    expression_statement,
)
from precis.frontends.clang.builder import Dispatch, Scope
from precis.frontends.clang.c_types import Sort
from precis.frontends.clang.calls import call_into
from precis.frontends.clang.conditions import decide
from precis.frontends.clang.cursors import Node
from precis.frontends.clang.failure import Unlowered
from precis.frontends.clang.initialisers import initialise
from precis.frontends.clang.kinds import Kind, Storage
from precis.frontends.clang.lengths import bind_sizes
from precis.ir.instr import Call, Jump, Return, ScopeBegin, ScopeEnd, Unreachable, Unsupported
from precis.ir.types import Int
from precis.ir.values import LEAVES, Term, cast, const, global_, undef

_FIRST_EXPRESSION = 100
_FIRST_ATTRIBUTE = 400


def guarded(body: Body, node: Node) -> None:
    """Lower a statement; if it cannot be, say so in its place and go on behind it."""
    scope, borrowed = body.builder.scope, list(body.borrowed)
    breaks, agains, switches = len(body.breaks), len(body.agains), len(body.switches)
    blocks = body.builder.count
    try:
        body.statement(node)
    except Unlowered as failure:
        body.builder.scope, body.borrowed = scope, borrowed
        del body.breaks[breaks:], body.agains[agains:], body.switches[switches:]
        why = Unsupported(failure.reason, body.at(node))
        body.builder.give_up(blocks, why)
        if body.switches and _has_cases(node):
            _give_up_cases(body, why)


def _has_cases(root: Node) -> bool:
    """Does it hold a case or default of a switch around it?"""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.kind in (Kind.CASE_STMT, Kind.DEFAULT_STMT):
            return True
        if node.kind != Kind.SWITCH_STMT:
            waiting.extend(node.children)
    return False


def _give_up_cases(body: Body, why: Unsupported) -> None:
    """Some cases of the switch are lost: a value that no other case takes may be theirs."""
    here, lost = body.builder.block(), body.builder.block()
    body.builder.go_on_in(here, why.at)
    body.builder.start(lost)
    body.builder.step(why)
    body.builder.end(Unreachable(why.at))
    body.switches[-1].default.insert(0, (lost, body.builder.scope))
    body.builder.start(here)


def _compound(body: Body, node: Node) -> None:
    at = body.at(node)
    body.builder.enter(at)
    for child in node.children:
        guarded(body, child)
    body.builder.leave(body.closing(node))


def _nothing(_body: Body, _node: Node) -> None:
    """Types, typedefs and empty statements do nothing."""


def _attributed(body: Body, node: Node) -> None:
    for child in node.children:
        if _FIRST_EXPRESSION <= child.kind < 300:
            body.statement(child)


# Declarations


def _declarations(body: Body, node: Node) -> None:
    for child in node.children:
        if child.kind == Kind.VAR_DECL:
            _variable(body, child)
        elif child.kind == Kind.TYPEDEF_DECL:
            bind_sizes(body, child.type, child.children)
    body.end_borrowed(body.at(node))


def _variable(body: Body, node: Node) -> None:
    at = body.at(node)
    storage = body.unit.storage(node.cursor)
    if storage == Storage.EXTERN:
        return
    if storage == Storage.STATIC:
        name = body.whole.static_local(body.unit, node, body.name)
        body.bindings[node.target] = InMemory(global_(name, body.pointer(node.type)), node.type)
        return
    cleanup = _cleanup(body, node)
    if cleanup:
        body.addressed |= {node.target}
    initialiser = body.unit.initialiser(node)
    parts = node.children[:-1] if initialiser is not None else node.children
    bind_sizes(body, node.type, parts)
    place = _placed(body, node)
    body.bindings[node.target] = place
    if initialiser is None:
        body.forget(place, at)
    elif not (isinstance(place, InMemory) and call_into(body, place.address, initialiser)):
        initialise(body, place, initialiser, at)
    if cleanup:
        body.end_borrowed(at)
        function, type_ = body.whole.function_named(body.unit, cleanup)
        if not isinstance(place, InMemory) or len(type_.parameters) != 1:
            raise Unlowered(f"{node.name}, which {cleanup} cleans up")
        given = cast(body.types.of(type_.parameters[0]), place.address)
        body.builder.clean_up(Call(None, function, (given,), at))


_CLEANUP: Final = re.compile(r"__attribute__\(\(cleanup\((\w+)\)\)\)")


def _cleanup(body: Body, node: Node) -> str:
    """The function that is called with a variable's address where its scope ends, or nothing."""
    if all(child.kind < _FIRST_ATTRIBUTE for child in node.children):
        return ""
    found = _CLEANUP.search(body.unit.printed(node))
    return found[1] if found else ""


def _placed(body: Body, node: Node) -> Place:
    """A variable if the address is never taken, else an object of the current scope."""
    at, type_ = body.at(node), node.type
    kind = body.types.of(type_)
    if type_.is_scalar and not type_.volatile and node.target not in body.addressed:
        return InVariable(body.builder.variable(node.name, kind, at), type_)
    if type_.sort is Sort.VLA:
        size = body.size_of(type_)
        element = type_.inner
        while element.sort in (Sort.VLA, Sort.ARRAY):
            element = element.inner
        number = body.builder.object(node.name, kind, None, element.align, at)
        body.builder.declare(number)
        body.builder.step(ScopeEnd(number, at))  # a jump back may have come here again
        body.builder.step(ScopeBegin(number, at, size))
    else:
        if not type_.is_complete:
            raise Unlowered(f"variable of incomplete type {type_}")
        number = body.builder.object(node.name, kind, type_.size, type_.align, at)
        body.builder.declare(number)
    return InMemory(body.builder.local(number), type_)


# Choice


def _if(body: Body, node: Node) -> None:
    condition, *arms = node.children
    then, otherwise = decide(body, condition)
    join = body.builder.block() if len(arms) > 1 else otherwise
    body.builder.start(then)
    body.statement(arms[0])
    body.builder.end(Jump(join, body.at(node)))
    if len(arms) > 1:
        body.builder.start(otherwise)
        body.statement(arms[1])
        body.builder.end(Jump(join, body.at(node)))
    body.builder.start(join)


def _switch(body: Body, node: Node) -> None:
    at = body.at(node)
    value = body.full(node.children[0])
    if value.op not in LEAVES:
        value = body.keep(value, at)
    dispatch = Dispatch(value, body.builder.scope, at)
    body.builder.end(dispatch)
    done = body.builder.block()
    body.switches.append(dispatch)
    body.breaks.append((done, body.builder.scope))
    guarded(body, node.children[1])
    body.breaks.pop()
    body.switches.pop()
    if not dispatch.default:
        dispatch.default.append((done, body.builder.scope))
    body.builder.go_on_in(done, at)


def _case(body: Body, node: Node) -> None:
    *bounds, statement = node.children
    if not body.switches:
        raise Unlowered("case whose switch is not lowered")
    dispatch = body.switches[-1]
    kind = dispatch.value.type
    assert isinstance(kind, Int)
    values = [body.unit.evaluate(bound) for bound in bounds]
    if not all(isinstance(value, int) for value in values):
        raise Unlowered("case that is not constant")
    low, high = (kind.wrap(int(value or 0)) for value in (values[0], values[-1]))
    block = body.builder.block()
    if low <= high:
        dispatch.cases.append((low, high, block, body.builder.scope))
    body.builder.go_on_in(block, body.at(node))
    body.statement(statement)


def _default(body: Body, node: Node) -> None:
    if not body.switches:
        raise Unlowered("default whose switch is not lowered")
    block = body.builder.block()
    body.switches[-1].default.append((block, body.builder.scope))
    body.builder.go_on_in(block, body.at(node))
    body.statement(node.children[-1])


# Loops


def _turn(body: Body, node: Node, done: int, again: int) -> None:
    """The body of a loop, with where break and continue go."""
    body.breaks.append((done, body.builder.scope))
    body.agains.append((again, body.builder.scope))
    guarded(body, node)
    body.breaks.pop()
    body.agains.pop()


def _while(body: Body, node: Node) -> None:
    at = body.at(node)
    condition, statement = node.children
    head = body.builder.block()
    body.builder.go_on_in(head, at)
    turn, done = decide(body, condition)
    body.builder.start(turn)
    _turn(body, statement, done, head)
    body.builder.end(Jump(head, at))
    body.builder.start(done)


def _do(body: Body, node: Node) -> None:
    at = body.at(node)
    statement, condition = node.children
    turn, test, done = (body.builder.block() for _ in range(3))
    body.builder.go_on_in(turn, at)
    _turn(body, statement, done, test)
    body.builder.go_on_in(test, at)
    again, last = decide(body, condition)
    body.builder.start(again)
    body.builder.end(Jump(turn, at))
    body.builder.start(last)
    body.builder.go_on_in(done, at)


def _for(body: Body, node: Node) -> None:
    at = body.at(node)
    parts = body.for_parts.get(node)
    if parts is None:
        raise Unlowered("for loop whose parts libclang does not tell apart")
    given = iter(node.children)
    first, condition, last = (next(given) if is_there else None for is_there in parts)
    statement = node.children[-1]
    body.builder.enter(at)
    if first is not None:
        body.statement(first)
    head, next_turn = body.builder.block(), body.builder.block()
    body.builder.go_on_in(head, at)
    if condition is not None:
        turn, done = decide(body, condition)
        body.builder.start(turn)
    else:
        done = body.builder.block()
    _turn(body, statement, done, next_turn)
    body.builder.go_on_in(next_turn, at)
    if last is not None:
        expression_statement(body, last)
    body.builder.end(Jump(head, at))
    body.builder.start(done)
    body.builder.leave(at)


# Jumps


def _break(body: Body, node: Node) -> None:
    _leave_for(body, node, body.breaks)


def _continue(body: Body, node: Node) -> None:
    _leave_for(body, node, body.agains)


def _leave_for(body: Body, node: Node, targets: Sequence[tuple[int, Scope]]) -> None:
    if not targets:
        raise Unlowered("jump out of a statement that is not lowered")
    at = body.at(node)
    block, scope = targets[-1]
    body.builder.leave_to(scope, at)
    body.builder.end(Jump(block, at))


def _label(body: Body, node: Node) -> None:
    body.has_labels = True
    body.builder.label(node.target, body.at(node))
    body.statement(node.children[-1])


def _goto(body: Body, node: Node) -> None:
    label = node.children[0]
    body.builder.goto(label.target, label.name, body.at(node))


def _return(body: Body, node: Node) -> None:
    at = body.at(node)
    value: Term | None = None
    if node.children:
        value = _returned(body, node.children[0])
        body.end_borrowed(at)
    elif body.result_type is not None and body.result_type.is_scalar:
        value = indeterminate(body)
    body.builder.leave_to(None, at)
    body.builder.end(Return(value, at))


def indeterminate(body: Body) -> Term:
    """What a function gives back that ends without a value: using it is the error."""
    assert body.result_type is not None
    return undef(body.types.of(body.result_type))


def _returned(body: Body, node: Node) -> Term | None:
    type_ = body.result_type
    if type_ is None or type_.sort is Sort.VOID:
        body.effect(node)
        return None
    if type_.sort is Sort.RECORD:
        assert body.result is not None
        if not call_into(body, body.result, node):
            body.copy(body.result, body.address(node), type_, body.at(node))
        return None
    return body.types.convert(body.value(node), type_)


# Statements inside expressions


def _statement_expression(body: Body, node: Node) -> Term:
    """The value of the last statement, which is an expression."""
    statements, last = _opened(body, node)
    for statement in statements:
        guarded(body, statement)
    at = body.at(node)
    value = body.keep(body.value(_unlabelled(body, last)), at) if last is not None else None
    _closed(body, node)
    return const(body.types.word, 0) if value is None else value


def _statement_expression_place(body: Body, node: Node) -> Place:
    """A record is copied out before its block ends."""
    at = body.at(node)
    kind = body.types.of(node.type)
    number = body.builder.object("", kind, node.type.size, node.type.align, at)
    body.builder.step(ScopeBegin(number, at))
    statements, last = _opened(body, node)
    for statement in statements:
        guarded(body, statement)
    if last is None:
        raise Unlowered("statement expression without a value")
    address = body.address(_unlabelled(body, last))
    body.copy(body.builder.local(number), address, node.type, at)
    _closed(body, node)
    body.borrowed.append(number)
    return InMemory(body.builder.local(number), node.type)


def _statement_expression_effect(body: Body, node: Node) -> None:
    saved, body.borrowed = body.borrowed, []
    guarded(body, node.children[0])
    body.borrowed = saved


def _opened(body: Body, node: Node) -> tuple[list[Node], Node | None]:
    body.saved_borrowed.append(body.borrowed)
    body.borrowed = []
    compound = node.children[0]
    body.builder.enter(body.at(compound))
    statements = list(compound.children)
    if node.type.sort is Sort.VOID or not statements:
        return statements, None
    return statements[:-1], statements[-1]


def _unlabelled(body: Body, node: Node) -> Node:
    """The expression in the last statement of a statement expression; its labels are set."""
    while node.kind in (Kind.LABEL_STMT, Kind.UNEXPOSED_STMT):
        if node.kind == Kind.LABEL_STMT:
            body.has_labels = True
            body.builder.label(node.target, body.at(node))
        node = node.children[-1]
    return node


def _closed(body: Body, node: Node) -> None:
    at = body.at(node)
    body.end_borrowed(at)
    body.builder.leave(at)
    body.borrowed = body.saved_borrowed.pop()


def install() -> None:
    STATEMENTS.update(
        {
            Kind.COMPOUND_STMT: _compound,
            Kind.DECL_STMT: _declarations,
            Kind.NULL_STMT: _nothing,
            Kind.STATIC_ASSERT: _nothing,
            Kind.UNEXPOSED_STMT: _attributed,
            Kind.IF_STMT: _if,
            Kind.SWITCH_STMT: _switch,
            Kind.CASE_STMT: _case,
            Kind.DEFAULT_STMT: _default,
            Kind.WHILE_STMT: _while,
            Kind.DO_STMT: _do,
            Kind.FOR_STMT: _for,
            Kind.BREAK_STMT: _break,
            Kind.CONTINUE_STMT: _continue,
            Kind.LABEL_STMT: _label,
            Kind.GOTO_STMT: _goto,
            Kind.RETURN_STMT: _return,
        }
    )
    VALUES[Kind.STATEMENT_EXPR] = _statement_expression
    PLACES[Kind.STATEMENT_EXPR] = _statement_expression_place
    EFFECTS[Kind.STATEMENT_EXPR] = _statement_expression_effect

"""Types and terms of printed IR.

Terms can be nested deeper than Python calls: they are read with a stack of what is open.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, cast, get_args

from precis.frontends.text.line import Line
from precis.ir.notation import INFIX, PREFIX, implied_type, real_of_word
from precis.ir.types import (
    F64,
    I32,
    LOGIC,
    VOID,
    Array,
    DataModel,
    Float,
    Function,
    Int,
    Pointer,
    Record,
    Type,
)
from precis.ir.values import FALSE, TRUE, Data, Op, Term, term

_INFIX_OP: Final = {sign: op for op, sign in INFIX.items()}
_PREFIX_OP: Final = {sign: op for op, sign in PREFIX.items()}
_OPS: Final = frozenset(get_args(Op))
_NUMBER_TYPE: Final = re.compile(r"[iuf]\d{1,6}", re.ASCII)
_DEEPEST_TYPE: Final = 200


@dataclass(frozen=True, slots=True)
class Declared:
    """A variable or an object as its declaration names it."""

    name: str
    type: Type


@dataclass(slots=True)
class Scope:
    """What the leaves of terms refer to; `named` are the subterms that `let` lines name."""

    model: DataModel
    globals: Mapping[str, Type]
    functions: Mapping[str, Type]
    variables: Sequence[Declared] = ()
    objects: Sequence[Declared] = ()
    named: dict[int, Term] = field(default_factory=dict)


def read_type(line: Line, depth: int = 0) -> Type:
    if depth > _DEEPEST_TYPE:
        line.fail("the type is nested too deeply")
    if line.take("*"):
        return Pointer(read_type(line, depth + 1))
    if line.take("["):
        count = None if line.take("?") else line.integer()
        line.expect("x")
        element = read_type(line, depth + 1)
        line.expect("]")
        return Array(element, count)
    if line.take("{"):
        name = line.name()
        line.expect("}")
        return Record(name)
    word = line.word()
    if word == "fn":
        return _function_type(line, depth + 1)
    if word in ("void", "logic"):
        return VOID if word == "void" else LOGIC
    if _NUMBER_TYPE.fullmatch(word):
        bits = int(word[1:])
        return Float(bits) if word[0] == "f" else Int(bits, word[0] == "i")
    return line.fail(f"{word!r} is not a type")


def read_function_type(line: Line) -> Function:
    line.expect("fn")
    return _function_type(line, 1)


def _function_type(line: Line, depth: int) -> Function:
    parameters: list[Type] = []
    variadic = False
    line.expect("(")
    while not line.take(")"):
        if parameters:
            line.expect(",")
        if line.take("..."):
            variadic = True
            line.expect(")")
            break
        parameters.append(read_type(line, depth))
    line.expect("->")
    return Function(read_type(line, depth), tuple(parameters), variadic)


@dataclass(slots=True)
class _Open:
    """A term of which the end is not read yet.

    Its arguments are LISTED, or it is written with at most one sign, before its operand or
    between two; then it stands in PARENTHESES or, as the outermost or in a list, BARE.
    """

    style: _Style
    op: Op | None = None
    args: list[Term] = field(default_factory=list)
    type: Type | None = None
    data: Data = None


class _Style(Enum):
    LISTED = 1
    PARENTHESES = 2
    BARE = 3


def read_term(line: Line, scope: Scope) -> Term:
    stack = [_Open(_Style.BARE)]
    while True:
        if stack[-1].style is _Style.LISTED:
            stack.append(_Open(_Style.BARE))
        done = _operand(line, scope, stack)
        while done is not None:
            top = stack[-1]
            top.args.append(done)
            if _goes_on(line, top):
                break
            stack.pop()
            done = _built(line, scope, top)
            if not stack:
                return done


def _operand(line: Line, scope: Scope, stack: list[_Open]) -> Term | None:
    """A term without parts, or None if a term with parts begins here."""
    top = stack[-1]
    if top.op is None and line.peek() in _PREFIX_OP:
        top.op = _PREFIX_OP[line.next()]
    elif line.take("("):
        stack.append(_Open(_Style.PARENTHESES))
    elif line.take("if"):
        line.expect("(")
        stack.append(_Open(_Style.LISTED, "ite"))
    elif line.take("#"):
        raw = _raw(line)
        if line.take(")"):
            return _built(line, scope, raw)
        stack.append(raw)
    else:
        return _leaf(line, scope)
    return None


def _raw(line: Line) -> _Open:
    op = line.word()
    if op not in _OPS:
        line.fail(f"{op!r} is not an operation")
    line.expect(":")
    type_ = read_type(line)
    data: Data = None
    if line.take("{"):
        data = line.text() if line.peek().startswith('"') else _number(line)
        line.expect("}")
    line.expect("(")
    return _Open(_Style.LISTED, cast("Op", op), type=type_, data=data)


def _goes_on(line: Line, top: _Open) -> bool:
    """After an argument: is there another? If not, the term's end is read."""
    if top.style is _Style.LISTED:
        if line.take(","):
            return True
    elif top.op is None:
        if line.peek() in _INFIX_OP:
            top.op = _INFIX_OP[line.next()]
            return True
        if line.take("as"):
            top.op, top.type = "cast", read_type(line)
    elif top.op == "offset":
        top.data = line.integer() if line.take("by") else 1
    if top.style is not _Style.BARE:
        line.expect(")")
    return False


def _built(line: Line, scope: Scope, top: _Open) -> Term:
    args = tuple(top.args)
    if top.op is None:
        return args[0]
    if top.op == "ite" and top.type is None and len(args) != 3:
        line.fail("'if' takes a condition and two values")
    type_ = top.type or implied_type(top.op, args, scope.model)
    assert type_ is not None
    return term(top.op, type_, args, top.data)


def _leaf(line: Line, scope: Scope) -> Term:
    token = line.peek()
    first, is_number = token[:1], token[-1:].isdigit()
    if first == "$" and is_number:
        number = line.numbered("$", "a name of a subterm")
        return scope.named.get(number) or line.fail(f"nothing is named ${number}")
    if first == "%" and is_number:
        index, variable = read_declared(line, "%", scope.variables)
        return term("var", _type(line, variable.type if variable else None), (), index)
    if first == "&":
        return _address(line, scope)
    if first.isdecimal() or (first == "-" and is_number):
        value = _number(line)
        if isinstance(value, float):
            return term("real", _type(line, F64), (), value)
        return term("const", _type(line, I32), (), value)
    return _worded_leaf(line, scope)


def _address(line: Line, scope: Scope) -> Term:
    if not line.take("&"):
        index, object_ = read_declared(line, "&", scope.objects)
        plain = Pointer(object_.type) if object_ else None
        return term("local", _type(line, plain), (), index)
    name = line.name()
    known = scope.globals.get(name)
    return term("global", _type(line, known and Pointer(known)), (), name)


def _worded_leaf(line: Line, scope: Scope) -> Term:
    word = line.word()
    match word:
        case "true" | "false":
            return TRUE if word == "true" else FALSE
        case "null":
            return term("const", _type(line, None), (), 0)
        case "undef":
            return term("undef", _type(line, None))
        case "fn":
            name = line.name()
            known = scope.functions.get(name)
            return term("function", _type(line, known and Pointer(known)), (), name)
    value = real_of_word(word)
    if value is None:
        line.fail(f"{word!r} does not begin a term")
    return term("real", _type(line, F64), (), value)


def read_declared(
    line: Line, sign: str, declared: Sequence[Declared]
) -> tuple[int, Declared | None]:
    """The number of a variable or object; its name, if it is given, must be the declared one."""
    index = line.numbered(sign, "a variable" if sign == "%" else "an object")
    known = declared[index] if index < len(declared) else None
    if line.take("."):
        name = line.name()
        if known is None or known.name != name:
            line.fail(f"{sign}{index} is not declared with the name {name!a}")
    return index, known


def _type(line: Line, plain: Type | None) -> Type:
    """The type behind a colon, or else the plain one."""
    if line.take(":"):
        return read_type(line)
    return plain or line.fail("the type is missing")


def _number(line: Line) -> int | float:
    token = line.peek()
    if any(sign in token for sign in ".e") and token[-1:].isdecimal():
        return float(line.next())
    return line.integer()

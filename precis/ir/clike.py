"""Terms and types as messages show them: as C would write them.

What is shown is for people and does not read back: conversions of truth values are left out,
a made-up variable is `%3`, and a very large term is cut short.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from precis.ir.notation import ARITY, INFIX, PREFIX, name_text, real_text
from precis.ir.procedure import Procedure
from precis.ir.types import Array, Float, Function, Int, Logic, Pointer, Record, Type, Void
from precis.ir.values import LEAVES, Op, Term

# How tightly C's operators bind; an operand that binds less tightly gets parentheses.
_UNARY, _LOWEST = 12, 0
_BINDING: Final[Mapping[Op, int]] = {
    "mul": 11, "div": 11, "rem": 11, "add": 10, "sub": 10, "offset": 10, "diff": 10,
    "shl": 9, "shr": 9, "lt": 8, "le": 8, "eq": 7, "ne": 7,
    "band": 6, "bxor": 5, "bor": 4, "and": 3, "or": 2, "ite": 1,
}  # fmt: skip
_SIGN: Final[Mapping[Op, str]] = {**INFIX, "offset": "+", "diff": "-"}
_MOST_TERMS: Final = 100

_INTEGERS: Final = {8: "char", 16: "short", 32: "int", 64: "long long", 128: "__int128"}
_FLOATS: Final = {32: "float", 64: "double", 80: "long double"}

_Item = str | tuple[Term, int]


def print_term(term: Term, procedure: Procedure | None = None) -> str:
    """The term with the names of the procedure's variables."""
    out: list[str] = []
    work: list[_Item] = [(term, _LOWEST)]
    shown = 0
    while work:
        item = work.pop()
        if isinstance(item, str):
            out.append(item)
        elif shown >= _MOST_TERMS:
            out.append("...")
        else:
            shown += 1
            work.extend(reversed(_parts(*item, procedure)))
    return "".join(out)


def print_type(type_: Type) -> str:
    match type_:
        case Int(bits=bits, signed=signed):
            name = _INTEGERS.get(bits, f"int{bits}_t")
            if bits == 8:
                return f"{'signed' if signed else 'unsigned'} char"
            return name if signed else f"unsigned {name}"
        case Float(bits=bits):
            return _FLOATS.get(bits, f"float{bits}")
        case Pointer(target=Function() as target):
            return print_type(target).replace(" (", " (*)(", 1)
        case Pointer(target=target):
            inner = print_type(target)
            return f"{inner}*" if inner.endswith("*") else f"{inner} *"
        case Array(element=element, count=count):
            return f"{print_type(element)}[{'' if count is None else count}]"
        case Record(name=name):
            return name
        case Function(result=result, parameters=parameters, variadic=variadic):
            inside = [*map(print_type, parameters), *(["..."] if variadic else [])]
            return f"{print_type(result)} ({', '.join(inside) or 'void'})"
        case Void():
            return "void"
        case Logic():
            return "_Bool"


def _parts(term: Term, context: int, procedure: Procedure | None) -> list[_Item]:
    """The text of a term, its arguments each with how tightly its surroundings bind."""
    if term.op in LEAVES:
        return [_leaf(term, procedure)]
    args = term.args
    if len(args) != ARITY[term.op]:
        return [f"{term.op}(...)"]
    if term.op == "cast":
        if isinstance(args[0].type, Logic):
            return [(args[0], context)]
        return _wrapped([f"({print_type(term.type)})", (args[0], _UNARY)], _UNARY, context)
    if term.op in PREFIX:
        gap = " " if args[0].op in ("const", "real", term.op) else ""
        return _wrapped([PREFIX[term.op] + gap, (args[0], _UNARY)], _UNARY, context)
    binding = _BINDING[term.op]
    if term.op == "ite":
        parts: list[_Item] = [(args[0], 2), " ? ", (args[1], _LOWEST), " : ", (args[2], 1)]
        return _wrapped(parts, binding, context)
    left, right = (_operand(term, arg, binding + place) for place, arg in enumerate(args))
    scale = [f" * {term.data}"] if term.op == "offset" and term.data != 1 else []
    return _wrapped([*left, f" {_SIGN[term.op]} ", *right, *scale], binding, context)


def _operand(term: Term, arg: Term, binding: int) -> list[_Item]:
    in_bytes = term.op in ("offset", "diff") and isinstance(arg.type, Pointer)
    if in_bytes and not _points_to_bytes(arg.type):
        return ["(char *)", (arg, _UNARY)]
    if term.op == "offset" and not isinstance(arg.type, Pointer) and term.data != 1:
        return [(arg, _BINDING["mul"])]
    return [(arg, binding)]


def _points_to_bytes(type_: Type) -> bool:
    return isinstance(type_, Pointer) and isinstance(type_.target, Int) and type_.target.bits == 8


def _wrapped(parts: list[_Item], binding: int, context: int) -> list[_Item]:
    return ["(", *parts, ")"] if binding < context else parts


def _leaf(term: Term, procedure: Procedure | None) -> str:
    match term.op, term.data:
        case "const", int(value):
            if isinstance(term.type, Pointer) and value == 0:
                return "NULL"
            return str(int(value))
        case "real", float(number):
            return real_text(number)
        case "var", int(index):
            known = procedure is not None and index < len(procedure.variables)
            name = procedure.variables[index].name if procedure and known else ""
            return name_text(name) if name else f"%{index}"
        case "local", int(index):
            known = procedure is not None and index < len(procedure.objects)
            name = procedure.objects[index].name if procedure and known else ""
            return f"&{name_text(name)}" if name else f"&{index}"
        case "global", str(name):
            return f"&{name_text(name)}"
        case "function", str(name):
            return name_text(name)
        case _:
            return "an indeterminate value"

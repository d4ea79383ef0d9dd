"""Terms: pure, typed, hash-consed expressions.

A term reads variables and nothing else; it has no effect and, for given variables, one value.
The same terms serve as expressions of the IR and as formulas handed to solvers.

op            arguments, `data`, and meaning
----------------------------------------------------------------------------------------
const         data: int. A value of an integer or pointer type (0 is null), or Logic (0, 1)
real          data: float
undef         an indeterminate value of the type; only as the whole right side of an Assign, or as
              what a Return gives back (the caller must not use it)
var           data: index of a variable of the procedure
local         data: index of an object of the procedure: the address of its current block
global        data: name: the address of a global block
function      data: name: the address of a procedure
neg, bnot     -x, ~x
add sub mul   integers wrap to the width of the type, signed or not; floats round to it
div, rem      truncate towards zero; x / 0 is any value (a checked program never gets there)
shl, shr      x shifted by y, y of any integer type; shr of a signed x is arithmetic; the count
              is taken modulo the width (a checked program never relies on it)
band bor bxor on integers
eq ne lt le   on two integers, floats or pointers of one type; gives Logic. Floats: IEEE, with
              NaN unordered. Pointers: by block and offset; across blocks by address
not and or    on Logic
ite           (Logic, x, y)
cast          to `type`, from another scalar type or Logic (C17 6.3; float to integer out of
              range gives any value; pointer to integer is the address)
offset        (pointer, count), data: scale: the pointer moved by count * scale bytes. The count
              is signed and as wide as a pointer; the product is exact, it never wraps (so index
              arithmetic made by the front end brings no overflow check of its own)
diff          (pointer, pointer): their distance in bytes, for pointers into one block
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final, Literal, TypeAlias, final

from precis.ir.types import I32, LOGIC, Float, Int, Logic, Pointer, Type

Op: TypeAlias = Literal[
    "const", "real", "undef", "var", "local", "global", "function",
    "neg", "bnot", "add", "sub", "mul", "div", "rem", "shl", "shr", "band", "bor", "bxor",
    "eq", "ne", "lt", "le", "not", "and", "or", "ite", "cast", "offset", "diff",
]  # fmt: skip
Data: TypeAlias = int | float | str | None

LEAVES: Final = frozenset({"const", "real", "undef", "var", "local", "global", "function"})
ARITHMETIC: Final = frozenset({"add", "sub", "mul", "div", "rem", "band", "bor", "bxor"})
COMPARISONS: Final = frozenset({"eq", "ne", "lt", "le"})


@final
class Term:
    """An expression. Made by the functions below, never directly; equal terms are one object."""

    __slots__ = ("__weakref__", "_hash", "args", "data", "op", "type")

    op: Op
    type: Type
    args: tuple[Term, ...]
    data: Data

    def __hash__(self) -> int:
        return self._hash

    # Equality is identity: `term` never makes two equal terms.

    def __repr__(self) -> str:
        # Not the arguments' arguments: terms share and nest without bound.
        inside = [repr(self.data)] if self.data is not None else []
        return f"{self.op}({', '.join([*inside, *(f'{arg.op}..' for arg in self.args)])})"

    def __reduce__(self) -> str:
        raise TypeError("terms travel through precis.ir.codec")

    _hash: int


_table: dict[tuple[Op, Type, tuple[Term, ...], Data | bytes], Term] = {}


def term(op: Op, type_: Type, args: tuple[Term, ...] = (), data: Data = None) -> Term:
    """The one term of this form."""
    # Reals are told apart by their bits: to Python 0.0 equals -0.0, and no NaN equals itself.
    bits = struct.pack("<d", data) if op == "real" and isinstance(data, float) else data
    key = (op, type_, args, bits)
    found = _table.get(key)
    if found is None:
        found = Term.__new__(Term)
        found.op, found.type, found.args, found.data = op, type_, args, data
        found._hash = hash(key)
        _table[key] = found
    return found


def const(type_: Type, value: int) -> Term:
    return term("const", type_, (), type_.wrap(value) if isinstance(type_, Int) else value)


def real(type_: Float, value: float) -> Term:
    return term("real", type_, (), float(value))


def null(type_: Pointer) -> Term:
    return term("const", type_, (), 0)


def undef(type_: Type) -> Term:
    return term("undef", type_)


def var(index: int, type_: Type) -> Term:
    return term("var", type_, (), index)


def local(index: int, type_: Pointer) -> Term:
    return term("local", type_, (), index)


def global_(name: str, type_: Pointer) -> Term:
    return term("global", type_, (), name)


def function(name: str, type_: Pointer) -> Term:
    return term("function", type_, (), name)


TRUE: Final = term("const", LOGIC, (), 1)
FALSE: Final = term("const", LOGIC, (), 0)


def truth(value: bool) -> Term:
    return TRUE if value else FALSE


def unary(op: Literal["neg", "bnot"], x: Term) -> Term:
    if x.op == "const" and isinstance(x.type, Int):
        value = _int(x)
        folded = -value if op == "neg" else ~value
        if op == "bnot" or not x.type.signed or folded <= x.type.high:
            return const(x.type, folded)
    if op == "neg" and x.op == "real" and isinstance(x.type, Float):
        return real(x.type, -_float(x))
    return term(op, x.type, (x,))


def binary(op: Op, x: Term, y: Term) -> Term:
    """x op y for an arithmetic or shift operator, folded only where no obligation is lost."""
    if isinstance(x.type, Int) and x.op == "const" and y.op == "const":
        folded = _fold(op, x.type, _int(x), _int(y))
        if folded is not None:
            return const(x.type, folded)
    return term(op, x.type, (x, y))


def _fold(op: Op, type_: Int, a: int, b: int) -> int | None:
    """The value, or None if it overflows, or is a shift or division (their checks stay)."""
    match op:
        case "add":
            value = a + b
        case "sub":
            value = a - b
        case "mul":
            value = a * b
        case "band":
            value = a & b
        case "bor":
            value = a | b
        case "bxor":
            value = a ^ b
        case "div" | "rem" if b > 0:
            quotient = abs(a) // b if a >= 0 else -(abs(a) // b)
            value = quotient if op == "div" else a - quotient * b
        case "shl" if 0 <= b < type_.bits and a >= 0:
            value = a << b
        case "shr" if 0 <= b < type_.bits:
            value = a >> b
        case _:
            return None
    if type_.signed and not type_.low <= value <= type_.high:
        return None
    return type_.wrap(value)


def compare(op: Literal["eq", "ne", "lt", "le"], x: Term, y: Term) -> Term:
    if x.op == "const" and y.op == "const" and not isinstance(x.type, Float):
        a, b = _int(x), _int(y)
        return truth({"eq": a == b, "ne": a != b, "lt": a < b, "le": a <= b}[op])
    return term(op, LOGIC, (x, y))


def not_(x: Term) -> Term:
    if x.op == "const":
        return truth(not x.data)
    if x.op == "not":
        return x.args[0]
    if x.op == "eq":
        return term("ne", LOGIC, x.args)
    if x.op == "ne":
        return term("eq", LOGIC, x.args)
    return term("not", LOGIC, (x,))


def and_(x: Term, y: Term) -> Term:
    if x.op == "const":
        return y if x.data else FALSE
    if y.op == "const":
        return x if y.data else FALSE
    return term("and", LOGIC, (x, y))


def or_(x: Term, y: Term) -> Term:
    if x.op == "const":
        return TRUE if x.data else y
    if y.op == "const":
        return TRUE if y.data else x
    return term("or", LOGIC, (x, y))


def ite(condition: Term, x: Term, y: Term) -> Term:
    if condition.op == "const":
        return x if condition.data else y
    return x if x is y else term("ite", x.type, (condition, x, y))


def cast(type_: Type, x: Term) -> Term:
    """x converted; nothing is done between equal types, and constants are folded."""
    if x.type == type_:
        return x
    if x.op == "const" and isinstance(x.type, Int | Logic):
        if isinstance(type_, Int):
            return const(type_, _int(x))
        if isinstance(type_, Float) and type_.bits != 32:
            return real(type_, float(_int(x)))
        if isinstance(type_, Pointer) and _int(x) == 0:
            return null(type_)
    if isinstance(type_, Pointer) and isinstance(x.type, Pointer):
        if x.op == "cast" and isinstance(x.args[0].type, Pointer):
            return cast(type_, x.args[0])
        if x.op in ("const", "local", "global", "function"):
            return term(x.op, type_, (), x.data)
    return term("cast", type_, (x,))


def truth_of(x: Term) -> Term:
    """The Logic that C's conditions make of a scalar: x != 0."""
    if isinstance(x.type, Logic):
        return x
    if x.op == "cast" and isinstance(x.args[0].type, Logic):
        return x.args[0]
    if isinstance(x.type, Float):
        return term("ne", LOGIC, (x, real(x.type, 0.0)))
    return compare("ne", x, const(x.type, 0))


def offset(pointer: Term, count: Term, scale: int = 1) -> Term:
    """The pointer moved by count * scale bytes; constant moves are added up, with scale 1.

    A sum too large for the count's type is left as it is: no object is that large.
    """
    if count.op != "const":
        return term("offset", pointer.type, (pointer, count), scale)
    distance = _int(count) * scale
    base = pointer
    if pointer.op == "offset" and pointer.args[1].op == "const" and pointer.data == 1:
        distance += _int(pointer.args[1])
        base = pointer.args[0]
    if isinstance(count.type, Int) and not count.type.low <= distance <= count.type.high:
        return term("offset", pointer.type, (pointer, count), scale)
    if distance == 0:
        return base
    return term("offset", pointer.type, (base, const(count.type, distance)), 1)


def diff(x: Term, y: Term, word: Int) -> Term:
    """x - y in bytes; of one pointer moved by constants, the constant."""
    (first, moved), (second, back) = _anchored(x), _anchored(y)
    if first is second and word.low <= moved - back <= word.high:
        return const(word, moved - back)
    return term("diff", word, (x, y))


def _anchored(pointer: Term) -> tuple[Term, int]:
    """A pointer, and how far from it this one is."""
    if pointer.op == "offset" and pointer.args[1].op == "const" and pointer.data == 1:
        return pointer.args[0], _int(pointer.args[1])
    return pointer, 0


def as_int(x: Term) -> Term:
    """A Logic as C's int."""
    return cast(I32, x)


def subterms(root: Term) -> Iterator[Term]:
    """Each subterm once, arguments before the terms they stand in."""
    seen: set[Term] = set()
    stack = [(root, False)]
    while stack:
        node, ready = stack.pop()
        if ready:
            yield node
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack.extend((arg, False) for arg in reversed(node.args))


def _int(x: Term) -> int:
    assert isinstance(x.data, int)
    return x.data


def _float(x: Term) -> float:
    assert isinstance(x.data, float)
    return x.data

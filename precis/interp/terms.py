"""Terms -> Python expressions.

Terms are total and have no effect, so parts of one may be computed beforehand, in statements
put into `before`, even where the result is not needed. Values computed once are kept in
`known` and `split` until a variable they depend on changes.

`bounds` follows the range of integer terms; a result is wrapped to its type only where it
could leave it.
"""

from __future__ import annotations

import math
from typing import Final, Protocol

from precis.ir.types import Float, Int, Logic, Pointer
from precis.ir.values import Term, null, subterms

OPERATORS: Final = {
    "add": "+", "sub": "-", "mul": "*", "band": "&", "bor": "|", "bxor": "^",
    "eq": "==", "ne": "!=", "lt": "<", "le": "<=",
}  # fmt: skip


class Names(Protocol):
    """What generated code can refer to besides its own variables."""

    @property
    def audits(self) -> bool:
        """Must code not depend on where blocks lie?"""

    def constant(self, key: object, value: object) -> str:
        """The name of a value; one name for one key."""

    def global_block(self, name: str) -> str: ...

    def code_block(self, name: str) -> str: ...

    @property
    def word_bits(self) -> int: ...

    def divide(self, op: str, bits: int) -> str: ...

    def to_int(self, type_: Int) -> str: ...

    def any_value(self, type_: object) -> str: ...


def variables_of(root: Term, seen: dict[Term, frozenset[int]]) -> frozenset[int]:
    """The variables a term reads."""
    if root not in seen:
        for node in subterms(root):
            if node.op == "var":
                assert isinstance(node.data, int)
                seen[node] = frozenset((node.data,))
            elif node not in seen:
                seen[node] = frozenset().union(*(seen[arg] for arg in node.args))
    return seen[root]


class Terms:
    """The expressions of one procedure."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.before: list[str] = []
        self.known: dict[Term, str] = {}
        self.split: dict[Term, tuple[str, str]] = {}
        self.unsure: int = 0  # bit i: variable i may hold no value here
        self.read_unsure: set[int] = set()  # variables read where they may hold none
        self._fresh = 0
        self._variables: dict[Term, frozenset[int]] = {}
        self._bounds: dict[Term, tuple[int, int]] = {}

    def fresh(self) -> str:
        self._fresh += 1
        return f"t{self._fresh}"

    def variables(self, root: Term) -> frozenset[int]:
        return variables_of(root, self._variables)

    def changed(self, variable: int) -> None:
        """The variable gets a new value: what was computed from the old one is void."""
        for table in (self.known, self.split):
            stale = [node for node in table if variable in self.variables(node)]
            for node in stale:
                del table[node]

    def everything_changed(self) -> None:
        self.known = {}
        self.split = {}

    def value(self, node: Term) -> str:
        """An expression for the value of the term."""
        found = self.known.get(node)
        if found is not None:
            return found
        if isinstance(node.type, Pointer) and node.op not in ("var", "ite", "undef"):
            return self._pointer(node)
        match node.op:
            case "const":
                return self._constant(node)
            case "real":
                return self._real(node)
            case "var":
                return self._variable(node)
            case "eq" | "ne" | "lt" | "le":
                return self._comparison(node)
            case "not":
                return f"(not {self.value(node.args[0])})"
            case "and" | "or":
                return f"({self.value(node.args[0])} {node.op} {self.value(node.args[1])})"
            case "ite":
                condition, x, y = map(self.value, node.args)
                return f"({x} if {condition} else {y})"
            case "cast":
                return self._cast(node)
            case "diff":
                return self._difference(node)
            case _:
                return self._arithmetic(node)

    def atom(self, node: Term) -> str:
        """As `value`, but a name or literal, so that it may be used twice."""
        text = self.value(node)
        if text.replace(".", "").replace("-", "").isalnum():
            return text
        name = self.fresh()
        self.before.append(f"{name} = {text}")
        if self._is_sure(node):
            self.known[node] = name
        return name

    def part(self, node: Term) -> None:
        """Compute a part of the next term beforehand."""
        if isinstance(node.type, Pointer) and node.op in ("offset", "cast"):
            self.split[node] = self.spot(node)
        elif node.op != "undef":
            self.known[node] = self.atom(node)

    def _is_sure(self, node: Term) -> bool:
        """Does the term have a value? One that may have none differs at each reading."""
        return not any(self.unsure >> variable & 1 for variable in self.variables(node))

    def place(self, node: Term) -> tuple[str, str]:
        """Expressions for the block and the offset of a pointer; the first is a name."""
        found = self.split.get(node)
        if found is not None:
            return found
        match node.op:
            case "local":
                return f"b{node.data}", "0"
            case "global":
                return self.names.global_block(str(node.data)), "0"
            case "function":
                return self.names.code_block(str(node.data)), "0"
            case "const" if node.data == 0:
                return "NULL", "0"
            case "offset":
                return self._moved(node)
            case "cast" if isinstance(node.args[0].type, Pointer):
                return self.place(node.args[0])
            case _:
                block, offset = self.fresh(), self.fresh()
                self.before.append(f"{block}, {offset} = {self._whole(node)}")
                if self._is_sure(node):
                    self.split[node] = block, offset
                return block, offset

    def spot(self, node: Term) -> tuple[str, str]:
        """As `place`, with the offset a name or a number, kept for later uses."""
        block, offset = self.place(node)
        if not offset.lstrip("-").isalnum():
            name = self.fresh()
            self.before.append(f"{name} = {offset}")
            offset = name
            if self._is_sure(node):
                self.split[node] = block, offset
        return block, offset

    def _moved(self, node: Term) -> tuple[str, str]:
        base, count = node.args
        scale = int(node.data or 1)
        block, offset = self.place(base)
        if count.op == "const":
            distance = int(count.data or 0) * scale
            if offset.lstrip("-").isdigit():
                return block, str(int(offset) + distance)
            return block, f"({offset} + {distance})"
        move = self.value(count) if scale == 1 else f"{self.value(count)} * {scale}"
        return block, f"({move})" if offset == "0" else f"({offset} + {move})"

    def _pointer(self, node: Term) -> str:
        if node.op == "const":
            return "NUL" if node.data == 0 else f"RESOLVE({node.data})"
        if node.op == "cast" and not isinstance(node.args[0].type, Pointer):
            return self._whole(node)
        if node.op == "cast":
            return self.value(node.args[0])
        block, offset = self.place(node)
        return f"({block}, {offset})"

    def _whole(self, node: Term) -> str:
        """A pointer that is not made of a block and an offset known here."""
        if node.op == "cast":
            mask = (1 << self.names.word_bits) - 1
            inner = node.args[0]
            if isinstance(inner.type, Logic):
                return f"RESOLVE(int({self.value(inner)}))"
            return f"RESOLVE({self.value(inner)} & {mask})"
        if node.op in ("var", "ite"):
            return self.value(node)
        return self._pointer(node)

    def _constant(self, node: Term) -> str:
        if isinstance(node.type, Logic):
            return "True" if node.data else "False"
        assert isinstance(node.data, int)
        return str(node.data) if node.data >= 0 else f"({node.data})"

    def _real(self, node: Term) -> str:
        assert isinstance(node.data, float)
        if math.isfinite(node.data):
            return f"({node.data!r})"
        return self.names.constant(("real", str(node.data)), node.data)

    def _variable(self, node: Term) -> str:
        assert isinstance(node.data, int)
        name = f"v{node.data}"
        if self.unsure >> node.data & 1:
            self.read_unsure.add(node.data)
            return f"({name} if {name} is not None else {self.names.any_value(node.type)}())"
        return name

    def _comparison(self, node: Term) -> str:
        x, y = node.args
        operator = OPERATORS[node.op]
        if not isinstance(x.type, Pointer):
            return f"({self.value(x)} {operator} {self.value(y)})"
        if self.names.audits:
            function = "APART" if node.op in ("eq", "ne") else "AHEAD"
            return f"({self._audited(function, x, y)} {operator} 0)"
        return f"({self.address(x)} {operator} {self.address(y)})"

    def _audited(self, function: str, x: Term, y: Term) -> str:
        """How far x lies behind y, by a function that ends a run that cannot tell."""
        (block, offset), (other, distance) = self.place(x), self.place(y)
        return f"{function}({block}, {offset}, {other}, {distance})"

    def address(self, pointer: Term) -> str:
        """The address as an integer, for comparisons."""
        if pointer.op == "const" and pointer.data == 0:
            return "0"
        block, offset = self.place(pointer)
        return f"{block}.base" if offset == "0" else f"{block}.base + {offset}"

    def _difference(self, node: Term) -> str:
        assert isinstance(node.type, Int)
        x, y = node.args
        raw = f"{self.address(x)} - ({self.address(y)})"
        if self.names.audits:
            raw = self._audited("AHEAD", x, y)
        return self.wrapped(f"({raw})", node.type)

    def raw(self, node: Term) -> str:
        """The mathematical value of the outermost operation of an integer term."""
        if node.op == "neg":
            return f"(-{self.value(node.args[0])})"
        x, y = map(self.value, node.args)
        return f"({x} {OPERATORS[node.op]} {y})"

    def _arithmetic(self, node: Term) -> str:
        if isinstance(node.type, Float):
            return self._float(node)
        assert isinstance(node.type, Int)
        match node.op:
            case "bnot":
                text = f"(~{self.value(node.args[0])})"
            case "shl" | "shr":
                text = self._shift(node)
            case "div" | "rem":
                text = self._division(node)
            case _:
                text = self.raw(node)
        low, high = self.raw_bounds(node)
        if node.type.low <= low and high <= node.type.high:
            return text
        return self.wrapped(text, node.type)

    def wrapped(self, text: str, type_: Int) -> str:
        mask = (1 << type_.bits) - 1
        if not type_.signed:
            return f"({text} & {mask})"
        name, half = self.fresh(), 1 << (type_.bits - 1)
        inside = f"{type_.low} <= ({name} := {text}) <= {type_.high}"
        return f"({name} if {inside} else ({name} & {mask} ^ {half}) - {half})"

    def _shift(self, node: Term) -> str:
        x, y = node.args
        assert isinstance(node.type, Int)
        operator = "<<" if node.op == "shl" else ">>"
        if y.op == "const":
            return f"({self.value(x)} {operator} {int(y.data or 0) % node.type.bits})"
        return f"({self.value(x)} {operator} ({self.value(y)} % {node.type.bits}))"

    def _division(self, node: Term) -> str:
        assert isinstance(node.type, Int)
        x, y = self.atom(node.args[0]), self.atom(node.args[1])
        operator = "//" if node.op == "div" else "%"
        low, _ = self.bounds(node.args[0])
        low_divisor, _ = self.bounds(node.args[1])
        tests = []
        if low_divisor <= 0:
            tests.append(f"{y} > 0")
        if low < 0:
            tests.append(f"{x} >= 0")
        if not tests:
            return f"({x} {operator} {y})"
        other = f"{self.names.divide(node.op, node.type.bits)}({x}, {y})"
        return f"({x} {operator} {y} if {' and '.join(tests)} else {other})"

    def _float(self, node: Term) -> str:
        if node.op == "neg":
            return f"(-{self.value(node.args[0])})"
        if node.op == "div":
            x, y = self.atom(node.args[0]), self.atom(node.args[1])
            text = f"({x} / {y} if {y} else FDIV({x}, {y}))"
        else:
            x, y = map(self.value, node.args)
            text = f"({x} {OPERATORS[node.op]} {y})"
        return f"ROUND32({text})" if node.type == Float(32) else text

    def _cast(self, node: Term) -> str:
        inner = node.args[0]
        source, target = inner.type, node.type
        if isinstance(target, Logic):
            if isinstance(source, Pointer):
                if self.names.audits:
                    return f"({self._audited('APART', inner, null(source))} != 0)"
                return f"({self.address(inner)} != 0)"
            return f"({self.value(inner)} != 0)"
        if isinstance(target, Float):
            return self._to_float(inner, target)
        assert isinstance(target, Int)
        match source:
            case Logic():
                return f"(1 if {self.value(inner)} else 0)"
            case Float():
                return f"{self.names.to_int(target)}({self.value(inner)})"
            case Pointer():
                block, offset = self.place(inner)
                return self._narrowed(f"ADDRESS({block}, {offset})", target)
            case _:
                low, high = self.bounds(inner)
                if target.low <= low and high <= target.high:
                    return self.value(inner)
                return self.wrapped(self.value(inner), target)

    def _narrowed(self, address: str, target: Int) -> str:
        """An address, which may be any integer, as a word, then as the type."""
        word = f"({address} & {(1 << self.names.word_bits) - 1})"
        return self.wrapped(word, target)

    def _to_float(self, inner: Term, target: Float) -> str:
        text = self.value(inner)
        if isinstance(inner.type, Logic):
            return f"(1.0 if {text} else 0.0)"
        if isinstance(inner.type, Float):
            return f"ROUND32({text})" if target.bits == 32 and inner.type.bits != 32 else text
        return f"TO_F32({text})" if target.bits == 32 else f"float({text})"

    def bounds(self, node: Term) -> tuple[int, int]:
        """Between what the value of an integer term lies."""
        found = self._bounds.get(node)
        if found is None:
            low, high = self.raw_bounds(node)
            type_ = node.type
            if isinstance(type_, Int) and not (type_.low <= low and high <= type_.high):
                low, high = type_.low, type_.high
            found = self._bounds[node] = low, high
        return found

    def raw_bounds(self, node: Term) -> tuple[int, int]:
        """Bounds of the outermost operation before it is wrapped."""
        type_ = node.type
        if isinstance(type_, Logic):
            return 0, 1
        assert isinstance(type_, Int)
        if node.op == "const":
            assert isinstance(node.data, int)
            return node.data, node.data
        if node.op == "ite":
            (a, b), (c, d) = self.bounds(node.args[1]), self.bounds(node.args[2])
            return min(a, c), max(b, d)
        if node.op == "cast" and isinstance(node.args[0].type, Int | Logic):
            return self.bounds(node.args[0])
        if node.op in _BOUNDED:
            ranges = [self.bounds(arg) for arg in node.args]
            return _operation_bounds(node, type_, ranges)
        return type_.low, type_.high


_BOUNDED: Final = frozenset(
    {"neg", "bnot", "add", "sub", "mul", "div", "rem", "shl", "shr", "band", "bor", "bxor"}
)


def _operation_bounds(node: Term, type_: Int, ranges: list[tuple[int, int]]) -> tuple[int, int]:
    a, b = ranges[0]
    if node.op == "neg":
        return -b, -a
    if node.op == "bnot":
        return ~b, ~a
    c, d = ranges[1]
    match node.op:
        case "add":
            return a + c, b + d
        case "sub":
            return a - d, b - c
        case "mul":
            corners = (a * c, a * d, b * c, b * d)
            return min(corners), max(corners)
        case "div" | "rem" if c > 0:
            return min(a, 0), max(b, 0)
        case "div":
            # Any value of the width for a zero divisor.
            most = max(-a, b, (1 << type_.bits) - 1)
            return -most, most
        case "rem":
            return -(1 << type_.bits), 1 << type_.bits
        case "shr":
            return min(a, 0), max(b, 0)
        case "shl":
            most = max(abs(a), abs(b)) << (d if c >= 0 and d < type_.bits else type_.bits)
            return (-most if a < 0 else 0), most
        case _:
            return _bitwise_bounds(node.op, ranges, type_)


def _bitwise_bounds(op: str, ranges: list[tuple[int, int]], type_: Int) -> tuple[int, int]:
    (a, b), (c, d) = ranges
    if op == "band" and (a >= 0 or c >= 0):
        return 0, min(high for low, high in ranges if low >= 0)
    if a >= 0 and c >= 0:
        return 0, (1 << max(b, d).bit_length()) - 1
    return type_.low, type_.high

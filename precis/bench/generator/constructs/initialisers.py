"""Initialisers of nested types: designators, ranges, overrides, braces left out, literals.

A random type is a tree of scalars, arrays and structs. It is initialised in some way, and all its
scalars are printed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

from ..draft import Site
from ..expressions import number

_FORMATS = {
    "int": "%d", "short": "%d", "unsigned char": "%d", "long long": "%lld", "double": "%g",
    "_Bool": "%d", "unsigned": "%u",
}  # fmt: skip
_MOST_LEAVES = 30


@dataclass(frozen=True, slots=True)
class _Leaf:
    type: str


@dataclass(frozen=True, slots=True)
class _Array:
    count: int
    element: _Shape


@dataclass(frozen=True, slots=True)
class _Struct:
    tag: str
    fields: tuple[tuple[str, _Shape], ...]


_Shape = _Leaf | _Array | _Struct


def initialiser_fragment(site: Site) -> Iterator[None]:
    """An object of a random type with a random initialiser."""
    draft, dice = site.draft, site.dice
    shape = _shape(site, 3)
    while not 2 <= len(list(_leaves(shape, ""))) <= _MOST_LEAVES:
        shape = _shape(site, 3)
    name = draft.fresh("given")
    kind = dice.below(4)
    text = _Writer(site, constant=kind in (0, 2)).braced(shape)
    declared = _declared(shape, name)
    if kind == 0:
        draft.declare_global(f"static {declared} = {text};")
    elif kind == 3 and isinstance(shape, _Struct):
        site.emit(f"struct {shape.tag} *{name}_p = &(struct {shape.tag}){text};")
        site.emit(f"struct {shape.tag} {name} = *{name}_p;")
    else:
        site.emit(f"{'static ' if kind == 2 else ''}{declared} = {text};")
    yield
    leaves = list(_leaves(shape, name))
    for first in range(0, len(leaves), 8):
        part = leaves[first : first + 8]
        shown = " ".join(_FORMATS[type_] for _, type_ in part)
        site.emit(f'printf("{shown}\\n", {", ".join(path for path, _ in part)});')


def _shape(site: Site, depth: int) -> _Shape:
    dice = site.dice
    match dice.below(5 if depth > 0 else 1):
        case 0:
            return _Leaf(dice.pick(tuple(_FORMATS)))
        case 1 | 2:
            return _Array(dice.between(1, 4), _shape(site, depth - 1))
        case _:
            fields = tuple((f"m{i}", _shape(site, depth - 1)) for i in range(dice.between(1, 4)))
            struct = _Struct(site.draft.fresh("nest"), fields)
            members = [f"{_declared(inner, field)};" for field, inner in fields]
            site.draft.declare_type("\n".join([f"struct {struct.tag} {{", *members, "};"]))
            return struct


def _declared(shape: _Shape, name: str) -> str:
    match shape:
        case _Leaf(type_):
            return f"{type_} {name}"
        case _Array(count, element):
            return _declared(element, f"{name}[{count}]")
        case _Struct(tag, _):
            return f"struct {tag} {name}"


def _parts(shape: _Shape) -> list[tuple[str, _Shape]]:
    """The designators of the parts of an aggregate, in order."""
    match shape:
        case _Leaf():
            return []
        case _Array(count, element):
            return [(f"[{i}]", element) for i in range(count)]
        case _Struct(_, fields):
            return [(f".{field}", inner) for field, inner in fields]


def _leaves(shape: _Shape, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(shape, _Leaf):
        yield path, shape.type
    for designator, inner in _parts(shape):
        yield from _leaves(inner, path + designator)


@final
class _Writer:
    """Writes random initialisers; constant ones for objects of static duration."""

    __slots__ = ("_constant", "_site")

    def __init__(self, site: Site, *, constant: bool) -> None:
        self._site = site
        self._constant = constant

    def braced(self, shape: _Shape) -> str:
        if isinstance(shape, _Leaf):
            return self._scalar()
        items: list[str] = []
        parts = _parts(shape)
        place = 0
        while place < len(parts) and not self._site.dice.chance(15):
            text, place = self._item(shape, parts, place)
            items.append(text)
        if items and self._site.dice.chance(25):
            items.append(self._override(parts))
        return "{" + ", ".join(items or ["0" if isinstance(parts[0][1], _Leaf) else "{0}"]) + "}"

    def _item(self, shape: _Shape, parts: list[tuple[str, _Shape]], place: int) -> tuple[str, int]:
        """The text of an item that starts at a place or behind it, and the place after it."""
        dice = self._site.dice
        kind = dice.below(100)
        if kind < 20:
            place = dice.between(place, len(parts) - 1)
            designator, inner = parts[place]
            return f"{designator} = {self._value(inner)}", place + 1
        if kind < 30 and isinstance(shape, _Array):
            last = dice.between(place, len(parts) - 1)
            return f"[{place} ... {last}] = {self._repeated(shape.element)}", last + 1
        inner = parts[place][1]
        if kind < 45 and not isinstance(inner, _Leaf):
            return self._flat(inner), place + 1
        return self._value(inner), place + 1

    def _override(self, parts: list[tuple[str, _Shape]]) -> str:
        """A designator that reaches down to a scalar, which may have been initialised before."""
        dice = self._site.dice
        path, inner = dice.pick(parts)
        while not isinstance(inner, _Leaf):
            step, inner = dice.pick(_parts(inner))
            path += step
        return f"{path} = {self._scalar()}"

    def _value(self, shape: _Shape) -> str:
        text = self.braced(shape)
        if isinstance(shape, _Leaf) and self._site.dice.chance(5):
            return f"{{{text}}}"
        return text

    def _repeated(self, shape: _Shape) -> str:
        """A value for a range of places; gcc takes aggregates there only if they are constant."""
        kept, self._constant = self._constant, self._constant or not isinstance(shape, _Leaf)
        text = self._value(shape)
        self._constant = kept
        return text

    def _flat(self, shape: _Shape) -> str:
        """All scalars of an aggregate, without its braces."""
        return ", ".join(self._scalar() for _ in _leaves(shape, ""))

    def _scalar(self) -> str:
        dice = self._site.dice
        if self._constant or dice.chance(60):
            return str(dice.between(0, 99))
        return number(self._site, 0, 99, 1)


def literal_fragment(site: Site) -> Iterator[None]:
    """Compound literals: arrays, records, their addresses, in loops and as arguments."""
    draft, dice = site.draft, site.dice
    names = {
        "P": draft.fresh("pt"), "sum": draft.fresh("sum_of"), "far": draft.fresh("far_of"),
        "s": draft.fresh("lit_sum"), "p": draft.fresh("litp"), "i": draft.fresh("i"),
        "g": draft.fresh("fixed"), "q": draft.fresh("litq"), "n": str(dice.between(2, 4)),
    }  # fmt: skip
    draft.declare_type("struct $P {\nint x, y;\nconst char *tag;\n};", **names)
    draft.declare_global("static int *$g = (int[]){3, 1, 4, 1, 5};", **names)
    draft.define(
        """
        static int $sum(const int *a, int n) {
        return n ? a[n - 1] + $sum(a, n - 1) : 0;
        }
        """,
        **names,
    )
    draft.define(
        "static int $far(struct $P p, struct $P *q) {\nreturn q->x++ - p.x + p.y;\n}", **names
    )
    site.emit(
        """
        int $s = $sum((int[]){$e, 2, [4] = $f}, 5) + $sum($g, 5);
        $s += $far((struct $P){.y = $e}, &(struct $P){1, 2, "two"});
        for (int $i = 0; $i < $n; $i++) {
        struct $P *$p = &(struct $P){.x = $i};
        $p->x += 10;
        $s += $p->x + $p->y;
        $g[$i]++;
        }
        printf("$s %d %d\\n", $s, $g[1]);
        """,
        e=number(site, 0, 50), f=number(site, 0, 50), **names,
    )  # fmt: skip
    site.result(names["s"], -1000, 2000)
    yield
    site.emit(
        """
        char *$q = (char[]){"edit"};
        $q[0] = 'E';
        printf("%s %c %d\\n", $q, "0123456789"[$e], (int)sizeof((short[]){1, 2, 3}));
        """,
        e=number(site, 0, 9), **names,
    )  # fmt: skip


def wide_string_fragment(site: Site) -> Iterator[None]:
    """Wide and Unicode literals, and the functions for wide strings."""
    draft, dice = site.draft, site.dice
    names = {
        "w": draft.fresh("wide"), "c": draft.fresh("wcopy"), "n": draft.fresh("wlen"),
        "u": draft.fresh("utf"), "i": draft.fresh("i"), "s": draft.fresh("wsum"),
        "T": dice.pick(('L"m\\u00e9tro"', 'L"abc" L"def"', 'L"x\\x1f600y"', 'L""')),
        "V": dice.pick(("unsigned short", "__CHAR16_TYPE__")),
    }  # fmt: skip
    site.emit(
        """
        const wchar_t *$w = $T;
        wchar_t $c[12] = L"wide";
        wcscat($c, $w);
        int $n = (int)wcslen($c);
        int $s = (int)sizeof(L"four") + L'z';
        for (int $i = 0; $i < $n; $i++) {
        $s = ($s * 17 + (int)$c[$i]) % 100003;
        }
        printf("$s %d %d %d\\n", $s, $n, wcscmp($c, L"wide") > 0);
        """,
        **names,
    )
    site.result(names["n"], 4, 11)
    site.result(names["s"], 0, 200000)
    yield
    site.emit(
        """
        const $V $u[] = u"g\\u00fcn";
        printf("%d %d %d\\n", (int)(sizeof $u / sizeof *$u), $u[1], (int)U'\\U0001F600' + u8"z"[0]);
        """,
        **names,
    )

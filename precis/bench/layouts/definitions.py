"""Random definitions of structs, unions and enums, as C has them and as gcc extends it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import final

from ..generator.dice import Dice


class Model(Enum):
    """The sizes of types: those of a 64-bit or of a 32-bit x86."""

    LP64 = "LP64"
    ILP32 = "ILP32"


@dataclass(frozen=True, slots=True)
class Definition:
    """A type and its text. `places` and `bits` are paths to members, `bits` those of bit-fields."""

    name: str
    text: str
    places: tuple[str, ...] = ()
    bits: tuple[str, ...] = ()

    @property
    def is_enum(self) -> bool:
        return self.name.startswith("enum ")


@dataclass(slots=True)
class _Body:
    """Members as they are written, and the paths to them."""

    lines: list[str]
    places: list[str]
    bits: list[str]


_INTEGERS = {
    "char": 8, "signed char": 8, "unsigned char": 8, "short": 16, "unsigned short": 16,
    "int": 32, "unsigned": 32, "long long": 64, "unsigned long long": 64,
}  # fmt: skip
_LONGS = ("long", "unsigned long")
_OTHERS = ("float", "double", "long double", "void *", "char *")
_ENUMERATORS = (
    -1, 0, 1, 127, 255, -32768, 65536, 2**31 - 1, 2**31, 2**32 - 1, 2**32, -(2**31), -(2**31) - 1,
    2**63 - 1, 5, 40,
)  # fmt: skip
_ALIGNMENTS = (1, 2, 4, 8, 16, 32)
_DEEPEST = 2


@final
class Definitions:
    """Makes definitions; later ones use earlier ones."""

    def __init__(self, dice: Dice, model: Model) -> None:
        self._dice = dice
        long_bits = 64 if model is Model.LP64 else 32
        self._integers = {**_INTEGERS, **dict.fromkeys(_LONGS, long_bits), "_Bool": 1}
        self._others = [*_OTHERS]
        if model is Model.LP64:
            self._others += ["__int128", "unsigned __int128"]
        self._enum_bits: dict[str, int] = {}
        self._nestable: list[str] = []
        self._typedefs: list[str] = []
        self._count = 0

    def next(self) -> Definition:
        self._count += 1
        if self._dice.chance(12):
            return self._enum(f"enum e{self._count}")
        if self._dice.chance(8):
            return self._typedef(f"t{self._count}")
        return self._record(self._count)

    def _enum(self, name: str) -> Definition:
        dice = self._dice
        values = dice.some(_ENUMERATORS, dice.between(1, 4))
        packed = dice.pick(("", "", "", " __attribute__((packed))"))
        listed = ", ".join(f"{name[5:].upper()}_{i} = {_literal(v)}" for i, v in enumerate(values))
        # No more than this fits every enum, whatever type gcc finds for it.
        self._enum_bits[name] = 8 if packed else 32
        return Definition(name, f"{name} {{ {listed} }}{packed};")

    def _typedef(self, name: str) -> Definition:
        dice = self._dice
        type_ = dice.pick((*self._integers, "double", *self._nestable[-3:]))
        align = dice.pick(_ALIGNMENTS)
        self._typedefs.append(name)
        return Definition(name, f"typedef {type_} {name} __attribute__((aligned({align})));")

    def _record(self, number: int) -> Definition:
        dice = self._dice
        union = dice.chance(20)
        name = f"{'union' if union else 'struct'} s{number}"
        body = _Body([], [], [])
        for _ in range(dice.between(0 if dice.chance(5) else 1, 7)):
            self._member(body, f"m{len(body.lines)}_", "", 0)
        flexible = not union and bool(body.places) and dice.chance(10)
        if flexible:
            body.lines.append(f"{dice.pick(('char', 'int', 'double'))} rest[];")
            body.places.append("rest")
        text = "\n".join([f"{name} {{", *body.lines, f"}}{self._type_attribute()};"])
        if dice.chance(10):
            text = f"#pragma pack(push, {dice.pick((1, 2, 4, 8))})\n{text}\n#pragma pack(pop)"
        if not flexible:
            self._nestable.append(name)
        return Definition(name, text, tuple(body.places), tuple(body.bits))

    def _type_attribute(self) -> str:
        dice = self._dice
        align = f"aligned({dice.pick(_ALIGNMENTS)})"
        chosen = dice.pick(("", "", "", "", "packed", align, f"packed, {align}"))
        return f" __attribute__(({chosen}))" if chosen else ""

    def _member(self, body: _Body, name: str, path: str, depth: int) -> None:
        match self._dice.below(10):
            case 0 | 1 | 2 | 3:
                self._bit_field(body, name, path)
            case 4 if depth < _DEEPEST:
                self._inline(body, name, path, depth)
            case 5:
                self._array(body, name, path)
            case _:
                self._plain(body, name, path)

    def _plain(self, body: _Body, name: str, path: str) -> None:
        """Only here typedefs are used: there are no arrays of a type aligned beyond its size."""
        dice = self._dice
        aligned = self._typedefs and dice.chance(15)
        type_ = dice.pick(self._typedefs[-4:]) if aligned else self._type()
        body.lines.append(f"{type_} {name}{self._member_attribute()};")
        body.places.append(path + name)

    def _bit_field(self, body: _Body, name: str, path: str) -> None:
        """Never `aligned`: gcc and clang differ there (assumption 1)."""
        dice = self._dice
        type_ = dice.pick((*self._integers, *self._integers, *list(self._enum_bits)[-3:]))
        most = self._integers.get(type_) or self._enum_bits[type_]
        if dice.chance(15):
            width = 0 if dice.chance(50) else dice.between(1, most)
            body.lines.append(f"{type_} : {width};")
            return
        packed = " __attribute__((packed))" if dice.chance(10) else ""
        body.lines.append(f"{type_} {name} : {dice.between(1, most)}{packed};")
        body.bits.append(path + name)

    def _inline(self, body: _Body, name: str, path: str, depth: int) -> None:
        """A struct or union defined where it is a member, with a name or without."""
        dice = self._dice
        anonymous = dice.chance(60)
        inner = _Body([], [], [])
        for _ in range(dice.between(1, 3)):
            below = f"{name}{len(inner.lines)}_"
            self._member(inner, below, path if anonymous else f"{path}{name}.", depth + 1)
        head = dice.pick(("struct", "union"))
        attribute = dice.pick(("", "", " __attribute__((packed))"))
        shown = "" if anonymous else f" {name}"
        body.lines += [f"{head} {{", *inner.lines, f"}}{attribute}{shown};"]
        body.places += inner.places if anonymous else [path + name, *inner.places]
        body.bits += inner.bits

    def _array(self, body: _Body, name: str, path: str) -> None:
        dice = self._dice
        size = dice.pick(("[1]", "[3]", "[2][3]", "[5]", "[0]"))
        body.lines.append(f"{self._type()} {name}{size}{self._member_attribute()};")
        body.places.append(path + name)

    def _member_attribute(self) -> str:
        dice = self._dice
        align = f"aligned({dice.pick(_ALIGNMENTS)})"
        chosen = dice.pick(("", "", "", "", "", "packed", align, f"packed, {align}"))
        return f" __attribute__(({chosen}))" if chosen else ""

    def _type(self) -> str:
        recent = (*self._nestable[-6:], *list(self._enum_bits)[-3:])
        if recent and self._dice.chance(30):
            return self._dice.pick(recent)
        return self._dice.pick((*self._integers, *self._others))


def _literal(value: int) -> str:
    suffix = "ll" if abs(value) > 2**31 - 1 else ""
    return f"({value + 1}{suffix} - 1)" if value < 0 else f"{value}{suffix}"

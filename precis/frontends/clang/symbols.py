"""The names that a file shares with others, and which of several definitions counts.

A file's declarations of one thing are gathered (`File.declarations`) and told apart by how much
they define: nothing, a tentative variable, an inline function that other files cannot use, a
weak definition, or the one definition that C allows a program.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

from precis.errors import InputError
from precis.frontends.clang.cursors import Declaration, Unit
from precis.frontends.clang.startup import NEVER, Priorities, priorities
from precis.ir.location import Location


class Strength(IntEnum):
    """How much the declarations of a file define; of two definitions the greater one counts."""

    NONE = 0
    SPARE = 1  # gnu's `extern inline`: for its own file, if nothing else defines it
    INLINE = 2  # for its own file only (C17 6.7.4 paragraph 7)
    TENTATIVE = 3  # a variable without initialiser (C17 6.9.2)
    WEAK = 4
    STRONG = 5


@dataclass(slots=True)
class File:
    """A translation unit and what it declares, by key."""

    unit: Unit
    library: bool
    declarations: dict[int, list[Declaration]] = field(default_factory=dict)
    statics: set[str] = field(default_factory=set)  # functions with a body that only it sees
    _keys: dict[str, int] = field(default_factory=dict)

    def read(self) -> None:
        for declaration in self.unit.declarations():
            self.declarations.setdefault(declaration.key, []).append(declaration)
            self._keys.setdefault(declaration.name, declaration.key)
            if declaration.is_static and declaration.is_definition and declaration.is_function:
                self.statics.add(declaration.name)

    def key(self, name: str) -> int:
        """Of what the file declares under a name; 0 if there is nothing."""
        return self._keys.get(name, 0)

    def only_declares(self, name: str) -> bool:
        same = self.declarations.get(self.key(name))
        return same is not None and not symbol_of(self, same).is_defined

    def definitions(self) -> list[Symbol]:
        """What it defines, statics too."""
        may_define = (s for s in self.declarations.values() if _may_define(self.unit, s))
        symbols = (symbol_of(self, same) for same in may_define)
        return [symbol for symbol in symbols if symbol.is_defined]


@dataclass(frozen=True, slots=True)
class Symbol:
    """A function or variable: where it is defined or, failing that, declared.

    `name` is what linkers know it by, which an asm label can change.
    """

    name: str
    file: File
    declaration: Declaration
    strength: Strength
    attributes: Attributes

    @property
    def is_defined(self) -> bool:
        return self.strength is not Strength.NONE

    @property
    def is_own(self) -> bool:
        """Do other files not see it?"""
        return self.declaration.is_static or self.strength in (Strength.SPARE, Strength.INLINE)

    @property
    def is_always_inlined(self) -> bool:
        """Do calls in its own file run this body, whatever else defines the name? Bodies of the
        system's headers stand for the library, which has models."""
        spare = self.strength is Strength.SPARE and self.attributes.always_inline
        return spare and not self.file.unit.is_in_system_header(self.declaration.cursor)

    @property
    def at(self) -> Location:
        return self.file.unit.cursor_place(self.declaration.cursor)


@dataclass(frozen=True, slots=True)
class Attributes:
    """What gcc's attributes say of how something is linked."""

    label: str = ""
    weak: bool = False
    alias: str = ""  # it is another name of that
    is_reference: bool = False  # an alias of what may be missing, for its own file only
    always_inline: bool = False  # calls in its own file are of this body, whatever else there is
    automatic: Priorities = NEVER


_PLAIN: Final = Attributes()
_LABEL: Final = re.compile(r'\basm\("([^"]+)"\)')
_EXTERN_INLINE: Final = re.compile(r"\bextern\b.*\binline\b")
_ALIAS: Final = re.compile(r'__attribute__\(\(alias\("([^"]+)"')


def _may_define(unit: Unit, same: list[Declaration]) -> bool:
    """An alias shows in its attributes alone, which take time: not for the system's headers."""
    if same[0].is_function:
        has_one = any(declaration.is_definition for declaration in same)
    else:
        has_one = any(d.has_initialiser or not d.is_extern for d in same)
    return has_one or not all(unit.is_in_system_header(d.cursor) for d in same)


def symbol_of(file: File, same: list[Declaration]) -> Symbol:
    """Of several declarations of one thing, the one that defines it."""
    attributes = _attributes(file.unit, same)
    first = same[0]
    if first.is_function:
        bodies = [d for d in same if d.is_definition]
        emitted = [d for d in bodies if not _is_spare(file.unit, d)] if bodies else []
        strength = _of_function(same, attributes) if emitted else Strength.NONE
        if bodies and not emitted:
            strength = Strength.SPARE
        chosen = (emitted or bodies or same)[0]
    else:
        best = next((d for d in same if d.has_initialiser), None)
        strength = Strength.NONE if best is None else Strength.STRONG
        if best is None:
            best = next((d for d in reversed(same) if not d.is_extern), None)
            strength = Strength.NONE if best is None else Strength.TENTATIVE
        if best is not None and attributes.weak:
            strength = Strength.WEAK
        chosen = best or same[-1]
    if attributes.alias and not attributes.is_reference:
        strength = Strength.WEAK if attributes.weak else Strength.STRONG
    return Symbol(attributes.label or first.name, file, chosen, strength, attributes)


def _of_function(same: list[Declaration], attributes: Attributes) -> Strength:
    if attributes.weak:
        return Strength.WEAK
    if all(d.is_inline and not d.is_extern for d in same):
        return Strength.INLINE
    return Strength.STRONG


def _is_spare(unit: Unit, body: Declaration) -> bool:
    """Is it a body that gcc only inlines, and emits no code for?"""
    if not body.is_inline or body.is_static:
        return False
    text = unit.head_text(body.cursor)
    gnu = unit.has_gnu89_inline or "__attribute__((gnu_inline))" in text
    return gnu and bool(_EXTERN_INLINE.search(text))


def _attributes(unit: Unit, same: list[Declaration]) -> Attributes:
    heads = [text for d in same if (text := unit.attributes_text(d.cursor))]
    if not heads:
        return _PLAIN
    text = " ".join(heads)
    label, alias = _LABEL.search(text), _ALIAS.search(text)
    return Attributes(
        label[1] if label else "",
        "__attribute__((weak))" in text,
        alias[1] if alias else "",
        "__attribute__((weakref" in text,  # clang makes an alias of it, too
        "__attribute__((always_inline))" in text,
        priorities(text),
    )


def preferred(known: Symbol, other: Symbol) -> Symbol:
    """The one of two definitions that counts; raises InputError where C allows only one."""
    if known.is_defined and other.is_defined:
        _refuse_conflict(known, other)
    return other if other.strength > known.strength else known


def _refuse_conflict(first: Symbol, second: Symbol) -> None:
    one, two = first.declaration, second.declaration
    if one.is_function != two.is_function:
        raise _conflict(first, second, "is a function here and a variable")
    both_inline = one.is_inline and two.is_inline  # as gnu89 has `extern inline`
    if first.strength is second.strength is Strength.STRONG and not both_inline:
        raise _conflict(first, second, "is defined twice; the other definition is")
    if first.strength is Strength.TENTATIVE or second.strength is Strength.TENTATIVE:
        sizes = {s.file.unit.types.of_cursor(s.declaration.cursor).size for s in (first, second)}
        if len(sizes) > 1:
            raise _conflict(first, second, "has another size than its definition")


def _conflict(first: Symbol, second: Symbol, what: str) -> InputError:
    at = second.at
    return InputError(
        f"{second.name} {what} at {first.at}", file=at.file, line=at.line, column=at.column
    )

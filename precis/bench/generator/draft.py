"""A program under construction: what it declares, and the places where code can be added.

C text is written without indentation, one statement a line; `Draft.render` indents it. A line that
ends in `MARK` is the line of the planted defect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from string import Template
from typing import final

from .dice import Dice
from .scalars import FORMATS, INT, Scalar, Variable, promoted

MARK = "@@"


@dataclass(frozen=True, slots=True)
class ArrayVariable:
    """An initialised array whose elements stay between `low` and `high`."""

    name: str
    element: Scalar
    length: int
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class PureFunction:
    """A function without effects; defined for arguments within `parameters`."""

    name: str
    parameters: tuple[Variable, ...]
    result: Variable


@dataclass(slots=True)
class Draft:
    """What has been written so far. Functions stand in an order in which C knows them."""

    dice: Dice
    types: list[str] = field(default_factory=list)
    globals: list[str] = field(default_factory=list)
    functions: list[list[str]] = field(default_factory=list)
    pure: list[PureFunction] = field(default_factory=list)
    input_ranges: list[tuple[int, int]] = field(default_factory=list)
    externs: dict[str, str] = field(default_factory=dict)
    _names: dict[str, int] = field(default_factory=dict)

    def fresh(self, stem: str) -> str:
        """A name that occurs nowhere else in the program."""
        count = self._names.get(stem, 0) + 1
        self._names[stem] = count
        return stem if count == 1 and stem not in _RESERVED else f"{stem}_{count}"

    def declare_type(self, text: str, /, **names: object) -> None:
        self.types.extend(c_lines(text, **names))

    def declare_global(self, text: str, /, **names: object) -> None:
        self.globals.extend(c_lines(text, **names))

    def define(self, text: str, /, **names: object) -> None:
        self.functions.append(c_lines(text, **names))

    def extern(self, name: str, declaration: str) -> None:
        self.externs[name] = declaration

    def render(self, main: Sequence[str]) -> tuple[str, tuple[int, ...]]:
        """The source text, and the lines that were marked."""
        body = ["int main(void) {", *main, "}"]
        text = [
            line
            for section in ([*self.types], [*self.globals], *self.functions, body)
            if section
            for line in [*section, ""]
        ]
        used = "\n".join(text)
        wanted = [h for h, words in _HEADER_WORDS.items() if any(word in used for word in words)]
        lines = [f"#include <{h}>" for h in wanted]
        lines += ["", *(self.externs[name] for name in sorted(self.externs)), ""]
        return _indented([*lines, *text])


_RESERVED = ("index", "log", "signal", "y0", "y1", "j0", "j1", "link", "remove", "abs", "div")
_HEADER_WORDS = {
    "alloca.h": (" alloca(",),
    "assert.h": (" assert(", "\nassert("),
    "ctype.h": ("isalpha(", "toupper("),
    "limits.h": ("INT_M", "LONG_M", "CHAR_M", "SHRT_M", "LLONG_M"),
    "stdarg.h": ("va_list",),
    "stdatomic.h": ("atomic_",),
    "stddef.h": ("offsetof(", "wchar_t", "ptrdiff_t"),
    "stdint.h": ("intmax_t",),
    "stdio.h": ("printf(", "put", "NULL", "scanf("),
    "stdlib.h": (
        "alloc(", "free(", "exit(", "abort(", "qsort(", "bsearch(", "abs(", "div(", "strto", "ato",
        "rand(",
    ),
    "string.h": ("str", "mem"),
    "wchar.h": ("wcs",),
}  # fmt: skip


def c_lines(text: str, /, **names: object) -> list[str]:
    """The lines of a piece of C, `$name` replaced, white space at both ends removed."""
    filled = Template(text).substitute(names)
    return [line.strip() for line in filled.splitlines() if line.strip()]


def _indented(lines: Sequence[str]) -> tuple[str, tuple[int, ...]]:
    out: list[str] = []
    marked: list[int] = []
    depth = 0
    for line in lines:
        if line.endswith(MARK):
            line = line.removesuffix(MARK).rstrip()
            marked.append(len(out) + 1)
        if not line and out and not out[-1]:
            continue
        depth -= line.startswith("}")
        label = line.startswith(("case ", "default:")) or (line.endswith(":") and "?" not in line)
        out.append("    " * max(0, depth - label) + line if line else "")
        depth += line.endswith("{")
    return "\n".join(out).rstrip("\n") + "\n", tuple(marked)


@final
class Site:
    """A point in a function body where statements can be added, and what is visible there."""

    __slots__ = ("arrays", "dice", "draft", "keeps_state", "lines", "variables")

    def __init__(self, draft: Draft, lines: list[str], variables: Sequence[Variable] = ()) -> None:
        self.draft = draft
        self.dice = draft.dice
        self.lines = lines
        self.variables = list(variables)
        self.arrays: list[ArrayVariable] = []
        self.keeps_state = True  # False in a pure function: nothing may outlive a call

    def inner(self) -> Site:
        """A nested block: sees what is visible now, and keeps what it declares to itself."""
        site = Site(self.draft, self.lines, self.variables)
        site.arrays = list(self.arrays)
        site.keeps_state = self.keeps_state
        return site

    def emit(self, text: str, /, **names: object) -> None:
        self.lines.extend(c_lines(text, **names))

    def declare(self, variable: Variable) -> Variable:
        self.variables.append(variable)
        return variable

    def result(self, name: str, low: int, high: int) -> None:
        """Let later code read the int variable `name`."""
        self.declare(Variable(name, INT, low, high, writable=False))

    def known(self) -> list[Variable]:
        """The visible variables whose value is a known function of the inputs."""
        return [v for v in self.variables if v.meaning is not None]

    def print_scalar(self, text: str, type_: Scalar) -> None:
        """Print one integer under a label that is new in this program."""
        shown = FORMATS[promoted(type_).rank][promoted(type_).signed]
        label = self.draft.fresh("v")
        self.emit(f'printf("{label}={shown}\\n", {text});')


# Writes a piece of a program at a site, in turns: between two of them other pieces may write.
Fragment = Callable[[Site], Iterator[None]]

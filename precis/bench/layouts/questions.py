"""One program that asks about many definitions.

Its answers are bytes: the constants of `figures`, objects in which one bit-field is all ones by an
initialiser (`given`), the same by an assignment (`stored`), and truth values computed when it runs
(`truths`). The first two can be read from a compiled file that cannot be run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .conversions import expressions, preamble, signs
from .definitions import Definition, Model

FIGURE = 4  # bytes of one figure


@dataclass(frozen=True, slots=True)
class Questions:
    """A program, and what each of its answers is about, in order."""

    source: str
    figures: tuple[str, ...]
    patterns: tuple[tuple[str, str], ...]  # a type, and the path of the bit-field in it
    truths: tuple[str, ...]


def about_definitions(definitions: Sequence[Definition]) -> Questions:
    figures = [question for d in definitions for question in _figures(d)]
    patterns = [(d.name, path) for d in definitions for path in d.bits]
    truths = [f"stored.p{number}.{path} < 0" for number, (_, path) in enumerate(patterns)]
    lines = [d.text for d in definitions]
    return Questions(
        _program(lines, figures, patterns, truths), tuple(figures), tuple(patterns), tuple(truths)
    )


def about_conversions(model: Model) -> Questions:
    figures = []
    for expression in expressions(model):
        figures += [f"TYPE_OF({expression})", f"(int)sizeof({expression})"]
    truths = list(signs(model))
    return Questions(
        _program(preamble(model), figures, [], truths), tuple(figures), (), tuple(truths)
    )


def _figures(definition: Definition) -> list[str]:
    name = definition.name
    asked = [f"(int)sizeof({name})", f"(int)_Alignof({name})"]
    if definition.is_enum:
        asked.append(f"({name})-1 < 0")
    asked += [f"(int)__builtin_offsetof({name}, {path})" for path in definition.places]
    return asked


def _program(
    lines: Sequence[str],
    figures: Sequence[str],
    patterns: Sequence[tuple[str, str]],
    truths: Sequence[str],
) -> str:
    members = [f"{name} p{number};" for number, (name, _) in enumerate(patterns)]
    given = [f".p{number} = {{.{path} = -1}}," for number, (_, path) in enumerate(patterns)]
    stores = [f"stored.p{number}.{path} = -1;" for number, (_, path) in enumerate(patterns)]
    truths = [f"truths[{number}] = {truth};" for number, truth in enumerate(truths)]
    text = [
        "__PTRDIFF_TYPE__ write(int, const void *, __SIZE_TYPE__);",
        *lines,
        'const int figures[] __attribute__((section(".figures"))) = {',
        *(f"{figure}," for figure in figures),
        "};",
        *("struct __attribute__((packed)) patterns {", *members, "char end;", "};"),
        'struct patterns given __attribute__((section(".given"))) = {',
        *given,
        ".end = 1,",
        "}, stored = {.end = 1};",
        f"unsigned char truths[{len(truths) + 1}];",
        "int main(void) {",
        *stores,
        *truths,
        "write(1, figures, sizeof figures);",
        *(f"write(1, &{name}, sizeof {name});" for name in ("given", "stored", "truths")),
        "return 0;",
        "}",
    ]
    return "\n".join(text) + "\n"

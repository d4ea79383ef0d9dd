"""Whole programs in printed form -> `ir.Program`.

The text is cut into items, each a line and perhaps lines in braces. Their first lines are read
before their insides, because a term may name a global or a procedure that comes later.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, TypeVar

from precis.errors import InputError
from precis.frontends.text.bodies import Body, read_let, read_object, read_variable, scope_of
from precis.frontends.text.line import END, Line
from precis.frontends.text.terms import Scope, read_function_type, read_term, read_type
from precis.ir.instr import BlockKind
from precis.ir.location import Location
from precis.ir.notation import HEADER
from precis.ir.procedure import LocalObject, Procedure, Variable
from precis.ir.program import External, Global, Language, Piece, Program
from precis.ir.types import DataModel, Field, Layout, Type
from precis.ir.wellformed import violations

_Choice = TypeVar("_Choice", bound=Enum)
_Item = TypeVar("_Item")


class TextFrontEnd:
    """The front end for files of printed IR: one file is one program."""

    def load(self, paths: Sequence[Path]) -> Program:
        if len(paths) != 1:
            raise InputError("a program in printed form is one file")
        (path,) = paths
        try:
            text = path.read_text(encoding="ascii")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"cannot be read: {error}", file=str(path)) from error
        program = parse(text, str(path))
        for violation in violations(program):
            raise InputError(f"not well formed: {violation}", file=str(path))
        return program


def parse(text: str, file: str = "") -> Program:
    """The program of the text, well formed or not. `file` is its name in errors."""
    lines = [Line(row, file, number) for number, row in enumerate(text.split("\n"), start=1)]
    filled = iter([line for line in lines if line.peek() != END])
    first = next(filled, lines[0])
    for word in HEADER.split():
        first.expect(word)
    reader = _Reader(file)
    for line in filled:
        reader.read(line, filled)
    return reader.program()


@dataclass(frozen=True, slots=True)
class _Head:
    """The first line of a procedure or global, read; `inside` are the lines in its braces.

    `fields` are those of the class that the first line gives.
    """

    line: Line
    fields: dict[str, Any]
    inside: list[Line]


class _Reader:
    __slots__ = (
        "_externals",
        "_file",
        "_files",
        "_globals",
        "_procedures",
        "_records",
        "_settings",
        "_sources",
    )

    def __init__(self, file: str) -> None:
        self._file = file
        self._settings: dict[str, str] = {}
        self._sources: list[str] = []
        self._files: list[str] = []
        self._records: dict[str, Layout] = {}
        self._globals: dict[str, _Head] = {}
        self._externals: dict[str, External] = {}
        self._procedures: dict[str, _Head] = {}

    def read(self, line: Line, following: Iterator[Line]) -> None:
        """Read an item's first line, and take the lines in its braces off the following."""
        word = line.word()
        match word:
            case "model" | "language" | "entry":
                self._settings[word] = line.name()
            case "source":
                self._sources.append(line.text())
            case "file":
                if line.integer() != len(self._files):
                    line.fail(f"files are numbered in order: this one is {len(self._files)}")
                self._files.append(line.text())
            case "record" | "union":
                layout = _layout(line, word, following)
                _add(line, self._records, layout.name, layout)
            case "global":
                self._global(line, following)
            case "external":
                external = External(_name(line), read_function_type(line), self._place(line))
                _add(line, self._externals, external.name, external)
            case "procedure":
                self._procedure(line, following)
            case _:
                line.fail(f"{word!r} does not begin an item of a program")
        line.finish()

    def _place(self, line: Line) -> Location:
        return line.place(self._files)

    def _global(self, line: Line, following: Iterator[Line]) -> None:
        fields: dict[str, Any] = {"name": _name(line), "type": read_type(line)}
        for key in ("size", "align"):
            line.expect(key)
            fields[key] = line.integer()
        kinds = {kind.value: kind for kind in BlockKind}
        if line.peek() in kinds:
            fields["kind"] = kinds[line.next()]
        for mark in ("constant", "external", "internal"):
            fields[mark] = line.take(mark)
        fields["at"] = self._place(line)
        inside = _braced(line, following) if line.take("{") else []
        _add(line, self._globals, fields["name"], _Head(line, fields, inside))

    def _procedure(self, line: Line, following: Iterator[Line]) -> None:
        fields: dict[str, Any] = {"name": line.name(), "parameters": []}
        line.expect("(")
        while not line.take(")"):
            if fields["parameters"]:
                line.expect(",")
            index = line.numbered("%", "a parameter")
            fields["parameters"].append((index, line.name() if line.take(".") else None))
        line.expect(":")
        fields["type"] = read_function_type(line)
        for mark in ("library", "internal"):
            fields[mark] = line.take(mark)
        fields["at"] = self._place(line)
        line.expect("{")
        head = _Head(line, fields, _braced(line, following))
        _add(line, self._procedures, fields["name"], head)

    def program(self) -> Program:
        functions: dict[str, Type] = {name: x.type for name, x in self._externals.items()}
        functions |= {name: head.fields["type"] for name, head in self._procedures.items()}
        globals_: dict[str, Type] = {n: head.fields["type"] for n, head in self._globals.items()}
        model = self._choice("model", DataModel.LP64)
        scope = Scope(model, globals_, functions)
        return Program(
            model,
            self._records,
            {name: _whole_global(head, scope) for name, head in self._globals.items()},
            {name: self._body(head, scope) for name, head in self._procedures.items()},
            self._externals,
            self._settings.get("entry", ""),
            self._choice("language", Language.C),
            tuple(self._sources),
        )

    def _choice(self, setting: str, default: _Choice) -> _Choice:
        text = self._settings.get(setting, default.value)
        for choice in type(default):
            if choice.value == text:
                return choice
        raise InputError(f"{text!a} is not a {setting} of programs", file=self._file)

    def _body(self, head: _Head, outer: Scope) -> Procedure:
        variables: list[Variable] = []
        objects: list[LocalObject] = []
        body: Body | None = None
        for line in head.inside:
            if body is None and line.take("var"):
                variables.append(read_variable(line, len(variables), self._files))
                line.finish()
            elif body is None and line.take("object"):
                objects.append(read_object(line, len(objects), self._files))
                line.finish()
            else:
                body = body or Body(scope_of(outer, variables, objects), self._files)
                body.read(line)
        fields = dict(head.fields)
        fields["parameters"] = _parameters(head, variables)
        blocks = body.finish(head.line) if body else ()
        return Procedure(
            variables=tuple(variables), objects=tuple(objects), blocks=blocks, **fields
        )


def _parameters(head: _Head, variables: Sequence[Variable]) -> tuple[int, ...]:
    for index, name in head.fields["parameters"]:
        known = index < len(variables) and variables[index].name == name
        if name is not None and not known:
            head.line.fail(f"%{index} is not declared with the name {name!a}")
    return tuple(index for index, _ in head.fields["parameters"])


def _whole_global(head: _Head, scope: Scope) -> Global:
    pieces: list[Piece] = []
    for line in head.inside:
        if line.take("let"):
            read_let(line, scope)
        else:
            pieces.append(_piece(line, scope))
            scope.named.clear()
        line.finish()
    return Global(pieces=tuple(pieces), **head.fields)


def _piece(line: Line, scope: Scope) -> Piece:
    offset = line.integer()
    bits = line.bits()
    line.expect("=")
    value = line.bytes() if line.peek().startswith('b"') else read_term(line, scope)
    return Piece(offset, value, bits)


def _layout(line: Line, word: str, following: Iterator[Line]) -> Layout:
    name = line.name()
    line.expect("size")
    size = line.integer()
    line.expect("align")
    align = line.integer()
    line.expect("{")
    fields = tuple(map(_field, _braced(line, following)))
    return Layout(name, word == "union", fields, size, align)


def _field(line: Line) -> Field:
    name, type_ = _name(line), read_type(line)
    line.expect("offset")
    field = Field(name, type_, line.integer(), line.bits())
    line.finish()
    return field


def _name(line: Line) -> str:
    name = line.name()
    line.expect(":")
    return name


def _braced(opening: Line, following: Iterator[Line]) -> list[Line]:
    inside: list[Line] = []
    for line in following:
        if line.take("}"):
            line.finish()
            return inside
        inside.append(line)
    return opening.fail("the brace is never closed")


def _add(line: Line, items: dict[str, _Item], name: str, item: _Item) -> None:
    if name in items:
        line.fail(f"{name!a} is there already")
    items[name] = item

"""The lines of a procedure, by the forms of `precis.ir.notation`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from precis.frontends.text.line import END, Line
from precis.frontends.text.terms import Declared, Scope, read_declared, read_term, read_type
from precis.ir.instr import Case, End, Step
from precis.ir.notation import END_WORDS, MARKS, OBLIGATION_WORDS, STEP_WORDS, Form, Slot
from precis.ir.procedure import BasicBlock, LocalObject, Variable
from precis.ir.values import Term

_NO_VALUE = (END, "@")  # what follows an end whose optional value is not there


def read_variable(line: Line, index: int, files: Sequence[str]) -> Variable:
    name = _declared_name(line, "%", index)
    line.expect(":")
    type_ = read_type(line)
    return Variable(name, type_, line.place(files))


def read_object(line: Line, index: int, files: Sequence[str]) -> LocalObject:
    name = _declared_name(line, "&", index)
    line.expect(":")
    type_ = read_type(line)
    line.expect("size")
    size = None if line.take("?") else line.integer()
    line.expect("align")
    return LocalObject(name, type_, size, line.integer(), line.place(files))


def _declared_name(line: Line, sign: str, index: int) -> str:
    if line.numbered(sign, "a declaration") != index:
        line.fail(f"declarations are numbered in order: this one is {sign}{index}")
    return line.name() if line.take(".") else ""


def read_let(line: Line, scope: Scope) -> None:
    number = line.numbered("$", "a name for a subterm")
    line.expect("=")
    scope.named[number] = read_term(line, scope)


class Body:
    """Collects the blocks of a procedure."""

    __slots__ = ("_files", "_scope", "_steps", "blocks")

    def __init__(self, scope: Scope, files: Sequence[str]) -> None:
        self._scope = scope
        self._files = files
        self._steps: list[Step] | None = None  # of the block being read
        self.blocks: list[BasicBlock] = []

    def read(self, line: Line) -> None:
        first = line.peek()
        if line.take("let"):
            read_let(line, self._scope)
        elif self._steps is None:
            self._begin(line)
        elif first in END_WORDS:
            end = cast("End", self._placed(line, END_WORDS[first], {}))
            self.blocks.append(BasicBlock(tuple(self._steps), end))
            self._steps = None
            self._scope.named.clear()
        else:
            self._steps.append(self._step(line))
            self._scope.named.clear()
        line.finish()

    def finish(self, line: Line) -> tuple[BasicBlock, ...]:
        if self._steps is not None:
            line.fail("the last block has no end")
        return tuple(self.blocks)

    def _begin(self, line: Line) -> None:
        if line.numbered("b", "the number of a block") != len(self.blocks):
            line.fail(f"blocks are numbered in order: this one is b{len(self.blocks)}")
        line.expect(":")
        self._steps = []

    def _step(self, line: Line) -> Step:
        fields: dict[str, Any] = {}
        if line.peek().startswith("%"):
            fields["target"] = self._variable(line)
            line.expect("=")
        form = STEP_WORDS.get(line.peek(), STEP_WORDS[""])
        if not fields and not form.word:
            line.fail(f"{line.peek()[:40]!r} is not a step")
        if fields and not form.target:
            line.fail(f"{form.word!r} gives no value")
        if not fields and form.target == "into":
            line.fail(f"the value of {form.word!r} needs a variable")
        if form.target == "into?":
            fields.setdefault("target", None)
        return cast("Step", self._placed(line, form, fields))

    def _placed(self, line: Line, form: Form, fields: dict[str, Any]) -> object:
        self._fill(line, form, fields)
        fields["at"] = line.place(self._files)
        return form.class_(**fields)

    def _fill(self, line: Line, form: Form, fields: dict[str, Any]) -> None:
        for part in form.parts:
            if isinstance(part, str):
                line.expect(part)
            elif not part.kind.startswith("into"):
                self._slot(line, part, fields)

    def _slot(self, line: Line, slot: Slot, fields: dict[str, Any]) -> None:
        """Read a field; one that takes its default is left out."""
        match slot.kind:
            case "mark?":
                marks = {mark.value: mark for mark in MARKS[slot.field]}
                if line.peek() in marks:
                    fields[slot.field] = marks[line.next()]
            case "size?":
                if line.take("size"):
                    fields[slot.field] = read_term(line, self._scope)
            case "term?":
                absent = line.peek() in _NO_VALUE
                fields[slot.field] = None if absent else read_term(line, self._scope)
            case kind:
                fields[slot.field] = self._item(line, kind)

    def _item(self, line: Line, kind: str) -> Any:
        match kind:
            case "term" | "operand":
                return read_term(line, self._scope)
            case "variable":
                return self._variable(line)
            case "object":
                return read_declared(line, "&", self._scope.objects)[0]
            case "type":
                return read_type(line)
            case "text":
                return line.text()
            case "int":
                return line.integer()
            case "block":
                return line.numbered("b", "the number of a block")
            case "bits?":
                return line.bits()
            case "arguments":
                return self._arguments(line)
            case "cases":
                return _cases(line)
            case "obligation":
                return self._obligation(line)
            case _:
                raise ValueError(f"no such kind of slot: {kind}")

    def _variable(self, line: Line) -> int:
        return read_declared(line, "%", self._scope.variables)[0]

    def _arguments(self, line: Line) -> tuple[Term, ...]:
        line.expect("(")
        arguments: list[Term] = []
        while not line.take(")"):
            if arguments:
                line.expect(",")
            arguments.append(read_term(line, self._scope))
        return tuple(arguments)

    def _obligation(self, line: Line) -> object:
        form = OBLIGATION_WORDS.get(line.peek())
        if form is None:
            line.fail(f"{line.peek()[:40]!r} is not an obligation")
        fields: dict[str, Any] = {}
        self._fill(line, form, fields)
        return form.class_(**fields)


def _cases(line: Line) -> tuple[Case, ...]:
    cases: list[Case] = []
    while line.peek() != "else":
        low = line.integer()
        high = line.integer() if line.take("..") else low
        line.expect("->")
        cases.append(Case(low, high, line.numbered("b", "the number of a block")))
        line.expect(",")
    return tuple(cases)


def scope_of(outer: Scope, variables: Sequence[Variable], objects: Sequence[LocalObject]) -> Scope:
    return Scope(
        outer.model,
        outer.globals,
        outer.functions,
        [Declared(variable.name, variable.type) for variable in variables],
        [Declared(object_.name, object_.type) for object_ in objects],
    )

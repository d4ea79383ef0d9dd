"""Programs as text that reads back (frontends/text) and that a person can study.

    precis ir 1
    model LP64
    language c
    entry main
    file 0 "list.c"

    procedure main(%0.n): fn(i32) -> i32 @ 0:3:5..3:9 {
      var %0.n: i32 @ 0:3:14
      var %1: *i8
    b0:
      %0.n = %0.n + 1 @ 0:4:3..4:8
      return %0.n
    }

`%3.head` is a variable, `&2.buffer` an object, `&counter` a global, `fn main` a procedure;
the number counts, the name is for the reader. A leaf has its type behind a colon unless it is
the plain one: that of its declaration, i32 for integers, f64 for reals. `p .+ n by 8` is
offset with its scale, `p .- q` diff. Places follow `@` as file:line:column..line:column, with
the name of a macro and the place of its argument. Subterms that a large term holds several
times stand before its line, as `let $0 = ...`. `#op:type{data}(...)` writes a term that is
not well typed.

Read back, a program is equal to the one printed, provided that its mappings have each thing
under its own name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from typing import Any, Final, TypeAlias

from precis.ir.clike import print_term
from precis.ir.instr import BlockKind, Case, End, Step
from precis.ir.location import NOWHERE, Location
from precis.ir.notation import (
    ARITY,
    FORM_OF,
    HEADER,
    INFIX,
    PREFIX,
    Form,
    Slot,
    implied_type,
    name_text,
    quoted,
    quoted_bytes,
    real_text,
    type_text,
)
from precis.ir.procedure import LocalObject, Procedure, Variable
from precis.ir.program import External, Global, Piece, Program
from precis.ir.types import F64, I32, LOGIC, BitRange, DataModel, Layout, Pointer, Type
from precis.ir.values import LEAVES, Term, subterms

__all__ = ["print_procedure", "print_program", "print_term"]

# Terms whose tree is larger have their shared subterms named: a term is a graph, and written
# as a tree it can be exponentially larger.
_LARGE: Final = 64


def print_program(program: Program) -> str:
    places = {name: number for number, name in enumerate(_files(program))}
    out = [HEADER, f"model {program.model.value}", f"language {program.language.value}"]
    if program.entry:
        out.append(f"entry {name_text(program.entry)}")
    out += [f"source {quoted(source)}" for source in program.sources]
    out += [f"file {number} {quoted(name)}" for name, number in places.items()]
    for layout in program.records.values():
        out += ["", *_record(layout)]
    plain = _Writer(program, places, (), ())
    out += [""] if program.globals else []
    for global_ in program.globals.values():
        out += plain.global_(global_)
    out += [""] if program.externals else []
    out += [plain.external(external) for external in program.externals.values()]
    for procedure in program.procedures.values():
        writer = _Writer(program, places, procedure.variables, procedure.objects)
        out += ["", *writer.procedure(procedure)]
    return "\n".join(out) + "\n"


def print_procedure(program: Program, procedure: Procedure) -> str:
    """The procedure as it stands in the whole program's text, without places."""
    writer = _Writer(program, {}, procedure.variables, procedure.objects)
    return "\n".join(writer.procedure(procedure)) + "\n"


def _files(program: Program) -> dict[str, None]:
    """The files that places are in, in the order of the text."""
    return {place.file: None for place in _places(program) if place != NOWHERE}


def _places(program: Program) -> Iterator[Location]:
    yield from (global_.at for global_ in program.globals.values())
    yield from (external.at for external in program.externals.values())
    for procedure in program.procedures.values():
        yield procedure.at
        yield from (variable.at for variable in procedure.variables)
        yield from (object_.at for object_ in procedure.objects)
        for block in procedure.blocks:
            for step in block.steps:
                yield step.at
            yield block.end.at


def _record(layout: Layout) -> Iterator[str]:
    word = "union" if layout.union else "record"
    yield f"{word} {name_text(layout.name)} size {layout.size} align {layout.align} {{"
    for field in layout.fields:
        head = f"  {name_text(field.name)}: {type_text(field.type)} offset {field.offset}"
        yield head + _bits(field.bits)
    yield "}"


def _bits(bits: BitRange | None) -> str:
    return "" if bits is None else f" bits {bits.shift} + {bits.width}"


class _Writer:
    """Writes what stands in one procedure, or outside of all."""

    __slots__ = ("_lets", "_model", "_named", "_objects", "_places", "_program", "_variables")

    def __init__(
        self,
        program: Program,
        places: Mapping[str, int],
        variables: Sequence[Variable],
        objects: Sequence[LocalObject],
    ) -> None:
        self._program = program
        self._model: DataModel = program.model
        self._places = places
        self._variables = variables
        self._objects = objects
        self._lets: list[str] = []  # lines that go before the one being written
        self._named: dict[Term, str] = {}  # what they name

    # Lines

    def global_(self, global_: Global) -> Iterator[str]:
        head = f"global {name_text(global_.name)}: {type_text(global_.type)}"
        head += f" size {global_.size} align {global_.align}"
        if global_.kind is not BlockKind.GLOBAL:
            head += f" {global_.kind.value}"
        for mark in ("constant", "external", "internal"):
            if getattr(global_, mark):
                head += f" {mark}"
        head += self._place(global_.at)
        if not global_.pieces:
            yield head
            return
        yield head + " {"
        for piece in global_.pieces:
            yield from self._line(self._piece(piece))
        yield "}"

    def _piece(self, piece: Piece) -> str:
        value = piece.value
        text = quoted_bytes(value) if isinstance(value, bytes) else self._top(value)
        return f"{piece.offset}{_bits(piece.bits)} = {text}"

    def external(self, external: External) -> str:
        head = f"external {name_text(external.name)}: {type_text(external.type)}"
        return head + self._place(external.at)

    def procedure(self, procedure: Procedure) -> Iterator[str]:
        parameters = ", ".join(map(self._variable, procedure.parameters))
        head = f"procedure {name_text(procedure.name)}({parameters}): {type_text(procedure.type)}"
        for mark in ("library", "internal"):
            if getattr(procedure, mark):
                head += f" {mark}"
        yield head + self._place(procedure.at) + " {"
        for index, variable in enumerate(procedure.variables):
            declared = f"  var {self._variable(index)}: {type_text(variable.type)}"
            yield declared + self._place(variable.at)
        for index, object_ in enumerate(procedure.objects):
            size = "?" if object_.size is None else object_.size
            declared = f"  object {self._object(index)}: {type_text(object_.type)}"
            yield f"{declared} size {size} align {object_.align}" + self._place(object_.at)
        for number, block in enumerate(procedure.blocks):
            yield f"b{number}:"
            for step in (*block.steps, block.end):
                yield from self._line(self._step(step))
        yield "}"

    def _line(self, text: str) -> Iterator[str]:
        yield from (f"  {let}" for let in self._lets)
        yield f"  {text}"
        self._lets.clear()
        self._named.clear()

    def _place(self, at: Location) -> str:
        number = self._places.get(at.file)
        if number is None or at == NOWHERE:
            return ""
        text = f" @ {number}:{at.line}"
        if at.column or at.end_line or at.end_column:
            text += f":{at.column}"
        if at.end_line or at.end_column:
            text += f"..{at.end_line}:{at.end_column}"
        if at.macro:
            text += f" macro {name_text(at.macro)}"
        if at.argument != (0, 0):
            text += f" argument {at.argument[0]}:{at.argument[1]}"
        return text

    # Forms

    def _step(self, step: Step | End) -> str:
        return self._filled(FORM_OF[type(step)], step) + self._place(step.at)

    def _filled(self, form: Form, value: Any) -> str:
        text = ""
        for part in form.parts:
            piece = part if isinstance(part, str) else self._slot(value, part)
            tight = part in ("]", ")", "(") or part == Slot("arguments", "arguments")
            if piece and text and text[-1] not in "[(" and not tight:
                text += " "
            text += piece
        return text

    def _slot(self, value: Any, slot: Slot) -> str:
        item = getattr(value, slot.field)
        if slot.kind.endswith("?") and item == _defaults(type(value))[slot.field]:
            return ""
        return self._item(slot.kind.rstrip("?"), item)

    def _item(self, kind: str, item: Any) -> str:
        match kind:
            case "term":
                return self._top(item)
            case "operand":
                return self._operand(item)
            case "into":
                return f"{self._variable(item)} ="
            case "variable":
                return self._variable(item)
            case "object":
                return self._object(item)
            case "type":
                return type_text(item)
            case "text":
                return quoted(item)
            case "int":
                return str(item)
            case "block":
                return f"b{item}"
            case "bits":
                return _bits(item).lstrip()
            case "mark":
                return str(item.value)
            case "size":
                return f"size {self._top(item)}"
            case "arguments":
                return f"({', '.join(map(self._top, item))})"
            case "cases":
                return " ".join(map(_case, item))
            case "obligation":
                return self._filled(FORM_OF[type(item)], item)
            case _:
                raise ValueError(f"no such kind of slot: {kind}")

    # Terms

    def _variable(self, index: int) -> str:
        return f"%{index}{_dotted(self._variables, index)}"

    def _object(self, index: int) -> str:
        return f"&{index}{_dotted(self._objects, index)}"

    def _top(self, root: Term) -> str:
        """The term, without parentheses around it."""
        self._name_shared(root)
        return self._joined(self._opened(root))

    def _operand(self, root: Term) -> str:
        self._name_shared(root)
        return self._joined((root,))

    def _name_shared(self, root: Term) -> None:
        if not _is_large(root):
            return
        for shared in _shared(root):
            if shared not in self._named:
                text = self._joined(self._opened(shared))
                self._named[shared] = name = f"${len(self._named)}"
                self._lets.append(f"let {name} = {text}")

    def _opened(self, root: Term) -> tuple[_Part, ...]:
        parts = (self._named[root],) if root in self._named else self._parts(root)
        return parts[1:-1] if parts[0] == "(" else parts

    def _joined(self, parts: tuple[_Part, ...]) -> str:
        out: list[str] = []
        work = list(reversed(parts))
        while work:
            part = work.pop()
            if isinstance(part, str):
                out.append(part)
            elif isinstance(part, _Bare):
                work.extend(reversed(self._opened(part.term)))
            elif part in self._named:
                out.append(self._named[part])
            else:
                work.extend(reversed(self._parts(part)))
        return "".join(out)

    def _parts(self, term: Term) -> tuple[_Part, ...]:
        """The text of a term, with its arguments in place of theirs."""
        args = term.args
        if term.op in LEAVES:
            leaf = None if args else self._leaf(term)
            return self._raw(term) if leaf is None else (leaf,)
        if len(args) != ARITY[term.op]:
            return self._raw(term)
        if term.op == "offset" and isinstance(term.data, int) and term.type == args[0].type:
            scale = "" if term.data == 1 else f" by {int(term.data)}"
            return ("(", args[0], " .+ ", args[1], scale, ")")
        if term.data is not None or term.op == "offset":
            return self._raw(term)
        if term.op == "cast":
            return ("(", args[0], f" as {type_text(term.type)}", ")")
        if implied_type(term.op, args, self._model) != term.type:
            return self._raw(term)
        if term.op in PREFIX:
            gap = " " if args[0].op in ("const", "real") else ""
            return ("(", PREFIX[term.op] + gap, args[0], ")")
        if term.op == "ite":
            return ("if(", *_listed(args), ")")
        return ("(", args[0], f" {INFIX[term.op]} ", args[1], ")")

    def _raw(self, term: Term) -> tuple[_Part, ...]:
        data = ""
        if isinstance(term.data, str):
            data = f"{{{quoted(term.data)}}}"
        elif term.data is not None:
            is_real = isinstance(term.data, float)
            data = f"{{{real_text(float(term.data)) if is_real else int(term.data)}}}"
        return (f"#{term.op}:{type_text(term.type)}{data}(", *_listed(term.args), ")")

    def _leaf(self, term: Term) -> str | None:
        """The text of a leaf; None if its data is not of the right kind."""
        match term.op, term.data:
            case "undef", None:
                return f"undef:{type_text(term.type)}"
            case "real", float(value):
                return _typed(real_text(value), term.type, F64)
            case "const", int(value):
                return _constant(value, term.type)
            case "var", int(index) if index >= 0:
                return _typed(self._variable(index), term.type, _type_at(self._variables, index))
            case "local", int(index) if index >= 0:
                plain = _type_at(self._objects, index)
                return _typed(self._object(index), term.type, plain and Pointer(plain))
            case "global", str(name):
                known = self._program.globals.get(name)
                return _typed(f"&{name_text(name)}", term.type, _address_type(known))
            case "function", str(name):
                callee = self._program.procedures.get(name) or self._program.externals.get(name)
                return _typed(f"fn {name_text(name)}", term.type, _address_type(callee))
            case _:
                return None


@dataclass(frozen=True, slots=True)
class _Bare:
    """A term to be written without parentheses around it."""

    term: Term


_Part: TypeAlias = str | Term | _Bare


def _listed(args: tuple[Term, ...]) -> list[_Part]:
    parts: list[_Part] = []
    for arg in args:
        parts += [", ", _Bare(arg)] if parts else [_Bare(arg)]
    return parts


def _constant(value: int, type_: Type) -> str:
    if type_ == LOGIC and value in (0, 1):
        return "true" if value else "false"
    if isinstance(type_, Pointer) and value == 0:
        return _typed("null", type_, None)
    return _typed(str(int(value)), type_, I32)


def _typed(text: str, type_: Type, plain: Type | None) -> str:
    return text if type_ == plain else f"{text}:{type_text(type_)}"


def _address_type(known: Global | Procedure | External | None) -> Type | None:
    return None if known is None else Pointer(known.type)


def _type_at(declared: Sequence[Variable | LocalObject], index: int) -> Type | None:
    return declared[index].type if index < len(declared) else None


def _dotted(declared: Sequence[Variable | LocalObject], index: int) -> str:
    known = 0 <= index < len(declared) and declared[index].name
    return f".{name_text(known)}" if known else ""


def _is_large(root: Term) -> bool:
    """Does the term, written as a tree, have more than _LARGE parts?"""
    count, work = 0, [root]
    while work and count <= _LARGE:
        count += 1
        work.extend(work.pop().args)
    return count > _LARGE


def _shared(root: Term) -> Iterator[Term]:
    """The operations that stand in the term more than once, arguments first."""
    uses = Counter(arg for node in subterms(root) for arg in node.args)
    return (node for node in subterms(root) if node.args and uses[node] > 1)


def _case(case: Case) -> str:
    values = str(case.low) if case.low == case.high else f"{case.low}..{case.high}"
    return f"{values} -> b{case.to},"


def _defaults(class_: type[Any]) -> Mapping[str, object]:
    """The defaults of a class's fields; None for one that has no default."""
    found = _DEFAULTS.get(class_)
    if found is None:
        found = _DEFAULTS[class_] = {
            field.name: None if field.default is MISSING else field.default
            for field in fields(class_)
        }
    return found


_DEFAULTS: Final[dict[type[Any], Mapping[str, object]]] = {}

"""The files of a program, put together.

Lowering starts at the roots and follows names: a function or variable is lowered when
something lowered refers to it. Names with external linkage mean the same in all files; a name
that no file defines is looked for among the library models, and the model's file is read then.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import final

from precis.errors import InputError
from precis.frontends.clang.builtins import BUILTINS
from precis.frontends.clang.c_types import CType, Sort
from precis.frontends.clang.cursors import Declaration, Node, Unit
from precis.frontends.clang.failure import INTERNAL, Unlowered
from precis.frontends.clang.functions import builtin_procedure, lower_function
from precis.frontends.clang.globals import lower_global
from precis.frontends.clang.initialisers import literal_bytes
from precis.frontends.clang.startup import (
    Priorities,
    is_mentioned,
    priorities,
    with_exit,
    with_startup,
)
from precis.frontends.clang.types import Types
from precis.ir.instr import BlockKind, Unsupported
from precis.ir.location import Location
from precis.ir.procedure import BasicBlock, Procedure
from precis.ir.program import External, Global, Piece, Program
from precis.ir.types import (
    I32,
    U8,
    VOID,
    VOID_POINTER,
    Array,
    DataModel,
    Function,
    Pointer,
    Type,
)
from precis.ir.values import Term, cast, function, global_


class Extent(Enum):
    """How much of the files is lowered."""

    REACHABLE = "reachable"  # what the entry reaches
    EVERYTHING = "everything"  # every function of the given files, as in a library


@dataclass(slots=True)
class _File:
    """A translation unit and what it declares, by key."""

    unit: Unit
    library: bool
    declarations: dict[int, list[Declaration]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Symbol:
    """A function or variable: where it is defined or, failing that, declared."""

    file: _File
    declaration: Declaration
    is_defined: bool


@final
class Linker:
    """A program that is being put together; what lowering knows as `Whole`."""

    def __init__(self, model: DataModel, find_model: Callable[[str], Unit | None]) -> None:
        self.types = Types(model)
        self._find_model = find_model
        self._files: dict[Unit, _File] = {}
        self._symbols: dict[str, _Symbol] = {}  # of external linkage
        self._names: dict[tuple[Unit, int], str] = {}  # of static ones
        self._taken: set[str] = set()
        self._library: dict[str, _Symbol] = {}  # defined in models
        self._asked: set[str] = set()
        self._waiting: list[tuple[str, _Symbol]] = []
        self._automatic: list[tuple[Priorities, Unit, Declaration]] = []
        self._labels_name = ""
        self._labels: dict[tuple[Unit, int], int] = {}
        self._literals: dict[tuple[bytes, Type], str] = {}
        self._procedures: dict[str, Procedure] = {}
        self._globals: dict[str, Global] = {}
        self._externals: dict[str, External] = {}
        self._refused: list[Unsupported] = []

    # Files and their symbols

    def add(self, unit: Unit) -> None:
        """A file of the program."""
        for symbol in self._read(unit, library=False):
            name = symbol.declaration.name
            known = self._symbols.get(name)
            if known is None or (symbol.is_defined and _gives_way(known)):
                self._symbols[name] = symbol
            elif symbol.is_defined and not _is_weak(symbol):
                _refuse_second(known, symbol)
            self._taken.add(name)
        for same in self._files[unit].declarations.values():
            self._note_automatic(unit, same)

    def _read(self, unit: Unit, *, library: bool) -> list[_Symbol]:
        """Take in a file; its symbols of external linkage."""
        file = self._files[unit] = _File(unit, library)
        for declaration in unit.declarations():
            file.declarations.setdefault(declaration.key, []).append(declaration)
        symbols = (_symbol(file, same) for same in file.declarations.values())
        return [symbol for symbol in symbols if not symbol.declaration.is_static]

    def _note_automatic(self, unit: Unit, same: list[Declaration]) -> None:
        """Remember a constructor or destructor."""
        for declaration in same:
            if not (declaration.is_function and declaration.is_definition):
                continue
            found = priorities(unit.attributes(declaration.cursor))
            if found != Priorities(None, None):
                self._automatic.append((found, unit, declaration))

    def _modelled(self, name: str) -> _Symbol | None:
        """The definition of a library function or variable in a model, which is read if need be."""
        if name not in self._library:
            unit = self._find_model(name)
            if unit is not None and unit not in self._files:
                for symbol in self._read(unit, library=True):
                    if symbol.is_defined:
                        self._library[symbol.declaration.name] = symbol
        return self._library.get(name)

    # What lowering asks (body.Whole)

    def is_defined(self, unit: Unit, name: str) -> bool:
        if self._files[unit].library and name not in _ALLOCATION:
            return False
        symbol = self._symbols.get(name)
        return symbol is not None and symbol.is_defined

    def function(self, unit: Unit, node: Node) -> str:
        name = self._resolve(unit, node.target, node.name)
        if name not in self._asked:  # declared inside a function, or not at all
            self._asked.add(name)
            self._add_external(name, node.type, unit.place(node))
        return name

    def variable(self, unit: Unit, node: Node) -> str:
        name = self._resolve(unit, node.target, node.name)
        if name not in self._asked:
            self._asked.add(name)
            self._add_global(name, unit, node, None, is_internal=False)
            self._globals[name] = replace(self._globals[name], external=True)
        return name

    def _resolve(self, unit: Unit, key: int, name: str) -> str:
        """The name, made unique, of what a file means by it; asked for if anything defines it."""
        file = self._files[unit]
        same = file.declarations.get(key)
        if same is not None and same[0].is_static:
            return self._ask_unique((unit, key), name, _symbol(file, same))
        symbol = self._symbols.get(name)
        if symbol is not None and symbol.is_defined:
            # A model keeps to its own functions where the program has others of their name.
            own = self._modelled(name) if file.library and name not in _ALLOCATION else None
            if own is not None:
                return self._ask_unique((own.file.unit, own.declaration.key), name, own)
            return self._ask(name, symbol)
        symbol = self._modelled(name) or symbol or (_symbol(file, same) if same else None)
        if symbol is None:
            return name
        return self._ask(name, symbol) if symbol.is_defined else self._undefined(name, symbol)

    def _undefined(self, name: str, symbol: _Symbol) -> str:
        """What a name without a definition means: another one, or something that is elsewhere."""
        unit = symbol.file.unit
        same = symbol.file.declarations[symbol.declaration.key]
        heads = " ".join(unit.attributes(declaration.cursor) for declaration in same)
        alias = _ALIAS.search(heads)
        if alias is not None:
            keys = [k for k, found in symbol.file.declarations.items() if found[0].name == alias[1]]
            return self._resolve(unit, keys[0] if keys else 0, alias[1])
        if _WEAK in heads:
            raise Unlowered(f"{name}, which is weak and may be missing")
        return self._ask(name, symbol)

    def function_by_name(self, unit: Unit, name: str, type_: CType) -> Term:
        resolved = self._resolve(unit, 0, name)
        if resolved not in self._asked:
            raise Unlowered(f"call of __builtin_{name}")
        return function(resolved, self.types.pointer_to(type_))

    def function_named(self, unit: Unit, name: str) -> tuple[Term, CType]:
        for same in self._files[unit].declarations.values():
            if same[0].is_function and same[0].name == name:
                type_ = unit.types.of_cursor(same[0].cursor)
                resolved = self._resolve(unit, same[0].key, name)
                return function(resolved, self.types.pointer_to(type_)), type_
        raise Unlowered(f"function {name}, which is not declared")

    def library_function(self, unit: Unit, name: str) -> tuple[Term, CType]:
        symbol = self._symbols.get(name)
        if symbol is None or not symbol.is_defined:
            symbol = self._modelled(name)
        if symbol is None:
            raise Unlowered(f"call of {name}, which has no model")
        type_ = symbol.file.unit.types.of_cursor(symbol.declaration.cursor)
        return function(self._resolve(unit, 0, name), self.types.pointer_to(type_)), type_

    def _ask_unique(self, key: tuple[Unit, int], name: str, symbol: _Symbol) -> str:
        unique = self._names.get(key)
        if unique is None:
            unique = self._names[key] = self._fresh(name)
        return self._ask(unique, symbol)

    def _ask(self, name: str, symbol: _Symbol) -> str:
        if name not in self._asked:
            self._asked.add(name)
            self._taken.add(name)
            self._waiting.append((name, symbol))
        return name

    def _fresh(self, name: str) -> str:
        unique, number = name, 1
        while unique in self._taken:
            number += 1
            unique = f"{name}.{number}"
        self._taken.add(unique)
        return unique

    def static_local(self, unit: Unit, node: Node, function: str) -> str:
        name = self._names.get((unit, node.target))
        if name is None:
            name = self._names[unit, node.target] = self._fresh(f"{function}.{node.name}")
            self._add_global(name, unit, node, unit.initialiser(node), is_internal=True)
        return name

    def known_static(self, unit: Unit, key: int) -> str:
        return self._names.get((unit, key), "")

    def constant_object(self, unit: Unit, node: Node) -> str:
        name = self._fresh("compound.1")
        self._add_global(name, unit, node, node.children[-1], is_internal=True)
        return name

    def literal(self, unit: Unit, node: Node) -> str:
        data = literal_bytes(node, node.type)
        return self.literal_bytes(data, node.type.inner, unit.place(node))

    def literal_bytes(self, data: bytes, element: CType, at: Location) -> str:
        kind = self.types.of(element)
        name = self._literals.get((data, kind))
        if name is None:
            name = self._literals[data, kind] = self._fresh(f"literal.{len(self._literals) + 1}")
            pieces = (Piece(0, data),) if any(data) else ()
            self._globals[name] = Global(
                name,
                Array(kind, len(data) // element.size),
                len(data),
                element.align,
                at,
                pieces,
                BlockKind.LITERAL,
                constant=True,
                internal=True,
            )
        return name

    def labels(self, at: Location) -> Term:
        if not self._labels_name:
            self._labels_name = self._fresh("labels.1")
            self._globals[self._labels_name] = Global(
                self._labels_name, Array(U8, 1), 1, 1, at, constant=True, internal=True
            )
        return global_(self._labels_name, VOID_POINTER)

    def label(self, unit: Unit, key: int) -> int:
        return self._labels.setdefault((unit, key), len(self._labels))

    def assembler(self, at: Location) -> Term:
        kind = Function(VOID, (), False)
        self._externals.setdefault("asm", External("asm", kind, at))
        return function("asm", Pointer(kind))

    # Lowering

    def program(self, entry: str, extent: Extent) -> Program:
        for file, declaration in self._roots(entry, extent):
            self._resolve(file.unit, declaration.key, declaration.name)
        self._lower_waiting()
        start = entry if entry in self._procedures else ""
        if start:
            self._begin_and_end(start)
        self._admit(start)
        if self._labels_name:
            block, size = self._globals[self._labels_name], max(len(self._labels), 1)
            self._globals[block.name] = replace(block, type=Array(U8, size), size=size)
        return Program(
            self.types.model,
            self.types.finish(),
            self._globals,
            self._procedures,
            self._externals,
            start,
            sources=tuple(f.unit.path for f in self._files.values() if not f.library),
        )

    def _lower_waiting(self) -> None:
        while self._waiting:
            name, symbol = self._waiting.pop()
            if symbol.declaration.is_function:
                self._lower_function(name, symbol)
            else:
                self._lower_variable(name, symbol)

    def _begin_and_end(self, entry: str) -> None:
        """Let the entry run constructors, and the handlers of atexit and destructors at its end."""
        after = self._automatic_functions(entry, lambda found: found.after)
        before = self._automatic_functions(entry, lambda found: found.before)
        self._lower_waiting()
        unit, main_at = self._symbols[entry].file.unit, self._procedures[entry].at
        is_own = any(self.is_defined(unit, name) for name in ("exit", "atexit"))
        if after and is_own:
            self._refused.append(Unsupported("destructors beside a function exit", main_at))
        has_handlers = entry == "main" and not is_own and (after or "atexit" in self._asked)
        if not (before or has_handlers):
            return
        calls: list[tuple[Term, tuple[Term, ...]]] = []
        if after and has_handlers:
            register, type_ = self.library_function(unit, "atexit")
            handler = self.types.decayed(type_.parameters[0])
            calls += [(register, (cast(handler, function_),)) for function_ in after]
        calls += [(function_, ()) for function_ in before]
        if has_handlers:
            exit_, _ = self.library_function(unit, "exit")
            self._procedures[entry] = with_exit(self._procedures[entry], exit_)
        self._lower_waiting()
        if is_mentioned(entry, self._procedures.values()):
            reason = f"{entry} is called, and something runs before or after it"
            self._refused.append(Unsupported(reason, main_at))
        if calls:
            self._procedures[entry] = with_startup(self._procedures[entry], calls)

    def _automatic_functions(
        self, entry: str, priority: Callable[[Priorities], int | None]
    ) -> list[Term]:
        """The constructors or destructors, in their order."""
        ordered: list[tuple[int, Term]] = []
        for found, unit, declaration in self._automatic:
            type_ = unit.types.of_cursor(declaration.cursor)
            number = priority(found)
            if number is None or declaration.name == entry:
                continue
            if type_.parameters or type_.inner.sort is Sort.RECORD:
                at = unit.cursor_place(declaration.cursor)
                self._refused.append(Unsupported(f"{declaration.name}, a constructor", at))
                continue
            name = self._resolve(unit, declaration.key, declaration.name)
            ordered.append((number, function(name, self.types.pointer_to(type_))))
        return [found for _, found in sorted(ordered, key=lambda pair: pair[0])]

    def _roots(self, entry: str, extent: Extent) -> list[tuple[_File, Declaration]]:
        """The functions that lowering starts at; without an entry, all that are given."""
        symbol = self._symbols.get(entry)
        if extent is Extent.REACHABLE and symbol is not None and symbol.is_defined:
            return [(symbol.file, symbol.declaration)]
        found = []
        for file in list(self._files.values()):
            for same in file.declarations.values():
                symbol = _symbol(file, same)
                if symbol.declaration.is_function and symbol.is_defined:
                    found.append((file, symbol.declaration))
        if not found:
            path = next(iter(self._files)).path
            raise InputError("no function is defined here", file=path)
        return found

    def _lower_function(self, name: str, symbol: _Symbol) -> None:
        unit, declaration = symbol.file.unit, symbol.declaration
        at = unit.cursor_place(declaration.cursor)
        if symbol.is_defined:
            node = unit.tree(declaration.cursor)
            made = lower_function(self, unit, node, name)
            library, internal = symbol.file.library, declaration.is_static
            self._procedures[name] = replace(made, library=library, internal=internal)
            return
        type_ = unit.types.of_cursor(declaration.cursor)
        if name in BUILTINS:
            self._procedures[name] = builtin_procedure(self, unit, name, type_, at)
            return
        self._add_external(name, type_, at)

    def _add_external(self, name: str, type_: CType, at: Location) -> None:
        try:
            kind = self.types.of(type_)
        except Unlowered:
            kind = _UNKNOWN
        assert isinstance(kind, Function)
        self._externals[name] = External(name, kind, at)

    def _lower_variable(self, name: str, symbol: _Symbol) -> None:
        unit, declaration = symbol.file.unit, symbol.declaration
        node = unit.tree(declaration.cursor)
        initialiser = unit.initialiser(node)
        self._add_global(name, unit, node, initialiser, is_internal=declaration.is_static)
        if not symbol.is_defined:
            self._globals[name] = replace(self._globals[name], external=True)

    def _add_global(
        self, name: str, unit: Unit, node: Node, initialiser: Node | None, *, is_internal: bool
    ) -> None:
        at = unit.place(node)
        try:
            made = lower_global(self, unit, name, node.type, initialiser, at)
        except MemoryError:
            raise
        except Exception as error:  # of ours too: it costs one variable
            reason = error.reason if isinstance(error, Unlowered) else f"{INTERNAL} ({error!r})"
            self._refused.append(Unsupported(f"{node.name}: {reason}", at))
            size = max(node.type.size, 1)
            made = Global(
                name, self.types.pointer_to(node.type).target, size, 16, at, external=True
            )
        constant = unit.types.is_constant(unit.written_type(node))
        self._globals[name] = replace(made, internal=is_internal, constant=constant)

    def _admit(self, entry: str) -> None:
        """Say at the entry which globals could not be lowered."""
        if self._refused and entry:
            procedure = self._procedures[entry]
            first, *rest = procedure.blocks
            block = BasicBlock((*self._refused, *first.steps), first.end)
            self._procedures[entry] = replace(procedure, blocks=(block, *rest))


_ALIAS = re.compile(r'__attribute__\(\((?:alias|weakref)\("(\w+)"\)\)\)')
_WEAK = "__attribute__((weak))"
# A program that replaces these replaces them for the library too.
_ALLOCATION = frozenset({"malloc", "calloc", "realloc", "free"})
# How C89 declares a function that is called without a declaration.
_UNKNOWN = Function(I32, (), False)


def _symbol(file: _File, same: list[Declaration]) -> _Symbol:
    """Of several declarations of one thing, the one that defines it."""
    first = same[0]
    if first.is_function:
        definition = next((d for d in same if d.is_definition), None)
        return _Symbol(file, definition or first, definition is not None)
    best = next((d for d in same if d.has_initialiser), None)
    if best is None:
        best = next((d for d in reversed(same) if not d.is_extern), None)
    return _Symbol(file, best or same[-1], best is not None)


def _gives_way(symbol: _Symbol) -> bool:
    return not symbol.is_defined or _is_weak(symbol)


def _is_weak(symbol: _Symbol) -> bool:
    """Does its definition give way to another one?"""
    return _WEAK in symbol.file.unit.attributes(symbol.declaration.cursor)


def _refuse_second(first: _Symbol, second: _Symbol) -> None:
    """A second definition, unless C or old habit allows it."""
    one, two = first.declaration, second.declaration
    if one.is_function and (one.is_inline or two.is_inline):
        return
    tentative = not (one.has_initialiser and two.has_initialiser)
    if not one.is_function and not two.is_function and tentative:
        return
    place = second.file.unit.cursor_place(two.cursor)
    earlier = first.file.unit.cursor_place(one.cursor)
    raise InputError(
        f"{two.name} is defined twice; the other definition is at {earlier}",
        file=place.file,
        line=place.line,
        column=place.column,
    )

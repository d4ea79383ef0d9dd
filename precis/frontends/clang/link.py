"""The files of a program, put together.

Lowering starts at the roots and follows names: a function or variable is lowered when
something lowered refers to it. Names with external linkage mean the same in all files; a name
that no file defines is looked for among the library models, and the model's file is read then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from enum import Enum
from typing import Protocol, final

from precis.errors import InputError
from precis.frontends.clang.builtins import BUILTINS
from precis.frontends.clang.c_types import CType, Sort
from precis.frontends.clang.cursors import Declaration, Node, Unit
from precis.frontends.clang.endless import ended, is_endless
from precis.frontends.clang.failure import INTERNAL, Unlowered
from precis.frontends.clang.fit import fits, is_opaque
from precis.frontends.clang.functions import builtin_procedure, lower_function
from precis.frontends.clang.globals import lower_global
from precis.frontends.clang.initialisers import literal_bytes
from precis.frontends.clang.models import model_names
from precis.frontends.clang.startup import NEVER, Priorities, is_mentioned, with_exit, with_startup
from precis.frontends.clang.symbols import File, Strength, Symbol, preferred, symbol_of
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


class Pool(Protocol):
    """Files that join a program when something that they define is needed."""

    def __contains__(self, name: str) -> bool: ...
    def take(self, name: str) -> Unit:
        """The one file that defines the name; raises InputError if there are several."""


@final
class Linker:
    """A program that is being put together; what lowering knows as `Whole`."""

    def __init__(
        self, model: DataModel, find_model: Callable[[str], Unit | None], pool: Pool | None = None
    ) -> None:
        self.types = Types(model)
        self._find_model = find_model
        self._pool = pool
        self._files: dict[Unit, File] = {}
        self._given: list[File] = []  # without those that joined
        self._symbols: dict[str, Symbol] = {}  # defined, of external linkage
        self._names: dict[tuple[Unit, int], str] = {}  # of static ones
        self._taken: set[str] = set()
        self._library: dict[str, Symbol] = {}  # defined in models
        self._fitting: dict[tuple[Unit, int, str], bool] = {}
        self._asked: set[str] = set()
        self._outside: set[str] = set()  # asked for, but defined by no file
        self._waiting: list[tuple[str, Symbol]] = []
        self._automatic: list[Symbol] = []  # constructors and destructors
        self._followed: set[str] = set()  # aliases whose meaning is being looked for
        self._labels_name = ""
        self._labels: dict[tuple[Unit, int], int] = {}
        self._literals: dict[tuple[bytes, Type], str] = {}
        self._procedures: dict[str, Procedure] = {}
        self._globals: dict[str, Global] = {}
        self._externals: dict[str, External] = {}
        self._endless: set[str] = set()  # those of them that do not return
        self._refused: list[Unsupported] = []

    # Files and their symbols

    def add(self, unit: Unit) -> None:
        """A file of the program."""
        self._given.append(self._join(unit))

    def _join(self, unit: Unit) -> File:
        file = self._files[unit] = File(unit, library=False)
        file.read()
        firsts = (same[0] for same in file.declarations.values())
        self._taken.update(first.name for first in firsts if not first.is_static)
        for symbol in file.definitions():
            self._note_automatic(symbol)
            if symbol.is_own:
                continue
            known = self._symbols.get(symbol.name)
            self._symbols[symbol.name] = preferred(known, symbol) if known else symbol
            self._taken.add(symbol.name)
        return file

    def _note_automatic(self, symbol: Symbol) -> None:
        """Remember a constructor or destructor."""
        if not symbol.declaration.is_function or symbol.attributes.automatic == NEVER:
            return
        type_ = symbol.file.unit.types.of_cursor(symbol.declaration.cursor)
        if type_.parameters or type_.inner.sort is Sort.RECORD:
            self._refused.append(Unsupported(f"{symbol.name}, a constructor", symbol.at))
        else:
            self._automatic.append(symbol)

    def _modelled(self, name: str) -> Symbol | None:
        """The definition of a library function or variable in a model, which is read if need be."""
        if name not in self._library:
            unit = self._find_model(name)
            if unit is not None and unit not in self._files:
                file = self._files[unit] = File(unit, library=True)
                file.read()
                for symbol in file.definitions():
                    if not symbol.declaration.is_static:
                        self._library[symbol.name] = symbol
        return self._library.get(name)

    def _defined(self, name: str) -> Symbol | None:
        """The definition that the files of the program have of a name, those of the pool too."""
        if name not in self._symbols and self._pool is not None and name in self._pool:
            self._join(self._pool.take(name))
        return self._symbols.get(name)

    # What lowering asks (body.Whole)

    def is_defined(self, unit: Unit, name: str) -> bool:
        file = self._files[unit]
        if file.library and name not in _ALLOCATION:
            return False
        in_pool = self._pool is not None and name in self._pool
        return name in file.statics or name in self._symbols or in_pool

    def is_opaque(self, unit: Unit, type_: CType) -> bool:
        return is_opaque(type_) and not self._files[unit].library

    def function(self, unit: Unit, node: Node) -> str:
        name = self._resolve(unit, node.target, node.name, node.type)
        if name not in self._asked:  # declared inside a function, or not at all
            self._asked.add(name)
            self._add_external(name, node.type, unit.place(node))
        return name

    def variable(self, unit: Unit, node: Node) -> str:
        name = self._resolve(unit, node.target, node.name, node.type)
        if name not in self._asked:
            self._asked.add(name)
            self._add_global(name, unit, node, None, is_internal=False)
            self._globals[name] = replace(self._globals[name], external=True)
        return name

    def _resolve(self, unit: Unit, key: int, name: str, type_: CType | None) -> str:
        """The name, made unique, of what a file means by it; asked for if anything defines it.

        `type_` is what the file takes it for, if that is known.
        """
        file = self._files[unit]
        same = file.declarations.get(key)
        own = symbol_of(file, same) if same is not None else None
        if own is not None and own.attributes.is_reference:
            return self._resolve_alias(own)
        if own is not None and own.declaration.is_static:
            if own.attributes.alias:
                return self._resolve_alias(own)
            return self._ask_unique((unit, key), name, own)
        linked = own.name if own is not None else name
        if own is not None and own.is_always_inlined:
            return self._ask_unique((unit, key), name, own)
        symbol = self._defined(linked)
        if symbol is not None:
            # A model keeps to its own functions where the program has others of their name.
            kept = self._modelled(linked) if file.library and linked not in _ALLOCATION else None
            if kept is not None:
                return self._ask_unique((kept.file.unit, kept.declaration.key), name, kept)
            return (
                self._resolve_alias(symbol)
                if symbol.attributes.alias
                else self._ask(linked, symbol)
            )
        if own is not None and own.strength is Strength.INLINE:
            return self._ask_unique((unit, key), name, own)
        model = self._fitting_model(file, key, linked, name, type_)
        if model is not None:
            return self._ask_model(model)
        if own is None:
            return linked
        if own.strength is Strength.SPARE:
            return self._ask_unique((unit, key), name, own)
        if own.attributes.weak:
            raise Unlowered(f"{own.name}, which is weak and not defined here")
        return self._ask_outside(linked, own)

    def _resolve_alias(self, alias: Symbol) -> str:
        """What another name of something stands for."""
        target = alias.attributes.alias
        key = alias.file.key(target)
        if alias.name in self._followed:
            raise Unlowered(f"{alias.name}, another name of itself")
        self._followed.add(alias.name)
        try:
            name = self._resolve(alias.file.unit, key, target, None)
        finally:
            self._followed.remove(alias.name)
        if alias.attributes.is_reference and (name in self._outside or name not in self._asked):
            raise Unlowered(f"{target}, which is weak and not defined here")
        return name

    def _ask_model(self, model: Symbol) -> str:
        """Under its own name, unless the program means something else by that."""
        if model.name in self._symbols or model.name in self._outside:
            return self._ask_unique((model.file.unit, model.declaration.key), model.name, model)
        return self._ask(model.name, model)

    def _ask_outside(self, name: str, own: Symbol) -> str:
        """What no file defines, and not the model of its name, which may be in use."""
        if name in self._asked and name in self._library and name not in self._outside:
            return self._ask_unique((own.file.unit, own.declaration.key), name, own)
        self._outside.add(name)
        return self._ask(name, own)

    def _fitting_model(
        self, file: File, key: int, linked: str, name: str, type_: CType | None
    ) -> Symbol | None:
        """The model of a library function that does for what the file declares."""
        for candidate in model_names(linked, name):
            symbol = self._modelled(candidate)
            if symbol is None:
                continue
            if file.library or type_ is None or self._fits(file.unit, key, type_, symbol):
                return symbol
        return None

    def _fits(self, unit: Unit, key: int, type_: CType, model: Symbol) -> bool:
        place = (unit, key, model.name)
        found = self._fitting.get(place)
        if found is None:
            modelled = model.file.unit.types.of_cursor(model.declaration.cursor)
            found = self._fitting[place] = fits(type_, modelled)
        return found

    def function_by_name(self, unit: Unit, name: str, type_: CType) -> Term:
        resolved = self._resolve(unit, 0, name, type_)
        if resolved not in self._asked and self._files[unit].only_declares(name):
            resolved = self._resolve(unit, self._files[unit].key(name), name, type_)
        if resolved not in self._asked:
            raise Unlowered(f"call of __builtin_{name}")
        return function(resolved, self.types.pointer_to(type_))

    def function_named(self, unit: Unit, name: str) -> tuple[Term, CType]:
        file = self._files[unit]
        key = file.key(name)
        if not key:
            raise Unlowered(f"function {name}, which is not declared")
        type_ = unit.types.of_cursor(file.declarations[key][0].cursor)
        resolved = self._resolve(unit, key, name, type_)
        return function(resolved, self.types.pointer_to(type_)), type_

    def _library_function(self, unit: Unit, name: str) -> tuple[Term, CType]:
        symbol = self._defined(name) or self._modelled(name)
        if symbol is None:
            raise Unlowered(f"call of {name}, which has no model")
        type_ = symbol.file.unit.types.of_cursor(symbol.declaration.cursor)
        resolved = self._resolve(unit, 0, name, type_)
        return function(resolved, self.types.pointer_to(type_)), type_

    def _ask_unique(self, key: tuple[Unit, int], name: str, symbol: Symbol) -> str:
        unique = self._names.get(key)
        if unique is None:
            unique = self._names[key] = self._fresh(name)
        return self._ask(unique, symbol)

    def _ask(self, name: str, symbol: Symbol) -> str:
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
            self._resolve_root(file.unit, declaration)
        self._lower_waiting()
        start = entry if entry in self._procedures else ""
        if start and start in self._symbols:
            self._begin_and_end(start)
        self._admit(start)
        if self._labels_name:
            block, size = self._globals[self._labels_name], max(len(self._labels), 1)
            self._globals[block.name] = replace(block, type=Array(U8, size), size=size)
        return Program(
            self.types.model,
            self.types.finish(),
            self._globals,
            {name: ended(made, self._endless) for name, made in self._procedures.items()},
            self._externals,
            start,
            sources=tuple(f.unit.path for f in self._files.values() if not f.library),
        )

    def _resolve_root(self, unit: Unit, declaration: Declaration) -> None:
        try:
            self._resolve(unit, declaration.key, declaration.name, None)
        except Unlowered as failure:  # another name of nothing
            at = unit.cursor_place(declaration.cursor)
            self._refused.append(Unsupported(failure.reason, at))

    def _lower_waiting(self) -> None:
        while self._waiting:
            name, symbol = self._waiting.pop()
            if symbol.declaration.is_function:
                self._lower_function(name, symbol)
            else:
                self._lower_variable(name, symbol)

    def _begin_and_end(self, entry: str) -> None:
        """Let the entry run constructors, and the handlers of atexit and destructors at its end."""
        before, after = self._lowered_automatic(entry)
        noted = len(self._automatic)
        unit, main_at = self._symbols[entry].file.unit, self._procedures[entry].at
        is_own = any(self.is_defined(unit, name) for name in ("exit", "atexit"))
        if after and is_own:
            self._refused.append(Unsupported("destructors beside a function exit", main_at))
        registers = "atexit" in self._asked and "atexit" not in self._outside
        has_handlers = entry == "main" and not is_own and (after or registers)
        if not (before or has_handlers):
            return
        calls: list[tuple[Term, tuple[Term, ...]]] = []
        if after and has_handlers:
            register, type_ = self._library_function(unit, "atexit")
            handler = self.types.decayed(type_.parameters[0])
            calls += [(register, (cast(handler, function_),)) for function_ in after]
        calls += [(function_, ()) for function_ in before]
        if has_handlers:
            exit_, _ = self._library_function(unit, "exit")
            self._procedures[entry] = with_exit(self._procedures[entry], exit_)
        self._lower_waiting()
        if is_mentioned(entry, self._procedures.values()):
            reason = f"{entry} is called, and something runs before or after it"
            self._refused.append(Unsupported(reason, main_at))
        if len(self._automatic) != noted:
            self._refused.append(Unsupported("constructors of files that exit needs", main_at))
        if calls:
            self._procedures[entry] = with_startup(self._procedures[entry], calls)

    def _lowered_automatic(self, entry: str) -> tuple[list[Term], list[Term]]:
        """Constructors and destructors in their order, those too of files that join for them."""
        noted = -1
        while noted != len(self._automatic):
            noted = len(self._automatic)
            before = self._automatic_functions(entry, lambda found: found.before)
            after = self._automatic_functions(entry, lambda found: found.after)
            self._lower_waiting()
        return before, after

    def _automatic_functions(
        self, entry: str, priority: Callable[[Priorities], int | None]
    ) -> list[Term]:
        ordered: list[tuple[int, Term]] = []
        for symbol in self._automatic:
            number = priority(symbol.attributes.automatic)
            if number is None or symbol.name == entry:
                continue
            unit, declaration = symbol.file.unit, symbol.declaration
            type_ = unit.types.of_cursor(declaration.cursor)
            name = self._resolve(unit, declaration.key, declaration.name, type_)
            ordered.append((number, function(name, self.types.pointer_to(type_))))
        return [found for _, found in sorted(ordered, key=lambda pair: pair[0])]

    def _roots(self, entry: str, extent: Extent) -> list[tuple[File, Declaration]]:
        """What lowering starts at; without an entry, all that the given files define."""
        symbol = self._symbols.get(entry)
        reachable = extent is Extent.REACHABLE
        if reachable and symbol is not None and symbol.declaration.is_function:
            return [(symbol.file, symbol.declaration)]
        found = [root for file in self._given for root in _own_definitions(file)]
        if reachable and not any(declaration.is_function for _, declaration in found):
            raise InputError("no function is defined here", file=self._given[0].unit.path)
        return found

    def _lower_function(self, name: str, symbol: Symbol) -> None:
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
        same = [d.cursor for d in symbol.file.declarations.get(declaration.key, [declaration])]
        if any(is_endless(unit.head_text(one), unit.type_text(one)) for one in same):
            self._endless.add(name)
        self._add_external(name, type_, at)

    def _add_external(self, name: str, type_: CType, at: Location) -> None:
        try:
            kind = self.types.of(type_)
        except Unlowered:
            kind = _UNKNOWN
        assert isinstance(kind, Function)
        self._externals[name] = External(name, kind, at)

    def _lower_variable(self, name: str, symbol: Symbol) -> None:
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
        except (InputError, MemoryError):
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


# A program that replaces these replaces them for the library too.
_ALLOCATION = frozenset({"malloc", "calloc", "realloc", "free"})
# How C89 declares a function that is called without a declaration.
_UNKNOWN = Function(I32, (), False)


def _own_definitions(file: File) -> Iterator[tuple[File, Declaration]]:
    """All but the statics of variables, and what headers have for whoever needs it."""
    for symbol in file.definitions():
        declaration = symbol.declaration
        if symbol.strength is Strength.SPARE:
            continue
        if not symbol.is_own or (declaration.is_function and symbol.at.file == file.unit.path):
            yield file, declaration

"""libclang's cursors as a tree of our own.

`Unit` is a parsed translation unit. Its top-level declarations are listed without being
entered; `Unit.tree` reads one of them whole, in a single visit, so that a program pays only
for the functions that it reaches.

libclang hides some of what its parser knows. What can be told from a cursor's neighbourhood
is told where it is lowered; what needs the text (missing parts of `for`) is in `printed.py`.
"""

from __future__ import annotations

from ctypes import POINTER, byref, c_char_p, c_size_t, c_uint, c_void_p, string_at
from dataclasses import dataclass
from typing import Any, Final, final

from precis.frontends.clang.c_types import CType, TypeReader
from precis.frontends.clang.kinds import DEFAULT_CONDITIONAL, Binary, Kind, Storage, Unary
from precis.frontends.clang.library import (
    CursorVisitor,
    InclusionVisitor,
    RawCursor,
    RawLocation,
    RawRange,
    RawToken,
    RawType,
    library,
    place_of,
    text,
)
from precis.ir.location import NOWHERE, Location

_BINARY = (Kind.BINARY_OPERATOR, Kind.COMPOUND_ASSIGNMENT_OPERATOR)
_NAMED = frozenset(
    {Kind.DECL_REF_EXPR, Kind.MEMBER_REF_EXPR, Kind.MEMBER_REF, Kind.STRING_LITERAL}
    | {Kind.LABEL_STMT, Kind.LABEL_REF}
    | set(range(Kind.STRUCT_DECL, Kind.TYPEDEF_DECL + 1))
)
_REFERRING = frozenset({Kind.DECL_REF_EXPR, Kind.MEMBER_REF, Kind.LABEL_REF, Kind.GOTO_STMT})
_RECURSE, _CONTINUE = 2, 1
_DETAILED_PREPROCESSING = 1
_INTERNAL_LINKAGE = 2
_ERROR = 3  # the first severity that stops a compilation


@final
class Node:
    """A cursor and its children.

    `target` identifies the declaration it is or refers to; `writes`, the variables that are
    assigned by name somewhere in it.
    """

    __slots__ = (
        "children",
        "cursor",
        "kind",
        "name",
        "operator",
        "place",
        "target",
        "type",
        "writes",
    )

    def __init__(self, cursor: RawCursor) -> None:
        self.cursor = cursor
        self.kind: int = cursor.kind
        self.operator = 0
        self.type: CType = _NO_TYPE
        self.name = ""
        self.target = 0
        self.children: list[Node] = []
        self.place: Location | None = None
        self.writes = _NOTHING

    def __repr__(self) -> str:
        kind = Kind(self.kind).name if self.kind in set(Kind) else str(self.kind)
        return f"Node({kind} {self.name!r} {self.children!r})"


_NOTHING: Final[frozenset[int]] = frozenset()
_NO_TYPE: Final = CType.__new__(CType)


@dataclass(frozen=True, slots=True)
class Diagnostic:
    message: str
    place: Location
    is_error: bool


@dataclass(frozen=True, slots=True)
class Fault:
    """A construct inside a function that clang refused and gcc takes."""

    reason: str
    place: Location


@dataclass(frozen=True, slots=True)
class Declaration:
    """A declaration at the top of a file. `key` is shared by redeclarations."""

    cursor: RawCursor
    kind: int
    name: str
    key: int
    is_definition: bool
    is_static: bool
    is_extern: bool  # a variable declared here and defined elsewhere
    is_inline: bool
    has_initialiser: bool

    @property
    def is_function(self) -> bool:
        return self.kind == Kind.FUNCTION_DECL


@final
class Unit:
    """A parsed translation unit; it lives as long as the process."""

    def __init__(self, path: str, handle: c_void_p) -> None:
        self.path = path
        self.types = TypeReader()
        self._lib = library()
        self._handle = handle
        self.has_gnu89_inline = False  # `extern inline` has no code of its own
        self.faults: list[Fault] = []  # what clang refused and gcc takes
        self.typedefs: dict[str, str] = {}  # outside functions: what they stand for
        self._files: dict[int, str] = {}
        self._macros: dict[tuple[int | None, int], str] = {}
        self._include_names: list[tuple[str, str]] = []
        self._declarations: list[Declaration] | None = None

    def diagnostics(self) -> list[Diagnostic]:
        lib = self._lib
        found = []
        for number in range(lib.clang_getNumDiagnostics(self._handle)):
            raw = lib.clang_getDiagnostic(self._handle, number)
            message = text(lib.clang_getDiagnosticSpelling(raw))
            place = self._place(lib.clang_getDiagnosticLocation(raw))
            is_error = lib.clang_getDiagnosticSeverity(raw) >= _ERROR
            lib.clang_disposeDiagnostic(raw)
            found.append(Diagnostic(message, place, is_error))
        return found

    def declarations(self) -> list[Declaration]:
        """The functions and variables at the top of the file, in order.

        Uses of macros and of #include, and typedefs, are noted on the way.
        """
        if self._declarations is None:
            self._declarations = self._read_declarations()
        return self._declarations

    def _read_declarations(self) -> list[Declaration]:
        lib = self._lib
        cursors: list[RawCursor] = []

        def visit(cursor: RawCursor, _parent: RawCursor, _data: object) -> int:
            cursors.append(cursor)
            return _CONTINUE

        lib.clang_visitChildren(
            lib.clang_getTranslationUnitCursor(self._handle), CursorVisitor(visit), None
        )
        found = []
        for cursor in cursors:
            if cursor.kind in (Kind.FUNCTION_DECL, Kind.VAR_DECL):
                found.append(self._declaration(cursor))
            elif cursor.kind == Kind.TYPEDEF_DECL:
                name = text(lib.clang_getCursorSpelling(cursor))
                self.typedefs[name] = self.types.of_cursor(cursor).spelling
            elif cursor.kind == Kind.MACRO_EXPANSION:
                file, _, _, offset = place_of(
                    lib.clang_getExpansionLocation, lib.clang_getCursorLocation(cursor)
                )
                self._macros.setdefault((file, offset), text(lib.clang_getCursorSpelling(cursor)))
            elif cursor.kind == Kind.INCLUSION_DIRECTIVE:
                includer = self._place(lib.clang_getCursorLocation(cursor)).file
                self._include_names.append((includer, text(lib.clang_getCursorSpelling(cursor))))
        return found

    def is_in_function(self, place: Location) -> bool:
        """Is the place inside the definition of a function?"""
        for declaration in self.declarations():
            if declaration.is_function and declaration.is_definition:
                extent: RawRange = self._lib.clang_getCursorExtent(declaration.cursor)
                start = self._place(self._lib.clang_getRangeStart(extent))
                end = self._place(self._lib.clang_getRangeEnd(extent))
                at = (place.line, place.column)
                inside = (start.line, start.column) <= at < (end.line, end.column)
                if start.file == place.file and inside:
                    return True
        return False

    def _declaration(self, cursor: RawCursor) -> Declaration:
        lib = self._lib
        return Declaration(
            cursor,
            cursor.kind,
            text(lib.clang_getCursorSpelling(cursor)),
            self._key(cursor),
            bool(lib.clang_isCursorDefinition(cursor)),
            lib.clang_getCursorLinkage(cursor) == _INTERNAL_LINKAGE,
            self.storage(cursor) == Storage.EXTERN,
            cursor.kind == Kind.FUNCTION_DECL and bool(lib.clang_Cursor_isFunctionInlined(cursor)),
            cursor.kind == Kind.VAR_DECL
            and lib.clang_Cursor_getVarDeclInitializer(cursor).second is not None,
        )

    def is_outside_functions(self, node: Node) -> bool:
        """Does a DECL_REF_EXPR name a variable that is no local of a function?"""
        linkage: int = self._lib.clang_getCursorLinkage(self.referenced(node))
        return linkage >= _INTERNAL_LINKAGE

    def tree(self, root: RawCursor) -> Node:
        """`root` with all that is under it, read in one visit without recursion of ours."""
        cursors: list[RawCursor] = []
        parents: list[RawCursor] = []

        def visit(cursor: RawCursor, parent: RawCursor, _data: object) -> int:
            cursors.append(cursor)
            parents.append(parent)
            return _RECURSE

        self._lib.clang_visitChildren(root, CursorVisitor(visit), None)
        top = self._node(root)
        path = [(_identity(root), top)]
        nodes = []
        for cursor, parent in zip(cursors, parents, strict=True):
            wanted = _identity(parent)
            while path[-1][0] != wanted:
                path.pop()
            node = self._node(cursor)
            path[-1][1].children.append(node)
            nodes.append(node)
            path.append((_identity(cursor), node))
        for node in reversed(nodes):
            _complete(node)
        return top

    def _node(self, cursor: RawCursor) -> Node:
        lib = self._lib
        node = Node(cursor)
        kind = node.kind
        if kind < Kind.UNEXPOSED_STMT:
            node.type = self.types.of_cursor(cursor)
        if kind in _BINARY:
            node.operator = lib.clang_getCursorBinaryOperatorKind(cursor)
        elif kind == Kind.UNARY_OPERATOR:
            node.operator = lib.clang_getCursorUnaryOperatorKind(cursor)
        if kind in _NAMED:
            node.name = text(lib.clang_getCursorSpelling(cursor))
        if kind in _REFERRING:
            node.target = self._key(lib.clang_getCursorReferenced(cursor))
        elif kind < Kind.TYPE_REF or kind == Kind.LABEL_STMT:
            node.target = self._key(cursor)
        return node

    def _key(self, cursor: RawCursor) -> int:
        """One number for all declarations of an entity; a label is its statement."""
        if cursor.kind >= Kind.UNEXPOSED_STMT:
            return cursor.second or 0
        return self._lib.clang_getCanonicalCursor(cursor).first or 0

    def referenced(self, node: Node) -> RawCursor:
        found: RawCursor = self._lib.clang_getCursorReferenced(node.cursor)
        return found

    def place(self, node: Node) -> Location:
        if node.place is None:
            node.place = self._range(node.cursor)
        return node.place

    def cursor_place(self, cursor: RawCursor) -> Location:
        return self._place(self._lib.clang_getCursorLocation(cursor))

    def _range(self, cursor: RawCursor) -> Location:
        """From the cursor's own place, an operator for instance, to where its text ends."""
        lib = self._lib
        start = self._place(lib.clang_getCursorLocation(cursor))
        extent: RawRange = lib.clang_getCursorExtent(cursor)
        end = place_of(lib.clang_getExpansionLocation, lib.clang_getRangeEnd(extent))
        file, line, column, _ = end
        is_after = (line, column) > (start.line, start.column)
        if start.macro or file is None or self._files.get(file) != start.file or not is_after:
            return start
        return Location(start.file, start.line, start.column, line, column)

    def _place(self, location: RawLocation) -> Location:
        lib = self._lib
        file, line, column, offset = place_of(lib.clang_getExpansionLocation, location)
        if file is None:
            return NOWHERE
        name = self._files.get(file)
        if name is None:
            name = self._files[file] = text(lib.clang_getFileName(file))
        macro = self._macros.get((file, offset), "")
        if not macro:
            return Location(name, line, column)
        used, argument_line, argument_column, _ = place_of(lib.clang_getSpellingLocation, location)
        argument = (argument_line, argument_column)
        if used != file or argument == (line, column):
            argument = (0, 0)
        return Location(name, line, column, macro=macro, argument=argument)

    def covers_the_same(self, node: Node, other: Node) -> bool:
        """Are two nodes written with the same text?"""
        extents = [self._lib.clang_getCursorExtent(n.cursor) for n in (node, other)]
        return len({(extent.begin, extent.end) for extent in extents}) == 1

    def is_in_system_header(self, cursor: RawCursor) -> bool:
        lib = self._lib
        return bool(lib.clang_Location_isInSystemHeader(lib.clang_getCursorLocation(cursor)))

    def storage(self, cursor: RawCursor) -> int:
        found: int = self._lib.clang_Cursor_getStorageClass(cursor)
        return found

    def written_type(self, node: Node) -> RawType:
        found: RawType = self._lib.clang_getCursorType(node.cursor)
        return found

    def initialiser(self, variable: Node) -> Node | None:
        """The initialiser among the children of a VAR_DECL, which also hold parts of its type."""
        raw: RawCursor = self._lib.clang_Cursor_getVarDeclInitializer(variable.cursor)
        if raw.second is None:
            return None
        for child in reversed(variable.children):
            if child.cursor.second == raw.second:
                return child
        return None

    def parameters(self, function: Node) -> list[Node]:
        """Its parameters; the children also hold those of functions in the types."""
        lib = self._lib
        count = lib.clang_Cursor_getNumArguments(function.cursor)
        own = {lib.clang_Cursor_getArgument(function.cursor, i).first for i in range(count)}
        return [child for child in function.children if child.cursor.first in own]

    def enumerator(self, node: Node) -> int:
        """The value of an ENUM_CONSTANT_DECL, or of the one that a DECL_REF_EXPR names."""
        lib = self._lib
        cursor = node.cursor
        if node.kind == Kind.DECL_REF_EXPR:
            cursor = lib.clang_getCursorReferenced(cursor)
        value: int = (
            lib.clang_getEnumConstantDeclValue(cursor)
            if node.type.signed
            else lib.clang_getEnumConstantDeclUnsignedValue(cursor)
        )
        return value

    def evaluate(self, node: Node) -> int | float | None:
        """The value of a constant scalar expression, as clang folds it; None if it is none.

        Never to be asked of an initialiser list: libclang crashes on one under a designator.
        """
        lib = self._lib
        result = lib.clang_Cursor_Evaluate(node.cursor)
        if not result:
            return None
        value: int | float | None = None
        kind = lib.clang_EvalResult_getKind(result)
        if kind == 1:
            unsigned = lib.clang_EvalResult_isUnsignedInt(result)
            value = (
                lib.clang_EvalResult_getAsUnsigned(result)
                if unsigned
                else lib.clang_EvalResult_getAsLongLong(result)
            )
        elif kind == 2:
            value = lib.clang_EvalResult_getAsDouble(result)
        lib.clang_EvalResult_dispose(result)
        return value

    def printed(self, node: Node) -> str:
        """A declaration as clang prints it: macros expanded, one form for all layouts."""
        return text(self._lib.clang_getCursorPrettyPrinted(node.cursor, None))

    def attributes_text(self, declaration: RawCursor) -> str:
        """A declaration that has attributes, as clang prints it, up to its body; else nothing."""
        return self.head_text(declaration) if self._lib.clang_Cursor_hasAttrs(declaration) else ""

    def head_text(self, declaration: RawCursor) -> str:
        """A declaration as clang prints it, up to its body."""
        return text(self._lib.clang_getCursorPrettyPrinted(declaration, None)).split("{")[0]

    def type_text(self, declaration: RawCursor) -> str:
        """The type of a declaration, as clang prints it."""
        lib = self._lib
        return text(lib.clang_getTypeSpelling(lib.clang_getCursorType(declaration)))

    def files_read(self) -> list[tuple[str, bytes]]:
        """The name of each file that was parsed, and its content as it was parsed."""
        lib = self._lib
        found: list[tuple[str, bytes]] = []

        def visit(file: int, _stack: object, _depth: int, _data: object) -> None:
            size = c_size_t()
            content = lib.clang_getFileContents(self._handle, file, byref(size))
            name = text(lib.clang_getFileName(file))
            found.append((name, string_at(content, size.value) if content else b""))

        lib.clang_getInclusions(self._handle, InclusionVisitor(visit), None)
        return found

    def include_names(self) -> list[tuple[str, str]]:
        """Each #include: the file it stands in, and the name as it is written there."""
        return self._include_names

    def tokens(self, node: Node) -> list[str]:
        """The tokens a node was written with; those of the macro use if it comes from one."""
        lib = self._lib
        found, count = POINTER(RawToken)(), c_uint()
        extent: RawRange = lib.clang_getCursorExtent(node.cursor)
        lib.clang_tokenize(self._handle, extent, byref(found), byref(count))
        words = [
            text(lib.clang_getTokenSpelling(self._handle, found[i])) for i in range(count.value)
        ]
        if words:
            lib.clang_disposeTokens(self._handle, found, count)
        return words


def _identity(cursor: RawCursor) -> int | None:
    """A declaration is its first pointer, an expression or statement its second."""
    return cursor.second if cursor.kind >= Kind.UNEXPOSED_EXPR else cursor.first


_ASSIGNING = frozenset(range(Binary.ASSIGN, Binary.COMMA))
_STEPPING = frozenset(range(Unary.POST_INCREMENT, Unary.ADDRESS))


def _complete(node: Node) -> None:
    """Give `node`, whose children are complete, its `writes`; undo a repetition of libclang's."""
    children = node.children
    if node.kind == Kind.UNEXPOSED_EXPR and len(children) == 4 and _repeats(children):
        del children[1:3]
        node.operator = DEFAULT_CONDITIONAL
    for child in children:
        if child.writes:
            node.writes = node.writes | child.writes
    assigns = (node.kind in _BINARY and node.operator in _ASSIGNING) or (
        node.kind == Kind.UNARY_OPERATOR and node.operator in _STEPPING
    )
    if assigns and children:
        left = children[0]
        while left.kind == Kind.PAREN_EXPR:
            left = left.children[0]
        if left.kind == Kind.DECL_REF_EXPR:
            node.writes = node.writes | {left.target}


def _repeats(children: list[Node]) -> bool:
    """Of `a ?: b` libclang shows a three times: as written, as condition and as result."""
    first, second = children[0].cursor.second, children[1].cursor.second
    return first is not None and first == second


def read(path: str, arguments: list[str]) -> Unit | None:
    """The file, parsed; None if libclang could make nothing of it."""
    lib = library()
    index = lib.clang_createIndex(0, 0)
    handle = c_void_p()
    encoded: Any = (c_char_p * len(arguments))(*(a.encode() for a in arguments))
    failure = lib.clang_parseTranslationUnit2(
        index,
        path.encode(),
        encoded,
        len(arguments),
        None,
        0,
        _DETAILED_PREPROCESSING,
        byref(handle),
    )
    return None if failure else Unit(path, handle)

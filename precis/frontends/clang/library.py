"""libclang's shared library, declared for ctypes.

Only what this front end uses is declared. A CXCursor, CXType or CXSourceLocation is passed by
value and points into the translation unit, which must outlive it.
"""

from __future__ import annotations

import ctypes
import importlib.util
import sys
from ctypes import (
    POINTER,
    Structure,
    byref,
    c_char_p,
    c_double,
    c_int,
    c_longlong,
    c_size_t,
    c_uint,
    c_ulonglong,
    c_void_p,
)
from functools import cache
from pathlib import Path
from typing import Any

from precis.errors import ToolError


class RawCursor(Structure):
    """CXCursor. What the pointers mean depends on the kind; together they identify a cursor."""

    _fields_ = [
        ("kind", c_int),
        ("xdata", c_int),
        ("first", c_void_p),
        ("second", c_void_p),
        ("third", c_void_p),
    ]
    kind: int
    first: int | None
    second: int | None


class RawType(Structure):
    _fields_ = [("kind", c_int), ("first", c_void_p), ("second", c_void_p)]
    kind: int
    first: int | None


class RawLocation(Structure):
    _fields_ = [("first", c_void_p), ("second", c_void_p), ("offset", c_uint)]


class RawRange(Structure):
    _fields_ = [("first", c_void_p), ("second", c_void_p), ("begin", c_uint), ("end", c_uint)]


class RawString(Structure):
    _fields_ = [("data", c_void_p), ("flags", c_uint)]


class RawToken(Structure):
    _fields_ = [("int_data", c_uint * 4), ("pointer", c_void_p)]


CursorVisitor = ctypes.CFUNCTYPE(c_int, RawCursor, RawCursor, c_void_p)
InclusionVisitor = ctypes.CFUNCTYPE(None, c_void_p, c_void_p, c_uint, c_void_p)
FieldVisitor = ctypes.CFUNCTYPE(c_int, RawCursor, c_void_p)

_PLACE = [RawLocation, POINTER(c_void_p), POINTER(c_uint), POINTER(c_uint), POINTER(c_uint)]

# name -> argument types, result type
_FUNCTIONS: dict[str, tuple[list[Any], Any]] = {
    "createIndex": ([c_int, c_int], c_void_p),
    "parseTranslationUnit2": (
        [
            c_void_p,
            c_char_p,
            POINTER(c_char_p),
            c_int,
            c_void_p,
            c_uint,
            c_uint,
            POINTER(c_void_p),
        ],
        c_int,
    ),
    "disposeTranslationUnit": ([c_void_p], None),
    "getNumDiagnostics": ([c_void_p], c_uint),
    "getDiagnostic": ([c_void_p, c_uint], c_void_p),
    "getDiagnosticSeverity": ([c_void_p], c_int),
    "getDiagnosticSpelling": ([c_void_p], RawString),
    "getDiagnosticLocation": ([c_void_p], RawLocation),
    "disposeDiagnostic": ([c_void_p], None),
    "getCString": ([RawString], c_char_p),
    "disposeString": ([RawString], None),
    "getTranslationUnitCursor": ([c_void_p], RawCursor),
    "visitChildren": ([RawCursor, CursorVisitor, c_void_p], c_uint),
    "getCursorLocation": ([RawCursor], RawLocation),
    "getCursorExtent": ([RawCursor], RawRange),
    "getRangeStart": ([RawRange], RawLocation),
    "getRangeEnd": ([RawRange], RawLocation),
    "Location_isInSystemHeader": ([RawLocation], c_int),
    "getExpansionLocation": (_PLACE, None),
    "getSpellingLocation": (_PLACE, None),
    "getFileName": ([c_void_p], RawString),
    "getFileContents": ([c_void_p, c_void_p, POINTER(c_size_t)], c_void_p),
    "getInclusions": ([c_void_p, InclusionVisitor, c_void_p], None),
    "getCursorSpelling": ([RawCursor], RawString),
    "getCursorPrettyPrinted": ([RawCursor, c_void_p], RawString),
    "getCursorReferenced": ([RawCursor], RawCursor),
    "getCanonicalCursor": ([RawCursor], RawCursor),
    "getCursorBinaryOperatorKind": ([RawCursor], c_int),
    "getCursorUnaryOperatorKind": ([RawCursor], c_int),
    "getCursorLinkage": ([RawCursor], c_int),
    "Cursor_hasAttrs": ([RawCursor], c_uint),
    "Cursor_getNumArguments": ([RawCursor], c_int),
    "Cursor_getArgument": ([RawCursor, c_uint], RawCursor),
    "Cursor_getStorageClass": ([RawCursor], c_int),
    "Cursor_getVarDeclInitializer": ([RawCursor], RawCursor),
    "Cursor_isFunctionInlined": ([RawCursor], c_uint),
    "Cursor_Evaluate": ([RawCursor], c_void_p),
    "EvalResult_getKind": ([c_void_p], c_int),
    "EvalResult_isUnsignedInt": ([c_void_p], c_uint),
    "EvalResult_getAsLongLong": ([c_void_p], c_longlong),
    "EvalResult_getAsUnsigned": ([c_void_p], c_ulonglong),
    "EvalResult_getAsDouble": ([c_void_p], c_double),
    "EvalResult_dispose": ([c_void_p], None),
    "isCursorDefinition": ([RawCursor], c_uint),
    "getEnumConstantDeclValue": ([RawCursor], c_longlong),
    "getEnumConstantDeclUnsignedValue": ([RawCursor], c_ulonglong),
    "getEnumDeclIntegerType": ([RawCursor], RawType),
    "getFieldDeclBitWidth": ([RawCursor], c_int),
    "Cursor_getOffsetOfField": ([RawCursor], c_longlong),
    "Cursor_isBitField": ([RawCursor], c_uint),
    "getCursorType": ([RawCursor], RawType),
    "getCanonicalType": ([RawType], RawType),
    "getTypeSpelling": ([RawType], RawString),
    "getTypeDeclaration": ([RawType], RawCursor),
    "getTypedefDeclUnderlyingType": ([RawCursor], RawType),
    "getPointeeType": ([RawType], RawType),
    "getArrayElementType": ([RawType], RawType),
    "getArraySize": ([RawType], c_longlong),
    "getResultType": ([RawType], RawType),
    "getNumArgTypes": ([RawType], c_int),
    "getArgType": ([RawType, c_uint], RawType),
    "isFunctionTypeVariadic": ([RawType], c_uint),
    "Type_getSizeOf": ([RawType], c_longlong),
    "Type_getAlignOf": ([RawType], c_longlong),
    "Type_getValueType": ([RawType], RawType),
    "Type_visitFields": ([RawType, FieldVisitor, c_void_p], c_uint),
    "tokenize": ([c_void_p, RawRange, POINTER(POINTER(RawToken)), POINTER(c_uint)], None),
    "getTokenSpelling": ([c_void_p, RawToken], RawString),
    "disposeTokens": ([c_void_p, POINTER(RawToken), c_uint], None),
    "getClangVersion": ([], RawString),
}


@cache
def library() -> Any:
    """libclang, loaded, with the types of its functions declared."""
    path = library_path()
    try:
        loaded = ctypes.CDLL(str(path))
    except OSError as error:
        raise ToolError("libclang", f"cannot load {path}: {error}") from error
    for name, (arguments, result) in _FUNCTIONS.items():
        function = getattr(loaded, f"clang_{name}")
        function.argtypes, function.restype = arguments, result
    return loaded


@cache
def library_path() -> Path:
    package = importlib.util.find_spec("clang")
    if package is None or not package.submodule_search_locations:
        raise ToolError("libclang", "not installed; `pip install libclang` brings it")
    suffix = {"darwin": "dylib", "win32": "dll"}.get(sys.platform, "so")
    return Path(next(iter(package.submodule_search_locations)), "native", f"libclang.{suffix}")


def text(raw: RawString) -> str:
    """The string, which is given back to libclang."""
    lib = library()
    content: bytes | None = lib.clang_getCString(raw)
    lib.clang_disposeString(raw)
    return content.decode("utf-8", "replace") if content else ""


def place_of(find: Any, location: RawLocation) -> tuple[int | None, int, int, int]:
    """File handle, line, column and offset that `find` (expansion or spelling) gives."""
    file, line, column, offset = c_void_p(), c_uint(), c_uint(), c_uint()
    find(location, byref(file), byref(line), byref(column), byref(offset))
    return file.value, line.value, column.value, offset.value

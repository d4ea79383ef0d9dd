"""The numbers by which libclang tells cursors and operators apart."""

from __future__ import annotations

from enum import IntEnum
from typing import Final


class Kind(IntEnum):
    """The cursor kinds that this front end knows, by libclang's numbers."""

    STRUCT_DECL = 2
    UNION_DECL = 3
    ENUM_DECL = 5
    FIELD_DECL = 6
    ENUM_CONSTANT_DECL = 7
    FUNCTION_DECL = 8
    VAR_DECL = 9
    PARM_DECL = 10
    TYPEDEF_DECL = 20
    TYPE_REF = 43
    MEMBER_REF = 47
    LABEL_REF = 48
    UNEXPOSED_EXPR = 100
    DECL_REF_EXPR = 101
    MEMBER_REF_EXPR = 102
    CALL_EXPR = 103
    INTEGER_LITERAL = 106
    FLOATING_LITERAL = 107
    IMAGINARY_LITERAL = 108
    STRING_LITERAL = 109
    CHARACTER_LITERAL = 110
    PAREN_EXPR = 111
    UNARY_OPERATOR = 112
    ARRAY_SUBSCRIPT_EXPR = 113
    BINARY_OPERATOR = 114
    COMPOUND_ASSIGNMENT_OPERATOR = 115
    CONDITIONAL_OPERATOR = 116
    CAST_EXPR = 117
    COMPOUND_LITERAL_EXPR = 118
    INIT_LIST_EXPR = 119
    ADDR_LABEL_EXPR = 120
    STATEMENT_EXPR = 121
    GENERIC_SELECTION_EXPR = 122
    SIZEOF_EXPR = 136  # sizeof and _Alignof
    UNEXPOSED_STMT = 200
    LABEL_STMT = 201
    COMPOUND_STMT = 202
    CASE_STMT = 203
    DEFAULT_STMT = 204
    IF_STMT = 205
    SWITCH_STMT = 206
    WHILE_STMT = 207
    DO_STMT = 208
    FOR_STMT = 209
    GOTO_STMT = 210
    INDIRECT_GOTO_STMT = 211
    CONTINUE_STMT = 212
    BREAK_STMT = 213
    RETURN_STMT = 214
    ASM_STMT = 215
    NULL_STMT = 230
    DECL_STMT = 231
    MACRO_EXPANSION = 502
    INCLUSION_DIRECTIVE = 503
    STATIC_ASSERT = 602


class Binary(IntEnum):
    """Binary operators, by libclang's numbers; a compound assignment is 20 above."""

    MUL = 3
    DIV = 4
    REM = 5
    ADD = 6
    SUB = 7
    SHL = 8
    SHR = 9
    LT = 11
    GT = 12
    LE = 13
    GE = 14
    EQ = 15
    NE = 16
    AND = 17
    XOR = 18
    OR = 19
    LOGICAL_AND = 20
    LOGICAL_OR = 21
    ASSIGN = 22
    COMMA = 33


# Of `a op= b`: 23 (*=) to 32 (|=).
COMPOUND: Final = {
    23: Binary.MUL,
    24: Binary.DIV,
    25: Binary.REM,
    26: Binary.ADD,
    27: Binary.SUB,
    28: Binary.SHL,
    29: Binary.SHR,
    30: Binary.AND,
    31: Binary.XOR,
    32: Binary.OR,
}


class Unary(IntEnum):
    """Unary operators, by libclang's numbers."""

    POST_INCREMENT = 1
    POST_DECREMENT = 2
    PRE_INCREMENT = 3
    PRE_DECREMENT = 4
    ADDRESS = 5
    DEREFERENCE = 6
    PLUS = 7
    MINUS = 8
    COMPLEMENT = 9
    NOT = 10
    REAL = 11
    IMAGINARY = 12
    EXTENSION = 13


DEFAULT_CONDITIONAL: Final = 100  # the operator of `a ?: b`, an UNEXPOSED_EXPR of a and b


class Storage(IntEnum):
    """CX_StorageClass."""

    NONE = 1
    EXTERN = 2
    STATIC = 3
    REGISTER = 7

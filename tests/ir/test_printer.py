"""The printed form of programs, and terms as messages show them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings

from precis.frontends.text.parse import parse
from precis.ir import values as v
from precis.ir.clike import print_type
from precis.ir.codec import decode, encode
from precis.ir.instr import Assign, Return
from precis.ir.location import NOWHERE
from precis.ir.printer import print_procedure, print_program, print_term
from precis.ir.procedure import BasicBlock, Procedure, Variable
from precis.ir.program import Program
from precis.ir.types import (
    F32,
    F64,
    I8,
    I32,
    I64,
    LOGIC,
    U8,
    U64,
    VOID,
    VOID_POINTER,
    Array,
    Float,
    Function,
    Pointer,
    Record,
    Type,
)
from precis.ir.values import Term
from precis.ir.wellformed import violations
from tests.ir.sample import SAMPLE, TEXT
from tests.laws.strategies import SCOPE, alone, terms
from tests.laws.term_dice import HOSTILE

DEEP = 10_000  # far beyond what recursion can follow


def holding(value: Term, *types: Type) -> Program:
    """A program that assigns the term to variable 0, of which the others are its variables."""
    declared = (value.type, *types)
    variables = tuple(Variable(f"v{i}", type_, NOWHERE) for i, type_ in enumerate(declared))
    block = BasicBlock((Assign(0, value, NOWHERE),), Return(None, NOWHERE))
    return alone(Procedure("p", Function(VOID, ()), (), variables, (), (block,), NOWHERE))


def assigned(program: Program) -> Term:
    (step,) = program.procedures["p"].blocks[0].steps
    assert isinstance(step, Assign)
    return step.value


def test_sample_is_in_printed_form() -> None:
    assert print_program(SAMPLE) == TEXT


def test_procedure_alone_has_no_places() -> None:
    text = print_procedure(SAMPLE, SAMPLE.procedures["main"])
    assert text.startswith("procedure main(%0.argc, %1.argv): fn(i32, **i8) -> i32 {\n")
    assert "@" not in text


def test_hostile_names_are_quoted(golden: Callable[[str, str], None]) -> None:
    variables = tuple(Variable(name, I32, NOWHERE) for name in HOSTILE)
    end = BasicBlock((), Return(v.var(3, I32), NOWHERE))
    procedures = {
        name: Procedure(name, Function(I32, ()), (), variables[:4], (), (end,), NOWHERE)
        for name in HOSTILE
    }
    program = replace(SAMPLE, procedures=procedures, globals={}, entry=HOSTILE[3])
    text = print_program(program)
    assert parse(text) == program
    golden("ir/hostile-names.ir", text)


@pytest.mark.parametrize("value", [0.0, -0.0, 1e300, 5e-324, 0.1, math.inf, -math.inf, math.nan])
@pytest.mark.parametrize("type_", [F32, F64])
def test_reals_read_back(value: float, type_: Float) -> None:
    program = holding(v.real(type_, value))
    assert parse(print_program(program)) == program
    assert decode(encode(program)) == program


@pytest.mark.parametrize(
    "term",
    [
        v.term("add", I64, (v.const(I32, 1), v.const(I8, 2))),
        v.term("add", I32, (v.const(I32, 1),)),
        v.term("add", I32, (), 5),
        v.term("neg", I32, (v.const(I32, 1), v.const(I32, 1))),
        v.term("ite", I32, (v.TRUE, v.const(I32, 1), v.undef(I32)), "x\ny"),
        v.term("offset", VOID_POINTER, (v.null(VOID_POINTER), v.const(I32, 1)), None),
        v.term("var", I32, (), "name"),
        v.term("var", I32, (), -1),
        v.term("const", I32, (v.TRUE,), 1),
        v.term("global", I32, (), 2.5),
        v.term("eq", I32, (v.TRUE, v.TRUE)),
        v.term("const", LOGIC, (), 7),
        v.var(99, I32),
        v.var(0, U64),
        v.global_("nowhere", Pointer(I8)),
    ],
    ids=repr,
)
def test_ill_typed_terms_read_back(term: Term) -> None:
    program = holding(term)
    assert assigned(parse(print_program(program))) is term
    assert decode(encode(program)) == program
    nested = holding(v.term("cast", I32, (term,)))
    assert parse(print_program(nested)) == nested


def chain(step: Callable[[Term], Term], start: Term) -> Term:
    for _ in range(DEEP):
        start = step(start)
    return start


ONE = v.var(1, I32)
CHAINS: dict[str, Callable[[Term], Term]] = {
    "left": lambda x: v.term("add", I32, (x, ONE)),
    "right": lambda x: v.term("add", I32, (ONE, x)),
    "prefix": lambda x: v.term("neg", I32, (x,)),
    "both": lambda x: v.term("mul", I32, (x, x)),
    "choice": lambda x: v.term("ite", I32, (v.term("lt", LOGIC, (x, ONE)), ONE, ONE)),
    "raw": lambda x: v.term("add", I32, (x,)),
}


@pytest.mark.parametrize("name", CHAINS)
def test_deep_terms_travel(name: str) -> None:
    program = holding(chain(CHAINS[name], ONE), I32)
    assert parse(print_program(program)) == program
    assert decode(encode(program)) == program
    assert bool(violations(program)) == (name == "raw")
    assert len(print_term(assigned(program))) < 2000


def test_shared_subterms_are_named() -> None:
    term = ONE
    for _ in range(6):
        term = v.term("add", I32, (term, term))
    text = print_procedure(*_both(holding(term, I32)))
    assert "  let $0 = %1.v1 + %1.v1\n  let $1 = $0 + $0\n" in text
    assert "  %0.v0 = $4 + $4\n" in text


def _both(program: Program) -> tuple[Program, Procedure]:
    return program, program.procedures["p"]


X, Y = v.var(2, Pointer(Record("node"))), v.var(0, I32)
WORD = v.cast(I64, Y)


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (v.binary("mul", v.binary("add", Y, v.const(I32, 1)), Y), "(argc + 1) * argc"),
        (v.binary("sub", Y, v.binary("sub", Y, Y)), "argc - (argc - argc)"),
        (v.binary("add", v.binary("mul", Y, Y), Y), "argc * argc + argc"),
        (v.as_int(v.compare("lt", Y, v.const(I32, -3))), "argc < -3"),
        (v.unary("neg", v.unary("neg", Y)), "- -argc"),
        (v.not_(v.compare("le", Y, Y)), "!(argc <= argc)"),
        (v.offset(X, WORD, 8), "(char *)p + (long long)argc * 8"),
        (v.offset(v.var(9, Pointer(U8)), v.const(I64, 4)), "%9 + 4"),
        (v.term("diff", I64, (X, X)), "(char *)p - (char *)p"),
        (v.null(VOID_POINTER), "NULL"),
        (v.local(0, Pointer(I8)), "&buffer"),
        (v.global_("a b", Pointer(I8)), '&"a b"'),
        (v.undef(I32), "an indeterminate value"),
        (v.ite(v.truth_of(Y), Y, v.const(I32, 0)), "argc != 0 ? argc : 0"),
        (v.and_(v.truth_of(Y), v.or_(v.truth_of(X), v.truth_of(Y))),
         "argc != 0 && (p != NULL || argc != 0)"),
    ],
)  # fmt: skip
def test_terms_in_messages_look_like_c(term: Term, text: str) -> None:
    assert print_term(term, SAMPLE.procedures["main"]) == text


@pytest.mark.parametrize(
    ("type_", "text"),
    [
        (U8, "unsigned char"),
        (U64, "unsigned long long"),
        (F32, "float"),
        (Pointer(Pointer(I32)), "int **"),
        (Array(Pointer(VOID), 3), "void *[3]"),
        (Pointer(Function(I32, (I32,), True)), "int (*)(int, ...)"),
        (Function(VOID, ()), "void (void)"),
    ],
)
def test_types_in_messages_look_like_c(type_: Type, text: str) -> None:
    assert print_type(type_) == text


@given(terms(I32, SCOPE))
@settings(max_examples=200)
def test_any_term_reads_back_and_can_be_shown(term: Term) -> None:
    program = holding(v.term("cast", U64, (term,)), *SCOPE.variables[1:])
    assert parse(print_program(program)) == program
    assert print_term(term)

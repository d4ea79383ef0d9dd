"""Laws of every well-formed program: it is accepted, and survives every form it travels in."""

from __future__ import annotations

from hypothesis import given, settings

from precis.frontends.text.parse import parse
from precis.ir.codec import decode, encode
from precis.ir.printer import print_program
from precis.ir.program import Program
from precis.ir.wellformed import violations
from tests.laws.strategies import programs


def orders(program: Program) -> list[list[str]]:
    mappings = (program.records, program.globals, program.procedures, program.externals)
    return [list(mapping) for mapping in mappings]


@given(programs())
@settings(max_examples=60)
def test_generated_programs_are_well_formed(program: Program) -> None:
    assert violations(program) == ()


@given(programs())
@settings(max_examples=100)
def test_printed_programs_read_back(program: Program) -> None:
    text = print_program(program)
    again = parse(text)
    assert again == program
    assert orders(again) == orders(program)
    assert print_program(again) == text
    assert text.isascii()
    assert text.replace("\n", "").isprintable()


@given(programs())
@settings(max_examples=60)
def test_encoded_programs_decode(program: Program) -> None:
    again = decode(encode(program))
    assert again == program
    assert orders(again) == orders(program)

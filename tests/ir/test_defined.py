"""Reads that may see an indeterminate value."""

from __future__ import annotations

from hypothesis import given

from precis.frontends.text.parse import parse
from precis.ir.defined import maybe_undefined
from precis.ir.instr import operands
from precis.ir.procedure import Procedure
from precis.ir.values import subterms
from tests.laws.strategies import procedures


def reads(*lines: str) -> list[tuple[int, int, int]]:
    """Of a procedure with parameters a and p, and x, y (i32), c, d (u8) besides."""
    text = (
        "precis ir 1\n"
        "procedure f(%0.a, %1.p): fn(i32, *u8) -> i32 {\n"
        "  var %0.a: i32\n  var %1.p: *u8\n  var %2.x: i32\n  var %3.y: i32\n"
        "  var %4.c: u8\n  var %5.d: u8\n"
    )
    procedure = parse(text + "\n".join(lines) + "\n}\n").procedures["f"]
    return [(read.block, read.step, read.variable) for read in maybe_undefined(procedure)]


def test_parameters_are_values() -> None:
    assert reads("b0:", "store [%1.p] = %0.a", "return %0.a") == []


def test_variable_that_is_never_assigned() -> None:
    assert reads("b0:", "%3.y = %2.x + %2.x", "return %3.y") == [(0, 0, 2)]


def test_undef_and_back() -> None:
    lines = ("%2.x = 1", "%2.x = undef:i32", "%3.y = %2.x", "%2.x = 2", "return %2.x")
    assert reads("b0:", *lines) == [(0, 2, 2)]


def test_one_branch_only_assigns() -> None:
    found = reads(
        "b0:", "%2.x = undef:i32", "branch %0.a < 1 then b1 else b2",
        "b1:", "%2.x = 1", "jump b2",
        "b2:", "return %2.x",
    )  # fmt: skip
    assert found == [(2, 0, 2)]


def test_both_branches_assign() -> None:
    found = reads(
        "b0:", "%2.x = undef:i32", "branch %0.a < 1 then b1 else b2",
        "b1:", "%2.x = 1", "jump b3",
        "b2:", "%2.x = choose \"any\"", "jump b3",
        "b3:", "return %2.x",
    )  # fmt: skip
    assert found == []


def test_declaration_in_a_loop_forgets_the_value() -> None:
    found = reads(
        "b0:", "%2.x = 1", "jump b1",
        "b1:", "%3.y = %2.x", "%2.x = undef:i32", "branch %3.y < 9 then b1 else b2",
        "b2:", "return %3.y",
    )  # fmt: skip
    assert found == [(1, 0, 2)]


def test_blocks_out_of_reach_read_nothing() -> None:
    assert reads("b0:", "return 0", "b1:", "return %2.x") == []


def test_checks_do_not_read() -> None:
    lines = ("check 0 no_overflow %2.x + 1", "check 1 initialised_variable %2.x", "return 0")
    assert reads("b0:", *lines) == []


def test_copied_bytes_are_not_used() -> None:
    lines = ("%4.c = load u8 [%1.p]", "%5.d = %4.c", "store [%1.p] = %5.d", "return 0")
    assert reads("b0:", *lines) == []


def test_bytes_computed_with_are_used() -> None:
    lines = ("%4.c = load u8 [%1.p]", "%5.d = %4.c", "%2.x = %5.d as i32", "return %2.x")
    assert reads("b0:", *lines) == [(0, 2, 5)]


def test_byte_that_is_value_and_address_is_used() -> None:
    lines = ("%4.c = load u8 [%1.p]", "store [%1.p .+ (%4.c as i64)] = %4.c", "return 0")
    assert reads("b0:", *lines) == [(0, 1, 4)]


def test_bit_field_of_a_byte_is_a_value() -> None:
    lines = ("%4.c = load u8 [%1.p] bits 0 + 3", "%2.x = %4.c as i32", "return %2.x")
    assert reads("b0:", *lines) == []


def test_unset_byte_cannot_even_be_copied() -> None:
    assert reads("b0:", "store [%1.p] = %4.c", "return 0") == [(0, 0, 4)]


@given(procedures())
def test_every_read_found_is_a_read(procedure: Procedure) -> None:
    found = maybe_undefined(procedure)
    assert list(found) == sorted(found, key=lambda read: (read.block, read.step, read.variable))
    assert len(set(found)) == len(found)
    for read in found:
        block = procedure.blocks[read.block]
        step = (*block.steps, block.end)[read.step]
        assert any(
            node.op == "var" and node.data == read.variable
            for root in operands(step)
            for node in subterms(root)
        )

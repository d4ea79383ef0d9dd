"""Each promise of `precis.ir.wellformed`, broken by one change of the sample's text."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from precis.frontends.text.parse import parse
from precis.ir.instr import BlockKind
from precis.ir.wellformed import violations
from tests.ir.sample import SAMPLE, TEXT

LINE = '  %3 = havoc "inline assembly"\n'

# What stands in the text, what it becomes, and what is then said of it.
CHANGES = (
    ("entry main", "entry maine", "the entry maine is not a procedure"),
    ("entry main", "entry puts", "the entry puts is not a procedure"),
    ("external printf", "external head", "external head: the name has another meaning"),
    ("procedure main(", "procedure head(", "procedure head: the name has another meaning"),
    ("value: i32 offset 8", "value: i32 offset 4", "fields overlap"),
    ("value: i32 offset 8", "value: i32 offset 22", "field value lies outside of the 24 bytes"),
    ("value: i32 offset 8", "value: i32 offset -4", "field value lies outside of the 24 bytes"),
    ("value: i32", "value: i7", "no integer has 7 bits"),
    ("value: i32", "value: f16", "no float has 16 bits"),
    ("value: i32", "value: {gone}", "no record is called gone"),
    ("value: i32", "value: *logic", "a pointer to logic"),
    ("value: i32", "value: void", "memory of type void"),
    ("value: i32", "value: [-1 x i32]", "no array is [-1 x i32]"),
    ("value: i32", "value: *fn(void) -> i32", "no function takes void"),
    ("value: i32", "value: *fn() -> [2 x i32]", "no function gives [2 x i32]"),
    ("ready: u32 offset 12 bits 0 + 1", "ready: u32 offset 12 bits 8 + 1", "bits 8 + 1 of u32"),
    ("ready: u32 offset 12 bits 0 + 1", "ready: u32 offset 12 bits 0 + 33", "bits 0 + 33 of u32"),
    ("ready: u32 offset", "ready: f32 offset", "a bit-field of type f32"),
    ("record node size 24 align 8", "record node size 24 align 3", "not a power of two"),
    ("size 6 align 1", "size 5 align 1", "5 bytes do not hold [6 x i8]"),
    ("literal constant", "heap constant", "a global of kind heap"),
    ("[6 x i8] size 6", "fn() -> void size 6", "memory of type fn() -> void"),
    ("literal constant {", "constant external {", "defined elsewhere, and has pieces"),
    ("  8 = &head", "  7 = &head", "pieces overlap"),
    ("  8 = &head", "  20 = &head", "piece at 20 lies outside of the 24 bytes"),
    ("16 bits 3 + 4 = 5:u32", "16 bits 3 + 4 = 5.0", "a bit-field of type f64"),
    ("16 bits 3 + 4 = 5:u32", '16 bits 3 + 4 = b"x"', "a bit-field of plain bytes"),
    ("16 bits 3 + 4 = 5:u32", "16 = %0:i32", "no variable has the number 0"),
    ("16 bits 3 + 4 = 5:u32", "16 = undef:i32", "undef is not a constant"),
    ("16 bits 3 + 4 = 5:u32", "16 = true", "a value of type logic"),
    ("= &head:*i8", "= &gone:*i8", "no global is called 'gone'"),
    ("external puts: fn(*i8)", "external puts: fn(void)", "external puts: no function takes void"),
    ("main(%0.argc, %1.argv)", "main(%0.argc)", "1 parameters where the type asks for 2"),
    ("main(%0.argc, %1.argv)", "main(%0, %0)", "two parameters are one variable"),
    ("main(%0.argc, %1.argv)", "main(%0, %3)", "%3 does not take **i8"),
    ("main(%0.argc, %1.argv)", "main(%0, %9)", "no variable has the number 9"),
    ("visit(%0, %1.n, %2)", "visit(%0, %1.n)", "2 parameters where the type asks for 3"),
    ("var %3: i32", "var %3: logic", "%3: a variable of type logic"),
    ("size 16 align 1", "size 15 align 1", "&0: 15 bytes do not hold [16 x i8]"),
    ("size ? align 4", "size -1 align 4", "&1: a size of -1 bytes"),
    ("size ? align 4", "size ? align 0", "&1: the alignment 0 is not a power of two"),
    ("begin &0.buffer ", "begin &0.buffer size 4:u64 ", "&0 has two sizes"),
    ("begin &1.vla size (%0.argc as u64) * 4:u64", "begin &1.vla", "&1 has no size"),
    ("check 1 no_overflow", "check 0 no_overflow", "check 0 comes after check 0"),
    ("branch %2.p == null:*{node} then", "branch %3 then", "the condition has type i32"),
    ("then b3 else b1", "then b9 else b1", "no block has the number 9"),
    ("else b1 }", "else b7 }", "no block has the number 7"),
    ("switch %3", "switch %6.x", "a switch on f64"),
    ("3..5 -> b3", "1..5 -> b3", "two cases take 1"),
    ("3..5 -> b3", "5..3 -> b3", "no case 5..3 of i32"),
    ("3..5 -> b3", "3..2147483648 -> b3", "no case 3..2147483648 of i32"),
    ("return %3 ", "return ", "no value of type i32 is returned"),
    ("return %3 ", "return %6.x ", "f64 is returned, not i32"),
    ("return %3 ", "halt %6.x ", "the status has type f64"),
    ("  halt\n", "  return %2\n", "*void is returned, not void"),
)  # fmt: skip

# Lines in the place of a step, and what is then said of them.
STEPS = (
    ("%9 = 1", "no variable has the number 9"),
    ("%3 = 1:i64", "%3 of type i32 receives i64"),
    ("%3 = true", "%3 of type i32 receives logic"),
    ("%3 = load i64 [%2.p]", "%3 of type i32 receives i64"),
    ("%3 = load i32 [%3]", "the address has type i32"),
    ("%6.x = load f64 [%2.p] bits 0 + 3", "a bit-field of type f64"),
    ("%3 = load i32 [%2.p] bits 0 + 33", "bits 0 + 33 of i32"),
    ("store [%3] = 1", "the address has type i32"),
    ("store [%2.p] = true", "the value has type logic"),
    ("store [%2.p] = undef:i32", "undef is not the whole right side"),
    ("store [%2.p] = 1.0 bits 0 + 1", "a bit-field of type f64"),
    ("copy [%3] = [%2.p] size 1", "the target has type i32"),
    ("copy [%2.p] = [%3] size 1", "the source has type i32"),
    ("copy [%2.p] = [%2.p] size 1.0", "the size has type f64"),
    ("fill [%3] = 1 size 1", "the address has type i32"),
    ("fill [%2.p] = 1.5 size 1", "the byte has type f64"),
    ("fill [%2.p] = 1 size %2.p", "the size has type *{node}"),
    ("%3 = alloc 8", "%3 is not a pointer"),
    ("%2.p = alloc 8.0", "the size has type f64"),
    ("free %3", "the address has type i32"),
    ("%2.p = measure %2.p", "%2 is not an integer"),
    ("%3 = measure %3", "the address has type i32"),
    ("begin &7", "no object has the number 7"),
    ("begin &1.vla size 1.0", "the size has type f64"),
    ("end &7", "no object has the number 7"),
    ("call %2.p(1)", "a call of *{node}"),
    ("call fn gone:*fn() -> void()", "no procedure is called 'gone'"),
    ("%3 = call fn puts()", "0 arguments, not 1"),
    ("%3 = call fn puts(%3)", "argument 0 has type i32, not *i8"),
    ("%6.x = call fn puts(%2.p)", "%6 of type f64 receives i32"),
    ("%3 = call fn printf(%2.p)", "1 arguments, not 2"),
    ("%2.p = call fn visit(%2.p, %2.p, %2.p)", "%2 of type *{node} receives void"),
    ("assume %3", "the condition has type i32"),
    ("%9 = choose \"x\"", "no variable has the number 9"),
    ("%9 = havoc \"x\"", "no variable has the number 9"),
    ("%3 = spawn %3(%2.p)", "a call of i32"),
    ("%3 = spawn fn puts(true)", "the argument has type logic"),
    ("join true", "the thread has type logic"),
    ("lock %3", "the address has type i32"),
    ("unlock %3", "the address has type i32"),
    ("check 9 valid_read [%3] size 1", "the address has type i32"),
    ("check 9 valid_write [%2.p] size 1.0", "the size has type f64"),
    ("check 9 valid_free %3", "the address has type i32"),
    ("check 9 valid_call %2.p", "a call of *{node}"),
    ("check 9 initialised [%2.p] size 0", "0 initialised bytes"),
    ("check 9 initialised_variable %9", "no variable has the number 9"),
    ('check 9 never_reached "bad luck"', "'bad luck' is not a rule"),
    ("check 9 no_overflow %4.size + 1:u64", "nothing to ask of add of type u64"),
    ("check 9 no_overflow %3", "nothing to ask of var of type i32"),
    ("check 9 shift_in_range %3 + 1", "nothing to ask of add of type i32"),
    ("check 9 nonzero %6.x / 2.0", "nothing to ask of div of type f64"),
)  # fmt: skip

TERMS = (
    ("%9:i32", "no variable has the number 9"),
    ("%6.x:i32", "%6 is f64, not i32"),
    ("#const:i32{2147483648}()", "2147483648 is not a value of i32"),
    ("#const:f64{1}()", "1 is not a value of f64"),
    ("(-8:*i8) as i32", "-8 is not a value of *i8"),
    ("2:logic as i32", "2 is not a value of logic"),
    ("0.1:f32 as i32", "0.1 is not a value of f32"),
    ("1e300:f32 as i32", "1e+300 is not a value of f32"),
    ("1.0:i32", "a real of type i32"),
    ("&9:*i32 as i32", "no object has the number 9"),
    ("&head:i32", "an address of type i32"),
    ("#var:i32{\"x\"}()", "var with data 'x'"),
    ("#var:i32{3}(1)", "var takes no arguments"),
    ("1 + 1:i64", "add of i32, i64 does not give i32"),
    ("#add:i64(1, 1)", "add of i32, i32 does not give i64"),
    ("#add:i32(1)", "add takes 2 arguments, not 1"),
    ("#add:i32{1}(1, 1)", "add carries no data"),
    ("(1.5 % 2.0) as i32", "rem of f64, f64 does not give f64"),
    ("(~ 1.5) as i32", "bnot of f64 does not give f64"),
    ("(- %2.p) as i32", "neg of *{node} does not give *{node}"),
    ("(%2.p + %2.p) as i32", "add of *{node}, *{node}"),
    ("1 << 1.0", "shl of i32, f64 does not give i32"),
    ("(true < false) as i32", "lt of logic, logic does not give logic"),
    ("(1 == 1:i64) as i32", "eq of i32, i64 does not give logic"),
    ("#eq:i32(1, 1)", "eq of i32, i32 does not give i32"),
    ("(! 1) as i32", "not of i32 does not give logic"),
    ("(true && 1) as i32", "and of logic, i32 does not give logic"),
    ("if(1, 2, 3)", "ite of i32, i32, i32 does not give i32"),
    ("if(true, 2, 3:i64)", "ite of logic, i32, i64 does not give i32"),
    ("(%2.p as f64) as i32", "cast of *{node} does not give f64"),
    ("(1 as logic) as i32", "cast of i32 does not give logic"),
    ("(true as *i8) as i32", "cast of logic does not give *i8"),
    ("(%2.p .+ 1) as i32", "offset of *{node}, i32 does not give *{node}"),
    ("(%3 .+ 1:i64)", "offset of i32, i64 does not give i32"),
    ("(%2.p .+ 2:i64 by 4) as i32", "offset of *{node}, i64 does not give *{node}"),
    ("#offset:*i8(%2.p, 1:i64) as i32", "offset with data None"),
    ("(%2.p .- %3) as i32", "diff of *{node}, i32 does not give i64"),
    ("1 + undef:i32", "undef is not the whole right side"),
    ("undef:logic", "undef of type logic"),
)  # fmt: skip


def test_sample_is_well_formed() -> None:
    assert violations(SAMPLE) == ()


@pytest.mark.parametrize(("old", "new", "said"), CHANGES)
def test_change_is_noticed(old: str, new: str, said: str) -> None:
    assert TEXT.count(old) >= 1
    found = violations(parse(TEXT.replace(old, new, 1)))
    assert any(said in violation for violation in found), found


@pytest.mark.parametrize(("line", "said"), STEPS)
def test_step_is_noticed(line: str, said: str) -> None:
    found = violations(parse(TEXT.replace(LINE, f"  {line}\n")))
    assert len(found) == 1
    assert said in found[0]
    assert found[0].startswith("procedure main: b2, step 1: ")


@pytest.mark.parametrize(("term", "said"), TERMS)
def test_term_is_noticed(term: str, said: str) -> None:
    found = violations(parse(TEXT.replace(LINE, f"  %3 = {term}\n")))
    assert any(said in violation for violation in found), found


def test_names_are_those_things_stand_under() -> None:
    for kind in ("records", "globals", "procedures", "externals"):
        (name, item), *_ = getattr(SAMPLE, kind).items()
        changed = {**getattr(SAMPLE, kind), name: replace(item, name="other")}
        fields: dict[str, Any] = {kind: changed}
        found = violations(replace(SAMPLE, **fields))
        assert any(f"other stands under the name {name}" in said for said in found), found


def test_procedure_has_a_block() -> None:
    main = replace(SAMPLE.procedures["main"], blocks=())
    found = violations(replace(SAMPLE, procedures={**SAMPLE.procedures, "main": main}))
    assert found == ("procedure main: has no blocks",)


def test_alloc_makes_heap_or_stack() -> None:
    for kind in BlockKind:
        text = TEXT.replace("alloc zero 24", f"alloc zero {kind.value} 24")
        right = kind in (BlockKind.HEAP, BlockKind.STACK)
        assert (violations(parse(text)) == ()) == right

"""Errors in printed IR are told with their lines; the front end checks what it loads."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from precis.errors import InputError
from precis.frontends.text.parse import TextFrontEnd, parse
from tests.ir.sample import SAMPLE, TEXT

HEAD = "precis ir 1\n"
BODY = HEAD + "procedure f(): fn() -> void {\n  var %0.x: i32\nb0:\n"

ERRORS = (
    ("", 1, "expected 'precis', found the end of the line"),
    ("int main(void) {}", 1, "expected 'precis', found 'int'"),
    ("precis ir 2", 1, "expected '1', found '2'"),
    (HEAD + "what", 2, "'what' does not begin an item"),
    (HEAD + "model PDP11", 0, "'PDP11' is not a model"),
    (HEAD + "global x: i32 size 4 align 4 \x07", 2, "unexpected character"),
    (HEAD + "global x: i32 size 4 align 4 more", 2, "unexpected 'more'"),
    (HEAD + "global x: int size 4 align 4", 2, "'int' is not a type"),
    (HEAD + "global x: " + "*" * 300 + "i8 size 8 align 8", 2, "nested too deeply"),
    (HEAD + 'file 1 "a.c"', 2, "this one is 0"),
    (HEAD + "external f: fn() -> i32 @ 0:1", 2, "no file has the number 0"),
    (HEAD + "external f: fn() -> i32\nexternal f: fn() -> i32", 3, "is there already"),
    (HEAD + "record r size 1 align 1 {\n", 2, "the brace is never closed"),
    (HEAD + 'external "\\q": fn() -> void', 2, "unknown escape"),
    (HEAD + 'external "\\u{ffffffffff}": fn() -> void', 2, ""),
    (HEAD + "procedure f(%0.y): fn() -> void {\n  var %0.x: i32\n}\n", 2, "%0 is not declared"),
    (BODY + "  return\nb2:\n  return\n}", 6, "this one is b1"),
    (BODY + "  %0 = 1\n}\n", 2, "the last block has no end"),
    (BODY + "  %0.y = 1\n  return\n}", 5, "%0 is not declared with the name 'y'"),
    (BODY + "  fly\n  return\n}", 5, "'fly' is not a step"),
    (BODY + "  %0 = free %0\n  return\n}", 5, "'free' gives no value"),
    (BODY + "  alloc 4\n  return\n}", 5, "the value of 'alloc' needs a variable"),
    (BODY + "  %0 = 1 +\n  return\n}", 5, "expected a word, found the end of the line"),
    (BODY + "  %0 = (1 + 2\n  return\n}", 5, "expected ')', found the end of the line"),
    (BODY + "  %0 = 1 + 2 + 3\n  return\n}", 5, "unexpected '+'"),
    (BODY + "  %0 = null\n  return\n}", 5, "the type is missing"),
    (BODY + "  %0 = %7\n  return\n}", 5, "the type is missing"),
    (BODY + "  %0 = $0\n  return\n}", 5, "nothing is named $0"),
    (BODY + "  %0 = word\n  return\n}", 5, "'word' does not begin a term"),
    (BODY + "  %0 = #power:i32(2, 3)\n  return\n}", 5, "'power' is not an operation"),
    (BODY + "  %0 = if(true, 2)\n  return\n}", 5, "'if' takes a condition and two values"),
    (BODY + "  check 0 lucky\n  return\n}", 5, "'lucky' is not an obligation"),
    (BODY + "  %0 = choose unquoted\n  return\n}", 5, "expected a text in quotes"),
    (BODY + "  jump 3\n}", 5, "expected the number of a block"),
)


@pytest.mark.parametrize(("text", "line", "message"), ERRORS)
def test_error(text: str, line: int, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse(text, "p.ir")
    assert message in caught.value.message
    assert (caught.value.file, caught.value.line) == ("p.ir", line)


def test_comments_and_space_do_not_matter() -> None:
    text = TEXT.replace("\n", "  // a remark\r\n\n")
    assert parse(text) == SAMPLE


@given(
    st.integers(0, len(TEXT) - 1), st.integers(0, 8), st.text('%&$b0(){}[]:@."\\-, x', max_size=4)
)
@settings(max_examples=150)
def test_any_change_is_read_or_refused(at: int, gone: int, new: str) -> None:
    try:
        parse(TEXT[:at] + new + TEXT[at + gone :])
    except InputError as error:
        assert error.message


def test_front_end_loads_a_file(tmp_path: Path) -> None:
    path = tmp_path / "sample.ir"
    path.write_text(TEXT)
    assert TextFrontEnd().load([path]) == SAMPLE


def test_front_end_refuses_what_is_not_well_formed(tmp_path: Path) -> None:
    path = tmp_path / "sample.ir"
    path.write_text(TEXT.replace("entry main", "entry gone"))
    with pytest.raises(InputError, match="not well formed: the entry gone"):
        TextFrontEnd().load([path])


def test_front_end_refuses_what_it_cannot_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        TextFrontEnd().load([tmp_path / "gone.ir"])
    with pytest.raises(InputError, match="is one file"):
        TextFrontEnd().load([])

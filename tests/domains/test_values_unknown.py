"""Steps that `values` knows nothing of."""

from __future__ import annotations

from precis.engine.results import Status, Verdict
from tests.checking import check, lines


def test_nothing_is_known_beyond_what_is_not_supported() -> None:
    result = check(
        """
        #include <setjmp.h>
        static jmp_buf buffer;
        int main(void) {
          int x = 1;
          if (setjmp(buffer)) x = 2;
          return 1 / x;
        }""",
        ("division",),
    )
    assert result.verdict is Verdict.UNKNOWN
    assert "not supported" in result.reason


def test_what_an_effect_without_a_model_leaves_may_be_anything() -> None:
    result = check(
        """
        void __assert_fail(const char *, const char *, unsigned, const char *);
        int main(void) {
          int x = 1, y = 1;
          asm("nop" : "=r"(x));
          if (y != 1) __assert_fail("", "", 0, "");
          if (x != 1) __assert_fail("", "", 0, "");
          return 0;
        }"""
    )
    assert lines(result, Status.OPEN) | lines(result, Status.VIOLATED) == {7}
    assert lines(result, Status.PROVED) >= {6}


def test_a_number_made_of_an_address_may_be_anything() -> None:
    result = check(
        """
        void __assert_fail(const char *, const char *, unsigned, const char *);
        static int cells[4];
        static long number = (long)&cells + 4;
        static int *second = &cells[1];
        int main(void) {
          if (second != cells + 1) __assert_fail("", "", 0, "");
          if (number == 3) __assert_fail("", "", 0, "");
          return 0;
        }"""
    )
    assert lines(result, Status.OPEN) == {8}
    assert lines(result, Status.PROVED) >= {7}

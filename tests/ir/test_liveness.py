"""Which variables may still be read."""

from __future__ import annotations

from precis.frontends.text.parse import parse
from precis.ir.liveness import live_variables, live_with_checks

TEXT = """precis ir 1
procedure f(%0.a, %1.b): fn(i32, i32) -> i32 {
  var %0.a: i32
  var %1.b: i32
  var %2.c: i32
b0:
  branch %0.a < 3 then b1 else b2
b1:
  check 0 no_overflow %1.b + 1
  return %0.a
b2:
  %2.c = 4
  jump b3
b3:
  return %2.c
}
"""


def test_checks_read_where_they_count() -> None:
    procedure = parse(TEXT).procedures["f"]
    assert [row[0] for row in live_variables(procedure)] == [0b001, 0b001, 0b000, 0b100]
    assert live_with_checks(procedure) == (0b011, 0b011, 0b000, 0b100)

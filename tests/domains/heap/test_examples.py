"""The examples of the paper on modular heap summaries, in C."""

from __future__ import annotations

import pytest

from precis.domains.heap.classes import sizes
from precis.domains.heap.frame import Alias, Calls, Classes, Frame, Relation
from precis.domains.heap.guards import ALWAYS, TRUE, Guards
from precis.domains.heap.names import (
    NULL,
    Kind,
    Name,
    Value,
    constant,
    name,
    pointer,
)
from precis.domains.heap.state import State
from precis.frontends.clang.link import Extent
from precis.ir.program import Program
from precis.ir.types import I32, VOID_POINTER
from tests.domains.heap.analysing import checked, lowered, open_lines, summaries

FIGURE_1 = """
void __assert_fail(const char *, const char *, unsigned, const char *);
#define assert(c) ((c) ? (void)0 : __assert_fail("", "", 0, ""))
static void f(int **a, int **b, int *p, int *q) { *a = p; *b = q; **a = 3; **b = 4; }
static void g1(void) { int *a, *b, p = 0, q = 0; f(&a, &b, &p, &q);
  assert(p == 3); } // g1
static void g2(void) { int *a, *b, p = 0, q = 0; f(&a, &b, &p, &p);
  assert(p == 4); } // g2
static void g3(void) { int *a, p = 0, q = 0; f(&a, &a, &p, &q);
  assert(p == 0); } // g3
int main(void) { g1(); g2(); g3(); return 0; }
"""


def _line(source: str, mark: str) -> int:
    return next(n for n, text in enumerate(source.split("\n"), 1) if f"// {mark}" in text)


EITHER = pytest.mark.parametrize("classes", Classes, ids=lambda classes: classes.value)


@EITHER
def test_figure_1_is_proved(classes: Classes) -> None:
    assert open_lines(checked(lowered(FIGURE_1), classes=classes)) == set()


@EITHER
def test_figure_1_with_weak_calls_leaves_the_first_two_open(classes: Classes) -> None:
    found = open_lines(checked(lowered(FIGURE_1), Calls.WEAK, classes=classes))
    assert found == {_line(FIGURE_1, "g1"), _line(FIGURE_1, "g2")}


@pytest.mark.parametrize("wrong", ["p == 3|p == 4", "p == 4|p == 3", "p == 0|p == 3"])
def test_figure_1_with_a_wrong_assertion_is_not_proved(wrong: str) -> None:
    right, other = wrong.split("|")
    source = FIGURE_1.replace(right, other)
    assert len(open_lines(checked(lowered(source)))) == 1


def _held(state: State, cell: Name, value: Value) -> tuple[int, int, int]:
    """When a procedure leaves a value in a cell: at least, at most; and when it returns."""
    guards = state.frame.theory.guards
    mark, b = state.written[cell][0, 4], state.cells[cell][0, 4][value]
    return guards.both(mark.must, b.must), guards.both(mark.may, b.may), state.reach.may


def _is_exactly(state: State, cell: Name, value: Value, condition: int) -> bool:
    guards = state.frame.theory.guards
    least, most, where = _held(state, cell, value)
    return guards.implies(guards.both(where, condition), least) and guards.implies(
        guards.both(where, most), condition
    )


def test_figure_1_has_the_summary_of_the_paper() -> None:
    """By types: *p is 4 where p and q are one, 3 where neither they nor a and b are."""
    program = lowered(FIGURE_1, extent=Extent.EVERYTHING, properties=())
    state = summaries(program, classes=Classes.TYPE).exit("f")
    a, b, p, q = map(_argument, range(4))
    theory, guards = state.frame.theory, state.frame.theory.guards
    cells, values = theory.same(b, a, 0).may, theory.same(q, p, 0).may
    neither = guards.both(guards.negation(cells), guards.negation(values))
    assert _is_exactly(state, p, constant(4), values)
    assert _is_exactly(state, p, constant(3), neither)
    assert sizes(state.frame) == [3, 2], "what *a holds at entry does not come up"


def test_figure_1_needs_one_relation() -> None:
    """By need: *p is 3 where a and b differ, then *q is 4; the order does the rest."""
    program = lowered(FIGURE_1, extent=Extent.EVERYTHING, properties=())
    state = summaries(program).exit("f")
    a, b, p, q = map(_argument, range(4))
    theory, guards = state.frame.theory, state.frame.theory.guards
    assert _is_exactly(state, p, constant(3), guards.negation(theory.same(b, a, 0).may))
    assert _is_exactly(state, q, constant(4), TRUE)
    written = [base for base, _, _ in state.frame.sequence if base in state.written]
    assert written.index(p) < written.index(q)
    assert sizes(state.frame)[:2] == [2, 1]


EXAMPLE_6 = """
void *malloc(unsigned long);
void f(int **a1, int **a2) {
  *a1 = malloc(4); *a2 = malloc(4);
  **a1 = 7; **a2 = 8;
}
void g(int **a1) { f(a1, a1); }
int main(void) { return 0; }
"""


def _argument(index: int) -> Name:
    return name(Kind.ARGUMENT, index, VOID_POINTER)


def _of(state: State, base: Name, size: int) -> dict[Value, tuple[str, str]]:
    """What a cell holds, with guards as words."""
    same = state.frame.theory.same(_argument(1), _argument(0), 0).may
    guards = state.frame.theory.guards
    words = {same: "same", guards.negation(same): "apart", 1: "always", 0: "never"}
    values = state.cells[base][0, size]
    return {v: (words.get(b.may, "?"), words.get(b.must, "?")) for v, b in values.items()}


def test_example_7_has_the_heap_of_the_paper() -> None:
    program = lowered(EXAMPLE_6, extent=Extent.EVERYTHING)
    state = summaries(program).exit("f")
    one, two = [base for base in state.blocks if base.kind is Kind.NEW]
    first, second = _argument(0), _argument(1)
    assert _of(state, first, 8) == {
        pointer(one): ("apart", "apart"), pointer(two): ("same", "same"),
    }  # fmt: skip
    assert pointer(two) in state.cells[second][0, 8]
    guards, theory = state.frame.theory.guards, state.frame.theory
    same = theory.same(second, first, 0).may
    mark = state.written[second][0, 8]
    where = guards.both(state.reach.may, guards.negation(mark.must))
    assert guards.implies(where, same), "the second cell is written where it is another one"
    assert not guards.possible(guards.both(guards.both(mark.may, same), state.reach.may))
    assert _of(state, two, 4) == {constant(8): ("always", "always")}


def test_example_9_is_as_precise_as_the_body() -> None:
    program = lowered(EXAMPLE_6, extent=Extent.EVERYTHING)
    state = summaries(program).exit("g")
    values = state.cells[_argument(0)][0, 8]
    (value,) = values
    assert values[value] == ALWAYS
    assert value.base is not None and value.base.kind is Kind.NEW
    assert [site[0] for site in value.base.parts[0]] == ["g", "f"]
    assert list(state.cells[value.base][0, 4]) == [constant(8)]
    assert len([base for base in state.blocks if base.kind is Kind.NEW]) == 1, "one is garbage"


EXAMPLE_6_CHECKED = """
void __assert_fail(const char *, const char *, unsigned, const char *);
#define assert(c) ((c) ? (void)0 : __assert_fail("", "", 0, ""))
void *malloc(unsigned long);
static void f(int **a1, int **a2) {
  *a1 = malloc(4); *a2 = malloc(4); if (!*a1 || !*a2) return;
  **a1 = 7; **a2 = 8;
  assert(**a1 == 7); // needs two cells
}
static void g(int **a1) { f(a1, a1); }
static void g0(int **a1, int **a2) { f(a1, a2); }
int main(void) { int *p, *q; CALL; return 0; }
"""


def test_what_a_procedure_needs_is_asked_of_its_callers() -> None:
    properties = ("memory-safety", "assertions")

    def found(call: str) -> set[int]:
        program = lowered(EXAMPLE_6_CHECKED.replace("CALL", call), properties=properties)
        return open_lines(checked(program, properties=properties))

    assert found("g0(&p, &q)") == set()
    assert found("g(&p)") == {_line(EXAMPLE_6_CHECKED, "needs two cells")}


def test_unknown_pointers_of_one_class_have_a_triangle_of_edges() -> None:
    program = lowered("int main(void) { return 0; }")
    for count in range(1, 9):
        names = [_argument(index) for index in range(count)]
        pairs = tuple((y, x, 0) for at, y in enumerate(names) for x in names[:at])
        frame = Frame(program, program.procedures["main"], Relation(pairs))
        edges = sum(len([v for v in frame.unknown(n) if v != NULL]) for n in names)
        assert edges == count * (count + 1) // 2


def _ordered_stores(count: int) -> Program:
    formals = ", ".join(f"int *p{n}" for n in range(count))
    stores = " ".join(f"*p{n} = {n};" for n in range(count))
    return lowered(f"void f({formals}) {{ {stores} }}", extent=Extent.EVERYTHING)


def test_ordered_stores_need_no_relation() -> None:
    found = summaries(_ordered_stores(12))
    state = found.exit("f")
    assert state.frame.relation.pairs == ()
    assert not any(atom[0] == "same" for atom in state.frame.theory.atoms)
    order = [base for base, _, _ in state.frame.sequence]
    assert order == [_argument(n) for n in range(12)]
    summary = found.activation("f").summary
    assert summary is not None
    measures = found.domain.measures(summary)
    assert (measures["edges"], measures["guards"], measures["writes"]) == (12, 12, 0)
    assert measures["classes"] == [1] * 12 and measures["cuts"] == {}


ORDER = """
void __assert_fail(const char *, const char *, unsigned, const char *);
#define assert(c) ((c) ? (void)0 : __assert_fail("", "", 0, ""))
static void s5(int *p, int *q, int c) { *p = 1; if (c == 1) *q = 2; }
int main(void) { int x = 0, y = 0; s5(&x, &x, 0); s5(&y, &y, 1);
  assert(x == 1); assert(y == 2); return 0; }
"""


def test_the_order_of_stores_decides_not_a_relation() -> None:
    program = lowered(ORDER)
    assert open_lines(checked(program)) == set()
    frame = summaries(program).exit("s5").frame
    assert frame.relation.pairs == () and sizes(frame) == [1, 1]


BOTH_SEVEN = """
void __assert_fail(const char *, const char *, unsigned, const char *);
#define assert(c) ((c) ? (void)0 : __assert_fail("", "", 0, ""))
int nondet(void);
static void f(int *p, int *q, int c) { *p = 7; *q = 7; int *t = c ? p : q; assert(*t == 7); }
int main(void) { int x, y; f(&x, &y, 3); f(&x, &x, 0); return 0; }
"""


def test_what_can_only_be_equal_is() -> None:
    assert open_lines(checked(lowered(BOTH_SEVEN))) == set()


RECURSION = """
void __assert_fail(const char *, const char *, unsigned, const char *);
#define assert(c) ((c) ? (void)0 : __assert_fail("", "", 0, ""))
int __VERIFIER_nondet_int(void);
static void zero(int *p) { *p = 0; if (__VERIFIER_nondet_int()) zero(p); }
static void od(int *p);
static void ev(int *p) { if (__VERIFIER_nondet_int()) *p = 0; else od(p); }
static void od(int *p) { if (__VERIFIER_nondet_int()) *p = 1; else ev(p); }
int main(void) {
  int x = 5, y = 5; zero(&x); ev(&y);
  assert(x == 0);
  assert(y == 0 || y == 1);
  assert(y == 0); // open
  return 0; }
"""


def test_what_every_turn_of_a_recursion_establishes_holds() -> None:
    assert open_lines(checked(lowered(RECURSION))) == {_line(RECURSION, "open")}


DEEPER = """
void __assert_fail(const char *, const char *, unsigned, const char *);
#define assert(c) ((c) ? (void)0 : __assert_fail("", "", 0, ""))
int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);
static void f(int ***a, int ***b, int ***c, int **d, int *p, int *q) {
  int **t = malloc(8); *t = q; *a = t;
  if (__VERIFIER_nondet_int()) {
    int ***e = malloc(8); *e = d;
    f(b, c, e, d, p, q);
    if (__VERIFIER_nondet_int()) { int **u = *b; *u = p; int **v = *c; int *w = *v; *w = 3; }
  }
}
int main(void) {
  int p = 1, q = 2, *d = &p, **a = &d, **b = &d, **c = &d;
  f(&a, &b, &c, &d, &p, &q);
  assert(q == 2); // open
  return 0; }
"""


def test_a_name_for_several_blocks_is_never_overwritten_as_one() -> None:
    """A run with two inner calls ends with 3: the newest block of a call and those of deeper
    calls have one name, and a store through it must not wipe out what the others hold."""
    result = checked(lowered(DEEPER))
    lines = {doubt.at.line for doubt in result.doubts.values()}
    assert _line(DEEPER, "open") in lines or result.lost


def test_depth_of_calls_does_not_make_summaries_grow() -> None:
    found_sizes: list[int] = []
    for depth in (4, 12):
        formals = "int *a, int *b, int *c, int *d"
        parts = [f"static void f0({formals}) {{ *a = 1; *b = 2; *c = 3; *d = 4; *d = *a; }}"]
        for n in range(1, depth + 1):
            calls = f"f{n - 1}(a, b, c, d); f{n - 1}(b, c, d, a);"
            parts.append(f"static void f{n}({formals}) {{ {calls} }}")
        last = f"int main(void) {{ int a, b, c, d; f{depth}(&a, &b, &c, &d); return a; }}"
        program = lowered("\n".join([*parts, last]))
        found = summaries(program, Alias.TYPED)
        found_sizes.append(_size(found.exit(f"f{depth}")))
        names = [name for name, _ in found.schedule.callers]
        assert len(names) == depth and len(set(names)) == depth, "each has one summary"
    assert found_sizes[0] == found_sizes[1]


def _size(state: State) -> int:
    guards: Guards = state.frame.theory.guards
    every = [
        guard
        for base, cells in state.cells.items()
        if base in state.written
        for values in cells.values()
        for b in values.values()
        for guard in b
    ]
    return guards.size(every)


def test_int_arguments_are_numbers_of_their_type() -> None:
    program = lowered("int f(int n) { return n; } int main(void) { return f(3); }")
    state = summaries(program).exit("f")
    assert state.variables[0] == {
        Value(None, ((name(Kind.ARGUMENT, 0, I32), 1),), constant(0).number): ALWAYS
    }

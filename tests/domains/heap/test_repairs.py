"""What the printed rules of the paper on modular heap summaries lack, one test for each.

Each repair is right as it is; switched off, it makes a program wrong: an assertion that some run
breaks is proved (UNSOUND), or one that always holds is not (OPEN).

rule of the paper                      repair                                    test
----------------------------------------------------------------------------------------------------
calls: every entry overwrites          written where the body writes it          write guard
  an order for stores that must happen   the same: order only says who wins      conditional store
recursion: the edge is weak            the name stands for several, for all      summary bit, W7
equality of one summary location       may differ from itself                    equal names
  in guards at calls                     the same                                ... at a call
equality of sets: some pair is equal   ... or no pair can differ                 exhaustive sets
assertion: no path condition           counts where control gets to it           path condition
alias classes: a symmetric relation    names are followed to the first one, and  classes closed
                                       pairs looked for until there are no more
classes: cells that are read           written, and read through another name    observed aliasing
  stores in a fixed order                in both orders: related                 both orders
                                         (C) overlaps in part: refused           overlap in part
  the order of stores                    writes in this order                    order of stores
null as a location                     split off, the reason of a failure        null
`let`: drops what the local leads to   the local itself is gone                  end of scope
join: born in one branch, must = F     what is known is kept                     born in one branch
bottom: <F, F> everywhere              no execution: adds nothing                bottom
instances stop at pointers             numbers, and what cells hold, too         numbers at a call
names of blocks at calls               the call comes first in the name          names at a call
value sets keep the callee's guards    guards are looked up in the caller        guards of values

Not here, as there is nothing to switch off: the names `k` of terms, which guards do not need (a
guard is carried over atom by atom); the order of names, of which any is sound; integers in classes
of their own (only names that memory was reached through are ever related); `*alpha` for a store
"to alpha" (a cell is named by the pointer that leads to it); unknowns made when they are needed
(there is no other way with recursive types).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

import pytest

from precis.domains.heap import access, classes, domain, instance, order, sets, transfer
from precis.domains.heap.calls import Left
from precis.domains.heap.domain import Heap
from precis.domains.heap.frame import Alias, Calls, Classes, Frame
from precis.domains.heap.guards import ALWAYS, FALSE, NEVER, Bracket, Guards
from precis.domains.heap.instance import Instance
from precis.domains.heap.names import Name, Value, numbers, pointer, type_of
from precis.domains.heap.sets import Values, only, union
from precis.domains.heap.state import State
from precis.domains.heap.theory import Theory
from precis.domains.protocol import Outcome
from precis.domains.values import num
from precis.engine.activation import ONE_STATE
from precis.engine.analysis import Plan, analyse
from precis.engine.budget import Budget
from precis.ir.types import Int
from tests.domains.heap.analysing import lowered
from tests.domains.heap.paper import Dice
from tests.domains.heap.test_examples import DEEPER
from tests.domains.heap.test_paper import Match, compare, last_state, runs

PRELUDE = """\
void __assert_fail(const char *, const char *, unsigned, const char *);
#define assert(c) ((c) ? (void)0 : __assert_fail("", "", 0, ""))
int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);
"""


class Without(Enum):
    """What goes wrong if the repair is switched off."""

    UNSOUND = "a false assertion is proved"
    OPEN = "a true assertion is not"


@dataclass(frozen=True)
class Repair:
    name: str
    without: Without
    changes: tuple[tuple[object, str, object], ...]
    source: str
    properties: tuple[str, ...] = ("assertions",)
    alias: Alias = Alias.TYPED


def is_proved(repair: Repair) -> bool:
    program = lowered(PRELUDE + repair.source, properties=repair.properties)
    used = Heap(program, False, alias=repair.alias, properties=frozenset(repair.properties))
    root = ("main", used.root_entry(program.procedures["main"]))
    result = analyse(program, Plan(used, ONE_STATE), [root], Budget())
    assert not result.wrong and not result.stopped
    return not result.doubts and not result.lost


# The printed rules.


def _always(left: Left, written: Bracket) -> Bracket:
    return ALWAYS


def _as_one(state: State, base: Name, b: Bracket) -> Bracket:
    return b


def _some_pair(guards: Guards, may: int, must: int, fails: int) -> Bracket:
    return Bracket(may, must)


def _everywhere(state: State, condition: Bracket) -> State:
    return state


def _missing_once(log: Frame, kind: Classes, found: Any = classes.missing) -> Any:
    return () if log.relation.pairs else found(log, kind)


def _as_named(log: Frame, x: Name, distance: int, when: Bracket) -> Values:
    return {pointer(x, distance): when}


def _turned(log: Frame, found: Any = classes.sequence) -> Any:
    return tuple(reversed(found(log)))


def _null_is_good(
    state: State, value: Value, length: Value, writes: bool, where: int, good: Any = access.good
) -> Any:
    return ALWAYS if value.base is None else good(state, value, length, writes, where)


def _no_numbers(call: Instance, unknown: Name, symbol: Any = Instance._symbol) -> Any:
    type_ = type_of(unknown)
    return only(numbers(num.of_type(type_))) if isinstance(type_, Int) else symbol(call, unknown)


def _same_name(call: Instance, base: Name) -> Name:
    return base


def _without_guards(call: Instance, values: Values) -> Values:
    return union(call.guards, [call.value(value) for value in values])


def _from_nothing(
    heap: Heap, older: Sequence[Outcome[State]], newer: Sequence[Outcome[State]],
    joined: Any = Heap.join_answers,
) -> Any:  # fmt: skip
    """The first answer joined to one in which everything is possible and nothing certain."""
    return joined(heap, older, newer) if older else tuple(map(_uncertain, newer))


def _uncertain(outcome: Outcome[State]) -> Outcome[State]:
    state = outcome.answer
    marks = {
        base: {extent: Bracket(b.may, FALSE) for extent, b in cells.items()}
        for base, cells in state.written.items()
    }
    return replace(outcome, answer=replace(state, written=marks))


def _nothing(*_: object) -> list[Any]:
    return []


def _none(*_: object) -> None:
    return None


# Programs.

CONDITIONAL = """
static void f(int *p, int *q, int c) { *p = 1; if (c) *q = 2; }
int main(void) { int x = 0; f(&x, &x, 0); assert(x == {}); return 0; }
"""
EXAMPLE_9 = """
static void f(int **a, int **b) {
  *a = malloc(4); *b = malloc(4); **a = 7; **b = 8; }
int main(void) { int *p; f(&p, &p); assert(*p == 8); return 0; }
"""
LIST = """
struct N { struct N *n; int v; };
static struct N *mk(int k) {
  struct N *x = malloc(sizeof *x); x->n = 0; x->v = 1;
  if (__VERIFIER_nondet_int()) { x->n = mk(5); x->n->v = k; }
  return x; }
"""
RING = """
struct N { struct N *n; };
static struct N *mk(void) {
  struct N *x = malloc(sizeof *x); x->n = x;
  if (__VERIFIER_nondet_int()) x->n = mk();
  return x; }
static int same(struct N *p, struct N *q) { return p == q; }
"""
WRITE_GUARD = ((Left, "_when", _always),)
SUMMARY_BIT = ((State, "hit", _as_one),)
EQUAL_NAMES = ((State, "alike", _as_one),)
ORDER = ((classes, "sequence", _turned),)
OBSERVED = ((Frame, "want_one", _none),)

REPAIRS = (
    Repair("write_guard", Without.OPEN, WRITE_GUARD, EXAMPLE_9),
    Repair(
        "conditional_store", Without.UNSOUND, WRITE_GUARD, CONDITIONAL.replace("{}", "0")
    ),
    Repair(
        "conditional_store_in_order", Without.OPEN, WRITE_GUARD, CONDITIONAL.replace("{}", "1")
    ),
    Repair("summary_bit_w7", Without.UNSOUND, SUMMARY_BIT, DEEPER),
    Repair(
        "summary_bit", Without.UNSOUND, SUMMARY_BIT,
        LIST + "int main(void) { struct N *a = mk(7), *b = a->n;"
        " if (b) { b = b->n; if (b) assert(b->v == 7); } return 0; }",
    ),
    Repair(
        "equal_names", Without.UNSOUND, EQUAL_NAMES,
        RING + "int main(void) { struct N *b = mk()->n; assert(b == b->n); return 0; }",
    ),
    Repair(
        "equal_names_at_a_call", Without.UNSOUND, EQUAL_NAMES,
        RING + "int main(void) { struct N *b = mk()->n; assert(same(b, b->n)); return 0; }",
    ),
    Repair(
        "exhaustive_sets", Without.OPEN, ((sets, "_whole", _some_pair),),
        """
        static int *pick(int *p, int *q) { return __VERIFIER_nondet_int() ? p : q; }
        int main(void) { int a = 3, b = 4, *t = &a;
          for (int i = 0; i < 1000; i++) t = pick(t, &b);
          assert(*t <= 8); return 0; }
        """,
        ("memory-safety", "assertions"),
    ),
    Repair(
        "path_condition", Without.OPEN, ((State, "narrowed", _everywhere),),
        """
        int main(void) { int x = __VERIFIER_nondet_int(); if (x == 1) assert(x < 2); return 0; }
        """,
    ),
    Repair(
        "classes_closed", Without.UNSOUND,
        ((Frame, "_moved", _as_named), (domain, "missing", _missing_once)),
        """
        static int f(int *a, int *b, int *c) { *b = 1; int r = *a; return r + *c; }
        int main(void) { int x = 0; assert(f(&x, &x, &x) == 1); return 0; }
        """,
    ),
    Repair(
        "observed_aliasing", Without.UNSOUND, OBSERVED,
        """
        static int f(int *p, int *q) { *p = 1; *q = 2; return *p; }
        int main(void) { int x; assert(f(&x, &x) == 1); return 0; }
        """,
    ),
    Repair(
        "both_orders", Without.UNSOUND, ((classes, "_cyclic", _nothing),),
        """
        static void f(int *p, int *q, int c) {
          if (c) { *p = 1; *q = 2; } else { *q = 2; *p = 1; } }
        int main(void) { int x; f(&x, &x, 0); assert(x == 2); return 0; }
        """,
    ),
    Repair(
        "overlap_in_part", Without.UNSOUND, ((classes, "note_turned", _none),),
        """
        static void f(char *p, int *q, int c) {
          if (c) { *p = 2; *q = 1; } else { *q = 1; *p = 2; } }
        int main(void) { int x; f((char *)&x, &x, 0); assert(x == 1); return 0; }
        """,
        alias=Alias.ALL,
    ),
    Repair(
        "order_of_stores", Without.UNSOUND, ORDER,
        """
        static void f(int *p, int *q) { *p = 1; *q = 2; }
        int main(void) { int x; f(&x, &x); assert(x == 1); return 0; }
        """,
    ),
    Repair(
        "null_as_a_reason", Without.UNSOUND, ((access, "good", _null_is_good),),
        """
        int main(void) { int x, *p = __VERIFIER_nondet_int() ? &x : 0; *p = 2; return 0; }
        """,
        ("memory-safety",),
    ),
    Repair(
        "null_split_off", Without.UNSOUND, ((Theory, "null", lambda *_: NEVER),),
        """
        static int is_set(int **s) { return *s != 0; }
        int main(void) { int *p = 0; assert(is_set(&p)); return 0; }
        """,
    ),
    Repair(
        "end_of_scope", Without.UNSOUND,
        ((transfer, "own_blocks", _nothing), (transfer, "end_of_scope", lambda s, _: s)),
        """
        static void f(int **o) { int x = 1; *o = &x; }
        int main(void) { int *p; f(&p); return *p; }
        """,
        ("memory-safety",),
    ),
    Repair(
        "born_in_one_branch", Without.OPEN, ((order._Join, "_alone", _none),),
        LIST + "int main(void) { struct N *a = mk(7); if (a->n) assert(a->n->v > 0); return 0; }",
    ),
    Repair(
        "bottom", Without.OPEN, ((Heap, "join_answers", _from_nothing),),
        """
        static void zero(int *p) { *p = 0; if (__VERIFIER_nondet_int()) zero(p); }
        int main(void) { int x = 5; zero(&x); assert(x == 0); return 0; }
        """,
    ),
    Repair(
        "numbers_at_a_call", Without.OPEN, ((Instance, "_symbol", _no_numbers),),
        """
        static void set(int *p, int x) { *p = x; }
        int main(void) { int y = 0; set(&y, 5); assert(y == 5); return 0; }
        """,
    ),
    Repair(
        "names_at_a_call", Without.OPEN, ((Instance, "made_name", _same_name),),
        """
        static int *mk(void) { return malloc(4); }
        int main(void) { int *a = mk(), *b = mk(); *a = 1; *b = 2; assert(*a == 1); return 0; }
        """,
    ),
    Repair(
        "guards_of_values", Without.UNSOUND, ((Instance, "values", _without_guards),),
        """
        static void f(int *p, int c) { if (c) *p = 1; else *p = 2; }
        int main(void) { int y; f(&y, 0); assert(y == 1); return 0; }
        """,
    ),
)  # fmt: skip


@pytest.mark.usefixtures("states_kept")
@pytest.mark.parametrize("repair", REPAIRS, ids=lambda repair: repair.name)
def test_without_the_repair_the_answer_is_wrong(
    repair: Repair, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = repair.without is Without.OPEN
    assert is_proved(repair) is right
    for owner, name, printed in repair.changes:
        monkeypatch.setattr(owner, name, printed)
    assert is_proved(repair) is not right


@pytest.mark.usefixtures("states_kept")
@pytest.mark.parametrize(
    "changes, seed",
    [(WRITE_GUARD, 33), (WRITE_GUARD, 72), (ORDER, 84), (OBSERVED, 103)],
    ids=["write_guard", "write_guard_too", "order_of_stores", "observed_aliasing"],
)
def test_random_programs_find_it_too(
    changes: tuple[tuple[object, str, object], ...], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(instance, "_LONGEST", 8)
    dice = random.Random(seed)
    program = Dice(dice).program()
    (run,) = runs(program, 1, dice)
    assert compare(last_state(program, Calls.STRONG, Alias.TYPED), run) is Match.EXACT
    for owner, name, printed in changes:
        monkeypatch.setattr(owner, name, printed)
    assert compare(last_state(program, Calls.STRONG, Alias.TYPED), run) is Match.WRONG

"""What summaries leave out and nobody misses, and what calls do with less of them."""

from __future__ import annotations

import itertools
import random

import pytest

from precis.domains.heap import calls, judge
from precis.domains.heap.forget import inner_counts
from precis.domains.heap.frame import Alias, Calls
from precis.domains.heap.guards import Costly, Guards
from precis.frontends.clang.link import Extent
from tests.domains.heap.analysing import Summaries, checked, lowered, open_lines, summaries
from tests.domains.heap.straight import Straight


def found_in(source: str) -> Summaries:
    return summaries(lowered(source, extent=Extent.EVERYTHING), Alias.ALL)


PICKED = """
#include <assert.h>
int __VERIFIER_nondet_int(void);
struct pair { int *left, *right; };
static void pick(struct pair *to, int *a, int *b)
{
    to->left = __VERIFIER_nondet_int() ? a : b;
    to->right = __VERIFIER_nondet_int() ? a : b;
}
int main(void)
{
    int x = 1, y = 2;
    struct pair one, two;
    pick(&one, &x, &y);
    int *first = one.left, *second = one.left;
    assert(first == second);
    two = one;
    assert(two.left == one.left && two.right == one.right);
    return 0;
}
"""


def test_what_a_cell_holds_is_the_same_whenever_it_is_read() -> None:
    assert not open_lines(checked(lowered(PICKED)))


def test_a_choice_that_one_cell_hangs_on_stays_inside() -> None:
    state = found_in(PICKED).exit("pick")
    assert not inner_counts(state)
    (cells,) = state.cells.values()
    assert [len(values) for values in cells.values()] == [3, 3]  # one of the two, or null


TIED = """
int __VERIFIER_nondet_int(void);
static int both(int **p, int *a, int *b)
{
    int c = __VERIFIER_nondet_int();
    *p = c ? a : b;
    return c ? 1 : 2;
}
int main(void)
{
    int x = 1, *p;
    return both(&p, &x, 0) == 1 ? *p : 0;
}
"""


def test_a_choice_that_ties_two_things_together_is_told() -> None:
    assert len(inner_counts(found_in(TIED).exit("both"))) == 1
    assert not open_lines(checked(lowered(TIED)))


TEXTS = """
#include <string.h>
int same(const char *a, const char *b) { return strcmp(a, b) == 0; }
"""


def test_the_bytes_that_a_comparison_ended_at_stay_inside() -> None:
    state = found_in(TEXTS).exit("strcmp")
    assert state.variables[0] is not None
    spoken = inner_counts(state)
    assert not [key for key in spoken if "number" in repr(key)], spoken


RECORDS = """
struct door { int number; int *key; };
struct room { int width; int *lamp; };
struct flat { long area; struct room first; };
int *apart(struct door *d, struct room *r, int *p) { d->key = p; r->lamp = 0; return d->key; }
int *inside(struct flat *f, struct room *r, int *p) {
    f->first.lamp = p; r->lamp = 0; return f->first.lamp;
}
"""


def test_records_overlap_only_if_one_contains_the_other() -> None:
    found = found_in(RECORDS)
    for name, pairs in (("apart", 0), ("inside", 1)):
        frame = found.exit(name).frame
        assert len(frame.relation.pairs) == pairs, name
        assert frame.overlaps  # what is taken for granted is asked of callers


COLON = """
#include <stddef.h>
char *colon(char *at)
{
    int flag = 0;
    if (*at == ':') return NULL;
    if (*at == '[') flag = 1;
    for (; *at; ++at) {
        if (*at == '@' && at[1] == '[') flag = 1;
        if (*at == ']' && at[1] == ':' && flag) return at + 1;
        if (*at == ':' && !flag) return at;
        if (*at == '/') return NULL;
    }
    return NULL;
}
"""


def test_conditions_of_a_flag_do_not_grow_with_the_turns() -> None:
    done = found_in(COLON).activation("colon")
    assert not done.given_up and done.entry.coarser <= 1


ERROR = """
#include <errno.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
int main(void) { return strerror(__VERIFIER_nondet_int())[0] == 'x'; }
"""


def test_the_text_of_any_error_can_be_read() -> None:
    assert not open_lines(checked(lowered(ERROR)))


KNOWN_ERROR = """
#include <assert.h>
#include <limits.h>
#include <string.h>
int main(void)
{
    assert(!strcmp(strerror(INT_MIN), "Unknown error -2147483648"));
    assert(!strcmp(strerror(41), "Unknown error 41"));
    assert(!strcmp(strerror(0), "Success"));
    return 0;
}
"""


def test_the_text_of_a_known_error_is_known() -> None:
    assert not open_lines(checked(lowered(KNOWN_ERROR), Calls.INLINE))


def test_what_costs_too_much_costs_only_itself() -> None:
    guards = Guards(100)
    atoms = [guards.atom(number) for number in range(30)]
    before = len(guards)
    with pytest.raises(Costly), guards.within(20):
        for one, other in itertools.pairwise(atoms):
            guards.both(one, other)
    assert not guards.exhausted and len(guards) <= before + 21
    assert guards.both(atoms[0], atoms[29]) > 1


@pytest.mark.parametrize("limit", (0, 2, 10, 40))
def test_calls_that_are_told_less_are_right(limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge, "MOST_NODES_OF_A_NEED", limit)
    monkeypatch.setattr(calls, "MOST_NODES_OF_A_CALL", limit)
    for seed in range(700, 712):
        assert not checked(lowered(Straight(random.Random(seed)).text(3))).wrong, seed

"""What functions without a body give, where it is assumed what they do (assumption 19)."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from precis.domains.heap.domain import Heap
from precis.domains.heap.frame import Frame, Relation
from precis.domains.heap.guards import ALWAYS, NEVER, TRUE
from precis.domains.heap.names import Kind, given, name, pointer
from precis.domains.heap.rebound import rebound
from precis.domains.heap.sets import TOP_SET
from precis.domains.heap.state import State
from precis.engine.activation import ONE_STATE
from precis.engine.analysis import Plan
from precis.engine.budget import Budget
from precis.engine.results import Result, Status, Verdict
from precis.engine.verify import Mode, Options, Searching, verify
from precis.frontends.clang.link import Extent
from precis.ir.types import VOID_POINTER
from tests.domains.heap.analysing import lowered

HEAD = """
#include <assert.h>
#include <stdlib.h>
struct key { int type; struct key *next; };
struct key *key_new(int type);
int key_load(struct key **out, int *count);
int *pick(int *from);
static void set(struct key *a, int v) { a->type = v; }
static struct key *wrap(int t) { return key_new(t); }
static int *first(int *a) { return pick(a); }
"""


def checked(source: str, mode: Mode = Mode.LIBRARY) -> Result:
    extent = Extent.REACHABLE if mode is Mode.PROGRAM else Extent.EVERYTHING
    program = lowered(HEAD + source, (), extent, ("memory-safety", "assertions"))
    properties = frozenset({"memory-safety", "assertions"})
    library = mode is Mode.LIBRARY
    domain = Heap(program, True, properties=properties, assumed=frozenset({19}), library=library)
    options = Options(properties, mode=mode, search=Searching.OFF, assumed=frozenset({19}))
    plans = [Plan(domain, ONE_STATE, 1.0)]
    return verify(program, "test", plans, options, Budget())


def test_what_is_needed_of_a_result_is_a_precondition() -> None:
    result = checked("""
    int get(int t) {
        struct key *a = key_new(t);
        if (!a) return -1;
        set(a, 3);
        assert(a->type == 3);
        return 0;
    }
    """)
    assert result.verdict is Verdict.SAFE
    assert any("what key_new gives (line 13) is null or" in p.text for p in result.preconditions)


def test_a_variable_that_is_handed_over_may_get_a_value() -> None:
    result = checked("""
    int load(void) {
        struct key *k = NULL;
        int count;
        if (key_load(&k, &count)) return -1;
        set(k, count);
        return 0;
    }
    """)
    assert result.verdict is Verdict.SAFE
    assert any("what key_load leaves (line 15)" in p.text for p in result.preconditions)


@dataclass(frozen=True, slots=True)
class Wrong:
    name: str
    source: str


WRONG = (
    Wrong(
        "two_results_may_be_one",
        """int both(int t) {
            struct key *a = wrap(t), *b = wrap(t);
            if (!a || !b) return 0;
            set(a, 1); set(b, 2);
            assert(a->type == 1);
            return 0;
        }""",
    ),
    Wrong(
        "two_results_may_differ",
        """int both(int t) {
            struct key *a = wrap(t), *b = wrap(t);
            assert(a == b);
            return 0;
        }""",
    ),
    Wrong(
        "each_turn_has_its_own",
        """int turns(int n) {
            struct key *last = NULL;
            for (int i = 0; i < n; i++) {
                struct key *k = key_new(i);
                if (i > 0) assert(k == last);
                last = k;
            }
            return 0;
        }""",
    ),
    Wrong(
        "each_turn_has_its_own_by_a_callee",
        """int turns(int n) {
            struct key *last = NULL;
            for (int i = 0; i < n; i++) {
                struct key *k = wrap(i);
                if (i > 0) assert(k == last);
                last = k;
            }
            return 0;
        }""",
    ),
    Wrong(
        "the_last_one_is_handed_over",
        """static struct key *linked(struct key *k) {
            struct key *fresh = key_new(1);
            if (fresh) { fresh->type = 7; if (k) { k->type = 3; assert(fresh->type == 3); } }
            return fresh;
        }
        int chain(int n) {
            struct key *k = NULL;
            for (int i = 0; i < n; i++) k = linked(k);
            return 0;
        }""",
    ),
    Wrong(
        "an_older_one_is_kept",
        """int kept(int n) {
            struct key *first = NULL;
            for (int i = 0; i < n; i++) {
                struct key *k = wrap(i);
                if (!k) return 0;
                k->type = i;
                if (first) assert(first->type == k->type);
                first = k;
                k->type = 1;
            }
            return 0;
        }""",
    ),
    Wrong(
        "it_may_lead_back_to_an_argument",
        "int back(void) { int x = 1; *pick(&x) = 2; assert(x == 1); return x; }",
    ),
    Wrong(
        "it_may_lead_back_to_an_argument_of_a_callee",
        "int back(void) { int x = 1; *first(&x) = 2; assert(x == 1); return x; }",
    ),
    Wrong(
        "it_may_lead_to_memory_of_callers",
        "int out(int *p) { *p = 1; *first(p) = 2; assert(*p == 1); return 0; }",
    ),
    Wrong(
        "a_variable_may_stay_as_it_is",
        """int stays(void) {
            struct key own, *k = &own;
            int count = 7;
            own.type = 1;
            key_load(&k, &count);
            k->type = 2;
            assert(own.type == 1);
            return 0;
        }""",
    ),
    Wrong(
        "a_variable_may_change",
        "int change(void) { struct key *k; int c = 7;key_load(&k, &c); assert(c == 7); return c;}",
    ),
)


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.name)
def test_nothing_wrong_is_proved(wrong: Wrong) -> None:
    result = checked(wrong.source)
    (assertion,) = [o for o in result.obligations if o.rule == "assertion"]
    assert assertion.status in (Status.OPEN, Status.LATENT)


def test_one_that_was_freed_is_one_of_those_before() -> None:
    """Another pointer may lead to it still."""
    program = lowered(HEAD + "int f(int *p) { return *p; }", (), Extent.EVERYTHING)
    frame = Frame(program, program.procedures["f"], Relation())
    new, older = (given(("f", 0, 0, how, "type")) for how in ("gives", "gave"))
    frame.unknown(new)
    argument = name(Kind.ARGUMENT, 0, VOID_POINTER)
    state = State(frame, ALWAYS, ({pointer(new): ALWAYS},), dead={new: ALWAYS, argument: NEVER})
    after = rebound(state, lambda key: True)
    assert after.variables == (TOP_SET,)
    assert list(after.dead) == [argument, older] and after.dead[older].may == TRUE
    again = rebound(after, lambda key: True)
    assert list(again.dead) == [argument, older], "those before stay"


def test_from_the_entry_on_nothing_is_known_of_it() -> None:
    source = "int main(void) { struct key *a = key_new(1); set(a, 3); return 0; }"
    result = checked(source, Mode.PROGRAM)
    assert result.verdict is Verdict.UNKNOWN


CALLBACK = """
struct impl { void (*done)(struct key *); struct key *(*make)(int); };
int use(struct impl *i, struct key *k) {
    struct key *made = i->make(1);
    k->type = 1;
    i->done(k);
    if (made) set(made, 2);
    return 0;
}
"""


def test_pointers_to_functions_from_outside_are_such_functions() -> None:
    """That they may be called is asked of callers; what comes after them is followed."""
    result = checked(CALLBACK)
    texts = [one.text for one in result.preconditions]
    assert result.verdict is Verdict.SAFE
    assert any("i->make is a function that may be called so" in text for text in texts)
    assert any("what a function gives" in text for text in texts)


def test_a_function_of_the_program_is_followed() -> None:
    result = checked("""
    static void clear(struct key *k) { k->type = 0; }
    static void run(void (*act)(struct key *), struct key *k) { act(k); }
    int both(void) {
        struct key own = {1, NULL};
        run(clear, &own);
        assert(own.type == 0);
        return 0;
    }
    """)
    assert result.verdict is Verdict.SAFE
    assert {one.procedure for one in result.preconditions} == {"clear", "set"}, "the roots"
    wrong = checked("int bad(void) { void (*act)(void) = NULL; act(); return 0; }")
    assert wrong.verdict is Verdict.UNKNOWN


CLEAN_UP = """
void die(void) __attribute__((noreturn));
int get(char **);
void use(void) {
    char *p, *q;
    if (get(&p) != 0 || get(&q) != 0)
        die();
    free(p);
    free(q);
}
"""


def test_what_is_not_set_on_the_way_to_an_end_is_set_after_it() -> None:
    result = checked(CLEAN_UP)
    assert result.verdict is Verdict.SAFE
    assert checked(CLEAN_UP.replace("noreturn", "cold")).verdict is Verdict.UNKNOWN


def test_that_two_of_them_are_in_different_blocks_is_asked_where_one_is_freed() -> None:
    texts = [p.text for p in checked(CLEAN_UP).preconditions]
    assert len(texts) == 3
    assert any(text.endswith("lead into different blocks") for text in texts)


def test_one_that_is_freed_under_another_name_is_not_used_after_that() -> None:
    """Nobody is asked that they differ: it is known that they are the same."""
    result = checked("""
    static void drop(struct key *a, struct key *b) { free(a); b->type = 1; }
    void use(void) { struct key *k = key_new(1); if (k) drop(k, k); }
    """)
    assert "what key_new gives (line 13) is null" in [p.text for p in result.preconditions]


def test_deep_ones_have_names() -> None:
    result = checked("""
    static struct key *two(int n) { return wrap(n); }
    static struct key *three(int n) { return two(n); }
    int four(int n) { struct key *k = three(n); if (!k) return 0; k->type = n; return k->type; }
    """)
    assert result.verdict is Verdict.SAFE

"""Small programs that are proved in the bodies of their calls, each by one thing that is known."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from precis.domains.heap.frame import Calls
from tests.domains.heap.analysing import checked, lowered, open_lines


@dataclass(frozen=True, slots=True)
class Program:
    name: str
    source: str


PROGRAMS = (
    Program(
        "cases_in_a_row_are_one_in_whatever_order_they_stand",
        """
        #include <assert.h>
        int kind(int c) {
            switch (c) {
            case 5: case 3: case 4: return 1;
            case 7: return 2;
            case 6: return 1;
            case -1: return 3;
            default: return 0;
            }
        }
        int main(void) {
            assert(kind(3) == 1 && kind(4) == 1 && kind(5) == 1 && kind(6) == 1);
            assert(kind(7) == 2 && kind(8) == 0 && kind(2) == 0 && kind(-1) == 3);
            return 0;
        }
        """,
    ),
    Program(
        "a_block_that_may_be_missing_keeps_its_size",
        """
        #include <stdlib.h>
        int main(void) {
            char *p = malloc(4), *q;
            if (!p) return 0;
            p[0] = 'a';
            q = realloc(p, 8);
            if (!q) { free(p); return 0; }
            q[7] = q[0];
            free(q);
            return 0;
        }
        """,
    ),
    Program(
        "a_loop_is_come_to_from_several_places",
        """
        #include <stdlib.h>
        int main(void) {
            int *rows[3], i;
            for (i = 0; i < 3; i++) {
                rows[i] = malloc(sizeof(int));
                if (!rows[i]) goto undo;
            }
        undo:
            while (--i >= 0) free(rows[i]);
            return 0;
        }
        """,
    ),
    Program(
        "numbers_are_read_as_many_as_the_result_says",
        """
        #include <stdio.h>
        #include <stdlib.h>
        int main(void) {
            int size = 1, at, *p;
            if (scanf("%d %d", &size, &at) != 2 || at < 0 || at >= 9 || getchar() == EOF) return 1;
            p = calloc(9, sizeof *p);
            if (!p) return 2;
            size = p[at];
            free(p);
            return size;
        }
        """,
    ),
)


# What loops make, turn by turn: also by summaries.
LOOPS = (
    Program(
        "a_block_of_an_earlier_turn_is_there",
        """
        #include <stdlib.h>
        int main(void) {
            char *prev = NULL;
            while (__VERIFIER_nondet_int()) {
                char *p = malloc(4);
                if (!p) exit(1);
                if (prev) prev[0] = 1;
                prev = p;
            }
            return 0;
        }
        """,
    ),
    Program(
        "what_blocks_of_earlier_turns_hold_has_bounds",
        """
        #include <assert.h>
        #include <stdlib.h>
        int main(void) {
            char *prev = NULL, *prev2 = NULL;
            while (__VERIFIER_nondet_int()) {
                char *p = calloc(4, 1);
                if (!p) exit(1);
                if (prev && __VERIFIER_nondet_int()) prev[0] = 1;
                if (prev2) assert(prev2[0] <= 1);
                prev2 = prev;
                prev = p;
            }
            exit(0);
        }
        """,
    ),
)


@pytest.mark.parametrize("calls", [Calls.STRONG, Calls.INLINE], ids=lambda calls: calls.value)
@pytest.mark.parametrize("program", LOOPS, ids=lambda program: program.name)
def test_it_is_proved_of_loops(program: Program, calls: Calls) -> None:
    program_ = lowered(program.source, properties=("memory-safety", "assertions"))
    assert open_lines(checked(program_, calls)) == set()


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_it_is_proved(program: Program) -> None:
    assert open_lines(checked(lowered(program.source), Calls.INLINE)) == set()

"""Texts: what walks to a zero byte asks of callers that there is one in the block."""

from __future__ import annotations

from pathlib import Path

import pytest

from precis.domains.heap.diagrams import FALSE, TRUE
from precis.domains.heap.guards import Guards
from precis.engine.results import Result, Verdict
from precis.engine.verify import Mode
from tests.domains.heap.analysing import verified

PROPERTIES = ("memory-safety", "assertions")
HEAD = "#include <assert.h>\n#include <stdlib.h>\n#include <string.h>\n#include <strings.h>\n"
LENGTH = "static size_t len(const char *s) { size_t n = 0; while (s[n]) n++; return n; }\n"
SKIP = "static char *skip(char *s) { while (*s == ' ' || *s == '\\t') s++; return s; }\n"
ENDS = "{0} is not null and {0} is live and {0} does not lead before its block and the text at {0}"


def checked(source: str, mode: Mode, folder: Path | None = None) -> Result:
    return verified(HEAD + source, mode, PROPERTIES, folder)


def shown(result: Result, procedure: str) -> list[str]:
    (found,) = (p for p in result.procedures if p.name == procedure)
    return [line for summary in found.summaries for line in summary]


def asked(result: Result, procedure: str) -> list[str]:
    return [p.text for p in result.preconditions if p.procedure == procedure]


def test_a_length_is_told_as_such() -> None:
    result = checked("size_t len(const char *s) { return strlen(s); }", Mode.LIBRARY)
    assert result.verdict is Verdict.SAFE
    assert asked(result, "len") == [ENDS.format("s") + " ends in its block"]
    assert "returns the length of the text at s" in shown(result, "len")


@pytest.mark.parametrize("function", ["strcmp", "strcasecmp"])
def test_of_texts_that_are_compared_it_is_asked_that_they_end(function: str) -> None:
    source = f"int same(const char *a, const char *b) {{ return {function}(a, b) == 0; }}"
    result = checked(source, Mode.LIBRARY)
    assert result.verdict is Verdict.SAFE
    assert asked(result, "same") == [ENDS.format(p) + " ends in its block" for p in "ab"]


@pytest.mark.parametrize(
    "loop", ["while (*s && *s != c) s++;", "for (; *s; s++) if (*s == c) break;"]
)
def test_what_a_loop_moves_stays_within_the_text(loop: str) -> None:
    source = f"char at(const char *s, char c) {{ {loop} return *s; }}"
    result = checked(source, Mode.LIBRARY)
    assert result.verdict is Verdict.SAFE
    assert any("the text at s ends in its block" in text for text in asked(result, "at"))


PROVED = {
    "of_a_literal": LENGTH + 'int main(void) { assert(len("abcd") == 4); return 0; }',
    "of_a_literal_from_within": LENGTH
    + 'int main(void) { assert(len(&"abcd"[1]) == 3); return 0; }',
    "of_a_block": LENGTH
    + "int main(void) { char b[4]; b[0] = 'a'; b[1] = 0; assert(len(b) == 1); return 0; }",
    "one_that_is_copied": LENGTH
    + """
static char *copy(const char *s) {
  size_t n = len(s);
  char *p = malloc(n + 1);
  if (!p) return 0;
  for (size_t i = 0; i <= n; i++) p[i] = s[i];
  return p;
}
int main(void) { free(copy("abcd")); return 0; }
""",
    "the_rest_of_one": SKIP
    + """
int main(void) {
  char b[16] = "  yes";
  char *s = skip(b);
  return strcmp(s, "yes") == 0 || strcasecmp(s, "on") == 0 || strchr(s, ':') != NULL;
}
""",
    "handed_on": LENGTH
    + """
static int is_long(const char *s) { return len(s) > 2 && s[2] != 'x'; }
int main(void) { return is_long("ab") + is_long("abc"); }
""",
}


@pytest.mark.parametrize("name", PROVED)
def test_is_proved_by_summaries(name: str) -> None:
    result = checked(PROVED[name], Mode.PROGRAM)
    assert result.verdict is Verdict.SAFE


def test_the_caller_of_one_that_skips_is_asked_for_the_whole_text() -> None:
    source = SKIP + "size_t rest(char *s) { return strlen(skip(s)); }"
    result = checked(source, Mode.LIBRARY)
    assert result.verdict is Verdict.SAFE
    assert any("the text at s ends in its block" in text for text in asked(result, "rest"))


def test_that_a_text_ends_is_not_enough_if_it_was_written() -> None:
    result = checked(LENGTH + "int f(char *s) { s[1] = 'x'; return (int)len(s); }", Mode.LIBRARY)
    assert not any("ends in its block" in text for text in asked(result, "f"))


def test_summaries_with_lengths_are_kept(tmp_path: Path) -> None:
    first = checked(
        LENGTH + 'int main(void) { assert(len("ab") == 2); return 0; }', Mode.PROGRAM, tmp_path
    )
    second = checked(
        LENGTH + 'int main(void) { assert(len("ab") == 3); return 0; }', Mode.PROGRAM, tmp_path
    )
    assert (first.verdict, second.verdict) == (Verdict.SAFE, Verdict.UNKNOWN)


def test_nodes_that_are_dropped_are_made_again() -> None:
    guards = Guards()
    a, b, c = (guards.atom(number) for number in range(3))
    kept = guards.both(a, b)
    nodes = len(guards)
    for_a_while = guards.either(kept, c)
    assert guards.possible(for_a_while)
    guards.drop(nodes)
    assert len(guards) == nodes
    assert guards.both(a, b) == kept
    again = guards.either(kept, c)
    assert again == for_a_while >= nodes
    assert guards.implies(kept, again)
    assert guards.both(again, guards.negation(again)) == FALSE
    assert guards.either(again, guards.negation(again)) == TRUE

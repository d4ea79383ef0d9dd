"""Which pointers are related, by need or by type, and how large summaries become."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from precis.domains.heap.frame import Alias, Classes
from precis.frontends.clang.link import Extent
from tests.domains.heap.analysing import checked, lowered, open_lines, summaries

BY_TYPE = pytest.mark.parametrize("alias", Alias, ids=lambda alias: alias.value)


def measures(source: str, name: str, classes: Classes, alias: Alias = Alias.ALL) -> dict[str, Any]:
    found = summaries(lowered(source, extent=Extent.EVERYTHING), alias, classes=classes)
    activation = found.activation(name)
    assert activation.summary is not None and not activation.lost
    return found.domain.measures(activation.summary)


def ordered_stores(count: int) -> str:
    formals = ", ".join(f"int *p{n}" for n in range(count))
    stores = " ".join(f"*p{n} = {n};" for n in range(count))
    return f"void f({formals}) {{ {stores} }}\n"


@BY_TYPE
def test_a_class_of_six_is_told_apart(alias: Alias) -> None:
    found = measures(ordered_stores(6), "f", Classes.TYPE, alias)
    assert found["classes"] == [6] and found["cuts"] == {}
    alone = measures(ordered_stores(6), "f", Classes.ORDER, alias)
    assert alone["classes"] == [1] * 6 and alone["size"] < found["size"]


@BY_TYPE
def test_a_class_of_twelve_is_cut_and_told(alias: Alias) -> None:
    found = measures(ordered_stores(12), "f", Classes.TYPE, alias)
    assert found["cuts"] == {"class of 12": 1}
    assert found["classes"] == [1] * 12 and found["edges"] == 12


def test_a_class_that_is_cut_is_related_where_it_matters() -> None:
    formals = ", ".join(f"int *p{n}" for n in range(8))
    source = f"int f({formals}) {{ *p0 = 1; *p1 = 2; return *p0; }}\n"
    found = measures(source, "f", Classes.TYPE)
    assert found["cuts"] == {"class of 8": 1} and found["classes"] == [2, 1, 1, 1, 1, 1, 1]


MANY = """
void __assert_fail(const char *, const char *, unsigned, const char *);
#define assert(c) ((c) ? (void)0 : __assert_fail("", "", 0, ""))
static int f(int *a, int *b, int *c, int *d, int *e, int *g, int *h, int *i) {
  *a = 1; *b = 2; *c = 3; *d = 4; *e = 5; *g = 6; *h = 7; *i = 8; return *a; }
int main(void) { int x, y, z; int r = f(&x, &y, &z, &x, &y, &z, &x, &y);
  assert(x == 7 && y == 8 && z == 6);
  assert(r == 7);
  return 0; }
"""


@pytest.mark.parametrize("classes", Classes, ids=lambda classes: classes.value)
def test_verdicts_are_the_same(classes: Classes) -> None:
    right = open_lines(checked(lowered(MANY), classes=classes))
    assert right <= {8}, "of many names that may be one the result need not be known"
    wrong = checked(lowered(MANY.replace("z == 6", "z == 3")), classes=classes)
    assert {doubt.at.line for doubt in wrong.doubts.values()} & {7, 8}


def test_lists_are_of_one_class_by_type_only() -> None:
    source = """
        struct N { struct N *n; int v; };
        void poke(struct N *l, int v) { l->n->n->v = v; }
    """
    assert measures(source, "poke", Classes.ORDER)["classes"] == [1, 1, 1]
    assert measures(source, "poke", Classes.TYPE)["classes"] == [3]


def test_the_option_reaches_the_summaries(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(ordered_stores(3) + ordered_stores(9).replace(" f(", " g("))
    found = {}
    for classes in Classes:
        command = [
            *(sys.executable, "-m", "precis", "summarize", "--domain", "heap", "--format", "json"),
            *("--alias-classes", classes.value, "f.c"),
        ]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        entries = json.loads(done.stdout)["summaries"]
        found[classes] = [(e["measures"]["classes"], e["measures"]["cuts"]) for e in entries]
        told = ["9 pointers of one type" in " ".join(e["text"]) for e in entries]
        assert told == [False, classes is Classes.TYPE]
    assert found[Classes.ORDER] == [([1] * 3, {}), ([1] * 9, {})]
    assert found[Classes.TYPE] == [([3], {}), ([1] * 9, {"class of 9": 1})]


@pytest.mark.parametrize("arguments", (["--alias-classes", "size"], ["--alias-classes"]))
def test_other_classes_are_refused(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text("int main(void) { return 0; }")
    command = [sys.executable, "-m", "precis", "check", "f.c", *arguments]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "--alias-classes" in done.stderr

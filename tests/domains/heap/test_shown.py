"""Summaries in words, as data and as pictures."""

from __future__ import annotations

import json

import pytest

from precis.frontends.clang.link import Extent
from precis.reports.sheet import sheet
from tests.domains.heap.analysing import Summaries, lowered, summaries

SOURCE = """
struct N { struct N *n; int v; };
void f(int **a, int **b, int *p, int *q) { *a = p; *b = q; **a = 3; **b = 4; }
void poke(struct N *l, int v) { l->n->n->v = v; }
int pick(int k, struct N **out) { if (k == 0) { *out = 0; return -1; } (*out)->v = k; return 0; }
int third(int *p) { return p[2]; }
"""


@pytest.fixture(scope="module")
def found() -> Summaries:
    return summaries(lowered(SOURCE, extent=Extent.EVERYTHING))


def lines(found: Summaries, name: str) -> list[str]:
    summary = found.activation(name).summary
    assert summary is not None
    return list(found.domain.describe(summary))


def test_the_conditions_of_figure_1_in_words(found: Summaries) -> None:
    text = lines(found, "f")
    assert "returns" in text
    apart = "b and a point to different objects"
    (stored,) = [line for line in text if line.startswith("  *a = ")]
    assert "q if b and a point to the same object" in stored and f"p if {apart}" in stored
    assert text.index(f"  *p = 3, written if {apart}") < text.index("  *q = 4")


def test_paths_have_the_names_of_the_program(found: Summaries) -> None:
    text = lines(found, "poke")
    assert "  l->n->n->v = v" in text
    assert text[0].startswith("needs: l is not null and l is live and l leads to a whole N")
    assert any("l->n->n may be written through" in line for line in text)


def test_pointers_that_lead_outside(found: Summaries) -> None:
    """One that leads before its block may be good if what it is used for lies inside."""
    (needs, *_) = lines(found, "third")
    assert "at least 12 bytes lie from p on and p leads at most 8 bytes before its block" in needs


def test_results_and_out_parameters(found: Summaries) -> None:
    text = lines(found, "pick")
    assert "returns -1 if k == 0; 0 if k <= -1 or k >= 1" in text
    assert "  *out = 0, written if k == 0" in text
    assert any(line.startswith("  (*out)->v = k") for line in text)


def test_data_is_plain_and_pictures_can_be_drawn(found: Summaries) -> None:
    for name in ("f", "poke", "pick"):
        summary = found.activation(name).summary
        assert summary is not None
        data = found.domain.encode(summary)
        assert json.loads(json.dumps(data)) == data and data[:2] == ["heap 3", name]
        pictures = found.domain.draw(summary)
        assert pictures and "<svg" in sheet(list(pictures))
    with pytest.raises(ValueError):
        found.domain.decode(["heap 3"])

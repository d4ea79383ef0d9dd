"""Laws of the layout, for any picture: nothing overlaps, and arrows go round boxes."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from precis.domains.picture import Arrow, Box, BoxKind, End, Mark, Picture, Row
from precis.reports import picture_text, svg
from precis.reports.layout import Layout, Placed, Route, lay_out
from precis.reports.metrics import Metrics
from precis.reports.shorten import shortened
from tests.reports.samples import SAMPLES, singly_linked

MEDIA = {"svg": svg.METRICS, "text": picture_text.METRICS}


@st.composite
def pictures(draw: st.DrawFn) -> Picture:
    """Boxes of a few rows, arrows from any row to any box or row."""
    kinds = draw(st.lists(st.sampled_from(BoxKind), min_size=1, max_size=14))
    boxes, arrows = [], []
    for number, kind in enumerate(kinds):
        rows = []
        for index in range(draw(st.integers(0, 4))):
            target = draw(st.none() | st.integers(0, len(kinds) - 1))
            port = f"r{index}"
            if target is None:
                rows.append(Row(f"field{index}", "1", port=port))
                continue
            rows.append(Row(f"field{index}", mark=Mark.POINTER, port=port))
            into = draw(st.sampled_from(["", "", "r0", "r1"]))
            arrows.append(Arrow(End(str(number), port), End(str(target), into)))
        boxes.append(Box(str(number), draw(st.sampled_from(["a", "b"])), kind, tuple(rows)))
    return Picture("", tuple(boxes), tuple(arrows))


@pytest.mark.parametrize("medium", MEDIA)
@pytest.mark.parametrize("name", SAMPLES)
def test_samples_obey_the_laws(name: str, medium: str) -> None:
    _check(lay_out(SAMPLES[name], MEDIA[medium]), MEDIA[medium])


@pytest.mark.parametrize("medium", MEDIA)
@settings(max_examples=80)
@given(picture=pictures(), columns=st.integers(2, 5))
def test_any_picture_obeys_the_laws(medium: str, picture: Picture, columns: int) -> None:
    metrics = replace(MEDIA[medium], columns=columns)
    _check(lay_out(picture, metrics), metrics)


def _check(layout: Layout, metrics: Metrics) -> None:
    for one, other in combinations(layout.boxes, 2):
        assert _apart(one, other), (one, other)
    by_key = {placed.box.key: placed for placed in layout.boxes}
    for route in layout.routes:
        source, target = by_key[route.arrow.source.box], by_key[route.arrow.target.box]
        assert len(route.points) > 1
        assert route.points[0][0] in _sides(source, metrics)
        row = [r.port for r in source.box.rows].index(route.arrow.source.port)
        assert route.points[0][1] == source.y + metrics.row_y(row)
        assert _on_edge(route.points[-1], target, metrics), (route, target)
        for placed in layout.boxes:
            assert not _passes(route, placed, metrics), (route, placed)


def _apart(one: Placed, other: Placed) -> bool:
    return (
        one.x + one.size.width <= other.x
        or other.x + other.size.width <= one.x
        or one.y + one.size.height <= other.y
        or other.y + other.size.height <= one.y
    )


def _sides(placed: Placed, metrics: Metrics) -> tuple[int, int]:
    return placed.x, placed.x + placed.size.width - metrics.border


def _on_edge(point: tuple[int, int], placed: Placed, metrics: Metrics) -> bool:
    left, right = _sides(placed, metrics)
    top, bottom = placed.y, placed.y + placed.size.height - metrics.border
    x, y = point
    return (x in (left, right) and top <= y <= bottom) or (
        y in (top, bottom) and left <= x <= right
    )


def _passes(route: Route, placed: Placed, metrics: Metrics) -> bool:
    """Does some part of the arrow lie inside the box?"""
    left, right = _sides(placed, metrics)
    top, bottom = placed.y, placed.y + placed.size.height - metrics.border
    for (ax, ay), (bx, by) in pairwise(route.points):
        across = max(min(ax, bx), left) < min(max(ax, bx), right) and top < ay < bottom
        down = max(min(ay, by), top) < min(max(ay, by), bottom) and left < ax < right
        if across or down:
            return True
    return False


def test_a_list_stays_in_a_row_and_runs_to_the_right() -> None:
    nodes = [p for p in lay_out(SAMPLES["names"], svg.METRICS).boxes if p.box.title == "entry"]
    assert len({node.y for node in nodes}) == 1
    assert [node.x for node in nodes] == sorted(node.x for node in nodes)


def test_the_way_back_does_not_turn_a_structure_round() -> None:
    for name, root, leaf in (("doubly_linked", "1", "4"), ("tree_with_parents", "1", "5")):
        x = {placed.box.key: placed.x for placed in lay_out(SAMPLES[name], svg.METRICS).boxes}
        assert x["main"] < x[root] < x[leaf]


def test_a_long_list_begins_new_bands() -> None:
    layout = lay_out(singly_linked(20), svg.METRICS)
    assert len({placed.y for placed in layout.boxes if placed.box.title == "node"}) == 3


def test_large_pictures_are_cut_with_a_note() -> None:
    cut = shortened(singly_linked(1434), 200)
    assert len(cut.boxes) == 200
    assert cut.notes == ("and 1,235 more blocks",)
    kept = {box.key for box in cut.boxes}
    assert all({arrow.source.box, arrow.target.box} <= kept for arrow in cut.arrows)
    assert "main" in kept
    assert "1434" in kept  # near: a variable points to it
    last = next(box for box in cut.boxes if box.key == str(len(cut.boxes) - 2))
    assert last.rows[1].value == "→ not shown"


def test_long_texts_are_clipped() -> None:
    row = Row("x" * 5000, "\x1b" * 5000, port="p")
    picture = Picture("t" * 5000, (Box("1", "y" * 5000, BoxKind.HEAP, (row,)),))
    assert lay_out(shortened(picture, 10), svg.METRICS).width < 1200

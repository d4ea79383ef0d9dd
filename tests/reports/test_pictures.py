"""Pictures as SVG and as text: golden files, hostile names, the same text always."""

from __future__ import annotations

import random
from collections.abc import Callable
from xml.etree import ElementTree

import pytest

from precis.domains.picture import Arrow, ArrowStyle, Box, BoxKind, End, Mark, Picture, Row
from precis.reports.metrics import cells
from precis.reports.picture_text import unicode_text
from precis.reports.svg import svg
from tests.reports.samples import SAMPLES, singly_linked, tree

HOSTILE = (
    "<script>alert(1)</script>",
    "\"'/><svg onload=alert(1)>",
    "]]><!-- & &lt; -->",
    "\x1b]0;owned\x07\x1b[2J\r\n\x00\u202e\u2028\x9b",
    "\ud800 lone, \ufffe none",
    "漢字 é e\u0301 🙂",
)
SVG = "{http://www.w3.org/2000/svg}"


def hostile() -> Picture:
    boxes = []
    arrows = []
    for number, name in enumerate(HOSTILE):
        rows = (
            Row(name, name, Mark.STRING, f"{number}{name}"),
            Row("next", mark=Mark.POINTER, port=name),
        )
        kind = list(BoxKind)[number % len(BoxKind)]
        boxes.append(Box(name, name, kind, rows, name, name))
        target = HOSTILE[(number + 1) % len(HOSTILE)]
        arrows.append(Arrow(End(name, name), End(target), name, list(ArrowStyle)[number % 3]))
    return Picture(HOSTILE[0], tuple(boxes), tuple(arrows), HOSTILE)


@pytest.mark.parametrize("name", SAMPLES)
def test_golden(name: str, golden: Callable[[str, str], None]) -> None:
    golden(f"pictures/{name}.svg", svg(SAMPLES[name]))
    golden(f"pictures/{name}.txt", unicode_text(SAMPLES[name]))


def test_svg_holds_hostile_text_as_text() -> None:
    text = svg(hostile())
    root = ElementTree.fromstring(text)
    allowed = {"svg", "title", "g", "rect", "path", "text", "circle", "polygon"}
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= allowed
    shown = {element.text for element in root.iter(f"{SVG}text")}
    assert "<script>alert(1)</script>" in shown
    assert "\"'/><svg onload=alert(1)>" in shown
    assert "]]><!-- & &lt; -->" in shown
    assert "\\x1b]0;owned\\x07\\x1b[2J\\x0d\\x0a\\x00\\u202e\\u2028\\x9b" in shown


def test_svg_refers_to_nothing() -> None:
    text = svg(hostile())
    names = {name for e in ElementTree.fromstring(text).iter() for name in e.attrib}
    assert not {n for n in names if n.lower().startswith("on") or "href" in n or n == "style"}
    assert "url(" not in text
    assert text.count("http") == 1  # the name space


def test_text_holds_no_control_characters() -> None:
    for width in (100, 20):
        text = unicode_text(hostile(), width)
        assert all(character.isprintable() for character in text.replace("\n", ""))
        assert "\\x1b]0;owned" in text


def test_drawing_is_deterministic() -> None:
    for name, picture in SAMPLES.items():
        assert svg(picture) == svg(picture), name
    # The order in which arrows are listed is not seen.
    picture = tree()
    arrows = list(picture.arrows)
    random.Random(1).shuffle(arrows)
    shuffled = Picture(picture.title, picture.boxes, tuple(arrows))
    assert unicode_text(shuffled) == unicode_text(picture)


@pytest.mark.parametrize("name", SAMPLES)
def test_text_keeps_to_its_width(name: str) -> None:
    for width in (100, 80, 60):
        assert max(map(cells, unicode_text(SAMPLES[name], width).splitlines())) <= width


def test_a_list_is_drawn_with_arrows() -> None:
    lines = unicode_text(singly_linked(3)).splitlines()
    assert lines[4].startswith("┃ head ●─┼───")
    assert lines[4].count("▶│") == 3


def test_too_narrow_for_arrows_means_names() -> None:
    text = unicode_text(SAMPLES["dangling"], 24)
    assert "q ──▶ #2 node" in text
    assert "p ╌╌▶ #1 node (freed)" in text
    assert "mark  ──▶ #1 person at [1]" in unicode_text(SAMPLES["record"], 24)


def test_every_mark_and_style_is_drawn() -> None:
    rows = tuple(Row(mark.value, "v", mark, mark.value) for mark in Mark)
    arrows = tuple(
        Arrow(End("a", mark.value), End("b"), "may", style)
        for mark, style in zip((Mark.POINTER, Mark.PLAIN, Mark.STRING), ArrowStyle, strict=True)
    )
    picture = Picture(
        "", (Box("a", "all", BoxKind.FRAME, rows), Box("b", "b", BoxKind.SUMMARY)), arrows
    )
    assert svg(picture).count("may") == 3
    assert unicode_text(picture).count("may") == 3


def test_pictures_without_boxes_and_with_broken_arrows() -> None:
    empty = Picture("nothing", ())
    assert "nothing" in svg(empty)
    assert unicode_text(empty) == "nothing\n\n"
    box = Box("a", "a", BoxKind.HEAP, (Row("p", mark=Mark.POINTER, port="p"),))
    nowhere = Picture("", (box,), (Arrow(End("a", "p"), End("gone")), Arrow(End("b"), End("a"))))
    assert "polygon" not in svg(nowhere)
    assert unicode_text(nowhere).splitlines()[1] == "│ p → not shown │"


def test_two_hundred_boxes_are_drawn_at_once() -> None:
    assert svg(tree(1000)).count(">tree</text>") == 199
    assert "and 801 more blocks" in unicode_text(tree(1000))

"""Pictures drawn by hand: the shapes every heap is made of."""

from __future__ import annotations

from collections.abc import Iterable

from precis.domains.picture import Arrow, ArrowStyle, Box, BoxKind, End, Mark, Picture, Row

NULL = None
Value = str | int | None


def row(label: str, value: Value) -> Row:
    """`&key` is a pointer to a box, None null, `?` unset; the label is the port."""
    if value is None:
        return Row(label, mark=Mark.NULL, port=label)
    text = str(value)
    if text.startswith("&"):
        return Row(label, mark=Mark.POINTER, port=label)
    if text == "?":
        return Row(label, mark=Mark.UNSET, port=label)
    return Row(label, text, Mark.STRING if text.startswith('"') else Mark.PLAIN, label)


def box(key: str, title: str, kind: BoxKind, /, **fields: Value) -> tuple[Box, list[Arrow]]:
    rows = tuple(row(label, value) for label, value in fields.items())
    arrows = [
        _arrow(key, label, str(value)) for label, value in fields.items() if str(value)[:1] == "&"
    ]
    tag = f"#{key}" if kind not in (BoxKind.FRAME, BoxKind.GLOBAL) else ""
    return Box(key, title, kind, rows, tag), arrows


def _arrow(key: str, label: str, value: str) -> Arrow:
    target, _, port = value[1:].partition(".")
    style = ArrowStyle.DANGLING if target.endswith("!") else ArrowStyle.SOLID
    return Arrow(End(key, label), End(target.removesuffix("!"), port), style=style)


def frame(name: str, /, **fields: Value) -> tuple[Box, list[Arrow]]:
    return box(name, name, BoxKind.FRAME, **fields)


def heap(key: str, title: str, /, **fields: Value) -> tuple[Box, list[Arrow]]:
    return box(key, title, BoxKind.HEAP, **fields)


def picture(title: str, parts: Iterable[tuple[Box, list[Arrow]]]) -> Picture:
    parts = list(parts)
    return Picture(
        title, tuple(part for part, _ in parts), tuple(a for _, arrows in parts for a in arrows)
    )


def singly_linked(count: int = 5) -> Picture:
    nodes = [
        heap(str(i), "node", value=10 * i, next=f"&{i + 1}" if i < count else NULL)
        for i in range(1, count + 1)
    ]
    return picture(
        "A list", [frame("main", n=count, head="&1", cur="&3", tail=f"&{count}"), *nodes]
    )


def doubly_linked(count: int = 4) -> Picture:
    nodes = [
        heap(
            str(i),
            "node",
            value=i,
            next=f"&{i + 1}" if i < count else NULL,
            prev=f"&{i - 1}" if i > 1 else NULL,
        )
        for i in range(1, count + 1)
    ]
    return picture("A list both ways", [frame("main", tail=f"&{count}", head="&1"), *nodes])


def tree(nodes: int = 7) -> Picture:
    parts = [
        heap(
            str(i),
            "tree",
            key=i,
            left=f"&{2 * i}" if 2 * i <= nodes else NULL,
            right=f"&{2 * i + 1}" if 2 * i + 1 <= nodes else NULL,
        )
        for i in range(1, nodes + 1)
    ]
    return picture("A tree", [frame("main", root="&1", depth=3), *parts])


def tree_with_parents() -> Picture:
    parts = [
        heap(
            str(i),
            "tree",
            parent=f"&{i // 2}" if i > 1 else NULL,
            left=f"&{2 * i}" if i < 4 else NULL,
            right=f"&{2 * i + 1}" if i < 4 else NULL,
        )
        for i in range(1, 8)
    ]
    return picture("A tree with parents", [frame("main", leaf="&5", root="&1"), *parts])


def cycle(count: int = 5) -> Picture:
    nodes = [heap(str(i), "node", value=i, next=f"&{i % count + 1}") for i in range(1, count + 1)]
    return picture("A ring", [frame("main", head="&1", last=f"&{count}"), *nodes])


def record() -> Picture:
    rows = (
        row("name", '"Ada Lovelace"'),
        row("title", "&2"),
        Row("marks", mark=Mark.HEADING, port="marks"),
        *(Row(f"[{i}]", str(v), port=f"marks[{i}]", depth=1) for i, v in enumerate((3, 1, 4))),
        Row("…", mark=Mark.GAP, depth=1),
        Row("[19]", "?", Mark.UNSET, "marks[19]", 1),
        Row("best", mark=Mark.POINTER, port="best"),
        Row("average", "2.5", port="average"),
    )
    arrows = [Arrow(End("1", "title"), End("2")), Arrow(End("1", "best"), End("1", "marks[2]"))]
    return picture(
        "A record",
        [
            frame("main", p="&1", mark="&1.marks[1]", unset="?"),
            (Box("1", "person", BoxKind.HEAP, rows, "#1", "104 bytes"), arrows),
            box("2", "string", BoxKind.LITERAL, text='"countess of\\n"'),
        ],
    )


def dangling() -> Picture:
    return picture(
        "Freed and still pointed to",
        [
            frame("main", p="&1!", q="&2", r=NULL),
            box("1", "node", BoxKind.FREED, value=7, next="&2"),
            heap("2", "node", value="?", next=NULL),
        ],
    )


def recursion() -> Picture:
    return picture(
        "Two activations",
        [
            box("globals", "globals", BoxKind.GLOBAL, calls=2, top="&1"),
            frame("main", n=3, list="&1", sum="?"),
            frame("add", node="&1", out="&main.sum"),
            frame("add (2)", node="&2", out="&main.sum"),
            heap("1", "node", value=1, next="&2"),
            heap("2", "node", value=2, next="&3"),
            heap("3", "node", value=3, next=NULL),
        ],
    )


def names() -> Picture:
    nodes = [
        part
        for i in range(1, 5)
        for part in (
            heap(str(i), "entry", name=f"&s{i}", next=f"&{i + 1}" if i < 4 else NULL),
            box(f"s{i}", "char[8]", BoxKind.HEAP, text=f'"name {i}"'),
        )
    ]
    return picture("A list of names", [frame("main", list="&1"), *nodes])


SAMPLES = {
    "singly_linked": singly_linked(),
    "doubly_linked": doubly_linked(),
    "tree": tree(),
    "tree_with_parents": tree_with_parents(),
    "cycle": cycle(),
    "record": record(),
    "dangling": dangling(),
    "recursion": recursion(),
    "names": names(),
    "long_list": singly_linked(20),
    "big_tree": tree(31),
}

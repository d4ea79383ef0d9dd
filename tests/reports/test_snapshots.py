"""Memory of real runs, and snapshots made by hand, as pictures."""

from __future__ import annotations

from pathlib import Path

from precis.cli.pictures import picture_of
from precis.cli.wiring import Reading, load
from precis.domains.picture import ArrowStyle, Box, BoxKind, Mark, Picture
from precis.interp.heap import Arrow, BlockView, Cell, FrameView, Snapshot, snapshot_at
from precis.interp.heap import Mark as CellMark
from precis.interp.run import Inputs, Settings
from precis.ir.location import Location
from precis.ir.types import DataModel
from precis.properties.place import with_obligations
from precis.reports.picture_text import unicode_text

AT = Location("dir/<b>.c", 7)

PROGRAM = """
#include <stdlib.h>
#include <string.h>
struct node { int value; struct node *next; };
struct list { struct node *first, *last; int count; };
static char greeting[8] = "hi\\n";
static struct node *make(struct list *l, int v) {
    struct node *n = malloc(sizeof *n);
    n->value = v;
    n->next = NULL;
    if (l->last) l->last->next = n; else l->first = n;
    l->last = n;
    return n; /* made */
}
int main(void) {
    struct list list = {NULL, NULL, 0};
    const char *text = "literal";
    int numbers[30], *fifth = &numbers[4];
    struct node *freed;
    for (int i = 0; i < 30; i++) numbers[i] = i;
    make(&list, 1);
    make(&list, 2);
    freed = make(&list, 3);
    list.last = list.first->next;
    list.last->next = NULL;
    free(freed);
    greeting[0] = 'H'; /* drawn */
    free(list.last);
    free(list.first);
    return *fifth + text[0] + greeting[1];
}
"""


def drawn(tmp_path: Path, mark: str, visit: int = 1) -> Picture:
    path = tmp_path / "program.c"
    path.write_text(PROGRAM, "utf-8")
    program = load(path, Reading(DataModel.LP64))
    settings = Settings()
    program = with_obligations(program, settings.properties)
    line = next(n for n, text in enumerate(PROGRAM.split("\n"), 1) if f"/* {mark} */" in text)
    snapshot = snapshot_at(program, Inputs(stdin=b""), settings, line, visit)
    assert snapshot is not None
    return picture_of(snapshot)


def box(picture: Picture, title: str) -> Box:
    return next(box for box in picture.boxes if box.title == title)


def rows(found: Box) -> dict[str, str]:
    return {row.label: row.value for row in found.rows}


def test_a_run_is_drawn(tmp_path: Path) -> None:
    picture = drawn(tmp_path, "drawn")
    assert rows(box(picture, "globals")) == {"greeting": '"hi\\n"'}
    main = box(picture, "main")
    labels = [(row.label, row.depth) for row in main.rows]
    assert labels[labels.index(("list", 0)) + 1 :][:3] == [("first", 1), ("last", 1), ("count", 1)]
    assert rows(box(picture, "string")) == {"": '"literal"'}
    freed = next(b for b in picture.boxes if b.kind is BoxKind.FREED)
    styles = {a.target.box: a.style for a in picture.arrows if a.target.box == freed.key}
    assert styles == {freed.key: ArrowStyle.DANGLING}


def test_an_array_somebody_points_into_is_drawn_by_element(tmp_path: Path) -> None:
    main = box(drawn(tmp_path, "drawn"), "main")
    labels = [row.label for row in main.rows]
    start = labels.index("numbers")
    assert labels[start + 1 : start + 11] == [*(f"[{i}]" for i in range(8)), "… 21 more", "[29]"]


def test_arrows_between_frames(tmp_path: Path) -> None:
    picture = drawn(tmp_path, "made", 2)
    frames = [b for b in picture.boxes if b.kind is BoxKind.FRAME]
    assert [frame.title for frame in frames] == ["main", "make"]
    [arrow] = [a for a in picture.arrows if a.source.box == frames[1].key
               and a.target.box == frames[0].key]  # fmt: skip
    target = next(row for row in frames[0].rows if row.port == arrow.target.port)
    assert (target.label, target.mark) == ("list", Mark.HEADING)


def snapshot(*variables: Cell, heap: tuple[BlockView, ...] = ()) -> Snapshot:
    return Snapshot(AT, (FrameView("f", AT, variables, ()),), (), heap)


def cells_of(values: list[int | None], size: int) -> tuple[Cell, ...]:
    return tuple(
        Cell(f"[{i}]", i * size, size, "" if v is None else str(v),
             CellMark.UNSET if v is None else CellMark.PLAIN)
        for i, v in enumerate(values)
    )  # fmt: skip


def heap(values: list[int | None], size: int, omitted: int = 0) -> BlockView:
    total = size * (len(values) + omitted)
    kind = f"t[{len(values) + omitted}]"
    return BlockView(9, "", "heap", total, "live", kind, AT, cells_of(values, size), omitted)


def only_row(view: BlockView) -> tuple[str, Mark]:
    [row] = picture_of(snapshot(heap=(view,))).boxes[1].rows
    return row.value, row.mark


def test_arrays_in_one_row() -> None:
    assert only_row(heap([104, 105, 0, 7], 1)) == ('"hi"', Mark.STRING)
    assert only_row(heap([-61, -87, 34, 0], 1)) == ('"é\\""', Mark.STRING)
    assert only_row(heap([0, 0, 0], 1)) == ('""', Mark.STRING)
    assert only_row(heap([0, 1, 1], 1)) == ("{0, 1, 1}", Mark.PLAIN)
    assert only_row(heap([65] * 64, 1, 10)) == (f'"{"A" * 64}"…', Mark.STRING)
    assert only_row(heap([None, None], 4)) == ("", Mark.UNSET)
    assert only_row(heap([1, None], 4)) == ("{1, ?}", Mark.PLAIN)
    assert only_row(heap(list(range(20)), 4)) == ("{0, 1, 2, 3, 4, 5, 6, 7, …, 19}", Mark.PLAIN)
    assert only_row(heap(list(range(64)), 4, 36))[0] == "{0, 1, 2, 3, 4, 5, 6, 7, …}"


def test_cells_left_out_of_a_record() -> None:
    cells = [Cell("id", 0, 4, "5", CellMark.PLAIN)]
    cells += [Cell(f"a[{i}]", 4 + 4 * i, 4, "1", CellMark.PLAIN) for i in range(63)]
    view = BlockView(9, "", "heap", 404, "live", "record", AT, tuple(cells), 37)
    block = picture_of(snapshot(heap=(view,))).boxes[1]
    assert rows(block) == {"id": "5", "a": "{1, 1, 1, 1, 1, 1, 1, 1, …}", "… 37 more": ""}


def pointer(label: str, block: int, offset: int = 0, state: str = "live") -> Cell:
    return Cell(label, 0, 8, "", CellMark.POINTER, Arrow(block, offset, state))


def test_pointers_into_blocks_past_them_and_to_nothing_known() -> None:
    variables = (pointer("p", 9), pointer("q", 9, 6), pointer("end", 9, 12), pointer("x", 77))
    picture = picture_of(snapshot(*variables, heap=(heap([1, 2, 3], 4),)))
    ends = {arrow.source.port: arrow.target.port for arrow in picture.arrows}
    assert ends == {"variable 0": "", "variable 1": "+0", "variable 2": ""}
    assert [row.value for row in picture.boxes[0].rows] == ["", "+6", "+12", "→ not shown"]


def test_many_globals_leave_out_those_that_are_zero() -> None:
    def view(number: int) -> BlockView:
        cell = Cell("", 0, 4, str(number % 2), CellMark.PLAIN)
        return BlockView(number, f"g{number}", "global", 4, "live", "int", AT, (cell,))

    picture = picture_of(Snapshot(AT, (), tuple(map(view, range(20))), ()))
    assert len(picture.boxes[0].rows) == 10
    assert picture.notes == ("10 more globals, all zero, are not shown",)
    assert len(picture_of(Snapshot(AT, (), (view(0), view(2)), ())).boxes[0].rows) == 2


def test_deep_stacks_are_cut_in_the_middle() -> None:
    frames = tuple(FrameView(f"f{i}", AT, (), ()) for i in range(1000))
    picture = picture_of(Snapshot(AT, frames, (), ()))
    assert len(picture.boxes) == 24
    assert picture.boxes[-1].title == "f999"
    assert picture.notes == ("976 frames in the middle of the stack are not shown",)


def test_a_self_reference_can_be_drawn() -> None:
    own = BlockView(3, "self", "stack", 8, "live", "void *", AT, (pointer("", 3),))
    picture = picture_of(Snapshot(AT, (FrameView("f", AT, (), (own,)),), (), ()))
    assert picture.arrows[0].source == picture.arrows[0].target
    assert "self" in unicode_text(picture)

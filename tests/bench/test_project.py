"""A project unit by unit: what the bench adds up, and what it draws."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from precis.bench.projects.plots import bars, scatter
from precis.bench.projects.run import Unit, units
from precis.bench.projects.score import (
    Procedure,
    Score,
    by_depth,
    class_sizes,
    correlation,
    details,
    summary,
)

LIST = """
#include <stdlib.h>
struct n { struct n *next; int v; };
struct n *push(struct n *l, int v)
{
    struct n *x = malloc(sizeof *x);
    if (!x)
        return 0;
    x->next = l;
    x->v = v;
    return x;
}
static void set(struct n *a, int v) { a->v = v; }
int both(struct n *a, struct n *b) { set(a, 1); set(b, 2); return a->v + b->v; }
"""
BROKEN = "int f( { }\n"


def project(folder: Path) -> Path:
    for name, text in (("list.c", LIST), ("broken.c", BROKEN)):
        (folder / name).write_text(text, "ascii")
    entries = [
        {"directory": str(folder), "file": name, "command": f"gcc -c {name}"}
        for name in ("list.c", "broken.c")
    ]
    (folder / "compile_commands.json").write_text(json.dumps(entries), "ascii")
    return folder


def run(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "precis", "bench", "project", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_units_are_files_of_the_database(tmp_path: Path) -> None:
    assert units(project(tmp_path), "*") == ["broken.c", "list.c"]
    assert units(project(tmp_path), "l*") == ["list.c"]
    assert units(project(tmp_path), "l*,b*,x*") == ["broken.c", "list.c"]


def test_a_table_with_a_column_for_each_way_and_plots(tmp_path: Path) -> None:
    drawn = tmp_path / "drawn"
    done = run(str(project(tmp_path)), "-v", "--plots", str(drawn), "--calls", "strong,weak")
    assert done.returncode == 0, done.stderr
    rows = {line[:28].strip(): line[28:].split() for line in done.stdout.splitlines()}
    assert rows["units"] == ["2", "2"]
    assert rows["units without an answer"] == ["1", "1"], "a broken file costs only itself"
    assert rows["procedures"] == ["3", "3"]
    assert "no answer broken.c" in done.stdout
    for name in ("sizes-strong.svg", "sizes-weak.svg", "classes.svg"):
        ElementTree.parse(drawn / name)


def test_a_run_goes_on_where_another_one_was_stopped(tmp_path: Path) -> None:
    folder, kept = str(project(tmp_path)), tmp_path / "kept"
    words = (folder, "--only", "list.c", "--calls", "strong", "--keep", str(kept))
    assert run(*words).returncode == 0
    (record,) = kept.rglob("*.json")
    text = record.read_text("utf-8")

    def with_seconds(seconds: float) -> None:
        known = json.loads(text)
        known["unit"]["seconds"] = seconds
        record.write_text(json.dumps(known), "utf-8")

    with_seconds(4711)
    assert "4711.0" in run(*words).stdout, "what is known is taken from there"
    assert "4711.0" not in run(*words, "--timeout", "9").stdout, "but not with other options"
    record.write_text(text[:100], "utf-8")
    assert run(*words).returncode == 0, "a run that was stopped while it wrote"
    assert json.loads(record.read_text("utf-8"))["unit"]["file"] == "list.c"


def test_a_folder_that_is_no_project(tmp_path: Path) -> None:
    done = run(str(tmp_path))
    assert done.returncode == 2 and "compile_commands.json" in done.stderr


def test_what_is_added_up() -> None:
    place = {"file": "a.c", "line": 3}
    result = {
        "obligations": [
            {"status": "open", "library": False, "procedure": "f"},
            {"status": "open", "library": False, "procedure": "h", "why": "it may be null"},
            {
                "status": "open", "library": False, "procedure": "h",
                "why": "nothing is known inside g: what g is given may overlap in part",
            },
            {"status": "open", "library": True, "procedure": "g"},
            {"status": "proved", "library": False, "procedure": "f"},
        ],
        "findings": [{"at": place, "rule": "leak", "message": "lost"}],
        "procedures": [
            {
                "name": "f", "library": False, "depth": 2, "given_up": ["too large"],
                "measures": [{"size": 7, "classes": [1, 2]}],
            },
            {
                "name": "h", "library": False, "depth": 3, "given_up": [],
                "measures": [{"size": 9, "classes": [], "cuts": {"conditions": 1}}],
            },
            {"name": "g", "library": True, "depth": 0, "given_up": [], "measures": []},
        ],
    }  # fmt: skip
    score = Score("strong", (Unit("a.c", 1.0, 1 << 20, result), Unit("b.c", 1, 0)), 60.0)
    assert score.counts() == {"open": 2, "unseen": 1, "proved": 1}, (
        "models of the library do not count"
    )
    assert score.counts(score.whole()) == {"open": 1, "unseen": 1}, (
        "what was given up in part does not, either"
    )
    assert by_depth(score.procedures()) == {3: 9}
    assert class_sizes(score.procedures()) == {1: 1, 2: 1}
    assert "given up a.c f: too large" in list(details(score))
    assert "cut a.c h: conditions" in list(details(score))
    assert any("procedures whole" in line and "50.0%" in line for line in summary([score]))


def test_sizes_that_grow_with_depth_are_correlated() -> None:
    def sized(*sizes: int) -> list[Procedure]:
        return [Procedure("a.c", "f", depth, size, (), ()) for depth, size in enumerate(sizes)]

    assert correlation(sized(1, 2, 30, 400)) == pytest.approx(1)
    assert correlation(sized(9, 4, 3, 1)) == pytest.approx(-1)
    assert correlation(sized(5, 5, 5)) == correlation([]) == 0


def test_plots_are_well_formed_even_of_nothing() -> None:
    for text in (scatter("<a>", [], {}), bars("b", {}), bars("c", {"x & y": {1: 5, 3: 1}})):
        ElementTree.fromstring(text)

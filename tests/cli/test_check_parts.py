"""Parts of `precis check`: property files, compiler flags, output files, progress."""

from __future__ import annotations

import stat
from dataclasses import replace
from pathlib import Path

import pytest

from precis.cli.flags import flags_of
from precis.cli.outputs import Output
from precis.cli.progress import Progress
from precis.cli.property_files import Asked, asked, restricted, svcomp_answer
from precis.engine.budget import Event
from precis.engine.results import Finding, Kind, Result, Verdict
from precis.errors import InputError, ToolError
from precis.ir.location import Location
from precis.ir.types import DataModel
from precis.reports.checked import row_of

AT = Location("x.c", 3)
RACE = "CHECK( init(main()), LTL(G ! data-race) )"


def found(*rules: str) -> Result:
    findings = tuple(Finding(r, "", Kind.VIOLATION, "main", AT, AT, "", "search") for r in rules)
    return Result("x.c", Verdict.UNSAFE, rules[0], findings=findings)


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def prp(folder: Path, *formulas: str, entry: str = "main") -> str:
    path = folder / f"{len(list(folder.iterdir()))}.prp"
    lines = [f"CHECK( init({entry}()), LTL({formula}) )\n" for formula in formulas]
    path.write_text("".join(lines), "utf-8")
    return str(path)


def test_the_default_properties() -> None:
    assert asked(()).properties == ("memory-safety", "leaks", "assertions")
    assert asked(("overflow",)).properties == ("overflow",)
    assert asked(("overflow", "leaks")).rules == ("memory-leak", "signed-overflow", "bad-shift")
    with pytest.raises(InputError, match="unknown property"):
        asked(("termination",))


@pytest.mark.parametrize(
    ("formula", "property", "rules"),
    [
        ("G ! call(reach_error())", "assertions", {"assertion", "reachable-error"}),
        ("G ! call(__VERIFIER_error())", "assertions", {"assertion", "reachable-error"}),
        ("G valid-free", "memory-safety", {"double-free", "invalid-free"}),
        ("G valid-memtrack", "leaks", {"memory-leak"}),
        ("G valid-memcleanup", "cleanup", {"not-freed"}),
        ("G ! overflow", "overflow", {"signed-overflow", "bad-shift"}),
    ],
)
def test_a_property_file(formula: str, property: str, rules: set[str], tmp_path: Path) -> None:
    what = asked((prp(tmp_path, formula),))
    assert (what.properties, set(what.rules), what.entry) == ((property,), rules, "main")
    assert what.unchecked == ()


def test_lines_of_several_files_come_together(tmp_path: Path) -> None:
    files = prp(tmp_path, "G valid-deref", "G valid-free"), prp(tmp_path, "G valid-memtrack")
    what = asked((*files, "division"))
    assert what.properties == ("memory-safety", "leaks", "division")
    assert "null-dereference" in what.rules and "division-by-zero" in what.rules


def test_white_space_and_empty_lines_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "x.prp"
    path.write_text(
        "\nCHECK(init( start ( ) ),LTL( G  !  call( reach_error ( ) ) ) ) \r\n\n", "utf-8"
    )
    assert asked((str(path),)).properties == ("assertions",)
    assert asked((str(path),)).entry == "start"


@pytest.mark.parametrize("formula", ["G ! data-race", "F end", "G ! call(other())", "G valid-x"])
def test_a_line_that_cannot_be_checked_is_kept(formula: str, tmp_path: Path) -> None:
    what = asked((prp(tmp_path, formula, "G valid-free"),))
    assert what.unchecked == (f"CHECK( init(main()), LTL({formula}) )",)
    assert what.properties == ("memory-safety",)
    assert asked((prp(tmp_path, formula),)).properties == ()


def test_coverage_is_kept_as_something_that_cannot_be_checked(tmp_path: Path) -> None:
    path = tmp_path / "x.prp"
    line = "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )"
    path.write_text(line, "utf-8")
    assert asked((str(path),)).unchecked == (line,)


@pytest.mark.parametrize("text", ["", "\n \n", "int main(void);\n", "CHECK( LTL(G valid-free) )"])
def test_what_is_no_property_file(text: str, tmp_path: Path) -> None:
    path = tmp_path / "x.prp"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=r"x\.prp"):
        asked((str(path),))


def test_property_files_that_cannot_be_used(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such property file"):
        asked((str(tmp_path / "none.prp"),))
    with pytest.raises(InputError, match="cannot read"):
        (tmp_path / "folder.prp").mkdir()
        asked((str(tmp_path / "folder.prp"),))
    files = prp(tmp_path, "G valid-free"), prp(tmp_path, "G valid-free", entry="other")
    with pytest.raises(InputError, match="different entries"):
        asked(files)


def test_what_cannot_be_checked_leaves_unknown_but_not_a_violation() -> None:
    what = Asked(("leaks",), ("memory-leak",), (RACE,), "main")
    safe = restricted(Result("x.c", Verdict.SAFE), what)
    assert safe.verdict is Verdict.UNKNOWN and RACE in safe.reason
    opened = restricted(Result("x.c", Verdict.UNKNOWN, reason="a limit"), what)
    assert RACE in opened.reason and "a limit" in opened.reason
    assert restricted(found("memory-leak"), what).verdict is Verdict.UNSAFE


def test_only_a_violation_that_was_asked_for_counts() -> None:
    what = Asked(("memory-safety",), ("double-free", "invalid-free"))
    other = restricted(found("null-dereference"), what)
    assert other.verdict is Verdict.UNKNOWN and not other.rule
    assert "null-dereference" in other.reason
    both = restricted(found("null-dereference", "double-free"), what)
    assert (both.verdict, both.rule) == (Verdict.UNSAFE, "double-free")
    assert svcomp_answer([row_of(both)], what) == "FALSE(valid-free)"


@pytest.mark.parametrize(
    ("result", "answer"),
    [
        (Result("x.c", Verdict.SAFE), "TRUE"),
        (Result("x.c", Verdict.UNKNOWN), "UNKNOWN"),
        (found("use-after-scope"), "FALSE(valid-deref)"),
        (found("invalid-free"), "FALSE(valid-free)"),
        (found("memory-leak"), "FALSE(valid-memtrack)"),
        (found("not-freed"), "FALSE(valid-memcleanup)"),
        (found("bad-shift"), "FALSE(no-overflow)"),
        (found("reachable-error"), "FALSE(unreach-call)"),
        (found("uninitialised-use"), "UNKNOWN"),
        (found("uninitialised-use", "double-free"), "FALSE(valid-free)"),
    ],
)
def test_answers_for_competitions(result: Result, answer: str) -> None:
    everything = asked(
        ("memory-safety", "leaks", "cleanup", "uninitialised", "assertions", "overflow")
    )
    assert svcomp_answer([row_of(result)], everything) == answer


def test_answers_for_several_programs() -> None:
    what = asked(())
    safe, unknown = Result("x.c", Verdict.SAFE), Result("x.c", Verdict.UNKNOWN)
    rows = [row_of(result) for result in (safe, unknown, found("memory-leak"))]
    assert svcomp_answer(rows, what) == "FALSE(valid-memtrack)"
    assert svcomp_answer(rows[:2], what) == "UNKNOWN"
    assert svcomp_answer(rows, Asked(("assertions",), ("assertion",))) == "UNKNOWN"


def test_accepted_flags(tmp_path: Path) -> None:
    words = ["-I", "inc", "-Isrc", "-isystem", "sys", "-iquote", "q", "-DX=1", "-D", "Y", "-UZ"]
    words += ["-std=c99", "-funsigned-char", "-fsigned-char", "-include", "config.h"]
    assert flags_of(words, tmp_path).passed == tuple(words)
    assert flags_of(["-Wall", "-Werror=x", "-Wno-y", "-W"], tmp_path).passed == ()
    assert flags_of(["-m32"], tmp_path).model is DataModel.ILP32
    assert flags_of(["-m32", "-m64"], tmp_path).model is DataModel.LP64
    assert flags_of([], tmp_path).model is None


@pytest.mark.parametrize(
    "flag",
    ["-MD", "-MF", "-o", "-fplugin=x.so", "-Xclang", "-load", "@args", "-Wp,-MD,x", "-O2", "x.c",
     "-I", "-std=c99 -MD", "-include"],
)  # fmt: skip
def test_refused_flags(flag: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        flags_of(["-DX", flag], tmp_path)
    assert flag in str(caught.value) and "-isystem" in caught.value.advice


def test_an_included_file_stays_inside(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="-include"):
        flags_of(["-include", "/etc/passwd"], tmp_path)
    with pytest.raises(InputError, match="-include"):
        flags_of(["-include", "../x.h"], tmp_path)


def test_an_output_appears_whole(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    path.write_text("old", "utf-8")
    with Output(str(path)) as output:
        output.write("new ")
        assert path.read_text("utf-8") == "old"
        output.write("text")
        output.commit()
    assert path.read_text("utf-8") == "new text"
    assert names_in(tmp_path) == ["out.json"]


def test_an_output_that_is_not_finished_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(KeyError), Output(str(tmp_path / "out.json")) as output:
        output.write("half")
        raise KeyError
    assert names_in(tmp_path) == []


def test_an_output_is_as_open_to_others_as_any_file(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("", "utf-8")
    with Output(str(tmp_path / "out")) as output:
        output.commit()
    modes = {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("plain", "out")}
    assert len(modes) == 1


@pytest.mark.parametrize("name", ["none/out.json", ".", "x" * 300])
def test_an_output_that_cannot_be_written(name: str, tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="cannot write"), Output(f"{tmp_path}/{name}") as output:
        output.commit()


def test_a_device_stays_a_device() -> None:
    with Output("/dev/null") as output:
        output.write("text")
        output.commit()
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "target")
    with Output(str(tmp_path / "link")) as output:
        output.write("text")
        output.commit()
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_text("utf-8") == "text"


def test_progress_is_one_short_line_that_goes_away() -> None:
    written: list[str] = []
    now = [1.0]
    progress = Progress(written.append, 20, lambda: now[0])
    tell = progress.of_program("a\x1b[31m\n.c")
    tell(Event("values", "main", 1, 20))
    tell(Event("values", "other"))
    assert len(written) == 1
    now[0] += 0.2
    progress.show("漢" * 40)
    progress.clear()
    progress.clear()
    assert written[0] == "\r\x1b[Ka\\x1b[31m\\x0a.c: va"
    assert written[1] == "\r\x1b[K" + "漢" * 9
    assert written[2:] == ["\r\x1b[K"]


def test_no_progress_without_a_terminal() -> None:
    progress = Progress(None, 80)
    progress.show("text")
    progress.clear()


def test_findings_beside_the_verdict_are_kept() -> None:
    result = replace(found("memory-leak"), verdict=Verdict.UNKNOWN, library=True)
    assert restricted(result, asked(("leaks",))) == result

"""A check as SARIF: a golden file, the rules of the standard, identities, hostile names."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from precis.ir.location import Location
from precis.reports.checked import Cause, Checked, IfOpen, NotChecked, overall, row_of
from precis.reports.rules import RULES
from precis.reports.sarif import SarifLog
from tests.reports.check_samples import (
    AT,
    FILE,
    FINDING,
    HOSTILE,
    LIBRARY,
    MODEL,
    ROOT,
    SAFE,
    SEVERAL,
    UNSAFE,
    hostile,
)


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def text(programs: Sequence[Checked], root: Path = ROOT) -> str:
    log = SarifLog("0.0", str(root))
    pieces = [log.head(), *(piece for program in programs for piece in log.add(program))]
    whole = overall([row_of(program) for program in programs], IfOpen.FAIL)
    return "".join((*pieces, log.tail(whole)))


def run(programs: Sequence[Checked], root: Path = ROOT) -> dict[str, Any]:
    data = json.loads(text(programs, root))
    check_structure(data)
    found: dict[str, Any] = data["runs"][0]
    return found


# What the schema of SARIF 2.1.0 says of the objects in use: required keys, then allowed ones.
OBJECTS: dict[str, tuple[set[str], set[str]]] = {
    "log": ({"version", "runs"}, {"$schema"}),
    "run": ({"tool"}, {"columnKind", "originalUriBaseIds", "results", "invocations"}),
    "driver": ({"name"}, {"version", "rules"}),
    "rule": ({"id"}, {"shortDescription", "help", "helpUri", "defaultConfiguration", "properties"}),
    "result": (
        {"message"},
        {"ruleId", "ruleIndex", "kind", "level", "locations", "partialFingerprints", "codeFlows"}
        | {"stacks", "relatedLocations"},
    ),
    "location": (set(), {"physicalLocation", "message"}),
    "physical": ({"artifactLocation"}, {"region"}),
    "artifact": ({"uri"}, {"uriBaseId"}),
    "region": ({"startLine"}, {"startColumn", "endLine", "endColumn"}),
    "message": ({"text"}, set()),
    "flow": ({"threadFlows"}, set()),
    "thread": ({"locations"}, set()),
    "step": (set(), {"nestingLevel", "location"}),
    "stack": ({"frames"}, {"message"}),
    "frame": (set(), {"location"}),
    "invocation": ({"executionSuccessful"}, {"exitCode", "toolExecutionNotifications"}),
    "notification": ({"message"}, {"level", "locations", "properties"}),
}


def check_object(kind: str, value: dict[str, Any]) -> dict[str, Any]:
    required, allowed = OBJECTS[kind]
    assert required <= set(value) <= required | allowed, (kind, value)
    return value


def check_structure(data: dict[str, Any]) -> None:
    assert check_object("log", data)["version"] == "2.1.0"
    assert urlsplit(data["$schema"]).scheme == "https"
    (found,) = data["runs"]
    check_object("run", found)
    assert found["columnKind"] == "utf16CodeUnits"
    rules = check_object("driver", found["tool"]["driver"])["rules"]
    for rule in rules:
        check_object("rule", rule)
        assert urlsplit(rule["helpUri"]).scheme == "https"
    assert len({rule["id"] for rule in rules}) == len(rules)
    for result in found["results"]:
        check_result(result, rules)
    (invocation,) = found["invocations"]
    for notice in check_object("invocation", invocation)["toolExecutionNotifications"]:
        check_object("notification", notice)
        assert notice["level"] in ("none", "note", "warning", "error")
        check_message(notice["message"])
        for location in notice["locations"]:
            check_location(location)


def check_result(result: dict[str, Any], rules: list[dict[str, Any]]) -> None:
    check_object("result", result)
    check_message(result["message"])
    if "ruleIndex" in result:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    assert result["kind"] in ("fail", "open", "informational")
    assert (result["kind"] == "fail") == (result["level"] != "none")
    assert result["level"] in ("none", "error")
    for location in locations_of(result):
        check_location(location)
    digest, _, number = result["partialFingerprints"]["primaryLocationLineHash"].partition(":")
    assert len(digest) == 16 and int(digest, 16) >= 0 and int(number) >= 1


def locations_of(result: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield from result["locations"]
    yield from result.get("relatedLocations", ())
    for flow in result.get("codeFlows", ()):
        for thread in check_object("flow", flow)["threadFlows"]:
            for step in check_object("thread", thread)["locations"]:
                assert check_object("step", step)["nestingLevel"] >= 0
                yield step["location"]
    for stack in result.get("stacks", ()):
        for frame in check_object("stack", stack)["frames"]:
            yield check_object("frame", frame)["location"]


def check_location(location: dict[str, Any]) -> None:
    check_object("location", location)
    if "message" in location:
        check_message(location["message"])
    physical = check_object("physical", location["physicalLocation"])
    artifact = check_object("artifact", physical["artifactLocation"])
    split = urlsplit(artifact["uri"])
    assert (
        artifact["uri"].isascii() and artifact["uri"].isprintable() and " " not in artifact["uri"]
    )
    assert not split.query and not split.fragment and "<" not in artifact["uri"]
    assert split.scheme == ("" if "uriBaseId" in artifact else "file")
    assert artifact.get("uriBaseId", "%SRCROOT%") in ("%SRCROOT%", "%PRECIS%")
    if "region" in physical:
        assert all(number >= 1 for number in check_object("region", physical["region"]).values())


def check_message(message: dict[str, str]) -> None:
    shown = check_object("message", message)["text"]
    assert shown and shown.isprintable() and "](" not in shown
    rest = shown.replace("{{", "").replace("}}", "")
    assert "{" not in rest and "}" not in rest


def test_golden(golden: Callable[[str, str], None]) -> None:
    golden("check/several.sarif", text(SEVERAL))


def test_a_violation_is_a_failure_and_an_open_obligation_is_open() -> None:
    violation, opened = run((UNSAFE,))["results"]
    assert (violation["kind"], violation["level"]) == ("fail", "error")
    assert violation["ruleId"] == "use-after-free"
    assert (opened["kind"], opened["level"]) == ("open", "none")
    assert "list may be freed" in opened["message"]["text"]
    steps = violation["codeFlows"][0]["threadFlows"][0]["locations"]
    assert [step["nestingLevel"] for step in steps] == [0, 1, 1]
    assert [result["kind"] for result in run((LIBRARY,))["results"]] == ["informational"] * 2


def test_every_rule_has_its_weaknesses() -> None:
    rules = run((SAFE,))["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == list(RULES)
    tags = {rule["id"]: rule["properties"]["tags"] for rule in rules}
    assert tags["out-of-bounds"] == [
        "CWE-125", "external/cwe/cwe-125", "CWE-787", "external/cwe/cwe-787",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("programs", "successful", "code"),
    [((SAFE,), True, 0), ((UNSAFE,), True, 1), (SEVERAL, False, 2)],
)
def test_invocation(programs: tuple[Checked, ...], successful: bool, code: int) -> None:
    (invocation,) = run(programs)["invocations"]
    assert invocation["executionSuccessful"] is successful
    assert invocation["exitCode"] == code


def test_programs_without_a_result_are_notices() -> None:
    (invocation,) = run(SEVERAL)["invocations"]
    unread, no_main = invocation["toolExecutionNotifications"]
    assert unread["level"] == "error" and no_main["level"] == "warning"
    region = unread["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 2, "startColumn": 15}


def fingerprints(programs: Sequence[Checked], root: Path) -> list[str]:
    results = run(programs, root)["results"]
    return [result["partialFingerprints"]["primaryLocationLineHash"] for result in results]


def test_an_identity_stays_when_the_line_moves(tmp_path: Path) -> None:
    prints = []
    for name, before, line in (("a", "", "  f( x );"), ("b", "\n\n\n", "f(x);")):
        folder = tmp_path / name
        folder.mkdir()
        file = folder / "x.c"
        file.write_text(f"{before}{line}\n", "utf-8")
        at = Location(str(file), len(before) + 1, 1)
        found = replace(FINDING, at=at, inner=at)
        prints.append(fingerprints((replace(UNSAFE, findings=(found, found)),), folder)[:2])
    assert prints[0] == prints[1]
    assert prints[0][0] != prints[0][1]
    assert prints[0][0].split(":")[0] == prints[0][1].split(":")[0]


def region_of(at: Location) -> dict[str, int]:
    finding = replace(FINDING, at=at, inner=at, trace=(), stack=())
    (result,) = run((replace(SAFE, findings=(finding,)),))["results"]
    found: dict[str, int] = result["locations"][0]["physicalLocation"]["region"]
    return found


def test_columns_are_counted_in_utf_16(tmp_path: Path) -> None:
    file = tmp_path / "x.c"
    file.write_bytes("/* é🙂 */ f(x);\n/* \xff */ g();\n".encode("utf-8", "replace"))
    start = len("/* é🙂 */ ".encode()) + 1
    region = region_of(Location(str(file), 1, start, 1, start + 1))
    assert region == {"startLine": 1, "startColumn": 11, "endLine": 1, "endColumn": 12}
    assert region_of(Location(str(file), 9, 4)) == {"startLine": 9, "startColumn": 4}
    assert region_of(Location(str(file), 1)) == {"startLine": 1}


def uri_of(file: str, root: str = "/work/project") -> dict[str, str]:
    at = Location(file, 1)
    finding = replace(FINDING, at=at, inner=at, trace=(), stack=())
    found = run((replace(SAFE, findings=(finding,)),), Path(root))["results"][0]["locations"][0]
    artifact: dict[str, str] = found["physicalLocation"]["artifactLocation"]
    return artifact


def test_addresses_of_files() -> None:
    base = "%SRCROOT%"
    assert uri_of("src/a b.c") == {"uri": "src/a%20b.c", "uriBaseId": base}
    assert uri_of("./src/../x:y#z?.c") == {"uri": "x%3Ay%23z%3F.c", "uriBaseId": base}
    assert uri_of("/work/project/x.c") == {"uri": "x.c", "uriBaseId": base}
    assert uri_of("x.c", "/") == {"uri": "x.c", "uriBaseId": base}
    assert uri_of("../x.c") == {"uri": "file:///work/x.c"}
    assert uri_of("/work/project2/é.c") == {"uri": "file:///work/project2/%C3%A9.c"}
    assert uri_of("a\udcff.c") == {"uri": "a%FF.c", "uriBaseId": base}
    assert uri_of(MODEL) == {"uri": "precis/frontends/models/string.c", "uriBaseId": "%PRECIS%"}


def test_hostile_text_is_kept_as_text() -> None:
    for word in HOSTILE:
        if "\x00" in word:
            word = word.replace("\x00", "")
        written = text((hostile(word), NotChecked(word, Cause.INTERNAL, word)))
        assert written.isascii() and "\x1b" not in written
        found = run((hostile(word), NotChecked(word, Cause.INTERNAL, word)))
        uri = found["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        if "\ud800" not in word and not word.startswith("<"):
            assert unquote(uri, errors="surrogateescape").endswith(word[-4:])


def test_a_place_without_a_line_or_file() -> None:
    finding = replace(FINDING, at=Location("", 0), inner=Location("", 0), trace=(), stack=())
    (result,) = run((replace(SAFE, findings=(finding,)),))["results"]
    assert result["locations"] == []
    finding = replace(finding, at=Location(FILE, 0))
    (result,) = run((replace(SAFE, findings=(finding,)),))["results"]
    assert "region" not in result["locations"][0]["physicalLocation"]


def test_the_log_is_written_in_pieces() -> None:
    log = SarifLog("0.0", str(ROOT))
    log.head()
    pieces = list(log.add(replace(UNSAFE, findings=(FINDING,) * 50)))
    assert len(pieces) == 51
    assert all(piece.startswith(",\n" if number else "\n") for number, piece in enumerate(pieces))
    assert AT.file in pieces[0]

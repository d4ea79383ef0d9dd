"""A check as SARIF 2.1.0, the format of code scanning tools.

A violation is a result of kind "fail". What could not be proved is of kind "open", the kind of
tools that prove; its level must be "none" (3.27.10), as that of a precondition, which is
"informational". Results are identified by file, rule and source line without white space, so
that they stay the same when lines move.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from precis.engine.results import Finding, Note, ObligationResult, Precondition, Result, Status
from precis.ir.location import Location
from precis.reports.checked import COULD_NOT, Cause, Checked, NotChecked, Overall
from precis.reports.rules import RULES, Rule
from precis.reports.source import inside, is_ours, shown_file, source_line
from precis.reports.terminal import safe

SCHEMA: Final = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
ROOT: Final = "%SRCROOT%"
OURS: Final = "%PRECIS%"
_BASES: Final = {
    ROOT: {"description": {"text": "The folder that the check was started in."}},
    OURS: {"description": {"text": "The folder that Precis is installed in."}},
}
_INDEX: Final = {name: index for index, name in enumerate(RULES)}


class SarifLog:
    """The pieces of the text, in order: `head`, `add` for each program, `tail`.

    `root` is the folder that relative paths start at. The object is never whole in memory.
    """

    __slots__ = ("_count", "_notices", "_root", "_seen", "_version")

    def __init__(self, version: str, root: str) -> None:
        self._version = version
        self._root = root
        self._count = 0
        self._seen: Counter[str] = Counter()
        self._notices: list[dict[str, Any]] = []

    def head(self) -> str:
        driver = {
            "name": "Precis",
            "version": self._version,
            "rules": [_rule(rule) for rule in RULES.values()],
        }
        return (
            f'{{\n"$schema": {_text(SCHEMA)},\n"version": "2.1.0",\n"runs": [{{\n'
            f'"tool": {_text({"driver": driver})},\n"columnKind": "utf16CodeUnits",\n'
            f'"originalUriBaseIds": {_text(_BASES)},\n"results": ['
        )

    def add(self, checked: Checked) -> Iterator[str]:
        match checked:
            case NotChecked():
                self._notices.append(self._notice(checked))
            case Result() as result:
                for item in self._results(result):
                    self._count += 1
                    yield ("\n" if self._count == 1 else ",\n") + _text(item)

    def tail(self, whole: Overall) -> str:
        invocation = {
            "executionSuccessful": whole.status not in COULD_NOT,
            "exitCode": whole.status,
            "toolExecutionNotifications": self._notices,
        }
        return f'\n],\n"invocations": [{_text(invocation)}]\n}}]\n}}\n'

    def _results(self, result: Result) -> Iterator[dict[str, Any]]:
        for finding in result.findings:
            yield self._finding(finding)
        for obligation in result.obligations:
            if obligation.status is Status.OPEN:
                yield self._open(obligation)
        for need in result.preconditions:
            yield self._precondition(need)

    def _finding(self, finding: Finding) -> dict[str, Any]:
        given = self._result(finding.rule, finding.at, finding.message)
        given |= {"kind": "fail", "level": "error"}
        if finding.trace:
            given["codeFlows"] = [self._flow(finding.trace)]
        if finding.stack:
            frames = [self._frame(note) for note in finding.stack]
            given["stacks"] = [{"message": _message("Call stack"), "frames": frames}]
        if finding.inner != finding.at and finding.inner.line:
            given["relatedLocations"] = [
                {
                    **self._location(finding.inner),
                    "message": _message(inside(finding.inner.file)),
                }
            ]
        return given

    def _open(self, obligation: ObligationResult) -> dict[str, Any]:
        why = f": {obligation.why}" if obligation.why else ""
        text = f"not proved: {obligation.what}{why}"
        given = self._result(obligation.rule, obligation.at, text)
        given |= {"kind": "open", "level": "none"}
        if obligation.trace:
            given["codeFlows"] = [self._flow(obligation.trace)]
        return given

    def _precondition(self, need: Precondition) -> dict[str, Any]:
        text = f"callers of {need.procedure} must see to it: {need.text}"
        given = self._result(need.rule, need.at, text)
        return given | {"kind": "informational", "level": "none"}

    def _result(self, rule: str, at: Location, text: str) -> dict[str, Any]:
        index = {"ruleIndex": _INDEX[rule]} if rule in _INDEX else {}
        return {
            "ruleId": safe(rule),
            **index,
            "message": _message(text),
            "locations": [self._location(at)] if at.file else [],
            "partialFingerprints": {"primaryLocationLineHash": self._fingerprint(rule, at)},
        }

    def _fingerprint(self, rule: str, at: Location) -> str:
        line = b"".join(source_line(at.file, at.line).split())
        parts = (self._artifact(at.file)["uri"].encode("ascii"), rule.encode("utf-8"), line)
        digest = hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]
        self._seen[digest] += 1
        return f"{digest}:{self._seen[digest]}"

    def _flow(self, trace: Sequence[Note]) -> dict[str, Any]:
        steps = [
            {
                "nestingLevel": max(note.depth, 0),
                "location": {**self._location(note.at), "message": _message(note.text)},
            }
            for note in trace
        ]
        return {"threadFlows": [{"locations": steps}]}

    def _frame(self, note: Note) -> dict[str, Any]:
        return {"location": {**self._location(note.at), "message": _message(note.text)}}

    def _location(self, at: Location) -> dict[str, Any]:
        if not at.file:
            return {}
        physical: dict[str, Any] = {"artifactLocation": self._artifact(at.file)}
        if at.line:
            physical["region"] = _region(at)
        return {"physicalLocation": physical}

    def _artifact(self, file: str) -> dict[str, str]:
        """The URI of a file: relative to the root if it is inside, else absolute."""
        if is_ours(file):
            return {"uri": quote(shown_file(file)), "uriBaseId": OURS}
        whole = os.path.normpath(Path(self._root) / file)
        inside = self._root.rstrip("/") + "/"
        if whole.startswith(inside):
            return {"uri": _quoted(whole[len(inside) :]), "uriBaseId": ROOT}
        return {"uri": "file://" + _quoted(whole)}

    def _notice(self, failed: NotChecked) -> dict[str, Any]:
        """A program that could not be checked."""
        at = failed.at if failed.at.file else Location(failed.program, 0)
        level = "warning" if failed.cause in (Cause.NO_ENTRY, Cause.LIMIT) else "error"
        return {
            "level": level,
            "message": _message(failed.reason),
            "locations": [self._location(at)],
            "properties": {"kind": failed.cause.value},
        }


def _rule(rule: Rule) -> dict[str, Any]:
    tags = [tag for cwe in rule.cwe for tag in (f"CWE-{cwe}", f"external/cwe/cwe-{cwe:03d}")]
    described = {
        "id": rule.id,
        "shortDescription": {"text": rule.title},
        "help": {"text": rule.advice},
        "defaultConfiguration": {"level": "error"},
        "properties": {"tags": tags},
    }
    if rule.cwe:
        described["helpUri"] = f"https://cwe.mitre.org/data/definitions/{rule.cwe[0]}.html"
    return described


def _region(at: Location) -> dict[str, int]:
    region = {"startLine": at.line}
    if not at.column:
        return region
    region["startColumn"] = _column(source_line(at.file, at.line), at.column)
    last = at.end_line or at.line
    if at.end_column and (last, at.end_column) > (at.line, at.column):
        region["endLine"] = last
        region["endColumn"] = _column(source_line(at.file, last), at.end_column)
    return region


def _column(line: bytes, column: int) -> int:
    """A column in bytes, as one in UTF-16 code units."""
    if line.isascii():
        return column
    before = line[: column - 1].decode("utf-8", "replace")
    return len(before.encode("utf-16-le")) // 2 + 1


def _quoted(path: str) -> str:
    try:
        return quote(path.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:  # the name of no file
        return quote(path.encode("utf-8", "backslashreplace"))


def _message(text: str) -> dict[str, str]:
    """Plain text: braces are doubled (3.11.5), and nothing looks like a link (3.11.6)."""
    shown = safe(text).replace("{", "{{").replace("}", "}}")
    return {"text": shown.replace("](", "] (") or "-"}


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=True, sort_keys=True, allow_nan=False, indent=1)

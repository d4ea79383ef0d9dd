"""A check as JSON for scripts, format "precis check 1".

One object; keys are sorted, every character is ASCII, and there are no times, so the same check
of the same programs gives the same bytes, but for `recalled` of a stage: how many summaries came
from the store.

    format      "precis check 1"; another number when a field changes its meaning
    programs    what became of each program, in the order they were given
    properties  the names of the properties that were checked
    reason      why the verdict is UNKNOWN, else empty
    rule        the rule of an UNSAFE verdict, else empty
    status      the exit status of the command
    unchecked   lines of property files that Precis cannot check
    verdict     "SAFE", "UNSAFE" or "UNKNOWN", the worst of the programs
    version     of Precis

Each program has `program` (its path as given), `verdict`, `rule`, `reason`, and the fields of
`precis.engine.results.Result` under their own names: `findings`, `obligations`, `preconditions`,
`procedures`, `stages`, `assumptions`, `properties`, `library`, `internal`; `error` is null. A
program without a result has an `error` instead: its `kind` ("bad-input", "tool-failed",
"internal-error", "no-entry", "limit", "interrupted") and its place `at`.

An obligation with a negative `number` and the rule "overlap" stands for a call that nothing is
known of; it is no check of the program.

A place is an object with `file`, `line`, `column`, `end_line`, `end_column`, `macro` and
`argument`; line 0 means no place. Files of Precis itself begin with `precis/`. Numbers that JSON
does not have are the texts "nan", "inf" and "-inf"; in the name of a file that is not UTF-8 the
odd bytes are written as `\\udcXX`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, Final

from precis.engine.results import Result, Verdict
from precis.ir.location import Location
from precis.reports.checked import Checked, NotChecked, Overall
from precis.reports.source import shown_file

FORMAT: Final = "precis check 1"


class JsonLog:
    """The pieces of the text, in order: `head`, `add` for each program, `tail`."""

    __slots__ = ("_count", "_properties", "_unchecked", "_version")

    def __init__(self, version: str, properties: Sequence[str], unchecked: Sequence[str]) -> None:
        self._count = 0
        self._version = version
        self._properties = sorted(properties)
        self._unchecked = list(unchecked)

    def head(self) -> str:
        return f'{{\n"format": {_text(FORMAT)},\n"programs": ['

    def add(self, checked: Checked) -> str:
        self._count += 1
        return ("\n" if self._count == 1 else ",\n") + _text(plain(checked))

    def tail(self, whole: Overall) -> str:
        rest = {
            "properties": self._properties,
            "reason": whole.reason,
            "rule": whole.rule,
            "status": whole.status,
            "unchecked": self._unchecked,
            "verdict": whole.verdict.value,
            "version": self._version,
        }
        lines = [f'"{key}": {_text(plain(value))}' for key, value in sorted(rest.items())]
        return "\n],\n" + ",\n".join(lines) + "\n}\n"


def plain(value: Any) -> Any:
    """Dataclasses as objects, enums as their values, tuples as lists."""
    match value:
        case NotChecked(program=program, cause=cause, reason=reason, at=at):
            error = {"kind": cause.value, "at": at}
            verdict = Verdict.UNKNOWN
            return plain(
                {"program": program, "verdict": verdict, "rule": "", "reason": reason}
                | {"error": error}
            )
        case Result():
            return {"error": None, **_fields(value)}
        case Location(file=file):
            return {**_fields(value), "file": plain(shown_file(file))}
        case Enum():
            return plain(value.value)
        case dict():
            return {plain(key): plain(item) for key, item in value.items()}
        case list() | tuple():
            return [plain(item) for item in value]
        case str():
            return well_formed(value)
        case float() if not math.isfinite(value):
            return str(value)
        case None | bool() | int() | float():
            return value
        case _ if is_dataclass(value):
            return _fields(value)
        case _:
            raise TypeError(f"not plain: {type(value).__name__}")


def _fields(value: Any) -> dict[str, Any]:
    return {field.name: plain(getattr(value, field.name)) for field in fields(value)}


def well_formed(text: str) -> str:
    """The text with lone surrogates, which no encoding has, written out."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=True, sort_keys=True, allow_nan=False, indent=1)

"""A check as JSON: a golden file, every field, the same bytes always."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any

import pytest

from precis.engine.results import Finding, ObligationResult, Result
from precis.ir.location import Location
from precis.reports.checked import Cause, Checked, IfOpen, NotChecked, overall, row_of
from precis.reports.plain import JsonLog, plain
from tests.reports.check_samples import HOSTILE, MODEL, PROPERTIES, SAFE, SEVERAL, UNSAFE, hostile


def text(programs: Sequence[Checked], unchecked: Sequence[str] = ()) -> str:
    log = JsonLog("0.0", PROPERTIES, unchecked)
    whole = overall([row_of(program) for program in programs], IfOpen.FAIL)
    return log.head() + "".join(map(log.add, programs)) + log.tail(whole)


def test_golden(golden: Callable[[str, str], None]) -> None:
    line = "CHECK( init(main()), LTL(F end) )"
    golden("check/several.json", text(SEVERAL, [line]))


@pytest.mark.parametrize("programs", [SEVERAL, (SAFE,), (SEVERAL[2],)])
def test_keys_are_sorted_and_text_is_ascii(programs: tuple[Checked, ...]) -> None:
    written = text(programs)
    assert written.isascii() and written == text(programs)

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        assert [key for key, _ in items] == sorted(key for key, _ in items)
        return dict(items)

    data = json.loads(written, object_pairs_hook=pairs)
    assert data["format"] == "precis check 1"
    assert len(data["programs"]) == len(programs)


def test_all_fields_are_there() -> None:
    data = plain(UNSAFE)
    for kind, found in (
        (Result, data),
        (Finding, data["findings"][0]),
        (ObligationResult, data["obligations"][1]),
        (Location, data["findings"][0]["at"]),
    ):
        assert {field.name for field in fields(kind)} <= set(found)
    assert data["verdict"] == "UNSAFE" and data["error"] is None
    assert data["findings"][0]["kind"] == "violation"
    assert data["findings"][0]["values"] == [["list", "heap block 5, freed"]]
    assert data["findings"][0]["inputs"][1]["value"] == 0.5


def test_a_program_without_a_result() -> None:
    at = Location("x.h", 3, 4)
    data = plain(NotChecked("x.c", Cause.BAD_INPUT, "no", "a secret detail", at))
    assert data["verdict"] == "UNKNOWN" and data["reason"] == "no"
    assert data["error"] == {"kind": "bad-input", "at": plain(at)}
    assert "secret" not in json.dumps(data)


def test_files_of_precis_are_named_without_their_folder() -> None:
    assert plain(Location(MODEL, 1))["file"] == "precis/frontends/models/string.c"
    assert MODEL not in text((UNSAFE,))


def test_hostile_text_is_kept_as_text() -> None:
    for word in HOSTILE:
        written = text((hostile(word), NotChecked(word, Cause.INTERNAL, word)))
        assert written.isascii() and "\x1b" not in written
        data = json.loads(written)
        assert json.dumps(data, ensure_ascii=False).encode("utf-8")
        shown = data["programs"][0]["program"]
        assert shown == word or shown == "\\udcff\\ud800 lone"
        assert data["programs"][0]["findings"][0]["inputs"][0]["value"] == "nan"


def test_only_plain_values_pass() -> None:
    with pytest.raises(TypeError):
        plain({1, 2})

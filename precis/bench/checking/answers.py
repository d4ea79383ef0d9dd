"""What is judged of an answer of `precis check`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

_INPUTS = "__VERIFIER_nondet"
_NO_FAILURE = "limit"  # an analysis that was ended is a verdict, UNKNOWN


@dataclass(frozen=True, slots=True)
class Shown:
    """A violation that the check reports, with the inputs of its run."""

    rule: str
    line: int
    inputs: tuple[int | float, ...] = ()

    def __str__(self) -> str:
        values = ",".join(map(str, self.inputs))
        return f"{self.rule} at line {self.line} on [{values}]"


@dataclass(frozen=True, slots=True)
class Claim:
    """An obligation and how the check says it stands; line 0 if it is not in the program."""

    property: str
    rule: str
    line: int
    status: str
    why: str = ""
    library: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """What the check says of a program. `failure` says why there is no result, else empty."""

    verdict: str
    rule: str = ""
    reason: str = ""
    failure: str = ""
    shown: tuple[Shown, ...] = ()
    claims: tuple[Claim, ...] = ()


def no_answer(failure: str) -> Answer:
    return Answer("", failure=failure)


def answer_of(entry: dict[str, Any]) -> Answer:
    """The entry of a program in the JSON of a check."""
    verdict, reason, error = str(entry["verdict"]), str(entry["reason"]), entry["error"]
    if error is not None:
        kind = str(error["kind"])
        failure = "" if kind == _NO_FAILURE else f"{kind}: {reason}"
        return Answer(verdict, reason=reason, failure=failure)
    program = str(entry["program"])
    claims = tuple(_claim(obligation, program) for obligation in entry["obligations"])
    shown = tuple(_shown(finding) for finding in entry["findings"])
    failure = _internal(reason, claims) if entry["internal"] else ""
    return Answer(verdict, str(entry["rule"]), reason, failure, shown, claims)


def _internal(reason: str, claims: Sequence[Claim]) -> str:
    """What the check found wrong with itself."""
    told = (claim.why for claim in claims if claim.why.startswith("internal"))
    return reason or next(told, "an internal check failed")


def _shown(finding: dict[str, Any]) -> Shown:
    inputs = (i for i in finding["inputs"] if str(i["source"]).startswith(_INPUTS))
    return Shown(
        str(finding["rule"]), int(finding["at"]["line"]), tuple(i["value"] for i in inputs)
    )


def _claim(obligation: dict[str, Any], program: str) -> Claim:
    at = obligation["at"]
    return Claim(
        str(obligation["property"]),
        str(obligation["rule"]),
        int(at["line"]) if at["file"] == program else 0,
        str(obligation["status"]),
        str(obligation["why"]),
        bool(obligation["library"]),
    )

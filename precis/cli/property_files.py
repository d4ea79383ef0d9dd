"""Properties as they are asked for: by name, or by the lines of a property file (.prp).

A line says `CHECK( init(main()), LTL(G ! call(reach_error())) )`. A line that Precis cannot
check is kept, to make the verdict UNKNOWN: it must never be passed over.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from precis.engine.results import Result, Verdict
from precis.errors import InputError
from precis.ir.obligation import PROPERTY_OF_RULE
from precis.properties.place import NAMES, chosen
from precis.reports.checked import Row

SUFFIX: Final = ".prp"
DEFAULT: Final = ("memory-safety", "leaks", "assertions")

# SV-COMP divides properties into parts; the rules of each.
SUBPROPERTIES: Final[dict[str, tuple[str, ...]]] = {
    "valid-deref": (
        "null-dereference",
        "use-after-free",
        "use-after-scope",
        "out-of-bounds",
        "invalid-pointer",
    ),
    "valid-free": ("double-free", "invalid-free"),
    "valid-memtrack": ("memory-leak",),
    "valid-memcleanup": ("not-freed",),
    "no-overflow": ("signed-overflow", "bad-shift"),
    "unreach-call": ("assertion", "reachable-error"),
}
_PART_OF_RULE: Final = {rule: part for part, rules in SUBPROPERTIES.items() for rule in rules}

_CHECK: Final = re.compile(r"CHECK\(init\((\w+)\(\)\),LTL\((.*)\)\)")
_COVER: Final = re.compile(r"COVER\(.*\)")
_FORMULAS: Final = {
    "Gvalid-deref": "valid-deref",
    "Gvalid-free": "valid-free",
    "Gvalid-memtrack": "valid-memtrack",
    "Gvalid-memcleanup": "valid-memcleanup",
    "G!overflow": "no-overflow",
    "G!call(reach_error())": "unreach-call",
    "G!call(__VERIFIER_error())": "unreach-call",
}


@dataclass(frozen=True, slots=True)
class Asked:
    """What a check is to answer: properties, and which of their rules count.

    `unchecked` are the lines that cannot be checked; `entry` is the function that the lines of
    property files start at, empty without any.
    """

    properties: tuple[str, ...]
    rules: tuple[str, ...]
    unchecked: tuple[str, ...] = ()
    entry: str = ""


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    entry: str
    rules: tuple[str, ...]


def asked(words: Sequence[str]) -> Asked:
    """The properties of the `--property` options; raises InputError."""
    names = tuple(word for word in words if not word.endswith(SUFFIX))
    lines = [line for word in words if word.endswith(SUFFIX) for line in _lines(Path(word))]
    properties = chosen(names, () if words else DEFAULT)
    rules = {rule for rule, property in PROPERTY_OF_RULE.items() if property in properties}
    rules |= {rule for line in lines for rule in line.rules}
    properties |= {PROPERTY_OF_RULE[rule] for rule in rules}
    entries = tuple(dict.fromkeys(line.entry for line in lines if line.entry))
    if len(entries) > 1:
        raise InputError(f"the property files name different entries: {', '.join(entries)}")
    return Asked(
        tuple(name for name in NAMES if name in properties),
        tuple(rule for rule in PROPERTY_OF_RULE if rule in rules),
        tuple(dict.fromkeys(line.text for line in lines if not line.rules)),
        entries[0] if entries else "",
    )


def _lines(path: Path) -> list[_Line]:
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        raise InputError("no such property file", file=str(path)) from None
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read the properties: {error}", file=str(path)) from None
    numbered = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    lines = [_line(path, number, line) for number, line in numbered if line]
    if not lines:
        raise InputError("the property file is empty", file=str(path))
    return lines


def _line(path: Path, number: int, text: str) -> _Line:
    bare = "".join(text.split())
    found = _CHECK.fullmatch(bare)
    if found is not None:
        part = _FORMULAS.get(found[2])
        return _Line(text, found[1], SUBPROPERTIES[part] if part else ())
    if _COVER.fullmatch(bare):
        return _Line(text, "", ())
    raise InputError(
        f"not a property: {text}",
        file=str(path),
        line=number,
        advice="a property looks like CHECK( init(main()), LTL(G valid-deref) )",
    )


def restricted(result: Result, what: Asked) -> Result:
    """The result as an answer to what was asked, and to nothing else.

    A violation of something else says nothing of what was asked, as a run has no meaning beyond
    it; a line that cannot be checked leaves at best UNKNOWN.
    """
    if result.verdict is Verdict.UNSAFE:
        rule = next((f.rule for f in result.findings if f.rule in what.rules), None)
        if rule is not None:
            return replace(result, rule=rule)
        reason = f"{result.rule} was found, which was not asked for; what comes after it is unknown"
        result = replace(result, verdict=Verdict.UNKNOWN, rule="", reason=reason)
    if not what.unchecked:
        return result
    reasons = [f"cannot check the property {line}" for line in what.unchecked]
    if result.reason:
        reasons.append(result.reason)
    return replace(result, verdict=Verdict.UNKNOWN, rule="", reason="; ".join(reasons))


def part_of(rule: str) -> str:
    """The part of SV-COMP's properties that a rule belongs to, or nothing."""
    return _PART_OF_RULE.get(rule, "")


def svcomp_answer(rows: Sequence[Row], what: Asked) -> str:
    """The line that SV-COMP's harness reads: FALSE only with a part that was asked for."""
    found = [rule for row in rows if row.verdict is Verdict.UNSAFE for rule in row.rules]
    parts = (_PART_OF_RULE.get(rule) for rule in found if rule in what.rules)
    part = next(filter(None, parts), None)
    if part is not None:
        return f"FALSE({part})"
    proved = all(row.verdict is Verdict.SAFE and not row.preconditions for row in rows)
    return "TRUE" if proved else "UNKNOWN"

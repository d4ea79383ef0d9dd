"""Why a verdict is UNKNOWN, without names and numbers, so that equal causes count together."""

from __future__ import annotations

import re

from .answers import Answer

_FORMS = (
    (r"^nothing is known beyond \S+:\d+:\d+: ", "beyond some place: "),
    (r"\s*\([^()]*\)", ""),
    (r"the last pointer to .*? may be lost", "a block may be lost"),
    (
        r"(^|, or )(?:what .+? leads to|(?:an?|the)(?: \w+)? block of line \d+|an? \S+|\S+) "
        r"(?=is not a block|may be|may still|may not be)",
        r"\1a block ",
    ),
    (r"may have freed .*", "may have freed a block"),
    (r"^(?:the memory at )?.* must not be", "the memory at a block must not be"),
    (r"^the summary of \S+", "the summary of a function"),
    (r"\S+ (?:needs|would need) that .*", "a caller would have to see to it"),
    (r"-?\b\d[\d.,]*", "N"),
)


def reason_of(answer: Answer) -> str:
    """The first open obligation that the reason speaks of, by rule and cause; else the reason."""
    for claim in answer.claims:
        if claim.status == "open" and claim.why and f": {claim.why}" in answer.reason:
            return f"{claim.rule}: {plain(claim.why)}"
    return plain(re.sub(r"; \d+ more$", "", answer.reason)) or "no reason is given"


def plain(text: str) -> str:
    """The text without what is peculiar to a program."""
    for pattern, replacement in _FORMS:
        text = re.sub(pattern, replacement, text)
    return text

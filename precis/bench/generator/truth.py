"""What is known about a generated program."""

from __future__ import annotations

from dataclasses import dataclass

PROPERTY_OF = {
    "null-dereference": "memory-safety",
    "use-after-free": "memory-safety",
    "use-after-scope": "memory-safety",
    "out-of-bounds": "memory-safety",
    "invalid-pointer": "memory-safety",
    "double-free": "memory-safety",
    "invalid-free": "memory-safety",
    "memory-leak": "leaks",
    "not-freed": "cleanup",
    "uninitialised-use": "uninitialised",
    "assertion": "assertions",
    "reachable-error": "assertions",
    "signed-overflow": "overflow",
    "bad-shift": "overflow",
    "division-by-zero": "division",
}
RULES = tuple(PROPERTY_OF)
PROPERTIES = tuple(dict.fromkeys(PROPERTY_OF.values()))

# Defects that a sanitizer cannot see by its nature; the agreement harness counts them apart.
BLIND_UNINITIALISED = "uninitialised use"
BLIND_JUMP = "jump into another live block"
BLIND_FRAME = "alloca after return"
BLIND_VARIADIC = "variable arguments"
BLIND_CALL = "call of a null pointer"


@dataclass(frozen=True, slots=True)
class Correct:
    """The program keeps every rule on every input."""


@dataclass(frozen=True, slots=True)
class Defect:
    """The program breaks `rule` at `line` on exactly `inputs`, and no rule before that.

    `form` names the way the defect was planted; `blind` is the reason why sanitizers may miss it,
    or empty.
    """

    rule: str
    line: int
    inputs: tuple[tuple[int, ...], ...]
    always: bool
    form: str
    blind: str = ""

    @property
    def property(self) -> str:
        return PROPERTY_OF[self.rule]


Expectation = Correct | Defect


@dataclass(frozen=True, slots=True)
class Generated:
    """A C program, the ranges of its inputs in the order in which it reads them, and its truth.

    `properties` are those under which the expectation was stated: a correct program keeps all of
    them; in a program with a defect no other one is broken first.
    """

    name: str
    source: str
    expect: Expectation
    input_ranges: tuple[tuple[int, int], ...]
    properties: tuple[str, ...]

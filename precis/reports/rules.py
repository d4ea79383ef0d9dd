"""What is known of each rule, for reports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Rule:
    """`advice` says what a programmer can do about it."""

    id: str
    title: str
    cwe: tuple[int, ...]
    advice: str


RULES: Final[dict[str, Rule]] = {
    rule.id: rule
    for rule in (
        Rule(
            "null-dereference",
            "A null pointer is dereferenced",
            (476,),
            "test the pointer before this use, or find out why it is null here",
        ),
        Rule(
            "use-after-free",
            "Memory is used after it was freed",
            (416,),
            "move the free behind the last use, or clear every copy of the pointer",
        ),
        Rule(
            "use-after-scope",
            "A local is used after its scope ended",
            (562,),
            "let the object live longer: static, allocated, or owned by the caller",
        ),
        Rule(
            "out-of-bounds",
            "An access goes past the bounds of its object",
            (125, 787),
            "check the index or length against the object's size",
        ),
        Rule(
            "invalid-pointer",
            "A pointer that points to no usable object is used",
            (824,),
            "find out where this pointer value comes from",
        ),
        Rule(
            "double-free",
            "Memory is freed twice",
            (415,),
            "free in one place only, and clear the pointer there",
        ),
        Rule(
            "invalid-free",
            "free is given a pointer it cannot free",
            (590,),
            "free only what malloc, calloc or realloc returned, by its first byte",
        ),
        Rule(
            "memory-leak",
            "The last pointer to allocated memory is lost",
            (401,),
            "free the memory, or keep the pointer, before this step",
        ),
        Rule(
            "not-freed",
            "Memory is still allocated when the program ends",
            (401,),
            "free the memory before the program ends",
        ),
        Rule(
            "uninitialised-use",
            "A value is used that was never set",
            (457,),
            "set the variable or memory on every way to this use",
        ),
        Rule("assertion", "An assertion fails", (617,), "see the values that make it fail"),
        Rule(
            "reachable-error",
            "An error function is reached",
            (617,),
            "see the branches that lead here",
        ),
        Rule(
            "signed-overflow",
            "Signed arithmetic overflows",
            (190,),
            "use a wider or unsigned type, or test the operands first",
        ),
        Rule(
            "bad-shift",
            "A shift is not defined for these operands",
            (1335,),
            "keep the count below the width and shift unsigned values",
        ),
        Rule("division-by-zero", "Division by zero", (369,), "test the divisor first"),
        Rule(
            "overlap",
            "What a call is given may overlap in part",
            (475,),
            "give it memory that does not overlap, or the same place twice",
        ),
    )
}

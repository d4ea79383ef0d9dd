"""Lines that build systems read too: they must not take one for a command of theirs."""

from __future__ import annotations


def inert(line: str) -> str:
    """The line with the start of a command (`::name::`, `##[name]`) written out."""
    if line.lstrip().startswith("::"):
        line = line.replace("::", "\\x3a:", 1)
    return line.replace("##[", "#\\x23[") if "##[" in line else line

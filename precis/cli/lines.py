"""Lines with text of others in them, such as names of files, as they may be printed."""

from __future__ import annotations


def safe_lines(text: str) -> str:
    """The text without what a terminal or the log of a build would obey."""
    from precis.reports.log_lines import inert
    from precis.reports.terminal import safe

    return "\n".join(inert(safe(line)) for line in text.split("\n"))

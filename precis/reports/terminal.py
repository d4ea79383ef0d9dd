"""Text made safe for a terminal: names and source lines are hostile input."""

from __future__ import annotations


def safe(text: str) -> str:
    """The text with every control character and odd code point written out."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(character) for character in text)


def _shown(character: str) -> str:
    if character.isprintable():
        return character
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"

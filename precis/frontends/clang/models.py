"""Which model defines which library function: `models/index.json`."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Final

MODELS: Final = Path(__file__).resolve().parent.parent / "models"


@cache
def index() -> dict[str, str]:
    """Name of a function or variable -> file in the models folder."""
    content = json.loads((MODELS / "index.json").read_text(encoding="utf-8"))
    found: dict[str, str] = {**content["variables"], **content["functions"]}
    return found


def model_names(linked: str, declared: str) -> tuple[str, ...]:
    """Under which names the models may have what a program knows by these two.

    With large files glibc declares `stat` and links `stat64`, which is the same where `long`
    has 64 bits; `scanf` of C99 it links as `__isoc99_scanf`. Other labels mean what they say.
    """
    if linked in index():
        return (linked,)
    plain = linked.removesuffix("64")
    for prefix in ("__isoc99_", "__isoc23_"):
        plain = plain.removeprefix(prefix)
    return (plain,) if plain != linked and declared in (plain, linked) else (linked,)

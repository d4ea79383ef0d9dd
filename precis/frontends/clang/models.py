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

"""The rooms of Precis import only what the house rules let them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "precis"
ANYTHING = "precis"
MAY_IMPORT = {
    "ir": (),
    "frontends": ("ir",),
    "properties": ("ir",),
    "solvers": ("ir",),
    "interp": ("ir",),
    "domains": ("ir", "solvers.protocol", "solvers.terms"),
    "engine": (
        "ir", "domains.protocol", "domains.picture", "solvers.protocol", "solvers.terms", "interp",
    ),
    "store": ("ir", "engine.summary", "engine.results"),
    "reports": ("engine.results", "domains.picture", "ir.location"),
    "cli": (ANYTHING,),
    "bench": (),
}  # fmt: skip
ROOMS = sorted(path.name for path in PACKAGE.iterdir() if any(path.glob("*.py")))


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """The modules of Precis that a file imports, each with its line, without `precis.`."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        match node:
            case ast.Import(names=names):
                modules = [alias.name for alias in names]
            case ast.ImportFrom(module=module, names=names, level=level):
                folders = path.relative_to(PACKAGE.parent).parent.parts
                above = folders[: len(folders) + 1 - level] if level else ()
                origin = ".".join((*above, *([module] if module else [])))
                modules = [f"{origin}.{alias.name}" for alias in names]
            case _:
                continue
        yield from (
            (node.lineno, name.removeprefix("precis."))
            for name in modules
            if name.startswith("precis.")
        )


def within(module: str, room: str) -> bool:
    return room == ANYTHING or module == room or module.startswith(f"{room}.")


@pytest.mark.parametrize("room", ROOMS)
def test_room_imports_only_what_it_may(room: str) -> None:
    allowed = (*MAY_IMPORT[room], room)
    if room != "bench":
        allowed += ("errors", "__version__")
    wrong = [
        f"{path.relative_to(PACKAGE)}:{line} imports precis.{module}"
        for path in sorted((PACKAGE / room).rglob("*.py"))
        for line, module in imported(path)
        if not any(within(module, name) for name in allowed)
    ]
    assert not wrong, "\n".join(wrong)

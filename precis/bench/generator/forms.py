"""A form: C text with one wrong step, taken only where a gate opens.

The text of a form has sections that begin with a line `#type`, `#global`, `#function` or `#here`;
what stands before the first such line belongs to `#here`. In it

- `$C` is the gate's condition, in parentheses;
- `PICK(a, b)` is an int: a where the gate opens, else b;
- `$E`, `$F`, `$G` are expressions between 0 and 9, `$K` and `$M` constants between 3 and 6;
- with a library, `$push` and so on are its functions, `$T` its struct, and `$LIST` or `$TREE` has
  the elements 1, ..., K and is made before the text;
- every other `$name` is a name that is new in the program;
- the line that ends in `@@` breaks the rule; without one it is broken when main returns.

Where the gate stays closed the text is correct and releases all that it took.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from .draft import MARK, Site, c_lines
from .expressions import number
from .gate import Gate
from .lists import LIST_OPERATIONS, ListLibrary
from .trees import TREE_OPERATIONS, TreeLibrary

_SECTIONS = ("#type", "#global", "#function", "#here")
_PICK = re.compile(r"PICK\(([^,()]+), ([^,()]+)\)")


class Library(Enum):
    """The data structure that a form works on."""

    NONE = "none"
    LIST = "list"
    TREE = "tree"


@dataclass(frozen=True, slots=True)
class Form:
    """A way to break a rule; `blind` as in `truth.Defect`."""

    rule: str
    name: str
    text: str
    library: Library = Library.NONE
    blind: str = ""

    @property
    def breaks_at_exit(self) -> bool:
        return MARK not in self.text


class _Names(dict[str, str]):
    """Fills in the names of a form as they are met."""

    def __init__(self, site: Site, library: ListLibrary | TreeLibrary | None) -> None:
        super().__init__()
        self._site = site
        self._library = library

    def __missing__(self, key: str) -> str:
        self[key] = value = self._value(key)
        return value

    def _value(self, key: str) -> str:
        if key in ("E", "F", "G"):
            return number(self._site, 0, 9, 1)
        if key in ("K", "M"):
            return str(self._site.dice.between(3, 6))
        if isinstance(self._library, ListLibrary) and key in LIST_OPERATIONS:
            return self._library.function(key)
        if isinstance(self._library, TreeLibrary) and key in TREE_OPERATIONS:
            return self._library.function(key)
        if self._library is not None and key in self._library.names:
            return self._library.names[key]
        return self._site.draft.fresh(key)


def apply(form: Form, site: Site, gate: Gate) -> None:
    """Write the form at `site`; the gate must be one of that site."""
    library: ListLibrary | TreeLibrary | None = None
    if form.library is Library.LIST:
        library = ListLibrary(site.draft)
    elif form.library is Library.TREE:
        library = TreeLibrary(site.draft)
    names = _Names(site, library)
    names["C"] = gate.condition
    if isinstance(library, ListLibrary):
        names["LIST"] = library.filled(site, int(names["K"]))
    if isinstance(library, TreeLibrary):
        names["TREE"] = _filled_tree(site, library, int(names["K"]))
    for section, text in _sections(form.text):
        match section:
            case "#type":
                site.draft.types.extend(_expanded(text, names))
            case "#global":
                site.draft.globals.extend(_expanded(text, names))
            case "#function":
                site.draft.functions.append(_expanded(text, names))
            case _:
                _here(site, gate, text, names)


def _sections(text: str) -> list[tuple[str, str]]:
    found: list[tuple[str, list[str]]] = [("#here", [])]
    for line in text.splitlines():
        if line.strip() in _SECTIONS:
            found.append((line.strip(), []))
        else:
            found[-1][1].append(line)
    return [(section, "\n".join(lines)) for section, lines in found]


def _expanded(text: str, names: _Names) -> list[str]:
    """As `c_lines`, with names that are made when they are met."""
    wanted = re.findall(r"\$\{?(\w+)", text)
    return c_lines(text, **{name: names[name] for name in wanted})


def _here(site: Site, gate: Gate, text: str, names: _Names) -> None:
    for line in text.splitlines():
        match = _PICK.search(line)
        if match:
            opened, closed = match.groups()
            line = line.replace(match.group(), _picked(site, gate, opened, closed, names), 1)
        site.lines.extend(_expanded(line, names))


def _picked(site: Site, gate: Gate, opened: str, closed: str, names: _Names) -> str:
    match site.dice.below(3):
        case 0:
            return f"({gate.condition} ? {opened} : {closed})"
        case 1:
            return f"({closed} + {gate.condition} * ({opened} - ({closed})))"
        case _:
            name = site.draft.fresh(site.dice.pick(("at", "step", "amount", "pos")))
            text = f"int {name} = {closed};\nif $C {{\n{name} = {opened};\n}}"
            site.lines.extend(_expanded(text, names))
            return name


def _filled_tree(site: Site, library: TreeLibrary, count: int) -> str:
    name = site.draft.fresh("root")
    site.emit("struct $T *$t = NULL;", t=name, **library.names)
    keys = list(range(1, count + 1))
    for key in [keys[count // 2], *site.dice.mixed(keys)]:
        library.operation(site, "insert", "$t = $insert($t, $e);", t=name, e=key)
    return name

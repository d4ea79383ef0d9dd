"""Does the work of `precis check` grow with the program, and is each procedure learned once?

Writes programs of several shapes, each in growing sizes, checks them, and says how often each
procedure was analysed and what the check took. Twice the size should take twice the time.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from .checking.command import CheckError, Said, check

TIMEOUT = 900.0  # seconds for a program
_OPTIONS = ("--malloc", "never-fails", "--no-search", "--no-cache")


@dataclass(frozen=True, slots=True)
class Shape:
    """A family of programs. `recursive` procedures may be analysed more than once."""

    name: str
    write: Callable[[int], str]
    sizes: tuple[int, ...]
    recursive: bool = False


@dataclass(frozen=True, slots=True)
class Measured:
    """A check of one program. `odd` are procedures that were not analysed exactly once, each
    with how often it was; of a recursive shape only main is looked at."""

    shape: str
    size: int
    verdict: str
    activations: int
    states: int
    seconds: float
    processor: float  # seconds, in all processes
    odd: tuple[tuple[str, int], ...] = ()


def chain(size: int) -> str:
    """Each procedure changes memory and calls the next."""
    lines = [f"static void f_{size - 1}(int *at) {{ *at = *at ^ 1; }}"]
    for number in reversed(range(size - 1)):
        lines.append(f"static void f_{number}(int *at) {{ *at = *at ^ 1; f_{number + 1}(at); }}")
    return _program(lines, ["int cell = 0;", "f_0(&cell);"])


def doubled_chain(size: int) -> str:
    """Each procedure calls the next twice in the same way: 2 to the power of `size` paths."""
    lines = [f"static unsigned f_{size - 1}(unsigned x) {{ return x & 7u; }}"]
    for number in reversed(range(size - 1)):
        call = f"f_{number + 1}(x)"
        lines.append(f"static unsigned f_{number}(unsigned x) {{ return {call} ^ {call}; }}")
    return _program(lines, ["f_0(5u);"])


def wide(size: int) -> str:
    """main calls every procedure."""
    lines = [
        f"static int f_{number}(int x) {{ return x > {number} ? x - {number} : 0; }}"
        for number in range(size)
    ]
    return _program(lines, [f"f_{number}(3);" for number in range(size)])


def tree(size: int) -> str:
    """Each procedure calls ten others, which nothing else calls."""
    lines = []
    for number in reversed(range(size)):
        below = range(10 * number + 1, min(10 * number + 11, size))
        calls = "".join(f" x = f_{child}(x) & 15;" for child in below)
        lines.append(f"static int f_{number}(int x) {{{calls} return x ^ {number % 16}; }}")
    return _program(lines, ["f_0(3);"])


def ring(size: int) -> str:
    """Each procedure calls the next one and the one 7 further, around, while a counter falls."""
    lines = [f"static int f_{number}(int n);" for number in range(size)]
    for number in range(size):
        near, far = (number + 1) % size, (number + 7) % size
        calls = f"return f_{near}(n - 1) | f_{far}(n - 1);"
        lines.append(f"static int f_{number}(int n) {{ if (n <= 0) return {number}; {calls} }}")
    return _program(lines, ["int n = __VERIFIER_nondet_int();", "if (n < 50) f_0(n);"])


SHAPES = (
    Shape("chain", chain, (75, 150, 300)),
    Shape("chain, calls twice", doubled_chain, (75, 150, 300)),
    Shape("wide", wide, (500, 1000, 2000)),
    Shape("tree of ten", tree, (500, 1000, 2000)),
    Shape("recursive ring", ring, (12, 25, 50), recursive=True),
)


def _program(procedures: Sequence[str], body: Sequence[str]) -> str:
    main = ["int main(void) {", *(f"    {line}" for line in body), "    return 0;", "}"]
    head = "extern int __VERIFIER_nondet_int(void);"
    return "\n".join([head, *procedures, *main]) + "\n"


def measured(
    command: Sequence[str], folder: Path, shapes: Sequence[Shape], domains: Sequence[str]
) -> Iterator[Measured]:
    """Check the programs one after the other; they are written into `folder`."""
    options = [*_OPTIONS, *(word for name in domains for word in ("--domain", name))]
    for shape in shapes:
        for size in shape.sizes:
            name = shape.name.replace(", ", "_").replace(" ", "_")
            source = folder / f"{name}_{size}.c"
            source.write_text(shape.write(size), "ascii")
            yield _measured(command, options, source, shape, size)


def _measured(
    command: Sequence[str], options: Sequence[str], source: Path, shape: Shape, size: int
) -> Measured:
    before = os.times()
    try:
        said = check(command, options, [source], TIMEOUT)
    except CheckError as error:
        return Measured(shape.name, size, f"CRASH: {error}", 0, 0, 0.0, 0.0)
    after = os.times()
    processor = (
        after.children_user + after.children_system
        - before.children_user - before.children_system
    )  # fmt: skip
    return counted(said, shape, size, processor)


def counted(said: Said, shape: Shape, size: int, processor: float) -> Measured:
    """What the answer says of how often each procedure was analysed."""
    entry = said.programs[0]
    verdict = str(entry["verdict"])
    if entry["error"] is not None or entry["internal"]:
        text = f"CRASH: {entry['reason']}"
        return Measured(shape.name, size, text, 0, 0, said.seconds, processor)
    own = [row for row in entry["procedures"] if not row["library"]]
    often = {str(row["name"]): int(row["activations"]) for row in own}
    once = ["main", *([] if shape.recursive else (f"f_{number}" for number in range(size)))]
    odd = [(name, often.get(name, 0)) for name in once if often.get(name, 0) != 1]
    states = sum(int(row["states"]) for row in own)
    return Measured(
        shape.name, size, verdict, sum(often.values()), states, said.seconds, processor, tuple(odd)
    )


def faults(rows: Sequence[Measured]) -> list[str]:
    """What is wrong: a crash, or a procedure that was not analysed exactly once."""
    found = []
    for row in rows:
        if row.verdict.startswith("CRASH"):
            found.append(f"{row.shape} of {row.size}: {row.verdict}")
        elif row.odd:
            name, often = row.odd[0]
            more = f", and {len(row.odd) - 1} more" if len(row.odd) > 1 else ""
            found.append(f"{row.shape} of {row.size}: {name} analysed {often} times{more}")
    return found


HEADING = (
    f"{'shape':<20}{'size':>6} {'verdict':<8}{'activations':>12}{'states':>9}"
    f"{'wall s':>8}{'cpu s':>8}{'cpu ms each':>12}{'growth':>8}"
)


def line(row: Measured, before: Measured | None, start: float) -> str:
    """A row of the table. Times are without `start`, the processor time of the smallest check;
    the growth is that of the time for twice the size of the row before."""
    cost = max(0.0, row.processor - start)
    growth = ""
    if before is not None and before.shape == row.shape and before.processor > start:
        growth = f"{2 * cost / (before.processor - start) * before.size / row.size:.1f}"
    verdict = row.verdict.split(":")[0]
    return (
        f"{row.shape:<20}{row.size:>6} {verdict:<8}{row.activations:>12}{row.states:>9}"
        f"{row.seconds:>8.1f}{cost:>8.1f}{1000 * cost / row.size:>12.1f}{growth:>8}"
    )


def starting_cost(command: Sequence[str], folder: Path, domains: Sequence[str]) -> float:
    """Processor time of a check of the smallest program."""
    rows = measured(command, folder, (Shape("smallest", wide, (1, 1, 1)),), domains)
    return min(row.processor for row in rows)

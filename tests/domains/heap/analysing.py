"""Programs under the domain `heap`, for its tests."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from precis.domains.heap.domain import Heap
from precis.domains.heap.frame import Alias, Calls, Classes
from precis.domains.heap.state import State
from precis.domains.protocol import Exit
from precis.engine.activation import ONE_STATE, Activation
from precis.engine.analysis import Analysed, Plan, analyse
from precis.engine.budget import Budget
from precis.engine.results import Result
from precis.engine.schedule import Schedule
from precis.engine.verify import Mode, Options, Searching, verify
from precis.frontends.clang.flags import ClangFlags
from precis.frontends.clang.link import Extent
from precis.frontends.clang.parse import load
from precis.ir.program import Program
from precis.properties.place import with_obligations
from precis.store.sqlite import SqliteStore

PROPERTIES = ("memory-safety", "leaks", "assertions")


def lowered(
    source: str, defines: tuple[str, ...] = (), extent: Extent = Extent.REACHABLE,
    properties: tuple[str, ...] = PROPERTIES,
) -> Program:  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.c"
        path.write_text(source, "utf-8")
        program = load([path], ClangFlags(define=defines), extent=extent)
        return with_obligations(program, frozenset(properties))


def checked(
    program: Program, calls: Calls = Calls.STRONG, properties: tuple[str, ...] = PROPERTIES,
    classes: Classes = Classes.ORDER, seconds: float | None = None,
) -> Analysed:  # fmt: skip
    domain = Heap(
        program, may_fail=True, calls=calls, properties=frozenset(properties), classes=classes
    )
    root = ("main", domain.root_entry(program.procedures["main"]))
    return analyse(program, Plan(domain, ONE_STATE), [root], Budget(seconds, look_every=1))


def open_lines(result: Analysed) -> set[int]:
    """The lines of what is not proved; there must be no other reason to doubt the rest."""
    assert not result.wrong and not result.stopped and not result.lost, result
    return {doubt.at.line for doubt in result.doubts.values()}


@dataclass
class Summaries:
    """The procedures of a program, each analysed for unknown callers."""

    domain: Heap
    schedule: Schedule

    def exit(self, name: str) -> State:
        summary = self.activation(name).summary
        assert summary is not None
        (found,) = [o.answer for o in summary.outcomes if o.exit is Exit.RETURN]
        assert isinstance(found, State)
        return found

    def activation(self, name: str) -> Activation:
        return self.schedule.on_demand(name, None)


def summaries(
    program: Program, alias: Alias = Alias.TYPED, calls: Calls = Calls.STRONG,
    classes: Classes = Classes.ORDER,
) -> Summaries:  # fmt: skip
    domain = Heap(program, may_fail=False, alias=alias, calls=calls, classes=classes)
    return Summaries(domain, Schedule(domain, program, ONE_STATE, Budget()))


def verified(
    source: str, mode: Mode, properties: tuple[str, ...] = PROPERTIES, folder: Path | None = None
) -> Result:
    """The result of `heap` by summaries alone; they are kept in a folder, if there is one."""
    extent = Extent.REACHABLE if mode is Mode.PROGRAM else Extent.EVERYTHING
    program = lowered(source, (), extent, properties)
    asked = frozenset(properties)
    domain = Heap(program, True, properties=asked, library=mode is Mode.LIBRARY)
    options = Options(asked, mode=mode, search=Searching.OFF)
    store = None if folder is None else SqliteStore(folder)
    plans = [Plan(domain, ONE_STATE, 1.0, store=store)]
    return verify(program, "test", plans, options, Budget())

"""A summary as text and as a picture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from precis.domains.heap.classes import CUT_CLASS
from precis.domains.heap.frame import FAR, Frame
from precis.domains.heap.guards import ALWAYS, FALSE, TRUE, Bracket
from precis.domains.heap.judge import Condition
from precis.domains.heap.names import NULL, UNDEFINED, Kind, Name, Value, is_region
from precis.domains.heap.sets import Values
from precis.domains.heap.state import Extent, State
from precis.domains.heap.texts import Words
from precis.domains.picture import Arrow, ArrowStyle, Box, BoxKind, End, Mark, Picture, Row
from precis.domains.protocol import IMPOSSIBLE, Exit, Need, Summary
from precis.ir.instr import BlockKind
from precis.ir.program import Program


def _words(program: Program, state: State) -> Words:
    return Words(program, state.frame.procedure)


def _written(state: State) -> Iterator[tuple[Name, Extent, Values, Bracket]]:
    """What a procedure writes, in the order in which a call does it, and when."""
    for base, offset, size in state.frame.sequence:
        when = state.written.get(base, {}).get((offset, size))
        values = state.cells.get(base, {}).get((offset, size))
        if when is not None and values is not None:
            yield base, (offset, size), values, when
    for base in state.blocks:
        for extent, values in state.cells.get(base, {}).items():
            yield base, extent, values, ALWAYS


def _freed(state: State) -> Iterator[tuple[Name, Bracket]]:
    guards = state.frame.theory.guards
    for base, mark in state.dead.items():
        if is_region(base) and base.kind is not Kind.GLOBAL:
            live = state.frame.theory.flag("live", base)
            fresh = Bracket(guards.both(mark.may, live.may), guards.both(mark.must, live.must))
            if guards.possible(fresh.may):
                yield base, fresh


def granted(frame: Frame) -> tuple[str, ...]:
    """What a summary takes for granted of callers: cells that were used are one, or apart. That
    it matters only on some ways is not told: who grants it always is safe."""
    words = Words(frame.program, frame.procedure)
    far: dict[tuple[Name, Name], bool] = {}
    same: dict[tuple[Name, Name], bool] = {}
    barred = []
    for (y, x, low, high, exact), when in frame.overlaps.items():
        if y is x:
            text = words.guard(frame.theory, when)
            barred.append(f"it is not so that {text} (memory would overlap in part)")
            continue
        pair = (x, y) if x.order < y.order else (y, x)
        far[pair] = far.get(pair, False) or high - low >= FAR
        same[pair] = same.get(pair, True) and (exact == 0 or not low <= 0 <= high)
    found = []
    for (x, y), is_far in far.items():
        both = f"{words.name(x)} and {words.name(y)}"
        apart = "into different blocks" if is_far else "to memory that does not overlap"
        found.append(f"{both} lead {'to the same place, or ' if same[x, y] else ''}{apart}")
    for y, *_ in frame.compared:
        found.append(f"{words.name(y)} leads into its block where it is compared")
    return tuple(dict.fromkeys((*found, *barred)))


def described(program: Program, summary: Summary[Condition, State]) -> list[str]:
    """Lines of text for users; what is needed is taken for granted in all that follows it."""
    found = []
    for text in preconditions(program, summary).values():
        found.append(f"needs: {text}")
    found += [f"takes for granted: {text}" for text in summary.granted]
    for outcome in summary.outcomes:
        state = _given(summary, outcome.answer)
        words, theory = _words(program, state), state.frame.theory
        returns = outcome.exit is Exit.RETURN
        head = "returns" if returns else "ends the program"
        result = state.variables[0] if state.variables else None
        if returns and result and not all(value.base is UNDEFINED for value in result):
            head += f" {words.values(theory, result)}"
        when = words.bracket(theory, state.reach)
        found.append(head + (f", {when}" if when else ""))
        found.extend(f"  {line}" for line in _effects(words, state))
    if summary.outcomes:
        found.extend(_cuts(summary.outcomes[0].answer))
    return found


def _cuts(state: State) -> Iterator[str]:
    """Pointers of one type that were to be told apart and are not."""
    for what in state.frame.theory.cuts:
        if what.startswith(CUT_CLASS):
            count = what.removeprefix(CUT_CLASS)
            yield f"cut: {count} pointers of one type are told apart only where it matters"


def preconditions(
    program: Program, summary: Summary[Condition, State]
) -> dict[Need[Condition], str]:
    """Needs in words, each where those before it are met; what follows from them is left out."""
    found: dict[Need[Condition], str] = {}
    known: dict[int, int] = {}
    for need in summary.needs:
        frame = need.safe_if.frame
        guards, guard = frame.theory.guards, need.safe_if.guard
        so_far = known.get(id(frame), TRUE)
        left = guards.simpler(guard, so_far)
        both = guards.both(so_far, guard)
        if not guards.possible(both):
            found[need] = IMPOSSIBLE
            continue
        known[id(frame)] = both
        if left != TRUE and not guards.implies(so_far, guard):
            found[need] = Words(program, frame.procedure).guard(frame.theory, left, so_far)
    return found


def _given(summary: Summary[Condition, State], state: State) -> State:
    """The state with conditions as they are where all that is needed holds."""
    guards = state.frame.theory.guards
    where = TRUE
    for need in summary.needs:
        if need.safe_if.frame is state.frame:
            where = guards.both(where, need.safe_if.guard)
    if not guards.possible(where):
        return state

    def bracket(b: Bracket) -> Bracket:
        return Bracket(guards.simpler(b.may, where), guards.simpler(b.must, where))

    where = guards.both(where, state.reach.may)

    def values(given: Values) -> Values:
        return _where(state, given, Bracket(where, where))

    reach = guards.simpler(state.reach.may, where)
    return replace(
        state, reach=Bracket(reach, reach),
        variables=tuple(None if v is None else values(v) for v in state.variables),
        cells={b: {e: values(v) for e, v in cells.items()} for b, cells in state.cells.items()},
        written={b: {e: bracket(w) for e, w in m.items()} for b, m in state.written.items()},
        dead={base: bracket(b) for base, b in state.dead.items()},
    )  # fmt: skip


def _where(state: State, values: Values, when: Bracket) -> Values:
    """A set with conditions as they are where another one holds."""
    simpler = state.frame.theory.guards.simpler
    found = {
        value: Bracket(simpler(b.may, when.may), simpler(b.must, when.may))
        for value, b in values.items()
    }
    return {value: b for value, b in found.items() if b.may != FALSE} or values


def _effects(words: Words, state: State) -> Iterator[str]:
    theory = state.frame.theory
    for base, (offset, _), values, when in _written(state):
        if when.may == FALSE:
            continue
        condition = words.bracket(theory, when)
        text = (
            f"{words.cell(base, offset)[0]} = {words.values(theory, _where(state, values, when))}"
        )
        yield text + (f", written {condition}" if condition else "")
    for base, spreads in state.spreads.items():
        for spread in spreads:
            place = f"{words.name(base)}[{words.value(spread.offset)} bytes]"
            yield f"{place} = {words.values(theory, spread.content())}, perhaps"
    for base, mark in _freed(state):
        condition = words.bracket(theory, mark)
        yield f"frees {words.name(base)}" + (f" {condition}" if condition else "")
    if theory.guards.possible(state.wild.may):
        yield "memory may hold anything"
    elif theory.guards.possible(state.loose.may):
        yield "any heap block may be freed"


# Pictures.


def drawn(program: Program, summary: Summary[Condition, State]) -> list[Picture]:
    """The heap at each exit: what is written, and under which condition it leads where."""
    return [
        _Drawing(
            program,
            _given(summary, outcome.answer),
            f"{summary.piece.procedure}: {outcome.exit.value}",
        ).run()
        for outcome in summary.outcomes
    ]


class _Drawing:
    def __init__(self, program: Program, state: State, title: str) -> None:
        self._state = state
        self._title = title
        self._words = Words(program, state.frame.procedure, short=True)
        self._rows: dict[Name, list[Row]] = {}
        self._arrows: list[Arrow] = []

    def run(self) -> Picture:
        state = self._state
        for base, (offset, _), values, when in _written(state):
            if when.may == FALSE:
                continue
            label = self._words.cell(base, offset)[0]
            condition = self._words.bracket(state.frame.theory, when)
            label += f" [{condition}]" if condition else ""
            self._row(base, label, _where(state, values, when))
        result = state.variables[0] if state.variables else None
        frame_rows = self._results(result)
        boxes = [Box("frame", state.frame.procedure.name, BoxKind.FRAME, frame_rows)]
        boxes += [
            Box(_key(base), self._title_of(base), self._kind(base), tuple(rows))
            for base, rows in self._rows.items()
        ]
        notes = tuple(
            f"frees {self._words.name(base)} {self._words.bracket(state.frame.theory, b)}".rstrip()
            for base, b in _freed(state)
        )
        return Picture(self._title, tuple(boxes), tuple(self._arrows), notes)

    def _results(self, result: Values | None) -> tuple[Row, ...]:
        shown = {v: b for v, b in (result or {}).items() if v.base is not UNDEFINED}
        if not shown:
            return ()
        rows = []
        for number, (value, b) in enumerate(shown.items()):
            rows.append(self._value_row("frame", f"r{number}", "result", (value, b)))
        return tuple(rows)

    def _row(self, base: Name, label: str, values: Values) -> None:
        rows = self._rows.setdefault(base, [])
        for value, b in values.items():
            port = f"p{len(rows)}"
            rows.append(self._value_row(_key(base), port, label, (value, b)))

    def _value_row(self, box: str, port: str, label: str, held: tuple[Value, Bracket]) -> Row:
        value, b = held
        when = self._words.bracket(self._state.frame.theory, b)
        if value.base is not None and value.base.kind not in (Kind.TOP, Kind.UNDEFINED):
            style = ArrowStyle.SOLID if b.may == b.must else ArrowStyle.DASHED
            self._rows.setdefault(value.base, [])
            self._arrows.append(Arrow(End(box, port), End(_key(value.base)), when, style))
            return Row(label, "", Mark.POINTER, port)
        text = self._words.value(value) + (f"  {when}" if when else "")
        mark = Mark.NULL if value == NULL and not when else Mark.PLAIN
        return Row(label, "" if mark is Mark.NULL else text, mark, port)

    def _title_of(self, base: Name) -> str:
        if base in self._state.blocks or base.kind is Kind.CODE:
            return self._words.name(base)
        if base.kind is Kind.GLOBAL:
            return str(base.parts[0])
        return f"what {self._words.name(base)} points to"

    def _kind(self, base: Name) -> BoxKind:
        block = self._state.blocks.get(base)
        if block is None:
            return BoxKind.GLOBAL if base.kind in (Kind.GLOBAL, Kind.CODE) else BoxKind.STACK
        if block.many:
            return BoxKind.SUMMARY
        return BoxKind.HEAP if block.kind is BlockKind.HEAP else BoxKind.STACK


def _key(base: Name) -> str:
    return repr(base)

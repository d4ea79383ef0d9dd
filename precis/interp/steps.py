"""Steps -> statements.

Each step becomes a few lines that carry its place, so that an exception tells by its line
which step it came from. In the counted modes every step is counted before it runs, and a run
can be stopped at a given one; otherwise a block counts all its steps when it is entered.
"""

from __future__ import annotations

from enum import Enum
from typing import Final, Protocol, assert_never

from precis.interp.access import Accesses, implied, is_of_load, load_value, store_lines
from precis.interp.cells import Reading
from precis.interp.checks import broken_if, call_of
from precis.interp.code import Code, Line, Nest, Place
from precis.interp.terms import Names, Terms
from precis.ir.defined import unset_after, unset_before
from precis.ir.instr import (
    Alloc,
    Assign,
    Assume,
    AtomicBegin,
    AtomicEnd,
    BlockKind,
    Branch,
    Call,
    Check,
    Choose,
    Copy,
    End,
    Fill,
    Free,
    Halt,
    Havoc,
    Join,
    Load,
    Lock,
    Measure,
    Return,
    ScopeBegin,
    ScopeEnd,
    Spawn,
    Step,
    Store,
    Switch,
    Unlock,
    Unsupported,
    Volatility,
    computed,
)
from precis.ir.obligation import InitialisedVariable, NotLost, property_of
from precis.ir.procedure import Procedure
from precis.ir.types import DataModel, Float, Int, Logic
from precis.ir.values import COMPARISONS, Term, subterms

DEEP = 16  # terms nested deeper are computed in parts  # mutate: no (a matter of speed)


OFTEN = 500  # steps of a watched procedure after which it counts them


class Mode(Enum):
    FAST = "fast"
    WATCHED = "watched"  # as fast, with the blocks it gets to and a limit on its steps
    COMPARED = "compared"  # as watched, with the numbers that conditions compare
    AUDITED = "audited"  # as watched; ends where it depends on more than the program
    COUNTED = "counted"
    TRACED = "traced"


WATCHING: Final = frozenset({Mode.WATCHED, Mode.COMPARED, Mode.AUDITED})
UNCOUNTED: Final = WATCHING | {Mode.FAST}  # blocks count their steps when entered


def compared_numbers(condition: Term) -> tuple[Term, Term] | None:
    """The integers or floats whose comparison decides a condition."""
    while condition.op in ("not", "cast", "eq", "ne"):
        inner = condition.args[0]
        if condition.op in ("eq", "ne") and not (
            inner.op == "cast" and isinstance(inner.args[0].type, Logic)
        ):
            break
        condition = inner
    if condition.op in COMPARISONS and isinstance(condition.args[0].type, Int | Float):
        return condition.args[0], condition.args[1]
    return None


class Unit(Names, Accesses, Protocol):
    """What the steps of a procedure need to know of the run they are written for."""

    mode: Mode
    model: DataModel
    properties: frozenset[str]
    no_result: frozenset[str]  # procedures that may give no value back

    def constant(self, key: object, value: object) -> str: ...

    def call(self, step: Call, function: str, arguments: str, fresh: str) -> tuple[str, ...]:
        """Lines of a call that leave the result in the name `fresh`."""

    def mark(self, procedure: Procedure, block: int) -> int:
        """The number of a block among those of all procedures."""

    def compared(self, procedure: Procedure, place: Place) -> int:
        """The number of a condition among those whose numbers are noted."""

    def traced(self, procedure: Procedure, place: Place) -> int:
        """The number of a step in traces."""

    def stops_at(self, procedure: Procedure, step: Step | End) -> bool:
        """Is this a step that a run may be stopped at by its line?"""


class Steps:
    """Writes the blocks of one procedure, for flow.py."""

    def __init__(self, unit: Unit, procedure: Procedure) -> None:
        self.unit = unit
        self.procedure = procedure
        self.terms = Terms(unit)
        self._entry = unset_before(procedure, unit.no_result)
        self._code: Code = []
        self._place: Place = (0, 0)  # mutate: no (set by each block)
        self._depths: dict[Term, int] = {}
        self.keeps_stack_blocks = any(
            isinstance(step, Alloc) and step.kind is BlockKind.STACK
            for block in procedure.blocks
            for step in block.steps
        )

    def begin(self, block: int) -> None:
        self.terms.everything_changed()
        self.terms.unsure = self._entry[block]

    def save(self) -> object:
        terms = self.terms
        return dict(terms.known), dict(terms.split), terms.unsure

    def restore(self, saved: object) -> None:
        assert isinstance(saved, tuple)
        known, split, self.terms.unsure = saved
        self.terms.known, self.terms.split = dict(known), dict(split)

    def table(self, key: object, value: object) -> str:
        return self.unit.constant(key, value)

    def turn(self, block: int) -> Code:
        """What each turn of a loop that begins at the block starts with."""
        if self.unit.mode not in WATCHING:
            return []
        place = (block, 0)
        lines: Code = [Line("TURN(n)", place), Line("n = 0", place)]
        return [Nest(f"if n > {OFTEN}:", lines, place)]

    def steps(self, block: int) -> Code:
        self._code = []
        steps = self.procedure.blocks[block].steps
        self._place = (block, 0)
        if self.unit.mode in UNCOUNTED:
            self._put(f"n += {len(steps) + 1}")
        if self.unit.mode in WATCHING:
            self._put(f"REACHED[{self.unit.mark(self.procedure, block)}] = 1")
        for index, step in enumerate(steps):
            self._place = (block, index)
            self._count(step)
            self._deep(step)
            if not isinstance(step, Check):
                self._step(step, steps[:index])
            elif not self._is_implied(block, index):
                self._check(step)
        self._place = (block, len(steps))
        self._count(self.procedure.blocks[block].end)
        self._flush()
        code, self._code = self._code, []
        return code

    def condition(self, block: int) -> tuple[Code, str]:
        end = self.procedure.blocks[block].end
        assert isinstance(end, Branch)
        self._deep(end)
        self._compared(end.condition)
        text = self.terms.value(end.condition)
        if self.unit.mode is Mode.TRACED:
            self.terms.before.append(f"c = {text}")
            text = "c"
            self._trace("c")
        return self._taken(), text

    def selector(self, block: int) -> tuple[Code, str]:
        end = self.procedure.blocks[block].end
        assert isinstance(end, Switch)
        self._deep(end)
        name = self.terms.atom(end.value)
        self._trace(name)
        if self.unit.mode is Mode.COMPARED:
            self._note(name, "0")
        return self._taken(), name

    def last(self, block: int) -> Code:
        end = self.procedure.blocks[block].end
        self._deep(end)
        match end:
            case Return(value=value):
                self._return(value)
            case Halt(status=None):
                self._put("raise EXIT(134)")
            case Halt(status=status):
                assert status is not None
                self._put(f"raise EXIT({self.terms.value(status)} & 255)")
            case _:
                self._put("raise UNDEFINED('control reached a place marked unreachable')")
        return self._taken()

    def _taken(self) -> Code:
        self._flush()
        code, self._code = self._code, []
        return code

    def _return(self, value: Term | None) -> None:
        gives = value is not None and value.op != "undef"
        text = self.terms.value(value) if value is not None and gives else "None"
        if self.keeps_stack_blocks:
            self._put(f"r = {text}")
            self._put(f"END_ALL(al, {self._at(self.procedure.blocks[self._place[0]].end)})")
            text = "r"
        if self.unit.mode in UNCOUNTED:
            self._put("M.steps += n")
        self._put(f"return {text}")

    def _put(self, text: str) -> None:
        self._flush()
        self._code.append(Line(text, self._place))

    def _nest(self, head: str, lines: list[str]) -> None:
        self._flush()
        body: Code = [Line(text, self._place) for text in lines]
        self._code.append(Nest(head, body, self._place))

    def _flush(self) -> None:
        before, self.terms.before = self.terms.before, []
        self._code.extend(Line(text, self._place) for text in before)

    def _count(self, step: Step | End) -> None:
        if self.unit.mode not in UNCOUNTED:
            self._put("M.steps += 1")
            self._nest("if M.steps == M.stop:", ["HIT()"])
            if self.unit.stops_at(self.procedure, step):
                self._put("ARRIVE()")

    def _compared(self, condition: Term) -> None:
        """Note what a condition compares, if it compares numbers."""
        if self.unit.mode is Mode.COMPARED:
            numbers = compared_numbers(condition)
            if numbers is not None:
                self._note(*map(self.terms.atom, numbers))

    def _note(self, x: str, y: str) -> None:
        number = self.unit.compared(self.procedure, self._place)
        self.terms.before.append(f"COMPARE(({number}, {x}, {y}))")

    def _trace(self, value: str) -> None:
        if self.unit.mode is Mode.TRACED and not self.procedure.library:
            number = self.unit.traced(self.procedure, self._place)
            self.terms.before.append(f"TRACE(({number}, {value}))")

    def _trace_store(self, step: Store) -> None:
        """Not of the arguments of a variadic call: the call itself shows in the trace."""
        base = step.address
        while base.op in ("offset", "cast"):
            base = base.args[0]
        is_made_up = base.op == "local" and not self.procedure.objects[int(base.data or 0)].name
        if not is_made_up:
            self._trace(f"({self.terms.value(step.address)}, {self.terms.value(step.value)})")

    def _at(self, step: Step | End) -> str:
        return self.unit.constant(step.at, step.at)

    def _deep(self, step: Step | End) -> None:
        """Compute the parts of terms that nest too deep for one expression."""
        for root in computed(step):
            if self._depth(root) > DEEP:  # mutate: no (a matter of speed)
                for node in subterms(root):
                    if node.args and self._depths[node] % DEEP == 0:
                        self.terms.part(node)
        self._flush()

    def _depth(self, root: Term) -> int:
        if root not in self._depths:
            for node in subterms(root):
                deepest = max((self._depths[arg] for arg in node.args), default=0)
                self._depths[node] = deepest + 1
        return self._depths[root]

    def _is_implied(self, block: int, index: int) -> bool:
        """Is the check at the index tested by the step that its run of checks leads to?"""
        steps = self.procedure.blocks[block].steps
        last = index
        while last < len(steps) and isinstance(steps[last], Check):
            last += 1
        if last == len(steps):
            return False
        group = [s for s in steps[index:last] if isinstance(s, Check) and self._stands(s)]
        return all(implied(check, steps[last], self.unit.model) for check in group)

    def _stands(self, check: Check) -> bool:
        if isinstance(check.obligation, NotLost):
            return False  # leaks.py looks for lost blocks at points of its own
        name = property_of(check.obligation)
        return name == "memory-safety" or name in self.unit.properties

    def _check(self, check: Check) -> None:
        obligation = check.obligation
        if not self._stands(check):
            return
        call = call_of(obligation, self.terms)
        if call is not None:
            self._put(call)
            return
        type_ = None
        if isinstance(obligation, InitialisedVariable):
            type_ = self.procedure.variables[obligation.variable].type
        test = broken_if(obligation, self.terms, type_)
        if test is not None:
            self._nest(f"if {test}:", ["raise BROKEN"])
        if isinstance(obligation, InitialisedVariable):
            self.terms.unsure &= ~(1 << obligation.variable)

    def _assign(self, target: int, text: str, step: Step) -> None:
        self._put(f"v{target} = {text}")
        self.terms.changed(target)
        self.terms.unsure = unset_after(step, self.terms.unsure, self.unit.no_result)

    def _step(self, step: Step, before: tuple[Step, ...]) -> None:
        terms = self.terms
        match step:
            case Assign(target=target, value=value):
                self._assign(target, "None" if value.op == "undef" else terms.value(value), step)
            case Load():
                self._load(step, before)
            case Store():
                self._store(step)
            case Copy(target=to, source=source, size=size):
                texts = terms.value(to), terms.value(source), terms.value(size)
                self._put(f"COPY({', '.join(texts)})")
                self._trace(texts[2])
            case Fill(address=address, byte=byte, size=size):
                texts = terms.value(address), terms.value(byte), terms.value(size)
                self._put(f"FILL({', '.join(texts)})")
                self._trace(texts[2])
            case Alloc():
                self._alloc(step)
            case Free(address=address):
                text = terms.atom(address)
                self._trace(text)
                self._put(f"FREE({text}, {self._at(step)})")
            case Measure(target=target, address=address):
                block, offset = terms.place(address)
                inside = f"0 <= {offset} < {block}.limit"
                self._assign(target, f"({block}.limit - {offset} if {inside} else 0)", step)
            case ScopeBegin(object=number, size=size):
                self._scope_begin(step, number, size)
            case ScopeEnd(object=number):
                self._nest(f"if b{number}.limit >= 0:", [f"END(b{number}, {self._at(step)})"])
            case Call():
                self._call(step)
            case Assume(condition=condition):
                self._compared(condition)
                self._nest(f"if not {terms.value(condition)}:", ["raise ASSUME_FAILED"])
            case Choose(target=target, source=source):
                info = (self.procedure.variables[target].type, source, step.at)
                self._assign(target, f"CHOOSE(*{self.unit.constant(info, info)})", step)
                self._trace(f"v{target}")
            case Havoc(target=target):
                type_ = self.procedure.variables[target].type
                self._assign(target, f"{self.unit.any_value(type_)}()", step)
            case Unsupported(reason=reason):
                self._unsupported(reason)
            case Spawn() | Join() | Lock() | Unlock() | AtomicBegin() | AtomicEnd():
                self._unsupported("threads")
            case Check():
                raise AssertionError("checks are written apart")  # mutate: no (never reached)
            case _:
                assert_never(step)

    def _unsupported(self, reason: str) -> None:
        self._put(f"raise UNSUPPORTED({self.unit.constant(('text', reason), reason)})")

    def _load(self, step: Load, before: tuple[Step, ...]) -> None:
        if self.unit.mode is Mode.AUDITED and step.volatility is Volatility.VOLATILE:
            self._put("REFUSE()")
        reading = Reading.ANY
        for check in reversed(before):
            if not isinstance(check, Check):
                break
            if self._stands(check) and is_of_load(check.obligation, step):
                reading = Reading.CHECKED
        self._assign(step.target, load_value(step, reading, self.terms, self.unit), step)

    def _store(self, step: Store) -> None:
        for head, lines in store_lines(step, self.terms, self.unit):
            if lines:
                self._nest(head, lines)
            else:
                self._put(head)
        if self.unit.mode is Mode.TRACED:
            self._trace_store(step)

    def _alloc(self, step: Alloc) -> None:
        size, at = self.terms.value(step.size), self._at(step)
        content = self.unit.constant(step.content, step.content)
        if step.kind is BlockKind.STACK:
            self._assign(step.target, f"ALLOCA({size}, {content}, {at})", step)
            self._put(f"al.append(v{step.target}[0])")
        else:
            self._assign(step.target, f"ALLOC({size}, {content}, {at})", step)
        self._trace(f"v{step.target}")

    def _scope_begin(self, step: ScopeBegin, number: int, size: Term | None) -> None:
        info = self.procedure.objects[number]
        amount = self.terms.value(size) if size is not None else str(info.size or 0)
        name = self.unit.constant(info, info)
        self._put(f"b{number} = BEGIN({amount}, {name}, {self._at(step)})")
        self.terms.everything_changed()

    def _call(self, step: Call) -> None:
        arguments = ", ".join(self.terms.atom(argument) for argument in step.arguments)
        self._trace(f"({arguments}{',' if arguments else ''})")
        name = self.terms.fresh()
        function = "" if step.function.op == "function" else self.terms.value(step.function)
        for line in self.unit.call(step, function, arguments, name):
            if line.startswith("if "):
                head, _, body = line.partition(": ")
                self._nest(head + ":", [body])
            else:
                self._put(line)
        if step.target is not None:
            self._assign(step.target, name, step)

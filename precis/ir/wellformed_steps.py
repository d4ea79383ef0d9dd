"""What every front end and pass promises of the steps in a procedure.

Each step's terms are typed as `instr` describes it; `undef` is the whole right side of an
Assign and nowhere else; a Return gives a value if and only if the procedure has a scalar
result; arguments fit the function type that a call goes through, whatever it reaches.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from precis.ir import obligation as ob
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
    Jump,
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
    Unreachable,
    Unsupported,
    computed,
    operands,
    successors,
    target_of,
)
from precis.ir.notation import type_text
from precis.ir.procedure import Procedure
from precis.ir.program import Program
from precis.ir.signature import signature
from precis.ir.types import (
    LOGIC,
    BitRange,
    Function,
    Int,
    Pointer,
    Type,
    Void,
    is_scalar,
)
from precis.ir.values import Term, subterms
from precis.ir.welltyped import agree, bits_faults, typing_fault


def body_faults(procedure: Procedure, program: Program) -> Iterator[str]:
    body = _Body(procedure, program)
    number = -1
    for block_number, block in enumerate(procedure.blocks):
        for index, step in enumerate(block.steps):
            where = f"b{block_number}, step {index}"
            yield from (f"{where}: {fault}" for fault in body.step(step))
            if isinstance(step, Check):
                if step.number <= number:
                    yield f"{where}: check {step.number} comes after check {number}"
                number = step.number
        yield from (f"b{block_number}, end: {fault}" for fault in body.end(block.end))


def _want(term: Term, kind: type[Int] | type[Pointer], what: str) -> Iterator[str]:
    if not isinstance(term.type, kind):
        yield f"{what} has type {type_text(term.type)}"


def _want_logic(term: Term) -> Iterator[str]:
    if term.type != LOGIC:
        yield f"the condition has type {type_text(term.type)}"


def _want_scalar(term: Term, what: str) -> Iterator[str]:
    if not is_scalar(term.type):
        yield f"{what} has type {type_text(term.type)}"


def _bits(bits: BitRange | None, type_: Type) -> Iterator[str]:
    if bits is not None:
        yield from bits_faults(bits, type_)


class _Body:
    """Judges the steps of one procedure; a term that was right once is not looked at again."""

    __slots__ = ("_procedure", "_program", "_right")

    def __init__(self, procedure: Procedure, program: Program) -> None:
        self._procedure = procedure
        self._program = program
        self._right: set[Term] = set()

    def step(self, step: Step) -> Iterator[str]:
        whole = step.value if isinstance(step, Assign) and step.value.op == "undef" else None
        for term in computed(step):
            yield from self._term(term, whole)
        index = target_of(step)
        if index is not None and not 0 <= index < len(self._procedure.variables):
            yield f"no variable has the number {index}"
            return
        yield from self._own(step)

    def end(self, end: End) -> Iterator[str]:
        whole = end.value if isinstance(end, Return) else None
        for term in operands(end):
            yield from self._term(term, whole)
        for to in successors(end):
            if not 0 <= to < len(self._procedure.blocks):
                yield f"no block has the number {to}"
        yield from self._own_end(end)

    def _term(self, root: Term, whole: Term | None) -> Iterator[str]:
        if root in self._right:
            return
        for node in subterms(root):
            if node in self._right:
                continue
            fault = typing_fault(node, self._program, self._procedure)
            if node.op == "undef" and node is not whole:
                fault = "undef is not the whole right side of an assignment, or returned"
            if fault:
                yield fault
                return
            if node.op != "undef":
                self._right.add(node)

    def _receives(self, index: int, type_: Type) -> Iterator[str]:
        variable = self._procedure.variables[index].type
        if not agree(variable, type_):
            yield f"%{index} of type {type_text(variable)} receives {type_text(type_)}"

    def _own(self, step: Step) -> Iterator[str]:
        """What the step itself asks for, its terms being well typed."""
        match step:
            case Assign():
                yield from self._receives(step.target, step.value.type)
            case Load():
                yield from _want(step.address, Pointer, "the address")
                yield from self._receives(step.target, step.type)
                yield from _bits(step.bits, step.type)
            case Store():
                yield from _want(step.address, Pointer, "the address")
                yield from _want_scalar(step.value, "the value")
                yield from _bits(step.bits, step.value.type)
            case Copy() | Fill() | Alloc() | Free() | Measure() | ScopeBegin() | ScopeEnd():
                yield from self._memory(step)
            case Call():
                yield from self._call(step)
            case Assume():
                yield from _want_logic(step.condition)
            case Check():
                yield from self._obligation(step.obligation)
            case Spawn():
                if not _is_function(step.function):
                    yield f"a call of {type_text(step.function.type)}"
                yield from _want_scalar(step.argument, "the argument")
            case Join():
                yield from _want_scalar(step.thread, "the thread")
            case Lock() | Unlock():
                yield from _want(step.address, Pointer, "the address")
            case Choose() | Havoc() | Unsupported() | AtomicBegin() | AtomicEnd():
                pass

    def _memory(
        self, step: Copy | Fill | Alloc | Free | Measure | ScopeBegin | ScopeEnd
    ) -> Iterator[str]:
        match step:
            case Copy():
                yield from _want(step.target, Pointer, "the target")
                yield from _want(step.source, Pointer, "the source")
                yield from _want(step.size, Int, "the size")
            case Fill():
                yield from _want(step.address, Pointer, "the address")
                yield from _want(step.byte, Int, "the byte")
                yield from _want(step.size, Int, "the size")
            case Alloc():
                yield from _want(step.size, Int, "the size")
                if not isinstance(self._procedure.variables[step.target].type, Pointer):
                    yield f"%{step.target} is not a pointer"
                if step.kind not in (BlockKind.HEAP, BlockKind.STACK):
                    yield f"alloc of kind {step.kind.value}"
            case Free():
                yield from _want(step.address, Pointer, "the address")
            case Measure():
                yield from _want(step.address, Pointer, "the address")
                if not isinstance(self._procedure.variables[step.target].type, Int):
                    yield f"%{step.target} is not an integer"
            case ScopeBegin() | ScopeEnd():
                yield from self._scope(step)

    def _scope(self, step: ScopeBegin | ScopeEnd) -> Iterator[str]:
        if not 0 <= step.object < len(self._procedure.objects):
            yield f"no object has the number {step.object}"
        elif isinstance(step, ScopeBegin):
            fixed = self._procedure.objects[step.object].size is not None
            if fixed == (step.size is not None):
                yield f"&{step.object} has {'two sizes' if fixed else 'no size'}"
            if step.size is not None:
                yield from _want(step.size, Int, "the size")

    def _call(self, call: Call) -> Iterator[str]:
        pointer = call.function.type
        if not (isinstance(pointer, Pointer) and isinstance(pointer.target, Function)):
            yield f"a call of {type_text(pointer)}"
            return
        asked = signature(pointer.target)
        if len(call.arguments) != len(asked.parameters):
            yield f"{len(call.arguments)} arguments, not {len(asked.parameters)}"
        pairs = zip(call.arguments, asked.parameters, strict=False)
        for place, (argument, type_) in enumerate(pairs):
            if not agree(argument.type, type_):
                given = type_text(argument.type)
                yield f"argument {place} has type {given}, not {type_text(type_)}"
        if call.target is not None:
            yield from self._receives(call.target, asked.result)

    def _obligation(self, obligation: ob.Obligation) -> Iterator[str]:
        match obligation:
            case ob.ValidRead() | ob.ValidWrite():
                yield from _want(obligation.address, Pointer, "the address")
                yield from _want(obligation.size, Int, "the size")
            case ob.ValidFree():
                yield from _want(obligation.address, Pointer, "the address")
            case ob.ValidCall():
                if not _is_function(obligation.function):
                    yield f"a call of {type_text(obligation.function.type)}"
            case ob.InitialisedMemory():
                yield from _want(obligation.address, Pointer, "the address")
                if obligation.size < 1:
                    yield f"{obligation.size} initialised bytes"
            case ob.InitialisedVariable():
                if not 0 <= obligation.variable < len(self._procedure.variables):
                    yield f"no variable has the number {obligation.variable}"
            case ob.NeverReached():
                if obligation.rule not in ob.PROPERTY_OF_RULE:
                    yield f"{obligation.rule!a} is not a rule"
            case ob.NoOverflow() | ob.ShiftInRange() | ob.NonZero():
                yield from _outermost(obligation)
            case ob.NotLost() | ob.AllFreed():
                pass

    def _own_end(self, end: End) -> Iterator[str]:
        match end:
            case Branch():
                yield from _want_logic(end.condition)
            case Switch():
                yield from _switch(end)
            case Return():
                yield from self._return(end)
            case Halt(status=status):
                if status is not None:
                    yield from _want(status, Int, "the status")
            case Jump() | Unreachable():
                pass

    def _return(self, end: Return) -> Iterator[str]:
        result = signature(self._procedure.type).result
        if end.value is None:
            if not isinstance(result, Void):
                yield f"no value of type {type_text(result)} is returned"
        elif not agree(end.value.type, result):
            yield f"{type_text(end.value.type)} is returned, not {type_text(result)}"


def _is_function(term: Term) -> bool:
    return isinstance(term.type, Pointer) and isinstance(term.type.target, Function)


def _outermost(obligation: ob.NoOverflow | ob.ShiftInRange | ob.NonZero) -> Iterator[str]:
    """The obligation speaks of an operation that the term does not have at its top."""
    term = obligation.term
    match obligation:
        case ob.NoOverflow():
            signed = isinstance(term.type, Int) and term.type.signed
            fits = signed and term.op in ("neg", "add", "sub", "mul", "div", "rem")
        case ob.ShiftInRange():
            fits = term.op in ("shl", "shr")
        case ob.NonZero():
            fits = isinstance(term.type, Int) and term.op in ("div", "rem")
    if not fits:
        yield f"nothing to ask of {term.op} of type {type_text(term.type)}"


def _switch(end: Switch) -> Iterator[str]:
    type_ = end.value.type
    if not isinstance(type_, Int):
        yield f"a switch on {type_text(type_)}"
        return
    for case in end.cases:
        if not type_.low <= case.low <= case.high <= type_.high:
            yield f"no case {case.low}..{case.high} of {type_text(type_)}"
    in_order = sorted((case.low, case.high) for case in end.cases)
    for (_, high), (low, _) in pairwise(in_order):
        if low <= high:
            yield f"two cases take {low}"

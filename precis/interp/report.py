"""A broken obligation -> a violation that a person can follow."""

from __future__ import annotations

from typing import Any

from precis.interp.cells import Value
from precis.interp.faults import Broken, Fault
from precis.interp.machine import Activation, Ended, Machine
from precis.interp.memory import NULL, WILD, Block, Pointer
from precis.interp.naming import place_text
from precis.interp.outcome import BlockStory, Frame, TraceStep, Violation
from precis.interp.terms import Terms
from precis.ir.clike import print_term
from precis.ir.instr import (
    Alloc,
    BlockKind,
    Branch,
    Call,
    Check,
    Choose,
    Copy,
    End,
    Fill,
    Free,
    Load,
    Step,
    Store,
    Switch,
    computed,
)
from precis.ir.location import NOWHERE, Location
from precis.ir.obligation import (
    PROPERTY_OF_RULE,
    AllFreed,
    InitialisedVariable,
    NeverReached,
    NonZero,
    NoOverflow,
    Obligation,
    ShiftInRange,
    rule_of,
)
from precis.ir.procedure import Procedure
from precis.ir.program import Program
from precis.ir.values import Term

MOST_VALUES = 8
OPERATORS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "rem": "%", "shl": "<<", "shr": ">>"}


def violation_of(machine: Machine, ended: Ended, trace: tuple[TraceStep, ...]) -> Violation:
    """The violation that a run ended with."""
    stop = ended.stop
    if isinstance(stop, Fault):
        return describe(machine, ended.activations, stop.rule, stop.message, stop.block, trace)
    assert isinstance(stop, Broken)
    here = ended.activations[0]
    step = step_at(here)
    assert isinstance(step, Check)
    rule = rule_of(step.obligation)
    block = None
    if isinstance(step.obligation, AllFreed):
        block = next(iter(machine.memory.heap.values()))
    text = _message(machine, here, step.obligation)
    return describe(machine, ended.activations, rule, text, block, trace)


def describe(
    machine: Machine,
    activations: tuple[Activation, ...],
    rule: str,
    message: str,
    block: Block | None,
    trace: tuple[TraceStep, ...],
) -> Violation:
    return Violation(
        rule,
        PROPERTY_OF_RULE.get(rule, "assertions"),
        user_place(activations),
        activations[0].at if activations else NOWHERE,
        message,
        tuple(Frame(a.procedure.name, a.at) for a in activations),
        _values(machine, activations[0]) if activations else (),
        trace,
        story(block) if block is not None else None,
    )


def user_place(activations: tuple[Activation, ...]) -> Location:
    """The innermost place that is not in a model."""
    for activation in activations:
        if not activation.procedure.library:
            return activation.at
    return activations[0].at if activations else NOWHERE


def step_at(activation: Activation) -> Step | End | None:
    block, index = activation.place
    if block < 0:
        return None
    steps = activation.procedure.blocks[block].steps
    return steps[index] if index < len(steps) else activation.procedure.blocks[block].end


def story(block: Block) -> BlockStory:
    return BlockStory(block_text(block), block.kind.value, block.size, block.made, block.ended)


def block_text(block: Block) -> str:
    if block is NULL:
        return "null"
    if block.kind is BlockKind.HEAP:
        text = f"heap block of {block.size} bytes, allocated at {block.made}"
    elif block.kind is BlockKind.CODE:
        return f"procedure {block.name}"
    else:
        name = block.name or "unnamed object"
        text = f"{name}, {block.size} bytes"
    if block.ended is not None:
        how = "freed" if block.kind is BlockKind.HEAP else "out of scope since"
        text += f", {how} at {block.ended}" if how == "freed" else f", {how} {block.ended}"
    return text


def value_text(value: Any) -> str:
    """A value as reports show it."""
    if value is None:
        return "no value"
    if isinstance(value, tuple):
        return pointer_text(value)
    if isinstance(value, float):
        return f"{value:g}"
    return str(int(value))


def pointer_text(pointer: Pointer) -> str:
    block, offset = pointer
    if block is NULL:
        return "null" if not offset else f"null + {offset}"
    if block is WILD:
        return f"address {offset:#x}"
    if block.kind is BlockKind.HEAP:
        name = f"heap block {block.number}"
    else:
        name = f"&{block.name}" if block.name else f"{block.kind.value} block {block.number}"
    return name if not offset else f"{name} + {offset}"


def evaluate(machine: Machine, term: Term, variables: dict[str, Any]) -> Value:
    """The value of a term for the Python variables of an activation."""
    terms = Terms(machine.compiler)
    text = terms.value(term)
    scope = dict(variables)
    exec("\n".join([*terms.before, f"result = {text}"]), machine.compiler.namespace, scope)
    return scope["result"]  # type: ignore[no-any-return]


def _message(machine: Machine, here: Activation, obligation: Obligation) -> str:
    match obligation:
        case NoOverflow(term=term) | ShiftInRange(term=term) | NonZero(term=term):
            values = [value_text(evaluate(machine, arg, here.variables)) for arg in term.args]
            operator = OPERATORS.get(term.op, term.op)
            shown = f" {operator} ".join(values) if len(values) == 2 else f"-({values[0]})"
            what = {
                NoOverflow: "does not fit its type",
                ShiftInRange: "shifts too far, or a negative value, or a bit out",
                NonZero: "divides by zero",
            }[type(obligation)]
            return f"{shown} {what}"
        case NeverReached(rule="assertion"):
            return "an assertion fails"
        case NeverReached():
            return "the error location is reached"
        case AllFreed():
            heap = machine.memory.heap
            block = next(iter(heap.values()))
            return f"{len(heap)} heap blocks are not freed, the first from {block.made}"
        case InitialisedVariable(variable=variable):
            name = here.procedure.variables[variable].name or "a value"
            return f"{name} is used before it is given a value"
        case _:
            return "an obligation is broken"


def _values(machine: Machine, here: Activation) -> tuple[tuple[str, str], ...]:
    """The variables that the step reads, and where its addresses point to."""
    step = step_at(here)
    if step is None:
        return ()
    found: dict[str, str] = {}
    terms = Terms(machine.compiler)
    for variable in sorted({v for term in computed(step) for v in terms.variables(term)}):
        name = _name_of(machine.program, here, variable)
        if name and f"v{variable}" in here.variables:
            found.setdefault(name, _present_text(here.variables[f"v{variable}"]))
    return tuple(found.items())[:MOST_VALUES]


def _present_text(value: Any) -> str:
    """A value with what has become of the block it points into."""
    text = value_text(value)
    if isinstance(value, tuple) and value[0].ended is not None:
        text += ", freed" if value[0].kind is BlockKind.HEAP else ", out of scope"
    return text


def _name_of(program: Program, here: Activation, variable: int) -> str:
    """The variable's name, or for one that holds something loaded, what was loaded."""
    name = here.procedure.variables[variable].name
    if name:
        return name
    block, index = here.place
    for step in reversed(here.procedure.blocks[block].steps[:index]):
        if isinstance(step, Load) and step.target == variable:
            return place_text(program, here.procedure, step.address)
        if getattr(step, "target", None) == variable:
            break
    return ""


def trace_of(machine: Machine) -> tuple[TraceStep, ...]:
    """The last steps of a traced run."""
    found = []
    for number, value in machine.trace:
        procedure, (block, index) = machine.compiler.traces[number]
        steps = procedure.blocks[block].steps
        step = steps[index] if index < len(steps) else procedure.blocks[block].end
        found.append(TraceStep(step.at, _step_text(machine.program, procedure, step, value)))
    return tuple(found)


def _step_text(program: Program, procedure: Procedure, step: Step | End, value: Any) -> str:
    match step:
        case Branch(condition=condition):
            shown = print_term(condition, procedure)
            name = shown if "%" not in shown else "the condition"  # made-up variables say nothing
            return f"{name} is {'true' if value else 'false'}"
        case Switch():
            return f"switch on {value_text(value)}"
        case Store(address=address):
            name = place_text(program, procedure, address) or pointer_text(value[0])
            return f"{name} = {value_text(value[1])}"
        case Alloc():
            return f"allocates {pointer_text(value)}"
        case Free():
            return f"frees {pointer_text(value)}"
        case Choose(source=source):
            return f"{source} gives {value_text(value)}"
        case Copy():
            return f"copies {value_text(value)} bytes"
        case Fill():
            return f"fills {value_text(value)} bytes"
        case Call(function=function):
            name = str(function.data) if function.op == "function" else "through a pointer"
            return f"calls {name}({', '.join(map(value_text, value))})"
        case _:
            return value_text(value)

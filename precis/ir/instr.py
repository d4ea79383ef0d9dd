"""Steps, and the ends of basic blocks.

A step's operands are terms over the variables of its procedure; `target` is the index of the
variable that receives the result. Every step is executed in order; what must hold before one
stands in `Check` steps in front of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from precis.ir.location import Location
from precis.ir.obligation import Obligation, terms_of
from precis.ir.types import BitRange, Type
from precis.ir.values import Term


class BlockKind(Enum):
    """The kinds of memory block."""

    HEAP = "heap"
    STACK = "stack"
    GLOBAL = "global"
    LITERAL = "literal"
    CODE = "code"


class Content(Enum):
    """What fresh memory holds."""

    INDETERMINATE = "indeterminate"
    ZERO = "zero"


class Volatility(Enum):
    """A volatile load outside automatic memory may give any value."""

    PLAIN = "plain"
    VOLATILE = "volatile"


@dataclass(frozen=True, slots=True)
class Assign:
    target: int
    value: Term
    at: Location


@dataclass(frozen=True, slots=True)
class Load:
    """Read a scalar of `type` from memory; of a bit-field, only its bits.

    A load of `unsigned char` copies indeterminate bytes and pieces of pointers as they are.
    """

    target: int
    address: Term
    type: Type
    at: Location
    bits: BitRange | None = None
    volatility: Volatility = Volatility.PLAIN


@dataclass(frozen=True, slots=True)
class Store:
    address: Term
    value: Term
    at: Location
    bits: BitRange | None = None
    volatility: Volatility = Volatility.PLAIN


@dataclass(frozen=True, slots=True)
class Copy:
    """memmove: the bytes with their pointers and their indeterminacy; the areas may overlap."""

    target: Term
    source: Term
    size: Term
    at: Location


@dataclass(frozen=True, slots=True)
class Fill:
    """memset: `size` bytes become the low byte of `byte`."""

    address: Term
    byte: Term
    size: Term
    at: Location


@dataclass(frozen=True, slots=True)
class Alloc:
    """A fresh block, or null if allocation may fail.

    HEAP lives until it is freed, STACK (alloca) until the procedure returns.
    """

    target: int
    size: Term
    at: Location
    content: Content = Content.INDETERMINATE
    kind: BlockKind = BlockKind.HEAP


@dataclass(frozen=True, slots=True)
class Free:
    """Free of null does nothing."""

    address: Term
    at: Location


@dataclass(frozen=True, slots=True)
class Measure:
    """How many bytes lie between the pointer and the end of its block; 0 if it points nowhere."""

    target: int
    address: Term
    at: Location


@dataclass(frozen=True, slots=True)
class ScopeBegin:
    """A fresh indeterminate block for an object; `size` in bytes if the object's is not fixed."""

    object: int
    at: Location
    size: Term | None = None


@dataclass(frozen=True, slots=True)
class ScopeEnd:
    """The object's block goes out of scope; nothing happens if it has none."""

    object: int
    at: Location


@dataclass(frozen=True, slots=True)
class Call:
    """Call of a procedure by its address.

    Arguments are scalars. A record result is written through a hidden first argument, a record
    argument is passed by address and copied by the callee, the extra arguments of a variadic
    call lie in a block whose address is the last argument.
    """

    target: int | None
    function: Term
    arguments: tuple[Term, ...]
    at: Location


@dataclass(frozen=True, slots=True)
class Assume:
    """Runs in which the condition is false end here, and count for nothing."""

    condition: Term
    at: Location


@dataclass(frozen=True, slots=True)
class Choose:
    """An input: any value of the variable's type. `source` names what was asked."""

    target: int
    source: str
    at: Location


@dataclass(frozen=True, slots=True)
class Havoc:
    """An effect that is not modelled: the variable gets a value nobody knows."""

    target: int
    reason: str
    at: Location


@dataclass(frozen=True, slots=True)
class Unsupported:
    """A construct that could not be lowered; nothing is known of runs that get here."""

    reason: str
    at: Location


@dataclass(frozen=True, slots=True)
class Check:
    """An obligation of the next step; `number` is its place among those of the procedure."""

    obligation: Obligation
    number: int
    at: Location


@dataclass(frozen=True, slots=True)
class Spawn:
    """Start a thread that calls `function` with `argument`; the target gets its identity."""

    target: int
    function: Term
    argument: Term
    at: Location


@dataclass(frozen=True, slots=True)
class Join:
    thread: Term
    at: Location


@dataclass(frozen=True, slots=True)
class Lock:
    address: Term
    at: Location


@dataclass(frozen=True, slots=True)
class Unlock:
    address: Term
    at: Location


@dataclass(frozen=True, slots=True)
class AtomicBegin:
    at: Location


@dataclass(frozen=True, slots=True)
class AtomicEnd:
    at: Location


Step: TypeAlias = (
    Assign
    | Load
    | Store
    | Copy
    | Fill
    | Alloc
    | Free
    | Measure
    | ScopeBegin
    | ScopeEnd
    | Call
    | Assume
    | Choose
    | Havoc
    | Unsupported
    | Check
    | Spawn
    | Join
    | Lock
    | Unlock
    | AtomicBegin
    | AtomicEnd
)


@dataclass(frozen=True, slots=True)
class Jump:
    to: int
    at: Location


@dataclass(frozen=True, slots=True)
class Branch:
    """`condition` is a Logic."""

    condition: Term
    then: int
    otherwise: int
    at: Location


@dataclass(frozen=True, slots=True)
class Case:
    """The values low to high, both included, of a switch."""

    low: int
    high: int
    to: int


@dataclass(frozen=True, slots=True)
class Switch:
    value: Term
    cases: tuple[Case, ...]
    default: int
    at: Location


@dataclass(frozen=True, slots=True)
class Return:
    value: Term | None
    at: Location


@dataclass(frozen=True, slots=True)
class Halt:
    """The whole program ends with this status; None: as after SIGABRT."""

    status: Term | None
    at: Location


@dataclass(frozen=True, slots=True)
class Unreachable:
    """Control never gets here if the program is well defined."""

    at: Location


End: TypeAlias = Jump | Branch | Switch | Return | Halt | Unreachable


def successors(end: End) -> tuple[int, ...]:
    """The blocks control may go to, without repetition."""
    match end:
        case Jump(to=to):
            return (to,)
        case Branch(then=then, otherwise=otherwise):
            return (then,) if then == otherwise else (then, otherwise)
        case Switch(cases=cases, default=default):
            return tuple(dict.fromkeys((*(case.to for case in cases), default)))
        case Return() | Halt() | Unreachable():
            return ()


def operands(item: Step | End) -> tuple[Term, ...]:
    """The terms a step or end computes, in the order it does; those of a check are not computed."""
    match item:
        case Assign(value=term) | Assume(condition=term) | Branch(condition=term):
            return (term,)
        case Load(address=term) | Free(address=term) | Measure(address=term):
            return (term,)
        case Lock(address=term) | Unlock(address=term) | Join(thread=term):
            return (term,)
        case Store(address=address, value=value):
            return (address, value)
        case Copy(target=target, source=source, size=size):
            return (target, source, size)
        case Fill(address=address, byte=byte, size=size):
            return (address, byte, size)
        case Alloc(size=term) | Switch(value=term):
            return (term,)
        case ScopeBegin(size=maybe) | Return(value=maybe) | Halt(status=maybe):
            return () if maybe is None else (maybe,)
        case Call(function=function, arguments=arguments):
            return (function, *arguments)
        case Spawn(function=function, argument=argument):
            return (function, argument)
        case _:
            return ()


def computed(item: Step | End) -> tuple[Term, ...]:
    """The terms that a step or end, or the obligation of a check, computes."""
    return terms_of(item.obligation) if isinstance(item, Check) else operands(item)


def target_of(step: Step) -> int | None:
    """The variable a step assigns, if any."""
    match step:
        case Assign(target=target) | Load(target=target) | Alloc(target=target):
            return target
        case Measure(target=target) | Choose(target=target) | Havoc(target=target):
            return target
        case Call(target=maybe):
            return maybe
        case Spawn(target=target):
            return target
        case _:
            return None

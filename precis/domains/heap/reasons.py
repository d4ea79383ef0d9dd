"""Why an obligation is not shown to hold: which of the things that it asks may fail, in words.

It is told where callers cannot be asked for it. What is made of guards on the way does not count
against the room of the procedure, so telling changes no result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeAlias

from precis.domains.heap.guards import FALSE, NEVER, TRUE, Bracket, TooLarge
from precis.domains.heap.names import NULL, TOP, UNDEFINED, Kind, Name, Value
from precis.domains.heap.pointers import inside, is_heap, is_writable
from precis.domains.heap.sets import Values
from precis.domains.heap.state import State
from precis.domains.heap.texts import Words
from precis.ir.instr import BlockKind

MOST_REASONS: Final = 2
MOST_NODES: Final = 4_000  # to find one
HELD: Final = "the last pointer to {} may be lost"
LEFT: Final = "{} may still be allocated"
_FIRST_PAGE: Final = 4096  # numbers below it are null and what lies behind it
_UNKNOWN: Final = "nothing is known of where the pointer leads"
# What is asked of a value, and what is the case where it does not hold.
Parts: TypeAlias = Iterator[tuple[Bracket, str]]


def of_access(state: State, values: Values, sizes: Values, writes: bool) -> str:
    """Of so many bytes that are read, or written."""
    guards = state.frame.theory.guards

    def parts(value: Value) -> Parts:
        base = value.base
        if base is None or base is UNDEFINED or base is TOP:
            yield from _no_block(value)
            return
        called = _called(state, base)
        yield from _gone(state, base, called)
        if writes:
            yield is_writable(state, value), f"{called} must not be written"
        for size, b in sizes.items():
            within = inside(state, value, size, values[value].may)
            yield guards.any_of(guards.opposite(b), within), f"{called} may be left"

    return _told(state, values, parts, "the access may leave its block, or the block may be gone")


def of_free(state: State, values: Values) -> str:
    def parts(value: Value) -> Parts:
        base = value.base
        if value == NULL:
            return
        if base is None or base is UNDEFINED or base is TOP:
            yield from _no_block(value)
            return
        called = _called(state, base)
        yield is_heap(state, value), f"{called} may not be a block of malloc, or not at its start"
        yield from _gone(state, base, called)

    return _told(state, values, parts, "a block may be freed that must not be")


def of_blocks(state: State, each: Iterable[tuple[Name, int]], form: str) -> str:
    """Of blocks that have to be held, or freed: where each of them is."""
    guards = state.frame.theory.guards
    found: dict[str, None] = {}
    with guards.extra(MOST_NODES):
        try:
            if guards.possible(guards.both(state.reach.may, state.loose.may)):
                form += ", as nothing is known of memory after a step before"
            else:
                for base, must in each:
                    if not guards.implies(state.reach.may, must):
                        found[form.format(_called(state, base))] = None
        except TooLarge:
            pass
    return _listed(found) if found else form.format("a block")


def _told(state: State, values: Values, parts: Callable[[Value], Parts], otherwise: str) -> str:
    guards = state.frame.theory.guards
    found: dict[str, None] = {}
    with guards.extra(MOST_NODES):
        try:
            for value, b in values.items():
                where = guards.both(state.reach.may, b.may)
                if not guards.possible(where):
                    continue
                for test, text in parts(value):
                    if not guards.implies(where, test.must):
                        found[text] = None
        except TooLarge:
            pass
    return _listed(found) if found else otherwise


def _listed(found: Iterable[str]) -> str:
    texts = list(found)
    more = ["more"] if len(texts) > MOST_REASONS else []
    return ", or ".join((*texts[:MOST_REASONS], *more))


def _no_block(value: Value) -> Parts:
    if value.base is TOP:
        yield NEVER, _UNKNOWN
    elif value.base is UNDEFINED:
        yield NEVER, "the pointer may have no value"
    elif not value.linear and value.number[0] >= 0 and value.number[1] < _FIRST_PAGE:
        yield NEVER, "the pointer may be null"
    else:
        yield NEVER, "the pointer may be a number that leads nowhere"


def _gone(state: State, base: Name, called: str) -> Parts:
    """Is the block there? What was freed by a step that nobody knows is told apart."""
    guards = state.frame.theory.guards
    block = state.blocks.get(base)
    is_local = block is not None and block.kind is BlockKind.STACK
    how = "out of scope" if is_local else "freed"
    dead = state.is_dead(base)
    # What a known step frees is freed for certain, or not at all.
    loose = guards.both(state.loose.may, guards.without(dead.may, dead.must))
    unknown = loose if state.may_be_freed(base) else FALSE
    yield (
        Bracket(TRUE, guards.negation(guards.without(dead.may, unknown))),
        f"{called} may be {how}",
    )
    here = Bracket(TRUE, guards.negation(guards.both(dead.may, unknown)))
    yield here, f"a step that is not known may have freed {called}"


def _called(state: State, base: Name) -> str:
    frame = state.frame
    if base.kind in (Kind.GLOBAL, Kind.CODE):
        return str(base.parts[0])
    # In inlined bodies names are those of the entry of the program.
    asked = frame.program.entry if frame.inlined else frame.procedure.name
    text = Words(frame.program, frame.program.procedures[asked]).name(base)
    if base.kind not in (Kind.NEW, Kind.OBJECT):
        return f"what {text} leads to"
    return text.replace("those of", "a block of")

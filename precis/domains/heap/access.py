"""When memory may be used.

Where a step uses a member of a struct that callers give, they are asked for all of the struct: once
for all its members, and that is what a reader expects. A caller who has less of it is not taken to
be wrong for that.
"""

from __future__ import annotations

from functools import partial

from precis.domains.heap.guards import ALWAYS, NEVER, PERHAPS, TRUE, Bracket
from precis.domains.heap.names import TOP, UNDEFINED, Kind, Value, constant, is_region
from precis.domains.heap.pointers import inside, is_writable
from precis.domains.heap.reasons import of_access
from precis.domains.heap.sets import holds
from precis.domains.heap.state import State
from precis.domains.heap.terms import Terms
from precis.ir.program import Program
from precis.ir.types import Pointer, Record
from precis.ir.values import Term


def access(
    terms: Terms, state: State, what: tuple[Term, Term], writes: bool
) -> tuple[Bracket, str | partial[str]]:
    """May so many bytes from an address on be used; and why not, if that is asked."""
    address, size = what
    values, sizes = terms.values(state, address), terms.values(state, size)
    guards = state.frame.theory.guards
    found = ALWAYS
    for length, b in sizes.items():
        if length.base is not None:
            return PERHAPS, "nobody knows how many bytes"
        struct = _struct(state, address, length)

        def is_good(
            value: Value, length: Value = length, struct: tuple[int, int] | None = struct
        ) -> Bracket:
            where = values[value].may
            if struct is None or not _is_from_callers(value):
                return good(state, value, length, writes, where)
            return _member(state, value, struct, writes, where)

        ok = holds(guards, values, is_good)
        nothing = state.frame.theory.equal_numbers(length, constant(0))
        ok = guards.any_of(ok, nothing)
        found = ok if len(sizes) == 1 else guards.all_of(
            found, guards.any_of(guards.opposite(b), ok)
        )  # fmt: skip
    return found, partial(of_access, state, values, sizes, writes)


def good(state: State, value: Value, length: Value, writes: bool, where: int = TRUE) -> Bracket:
    """Does a value lead to so many bytes of a block that is there, and can be written? Asked where
    a guard holds."""
    base = value.base
    if base is None or base is UNDEFINED:
        return NEVER
    if base is TOP:
        return PERHAPS
    guards = state.frame.theory.guards
    live = guards.opposite(state.is_dead(base))
    found = guards.all_of(live, inside(state, value, length, where))
    return guards.all_of(found, is_writable(state, value)) if writes else found


def _member(
    state: State, value: Value, struct: tuple[int, int], writes: bool, where: int
) -> Bracket:
    """Certainly if all of the struct is there; perhaps if its block is."""
    assert value.base is not None
    start, size = value.moved(-struct[0]), constant(struct[1])
    enough = good(state, start, size, writes, where)
    guards = state.frame.theory.guards
    there = guards.opposite(state.is_dead(value.base))
    if writes:
        there = guards.all_of(there, is_writable(state, value))
    return Bracket(there.may, enough.must)


def _is_from_callers(value: Value) -> bool:
    """Is it a pointer that callers give, of which nobody knows what it leads to?"""
    base = value.base
    return base is not None and is_region(base) and base.kind is not Kind.GLOBAL


def _struct(state: State, address: Term, length: Value) -> tuple[int, int] | None:
    """A place in a struct that a step uses, and the size of the struct."""
    if state.frame.is_root or state.frame.inlined or not length.is_constant:
        return None
    return _whole(state.frame.program, address, length.number[0])


def _whole(program: Program, address: Term, size: int) -> tuple[int, int] | None:
    """How far an address of so many bytes lies behind the start of the struct that a pointer leads
    to, and how large that is; None if it is not by way of a struct, at a fixed place in it. Of a
    union often no more is there than the member that is used."""
    offset = 0
    while True:
        if isinstance(address.type, Pointer) and isinstance(address.type.target, Record):
            layout = program.records.get(address.type.target.name)
            if layout is not None and not layout.union and 0 <= offset <= layout.size - size:
                return offset, layout.size
        match address.op:
            case "cast" if isinstance(address.args[0].type, Pointer):
                address = address.args[0]
            case "offset" if address.args[1].op == "const" and isinstance(address.data, int):
                assert isinstance(address.args[1].data, int)
                offset += address.args[1].data * address.data
                address = address.args[0]
            case _:
                return None

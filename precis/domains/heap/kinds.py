"""What can lie in the same memory: of two records, one has to contain the other, and a number or
a pointer has to be a member.

What summaries are made for. It is not taken on trust: calls are checked for it.
"""

from __future__ import annotations

from precis.ir.program import Program
from precis.ir.types import (
    VOID_POINTER,
    Array,
    Function,
    Int,
    Pointer,
    Record,
    Type,
    Void,
)
from precis.ir.wellformed import size_of


def may_overlap(program: Program, one: Type, other: Type) -> bool:
    """Can two objects of these types share memory, if each is used as what it is?"""
    records = [type_.name for type_ in (one, other) if isinstance(type_, Record)]
    if one == other or len(records) < 2 or not all(name in program.records for name in records):
        return True
    return _contains(program, one, records[1]) or _contains(program, other, records[0])


def _contains(program: Program, whole: Type, record: str) -> bool:
    """Is there an object of the record, or enough bytes for one, in another type?"""
    size = program.records[record].size
    work = [whole]
    seen: set[str] = set()
    while work:
        match work.pop():
            case Record(name=name) if name == record:
                return True
            case Record(name=name) if name not in seen and name in program.records:
                seen.add(name)
                work += [field.type for field in program.records[name].fields]
            case Array(element=Int(bits=8), count=count) if count is None or count >= size:
                return True
            case Array(element=element):
                work.append(element)
            case _:
                pass
    return False


def has_member(program: Program, record: str, offset: int, scalar: Int | Pointer) -> bool:
    """May there be such a number or pointer so many bytes behind the start of a record? Outside of
    it anything may be, and nothing is known of a record without members."""
    layout = program.records.get(record)
    if layout is None or not 0 <= offset < layout.size:
        return True
    found = members(program, record, offset)
    return any(isinstance(type_, Record) or may_alias(type_, scalar) for type_ in found)


def members(program: Program, record: str, offset: int) -> list[Type]:
    """What begins so many bytes behind the start of a record: numbers, pointers, and records that
    nothing is known of. Several if it has unions."""
    found: list[Type] = []
    work: list[tuple[Type, int]] = [(Record(record), offset)]
    while work:
        whole, place = work.pop()
        match whole:
            case Record(name=inner) if inner not in program.records:
                found.append(whole)
            case Record(name=inner):
                work += [
                    (field.type, place - field.offset)
                    for field in program.records[inner].fields
                    if field.offset <= place
                ]
            case Array(element=element, count=count):
                size = size_of(element, program)
                if size and (count is None or place < count * size):
                    work.append((element, place % size))
            case _ if place == 0:
                found.append(whole)
            case _:
                pass
    return found


def may_alias(one: Type, other: Type) -> bool:
    """Can a cell be used by both types, by C's rules, or by what programs do in spite of them?"""
    if one == other or VOID_POINTER in (one, other):
        return True
    match one, other:
        case Int(bits=bits), Int(bits=more):
            return bits == more
        case Pointer(target=Int(bits=8) | Void() | Function()), Pointer():
            return True
        case Pointer(), Pointer(target=Int(bits=8) | Void() | Function()):
            return True
        case Pointer(target=first), Pointer(target=second):
            return may_alias(first, second)
    return False

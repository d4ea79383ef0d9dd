"""Which records can lie in the same memory: of two types, one has to contain the other.

What summaries are made for. It is not taken on trust: calls are checked for it.
"""

from __future__ import annotations

from precis.ir.program import Program
from precis.ir.types import Array, Int, Record, Type


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

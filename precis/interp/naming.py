"""What an address names, as C would write it: `list->next`, `table[3].key`."""

from __future__ import annotations

from collections.abc import Mapping

from precis.ir.procedure import Procedure
from precis.ir.program import Program
from precis.ir.types import Array, DataModel, Layout, Pointer, Record, Type, is_scalar, scalar_bytes
from precis.ir.values import Term


def place_text(program: Program, procedure: Procedure, address: Term) -> str:
    """The place, or nothing if the address is computed from more than a name and a constant."""
    offset = 0
    while address.op in ("cast", "offset"):
        if address.op == "offset":
            count, scale = address.args[1].data, address.data
            if address.args[1].op != "const" or not isinstance(count, int):
                return ""
            offset += count * int(scale or 1)
        address = address.args[0]
        if not isinstance(address.type, Pointer):
            return ""
    inside = _Inside(program.records, program.model)
    match address.op, address.data:
        case "local", int(number):
            found = procedure.objects[number]
            return found.name and found.name + inside.path(found.type, offset)
        case "global", str(name):
            known = program.globals.get(name)
            return name + inside.path(known.type, offset) if known else name
        case "var", int(number):
            variable = procedure.variables[number]
            return _through(variable.name, variable.type, offset, inside)
        case _:
            return ""


def _through(name: str, type_: Type, offset: int, inside: _Inside) -> str:
    """What lies at an offset from a pointer."""
    if not name or not isinstance(type_, Pointer):
        return ""
    path = inside.path(type_.target, offset)
    if path.startswith("."):
        return f"{name}->{path[1:]}"
    return f"*{name}" if not offset else f"*({name} + {offset} bytes)"


class _Inside:
    """Names the parts of objects."""

    __slots__ = ("_model", "_records")

    def __init__(self, records: Mapping[str, Layout], model: DataModel) -> None:
        self._records = records
        self._model = model

    def path(self, type_: Type, offset: int) -> str:
        """The members and indices that lead to an offset; what is left over in bytes."""
        text = ""
        while True:
            match type_:
                case Array(element=element) if (size := self._size(element)) > 0 <= offset:
                    text += f"[{offset // size}]"
                    type_, offset = element, offset % size
                case Record(name=name) if name in self._records:
                    layout = self._records[name]
                    holding = [f for f in layout.fields if f.offset <= offset]
                    if not holding or offset >= layout.size:
                        return text + (f"+{offset}" if offset else "")
                    # Of a union any member will do: the first.
                    field = holding[0] if layout.union else holding[-1]
                    text += f".{field.name}" if field.name else ""
                    type_, offset = field.type, offset - field.offset
                case _:
                    return text + (f"+{offset}" if offset else "")

    def _size(self, type_: Type) -> int:
        match type_:
            case Array(element=element, count=count):
                return self._size(element) * (count or 0)
            case Record(name=name):
                return self._records[name].size if name in self._records else 0
            case _:
                return scalar_bytes(type_, self._model) if is_scalar(type_) else 0

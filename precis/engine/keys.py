"""Digests of what summaries depend on.

The key of a procedure stands for its steps with their obligations, but not for where they stand
in the source; for all globals, records and signatures that these name, and what those name in
turn; and for what its domain depends on besides. What callees do is not in it: that is compared
one by one (`recall.py`).
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import Any, Final, final

import msgspec

from precis.domains.protocol import Mentions
from precis.engine.activation import Limits
from precis.ir.callgraph import call_graph
from precis.ir.codec import Part, part
from precis.ir.program import Program

_SIZE: Final = 20  # bytes of a digest


def digest(value: Any) -> bytes:
    """Of plain data."""
    return blake2b(msgspec.msgpack.encode(value), digest_size=_SIZE).digest()


@final
class Keys:
    """Digests of the parts of one program, as one domain sees them."""

    __slots__ = ("_digests", "_domain", "_head", "_keys", "_parts", "_program", "component")

    def __init__(self, domain: Any, program: Program, limits: Limits) -> None:
        self._domain = domain
        self._program = program
        self._parts: dict[tuple[str, str], Part | None] = {}
        self._digests: dict[tuple[str, str], bytes] = {}  # of the parts
        self._keys: dict[str, bytes] = {}
        graph = call_graph(program)
        # The procedures that call each other, of one that calls itself by whatever way.
        self.component: dict[str, tuple[str, ...]] = {
            name: component
            for component in graph.components
            if graph.is_recursive(component)
            for name in component
        }
        model, language = program.model.value, program.language.value
        self._head = [domain.name, domain.version, repr(limits), model, language]

    def procedure(self, name: str) -> bytes:
        """The key of a procedure for unknown callers."""
        found = self._keys.get(name)
        if found is None:
            found = self._keys[name] = self._procedure(name)
        return found

    def _procedure(self, name: str) -> bytes:
        procedure = self._program.procedures[name]
        own = part(procedure)
        context = self._domain.context(procedure)
        named = self._declared(
            (*own.globals, *context.globals), (*own.functions, *context.functions), own.records
        )
        component = self.component.get(name, ())
        return digest([self._head, context.data, component, own.data, named])

    def summary(self, name: str, encoded: Any) -> bytes:
        """Of a summary as callers see it: what it says, and what the names in it stand for."""
        found: Mentions = self._domain.mentions(encoded)
        named = self._declared(found.globals, (name, *found.functions), found.records)
        return digest([encoded, named])

    def _declared(
        self, globals_: Iterable[str], functions: Iterable[str], records: Iterable[str]
    ) -> list[tuple[str, str, bytes]]:
        """What names are declared as, and all names in that, in a fixed order."""
        work = [("global", name) for name in globals_]
        work += [("function", name) for name in functions]
        work += [("record", name) for name in records]
        seen = set(work)
        while work:
            found = self._part(*work.pop())
            if found is None:
                continue
            inner = [("global", name) for name in found.globals]
            inner += [("function", name) for name in found.functions]
            inner += [("record", name) for name in found.records]
            work += [pair for pair in inner if pair not in seen]
            seen.update(inner)
        return [(*pair, self._digests[pair]) for pair in sorted(seen)]

    def _part(self, kind: str, name: str) -> Part | None:
        pair = (kind, name)
        if pair not in self._parts:
            found = self._parts[pair] = self._made(kind, name)
            self._digests[pair] = b"" if found is None else digest(found.data)
        return self._parts[pair]

    def _made(self, kind: str, name: str) -> Part | None:
        program = self._program
        if kind == "global":
            return part(program.globals[name]) if name in program.globals else None
        if kind == "record":
            return part(program.records[name]) if name in program.records else None
        procedure = program.procedures.get(name)
        if procedure is None:
            return part(program.externals[name]) if name in program.externals else None
        variables = (procedure.variables[index] for index in procedure.parameters)
        types = tuple(variable.type for variable in variables)
        marks = (int(procedure.library), int(procedure.internal))
        return part((procedure.type, types, marks))

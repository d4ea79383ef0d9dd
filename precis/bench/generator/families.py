"""The families of constructs that programs are made of.

A family has fragments, and perhaps forms of defects that need its construct. One that the front end
does not know yet is `PENDING`: it is generated only when it is asked for by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from . import arrays, calls, chains, heap, lists, numbers, records, strings, trees
from .constructs import compile_time, control, functions, initialisers, library, members, storage
from .defects import CONSTRUCT_FORMS, FORMS
from .draft import Fragment
from .forms import Form

CORE = "core"

_CORE_FRAGMENTS: tuple[Fragment, ...] = (
    lists.list_fragment, lists.list_fragment, chains.deque_fragment, chains.intrusive_fragment,
    chains.circle_fragment, chains.queue_fragment, trees.tree_fragment, trees.tree_fragment,
    arrays.sort_fragment, arrays.matrix_fragment, arrays.window_fragment, arrays.ring_fragment,
    strings.text_fragment, strings.names_fragment, strings.digits_fragment,
    records.union_fragment, records.bits_fragment, records.value_fragment,
    records.bytes_fragment, records.nested_fragment, calls.recursion_fragment,
    calls.table_fragment, calls.callback_fragment, calls.state_fragment, calls.swap_fragment,
    calls.cleanup_fragment, heap.vector_fragment, heap.rows_fragment, heap.hash_fragment,
    heap.counted_fragment, heap.graph_fragment, numbers.random_fragment, numbers.random_fragment,
    numbers.checksum_fragment, numbers.double_fragment, numbers.prime_fragment,
)  # fmt: skip

_FRAGMENTS: dict[str, tuple[Fragment, ...]] = {
    CORE: _CORE_FRAGMENTS,
    "bit-fields": (members.bit_field_fragment,),
    "anonymous": (members.anonymous_fragment,),
    "flexible": (members.flexible_fragment,),
    "packed": (members.packed_fragment,),
    "unions": (members.union_value_fragment,),
    "by-value": (members.by_value_fragment,),
    "container": (members.container_fragment,),
    "initialisers": (initialisers.initialiser_fragment, initialisers.initialiser_fragment),
    "literals": (initialisers.literal_fragment,),
    "wide-strings": (initialisers.wide_string_fragment,),
    "vla": (storage.vla_fragment, storage.vla_loop_fragment),
    "alloca": (storage.alloca_fragment,),
    "statics": (storage.static_local_fragment,),
    "tentative": (storage.tentative_fragment,),
    "qualifiers": (storage.qualifier_fragment,),
    "switch": (control.switch_fragment, control.wide_switch_fragment),
    "duff": (control.duff_fragment,),
    "goto": (control.goto_fragment, control.machine_fragment),
    "varargs": (functions.varargs_fragment, functions.log_fragment),
    "methods": (functions.methods_fragment,),
    "overflow": (compile_time.overflow_fragment,),
    "bit-counts": (compile_time.bit_count_fragment,),
    "builtins": (compile_time.builtin_fragment,),
    "statement-expressions": (compile_time.statement_expression_fragment,),
    "generic": (compile_time.generic_fragment,),
    "syntax": (compile_time.syntax_fragment,),
    "int128": (compile_time.wide_integer_fragment,),
    "strings": (library.string_fragment,),
    "text-numbers": (library.text_number_fragment,),
    "formats": (library.format_fragment,),
    "scan": (library.scan_fragment,),
    "sorting": (library.sorting_fragment,),
    "dispatch": (compile_time.dispatch_fragment,),
    "atomic": (storage.atomic_fragment,),
    "computed-goto": (control.computed_goto_fragment,),
    "cleanup": (functions.cleanup_attribute_fragment,),
    "constructor": (functions.constructor_fragment,),
}

# Families that the front end does not lower yet; a family leaves this table when it does.
PENDING: tuple[str, ...] = ()

FAMILIES = tuple(_FRAGMENTS)
SUPPORTED = tuple(name for name in FAMILIES if name not in PENDING)


@dataclass(frozen=True, slots=True)
class Palette:
    """What a program may be made of."""

    fragments: tuple[Fragment, ...]
    forms: tuple[Form, ...]

    @property
    def all_forms(self) -> tuple[Form, ...]:
        return self.forms or FORMS

    def forms_of(self, rule: str) -> tuple[Form, ...]:
        """The forms for a rule; those of the core if the families have none."""
        found = tuple(form for form in self.forms if form.rule == rule)
        return found or tuple(form for form in FORMS if form.rule == rule)


def palette(families: Sequence[str] = SUPPORTED) -> Palette:
    """The fragments and forms of some families. `ValueError` if there is no such family."""
    unknown = [name for name in families if name not in _FRAGMENTS]
    if unknown:
        raise ValueError(f"unknown: {', '.join(unknown)}; there are {', '.join(FAMILIES)}")
    fragments = tuple(f for name in families for f in _FRAGMENTS[name])
    forms = FORMS if CORE in families else ()
    own = tuple(form for name in families for form in CONSTRUCT_FORMS.get(name, ()))
    return Palette(fragments, (*forms, *own))

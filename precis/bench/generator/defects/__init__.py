"""The ways to break each rule, as data (see `forms`)."""

from __future__ import annotations

from ..forms import Form
from .bounds import BOUNDS
from .frees import FREES
from .leaks import LEAKS
from .lifetimes import LIFETIMES
from .memory_constructs import MEMORY
from .pointers import POINTERS
from .record_constructs import RECORD
from .value_constructs import VALUE
from .values import VALUES

FORMS: tuple[Form, ...] = (*POINTERS, *LIFETIMES, *FREES, *BOUNDS, *LEAKS, *VALUES)
# Those that need a construct, by its family (see `families`).
_BY_FAMILY = (RECORD, MEMORY, VALUE)
CONSTRUCT_FORMS: dict[str, tuple[Form, ...]] = {
    family: tuple(form for table in _BY_FAMILY for form in table.get(family, ()))
    for family in {**RECORD, **MEMORY, **VALUE}
}

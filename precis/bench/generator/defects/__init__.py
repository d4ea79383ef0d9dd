"""The ways to break each rule, as data (see `forms`)."""

from __future__ import annotations

from ..forms import Form
from .bounds import BOUNDS
from .frees import FREES
from .leaks import LEAKS
from .lifetimes import LIFETIMES
from .pointers import POINTERS
from .values import VALUES

FORMS: tuple[Form, ...] = (*POINTERS, *LIFETIMES, *FREES, *BOUNDS, *LEAKS, *VALUES)


def forms_of(rule: str) -> tuple[Form, ...]:
    return tuple(form for form in FORMS if form.rule == rule)

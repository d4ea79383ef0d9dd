"""Where in a program a form stands: in line, in a loop, in a callee, in a recursion."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from .draft import Site
from .forms import Form, apply
from .gate import Gate, When

Place = Callable[[Site, Form, When], Gate]


def plant(site: Site, form: Form, when: When) -> Gate:
    """Write `form` at `site` or in a function called from there; it runs exactly once."""
    return site.dice.pick(_PLACES)(site, form, when)


def _inline(site: Site, form: Form, when: When) -> Gate:
    gate = Gate(site, when)
    apply(form, site, gate)
    return gate


def _block(site: Site, form: Form, when: When) -> Gate:
    site.emit("{")
    gate = _inline(site.inner(), form, when)
    site.emit("}")
    return gate


def _in_loop(site: Site, form: Form, when: When) -> Gate:
    turns = site.dice.between(2, 4)
    name = site.draft.fresh("turn")
    site.emit(f"for (int {name} = 0; {name} < {turns}; {name}++) {{")
    inner = site.inner()
    inner.result(name, 0, turns - 1)
    site.emit(f"if ({name} == {site.dice.below(turns)}) {{")
    gate = _inline(inner, form, when)
    site.emit("}")
    site.emit("}")
    return gate


def _function(site: Site, form: Form, when: When, head: str, tail: str) -> tuple[Gate, list[str]]:
    """Define `static void NAME(..)` around a form; the gate, and the arguments for a call."""
    draft = site.draft
    known = site.dice.some(site.known(), 2)
    parameters = [replace(v, name=draft.fresh(site.dice.pick(("m", "sel", "way")))) for v in known]
    body = Site(draft, [], parameters)
    gate = Gate(body, when)
    apply(form, body, gate)
    listed = ", ".join(f"int {p.name}" for p in parameters)
    passed = ", ".join(p.name for p in parameters)
    draft.define(
        f"{head}\n{chr(10).join(body.lines)}\n{tail}", params=listed, passed=passed
    )  # the body has no `$` left
    return gate, [v.name for v in known]


def _in_callee(site: Site, form: Form, when: When) -> Gate:
    name = site.draft.fresh(site.dice.pick(("handle", "perform", "update", "visit_all")))
    gate, arguments = _function(site, form, when, f"static void {name}($params) {{", "}")
    site.emit(f"{name}({', '.join(arguments)});")
    return gate


def _through_pointer(site: Site, form: Form, when: When) -> Gate:
    name, pointer = site.draft.fresh("action"), site.draft.fresh("run_it")
    gate, arguments = _function(site, form, when, f"static void {name}($params) {{", "}")
    types = ", ".join("int" for _ in arguments)
    site.emit(f"void (*{pointer})({types}) = {name};")
    site.emit(f"{pointer}({', '.join(arguments)});")
    return gate


def _in_recursion(site: Site, form: Form, when: When) -> Gate:
    name = site.draft.fresh("dive")
    head = f"""
        static void {name}(int depth, $params) {{
        if (depth > 0) {{
        {name}(depth - 1, $passed);
        return;
        }}
        """
    gate, arguments = _function(site, form, when, head, "}")
    site.emit(f"{name}({site.dice.between(1, 4)}, {', '.join(arguments)});")
    return gate


_PLACES: tuple[Place, ...] = (
    _inline, _inline, _block, _in_loop, _in_callee, _in_callee, _through_pointer, _in_recursion,
)  # fmt: skip

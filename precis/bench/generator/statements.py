"""Random statements over scalars and arrays, and random functions made of them.

Each variable keeps within its bounds at every assignment, so what is known of it holds in loops
and after branches as well.
"""

from __future__ import annotations

from collections.abc import Callable

from .draft import ArrayVariable, PureFunction, Site
from .expressions import assignable, bounded, condition, expression, index
from .scalars import (
    INT,
    SCALARS,
    UINT,
    Scalar,
    Value,
    Variable,
    binary,
    constant,
    converted,
)


def declare_variable(site: Site, stem: str = "x") -> Variable:
    """Declare and initialise a scalar variable of a random type and range."""
    dice = site.dice
    type_ = dice.pick(SCALARS)
    if type_.bits < 32 or dice.chance(35):
        low, high = type_.low, type_.high
    else:
        high = dice.pick((7, 63, 100, 1000, 30000))
        low = -high if type_.signed and dice.chance(60) else 0
    variable = Variable(site.draft.fresh(stem), type_, low, high)
    start = assignable(site, expression(site, 2), variable)
    site.emit(f"{type_.name} {variable.name} = {start.text};")
    return site.declare(variable)


def declare_array(site: Site) -> ArrayVariable:
    """Declare and initialise an array, local or global."""
    dice = site.dice
    length = dice.between(2, 8)
    type_: Scalar = dice.pick(SCALARS)
    high = min(type_.high, dice.pick((100, 255, 5000)))
    array = ArrayVariable(site.draft.fresh("table"), type_, length, 0, high)
    given = [str(dice.between(0, high)) for _ in range(dice.between(1, length))]
    text = f"{type_.name} {array.name}[{length}] = {{{', '.join(given)}}};"
    kind = dice.below(3) if site.keeps_state else 1
    if kind == 0:
        site.draft.declare_global(f"static {text}")
    else:
        site.emit(text if kind == 1 else f"static {text}")
    site.arrays.append(array)
    return array


def statements(site: Site, count: int, depth: int) -> None:
    """Add `count` random statements, nested `depth` deep at most."""
    for _ in range(count):
        statement(site, depth)


def statement(site: Site, depth: int) -> None:
    simple: tuple[Callable[[Site], None], ...] = (_assign, _assign, _compound, _store, _step)
    nested: tuple[Callable[[Site, int], None], ...] = (
        _branch, _branch, _count_up, _while_down, _do_while, _switch, _block, _skip,
    )  # fmt: skip
    if depth > 0 and site.dice.chance(45):
        site.dice.pick(nested)(site, depth)
    else:
        site.dice.pick(simple)(site)


def _writable(site: Site) -> Variable | None:
    found = [v for v in site.variables if v.writable]
    return site.dice.pick(found) if found else None


def _assign(site: Site) -> None:
    variable = _writable(site)
    if variable is None:
        declare_variable(site)
        return
    value = assignable(site, expression(site, 3), variable)
    other = _writable(site)
    same = other is not None and (other.low, other.high) == (variable.low, variable.high)
    if other is not None and same and other.name != variable.name and other.type == variable.type:
        site.emit(f"{variable.name} = {other.name} = {value.text};")
        return
    site.emit(f"{variable.name} = {value.text};")


def _compound(site: Site) -> None:
    """`x op= e`, where the operation is defined and the result keeps x in its bounds."""
    variable = _writable(site)
    if variable is None:
        _assign(site)
        return
    operator = site.dice.pick(("+", "-", "*", "/", "%", "&", "|", "^", ">>", "<<"))
    operand = constant(site.dice.between(1, 6), variable.type)
    if operator not in ("<<", ">>", "/", "%") and site.dice.chance(50):
        operand = expression(site, 1)
    result = binary(operator, variable.value, operand)
    if result is None or not _keeps(result, variable):
        _assign(site)
        return
    site.emit(f"{variable.name} {operator}= {operand.text};")


def _keeps(value: Value, variable: Variable) -> bool:
    low, high = converted(value.low, value.high, variable.type)
    return variable.low <= low and high <= variable.high


def _step(site: Site) -> None:
    variable = _writable(site)
    if variable is None:
        _assign(site)
        return
    sign = site.dice.pick(("+", "-"))
    result = binary(sign, variable.value, constant(1))
    if result is not None and _keeps(result, variable):
        site.emit(site.dice.pick((f"{variable.name}{sign * 2};", f"{sign * 2}{variable.name};")))
        return
    end, comparison = (variable.high, "<") if sign == "+" else (variable.low, ">")
    edge = constant(end, variable.type)
    if variable.low < INT.low or (edge.type.signed and end in (INT.low, variable.type.low)):
        _assign(site)
        return
    site.emit(f"if ({variable.name} {comparison} {edge.text}) {{")
    site.emit(f"{variable.name}{sign * 2};")
    site.emit("}")


def _store(site: Site) -> None:
    if not site.arrays:
        declare_array(site)
    array = site.dice.pick(site.arrays)
    element = Variable("", array.element, array.low, array.high)
    value = assignable(site, expression(site, 2), element)
    site.emit(f"{array.name}[{index(site, array.length)}] = {value.text};")


def _branch(site: Site, depth: int) -> None:
    site.emit(f"if ({condition(site, 2).text}) {{")
    statements(site.inner(), site.dice.between(1, 2), depth - 1)
    while site.dice.chance(25):
        site.emit(f"}} else if ({condition(site, 1).text}) {{")
        statements(site.inner(), 1, depth - 1)
    if site.dice.chance(50):
        site.emit("} else {")
        statements(site.inner(), 1, depth - 1)
    site.emit("}")


def _counter(site: Site, high: int) -> Variable:
    name = site.draft.fresh(site.dice.pick(("i", "k", "n")))
    type_ = site.dice.pick((INT, INT, UINT))
    return Variable(name, type_, 0, high, writable=False)


def _loop_body(site: Site, counter: Variable, depth: int) -> None:
    inner = site.inner()
    inner.declare(counter)
    statements(inner, site.dice.between(1, 2), depth - 1)
    if site.dice.chance(30):
        inner.emit(f"if ({condition(inner, 1).text}) {{")
        inner.emit(site.dice.pick(("break;", "continue;")))
        inner.emit("}")
        statements(inner, 1, 0)


def _count_up(site: Site, depth: int) -> None:
    turns = site.dice.between(2, 5)
    counter = _counter(site, turns - 1)
    kind, name = counter.type.name, counter.name
    step = site.dice.pick(("++", " += 2", "++"))
    site.emit(f"for ({kind} {name} = 0; {name} < {turns}; {name}{step}) {{")
    _loop_body(site, counter, depth)
    site.emit("}")


def _while_down(site: Site, depth: int) -> None:
    """The test counts, so that `continue` in the body cannot make the loop endless."""
    turns = site.dice.between(2, 5)
    counter = _counter(site, turns)
    site.emit(f"{counter.type.name} {counter.name} = {turns};")
    site.emit(f"while ({counter.name}-- > 0) {{")
    _loop_body(site, counter, depth)
    site.emit("}")


def _do_while(site: Site, depth: int) -> None:
    turns = site.dice.between(1, 4)
    counter = _counter(site, turns)
    site.emit(f"{counter.type.name} {counter.name} = 0;")
    site.emit("do {")
    _loop_body(site, counter, depth)
    site.emit(f"}} while (++{counter.name} < {turns});")


def _switch(site: Site, depth: int) -> None:
    cases = site.dice.between(2, 4)
    site.emit(f"switch ({bounded(site, 0, cases).text}) {{")
    for case in site.dice.mixed(range(cases)):
        site.emit(f"case {case}: {{")
        statements(site.inner(), 1, depth - 1)
        if site.dice.chance(70):
            site.emit("break;")
        site.emit("}")
    site.emit("default: {")
    statements(site.inner(), 1, 0)
    site.emit("break;")
    site.emit("}")
    site.emit("}")


def _block(site: Site, depth: int) -> None:
    site.emit("{")
    inner = site.inner()
    declare_variable(inner, "local")
    statements(inner, site.dice.between(1, 2), depth - 1)
    site.emit("}")


def _skip(site: Site, depth: int) -> None:
    """A jump forward over statements of a block."""
    label = site.draft.fresh("skip")
    site.emit("{")
    inner = site.inner()
    site.emit(f"if ({condition(site, 1).text}) {{")
    site.emit(f"goto {label};")
    site.emit("}")
    for _ in range(2):
        _assign(inner)
    site.emit(f"{label}:")
    site.emit(";")
    site.emit("}")


def pure_function(site: Site) -> None:
    """Define a function of a few integers that only computes its result."""
    draft, dice = site.draft, site.dice
    parameters = []
    for _ in range(dice.between(1, 3)):
        type_ = dice.pick(SCALARS)
        high = min(type_.high, dice.pick((20, 127, 1000)))
        low = -high if type_.signed and dice.chance(50) else 0
        parameters.append(Variable(draft.fresh("p"), type_, low, high, writable=dice.chance(30)))
    type_ = dice.pick(SCALARS)
    high = min(type_.high, dice.pick((9, 100, 5000)))
    result = Variable("", type_, -high if type_.signed and dice.chance(40) else 0, high)
    name = draft.fresh(dice.pick(("mix", "fold", "scale", "weigh", "blend")))
    listed = ", ".join(f"{p.type.name} {p.name}" for p in parameters)
    body = Site(draft, [f"static {type_.name} {name}({listed}) {{"], parameters)
    body.keeps_state = False
    declare_variable(body, "acc")
    statements(body, dice.between(1, 3), 1)
    body.emit(f"return {assignable(body, expression(body, 2), result).text};")
    body.emit("}")
    draft.functions.append(body.lines)
    draft.pure.append(PureFunction(name, tuple(parameters), result))


def computation(site: Site, count: int, depth: int) -> None:
    """Random statements that work on new variables, which are then printed."""
    mine = [declare_variable(site) for _ in range(site.dice.between(1, 2))]
    statements(site, count, depth)
    for variable in mine:
        site.print_scalar(variable.name, variable.type)

"""Random integer expressions that are defined whatever the variables in them hold."""

from __future__ import annotations

from .draft import Site
from .scalars import (
    ATOM,
    INT,
    PRECEDENCE,
    SCALARS,
    UINT,
    UNARY,
    Scalar,
    Value,
    Variable,
    binary,
    cast,
    constant,
    converted,
    promoted,
    unary,
)

_ARITHMETIC = ("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>")
_TESTS = ("<", "<=", ">", ">=", "==", "!=")
_WIDE = 1 << 40


def expression(site: Site, depth: int) -> Value:
    """A random expression over what `site` sees, `depth` operators deep at most."""
    dice = site.dice
    if depth <= 0 or dice.chance(15):
        return _leaf(site)
    kind = dice.below(100)
    if kind < 60:
        return _operation(site, depth)
    if kind < 68:
        return unary(dice.pick(("-", "~", "!")), expression(site, depth - 1)) or _leaf(site)
    if kind < 78:
        return cast(expression(site, depth - 1), dice.pick(SCALARS))
    if kind < 88:
        return _conditional(site, depth)
    if kind < 94:
        return condition(site, depth - 1)
    return _call(site, depth)


def condition(site: Site, depth: int) -> Value:
    """A random truth value."""
    dice = site.dice
    if depth > 0 and dice.chance(35):
        left, right = condition(site, depth - 1), condition(site, depth - 1)
        return _built(dice.pick(("&&", "||")), left, right)
    left = expression(site, depth)
    near = dice.between(max(left.low, -_WIDE) // 4, min(left.high, _WIDE) // 4)
    right = expression(site, depth - 1) if dice.chance(50) else constant(near, left.type)
    return _built(dice.pick(_TESTS), left, right)


def bounded(site: Site, low: int, high: int, depth: int = 2) -> Value:
    """A random expression whose value lies between `low` and `high`."""
    return fitted(site, expression(site, depth), low, high)


def number(site: Site, low: int, high: int, depth: int = 2) -> str:
    """As `bounded`: text of type int that can stand as an argument or an operand."""
    if site.dice.chance(30):
        return constant(site.dice.between(low, high)).wrapped(ATOM)
    value = bounded(site, low, high, depth)
    value = value if promoted(value.type) == INT else cast(value, INT)
    return value.wrapped(UNARY)


def fitted(site: Site, value: Value, low: int, high: int) -> Value:
    """`value`, brought between `low` and `high` if it may lie outside."""
    if value.within(low, high):
        return value
    if low == high:
        return constant(low)
    dice = site.dice
    span = high - low + 1
    if (
        value.precedence == ATOM
        and len(value.text) < 20
        and dice.chance(40)
        and INT.low < low
        and high < INT.high
    ):
        text = f"{value.text} < {low} ? {low} : {value.text} > {high} ? {high} : {value.text}"
        if value.type.signed:
            return Value(text, value.type, low, high, PRECEDENCE["?:"])
    if span & (span - 1) == 0 and dice.chance(50):
        shrunk = _built("&", value, constant(span - 1))
    else:
        shrunk = _built("%", cast(value, UINT), constant(span, UINT))
    shrunk = shrunk if shrunk.type.signed else cast(shrunk, INT)
    return shrunk if low == 0 else _built("+", shrunk, constant(low))


def assignable(site: Site, value: Value, variable: Variable) -> Value:
    """`value`, fitted so that an assignment keeps the promise of `variable`."""
    after = converted(value.low, value.high, variable.type)
    if variable.low <= after[0] and after[1] <= variable.high:
        return value
    return fitted(site, value, variable.low, variable.high)


def _built(operator: str, left: Value, right: Value) -> Value:
    value = binary(operator, left, right)
    if value is None:
        raise ValueError(f"not defined: {left.text} {operator} {right.text}")
    return value


def _operation(site: Site, depth: int) -> Value:
    dice = site.dice
    left = expression(site, depth - 1)
    operator = dice.pick(_ARITHMETIC)
    right = _operand(site, operator, left.type, depth - 1)
    for attempt in (operator, "^", "&"):
        value = binary(attempt, left, right)
        if value is not None:
            return value
    return left


def _operand(site: Site, operator: str, left: Scalar, depth: int) -> Value:
    """A right operand for which the operator is likely to be defined."""
    dice = site.dice
    if operator in ("/", "%"):
        if dice.chance(50):
            return constant(dice.between(1, 40), dice.pick(SCALARS))
        return bounded(site, 1, dice.between(2, 30), depth)
    if operator in ("<<", ">>"):
        most = dice.between(1, 7 if left.bits < 64 else 15)
        return bounded(site, 0, most, depth) if dice.chance(40) else constant(most)
    if operator == "*" and dice.chance(60):
        return constant(dice.between(-9, 9))
    return expression(site, depth)


def _conditional(site: Site, depth: int) -> Value:
    test = condition(site, depth - 1)
    left = expression(site, depth - 1)
    right = expression(site, depth - 1)
    joined = binary("|", left, right)  # only for the type of the result
    type_ = joined.type if joined else INT
    strength = PRECEDENCE["?:"]
    text = f"{test.wrapped(strength + 1)} ? {left.wrapped(2)} : {right.wrapped(strength)}"
    ends = (*converted(left.low, left.high, type_), *converted(right.low, right.high, type_))
    return Value(text, type_, min(ends), max(ends), strength)


def _call(site: Site, depth: int) -> Value:
    if not site.draft.pure:
        return _leaf(site)
    function = site.dice.pick(site.draft.pure)
    arguments = [
        assignable(site, expression(site, depth - 1), parameter).wrapped(2)
        for parameter in function.parameters
    ]
    result = function.result
    return Value(f"{function.name}({', '.join(arguments)})", result.type, result.low, result.high)


def _leaf(site: Site) -> Value:
    dice = site.dice
    kind = dice.below(100)
    if kind < 65 and site.variables:
        return dice.pick(site.variables).value
    if kind < 80 and site.arrays:
        array = dice.pick(site.arrays)
        place = index(site, array.length)
        return Value(f"{array.name}[{place}]", array.element, array.low, array.high)
    if kind < 84:
        letter = dice.pick("aAzZ059 #")
        return Value(f"'{letter}'", INT, ord(letter), ord(letter))
    return constant(
        dice.pick((0, 1, 2, 3, 5, 7, 10, 17, 31, 64, 100, 255, 1000)), dice.pick(SCALARS)
    )


def index(site: Site, length: int) -> str:
    """An index into an array of `length` elements."""
    dice = site.dice
    if dice.chance(50) or not site.variables:
        return str(dice.below(length))
    return fitted(site, dice.pick(site.variables).value, 0, length - 1).text

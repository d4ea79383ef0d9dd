"""Mixed operands, whose common type the usual arithmetic conversions decide (C17 6.3.1.8)."""

from __future__ import annotations

from collections.abc import Iterator

from .definitions import Model

# A letter for each type that a value can have, in the order of the answer of TYPE_OF.
_TYPES = (
    "_Bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned",
    "long", "unsigned long", "long long", "unsigned long long", "float", "double", "long double",
)  # fmt: skip
_WIDE = ("__int128", "unsigned __int128")
_BITS = (("int", 5), ("unsigned", 5), ("unsigned", 31), ("unsigned", 32), ("int", 32), ("_Bool", 1))


def operand_types(model: Model) -> tuple[str, ...]:
    return (*_TYPES, *(_WIDE if model is Model.LP64 else ()))


def preamble(model: Model) -> list[str]:
    """A macro that numbers types, and a variable of each type."""
    types = operand_types(model)
    cases = ", ".join(f"{type_}: {number}" for number, type_ in enumerate(types, 1))
    lines = [f"#define TYPE_OF(e) _Generic((e), {cases}, default: 0)"]
    lines += [f"{type_} v{number} = 1;" for number, type_ in enumerate(types, 1)]
    fields = " ".join(f"{type_} f{n} : {width};" for n, (type_, width) in enumerate(_BITS))
    return [*lines, f"struct {{ {fields} }} fields;"]


def expressions(model: Model) -> Iterator[str]:
    """Expressions whose type is asked for."""
    types = operand_types(model)
    names = [f"v{number}" for number in range(1, len(types) + 1)]
    names += [f"fields.f{n}" for n in range(len(_BITS))]
    for name in names:
        yield from (f"+{name}", f"-{name}", f"!{name}", f"{name} < 1")
    integers = [n for n, t in zip(names, types, strict=False) if t not in _FLOATS]
    integers += names[len(types) :]
    yield from (f"~{name}" for name in integers)
    for left in names:
        for right in names:
            yield f"{left} + {right}"
            yield f"(v1 ? {left} : {right})"
            if left in integers and right in integers:
                yield from (f"{left} << {right}", f"{left} & {right}")


_FLOATS = ("float", "double", "long double")


def signs(model: Model) -> Iterator[str]:
    """Truth values that tell, when they are computed, whether the common type has a sign."""
    types = operand_types(model)
    numbers = [number for number, type_ in enumerate(types, 1) if type_ not in _FLOATS]
    for left in numbers:
        for right in numbers:
            yield f"v{left} - 2 * v{right} < 0"

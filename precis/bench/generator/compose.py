"""A whole program: inputs, fragments whose statements mix, and perhaps one defect among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

from . import numbers
from .defects import FORMS
from .dice import Dice
from .draft import MARK, Draft, Fragment, Site
from .expressions import number
from .families import SUPPORTED, Palette, palette
from .forms import Form
from .gate import Gate, When, known_variable
from .places import plant
from .scalars import Meaning, Variable
from .statements import pure_function
from .truth import PROPERTIES, RULES, Correct, Defect, Expectation, Generated

SHORTEST, LONGEST = 40, 200
# Rules with many ways to be broken come up more often.
_RULES = (*RULES, "out-of-bounds", "out-of-bounds", "null-dereference", "use-after-free")
_MOST_INPUTS = 64


class Kind(Enum):
    """What is asked of a program."""

    CORRECT = "correct"
    DEFECT = "defect"
    EITHER = "either"


@dataclass(slots=True)
class _Plan:
    """What is to be planted, and what came of it."""

    form: Form | None
    when: When
    gate: Gate | None = None


def compose(
    seed: int,
    name: str,
    kind: Kind = Kind.EITHER,
    rule: str | None = None,
    families: Sequence[str] = SUPPORTED,
) -> Generated:
    """The program of a seed, made of these families. `rule` asks for a defect of that rule."""
    first = Dice(seed)
    colours = palette(families)
    if kind is Kind.EITHER:
        kind = Kind.DEFECT if first.chance(50) else Kind.CORRECT
    rule = rule or first.pick(_RULES)
    attempt = 0
    while True:
        made = _attempt(Dice(seed * 4099 + attempt + 1), kind, rule, colours)
        if made is not None:
            return replace(made, name=name)
        attempt += 1


def _attempt(dice: Dice, kind: Kind, rule: str, colours: Palette) -> Generated | None:
    """A program, or None if it is too short or too long."""
    draft = Draft(dice)
    main = Site(draft, [])
    for _ in range(dice.between(1, 3)):
        _read_input(main, dice.pick(_RESTRICTIONS))
    _derive(main)
    for _ in range(dice.below(3)):
        pure_function(main)
    plan = _plan(dice, kind, colours.forms_of(rule))
    decoys = [_Plan(dice.pick(colours.all_forms), When.NEVER) for _ in range(dice.chance(35))]
    _fill(main, colours.fragments, [plan, *decoys])
    kept = plan.form is not None and plan.form.breaks_at_exit
    main.emit(_last_line(main) + (f" {MARK}" if kept else ""))
    source, marked = draft.render(main.lines)
    if not SHORTEST <= source.count("\n") <= LONGEST:
        return None
    return _described(draft, source, marked, kind, plan)


def _plan(dice: Dice, kind: Kind, forms: Sequence[Form]) -> _Plan:
    """A correct program may keep memory to its end; the property `cleanup` is then not asked."""
    if kind is Kind.DEFECT:
        return _Plan(dice.pick(forms), When.ALWAYS if dice.chance(25) else When.SOMETIMES)
    if dice.chance(8):
        kept = [form for form in FORMS if form.rule == "not-freed" and form.breaks_at_exit]
        return _Plan(dice.pick(kept), When.ALWAYS)
    return _Plan(None, When.NEVER)


def _described(
    draft: Draft, source: str, marked: Sequence[int], kind: Kind, plan: _Plan
) -> Generated | None:
    expect: Expectation = Correct()
    properties = PROPERTIES
    if kind is Kind.DEFECT and plan.form is not None and plan.gate is not None:
        inputs = plan.gate.openings()
        line = max(marked) if plan.form.breaks_at_exit else _line_of(marked, plan)
        always = plan.when is When.ALWAYS
        expect = Defect(plan.form.rule, line, inputs, always, plan.form.name, plan.form.blind)
    elif plan.form is not None:
        properties = tuple(p for p in PROPERTIES if p != "cleanup")
    return Generated("", source, expect, tuple(draft.input_ranges), properties)


def _line_of(marked: Sequence[int], plan: _Plan) -> int:
    if len(marked) != 1:
        raise ValueError(f"{len(marked)} marked lines for {plan.form}")
    return marked[0]


def _last_line(main: Site) -> str:
    if main.dice.chance(50):
        return "return 0;"
    return f"return {number(main, 0, 63)};"


_RESTRICTIONS = (
    "int $x = __VERIFIER_nondet_int();\nif ($x < $low || $x > $high) {\nreturn 0;\n}",
    "int $x = __VERIFIER_nondet_int();\nif (!($x >= $low && $x <= $high)) {\nreturn 0;\n}",
    "int $x = __VERIFIER_nondet_int();\n__VERIFIER_assume($x >= $low && $x <= $high);",
    "int $x = __VERIFIER_nondet_int();\n__VERIFIER_assume($x >= $low);\n"
    "__VERIFIER_assume($x <= $high);",
    "unsigned $r = __VERIFIER_nondet_uint();\nif ($r > ${high}u) {\nreturn 0;\n}\n"
    "int $x = (int)$r;",
    "char $r = __VERIFIER_nondet_char();\n__VERIFIER_assume($low <= $r && $r <= $high);\n"
    "int $x = $r;",
    "unsigned char $r = __VERIFIER_nondet_uchar();\nif ($r >= $high + 1) {\nreturn 0;\n}\n"
    "int $x = $r;",
    "long $r = __VERIFIER_nondet_long();\n__VERIFIER_assume($r >= $low && $r <= $high);\n"
    "const int $x = (int)$r;",
    "short $r = __VERIFIER_nondet_short();\nif ($r < $low || $high < $r) {\nexit(0);\n}\n"
    "int $x = $r;",
)
_MIDWAY = "int $x = __VERIFIER_nondet_int();\n__VERIFIER_assume($low <= $x && $x <= $high);"
_TYPES = {
    "int": "int", "uint": "unsigned int", "char": "char", "uchar": "unsigned char",
    "long": "long", "short": "short",
}  # fmt: skip


def _read_input(site: Site, text: str) -> None:
    """Read one more input, unless there would be too many combinations."""
    draft, dice = site.draft, site.dice
    combinations = 1
    for low, high in draft.input_ranges:
        combinations *= high - low + 1
    most = min(8, _MOST_INPUTS // combinations)
    if most < 2:
        return
    count = dice.between(2, most)
    low = 0 if "uint" in text or "uchar" in text else dice.pick((0, 0, 1, -2))
    place = len(draft.input_ranges)
    draft.input_ranges.append((low, low + count - 1))
    name, raw = draft.fresh(dice.pick(("a", "b", "in"))), draft.fresh("raw_in")
    site.emit(text, x=name, r=raw, low=low, high=low + count - 1)
    for kind, type_ in _TYPES.items():
        if f"nondet_{kind}(" in text:
            declaration = f"extern {type_} __VERIFIER_nondet_{kind}(void);"
            draft.extern(f"nondet_{kind}", declaration)
    if "assume" in text:
        draft.extern("assume", "extern void __VERIFIER_assume(int condition);")
    site.declare(known_variable(name, low, low + count - 1, lambda inputs: inputs[place]))


def _derive(site: Site) -> None:
    """Perhaps a variable computed from the inputs."""
    dice = site.dice
    known = site.known()
    if not known or dice.chance(40):
        return
    first, second = dice.pick(known), dice.pick(known)
    factor = dice.between(2, 4)
    name = site.draft.fresh("mode")
    site.emit(f"int {name} = {first.name} * {factor} + {second.name};")
    low = first.low * factor + second.low
    high = first.high * factor + second.high
    site.declare(known_variable(name, low, high, _combined(first, second, factor)))


def _combined(first: Variable, second: Variable, factor: int) -> Meaning:
    a, b = first.meaning, second.meaning
    if a is None or b is None:
        raise ValueError("not a function of the inputs")
    return lambda inputs: a(inputs) * factor + b(inputs)


def _fill(main: Site, fragments: Sequence[Fragment], plans: list[_Plan]) -> None:
    """Stages and interleaved fragments until the program has its length."""
    draft, dice = main.draft, main.dice
    target = dice.between(50, 120)
    left = list(plans)
    while True:
        written = len(main.lines) + sum(map(len, draft.functions))
        if written >= target:
            break
        chosen = dice.some(fragments, dice.between(1, 3))
        here = [left.pop(0)] if left and dice.chance(50) else []
        if dice.chance(30):
            _stage(main, chosen[:2], here)
        else:
            _weave(main, chosen, here)
        if dice.chance(20):
            _read_input(main, _MIDWAY)
    for plan in left:
        _weave(main, [numbers.random_fragment], [plan])


def _weave(site: Site, fragments: Sequence[Fragment], plans: Sequence[_Plan]) -> None:
    """Advance the fragments in random turns; plant between two turns."""
    running = [fragment(site) for fragment in fragments]
    waiting = list(plans)
    while running:
        if waiting and site.dice.chance(30):
            _plant(site, waiting.pop())
        chosen = site.dice.pick(running)
        if next(chosen, running) is running:
            running.remove(chosen)
    for plan in waiting:
        _plant(site, plan)


def _plant(site: Site, plan: _Plan) -> None:
    if plan.form is None:
        return
    form = plan.form
    if plan.when is When.NEVER:
        form = replace(form, text=form.text.replace(MARK, ""))
    plan.gate = plant(site, form, plan.when)
    for name, declaration in _ERRORS.items():
        if f"{name}(" in plan.form.text:
            site.draft.extern(name, declaration)


_ERRORS = {"reach_error": "extern void reach_error(void);"}


def _stage(main: Site, fragments: Sequence[Fragment], plans: Sequence[_Plan]) -> None:
    """A function of its own for some fragments, called once with inputs as arguments."""
    draft, dice = main.draft, main.dice
    name = draft.fresh("stage")
    known = dice.some(main.known(), dice.between(1, 2))
    parameters = [replace(v, name=draft.fresh("arg")) for v in known]
    listed = ", ".join(f"int {p.name}" for p in parameters)
    body = Site(draft, [f"static int {name}({listed}) {{"], parameters)
    _weave(body, fragments, plans)
    body.emit(f"return {number(body, 0, 99)};")
    body.emit("}")
    draft.functions.append(body.lines)
    result = draft.fresh("done")
    main.emit(f"int {result} = {name}({', '.join(v.name for v in known)});")
    main.result(result, 0, 99)

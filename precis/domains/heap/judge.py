"""How obligations stand, and what callers must establish for them.

An obligation is a condition; it is met if it certainly holds wherever control can be. Otherwise
what has to hold at entry, so that it does, is the need: the guard made free of what no caller
can know.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, TypeAlias, final

from precis.domains.heap.access import access
from precis.domains.heap.filled import is_filled
from precis.domains.heap.forget import numbers_in
from precis.domains.heap.frame import Frame
from precis.domains.heap.guards import (
    ALWAYS,
    FALSE,
    NEVER,
    PERHAPS,
    TRUE,
    Bracket,
    Costly,
    TooLarge,
)
from precis.domains.heap.instance import Instance, Site
from precis.domains.heap.lost import Kept, Lost
from precis.domains.heap.names import (
    NULL,
    TOP,
    UNDEFINED,
    Kind,
    Value,
    constant,
    is_region,
    minus,
    name,
    plus,
    pointer,
)
from precis.domains.heap.names import times as scaled
from precis.domains.heap.pointers import is_code, is_heap, same_place
from precis.domains.heap.reasons import HELD, LEFT, of_blocks, of_free
from precis.domains.heap.sets import Values, holds, hull
from precis.domains.heap.state import State
from precis.domains.heap.terms import Terms
from precis.domains.heap.texts import OTHER_CASES, Words
from precis.domains.heap.theory import Theory, is_inner
from precis.domains.heap.trim import is_complex
from precis.domains.protocol import CallSite, Judgement, Need, ObligationId, Standing
from precis.domains.values import num
from precis.ir.instr import Call, End, Step
from precis.ir.obligation import (
    AllFreed,
    InitialisedMemory,
    InitialisedVariable,
    NeverReached,
    NonZero,
    NoOverflow,
    NotLost,
    Obligation,
    ShiftInRange,
    ValidCall,
    ValidFree,
    ValidRead,
    ValidWrite,
)
from precis.ir.procedure import Procedure
from precis.ir.signature import fits
from precis.ir.types import Int
from precis.ir.values import Term

# Atoms of a need that is told to callers, if all is too much.
MOST_LIFTED: Final = (None, 40, 20, 8)
MOST_NODES_OF_A_NEED: Final = 6_000  # to tell it
MOST_OF_FAILING: Final = 24  # atoms of a condition under which an obligation is surely broken
MOST_LETTERS: Final = 120  # of a need that is told in words
Why: TypeAlias = str | Callable[[], str]  # only what stays open is put in words


@dataclass(frozen=True, slots=True)
class Condition:
    """A guard of a procedure, over its entry. Where `fails` holds, control surely gets to what
    needs it, or fails before, and it is not met there. Two frames are never equal."""

    frame: Frame
    guard: int
    fails: int = FALSE

    def __hash__(self) -> int:
        return hash((id(self.frame), self.guard, self.fails))

    def describe(self, procedure: Procedure) -> str:
        """In words, for callers."""
        words = Words(self.frame.program, self.frame.procedure)
        return words.guard(self.frame.theory, self.guard)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Condition)
            and other.frame is self.frame
            and (other.guard, other.fails) == (self.guard, self.fails)
        )


def merged(needs: Sequence[Need[Condition]]) -> tuple[Need[Condition], ...]:
    """One need for each obligation and procedure."""
    found: dict[tuple[ObligationId, Frame], Need[Condition]] = {}
    for need in needs:
        frame, guards = need.safe_if.frame, need.safe_if.frame.theory.guards
        known = found.setdefault((need.origin, frame), need)
        if known is not need:
            both = guards.both(known.safe_if.guard, need.safe_if.guard)
            fails = guards.either(known.safe_if.fails, need.safe_if.fails)
            found[need.origin, frame] = replace(known, safe_if=Condition(frame, both, fails))
    return tuple(found.values())


@final
class Judge:
    def __init__(self, terms: Terms, taken: Sequence[str], lost: Lost, outside: bool) -> None:
        self._terms = terms
        self._outside = outside  # may functions of others be called?
        self._taken = taken  # the procedures that pointers may lead to
        self._lost = lost

    def judge(
        self, state: State, obligation: Obligation, following: Step | End, origin: ObligationId
    ) -> Judgement[State, Condition]:
        if isinstance(obligation, NotLost):
            return self.returned(state, self._lost.kept(state, following, origin), origin)
        condition, why = self._condition(state, obligation, following)
        # What programs assert of arguments is asked of callers.
        told = not isinstance(obligation, NeverReached)
        judged = self._judged(state, condition, origin, why, finds=told)
        if judged.standing is Standing.MET:
            return judged
        return replace(judged, passed=tuple(self._used(s, obligation) for s in judged.passed))

    def passing(
        self, state: State, obligation: Obligation, following: Step | End
    ) -> tuple[State, ...]:
        """The state where an obligation is met, if there is one."""
        if isinstance(obligation, NotLost):
            return (state,)
        condition, _ = self._condition(state, obligation, following)
        if state.frame.theory.guards.implies(state.reach.may, condition.must):
            return (state,)
        after = state.narrowed(condition)
        return () if after is None else (self._used(after, obligation),)

    def _used(self, state: State, obligation: Obligation) -> State:
        """The state after memory was used: what was used is there."""
        match obligation:
            case ValidRead(address=address, size=size) | ValidWrite(address=address, size=size):
                sizes = self._terms.values(state, size)
                if state.loose.may and all(_is_some(v) for v in sizes):
                    return state.spared(self._terms.values(state, address))
        return state

    def returned(
        self, state: State, kept: Kept, origin: ObligationId
    ) -> Judgement[State, Condition]:
        """How `NotLost` stands, also when a call has returned."""
        why = partial(of_blocks, state, kept.each, HELD)
        if kept.vague:
            return Judgement(Standing.OPEN, (state,), None, why())
        return self._judged(state, kept.condition, origin, why, prunes=False)

    def _judged(
        self, state: State, condition: Bracket, origin: ObligationId, why: Why,
        prunes: bool = True, finds: bool = False,
    ) -> Judgement[State, Condition]:  # fmt: skip
        guards = state.frame.theory.guards
        if guards.implies(state.reach.may, condition.must):
            return Judgement(Standing.MET, (state,))
        after = state.narrowed(condition) if prunes else state
        passed = () if after is None else (after,)
        holds_never = not guards.possible(guards.both(state.reach.may, condition.may))
        standing = Standing.NEVER_MET if holds_never else Standing.OPEN
        fails = _failing(state, guards.negation(condition.may)) if finds else FALSE
        need = self._need(state, condition, origin, fails)
        # Callers are told what they have to see to; why, if all they can do is not to get here.
        if need is not None and guards.possible(guards.both(state.reach.may, condition.must)):
            return Judgement(Standing.OPEN, passed, need)
        told = why if isinstance(why, str) else why()
        if need is None:
            return Judgement(standing, passed, None, told)
        certain = holds_never and guards.possible(fails)
        return Judgement(Standing.OPEN, passed, need, told, certain)

    def _need(
        self, state: State, condition: Bracket, origin: ObligationId, fails: int,
        via: tuple[CallSite, ...] = (),
    ) -> Need[Condition] | None:  # fmt: skip
        """What makes the obligation hold, over the entry; None if nothing does."""
        frame = state.frame
        if frame.is_root:
            return None
        guards = frame.theory.guards
        safe = guards.either(guards.negation(state.reach.may), condition.must)
        safe = for_all(frame, safe)
        safe = guards.shortened(safe)
        if not guards.possible(safe):
            return None
        return Need(origin, Condition(frame, safe, fails), via)

    def lifted(
        self, site: Site, need: Need[Condition], at: CallSite
    ) -> Judgement[State, Condition]:
        """A callee's need at a call. If it asks too much to be told here, one that asks less and
        is enough for it."""
        frame = site.state.frame
        told = (at, need.origin, need.via)
        first = frame.told.get(told, 2 if frame.relation.is_coarse else 0)
        for level, most in enumerate(MOST_LIFTED[first:], first):
            frame.told[told] = level
            try:
                with frame.theory.guards.within(MOST_NODES_OF_A_NEED):
                    if most is None:
                        return self._lifted(site, need, at)
                    found = self._lifted(site, _asking(need, most), at)
                    never = found.standing is Standing.NEVER_MET
                    return replace(found, standing=Standing.OPEN) if never else found
            except Costly:
                frame.theory.cut("needs")
        frame.told[told] = len(MOST_LIFTED)
        why = f"what {site.callee.name} needs asks too much to be told here"
        return Judgement(Standing.OPEN, (), None, why)

    def _lifted(
        self, site: Site, need: Need[Condition], at: CallSite
    ) -> Judgement[State, Condition]:
        empty = State(need.safe_if.frame, ALWAYS, ())
        instance = Instance(site, empty)
        condition = instance.guard(need.safe_if.guard)
        state = instance.state
        guards = state.frame.theory.guards
        if guards.implies(state.reach.may, condition.must):
            return Judgement(Standing.MET, ())
        never = not guards.possible(guards.both(state.reach.may, condition.may))
        via = need.via if at in need.via else (*need.via, at)
        broken = instance.guard(need.safe_if.fails).must
        fails = _failing(state, broken)
        own = self._need(state, condition, need.origin, fails, via)
        if own is not None and guards.possible(guards.both(state.reach.may, condition.must)):
            return Judgement(Standing.OPEN, (), own)
        standing = Standing.NEVER_MET if never and own is None else Standing.OPEN
        is_broken = never and guards.implies(state.reach.may, broken)
        certain = is_broken and guards.possible(fails)
        how = "which never holds for this call" if is_broken else "which is not shown for this call"
        return Judgement(standing, (), own, self._asked(site, need, how), certain)

    def _asked(self, site: Site, need: Need[Condition], how: str) -> str:
        """What a callee asks that is not shown at a call."""
        frame = need.safe_if.frame
        with frame.theory.guards.extra(MOST_NODES_OF_A_NEED):
            try:
                text = need.safe_if.describe(site.callee)
            except TooLarge:
                text = ""
        called = site.callee.name
        if not 0 < len(text) <= MOST_LETTERS or text.endswith(OTHER_CASES):
            return f"{called} may break it, as it is called here"
        return f"{called} needs that {text}, {how}"

    # Conditions.

    def _condition(
        self, state: State, obligation: Obligation, following: Step | End
    ) -> tuple[Bracket, Why]:
        match obligation:
            case ValidRead(address=address, size=size):
                return access(self._terms, state, (address, size), writes=False)
            case ValidWrite(address=address, size=size):
                return access(self._terms, state, (address, size), writes=True)
            case ValidFree(address=address):
                values = self._terms.values(state, address)
                test = holds(state.frame.theory.guards, values, lambda v: _may_free(state, v))
                return test, partial(of_free, state, values)
            case ValidCall(function=function):
                assert isinstance(following, Call)
                values = self._terms.values(state, function)
                test = holds(
                    state.frame.theory.guards,
                    values,
                    lambda v: self._may_call(state, v, following),
                )
                return test, "the function that is called is not known, or takes other arguments"
            case NeverReached():
                return NEVER, "control may get here"
            case InitialisedVariable(variable=variable):
                known = state.variables[variable]
                test = NEVER if known is None else self._is_set(state, known)
                return test, "it may have no value"
            case InitialisedMemory(address=address, size=size_):
                values = self._terms.values(state, address)
                test = holds(
                    state.frame.theory.guards, values, lambda v: is_filled(state, v, size_)
                )
                return test, "memory may have no value"
            case NoOverflow(term=term):
                return self._no_overflow(state, term), "the result may not fit"
            case NonZero(term=term):
                values = self._terms.values(state, term.args[1])
                return self._non_zero(state, values), "the divisor may be zero"
            case ShiftInRange(term=term):
                return self._good_shift(state, term), "the shift may be out of range"
            case AllFreed():
                kept = self._lost.all_freed(state)
                return kept.condition, partial(of_blocks, state, kept.each, LEFT)
            case NotLost():
                raise AssertionError

    def _may_call(self, state: State, value: Value, call: Call) -> Bracket:
        base = value.base
        if base is None or base is UNDEFINED:
            return NEVER
        if base is TOP:
            return PERHAPS
        if base.kind is Kind.CODE:
            good = value == pointer(base) and _takes(state, str(base.parts[0]), call)
            return ALWAYS if good else NEVER
        found = NEVER
        if is_region(base) and value == pointer(base) and not state.frame.is_root:
            for procedure in self._taken:
                if not _takes(state, procedure, call):
                    continue
                same = same_place(state, value, pointer(name(Kind.CODE, procedure)))
                found = state.frame.theory.guards.any_of(found, same)
            if self._outside:
                return state.frame.theory.guards.any_of(found, is_code(state, value))
            found = Bracket(TRUE, found.must)  # there may be others outside
        return found

    def _is_set(self, state: State, values: Values) -> Bracket:
        return holds(
            state.frame.theory.guards, values,
            lambda v: NEVER if v.base is UNDEFINED else PERHAPS if v.base is TOP else ALWAYS,
        )  # fmt: skip

    def _non_zero(self, state: State, values: Values) -> Bracket:
        theory = state.frame.theory

        def test(value: Value) -> Bracket:
            if value.base is not None:
                return PERHAPS
            return theory.guards.opposite(theory.equal_numbers(value, constant(0)))

        return holds(theory.guards, values, test)

    def _good_shift(self, state: State, term: Term) -> Bracket:
        type_, theory = term.type, state.frame.theory
        guards = theory.guards
        assert isinstance(type_, Int)
        lefts, counts = (self._terms.values(state, arg) for arg in term.args)

        def in_width(value: Value) -> Bracket:
            if value.base is not None:
                return PERHAPS
            above = theory.less_or_equal(constant(0), value)
            return guards.all_of(above, theory.less_or_equal(value, constant(type_.bits - 1)))

        found = holds(guards, counts, in_width)
        if term.op != "shl" or not type_.signed:
            return found
        left = hull(theory, lefts, state.reach.may)
        count = hull(theory, counts, state.reach.may)
        if left is None or count is None or left[0] < 0 or count[0] < 0 or count[1] >= type_.bits:
            return Bracket(found.may, FALSE)
        fits = num.shl(left, count)[1] <= type_.high
        return found if fits else Bracket(found.may, FALSE)

    def _no_overflow(self, state: State, term: Term) -> Bracket:
        type_ = term.type
        if not isinstance(type_, Int) or term.op not in _EXACT:
            return PERHAPS
        args = [self._terms.values(state, arg) for arg in term.args]
        guards, theory = state.frame.theory.guards, state.frame.theory
        low, high = constant(type_.low), constant(type_.high)
        found = ALWAYS
        for a, b_a in args[0].items():
            for b, b_b in (args[1] if len(args) > 1 else {NULL: ALWAYS}).items():
                where = guards.both(state.reach.may, guards.both(b_a.may, b_b.may))
                exact = _exact(term.op, a, b)
                fits = PERHAPS
                if a.base is not None or b.base is not None:
                    pass
                elif num.leq(_exactly(theory, term.op, (a, b), where), num.of_type(type_)):
                    fits = ALWAYS
                elif exact is not None:
                    above = theory.less_or_equal(low, exact)
                    fits = guards.all_of(above, theory.less_or_equal(exact, high))
                apart = guards.opposite(guards.all_of(b_a, b_b))
                found = guards.all_of(found, guards.any_of(apart, fits))
        return found


_EXACT: Final[dict[str, Callable[[num.Num, num.Num], num.Num | None]]] = {
    "add": num.add,
    "sub": num.sub,
    "mul": num.mul,
    "div": num.div,
    "rem": num.div,  # it overflows where the quotient does
    "neg": lambda a, b: num.scale(a, -1),
}


def _exactly(theory: Theory, op: str, args: tuple[Value, Value], where: int) -> num.Num:
    """The range of a result if numbers had no bounds."""
    exact = _exact(op, *args)
    if exact is not None:
        return theory.bounds(exact, where)
    found = _EXACT[op](*(theory.bounds(arg, where) for arg in args))
    return num.make(-(1 << 128), 1 << 128) if found is None else found


def _exact(op: str, a: Value, b: Value) -> Value | None:
    if a.base is not None or b.base is not None:
        return None
    match op:
        case "add":
            return plus(a, b)
        case "sub":
            return minus(a, b)
        case "neg":
            return scaled(a, -1)
        case "mul":
            if a.is_constant:
                return scaled(b, a.number[0])
            return scaled(a, b.number[0]) if b.is_constant else None
        case _:
            return None


def _takes(state: State, name_: str, call: Call) -> bool:
    procedure = state.frame.program.procedures.get(name_)
    return procedure is None or fits(procedure, call)


def _may_free(state: State, value: Value) -> Bracket:
    if value == NULL:
        return ALWAYS
    if value.base is None or value.base is UNDEFINED:
        return NEVER
    if value.base is TOP:
        return PERHAPS
    guards = state.frame.theory.guards
    return guards.all_of(is_heap(state, value), guards.opposite(state.is_dead(value.base)))


def _asking(need: Need[Condition], most: int) -> Need[Condition]:
    """A need that is enough for another one, and asks fewer atoms if that can be: what it asks of
    numbers goes first."""
    frame, safe = need.safe_if.frame, need.safe_if.guard
    guards, atoms = frame.theory.guards, frame.theory.atoms

    def importance(atom: int) -> tuple[bool, bool, int]:
        is_number = atoms[atom][0] == "most"
        return not is_complex(atoms[atom]), not is_number, -atom

    for atom in sorted(guards.support(safe), key=importance):
        if len(guards.support(safe)) <= most:
            break
        less = guards.negation(guards.exists(guards.negation(safe), [atom]))
        if guards.possible(less):
            safe = less
    return replace(need, safe_if=Condition(frame, safe))


def _failing(state: State, broken: int) -> int:
    """From which entries control surely gets here, or fails before, and something is broken here,
    whatever turns out inside. That is told only where it is small; in a recursion it is not known
    as long as summaries are assumed."""
    frame, guards = state.frame, state.frame.theory.guards
    if broken == FALSE or state.reach.must == FALSE or frame.recursive or frame.is_root:
        return FALSE
    if frame.relation.separate:  # it holds for those callers only that keep pointers apart
        return FALSE
    if len(guards.support(broken) | guards.support(state.reach.must)) > MOST_OF_FAILING:
        return FALSE
    return guards.shortened(for_all(frame, guards.both(state.reach.must, broken)))


def for_all(frame: Frame, guard: int) -> int:
    """What has to hold at entry so that a guard does, whatever turns out inside."""
    theory = frame.theory
    inner = [
        number for number in sorted(theory.guards.atoms([guard])) if is_inner(theory.atoms[number])
    ]
    symbols = numbers_in(theory.atoms[number] for number in inner)
    return theory.forgotten(Bracket(FALSE, guard), inner, symbols).must


def _is_some(size: Value) -> bool:
    return size.base is None and size.is_constant and size.number[0] > 0

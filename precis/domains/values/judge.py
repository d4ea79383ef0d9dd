"""How obligations stand in a state, and what is left of the state when they hold."""

from __future__ import annotations

from typing import TypeAlias

from precis.domains.protocol import Judgement, Need, ObligationId, Standing
from precis.domains.values import num
from precis.domains.values.leaks import Leaks, called
from precis.domains.values.memory import ENDED, FREED, LIVE, Block, load, overlapping
from precis.domains.values.needs import (
    FrameIsFree,
    HoldsAtEntry,
    entry_terms,
    moved,
    needs_calm,
    over_entry,
    substituted,
)
from precis.domains.values.num import Num
from precis.domains.values.state import State
from precis.domains.values.terms import Terms
from precis.domains.values.transfer import Transfer
from precis.domains.values.value import UNKNOWN, ZERO
from precis.domains.values.world import World, offsets_within
from precis.ir import obligation as ob
from precis.ir.instr import Call, End, Step
from precis.ir.notation import name_text
from precis.ir.signature import fits
from precis.ir.types import BitRange, Int
from precis.ir.values import Term, compare, const

Coverage: TypeAlias = object
Verdict: TypeAlias = Judgement[State, Coverage]


class _Ways:
    """The ways in which an obligation may go: some fine, some not."""

    __slots__ = ("bad", "good", "why")

    def __init__(self) -> None:
        self.good = False
        self.bad = False
        self.why = ""

    def fails(self, why: str) -> None:
        self.bad = True
        if not self.why:
            self.why = why

    def standing(self) -> Standing:
        if not self.bad:
            return Standing.MET
        return Standing.OPEN if self.good else Standing.NEVER_MET


class Judge:
    """Judges the obligations of one program."""

    def __init__(self, world: World, terms: Terms, transfer: Transfer) -> None:
        self.world = world
        self.terms = terms
        self.transfer = transfer
        self.assumptions = transfer.assumptions
        self.leaks = Leaks(world, terms, transfer)
        self._entry_terms: dict[str, dict[int, Term]] = {}

    def judge(
        self, state: State, obligation: ob.Obligation, following: Step | End, origin: ObligationId
    ) -> Verdict:
        verdict = self.stands(state, obligation, following, origin)
        if verdict.standing is Standing.MET or not self.world.has_callers(state):
            return verdict
        return self._asked_of_callers(state, obligation, origin, verdict)

    def _asked_of_callers(
        self, state: State, obligation: ob.Obligation, origin: ObligationId, verdict: Verdict
    ) -> Verdict:
        """Where callers are not known, an obligation over the entry is theirs to meet."""
        if verdict.need is not None:
            return verdict
        asked = self.at_entry(state, obligation, origin.procedure)
        if asked is None:
            return verdict
        need: Need[Coverage] = Need(origin, asked)
        return Judgement(verdict.standing, verdict.passed, need, verdict.why)

    def at_entry(
        self, state: State, obligation: ob.Obligation, procedure: str
    ) -> HoldsAtEntry | None:
        """The obligation over the entry, with the tests that were passed."""
        if needs_calm(obligation) and not state.calm:
            return None
        values = self._entry_terms.get(procedure)
        if values is None:
            found = entry_terms(self.world.program.procedures[procedure])
            values = self._entry_terms[procedure] = found
        asked = moved(obligation, values)
        if asked is None or not all(over_entry(t) for t in ob.terms_of(asked)):
            return None
        guards = []
        for fact, truth in state.facts.items():
            guard = substituted(fact, values)
            if guard is not None and over_entry(guard):
                guards.append((guard, truth))
        return HoldsAtEntry(asked, tuple(guards), False)

    def stands(
        self, state: State, obligation: ob.Obligation, following: Step | End, origin: ObligationId
    ) -> Verdict:
        match obligation:
            case ob.ValidRead(address=address, size=size):
                return self._access(state, address, size, "read")
            case ob.ValidWrite(address=address, size=size):
                return self._access(state, address, size, "written")
            case ob.ValidFree(address=address):
                return self._free(state, address)
            case ob.ValidCall(function=function):
                return self._call(state, function, following)
            case ob.NotLost():
                return self.leaks.judge(state, following, origin)
            case ob.AllFreed():
                return self._all_freed(state, origin)
            case ob.InitialisedMemory(address=address, size=size_, bits=bits):
                return self._initialised(state, address, size_, bits)
            case ob.InitialisedVariable(variable=variable):
                return self._variable(state, variable)
            case ob.NeverReached():
                return Judgement(Standing.NEVER_MET, (), why="control may get here")
            case ob.NoOverflow(term=term):
                return self._no_overflow(state, term)
            case ob.ShiftInRange(term=term):
                return self._shift(state, term)
            case ob.NonZero(term=term):
                return self._non_zero(state, term)

    # Pointers.

    def _access(self, state: State, address: Term, size: Term, how: str) -> Verdict:
        length = self.terms.number(state, size)
        if length is None:
            return Judgement(Standing.OPEN, (state,), why="the length is not known")
        if length == ZERO:
            return Judgement(Standing.MET, (state,))
        value = self.terms.use(address)(state)
        ways = _Ways()
        kept: list[tuple[int, Num]] = []
        if value[0] is not None:
            ways.fails("the pointer may be null")
        if length[0] <= 0:
            ways.good = True
        for name, offset in value[1]:
            part = self._place(state, name, offset, length, how, ways)
            if part is not None:
                kept.append((name, part))
        standing = ways.standing()
        if standing is Standing.MET:
            return Judgement(Standing.MET, (state,))
        if length[0] <= 0:
            return Judgement(standing, (state,), why=ways.why)
        smaller = self.assumptions.narrowed(state, address, (None, tuple(kept), False))
        return Judgement(standing, () if smaller is None else (smaller,), why=ways.why)

    def _place(
        self, state: State, name: int, offset: Num, size: Num, how: str, ways: _Ways
    ) -> Num | None:
        """The offsets in one block at which the access is valid."""
        if name == UNKNOWN:
            ways.good = True
            ways.fails("nothing is known of where the pointer leads")
            return offset
        block = self.world.block(state, name)
        if block.kind == "code" or (how == "written" and self.world.is_constant(name)):
            ways.fails(f"the memory at {self.called(name, block)} must not be {how}")
            return None
        if block.live != LIVE:
            ways.fails(f"{self.called(name, block)} may be {_dead(block)}")
        if not block.live & LIVE:
            return None
        if offset[0] < 0 or offset[1] + size[1] > block.size[0]:
            where = f"offset {num.text(offset)}, size {num.text(block.size)}"
            ways.fails(f"{self.called(name, block)} may be left ({where})")
        else:
            ways.good = True
            return offset
        within = offsets_within(block, max(size[0], 0))
        part = None if within is None else num.meet(offset, within)
        if part is not None:
            ways.good = True
        return part

    def called(self, name: int, block: Block) -> str:
        return called(self.world, name, block)

    def _free(self, state: State, address: Term) -> Verdict:
        value = self.terms.use(address)(state)
        ways = _Ways()
        kept: list[tuple[int, Num]] = []
        if value[0] is not None:
            ways.good = True
        for name, offset in value[1]:
            if name == UNKNOWN:
                ways.good = True
                ways.fails("nothing is known of where the pointer leads")
                kept.append((name, offset))
                continue
            block = self.world.block(state, name)
            label = self.called(name, block)
            if block.kind != "heap":
                ways.fails(f"{label} is not a block of malloc")
                if block.kind not in ("mixed", "outside"):
                    continue
            if block.live != LIVE:
                ways.fails(f"{label} may be {_dead(block)}")
            if offset != ZERO:
                ways.fails("the pointer may not be at the start of its block")
            if block.live & LIVE and num.contains(offset, 0):
                ways.good = True
                kept.append((name, ZERO))
        standing = ways.standing()
        if standing is Standing.MET:
            return Judgement(Standing.MET, (state,))
        smaller = self.assumptions.narrowed(state, address, (value[0], tuple(kept), False))
        return Judgement(standing, () if smaller is None else (smaller,), why=ways.why)

    def _call(self, state: State, function: Term, following: Step | End) -> Verdict:
        value = self.terms.use(function)(state)
        assert isinstance(following, Call)
        ways = _Ways()
        kept: list[tuple[int, Num]] = []
        if value[0] is not None:
            ways.fails("the function pointer may be null")
        for name, offset in value[1]:
            if name == UNKNOWN or not self.world.is_code(name):
                ways.good = ways.good or name == UNKNOWN
                ways.fails("the pointer may not be that of a function")
                if name == UNKNOWN:
                    kept.append((name, offset))
                continue
            target = self.world.name_of[name]
            if offset != ZERO or not self._fits(target, following):
                ways.fails(f"{name_text(target)} may be called with the wrong arguments")
                continue
            ways.good = True
            kept.append((name, offset))
        standing = ways.standing()
        if standing is Standing.MET:
            return Judgement(Standing.MET, (state,))
        smaller = self.assumptions.narrowed(state, function, (None, tuple(kept), False))
        return Judgement(standing, () if smaller is None else (smaller,), why=ways.why)

    def _fits(self, name: str, call: Call) -> bool:
        procedure = self.world.program.procedures.get(name)
        return procedure is None or fits(procedure, call)

    # Indeterminate values.

    def _variable(self, state: State, variable: int) -> Verdict:
        if not state.parts[variable][1]:
            return Judgement(Standing.MET, (state,))
        why = "the variable may not have been set"
        return Judgement(Standing.OPEN, (self._set(state, variable),), why=why)

    def _set(self, state: State, variable: int) -> State:
        pointers, _ = state.parts[variable]
        part = (pointers, False)
        parts = (*state.parts[:variable], part, *state.parts[variable + 1 :])
        return state.with_parts(parts)

    def _initialised(
        self, state: State, address: Term, size: int, bits: BitRange | None
    ) -> Verdict:
        value = self.terms.use(address)(state)
        type_ = Int(8 * size, False)
        places = self.transfer.places(state, value, size)
        unset = False
        for name, offset in places:
            if name == UNKNOWN:
                unset = True
                continue
            block = self.world.block(state, name)
            unset = unset or load(block, offset, size, type_)[2]
        if not unset:
            return Judgement(Standing.MET, (state,))
        why = "the memory may not have been set"
        # Bits around a bit-field may still be unset.
        passed = state if bits is not None else self._as_set(state, places, size)
        return Judgement(Standing.OPEN, (passed,), why=why)

    def _as_set(self, state: State, places: list[tuple[int, Num]], size: int) -> State:
        """The memories in which the one cell that is read was set."""
        if len(places) != 1 or places[0][0] == UNKNOWN or places[0][1][2]:
            return state
        name, (offset, _, _) = places[0]
        block = state.blocks.get(name)
        if block is None or block.many:
            return state
        cells = dict(block.cells)
        for at, (width, kind, value) in overlapping(block.cells, offset, size):
            if offset <= at and at + width <= offset + size:
                cells[at] = (width, kind, (value[0], value[1], False))
        return state.with_block(name, block.having(cells, block.rest))

    # Numbers.

    def _no_overflow(self, state: State, term: Term) -> Verdict:
        type_ = term.type
        assert isinstance(type_, Int)
        numbers = [self.terms.number(state, arg) for arg in term.args]
        why = "the result may not fit its type"
        if any(number is None for number in numbers):
            return Judgement(Standing.OPEN, (state,), why=why)
        whole = num.of_type(type_)
        exact = _exact(term.op, [n for n in numbers if n is not None])
        if exact is None or num.leq(exact, whole):
            return Judgement(Standing.MET, (state,))
        text = f"{why} ({num.text(exact)})"
        if num.meet(exact, whole) is None:
            return Judgement(Standing.NEVER_MET, (), why=text)
        return Judgement(Standing.OPEN, (state,), why=text)

    def _shift(self, state: State, term: Term) -> Verdict:
        type_ = term.type
        assert isinstance(type_, Int)
        x, y = (self.terms.number(state, arg) for arg in term.args)
        why = "the shift may be out of range"
        if x is None or y is None:
            return Judgement(Standing.OPEN, (state,), why=why)
        widths = num.make(0, type_.bits - 1)
        fine = num.leq(y, widths)
        if fine and term.op == "shl" and type_.signed:
            fine = x[0] >= 0 and num.shl(x, y)[1] <= type_.high
        if fine:
            return Judgement(Standing.MET, (state,))
        never = num.meet(y, widths) is None
        return Judgement(
            Standing.NEVER_MET if never else Standing.OPEN, () if never else (state,), why=why
        )

    def _non_zero(self, state: State, term: Term) -> Verdict:
        value = self.terms.number(state, term.args[1])
        why = "the divisor may be zero"
        if value is None:
            return Judgement(Standing.OPEN, (state,), why=why)
        if not num.contains(value, 0):
            return Judgement(Standing.MET, (state,))
        if value == ZERO:
            return Judgement(Standing.NEVER_MET, (), why=why)
        divisor = term.args[1]
        smaller = self.assumptions.assume(compare("ne", divisor, const(divisor.type, 0)), True)(
            state
        )
        return Judgement(Standing.OPEN, () if smaller is None else (smaller,), why=why)

    # Leaks.

    def _all_freed(self, state: State, origin: ObligationId) -> Verdict:
        live = [
            self.called(name, block)
            for name, block in sorted(state.blocks.items())
            if block.kind in ("heap", "mixed", "outside") and block.live & LIVE
        ]
        if live or state.kept:
            what = live[0] if live else "memory that nothing leads to"
            why = f"{what} may still be allocated"
            return Judgement(Standing.OPEN, (state,), why=why)
        if state.root:
            return Judgement(Standing.MET, (state,))
        need: Need[Coverage] = Need(origin, FrameIsFree())
        return Judgement(Standing.OPEN, (state,), need, "the callers may have allocated memory")


def _dead(block: Block) -> str:
    words = []
    if block.live & FREED:
        words.append("freed")
    if block.live & ENDED:
        words.append("out of scope")
    return " or ".join(words) or "dead"


def _exact(op: str, numbers: list[Num]) -> Num | None:
    """The mathematical values of an operation; None if it has none."""
    if op == "neg":
        return num.neg(numbers[0])
    operation = {"add": num.add, "sub": num.sub, "mul": num.mul}.get(op)
    if operation is not None:
        return operation(numbers[0], numbers[1])
    if op == "div":
        return num.div(numbers[0], numbers[1])
    if op == "rem":
        # The remainder itself fits; what may overflow is the quotient (C17 6.5.5).
        return num.div(numbers[0], numbers[1])
    raise ValueError(f"no overflow is defined for {op}")

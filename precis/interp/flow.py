"""Basic blocks -> nested Python.

A block with one predecessor is written where its predecessor branches to it. The others, and
inner loops, follow each other in the order of their region. Control that jumps forward past
some of them sets L to the number of its target, and what lies between is skipped by tests of
L. The tests, and the settings of L, are left out where control can only be on its way to one
place, so plain loops and branches become plain loops and branches:

    while True:
     if v0 < v1:
      v2 = v2 + v0
      v0 = v0 + 1
     else:
      break
"""

from __future__ import annotations

from typing import Final, Protocol

from precis.interp.code import Code, Goto, Line, Nest, Place
from precis.interp.regions import Region, regions
from precis.ir.instr import Branch, Jump, Switch, successors
from precis.ir.procedure import Procedure

INLINE_DEPTH: Final = 5
FEW: Final = 4  # so many cases of a switch, or parts of a region, are tried one by one


class Writer(Protocol):
    """Writes the steps. What it knows of values holds along a path down the nesting."""

    def begin(self, block: int) -> None:
        """A block that control reaches from several places."""

    def turn(self, block: int) -> Code:
        """What each turn of a loop starts with."""

    def steps(self, block: int) -> Code: ...

    def condition(self, block: int) -> tuple[Code, str]: ...

    def selector(self, block: int) -> tuple[Code, str]: ...

    def last(self, block: int) -> Code: ...

    def table(self, key: object, value: object) -> str: ...

    def save(self) -> object: ...

    def restore(self, saved: object) -> None: ...


def structure(procedure: Procedure, writer: Writer) -> tuple[Code, dict[int, int]]:
    """The whole body, and the numbers of the blocks that L can stand for."""
    return _Flow(procedure, writer).whole()


class _Flow:
    def __init__(self, procedure: Procedure, writer: Writer) -> None:
        self.blocks = procedure.blocks
        self.writer = writer
        self.next = [successors(block.end) for block in procedure.blocks]
        self.root, self.home = regions(self.next)
        self.sources: dict[int, list[int]] = {node: [] for node in self.home}
        for node in self.home:
            for to in self.next[node]:
                self.sources[to].append(node)
        self.inline = self._inlined()
        self.number: dict[int, int] = {}
        self._count(self.root)
        self.tested: set[int] = set()  # blocks that L has to be set for

    def whole(self) -> tuple[Code, dict[int, int]]:
        code, _ = self._sequence(self.root, {0})
        return code, {block: self.number[block] for block in self.tested}

    def _inlined(self) -> set[int]:
        """The blocks written at the only jump to them."""
        found: set[int] = set()
        depth: dict[int, int] = {}
        for node in self._order(self.root):
            sources = self.sources[node]
            depth[node] = 0
            if len(sources) != 1 or node == 0 or node in self.home[node].headers:
                continue
            source = sources[0]
            if self._is_large(source) or source not in depth:
                continue
            deeper = depth[source] + (0 if isinstance(self.blocks[source].end, Jump) else 1)
            near = self.home[node] is self.home[source] or not self.next[node]
            if near and deeper <= INLINE_DEPTH:
                depth[node] = deeper
                found.add(node)
        return found

    def _is_large(self, block: int) -> bool:
        end = self.blocks[block].end
        return isinstance(end, Switch) and len(end.cases) > FEW

    def _order(self, region: Region) -> list[int]:
        found: list[int] = []
        for part in region.parts:
            found.extend([part] if isinstance(part, int) else self._order(part))
        return found

    def _count(self, region: Region) -> None:
        for block in self._order(region):
            self.number[block] = len(self.number) + 1

    def _sequence(self, region: Region, bound: set[int]) -> tuple[Code, set[int]]:
        """The parts of a region in order; `bound`: where control that comes in is going.

        Also gives where control that comes out at the end is going.
        """
        code: Code = []
        run: list[tuple[int, str, Code]] = []  # parts behind tests: last number, test, code
        for part in region.parts:
            if isinstance(part, int) and part in self.inline:
                continue
            heads = {part} if isinstance(part, int) else set(part.headers)
            if not bound & heads:
                continue
            if isinstance(part, int):
                inner, outs = self._tree(part, region)
            else:
                inner, outs = self._loop(part)
            if bound <= heads:
                code.extend(self._guarded(run))
                run = []
                code.extend(inner)
            else:
                self.tested |= bound
                last = max(self.number[block] for block in self._all(part))
                run.append((last, self._test(heads), inner))
            bound = bound - heads | outs
        code.extend(self._guarded(run))
        return code, bound

    def _all(self, part: int | Region) -> list[int]:
        return [part] if isinstance(part, int) else self._order(part)

    def _test(self, heads: set[int]) -> str:
        numbers = sorted(self.number[head] for head in heads)
        if len(numbers) == 1:
            return f"L == {numbers[0]}"
        return f"L in {self.writer.table(('set', *numbers), frozenset(numbers))}"

    def _guarded(self, run: list[tuple[int, str, Code]]) -> Code:
        """Parts that control may pass by; of many, halves are passed at once."""
        if len(run) <= FEW:
            return [Nest(f"if {test}:", code, _place(code)) for _, test, code in run]
        middle = len(run) // 2
        first = self._guarded(run[:middle])
        head = Nest(f"if L <= {run[middle - 1][0]}:", first, _place(first))
        return [head, *self._guarded(run[middle:])]

    def _loop(self, region: Region) -> tuple[Code, set[int]]:
        heads = set(region.headers)
        if len(heads) > 1:
            self.tested |= heads
        body, bound = self._sequence(region, heads)
        leaving = bound - heads
        if leaving and bound & heads:
            self.tested |= bound
            body.append(
                Nest(f"if not ({self._test(heads)}):", [Line("break", _place(body))], _place(body))
            )
        elif leaving:
            body.append(Line("break", _place(body)))
        inside = set(self._order(region))
        jumps = {to for node in inside for to in self.next[node]}
        outs = {to for to in jumps - inside if to not in self.inline}
        start = self.writer.turn(region.headers[0])
        return [Nest("while True:", [*start, *body], _place(body))], outs

    def _tree(self, block: int, region: Region) -> tuple[Code, set[int]]:
        """A block and those inlined below it; and where control falls out to."""
        outs: set[int] = set()
        self.writer.begin(block)
        return self._block(block, region, outs), outs

    def _block(self, block: int, region: Region, outs: set[int]) -> Code:
        code = self.writer.steps(block)
        place = (block, len(self.blocks[block].steps))
        end = self.blocks[block].end
        match end:
            case Jump(to=to):
                code += self._go(to, region, outs, place)
            case Branch(then=to, otherwise=otherwise) if to == otherwise:
                code += self._go(to, region, outs, place)
            case Branch(then=then, otherwise=otherwise):
                before, test = self.writer.condition(block)
                saved = self.writer.save()
                yes = self._go(then, region, outs, place)
                self.writer.restore(saved)
                no = self._go(otherwise, region, outs, place)
                code += [*before, Nest(f"if {test}:", yes, place), Nest("else:", no, place)]
            case Switch() if self._is_large(block):
                code += self._table(end, block, region, outs)
            case Switch():
                code += self._cases(end, block, region, outs)
            case _:
                code += self.writer.last(block)
        return code

    def _go(self, to: int, region: Region, outs: set[int], place: Place) -> Code:
        if to in self.inline:
            return self._block(to, region, outs)
        if to in region.headers:
            return [Goto(to, "continue", place)]
        home: Region | None = self.home[to]
        if not region.headers or home is region or self._within(to, region):
            outs.add(to)
            return [Goto(to, "", place)]
        return [Goto(to, "break", place)]

    def _within(self, block: int, region: Region) -> bool:
        """Is the block the header of a loop inside the region?"""
        return any(isinstance(part, Region) and block in part.headers for part in region.parts)

    def _cases(self, end: Switch, block: int, region: Region, outs: set[int]) -> Code:
        code, name = self.writer.selector(block)
        place = (block, len(self.blocks[block].steps))
        tests: dict[int, list[str]] = {}
        for case in end.cases:
            if case.to == end.default:
                continue
            equal = case.low == case.high
            test = f"{name} == {case.low}" if equal else f"{case.low} <= {name} <= {case.high}"
            tests.setdefault(case.to, []).append(test)
        saved = self.writer.save()
        word = "if"
        for to, alternatives in tests.items():
            body = self._go(to, region, outs, place)
            self.writer.restore(saved)
            code.append(Nest(f"{word} {' or '.join(alternatives)}:", body, place))
            word = "elif"
        rest = self._go(end.default, region, outs, place)
        self.writer.restore(saved)
        code += [Nest("else:", rest, place)] if tests else rest
        return code

    def _table(self, end: Switch, block: int, region: Region, outs: set[int]) -> Code:
        """Many cases: the value looked up in a dict, ranges that are wide tried one by one."""
        code, name = self.writer.selector(block)
        place = (block, len(self.blocks[block].steps))
        targets = dict.fromkeys((*(case.to for case in end.cases), end.default))
        self.tested |= set(targets)
        jumps = [self._go(to, region, outs, place)[0] for to in targets]
        table: dict[int, int] = {}
        wide: list[tuple[int, int, int]] = []
        for case in end.cases:
            if case.high - case.low < 256:
                for value in range(case.low, case.high + 1):
                    table[value] = self.number[case.to]
            else:
                wide.append((case.low, case.high, self.number[case.to]))
        default = str(self.number[end.default])
        for low, high, number in wide:
            default = f"({number} if {low} <= {name} <= {high} else {default})"
        key = ("switch", *sorted(table.items()))
        code.append(Line(f"L = {self.writer.table(key, table)}.get({name}, {default})", place))
        for way in ("continue", "break"):
            leaving = {j.to for j in jumps if isinstance(j, Goto) and j.way == way}
            if leaving:
                code.append(Nest(f"if {self._test(leaving)}:", [Line(way, place)], place))
        return code


def _place(code: Code) -> Place:
    return code[0].place if code else (-1, -1)

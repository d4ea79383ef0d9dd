"""Random C programs without loops and recursion, over lists and pointers to pointers.

Procedures write, read, allocate and free through arguments that are aliased as it comes, and call
those before them. Most of what they do is valid, not all.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

HEAD = """#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct n { struct n *next; int *p; int v; };
"""


@dataclass
class Straight:
    """A program being written."""

    dice: random.Random
    choices: bool = True  # may anything depend on inputs?

    def text(self, procedures: int) -> str:
        parts = [HEAD]
        for number in range(procedures):
            parts.append(self._procedure(number))
        parts.append(self._main(procedures))
        return "\n".join(parts)

    def _procedure(self, number: int) -> str:
        lines = [
            f"static int f{number}(struct n *a, struct n *b, int **s, int x)",
            "{",
            "int t = 0;",
        ]
        for _ in range(self.dice.randint(2, 5)):
            lines += self._statement(number, 2)
        lines += [f"return {self._number()};", "}"]
        return "\n".join(lines)

    def _main(self, procedures: int) -> str:
        lines = ["int main(void)", "{", "int i = 1, j = 2, t = 0, *q = &i, **s = &q;"]
        given = "__VERIFIER_nondet_int()" if self.choices and self.dice.random() < 0.5 else "3"
        lines += [f"int x = {given};", "struct n k = {0, &i, 1}, l = {&k, &j, 2};"]
        lines += ["struct n *a = &k, *b = &l;"]
        for _ in range(self.dice.randint(2, 4)):
            lines += self._statement(procedures, 1)
        lines += [f"assert({self._test()});", "return 0;", "}"]
        return "\n".join(lines)

    def _statement(self, callees: int, depth: int) -> list[str]:
        pick = self.dice.randrange(12)
        if pick < 2 and callees:
            return [f"t = {self._call(callees)};"]
        if pick < 4 and depth:
            then = self._statement(callees, depth - 1)
            other = self._statement(callees, depth - 1) if self.dice.random() < 0.5 else []
            return [f"if ({self._test()}) {{", *then, "} else {", *other, "}"]
        if pick == 4:
            return [f"assert({self._test()});"]
        if pick == 5:
            return ["{ int *m = malloc(sizeof *m);", "if (m) { *m = x;", self._kept(), "} }"]
        return [self._write()]

    def _kept(self) -> str:
        """What becomes of a new block: freed at once, or kept for a while."""
        if self.dice.random() < 0.6:
            return f"{self._place()} = *m; free(m);"
        return "int *old = *s; *s = m; t = **s; *s = old; free(m);"

    def _call(self, callees: int) -> str:
        name = f"f{self.dice.randrange(callees)}"
        one, two = (self.dice.choice(("a", "b")) for _ in range(2))
        slot = self.dice.choice(("s", "s", "&a->p", "&b->p"))
        return f"{name}({one}, {two}, {slot}, {self._number()})"

    def _write(self) -> str:
        pick = self.dice.randrange(6)
        if pick == 0:
            return f"*s = {self.dice.choice(('a', 'b'))}->p;"
        if pick == 1:
            return f"{self.dice.choice(('a', 'b'))}->p = *s;"
        if pick == 2:
            return f"{self.dice.choice(('a', 'b'))}->next = {self.dice.choice(('a', 'b', '0'))};"
        return f"{self._place()} = {self._number()};"

    def _place(self) -> str:
        return self.dice.choice(("a->v", "b->v", "*a->p", "*b->p", "**s", "t"))

    def _number(self) -> str:
        if self.dice.random() < 0.4:
            return str(self.dice.randrange(4))
        return self.dice.choice(("x", "t", "a->v", "b->v", "**s", "*b->p"))

    def _test(self) -> str:
        pick = self.dice.randrange(5)
        if pick == 0:
            return "a == b"
        if pick == 1:
            return f"a->p {self.dice.choice(('==', '!='))} *s"
        if pick == 2:
            return "a->next"
        return f"{self._number()} {self.dice.choice(('==', '!=', '<', '>='))} {self._number()}"

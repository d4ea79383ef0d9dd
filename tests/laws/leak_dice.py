"""Random C programs about who holds a block: short ones, so that many of them lose none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tests.laws.c_dice import Draws

HEAD = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdarg.h>
extern _Bool __VERIFIER_nondet_bool(void);
struct box { void *a; struct box *next; };
static void *g;
static struct box gb;
static void *give(void) { void *p = malloc(4); return p; }
static void *same(void *p) { return p; }
static struct box wrap(void *p) { struct box b = {p, 0}; return b; }
static void *first(struct box b) { return b.a; }
static void *take(void **pp) { void *r = *pp; *pp = 0; return r; }
static void eat(void *p) { free(p); }
static void drop(void *p) { (void)p; }
static void ignore(void *);
static void keep(void *p) { free(g); g = p; }
static void *swap(void *p) { void *old = g; g = p; return old; }
static void put(struct box *b, void *p) { b->a = p; }
static struct box *boxed(void *p) {
  struct box *b = malloc(sizeof *b);
  b->a = p;
  b->next = 0;
  return b;
}
static void *unboxed(struct box *b) { void *p = b->a; free(b); return p; }
static int some(int n, ...) {
  va_list l;
  va_start(l, n);
  void *p = va_arg(l, void *);
  va_end(l);
  return p != 0;
}
"""


@dataclass(slots=True)
class LeakDice:
    dice: Draws
    lines: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)

    def program(self) -> str:
        self.names = ["u", "v", "b.a", "gb.a"]
        for _ in range(1 + self.dice.below(5)):
            self.statement("  ", 1)
        frees = ["free(u);", "free(v);", "free(b.a);", "free(g);", "free(gb.a);"]
        unnamed = self.dice.pick(("", 'if (__VERIFIER_nondet_bool()) puts("");'))
        return "\n".join((
            HEAD + f"static void ignore(void *) {{ {unnamed} }}",
            "int main(void) {", "  void *u = 0, *v = 0;", "  struct box b = {0, 0};", *self.lines,
            *(f"  {line}" for line in frees if self.dice.below(9)), "  return 0;", "}", "",
        ))  # fmt: skip

    def value(self, depth: int) -> str:
        flat: list[Callable[[], str]] = [
            lambda: "malloc(4)", lambda: "give()", lambda: self.dice.pick(self.names),
            lambda: f"take(&{self.dice.pick(self.names)})", lambda: "0", lambda: "calloc(1, 8)",
        ]  # fmt: skip
        deep: list[Callable[[], str]] = [
            lambda: f"same({self.value(depth - 1)})",
            lambda: f"first(wrap({self.value(depth - 1)}))",
            lambda: f"wrap({self.value(depth - 1)}).a",
            lambda: self.either(depth - 1),
            lambda: f"({self.value(depth - 1)}, {self.value(depth - 1)})",
            lambda: f"swap({self.value(depth - 1)})",
            lambda: f"unboxed(boxed({self.value(depth - 1)}))",
            lambda: f"(struct box){{{self.value(depth - 1)}, 0}}.a",
            lambda: f"({self.dice.pick(self.names)} = {self.value(depth - 1)})",
            lambda: f"realloc({self.value(depth - 1)}, 8)",
        ]
        return self.dice.pick(flat + deep if depth else flat)()

    def either(self, depth: int) -> str:
        return f"(__VERIFIER_nondet_bool() ? {self.value(depth)} : {self.value(depth)})"

    def statement(self, indent: str, depth: int) -> None:
        e = self.value(2)
        name = self.dice.pick(self.names)
        simple = (
            f"{name} = {e};", f"{e};", f"eat({e});", f"drop({e});", f"ignore({e});",
            f"{name} = 0;", f"keep({e});", f"free({e});", f"b = wrap({e});", f"put(&b, {e});",
            f"if ({e}) {name} = 0;", f"(void)({e});", f"some(1, {e});", f"g = {e};",
            f"if ({e} == {name}) {name} = {self.value(1)};", f"free({name}); {name} = 0;",
            f"printf(\"%d\\n\", {e} == 0);", "memset(&b, 0, sizeof b);", "gb = b;",
            f"b.a = {name}; {name} = 0;",
        )  # fmt: skip
        match self.dice.below(6) if depth else 5:
            case 0:
                self.lines.append(f"{indent}if (__VERIFIER_nondet_bool()) {{")
                self.statement(indent + "  ", 0)
                self.lines.append(indent + "}")
            case 1:
                self.lines.append(f"{indent}{{ void *l = {e};")
                self.names.append("l")
                self.statement(indent + "  ", 0)
                self.names.remove("l")
                self.lines.append(indent + self.dice.pick(("}", "  free(l); }")))
            case 2:
                self.lines.append(f"{indent}for (int i = 0; i < 2; i++) {{")
                self.statement(indent + "  ", 0)
                self.lines.append(indent + "}")
            case _:
                self.lines.append(indent + self.dice.pick(simple))

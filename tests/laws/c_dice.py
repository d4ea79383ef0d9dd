"""Random C programs that put memory to odd uses.

Bytes of one object are looked at as several types, copied and set in part, by the byte and by
uncertain lengths; pointers lie in unions, lists, tables and globals, go through integers and out
of scope; procedures call each other, through pointers and recursively. Loops are short. Most
accesses are valid, not all: a run may break something, and says then what the analyses must say.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

T = TypeVar("T")

HEAD = """#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
struct node;
union mix {
    unsigned long w; long sw; double d; float f[2]; int i[2]; unsigned short h[4];
    unsigned char b[8]; signed char sb[8]; void *p; struct node *n;
};
struct node { int key; short low; struct node *next; union mix m; unsigned b3 : 3; int b7 : 7;
    unsigned long b40 : 40; char text[5]; };
"""


class Draws(Protocol):
    """What is asked of dice."""

    def below(self, bound: int) -> int: ...
    def pick(self, choices: Sequence[T]) -> T: ...
    def chance(self) -> bool: ...


@dataclass(slots=True)
class Scope:
    """Names that may be used, by what they are."""

    ints: list[str] = field(default_factory=list)  # lvalues of integer types
    mixes: list[str] = field(default_factory=list)  # lvalues of union mix
    nodes: list[str] = field(default_factory=list)  # lvalues of struct node
    links: list[str] = field(default_factory=list)  # lvalues of struct node *
    bytes: list[tuple[str, int]] = field(default_factory=list)  # unsigned char *, how many

    def inner(self) -> Scope:
        return Scope(
            list(self.ints), list(self.mixes), list(self.nodes), list(self.links), list(self.bytes)
        )


@dataclass(slots=True)
class CDice:
    dice: Draws
    lines: list[str] = field(default_factory=list)
    indent: int = 1
    count: int = 0
    helpers: list[tuple[str, str]] = field(default_factory=list)  # name, kind
    in_loop: bool = False

    def program(self) -> str:
        self.globals()
        for number in range(self.dice.below(4)):
            self.helper(number)
        self.body("int main(void)", self.shared(), 4 + self.dice.below(9), "return 0;")
        return HEAD + "\n".join(self.lines) + "\n"

    # Words.

    def put(self, text: str) -> None:
        self.lines.append("    " * self.indent + text)

    def fresh(self, stem: str) -> str:
        self.count += 1
        return f"{stem}{self.count}"

    def shared(self) -> Scope:
        return Scope(
            ["gi", "ga[1]", "ga[2]", "gn.key", "gn.low"], ["gm", "gn.m"], ["gn"], ["gl", "gn.next"],
            [("gb", 12)],
        )  # fmt: skip

    def globals(self) -> None:
        self.indent = 0
        start = self.dice.pick(("", " = 7", " = -1"))
        self.put(f"static int gi{start}, ga[4] = {{1, 2}};")
        first = self.dice.pick(("", " = {0}", " = {.d = 1.5}", " = {.i = {3, -4}}"))
        self.put(f"static union mix gm{first};")
        self.put("static struct node gn, *gl" + self.dice.pick((";", " = &gn;", " = 0;")))
        self.put('static unsigned char gb[12] = "abc";')
        self.put("static int *const fixed[2] = {&gi, &ga[1]};")
        self.put(
            "static struct { struct node *n; union mix *m; } table[2] = {{&gn, &gm}, {0, &gn.m}};"
        )
        self.put("static int add(int n, ...) {")
        self.put("    va_list l; va_start(l, n); int r = 0;")
        self.put("    for (int k = 0; k < n; k++) r += va_arg(l, int);")
        self.put("    va_end(l); return r;")
        self.put("}")
        self.indent = 1

    # Procedures.

    def helper(self, number: int) -> None:
        kind = self.dice.pick(("node", "bytes", "int", "mix"))
        name = f"f{number}"
        scope = self.shared()
        heads = {
            "node": (f"static struct node *{name}(struct node *p, int n)", "return p;"),
            "bytes": (f"static void {name}(unsigned char *q, int n)", "return;"),
            "int": (f"static int {name}(int n, int k)", "return k;"),
            "mix": (f"static union mix {name}(union mix *u, int n)", "return *u;"),
        }
        head, tail = heads[kind]
        scope.ints.append("n")
        if kind == "node":
            scope.links.append("p")
        elif kind == "bytes":
            scope.bytes.append(("q", 4))
        elif kind == "int":
            scope.ints.append("k")
        else:
            scope.mixes.append("(*u)")
        self.helpers.append((name, kind))
        self.body(head, scope, 2 + self.dice.below(5), tail, recursive=True)

    def body(
        self, head: str, scope: Scope, statements: int, tail: str, recursive: bool = False
    ) -> None:
        self.indent = 0
        self.put(head + " {")
        self.indent = 1
        if recursive:
            self.put("if (n < 0 || n > 3) " + tail)
        self.declare(scope)
        for _ in range(statements):
            self.statement(scope, 2)
        self.put(tail)
        self.indent = 0
        self.put("}")

    def declare(self, scope: Scope) -> None:
        """A local of each kind, not all of them initialised."""
        x, y = self.fresh("x"), self.fresh("y")
        kind = self.dice.pick(("int", "unsigned", "long", "unsigned char", "short", "uint64_t"))
        self.put(f"{kind} {x} = {self.number(scope)}; int {y};")
        if self.dice.below(4):
            self.put(f"{y} = {self.dice.below(9)};")
        scope.ints += [x, y]
        if self.dice.chance():
            m = self.fresh("m")
            self.put(f"union mix {m}{self.dice.pick(('', ' = {0}', ' = {.w = 258}'))};")
            scope.mixes.append(m)
        if self.dice.chance():
            s = self.fresh("s")
            self.put(f"struct node {s}{self.dice.pick(('', ' = {0}', ' = {.key = 5}'))};")
            scope.nodes.append(s)
            scope.ints.append(f"{s}.key")
            scope.links.append(f"{s}.next")
            scope.mixes.append(f"{s}.m")
        if self.dice.chance():
            t = self.fresh("t")
            size = self.dice.pick((4, 8, 9))
            self.put(f"unsigned char {t}[{size}]{self.dice.pick((' = {0}', '', ' = {1, 2}'))};")
            scope.bytes.append((t, size))
        p = self.fresh("p")
        self.put(f"struct node *{p} = {self.link(scope)};")
        scope.links.append(p)

    # Expressions.

    def number(self, scope: Scope) -> str:
        ways: list[Callable[[], str]] = [
            lambda: str(self.dice.pick((0, 1, 2, 3, 7, 255, -1, 65535))),
            lambda: "__VERIFIER_nondet_uchar()",
            lambda: self.dice.pick(scope.ints),
            lambda: f"{self.dice.pick(scope.ints)} + {self.dice.pick((1, -1, 4))}",
            lambda: f"({self.dice.pick(scope.ints)} & {self.dice.pick((3, 12, 255))})",
            lambda: self.part(self.dice.pick(scope.mixes)),
            lambda: f"*fixed[{self.dice.below(2)}]",
            lambda: f"{self.dice.pick(scope.ints)} * 3 - {self.dice.pick(scope.ints)}",
            lambda: f"{self.dice.pick(scope.bytes)[0]}[{self.dice.below(4)}]",
            lambda: f"({self.dice.pick(scope.ints)} >> 1)",
            lambda: f"add(2, {self.dice.pick(scope.ints)}, {self.dice.below(3)})",
            lambda: self.field(scope),
            lambda: "(int)(__VERIFIER_nondet_int() % 5)",
            lambda: f"{self.dice.pick(scope.ints)} % 4",
        ]
        return self.dice.pick(ways)()

    def field(self, scope: Scope) -> str:
        name = self.dice.pick(scope.nodes)
        return f"{name}.{self.dice.pick(('b3', 'b7', 'b40', 'low', 'text[1]'))}"

    def part(self, mix: str) -> str:
        """A number in a union."""
        parts = ("w", "sw", "i[0]", "i[1]", "h[1]", "b[3]", "sb[0]", "h[3]", "b[7]")
        return f"{mix}.{self.dice.pick(parts)}"

    def link(self, scope: Scope) -> str:
        ways: list[Callable[[], str]] = [
            lambda: "0",
            lambda: f"&{self.dice.pick(scope.nodes)}",
            lambda: "calloc(1, sizeof(struct node))",
            lambda: self.dice.pick(scope.links),
            lambda: "malloc(sizeof(struct node))",
            lambda: f"{self.dice.pick(scope.mixes)}.n",
            lambda: f"table[{self.dice.below(2)}].n",
            lambda: self.through_integer(scope),
        ]
        return self.dice.pick(ways[: 4 + self.dice.below(5)])()

    def through_integer(self, scope: Scope) -> str:
        p = self.dice.pick(scope.links)
        move = self.dice.pick(("", " + 8 - 8", " + (uintptr_t)-8 + 8"))
        return f"(struct node *)((uintptr_t){p}{move})"

    def condition(self, scope: Scope) -> str:
        x, y = self.dice.pick(scope.ints), self.dice.pick(scope.ints)
        p, q = self.dice.pick(scope.links), self.dice.pick(scope.links)
        ways = (
            f"{x} < {y}", "__VERIFIER_nondet_bool()", f"{x} == {self.dice.below(4)}", f"{p} == {q}",
            f"{p} && {p}->next == {q}", f"{p} == &{self.dice.pick(scope.nodes)}",
            f"{self.part(self.dice.pick(scope.mixes))} != {x}", f"!{p}", f"{x} > 2 && {y} <= 7",
            f"(unsigned){x} >= 3u",
        )  # fmt: skip
        return self.dice.pick(ways)

    def length(self, most: int) -> str:
        """A number of bytes up to `most`."""
        return self.dice.pick(
            (
                str(most), str(1 + self.dice.below(most)),
                f"__VERIFIER_nondet_uchar() % {most + 1}",
                f"(__VERIFIER_nondet_bool() ? {self.dice.below(most)} : {most})",
            )
        )  # fmt: skip

    # Statements.

    def statement(self, scope: Scope, depth: int) -> None:
        ways: list[Callable[[], None]] = [
            lambda: self.put(f"{self.dice.pick(scope.ints)} = {self.number(scope)};"),
            lambda: self.write_mix(scope),
            lambda: self.copy_bytes(scope),
            lambda: self.put(f"{self.dice.pick(scope.links)} = {self.link(scope)};"),
            lambda: self.touch(scope),
            lambda: self.call(scope),
            lambda: self.put_field(scope),
            lambda: self.put_byte(scope),
            lambda: self.release(scope),
            lambda: self.put(f"__VERIFIER_assume({self.condition(scope)});"),
            lambda: self.put(f"{self.dice.pick(scope.mixes)} = {self.dice.pick(scope.mixes)};"),
        ]
        if depth:
            nested: list[Callable[[], None]] = [
                lambda: self.branch(scope, depth - 1),
                lambda: self.loop(scope, depth - 1),
                lambda: self.block(scope, depth - 1),
                lambda: self.choice(scope, depth - 1),
                lambda: self.walk(scope),
            ]
            ways = [*ways, *nested, *nested]
        self.dice.pick(ways)()

    def write_mix(self, scope: Scope) -> None:
        mix = self.dice.pick(scope.mixes)
        ways = (
            f"{self.part(mix)} = {self.number(scope)};", f"{mix}.d = {self.dice.below(3)}.5;",
            f"{mix}.n = {self.link(scope)};", f"{mix}.p = &{self.dice.pick(scope.mixes)};",
            f"{mix}.f[1] = 2.0f;", f"{mix}.b[{self.number(scope)} & 7] = {self.number(scope)};",
            f"{mix}.i[{self.number(scope)} & 1] = {self.number(scope)};",
        )  # fmt: skip
        self.put(self.dice.pick(ways))

    def copy_bytes(self, scope: Scope) -> None:
        to, size = self.area(scope)
        start, other = self.area(scope)
        most = min(size, other)
        match self.dice.below(5):
            case 0:
                byte = self.dice.pick(("0", "1", "255", "-1", self.number(scope)))
                self.put(f"memset({to}, {byte}, {self.length(size)});")
            case 1:
                k = self.fresh("k")
                self.put(f"for (unsigned {k} = 0; {k} < {self.length(min(most, 8))}; {k}++)")
                self.put(f"    ((unsigned char *){to})[{k}] = ((unsigned char *){start})[{k}];")
            case 2:
                shift = self.dice.below(max(most - 3, 1))
                rest = most - shift
                self.put(f"memmove((char *){to} + {shift}, {to}, {self.length(min(rest, size))});")
            case _:
                self.put(f"memcpy({to}, {start}, {self.length(most)});")

    def area(self, scope: Scope) -> tuple[str, int]:
        """An address and how many bytes are there."""
        ways: list[tuple[str, int]] = [(f"&{mix}", 8) for mix in scope.mixes]
        ways += [(f"&{node}", 56) for node in scope.nodes]
        ways += [(name, size) for name, size in scope.bytes]
        return self.dice.pick(ways)

    def touch(self, scope: Scope) -> None:
        """An access through a pointer, mostly after a test."""
        p = self.dice.pick(scope.links)
        ways = (
            f"{p}->key = {self.number(scope)};", f"{self.dice.pick(scope.ints)} = {p}->key;",
            f"{p}->next = {self.link(scope)};", f"{self.dice.pick(scope.links)} = {p}->next;",
            f"{p}->m.w = {self.number(scope)};", f"{p}->b7 = {self.number(scope)};",
            f"*{p} = {self.dice.pick(scope.nodes)};", f"memset({p}, 0, sizeof *{p});",
            f"{self.dice.pick(scope.ints)} = {self.part(p + '->m')};",
            f"{p}->text[{self.number(scope)} & 3] = 'x';",
        )  # fmt: skip
        test = f"if ({p}) " if self.dice.below(8) else ""
        self.put(test + self.dice.pick(ways))

    def put_field(self, scope: Scope) -> None:
        self.put(f"{self.field(scope)} = {self.number(scope)};")

    def put_byte(self, scope: Scope) -> None:
        name, size = self.dice.pick(scope.bytes)
        mask = {4: 3, 8: 7}.get(size, 7)
        self.put(f"{name}[{self.number(scope)} & {mask}] = {self.number(scope)};")

    def call(self, scope: Scope) -> None:
        if not self.helpers:
            self.put("gi = add(1, gi);")
            return
        name, kind = self.dice.pick(self.helpers)
        n = self.dice.pick(
            ("0", "1", "2", self.number(scope), "n - 1" if "n" in scope.ints else "1")
        )
        if kind == "node":
            call = f"{name}({self.link(scope)}, {n})"
            if self.dice.chance():
                h = self.fresh("h")
                self.put(
                    f"struct node *(*{h})(struct node *, int) = {self.pointer_to(kind, name)};"
                )
                call = f"{h}({self.link(scope)}, {n})"
            self.put(f"{self.dice.pick(scope.links)} = {call};")
        elif kind == "bytes":
            where = self.dice.pick([a for a, size in scope.bytes if size >= 4])
            mix = self.dice.pick(scope.mixes)
            self.put(f"{name}({self.dice.pick((where, f'{mix}.b', f'{mix}.b + 4'))}, {n});")
        elif kind == "int":
            self.put(f"{self.dice.pick(scope.ints)} = {name}({n}, {self.number(scope)});")
        else:
            self.put(
                f"{self.dice.pick(scope.mixes)} = {name}(&{self.dice.pick(scope.mixes)}, {n});"
            )

    def pointer_to(self, kind: str, name: str) -> str:
        others = [other for other, k in self.helpers if k == kind]
        test = self.dice.pick(("__VERIFIER_nondet_bool()", "1"))
        return f"{test} ? {name} : {self.dice.pick(others)}"

    def release(self, scope: Scope) -> None:
        p = self.dice.pick(scope.links)
        others = [f"{p} != &{node}" for node in scope.nodes]
        self.put(f"if ({' && '.join([p, *others])}) {{ free({p}); {p} = 0; }}")

    # Control.

    def inside(self, scope: Scope, depth: int, most: int) -> None:
        self.indent += 1
        for _ in range(1 + self.dice.below(most)):
            self.statement(scope, depth)
        self.indent -= 1

    def branch(self, scope: Scope, depth: int) -> None:
        self.put(f"if ({self.condition(scope)}) {{")
        self.inside(scope, depth, 3)
        if self.dice.chance():
            self.put("} else {")
            self.inside(scope, depth, 2)
        self.put("}")

    def loop(self, scope: Scope, depth: int) -> None:
        i = self.fresh("i")
        bound = self.dice.pick(("3", "__VERIFIER_nondet_uchar() % 4", "9", "(gi & 3)"))
        limit = self.fresh("e")
        self.put(f"for (int {i} = 0, {limit} = {bound}; {i} < {limit}; {i}++) {{")
        inner = scope.inner()
        inner.ints.append(i)
        self.inside(inner, depth, 3)
        if self.dice.below(3) == 0:
            word = self.dice.pick(("break", "continue"))
            self.put(f"    if ({self.condition(inner)}) {word};")
            self.inside(inner, 0, 1)
        self.put("}")

    def block(self, scope: Scope, depth: int) -> None:
        """A scope of its own; pointers into it may leave it."""
        self.put("{")
        self.indent += 1
        inner = scope.inner()
        self.declare(inner)
        self.indent -= 1
        self.inside(inner, depth, 3)
        self.put("}")

    def choice(self, scope: Scope, depth: int) -> None:
        self.put(f"switch ({self.number(scope)}) {{")
        self.put("case 0:")
        self.inside(scope, depth, 2)
        if self.dice.chance():
            self.put("    break;")
        self.put("case 1 ... 3:")
        self.inside(scope, depth, 2)
        self.put("    break;")
        self.put("default:")
        self.inside(scope, depth, 1)
        self.put("}")

    def walk(self, scope: Scope) -> None:
        """Make or follow a list."""
        p, k = self.fresh("w"), self.fresh("k")
        if self.dice.chance():
            self.put(f"for (int {k} = {self.dice.pick(('0', '__VERIFIER_nondet_uchar() % 4'))}; "
                     f"{k} < 4; {k}++) {{")  # fmt: skip
            self.put(f"    struct node *{p} = malloc(sizeof *{p}); if (!{p}) break;")
            self.put(f"    {p}->key = {k}; {p}->next = gl; gl = {p};")
            self.put("}")
        else:
            self.put(f"int {k} = 0;")
            start = self.dice.pick(scope.links)
            self.put(f"for (struct node *{p} = {start}; {p} && {k} < 4; {p} = {p}->next)")
            self.put(f"    {p}->key = {k}++;")

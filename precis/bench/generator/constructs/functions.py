"""Functions: variable arguments, tables of functions, handlers that the compiler calls."""

from __future__ import annotations

from collections.abc import Iterator

from ..draft import Site
from ..expressions import number


def varargs_fragment(site: Site) -> Iterator[None]:
    """Arguments of several types, read by a format, in a callee, and twice."""
    draft, dice = site.draft, site.dice
    names = {
        "P": draft.fresh("va_pair"), "f": draft.fresh("va_total"), "g": draft.fresh("va_one"),
        "r": draft.fresh("va_sum"), "n": draft.fresh("va_best"), "m": draft.fresh("va_most"),
    }  # fmt: skip
    draft.declare_type("struct $P {\nshort a;\nlong b;\n};", **names)
    draft.define(
        """
        static long $g(char kind, va_list *args) {
        switch (kind) {
        case 'i':
        return va_arg(*args, int);
        case 'l':
        return va_arg(*args, long);
        case 'd':
        return (long)(va_arg(*args, double) * 4);
        case 's':
        return (long)strlen(va_arg(*args, const char *));
        case 'p': {
        struct $P p = va_arg(*args, struct $P);
        return p.a + p.b;
        }
        }
        return 0;
        }
        """,
        **names,
    )
    draft.define(
        """
        static long $f(const char *kinds, ...) {
        va_list args, again;
        va_start(args, kinds);
        va_copy(again, args);
        long total = 0, first = *kinds ? $g(*kinds, &again) : 0;
        va_end(again);
        for (; *kinds; kinds++) {
        total = total * 3 + $g(*kinds, &args);
        }
        va_end(args);
        return total + first;
        }
        """,
        **names,
    )
    kinds = [dice.pick("ilds" if i == 0 else "ildsp") for i in range(dice.between(1, 9))]
    written = {
        "i": number(site, -50, 50, 1), "l": f"(long){number(site, 0, 99, 1)}", "d": "2.25",
        "s": '"seven"', "p": f"(struct {names['P']}){{3, 4}}",
    }  # fmt: skip
    listed = ", ".join([f'"{"".join(kinds)}"', *(written[kind] for kind in kinds)])
    site.emit(f'int $r = (int)($f({listed}) % 1000);\nprintf("$r %d\\n", $r);', **names)
    site.result(names["r"], -999, 999)
    if dice.chance(60):
        yield
        _largest(site, names)


def _largest(site: Site, names: dict[str, str]) -> None:
    """The largest of some arguments, of types that are promoted."""
    site.draft.define(
        """
        static int $m(int count, ...) {
        va_list args;
        int most = -1000;
        va_start(args, count);
        while (count-- > 0) {
        int next = va_arg(args, int);
        most = next > most ? next : most;
        }
        va_end(args);
        return most;
        }
        """,
        **names,
    )
    given = ", ".join(number(site, -99, 99, 1) for _ in range(3))
    small = ", (char)7, (short)-3, (unsigned char)200"
    site.emit(f'int $n = $m(6, {given}{small});\nprintf("$n %d\\n", $n);', **names)
    site.result(names["n"], -1000, 1000)


def log_fragment(site: Site) -> Iterator[None]:
    """A function that hands its arguments on to vsnprintf and vprintf."""
    draft, dice = site.draft, site.dice
    names = {
        "f": draft.fresh("note"), "b": draft.fresh("note_text"), "n": draft.fresh("note_len"),
        "k": str(dice.pick((6, 12, 40))), "E": dice.pick(("%5d|%s", "%-4d|%.2s", "%+d|%8s")),
    }  # fmt: skip
    draft.define(
        """
        __attribute__((format(printf, 3, 4)))
        static int $f(char *to, size_t room, const char *form, ...) {
        va_list args, copy;
        va_start(args, form);
        va_copy(copy, args);
        int size = vsnprintf(to, room, form, args);
        vprintf(form, copy);
        va_end(copy);
        va_end(args);
        return size;
        }
        """,
        **names,
    )
    site.emit(
        """
        char $b[$k];
        int $n = $f($b, sizeof $b, "$E\\n", $e, "word");
        printf("$n %d %s\\n", $n, $b);
        """,
        e=number(site, -99, 9999), **names,
    )  # fmt: skip
    site.result(names["n"], 0, 30)
    yield


def methods_fragment(site: Site) -> Iterator[None]:
    """Records of function pointers, found by name or by number."""
    draft, dice = site.draft, site.dice
    names = {
        "S": draft.fresh("animal"), "M": draft.fresh("methods"), "a": draft.fresh("cat_age"),
        "b": draft.fresh("dog_age"), "t": draft.fresh("kinds"), "get": draft.fresh("method_of"),
        "r": draft.fresh("ages"), "z": draft.fresh("pet"), "C": draft.fresh("CAT"),
        "D": draft.fresh("DOG"), "w": dice.pick(('"dog"', '"cat"')),
    }  # fmt: skip
    draft.declare_type(
        """
        struct $S;
        enum { $C, $D };
        struct $M {
        const char *name;
        int (*age)(const struct $S *, int);
        };
        struct $S {
        const struct $M *methods;
        int born;
        };
        """,
        **names,
    )
    draft.define(
        "static int $a(const struct $S *s, int now) {\nreturn (now - s->born) * 5;\n}", **names
    )
    draft.define(
        "static int $b(const struct $S *s, int now) {\nreturn (now - s->born) * 7;\n}", **names
    )
    draft.define(
        """
        static const struct $M $t[] = {[$D] = {"dog", $b}, [$C] = {.age = &$a, .name = "cat"}};
        """,
        **names,
    )
    draft.define(
        """
        static int (*$get(const char *name))(const struct $S *, int) {
        for (size_t i = 0; i < sizeof $t / sizeof $t[0]; i++) {
        if (strcmp($t[i].name, name) == 0) {
        return $t[i].age;
        }
        }
        return NULL;
        }
        """,
        **names,
    )
    site.emit(
        """
        struct $S $z = {&$t[$e], .born = 3};
        int $r = $z.methods->age(&$z, $f) + (*$get($w))(&$z, 10) + !$get("cow");
        printf("$r %d %s\\n", $r, $z.methods->name);
        """,
        e=number(site, 0, 1), f=number(site, 3, 40), **names,
    )  # fmt: skip
    site.result(names["r"], 0, 1000)
    yield


def cleanup_attribute_fragment(site: Site) -> Iterator[None]:
    """Variables whose handler runs when they go out of scope, in reverse order."""
    draft, dice = site.draft, site.dice
    names = {
        "f": draft.fresh("guarded"), "d": draft.fresh("drop_int"), "m": draft.fresh("drop_mem"),
        "r": draft.fresh("guard_sum"), "c": draft.fresh("drops"),
        "leave": dice.pick(("break;", "continue;", "return total;", "goto out;")),
    }  # fmt: skip
    draft.declare_global("static int $c;", **names)
    draft.define("static void $d(int *v) {\n$c = $c * 2 + *v;\n}", **names)
    draft.define("static void $m(char **p) {\nfree(*p);\n$c++;\n}", **names)
    draft.define(
        """
        static int $f(int turns) {
        int total = 0;
        __attribute__((cleanup($d))) int outer = 1;
        for (int i = 0; i < turns; i++) {
        __attribute__((cleanup($d))) int inner = i;
        char *text __attribute__((cleanup($m))) = malloc(4);
        strcpy(text, "abc");
        total += text[1] + inner;
        if (i == 2) {
        $leave
        }
        outer += 2;
        }
        goto out;
        out:
        return total;
        }
        """,
        **names,
    )
    site.emit('int $r = $f($e);\nprintf("$r %d %d\\n", $r, $c);', e=number(site, 0, 5), **names)
    site.result(names["r"], 0, 800)
    yield


def constructor_fragment(site: Site) -> Iterator[None]:
    """Functions that run before and after main, in the order of their priorities."""
    draft, dice = site.draft, site.dice
    names = {
        "a": draft.fresh("begin_one"), "b": draft.fresh("begin_two"), "c": draft.fresh("finish_up"),
        "v": draft.fresh("started"), "r": draft.fresh("start_sum"),
        "p": str(dice.between(101, 150)), "q": str(dice.between(151, 200)),
    }  # fmt: skip
    draft.declare_global("static int $v = 1;", **names)
    draft.define(
        "__attribute__((constructor($q))) static void $a(void) {\n$v = $v * 3 + 1;\n}", **names
    )
    draft.define(
        "__attribute__((constructor($p))) static void $b(void) {\n$v = $v * 5 + 2;\n}", **names
    )
    draft.define(
        '__attribute__((destructor)) static void $c(void) {\nprintf("end %d\\n", $v);\n}', **names
    )
    site.emit('int $r = $v;\n$v += $e;\nprintf("$r %d\\n", $r);', e=number(site, 0, 9), **names)
    site.result(names["r"], 0, 100)
    yield

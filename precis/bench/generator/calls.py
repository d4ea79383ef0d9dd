"""Functions: tables of pointers, callbacks, recursion, state kept between calls."""

from __future__ import annotations

from collections.abc import Iterator

from .draft import Site
from .expressions import number

_RECURSIONS: tuple[tuple[str, tuple[int, int], int], ...] = (
    # definition, range of both arguments, largest result
    (
        """
        static int $f(int a, int b) {
        return b == 0 ? a : $f(b, a % b);
        }
        """,
        (0, 60),
        60,
    ),
    (
        """
        static int $f(int n, int k) {
        if (k <= 0 || k >= n) {
        return 1;
        }
        return $f(n - 1, k - 1) + $f(n - 1, k);
        }
        """,
        (0, 6),
        20,
    ),
    (
        """
        static int $f(int base, int n) {
        if (n == 0) {
        return 1;
        }
        int half = $f(base, n / 2) % 100;
        return n % 2 ? half * half % 1000 * base % 1000 : half * half % 1000;
        }
        """,
        (0, 9),
        1000,
    ),
    (
        """
        static int $f(int m, int n) {
        return m == 0 ? n + 1 : n == 0 ? $f(m - 1, 1) : $f(m - 1, $f(m, n - 1));
        }
        """,
        (0, 2),
        9,
    ),
    (
        """
        static int $g(int n, int k);
        static int $f(int n, int k) {
        return n <= 0 ? k : $g(n - 1, k * 2 % 97);
        }
        static int $g(int n, int k) {
        return n <= 0 ? -k : $f(n - 1, k + 3);
        }
        """,
        (0, 9),
        110,
    ),
    (
        """
        static int $f(int n, int from) {
        if (n == 0) {
        return 0;
        }
        int moves = $f(n - 1, from ^ 1);
        return moves + 1 + $f(n - 1, from);
        }
        """,
        (0, 4),
        15,
    ),
)


def recursion_fragment(site: Site) -> Iterator[None]:
    """A recursive function, or two that call each other."""
    text, domain, most = site.dice.pick(_RECURSIONS)
    f = site.draft.fresh("descend")
    site.draft.define(text, f=f, g=site.draft.fresh("ascend"))
    for _ in range(site.dice.between(1, 2)):
        result = site.draft.fresh("deep")
        first, second = number(site, *domain), number(site, *domain)
        site.emit(f"int {result} = {f}({first}, {second});")
        site.emit(f'printf("{result} %d\\n", {result});')
        site.result(result, -most, most)
        yield


_OPERATORS = (
    ("plus", "a + b"),
    ("minus", "a - b"),
    ("times", "a * b"),
    ("most", "a > b ? a : b"),
    ("either", "a | b"),
    ("share", "b != 0 ? a / b : 0"),
    ("rest", "b ? a % b : a"),
    ("apart", "a < b ? b - a : a - b"),
)


def table_fragment(site: Site) -> Iterator[None]:
    """A table of function pointers, indexed by input."""
    draft, dice = site.draft, site.dice
    chosen = dice.some(_OPERATORS, dice.between(2, 4))
    functions = []
    for stem, body in chosen:
        functions.append(draft.fresh(stem))
        draft.define(f"static int {functions[-1]}(int a, int b) {{\nreturn {body};\n}}")
    table, last = draft.fresh("ops"), len(functions) - 1
    listed = ", ".join(dice.pick((f, f"&{f}")) for f in functions)
    if dice.chance(50):
        draft.declare_global(f"typedef int (*{table}_fn)(int, int);")
        site.emit(f"const {table}_fn {table}[] = {{{listed}}};")
    else:
        site.emit(f"int (*{table}[])(int, int) = {{{listed}}};")
    for _ in range(dice.between(1, 3)):
        result = draft.fresh("op")
        call = dice.pick((f"{table}[$i]($a, $b)", f"(*{table}[$i])($a, $b)"))
        site.emit(
            f"int {result} = {call};",
            i=number(site, 0, last), a=number(site, -30, 30), b=number(site, -30, 30),
        )  # fmt: skip
        site.result(result, -1000, 1000)
        site.emit(f'printf("{result} %d\\n", {result});')
        yield


def callback_fragment(site: Site) -> Iterator[None]:
    """A function applied to each element, with a context reached through a void pointer."""
    draft, dice = site.draft, site.dice
    length = dice.between(3, 6)
    names = {
        "C": draft.fresh("context"), "each": draft.fresh("for_each"), "visit": draft.fresh("visit"),
        "keep": draft.fresh("keep"), "a": draft.fresh("items"), "c": draft.fresh("ctx"),
        "n": str(length), "m": str(dice.between(2, 9)),
    }  # fmt: skip
    draft.declare_type("struct $C {\nint total;\nunsigned calls;\nint limit;\n};", **names)
    draft.define(
        """
        static void $each(int *a, int n, void (*visit)(int *, void *), void *context) {
        for (int i = 0; i < n; i++) {
        visit(&a[i], context);
        }
        }
        """,
        **names,
    )
    draft.define(
        """
        static void $visit(int *item, void *context) {
        struct $C *c = context;
        c->total += *item * $m;
        c->calls++;
        if (c->total > c->limit) {
        *item = c->total -= c->limit;
        }
        }
        """,
        **names,
    )
    values = ", ".join(number(site, 0, 40) for _ in range(length))
    site.emit("int $a[$n] = {$v};", v=values, **names)
    site.emit("struct $C $c = {0, 0, $e};", e=number(site, 20, 90), **names)
    site.emit("$each($a, $n, $visit, &$c);", **names)
    yield
    if dice.chance(50):
        site.emit("$each($a + 1, $n - 1, &$visit, &$c);", **names)
    site.emit('printf("%d %u %d\\n", $c.total, $c.calls, $a[$n - 1]);', **names)


def state_fragment(site: Site) -> Iterator[None]:
    """A counter that a function keeps, and a state machine over a string."""
    draft, dice = site.draft, site.dice
    names = {
        "next": draft.fresh("next_id"), "g": draft.fresh("calls"), "r": draft.fresh("ticket"),
        "step": str(dice.between(2, 9)), "wrap": str(dice.between(50, 200)),
    }  # fmt: skip
    draft.declare_global("static int $g;", **names)
    draft.define(
        """
        static int $next(int bump) {
        static unsigned short last = 65530;
        static int first = 1;
        $g += bump;
        last = (unsigned short)(last + $step);
        if (first) {
        first = 0;
        return -1;
        }
        return last % $wrap;
        }
        """,
        **names,
    )
    site.emit("int $r = 0;", **names)
    for _ in range(dice.between(2, 4)):
        site.emit("$r = $next($e);", e=number(site, 0, 5), **names)
        if dice.chance(40):
            yield
    site.emit('printf("$r %d %d\\n", $r, $g);', **names)
    site.result(names["r"], -1, 200)


def swap_fragment(site: Site) -> Iterator[None]:
    """Results through pointers: to variables, to pointers, to elements."""
    draft, dice = site.draft, site.dice
    names = {
        "div": draft.fresh("divide"), "swap": draft.fresh("swap"), "q": draft.fresh("quot"),
        "r": draft.fresh("rem"), "p": draft.fresh("pa"), "s": draft.fresh("pb"),
        "pick": draft.fresh("larger"), "w": draft.fresh("winner"),
    }  # fmt: skip
    draft.define(
        """
        static int $div(int a, int b, int *quot, int *rem) {
        if (b == 0) {
        return -1;
        }
        *quot = a / b;
        *rem = a % b;
        return 0;
        }
        """,
        **names,
    )
    draft.define(
        "static void $swap(int **a, int **b) {\nint *held = *a;\n*a = *b;\n*b = held;\n}", **names
    )
    draft.define("static int *$pick(int *a, int *b) {\nreturn *a >= *b ? a : b;\n}", **names)
    site.emit(
        """
        int $q = $c, $r = 1;
        if ($div($e, $f, &$q, &$r) != 0) {
        puts("no quotient");
        }
        int *$p = &$q, *$s = &$r;
        """,
        c=dice.between(0, 9), e=number(site, -500, 500), f=number(site, -3, 20), **names,
    )  # fmt: skip
    yield
    site.emit("$swap(&$p, &$s);\n*$p += 1;", **names)
    site.emit("int *$w = $pick($p, $s);\n*$w = *$w - 2;", **names)
    site.emit('printf("%d %d %d\\n", $q, $r, $w == &$q);', **names)


def cleanup_fragment(site: Site) -> Iterator[None]:
    """A function that takes several resources and leaves through one label."""
    draft, dice = site.draft, site.dice
    limit = dice.between(1, 5)
    names = {
        "f": draft.fresh("attempt"), "lim": str(limit), "r": draft.fresh("tried"),
        "n": str(dice.between(3, 6)),
    }  # fmt: skip
    draft.define(
        """
        static int $f(int wish, int seed) {
        int result = -1;
        char *name = NULL;
        long *cells = malloc($n * sizeof(long));
        if (!cells) {
        goto out;
        }
        name = malloc(16);
        if (!name || wish > $lim) {
        goto out;
        }
        sprintf(name, "w%d", wish);
        for (int i = 0; i < $n; i++) {
        cells[i] = i ? cells[i - 1] * 3 % 101 + wish : seed;
        }
        if (wish == 0) {
        goto out_early;
        }
        result = (int)cells[$n - 1] + (int)strlen(name);
        out:
        free(name);
        free(cells);
        return result;
        out_early:
        result = name[0];
        goto out;
        }
        """,
        **names,
    )
    for _ in range(dice.between(1, 2)):
        result = draft.fresh("tried")
        site.emit(
            "int $r = $f($e, $s);",
            r=result,
            e=number(site, 0, 6),
            s=number(site, 0, 99),
            f=names["f"],
        )
        site.emit(f'printf("{result} %d\\n", {result});')
        site.result(result, -1, 120)
        yield

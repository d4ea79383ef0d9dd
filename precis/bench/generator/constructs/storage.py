"""Where objects live: arrays of variable length, alloca, static locals, tentative definitions."""

from __future__ import annotations

from collections.abc import Iterator

from ..draft import Site
from ..expressions import number


def vla_fragment(site: Site) -> Iterator[None]:
    """Arrays of variable length, of one and two dimensions, as locals and as parameters."""
    draft, dice = site.draft, site.dice
    names = {
        "f": draft.fresh("grid_sum"), "n": draft.fresh("rows"), "m": draft.fresh("cols"),
        "a": draft.fresh("vgrid"), "i": draft.fresh("i"), "k": draft.fresh("k"),
        "s": draft.fresh("vsum"), "E": dice.pick(("int", "short", "long", "unsigned char")),
        "z": draft.fresh("vbytes"), "r": draft.fresh("vrow"),
    }  # fmt: skip
    draft.define(
        dice.pick(
            (
                """
                static long $f(int rows, int cols, $E grid[rows][cols]) {
                long sum = 0;
                for (int i = 0; i < rows; i++) {
                for (int k = 0; k < cols; k++) {
                sum += grid[i][k] * (i + 1);
                }
                }
                return sum;
                }
                """,
                """
                static long $f(int rows, int cols, $E (*grid)[cols]) {
                long sum = (long)sizeof *grid;
                for ($E *p = grid[0]; p < grid[rows - 1] + cols; p++) {
                sum += *p;
                }
                return sum;
                }
                """,
            )
        ),
        **names,
    )
    site.emit(
        """
        int $n = $e, $m = $g;
        $E $a[$n][$m];
        for (int $i = 0; $i < $n; $i++) {
        for (int $k = 0; $k < $m; $k++) {
        $a[$i][$k] = ($E)($i * 3 + $k);
        }
        }
        """,
        e=number(site, 1, 5), g=number(site, 1, 5), **names,
    )  # fmt: skip
    yield
    site.emit(
        """
        $E (*$r)[$m] = $a + $n - 1;
        int $s = (int)($f($n, $m, $a) + (*$r)[$m - 1]);
        int $z = (int)(sizeof $a / sizeof $a[0]);
        printf("$s %d %d %d\\n", $s, $z, (int)sizeof(*$r));
        """,
        **names,
    )
    site.result(names["s"], 0, 5000)
    site.result(names["z"], 1, 5)


def vla_loop_fragment(site: Site) -> Iterator[None]:
    """An array whose length grows from turn to turn, and one left by break, continue and goto."""
    draft, dice = site.draft, site.dice
    names = {
        "f": draft.fresh("ladder"), "s": draft.fresh("steps"), "T": draft.fresh("strip"),
        "leave": dice.pick(("break;", "continue;", "goto out;")), "m": str(dice.between(2, 4)),
        "n": str(dice.between(3, 6)),
    }  # fmt: skip
    draft.define(
        """
        static int $f(int most) {
        int total = 0;
        for (int n = 1; n <= most; n++) {
        typedef int $T[n];
        $T a, b;
        for (int i = 0; i < n; i++) {
        a[i] = i + n;
        b[n - 1 - i] = a[i] * 2;
        }
        total += b[0] + (int)(sizeof($T) / sizeof(int));
        if (n % $m == 0) {
        $leave
        }
        total++;
        }
        goto out;
        out:
        return total;
        }
        """,
        **names,
    )
    site.emit('int $s = $f($e);\nprintf("$s %d\\n", $s);', e=number(site, 0, 6), **names)
    site.result(names["s"], 0, 500)
    yield


def alloca_fragment(site: Site) -> Iterator[None]:
    """Blocks from alloca, which last until their function returns."""
    draft, dice = site.draft, site.dice
    names = {
        "f": draft.fresh("spread"), "s": draft.fresh("spread_sum"), "N": draft.fresh("link"),
        "call": dice.pick(("alloca", "__builtin_alloca")), "n": str(dice.between(1, 5)),
    }  # fmt: skip
    draft.declare_type("struct $N {\nstruct $N *next;\nint v;\n};", **names)
    draft.define(
        """
        static int $f(int count) {
        struct $N *list = NULL;
        for (int i = 0; i < count; i++) {
        struct $N *n = $call(sizeof *n);
        n->v = i * i;
        n->next = list;
        list = n;
        }
        char *text = $call((size_t)count + 1);
        memset(text, 'a' + count, (size_t)count);
        text[count] = 0;
        int sum = (int)strlen(text) + text[0];
        for (; list; list = list->next) {
        sum += list->v;
        }
        return sum;
        }
        """,
        **names,
    )
    site.emit('int $s = $f($e) + $f($n);\nprintf("$s %d\\n", $s);', e=number(site, 0, 6), **names)
    site.result(names["s"], 0, 500)
    yield


def static_local_fragment(site: Site) -> Iterator[None]:
    """Static locals: initialised once, each function its own, pointing to each other."""
    draft, dice = site.draft, site.dice
    names = {
        "f": draft.fresh("ticket"), "g": draft.fresh("slot_of"), "a": draft.fresh("tick"),
        "n": str(dice.between(2, 4)), "k": str(dice.between(2, 9)), "i": draft.fresh("i"),
    }  # fmt: skip
    draft.define(
        """
        static int $f(int step) {
        static int next = $k, *last = &next;
        static const int table[] = {[2] = 5, 6};
        *last += step;
        {
        static int next = 100;
        next += table[2];
        return next + *last + table[3];
        }
        }
        """,
        **names,
    )
    draft.define(
        """
        static int *$g(int n) {
        static int slots[$n + 1];
        static int used;
        if (n > 0) {
        slots[n - 1]++;
        return $g(n - 1);
        }
        return &slots[used++ % $n];
        }
        """,
        **names,
    )
    site.emit(
        """
        int $a = 0;
        for (int $i = 0; $i < 4; $i++) {
        $a += $f($e) + *$g($n);
        *$g(1) += $i;
        }
        printf("$a %d\\n", $a);
        """,
        e=number(site, 0, 9), **names,
    )  # fmt: skip
    site.result(names["a"], 0, 5000)
    yield


def tentative_fragment(site: Site) -> Iterator[None]:
    """Names declared several times: tentative definitions, extern in a block, static after use."""
    draft, dice = site.draft, site.dice
    names = {
        "x": draft.fresh("level_now"), "t": draft.fresh("marks"), "f": draft.fresh("bump"),
        "p": draft.fresh("level_at"), "r": draft.fresh("bumped"), "n": str(dice.between(2, 5)),
        "S": draft.fresh("late"), "y": draft.fresh("late_one"),
    }  # fmt: skip
    draft.declare_global(
        """
        static int $x;
        extern int $t[];
        static int *$p = &$x;
        struct $S;
        extern struct $S $y;
        static int $x;
        static int $x = $n;
        int $t[3];
        int $t[3];
        struct $S {
        int a, b;
        };
        struct $S $y = {.b = 2};
        """,
        **names,
    )
    draft.define("static int $f(int by);", **names)
    draft.define(
        """
        static int $f(int by) {
        extern int $t[];
        $t[1] += by;
        return *$p += $t[1] + $y.a + $y.b;
        }
        """,
        **names,
    )
    site.emit(
        'int $r = $f($e) + $f(1);\nprintf("$r %d %d %d\\n", $r, $x, $t[0]);',
        e=number(site, 0, 20), **names,
    )  # fmt: skip
    site.result(names["r"], 0, 500)
    yield


def qualifier_fragment(site: Site) -> Iterator[None]:
    """volatile, restrict, const, register and inline, where they change nothing."""
    draft, dice = site.draft, site.dice
    names = {
        "f": draft.fresh("blend_in"), "a": draft.fresh("src_q"), "b": draft.fresh("dst_q"),
        "v": draft.fresh("port_q"), "i": draft.fresh("i"), "n": str(dice.between(2, 6)),
        "s": draft.fresh("sum_q"), "c": draft.fresh("cell_q"),
    }  # fmt: skip
    draft.define(
        """
        static inline int $f(int *restrict to, const int *restrict from, register int n) {
        int const *const end = from + n;
        register int sum = 0;
        while (from < end) {
        sum += *to++ = *from++ * 2;
        }
        return sum;
        }
        """,
        **names,
    )
    inner = site.inner()
    inner.result(names["i"], 0, int(names["n"]) - 1)
    site.emit(
        """
        int $a[$n], $b[$n];
        volatile int $v = 0;
        for (volatile int $i = 0; $i < $n; $i++) {
        $a[$i] = $e;
        $v += $a[$i];
        }
        int $s = $f($b, $a, $n) - $v;
        volatile struct {
        int x;
        const volatile char *p;
        } $c = {$v, "q"};
        $c.x++;
        printf("$s %d %d %c\\n", $s, $c.x, *$c.p);
        """,
        e=number(inner, -20, 20), **names,
    )  # fmt: skip
    site.result(names["s"], -500, 500)
    yield


def atomic_fragment(site: Site) -> Iterator[None]:
    """Atomic objects in one thread: their operators, and the functions of <stdatomic.h>."""
    draft, dice = site.draft, site.dice
    names = {
        "a": draft.fresh("hits"), "b": draft.fresh("old_hits"), "c": draft.fresh("want"),
        "E": dice.pick(("int", "unsigned", "long")), "r": draft.fresh("hit_sum"),
    }  # fmt: skip
    site.emit(
        """
        _Atomic $E $a = 3;
        $a += ($E)$e;
        $a++;
        $E $b = atomic_fetch_add(&$a, 4), $c = 9;
        if (!atomic_compare_exchange_strong(&$a, &$c, 5)) {
        atomic_store(&$a, $c - 1);
        }
        int $r = (int)atomic_load(&$a) + (int)$b;
        printf("$r %d\\n", $r);
        """,
        e=number(site, 0, 50), **names,
    )  # fmt: skip
    site.result(names["r"], 0, 500)
    yield

"""Arrays: sorting, searching, matrices, windows, and arrays as other data structures."""

from __future__ import annotations

from collections.abc import Iterator

from .draft import Site
from .expressions import number

_SORTS = (
    """
    static void $sort($E *a, int n) {
    for (int i = 1; i < n; i++) {
    $E held = a[i];
    int k = i;
    while (k > 0 && a[k - 1] > held) {
    a[k] = a[k - 1];
    k--;
    }
    a[k] = held;
    }
    }
    """,
    """
    static void $sort($E *a, int n) {
    int moved;
    do {
    moved = 0;
    for ($E *p = a; p + 1 < a + n; p++) {
    if (p[0] > p[1]) {
    $E held = *p;
    *p = *(p + 1);
    *(p + 1) = held;
    moved = 1;
    }
    }
    } while (moved);
    }
    """,
    """
    static void $sort($E *a, int n) {
    if (n < 2) {
    return;
    }
    int most = 0;
    for (int i = 1; i < n; i++) {
    if (a[i] > a[most]) {
    most = i;
    }
    }
    $E held = a[most];
    a[most] = a[n - 1];
    a[n - 1] = held;
    $sort(a, n - 1);
    }
    """,
    """
    static int $cmp(const void *left, const void *right) {
    const $E *a = left, *b = right;
    return (*a > *b) - (*a < *b);
    }
    static void $sort($E *a, int n) {
    qsort(a, (size_t)n, sizeof(*a), $cmp);
    }
    """,
    """
    static void $sort($E a[], int n) {
    if (n < 2) {
    return;
    }
    int half = n / 2, i = 0, k = half, m = 0;
    $E *copy = malloc((size_t)n * sizeof($E));
    $sort(a, half);
    $sort(a + half, n - half);
    while (i < half || k < n) {
    copy[m++] = k == n || (i < half && a[i] <= a[k]) ? a[i++] : a[k++];
    }
    memcpy(a, copy, (size_t)n * sizeof($E));
    free(copy);
    }
    """,
)


def storage(site: Site, element: str, name: str, length: int) -> str:
    """Declare an array of `length` elements, not yet filled; the code that releases it."""
    match site.dice.below(4):
        case 0:
            site.draft.declare_global(f"static {element} {name}[{length}];")
        case 1:
            site.emit(f"{element} {name}[{length}];")
        case 2:
            site.emit(f"static {element} {name}[{length}];")
        case _:
            size = f"{length} * sizeof({element})"
            call = site.dice.pick((f"malloc({size})", f"calloc({length}, sizeof({element}))"))
            site.emit(f"{element} *{name} = {call};")
            return f"free({name});"
    return ""


def sort_fragment(site: Site) -> Iterator[None]:
    """Fill an array, sort it, search in it."""
    draft, dice = site.draft, site.dice
    element = dice.pick(("int", "short", "unsigned char", "long", "signed char", "unsigned"))
    low = 0 if element.startswith("unsigned") else -60
    length = dice.between(3, 9)
    names = {
        "E": element, "sort": draft.fresh("sort"), "cmp": draft.fresh("order"),
        "a": draft.fresh("data"), "n": str(length), "i": draft.fresh("i"),
        "m": draft.fresh("mid"), "f": draft.fresh("found"), "x": number(site, low, 60),
    }  # fmt: skip
    draft.define(dice.pick(_SORTS), **names)
    release = storage(site, element, names["a"], length)
    inner = site.inner()
    inner.result(names["i"], 0, length - 1)
    site.emit("for (int $i = 0; $i < $n; $i++) {", **names)
    site.emit("$a[$i] = ($E)$e;", e=number(inner, low, 60, 3), **names)
    site.emit("}")
    yield
    site.emit("$sort($a, $n);", **names)
    shown = "%ld" if element == "long" else "%d"
    site.emit(
        f"""
        for ($E *$i = $a; $i < $a + $n; $i++) {{
        printf("{shown} ", {"(int)*$i" if element != "long" else "*$i"});
        }}
        putchar('\\n');
        """,
        **names,
    )
    yield
    if dice.chance(60):
        _search(site, names)
    if release:
        yield
        site.emit(release)


def _search(site: Site, names: dict[str, str]) -> None:
    site.emit(
        """
        int $f = -1;
        for (int low = 0, high = $n - 1; low <= high;) {
        int $m = low + (high - low) / 2;
        if ((int)$a[$m] == $x) {
        $f = $m;
        break;
        }
        if ((int)$a[$m] < $x) {
        low = $m + 1;
        } else {
        high = $m - 1;
        }
        }
        printf("$f %d\\n", $f);
        """,
        **names,
    )
    site.result(names["f"], -1, int(names["n"]) - 1)


def matrix_fragment(site: Site) -> Iterator[None]:
    """Two-dimensional arrays passed to a function, transposed or multiplied."""
    draft, dice = site.draft, site.dice
    size = dice.between(2, 4)
    names = {
        "n": str(size), "mul": draft.fresh("combine"), "a": draft.fresh("grid"),
        "b": draft.fresh("grid"), "c": draft.fresh("grid"), "i": draft.fresh("row"),
        "k": draft.fresh("col"), "t": draft.fresh("trace"),
    }  # fmt: skip
    body = dice.pick(
        (
            "for (int m = 0; m < $n; m++) {\nz[i][k] += x[i][m] * y[m][k];\n}",
            "z[i][k] = x[k][i] - y[i][k];",
            "z[i][k] = x[i][k] > y[k][i] ? x[i][k] : y[k][i];",
            "*(*(z + i) + k) = (*(x + i))[k] + y[i][k] * (i - k);",
        )
    )
    draft.define(
        f"""
        static void $mul(int x[$n][$n], int (*y)[$n], int z[][$n]) {{
        for (int i = 0; i < $n; i++) {{
        for (int k = 0; k < $n; k++) {{
        {body}
        }}
        }}
        }}
        """,
        **names,
    )
    inner = site.inner()
    inner.result(names["i"], 0, size - 1)
    inner.result(names["k"], 0, size - 1)
    start = ", ".join(
        "{" + ", ".join(str(dice.between(-9, 9)) for _ in range(size)) + "}" for _ in range(size)
    )
    site.emit(f"int $a[$n][$n] = {{{start}}}, $b[$n][$n], $c[$n][$n] = {{{{0}}}};", **names)
    site.emit(
        """
        for (int $i = 0; $i < $n; $i++) {
        for (int $k = 0; $k < $n; $k++) {
        $b[$i][$k] = $e;
        }
        }
        """,
        e=number(inner, -9, 9), **names,
    )  # fmt: skip
    yield
    first, second = dice.pick((("a", "b"), ("b", "a"), ("a", "a")))
    site.emit(f"$mul(${first}, ${second}, $c);", **names)
    yield
    site.emit(
        """
        int $t = 0;
        for (int $i = 0; $i < $n; $i++) {
        $t += $c[$i][$i] * ($i + 1);
        printf("%d %d|", $c[$i][0], $c[0][$i]);
        }
        printf(" $t %d\\n", $t);
        """,
        **names,
    )
    site.result(names["t"], -5000, 5000)


def window_fragment(site: Site) -> Iterator[None]:
    """Running sums, histograms, rotations over one array."""
    draft, dice = site.draft, site.dice
    length = dice.between(4, 10)
    names = {
        "a": draft.fresh("seq"), "n": str(length), "i": draft.fresh("i"), "p": draft.fresh("p"),
        "h": draft.fresh("hist"), "b": draft.fresh("best"), "s": draft.fresh("shift"),
    }  # fmt: skip
    release = storage(site, "int", names["a"], length)
    inner = site.inner()
    inner.result(names["i"], 0, length - 1)
    site.emit(
        "for (int $i = 0; $i < $n; $i++) {\n*($a + $i) = $e;\n}", e=number(inner, 0, 15), **names
    )
    for kind in dice.some(("prefix", "histogram", "rotate", "maximum", "reverse", "copy"), 2):
        yield
        _window(site, kind, names)
    if release:
        yield
        site.emit(release)


_WINDOWS = {
    "prefix": """
        for (int $i = 1; $i < $n; $i++) {
        $a[$i] = ($a[$i] + $a[$i - 1]) & 63;
        }
        printf("$i %d\\n", $a[$n - 1]);
        """,
    "histogram": """
        unsigned char $h[8] = {0};
        for (const int *$p = $a; $p != $a + $n; ++$p) {
        $h[*$p & 7]++;
        }
        printf("$h %d %d %d\\n", $h[0], $h[3], $h[7]);
        """,
    "rotate": """
        for (int $s = $e; $s > 0; $s--) {
        int first = $a[0];
        memmove($a, $a + 1, ($n - 1) * sizeof(int));
        $a[$n - 1] = first;
        }
        printf("$s %d %d\\n", $a[0], $a[$n / 2]);
        """,
    "maximum": """
        int $b = $a[0];
        for (int $i = $n; $i-- > 1;) {
        $b = $a[$i] > $b ? $a[$i] : $b;
        }
        printf("$b %d\\n", $b);
        """,
    "reverse": """
        for (int *$p = $a, *$s = $a + $n - 1; $p < $s; $p++, $s--) {
        int held = *$p;
        *$p = *$s;
        *$s = held;
        }
        printf("$p %d\\n", *$a);
        """,
    "copy": """
        int $h[$n];
        memcpy($h, $a, sizeof $h);
        memset($a, 0, $n * sizeof(int));
        for (int $i = 0; $i < $n; $i += 2) {
        $a[$i] = $h[$n - 1 - $i];
        }
        printf("$h %d %d\\n", $a[0], memcmp($h, $a, sizeof(int)) == 0);
        """,
}


def _window(site: Site, kind: str, names: dict[str, str]) -> None:
    again = {**names, **{k: site.draft.fresh(k) for k in ("i", "p", "s")}}
    again["h"], again["b"] = site.draft.fresh("hist"), site.draft.fresh("best")
    site.emit(_WINDOWS[kind], e=number(site, 0, 4), **again)
    if kind == "maximum":
        site.result(again["b"], 0, 63)


def ring_fragment(site: Site) -> Iterator[None]:
    """A ring buffer in a struct, with counters of unsigned type that wrap."""
    draft, dice = site.draft, site.dice
    size = dice.pick((4, 8))
    names = {
        "R": draft.fresh("ring_buf"), "n": str(size), "put": draft.fresh("ring_put"),
        "get": draft.fresh("ring_get"), "r": draft.fresh("buf"), "i": draft.fresh("i"),
        "k": str(dice.between(3, 12)), "g": draft.fresh("taken"),
    }  # fmt: skip
    draft.declare_type("struct $R {\nunsigned char in, out;\nint slots[$n];\n};", **names)
    draft.define(
        """
        static int $put(struct $R *ring, int value) {
        if ((unsigned char)(ring->in - ring->out) == $n) {
        return 0;
        }
        ring->slots[ring->in++ & ($n - 1)] = value;
        return 1;
        }
        """,
        **names,
    )
    draft.define(
        """
        static int $get(struct $R *ring, int *value) {
        if (ring->in == ring->out) {
        return 0;
        }
        *value = ring->slots[ring->out++ % $n];
        return 1;
        }
        """,
        **names,
    )
    start = dice.pick((0, 250, 255))
    inner = site.inner()
    inner.result(names["i"], 0, int(names["k"]) - 1)
    site.emit(
        f"""
        struct $R $r = {{{start}, {start}, {{0}}}};
        int $g = 0;
        for (int $i = 0; $i < $k; $i++) {{
        if ($e % 3 == 0) {{
        int got = 0;
        if ($get(&$r, &got)) {{
        $g = ($g * 3 + got) % 1009;
        }}
        }} else if (!$put(&$r, $f)) {{
        printf("full at %d\\n", $i);
        }}
        }}
        printf("$g %d\\n", $g);
        """,
        e=number(inner, 0, 11), f=number(inner, 0, 99), **names,
    )  # fmt: skip
    site.result(names["g"], 0, 1008)
    yield

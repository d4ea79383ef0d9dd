"""Calls of the C library: strings, numbers as text, formatted output and input, sorting."""

from __future__ import annotations

from collections.abc import Iterator

from ..draft import Site
from ..expressions import number

_TEXTS = ("a,b;;c", "one two  three", "key=value", "x", "", "  lead", "2024-05-06", "aXbXc")


def string_fragment(site: Site) -> Iterator[None]:
    """Searching, splitting and copying strings."""
    draft, dice = site.draft, site.dice
    names = {
        "t": draft.fresh("txt"), "b": draft.fresh("txt_buf"), "p": draft.fresh("tp"),
        "q": draft.fresh("tq"), "n": draft.fresh("txt_n"), "T": dice.pick(_TEXTS),
        "D": dice.pick((",;", " ", "=-", "X")),
    }  # fmt: skip
    site.emit('char $t[24] = "$T", $b[24];\nint $n = 0;\nmemset($b, 0, sizeof $b);', **names)
    for text in dice.some(_STRING_STEPS, dice.between(2, 5)):
        fresh = {**names, "p": draft.fresh("tp"), "q": draft.fresh("tq")}
        site.emit(text, e=number(site, 0, 8, 1), **fresh)
        yield
    site.emit('printf("$n %d [%s] [%s]\\n", $n, $t, $b);', **names)


_STRING_STEPS = (
    '$n += (int)strspn($t, "abcdefgh") + (int)strcspn($t, "$D");',
    'char *$p = strpbrk($t, "$D");\n$n += $p ? (int)($p - $t) : -1;',
    "$n += strstr($t, \"X\") != NULL;\n$n += strrchr($t, 'e') ? 5 : 7;",
    "strncpy($b, $t, (size_t)$e);",
    "strncat($b, $t, (size_t)$e);\n$b[9] = 0;",
    "memmove($t + 1, $t, 6);",
    '$n += snprintf($b, (size_t)$e, "%s!", $t);',
    "char *$p = strdup($t);\n$n += (int)strlen($p);\nfree($p);",
    "char *$p = strndup($t, (size_t)$e);\nputs($p);\nfree($p);",
    """
    char *$p = strcpy($b, $t);
    for ($p = strtok($p, "$D"); $p; $p = strtok(NULL, "$D")) {
    printf("<%s>", $p);
    $n++;
    }
    $b[8] = 0;
    """,
    """
    char *$q, *$p = strtok_r(strcpy($b, $t), "$D", &$q);
    $n += $p ? *$p : *$q;
    """,
    """
    char *$q = strcpy($b, $t), *$p;
    while (($p = strsep(&$q, "$D")) != NULL) {
    $n += (int)strlen($p) * 2 + 1;
    }
    """,
    "char *$p = memchr($t, 'X', sizeof $t);\n$n += $p ? *$p : 0;",
    "$n += (int)(stpcpy($b, $t) - $b);",
    "$n += (memcmp($t, $b, 4) > 0) + (strcasecmp($t, $b) < 0) + (strncmp($t, $b, 3) == 0);",
    "char *$p = memccpy($b, $t, 'e', 10);\n$n += $p ? (int)($p - $b) : -1;\n$b[10] = 0;",
    "$n += (int)strnlen($t, (size_t)$e);",
)


def text_number_fragment(site: Site) -> Iterator[None]:
    """Numbers from text, and classes of characters."""
    draft, dice = site.draft, site.dice
    names = {
        "s": draft.fresh("num_txt"), "e": draft.fresh("num_end"), "n": draft.fresh("num"),
        "r": draft.fresh("num_r"), "p": draft.fresh("cp"), "k": draft.fresh("num_k"),
        "B": str(dice.pick((0, 10, 16, 8, 2, 36))),
        "T": dice.pick((" 42xyz", "-17", "0x1fg", "077", "zz", "", "+", "99999999999999999999")),
    }  # fmt: skip
    site.emit(
        """
        const char *$s = "$T";
        char *$e;
        long $n = strtol($s, &$e, $B);
        int $r = (int)($n % 1000) + (int)($e - $s) * 1000;
        printf("$r %d %d %lu\\n", $r, atoi("$f"), strtoul("$T", NULL, $B));
        """,
        f=dice.pick(("12", " -8b", "x")), **names,
    )  # fmt: skip
    site.result(names["r"], -1000, 30000)
    yield
    site.emit(
        """
        int $k = 0;
        for (const char *$p = "aZ5 _\\n\\t%f"; *$p; $p++) {
        unsigned char c = (unsigned char)*$p;
        $k = $k * 3 % 10007 + !!isalpha(c) + 2 * !!isdigit(c) + 4 * !!isspace(c) + !!isxdigit(c);
        $k += toupper(c) - tolower(c) + !!ispunct(c) * 8 + !!isupper(c) + !!isalnum(c);
        }
        printf("$k %d %c %d\\n", $k, toupper('a' + $f), isprint(7));
        """,
        f=number(site, 0, 25), **names,
    )  # fmt: skip


_CONVERSIONS = (
    # flags, conversion, a value of its type
    ("-+ 0", "d", "$i"), ("-+ 0", "ld", "(long)$i * 1000000007"), ("-#0", "x", "(unsigned)$i"),
    ("-#0", "lo", "(unsigned long)$i"), ("-0", "u", "(unsigned)$i"), ("-", "c", "'a' + $i % 20"),
    ("-", "s", '"text"'), ("-+ #0", "f", "$i / 8.0"), ("-+ #0", "e", "$i * 1024.0"),
    ("-+ #0", "g", "$i / 64.0"), ("-#0", "hhX", "$i"), ("-+0", "hd", "$i * 300"),
    ("-0", "zu", "(size_t)$i"), ("-+", "jd", "(intmax_t)$i"), ("-", "lld", "$i * 5000000000LL"),
    ("-+", "td", "(ptrdiff_t)$i"), ("-", "a", "$i * 0.5"),
)  # fmt: skip


def format_fragment(site: Site) -> Iterator[None]:
    """printf with random flags, widths and precisions."""
    draft, dice = site.draft, site.dice
    names = {"i": draft.fresh("fmt_v"), "b": draft.fresh("fmt_b"), "n": draft.fresh("fmt_n")}
    site.emit("int $i = $e;\nchar $b[40];", e=number(site, 0, 500), **names)
    for _ in range(dice.between(2, 4)):
        flags, conversion, value = dice.pick(_CONVERSIONS)
        chosen = "".join(flag for flag in flags if dice.chance(25))
        width = dice.pick(("", "", "3", "9", "14", "*"))
        precision = dice.pick(("", "", ".0", ".3", ".7", ".*"))
        if conversion in ("c", "a"):
            precision = ""
        stars = "".join(", $s" for part in (width, precision) if "*" in part)
        text = f"%{chosen}{width}{precision}{conversion}"
        site.emit(f'printf("[{text}]\\n"{stars}, {value});', s=number(site, 0, 9, 1), **names)
    yield
    site.emit(
        """
        int $n = snprintf($b, $k, "%05d:%s", $i, "tail");
        printf("$n %d %s%n\\n", $n, $b, &$i);
        printf("%d %%\\n", $i);
        """,
        k=dice.pick((1, 5, 9, 40)), **names,
    )  # fmt: skip
    site.result(names["n"], 0, 30)


def scan_fragment(site: Site) -> Iterator[None]:
    """sscanf over text that fits the format or does not."""
    draft, dice = site.draft, site.dice
    names = {
        "n": draft.fresh("scan_n"), "a": draft.fresh("scan_a"), "w": draft.fresh("scan_w"),
        "c": draft.fresh("scan_c"), "x": draft.fresh("scan_x"),
        "d": draft.fresh("scan_d"), "l": draft.fresh("scan_l"),
        "T": dice.pick(("12 word 7f", "5,6,7", "  -3abc", "", "x", "8 z 0x1A 2.5", "1 a b")),
    }  # fmt: skip
    form = dice.pick(("%d %7s %x", "%d,%7[0-9],%u", "%2d%7[a-z] %x", "%*d %7s%x", "%d%n %7s %x"))
    places = {"%*d": "$w, &$x", "%d%n": "&$a, &$l, $w, &$x"}
    given = next((to for head, to in places.items() if form.startswith(head)), "&$a, $w, &$x")
    site.emit(
        f"""
        int $a = -1, $l = 0;
        char $w[8] = "none";
        unsigned $x = 0;
        int $n = sscanf("$T", "{form}", {given});
        printf("$n %d %d %d %s %u\\n", $n, $a, $l, $w, $x);
        """,
        **names,
    )
    site.result(names["n"], -1, 4)
    yield
    site.emit(
        """
        double $d = strtod("$F", NULL);
        int $c = getchar();
        printf("%.3f %d %d\\n", $d, $c == EOF, feof(stdin) != 0);
        fputs("put", stdout);
        fputc('!', stdout);
        fwrite("raw\\n", 1, 4, stdout);
        """,
        F=dice.pick(("1.5e2", "-.25x", "0x1p4", "inf", "12")), **names,
    )  # fmt: skip


def sorting_fragment(site: Site) -> Iterator[None]:
    """qsort and bsearch over records; quotients; pseudo-random numbers."""
    draft, dice = site.draft, site.dice
    names = {
        "R": draft.fresh("row"), "c": draft.fresh("row_order"), "a": draft.fresh("row_list"),
        "k": draft.fresh("row_key"), "f": draft.fresh("row_found"), "i": draft.fresh("i"),
        "n": str(dice.between(3, 7)), "m": str(dice.between(3, 11)), "r": draft.fresh("row_sum"),
        "d": draft.fresh("shared"),
    }  # fmt: skip
    draft.declare_type("struct $R {\nshort key;\nchar name[6];\n};", **names)
    draft.define(
        """
        static int $c(const void *a, const void *b) {
        return ((const struct $R *)a)->key - ((const struct $R *)b)->key;
        }
        """,
        **names,
    )
    site.emit(
        """
        struct $R $a[$n];
        srand($m);
        for (int $i = 0; $i < $n; $i++) {
        $a[$i].key = (short)($i * $e % $m * 16 + $i);
        snprintf($a[$i].name, sizeof $a[$i].name, "r%d", rand() % 100);
        }
        qsort($a, $n, sizeof $a[0], $c);
        """,
        e=number(site, 0, 20), **names,
    )  # fmt: skip
    yield
    site.emit(
        """
        struct $R $k = {.key = $a[1].key};
        struct $R *$f = bsearch(&$k, $a, $n, sizeof *$a, $c);
        div_t $d = div(-$a[2].key, 7);
        int $r = (int)($f - $a) + $d.quot + $d.rem + (int)labs(-3L);
        printf("$r %d %s %s\\n", $r, $f->name, $a[$n - 1].name);
        $k.key = -1;
        printf("%d\\n", bsearch(&$k, $a, $n, sizeof *$a, $c) == NULL);
        """,
        **names,
    )
    site.result(names["r"], -500, 500)

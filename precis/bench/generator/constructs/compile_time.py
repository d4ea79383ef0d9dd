"""What the compiler knows: builtins, types of expressions, selection by type, macros."""

from __future__ import annotations

from collections.abc import Iterator

from ..draft import Site
from ..expressions import number

_INTEGERS = (
    "int", "unsigned", "long", "unsigned long", "long long", "short", "unsigned char",
    "signed char", "unsigned short",
)  # fmt: skip


def overflow_fragment(site: Site) -> Iterator[None]:
    """Arithmetic that says whether it overflowed, with operands and results of mixed types."""
    draft, dice = site.draft, site.dice
    for _ in range(dice.between(1, 3)):
        names = {
            "o": dice.pick(("add", "sub", "mul")), "r": draft.fresh("flow"),
            "c": draft.fresh("over"),
            "E": dice.pick(_INTEGERS), "A": dice.pick(_INTEGERS), "B": dice.pick(_INTEGERS),
            "k": dice.pick(("1", "127", "65535", "2147483647", "-2147483647", "46341", "255")),
        }  # fmt: skip
        site.emit(
            """
            $E $r;
            int $c = __builtin_${o}_overflow(($A)$e, ($B)$k, &$r);
            printf("$c %d %lld\\n", $c, (long long)$r);
            """,
            e=number(site, -300, 70000), **names,
        )  # fmt: skip
        site.result(names["c"], 0, 1)
        yield


def bit_count_fragment(site: Site) -> Iterator[None]:
    """Counts of bits, byte order, rotation, as compilers offer them."""
    draft, dice = site.draft, site.dice
    names = {"x": draft.fresh("word_b"), "y": draft.fresh("long_b"), "r": draft.fresh("counted")}
    site.emit(
        "unsigned $x = (unsigned)$e * 2654435761u | 16u;\n"
        "unsigned long long $y = (unsigned long long)$x * 0x9E3779B97F4A7C15ULL | 1ULL << 40;",
        e=number(site, 0, 4000), **names,
    )  # fmt: skip
    calls = dice.some(
        (
            "__builtin_clz($x)", "__builtin_ctz($x)", "__builtin_popcount($x)",
            "__builtin_parity($x)", "__builtin_ffs((int)$x)", "__builtin_clzll($y)",
            "__builtin_ctzll($y)", "__builtin_popcountll($y)", "__builtin_parityll($y)",
            "__builtin_ffsll((long long)$y)", "__builtin_clzl($y)", "__builtin_popcountl($y)",
            "(int)(__builtin_bswap32($x) & 1023)",
            "(int)__builtin_bswap16((unsigned short)$x) % 99",
            "(int)(__builtin_bswap64($y) >> 54)", "(int)(($x << 7 | $x >> 25) & 511)",
            "__builtin_clrsb((int)$x)",
        ),
        dice.between(2, 4),
    )  # fmt: skip
    total = " + ".join(f"{call} * {dice.between(1, 5)}" for call in calls)
    site.emit(f'int $r = {total};\nprintf("$r %d\\n", $r);', **names)
    site.result(names["r"], 0, 50000)
    yield


def builtin_fragment(site: Site) -> Iterator[None]:
    """Builtins that shadow the library, offsets, expectations, choices at compile time."""
    draft, dice = site.draft, site.dice
    names = {
        "R": draft.fresh("rec_b"), "x": draft.fresh("rb"), "y": draft.fresh("rb_copy"),
        "r": draft.fresh("built"), "f": draft.fresh("weigh_b"), "k": str(dice.between(1, 3)),
    }  # fmt: skip
    draft.declare_type("struct $R {\nchar tag[3];\nstruct {\nint a[4];\n} in;\n};", **names)
    draft.define(
        """
        static int $f(int n) {
        if (__builtin_expect(n > 50, 0)) {
        return 1;
        }
        switch (n & 1) {
        case 0:
        return 2;
        case 1:
        return 3;
        }
        __builtin_unreachable();
        }
        """,
        **names,
    )
    site.emit(
        """
        struct $R $x, $y;
        __builtin_memset(&$x, 0, sizeof $x);
        $x.in.a[$k] = $e;
        __builtin_memcpy(&$y, &$x, sizeof $y);
        __builtin_strcpy($y.tag, "ab");
        int $r = (int)offsetof(struct $R, in.a[$k]) + $f($y.in.a[$k]) * 100;
        $r += __builtin_choose_expr(sizeof(long) == 8, 1000, "no");
        $r += __builtin_types_compatible_p(int, __typeof__($y.in.a[0])) * 2000;
        $r += __builtin_memcmp(&$x.in, &$y.in, sizeof $x.in) == 0;
        $r += (int)__builtin_strlen($y.tag) + __builtin_abs(-4) + __builtin_constant_p(3);
        printf("$r %d\\n", $r);
        """,
        e=number(site, 0, 99), **names,
    )  # fmt: skip
    site.result(names["r"], 0, 5000)
    yield


def statement_expression_fragment(site: Site) -> Iterator[None]:
    """Statement expressions and typeof, as macros use them."""
    draft = site.draft
    names = {
        "M": draft.fresh("LARGER"), "S": draft.fresh("SWAP"), "r": draft.fresh("larger"),
        "a": draft.fresh("se_a"), "b": draft.fresh("se_b"), "i": draft.fresh("i"),
        "p": draft.fresh("se_p"), "t": draft.fresh("se_t"),
    }  # fmt: skip
    draft.declare_type(
        """
        #define $M(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
        #define $S(x, y) do { __typeof__(x) kept_ = (x); (x) = (y); (y) = kept_; } while (0)
        """,
        **names,
    )
    site.emit(
        """
        int $a = $e, $b = $f;
        $S($a, $b);
        __typeof__(&$a) $p = &$b;
        int $r = $M($a * 2, *$p) + $M($M($a, 3), $g);
        $r += ({
        int total = 0;
        for (__typeof__($a) $i = 0; $i < 5; $i++) {
        if ($i == 3) {
        break;
        }
        total += $i * $a;
        }
        total;
        });
        __auto_type $t = (short)$b;
        $r += ($a ?: 17) + (int)sizeof $t + ({ struct { int q; } s = {$b}; s; }).q;
        printf("$r %d %d\\n", $r, $a);
        """,
        e=number(site, -60, 60), f=number(site, -60, 60), g=number(site, 0, 9), **names,
    )  # fmt: skip
    site.result(names["r"], -2000, 2000)
    yield


def generic_fragment(site: Site) -> Iterator[None]:
    """Selection by type, and assertions that the compiler checks."""
    draft, dice = site.draft, site.dice
    names = {
        "K": draft.fresh("KIND_OF"), "A": draft.fresh("SIZE_UP"), "f": draft.fresh("up_int"),
        "g": draft.fresh("up_real"), "r": draft.fresh("kind_sum"), "c": draft.fresh("small_one"),
        "T": draft.fresh("checked"), "s": draft.fresh("gen_s"),
    }  # fmt: skip
    draft.declare_type(
        """
        #define $K(e) _Generic((e), char: 1, short: 2, int: 3, unsigned: 4, long: 5, \
float: 6, double: 7, char *: 8, const char *: 9, int *: 10, default: 11)
        #define $A(e) _Generic((e), double: $g, default: $f)(e)
        struct $T {
        int a;
        _Static_assert(sizeof(int) == 4, "int");
        char b;
        };
        _Static_assert(sizeof(struct $T) == 8 && _Alignof(struct $T) == 4, "checked");
        """,
        **names,
    )
    draft.define("static int $f(long n) {\nreturn (int)n + 1;\n}", **names)
    draft.define("static int $g(double n) {\nreturn (int)(n * 2);\n}", **names)
    picked = dice.some(
        (
            "$c", "+$c", "$c + 1u", "1.5f", "1.5f * 2", '"text"', "&$r", "1L", "'a'", "(short)1",
            "$c ? 1 : 2L", "&$s", "$s.a", "$s.b", "sizeof 1", "(const char *)0", "1 == 1L",
        ),
        dice.between(2, 5),
    )  # fmt: skip
    kinds = " + ".join(f"$K({text}) * {3**place}" for place, text in enumerate(picked))
    site.emit(
        f"""
        char $c = (char)$e;
        struct $T $s = {{1, 2}};
        int $r = 0;
        _Static_assert(sizeof $c == 1, "char");
        $r = {kinds};
        $r += $A($c) + $A(2.5) + $A($s.a);
        printf("$r %d\\n", $r);
        """,
        e=number(site, 0, 99), **names,
    )  # fmt: skip
    site.result(names["r"], 0, 20000)
    yield


def dispatch_fragment(site: Site) -> Iterator[None]:
    """Functions of one type that a macro selects by the type of its argument."""
    draft = site.draft
    names = {
        "A": draft.fresh("SIZE_UP"), "f": draft.fresh("up_int"), "g": draft.fresh("up_long"),
        "r": draft.fresh("sized"), "c": draft.fresh("sized_c"),
    }  # fmt: skip
    draft.declare_type("#define $A(e) _Generic((e), char: $f, int: $f, default: $g)(e)", **names)
    draft.define("static int $f(long n) {\nreturn (int)n + 1;\n}", **names)
    draft.define("static int $g(long n) {\nreturn (int)n * 2;\n}", **names)
    site.emit(
        """
        char $c = (char)$e;
        int $r = $A($c) + $A(7L) + $A((short)$c) + $A($c + 1);
        printf("$r %d\\n", $r);
        """,
        e=number(site, 0, 99), **names,
    )  # fmt: skip
    site.result(names["r"], 0, 500)
    yield


def syntax_fragment(site: Site) -> Iterator[None]:
    """Ways to write things: macros, old definitions, commas, odd constants, odd indexing."""
    draft, dice = site.draft, site.dice
    names = {
        "J": draft.fresh("JOIN"), "Q": draft.fresh("QUOTE"), "V": draft.fresh("SHOW"),
        "f": draft.fresh("old_style"), "a": draft.fresh("syn"), "r": draft.fresh("syn_sum"),
        "x": draft.fresh("syn_x"), "L": draft.fresh("COUNT_OF"), "i": draft.fresh("i"),
    }  # fmt: skip
    draft.declare_type(
        """
        #define $J(a, b) a##b
        #define $Q(...) #__VA_ARGS__
        #define $V(form, ...) printf("<" form ">\\n", ##__VA_ARGS__)
        #define $L(a) (sizeof(a) / sizeof *(a))
        """,
        **names,
    )
    draft.define(
        dice.pick(
            (
                "static int $f(a, b)\nint a;\nchar b;\n{\nreturn a - b;\n}",
                "static int $f(int a, char b) {\nreturn __extension__ (a) - (b, b);\n}",
            )
        ),
        **names,
    )
    parts = dice.some(
        (
            "0b1011", "0x1.8p3", "'\\101'", "'\\x7e'", "1e2", "010", "2[$a]", "(&$a[3])[-1]",
            "*(1 + $a)", "(int)$L($a)", "(int)sizeof $Q(a, b)", "$f($r, 'b')", "($r++, $r)",
            "!!$r", "- -$r", "(_Bool)0.5", "(unsigned char)-1", "$J($, r)",
            "(int)sizeof(int[2][3])",
            "(int)sizeof __func__", "-7 / 2", "-7 % 3", "(char)200", "\"abc\"\"def\"[4]",
            "(int)(3.99f)", "(short)70000", "~0u >> 28", "1 ? -1 : 0u",
        ),
        dice.between(3, 6),
    )  # fmt: skip
    parts = [part.replace("$J($, r)", f"$J({names['r'][0]}, {names['r'][1:]})") for part in parts]
    site.emit("int $a[4] = {$e, 2, [3] = 9};\nint $r = $a[0] % 7;", e=number(site, 0, 50), **names)
    for part in parts:
        site.emit(f"$r = (int)({part}) % 500 + $r % 100;", **names)
    site.emit('$V("%d %s", $r, $Q(x + "y"));\n$V("none");', **names)
    site.result(names["r"], -700, 700)
    yield


def wide_integer_fragment(site: Site) -> Iterator[None]:
    """Arithmetic in 128 bits."""
    draft, dice = site.draft, site.dice
    names = {
        "x": draft.fresh("huge"), "y": draft.fresh("huge_u"), "r": draft.fresh("huge_low"),
        "s": str(dice.between(1, 90)), "d": str(dice.pick((3, 7, 1000000007))),
    }  # fmt: skip
    site.emit(
        """
        __int128 $x = (__int128)$e * ((__int128)1 << $s) - 12345;
        unsigned __int128 $y = (unsigned __int128)$x * $x;
        $x = $x / $d - ($x >> 3);
        int $r = (int)($y % $d % 10000);
        printf("$r %d %llx %llx %d\\n", $r, (unsigned long long)$x,
        (unsigned long long)($x >> 64), $x < 0);
        """,
        e=number(site, -900, 900), **names,
    )  # fmt: skip
    site.result(names["r"], 0, 9999)
    yield

"""Arithmetic idioms: checksums, primes, fixed point, exact floating point."""

from __future__ import annotations

from collections.abc import Iterator

from .draft import Site
from .expressions import number
from .statements import computation, declare_array


def random_fragment(site: Site) -> Iterator[None]:
    """Random statements over scalars and arrays."""
    if site.dice.chance(40):
        declare_array(site)
    for _ in range(site.dice.between(1, 2)):
        computation(site, site.dice.between(2, 4), 2)
        yield


def checksum_fragment(site: Site) -> Iterator[None]:
    """Shifts and wrapping products over a few rounds."""
    draft, dice = site.draft, site.dice
    kind, bits = dice.pick(
        (("unsigned", 32), ("unsigned long long", 64), ("unsigned char", 8), ("unsigned short", 16))
    )
    turn = dice.between(1, bits - 1)
    names = {
        "E": kind, "h": draft.fresh("crc"), "i": draft.fresh("i"), "n": str(dice.between(2, 6)),
        "s": str(turn), "b": str(bits - turn), "m": str(dice.pick((33, 131, 16777619))),
        "r": draft.fresh("crc_low"),
    }  # fmt: skip
    inner = site.inner()
    inner.result(names["i"], 0, int(names["n"]) - 1)
    site.emit(
        """
        $E $h = 1;
        for (int $i = 0; $i < $n; $i++) {
        $h = ($E)($h << $s) | ($E)($h >> $b);
        $h ^= ($E)$e;
        $h = ($E)($h * $mu);
        }
        int $r = (int)($h & 1023);
        printf("$r %d\\n", $r);
        """.replace("$mu", "${m}u"),
        e=number(inner, 0, 5000), **names,
    )  # fmt: skip
    site.result(names["r"], 0, 1023)
    yield


def double_fragment(site: Site) -> Iterator[None]:
    """Floating point whose every result is exact in binary, so that rounding plays no part."""
    draft, dice = site.draft, site.dice
    kind = dice.pick(("double", "double", "float"))
    names = {
        "E": kind, "x": draft.fresh("level"), "y": draft.fresh("ratio"), "i": draft.fresh("i"),
        "n": str(dice.between(2, 5)), "f": draft.fresh("half_sum"), "r": draft.fresh("whole"),
        "q": dice.pick(("0.5", "0.25", "1.5", "-2.0")),
    }  # fmt: skip
    draft.define("static $E $f($E a, $E b) {\nreturn (a + b) / 2;\n}", **names)
    site.emit("$E $x = $e;\n$E $y = ($E)$q;", e=number(site, -64, 64), **names)
    site.emit(
        """
        for (int $i = 0; $i < $n; $i++) {
        $x = $f($x, $y) + $i;
        if ($x > 8) {
        $x -= 8;
        } else if (!($x >= -8)) {
        $x = -$x * 0.5f;
        }
        }
        int $r = (int)($x * 4);
        printf("%.6f $r %d\\n", (double)$x, $r);
        """,
        **names,
    )
    site.result(names["r"], -400, 400)
    yield
    site.emit('printf("%d %g\\n", $x < $y, (double)$y * 3);', **names)


def prime_fragment(site: Site) -> Iterator[None]:
    """A sieve, or trial division."""
    draft, dice = site.draft, site.dice
    names = {
        "c": draft.fresh("sieve"), "i": draft.fresh("i"), "k": draft.fresh("k"),
        "n": str(dice.between(12, 30)), "p": draft.fresh("primes"), "f": draft.fresh("is_prime"),
    }  # fmt: skip
    if dice.chance(50):
        site.emit(
            """
            char $c[$n + 1];
            memset($c, 1, sizeof $c);
            int $p = 0;
            for (int $i = 2; $i <= $n; $i++) {
            if (!$c[$i]) {
            continue;
            }
            $p++;
            for (int $k = $i + $i; $k <= $n; $k += $i) {
            $c[$k] = 0;
            }
            }
            printf("$p %d\\n", $p);
            """,
            **names,
        )
    else:
        draft.define(
            """
            static int $f(int n) {
            int d = 2;
            while (d * d <= n && n % d != 0) {
            ++d;
            }
            return n > 1 && d * d > n;
            }
            """,
            **names,
        )
        site.emit(
            "int $p = $f($e) + 2 * $f($g);", e=number(site, 0, 200), g=number(site, 0, 50), **names
        )
        site.emit('printf("$p %d\\n", $p);', **names)
    site.result(names["p"], 0, 20)
    yield

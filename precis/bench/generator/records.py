"""Structs by value, tagged unions, bit-fields, representation bytes, nested records."""

from __future__ import annotations

from collections.abc import Iterator

from .draft import Site
from .expressions import number


def union_fragment(site: Site) -> Iterator[None]:
    """An array of tagged unions, read by their tag."""
    draft, dice = site.draft, site.dice
    count = dice.between(2, 5)
    names = {
        "K": draft.fresh("kind"), "S": draft.fresh("shape"), "area": draft.fresh("area"),
        "s": draft.fresh("shapes"), "n": str(count), "i": draft.fresh("i"),
        "t": draft.fresh("areas"),
        "A": draft.fresh("DOT"), "B": draft.fresh("BOX"), "C": draft.fresh("TEXT"),
    }  # fmt: skip
    draft.declare_type(
        """
        enum $K { $A, $B = 4, $C };
        struct $S {
        enum $K kind;
        union {
        int radius;
        struct {
        short width, height;
        } box;
        char text[6];
        } as;
        };
        """,
        **names,
    )
    draft.define(
        """
        static int $area(const struct $S *shape) {
        switch (shape->kind) {
        case $A:
        return shape->as.radius * 3;
        case $B:
        return shape->as.box.width * shape->as.box.height;
        case $C:
        return (int)strlen(shape->as.text);
        }
        return -1;
        }
        """,
        **names,
    )
    site.emit("struct $S $s[$n];", **names)
    for place in range(count):
        _tagged(site, place, names)
    yield
    site.emit(
        """
        int $t = 0;
        for (int $i = 0; $i < $n; $i++) {
        $t += $area($s + $i);
        printf("%d:%d ", (int)$s[$i].kind, $area(&$s[$i]));
        }
        putchar('\\n');
        """,
        **names,
    )
    site.result(names["t"], 0, 1000)


def _tagged(site: Site, place: int, names: dict[str, str]) -> None:
    at = {**names, "p": str(place)}
    match site.dice.below(3):
        case 0:
            text = "$s[$p] = (struct $S){.kind = $A, .as.radius = $e};"
        case 1:
            text = "$s[$p].kind = $B;\n$s[$p].as.box.width = 3;\n$s[$p].as.box.height = $e;"
        case _:
            text = '$s[$p].kind = $C;\nsprintf($s[$p].as.text, "%d", $e);'
    site.emit(text, e=number(site, 0, 50), **at)


def bits_fragment(site: Site) -> Iterator[None]:
    """Bit-fields of several widths, which wrap as their width says."""
    draft, dice = site.draft, site.dice
    wide = dice.between(3, 9)
    names = {
        "F": draft.fresh("flags"), "f": draft.fresh("fl"), "w": str(wide),
        "r": draft.fresh("packed"),
        "i": draft.fresh("i"),
    }  # fmt: skip
    draft.declare_type(
        """
        struct $F {
        unsigned mode : 3;
        unsigned count : $w;
        signed int delta : 5;
        unsigned ready : 1;
        unsigned char rest;
        };
        """,
        **names,
    )
    site.emit("struct $F $f = {.mode = 2, .rest = 7};", **names)
    site.emit(
        "$f.count = (unsigned)$e;\n$f.delta = $d;",
        e=number(site, 0, 300),
        d=number(site, -15, 14),
        **names,
    )
    yield
    inner = site.inner()
    inner.result(names["i"], 0, 4)
    site.emit(
        """
        for (int $i = 0; $i < 5; $i++) {
        $f.count += 3;
        $f.mode ^= (unsigned)$e;
        $f.ready = $f.mode > 2 || $f.delta < 0;
        $f.rest = (unsigned char)($f.rest * 5 + $f.ready);
        }
        int $r = $f.mode * 1000 + $f.count + $f.delta;
        printf("$r %d %d %d\\n", $r, $f.ready, $f.rest);
        """,
        e=number(inner, 0, 7), **names,
    )  # fmt: skip
    site.result(names["r"], -16, 8000)


def value_fragment(site: Site) -> Iterator[None]:
    """Structs passed and returned by value; the caller's copy must not change."""
    draft, dice = site.draft, site.dice
    kind = dice.pick(("int", "short", "long"))
    names = {
        "P": draft.fresh("point"), "E": kind, "make": draft.fresh("make_point"),
        "turn": draft.fresh("turn"), "far": draft.fresh("apart"), "a": draft.fresh("a_pt"),
        "b": draft.fresh("b_pt"), "d": draft.fresh("gap"), "s": draft.fresh("path"),
        "S": draft.fresh("segment"), "swap": draft.fresh("swap_ends"),
    }  # fmt: skip
    draft.declare_type(
        """
        typedef struct $P {
        $E x;
        $E y;
        } $P;
        typedef struct $S {
        $P from, to;
        char label[4];
        } $S;
        """,
        **names,
    )
    draft.define("static $P $make(int x, int y) {\n$P p = {($E)x, ($E)y};\nreturn p;\n}", **names)
    draft.define(
        """
        static $P $turn($P p) {
        $E old = p.x;
        p.x = -p.y;
        p.y = old;
        return p;
        }
        """,
        **names,
    )
    draft.define(
        """
        static int $far($P a, $P b) {
        int dx = (int)(a.x - b.x), dy = (int)(a.y - b.y);
        return (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy);
        }
        """,
        **names,
    )
    site.emit("$P $a = $make($e, $f);", e=number(site, -99, 99), f=number(site, -99, 99), **names)
    site.emit(
        "$P $b = $turn($c);", c=dice.pick((names["a"], f"{names['turn']}({names['a']})")), **names
    )
    yield
    site.emit("int $d = $far($a, $b);", **names)
    site.result(names["d"], 0, 1000)
    site.emit('printf("%d %d $d %d\\n", (int)$b.x, (int)$turn($b).y, $d);', **names)
    if dice.chance(60):
        yield
        _segment(site, names)


def _segment(site: Site, names: dict[str, str]) -> None:
    site.draft.define(
        """
        static $S $swap(const $S *s) {
        $S result = *s;
        result.from = s->to;
        result.to = s->from;
        result.label[0]++;
        return result;
        }
        """,
        **names,
    )
    site.emit(
        """
        $S $s = {$a, {1, 2}, "pq"};
        $s = $swap(&$s);
        printf("%s %d %d\\n", $s.label, (int)$s.from.y, $s.to.x == $a.x);
        """,
        **names,
    )


def bytes_fragment(site: Site) -> Iterator[None]:
    """The bytes of an object, through a union and through a pointer to unsigned char."""
    draft, dice = site.draft, site.dice
    names = {
        "U": draft.fresh("word"), "u": draft.fresh("w"), "x": draft.fresh("xored"),
        "i": draft.fresh("i"), "p": draft.fresh("raw"), "q": draft.fresh("back"),
    }  # fmt: skip
    draft.declare_type(
        """
        union $U {
        unsigned whole;
        unsigned short half[2];
        unsigned char byte[4];
        };
        """,
        **names,
    )
    site.emit(
        """
        union $U $u;
        $u.whole = $cu * (unsigned)$e;
        unsigned char $x = 0;
        for (int $i = 0; $i < 4; $i++) {
        $x ^= (unsigned char)($u.byte[$i] + $i);
        }
        $u.half[1] = (unsigned short)($u.half[0] + $x);
        printf("%x %d\\n", $u.whole, $x);
        """.replace("$cu", dice.pick(("2654435761u", "40503u", "65599u"))),
        e=number(site, 0, 5000), **names,
    )  # fmt: skip
    yield
    site.emit(
        """
        const unsigned char *$p = (const unsigned char *)&$u;
        unsigned $q = 0;
        for (size_t $i = sizeof $u; $i-- > 0;) {
        $q = $q << 8 | $p[$i];
        }
        printf("%d\\n", $q == $u.whole);
        """,
        **names,
    )


def nested_fragment(site: Site) -> Iterator[None]:
    """Records that point to each other; several names for one field."""
    draft, dice = site.draft, site.dice
    people = dice.between(2, 4)
    names = {
        "P": draft.fresh("person"), "T": draft.fresh("team"), "t": draft.fresh("crew"),
        "m": draft.fresh("all"), "n": str(people), "i": draft.fresh("i"),
        "boss": draft.fresh("boss"),
        "pp": draft.fresh("alias"), "s": draft.fresh("score"), "f": draft.fresh("field"),
    }  # fmt: skip
    draft.declare_type(
        """
        struct $T;
        struct $P {
        int score;
        struct $T *team;
        struct $P *mentor;
        };
        struct $T {
        struct $P *lead;
        int *best;
        long total;
        };
        """,
        **names,
    )
    inner = site.inner()
    inner.result(names["i"], 0, people - 1)
    site.emit(
        """
        struct $T $t = {NULL, NULL, 0};
        struct $P $m[$n];
        for (int $i = 0; $i < $n; $i++) {
        $m[$i].score = $e;
        $m[$i].team = &$t;
        $m[$i].mentor = $i ? &$m[$i - 1] : NULL;
        if (!$t.best || $m[$i].score > *$t.best) {
        $t.best = &$m[$i].score;
        $t.lead = &$m[$i];
        }
        }
        """,
        e=number(inner, 0, 40), **names,
    )  # fmt: skip
    yield
    site.emit(
        """
        struct $P *$boss = $t.lead;
        struct $P **const $pp = &$boss;
        int *$f = &(*$pp)->score;
        *$f += 5;
        $boss->team->total += *$t.best;
        for (struct $P *p = &$m[$n - 1]; p != NULL; p = p->mentor) {
        p->team->total += p->score;
        }
        int $s = (int)($t.total * 2 - *$f);
        printf("$s %d %d\\n", $s, $boss == $t.lead);
        """,
        **names,
    )
    site.result(names["s"], -100, 1000)

"""Members of records: bit-fields, anonymous, flexible and packed ones, unions, containers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..draft import Site
from ..expressions import number

_BIT_TYPES = {
    "unsigned": 32, "signed int": 32, "unsigned char": 8, "signed char": 8, "unsigned short": 16,
    "short": 16, "_Bool": 1, "unsigned long": 64, "long long": 64,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Bits:
    """A bit-field; gcc computes in the width of one that is wider than int, clang does not."""

    name: str
    type: str
    width: int

    @property
    def is_wide(self) -> bool:
        return self.width > 32


def bit_field_fragment(site: Site) -> Iterator[None]:
    """Bit-fields of random types and widths, stored, changed in place, copied and printed."""
    draft, dice = site.draft, site.dice
    names = {"B": draft.fresh("bits"), "b": draft.fresh("reg"), "c": draft.fresh("reg_copy")}
    fields = _bit_fields(site)
    lines = []
    for field in fields:
        lines.append(f"{field.type} {field.name} : {field.width};")
        if dice.chance(25):
            lines.append(
                dice.pick(("unsigned : 0;", "int : 3;", "char gap;", "unsigned short : 0;"))
            )
            lines[-1] = lines[-1].replace("gap", f"gap_{field.name}")
    packed = dice.pick(("", "", " __attribute__((packed))"))
    draft.declare_type("\n".join(["struct $B {", *lines, f"}}{packed};"]), **names)
    start = ", ".join(f".{field.name} = {dice.below(9)}" for field in dice.some(fields, 2))
    site.emit(f"struct $B $b = {{{start}}};", **names)
    for _ in range(dice.between(2, 5)):
        _change_bits(site, dice.pick(fields), names["b"])
    yield
    site.emit("struct $B $c = $b;", **names)
    for _ in range(dice.between(1, 3)):
        _change_bits(site, dice.pick(fields), names["c"])
    for field in fields:
        site.emit(
            'printf("%lld %lld\\n", (long long)$b.$f, (long long)$c.$f);', f=field.name, **names
        )


def _bit_fields(site: Site) -> list[_Bits]:
    fields = []
    for place in range(site.dice.between(2, 6)):
        type_ = site.dice.pick(tuple(_BIT_TYPES))
        fields.append(_Bits(f"f{place}", type_, site.dice.between(1, _BIT_TYPES[type_])))
    return fields


def _change_bits(site: Site, field: _Bits, record: str) -> None:
    dice = site.dice
    place = f"{record}.{field.name}"
    if field.is_wide or dice.chance(40):
        site.emit(f"{place} = {number(site, -300, 300)};")
        return
    operation = dice.pick(("+=", "^=", "|=", "&=", "-=", "++", "--", "=-", "?"))
    if operation in ("++", "--"):
        # Counting past the largest int would overflow; this keeps the bits that matter.
        site.emit(f"{place} = {place} & 15;\n{place}{operation};")
    elif operation == "=-":
        site.emit(f"{place} = !{place};")
    elif operation == "?":
        site.emit(f"{place} = {place} > 2 ? {number(site, 0, 7)} : {number(site, 0, 99)};")
    else:
        site.emit(f"{place} = {place} & 63;\n{place} {operation} {number(site, 0, 63)};")


def anonymous_fragment(site: Site) -> Iterator[None]:
    """Anonymous structs and unions in a record, and designators that reach into them."""
    draft, dice = site.draft, site.dice
    names = {
        "T": draft.fresh("token"), "t": draft.fresh("tok"), "f": draft.fresh("token_sum"),
        "r": draft.fresh("tokens"), "p": draft.fresh("tokp"), "i": draft.fresh("i"),
    }  # fmt: skip
    inner = dice.pick(
        (
            "struct {\nshort row, col;\n};\nint pos;",
            "struct {\nunsigned char a, b, c, d;\n};\nint pos;\nunsigned all;",
            "int pos;\nstruct {\nint first;\nunion {\nint second;\nchar tag[4];\n};\n};",
        )
    )
    draft.declare_type(
        f"""
        struct $T {{
        char kind;
        union {{
        {inner}
        }};
        struct {{
        long id;
        struct $T *up;
        }};
        }};
        """,
        **names,
    )
    draft.define(
        """
        static long $f(const struct $T *t) {
        long total = 0;
        for (; t; t = t->up) {
        total += t->id * 2 + t->pos % 1000 + t->kind;
        }
        return total;
        }
        """,
        **names,
    )
    site.emit(
        """
        struct $T $t[3] = {{.kind = 'a', .pos = $e, .id = 4}, [2] = {.id = $g, .up = &$t[0]}};
        $t[1] = (struct $T){'b', {.pos = $h}, .up = &$t[2]};
        """,
        e=number(site, 0, 900), g=number(site, 0, 30), h=number(site, 0, 70000), **names,
    )  # fmt: skip
    yield
    site.emit(
        """
        struct $T *$p = &$t[1];
        $p->id += $p->up->id;
        int $r = (int)$f($p);
        printf("$r %d %d\\n", $r, $t[1].pos);
        """,
        **names,
    )
    site.result(names["r"], -10000, 10000)


def flexible_fragment(site: Site) -> Iterator[None]:
    """A record that ends in a flexible array, made, grown and freed."""
    draft, dice = site.draft, site.dice
    names = {
        "P": draft.fresh("packet"), "E": dice.pick(("int", "short", "unsigned char", "long")),
        "make": draft.fresh("packet_make"), "grow": draft.fresh("packet_grow"),
        "p": draft.fresh("pkt"), "i": draft.fresh("i"), "s": draft.fresh("pkt_sum"),
        "n": str(dice.between(1, 5)), "m": str(dice.between(1, 4)),
        "H": dice.pick(("unsigned char tag;", "int tag : 5;", "unsigned tag;")),
    }  # fmt: skip
    draft.declare_type("struct $P {\nunsigned short size;\n$H\n$E data[];\n};", **names)
    draft.define(
        """
        static struct $P *$make(int size) {
        struct $P *made = malloc(sizeof *made + (size_t)size * sizeof made->data[0]);
        made->size = (unsigned short)size;
        made->tag = 3;
        for (int i = 0; i < size; i++) {
        made->data[i] = ($E)(i * 7);
        }
        return made;
        }
        """,
        **names,
    )
    site.emit("struct $P *$p = $make($n);", **names)
    if dice.chance(60):
        yield
        draft.define(
            """
            static struct $P *$grow(struct $P *old, int extra) {
            size_t size = old->size + (size_t)extra;
            struct $P *made = realloc(old, offsetof(struct $P, data) + size * sizeof(old->data[0]));
            while (made->size < size) {
            made->data[made->size++] = ($E)extra;
            }
            return made;
            }
            """,
            **names,
        )
        site.emit("$p = $grow($p, $m);", **names)
    yield
    site.emit(
        """
        int $s = 0;
        for (int $i = 0; $i < $p->size; $i++) {
        $s += (int)$p->data[$i] + $p->tag;
        }
        printf("$s %d %d\\n", $s, (int)$p->size);
        free($p);
        """,
        **names,
    )
    site.result(names["s"], 0, 2000)


def packed_fragment(site: Site) -> Iterator[None]:
    """A packed record written into bytes and read back; an aligned one."""
    draft, dice = site.draft, site.dice
    names = {
        "W": draft.fresh("wire"), "w": draft.fresh("msg"), "b": draft.fresh("frame"),
        "q": draft.fresh("msg_back"), "i": draft.fresh("i"), "x": draft.fresh("frame_sum"),
        "A": draft.fresh("lane"), "a": draft.fresh("lanes"),
        "n": str(dice.pick((8, 16, 32))),
    }  # fmt: skip
    members = dice.mixed(["unsigned char op;", "unsigned len;", "short port;", "long long stamp;"])
    text = "\n".join(["struct $W {", *members, "} __attribute__((packed));"])
    draft.declare_type(text, **names)
    site.emit(
        """
        struct $W $w = {.op = 9, .len = (unsigned)$e, .port = -2, .stamp = 1LL << 33};
        unsigned char $b[sizeof(struct $W)];
        memcpy($b, &$w, sizeof $b);
        int $x = 0;
        for (size_t $i = 0; $i < sizeof $b; $i++) {
        $x = ($x * 31 + $b[$i]) % 10007;
        }
        """,
        e=number(site, 0, 70000), **names,
    )  # fmt: skip
    site.result(names["x"], 0, 10006)
    yield
    site.emit(
        """
        struct $W $q;
        memcpy(&$q, $b, sizeof $q);
        $q.len += 3;
        printf("$x %d %u %d %d %d\\n", $x, $q.len, $q.port, $q.stamp == $w.stamp, (int)sizeof $q);
        """,
        **names,
    )
    if dice.chance(50):
        draft.declare_type(
            "struct $A {\nchar c;\nint v __attribute__((aligned($n)));\n}"
            " __attribute__((aligned));",
            **names,
        )
        site.emit(
            """
            struct $A $a[2] = {{1, 2}, {3, 4}};
            printf("%d %d %d\\n", (int)_Alignof(struct $A) >= $n, (int)((size_t)&$a[1].v % $n),
            $a[1].v);
            """,
            **names,
        )


def union_value_fragment(site: Site) -> Iterator[None]:
    """Unions passed and returned by value, and one value read as another type."""
    draft, dice = site.draft, site.dice
    names = {
        "U": draft.fresh("cell"), "f": draft.fresh("cell_turn"), "u": draft.fresh("cl"),
        "v": draft.fresh("cl_next"), "r": draft.fresh("cell_low"), "k": str(dice.between(1, 7)),
    }  # fmt: skip
    draft.declare_type(
        """
        typedef union $U {
        unsigned long long word;
        int pair[2];
        struct {
        unsigned low : 12;
        unsigned mid : 9;
        } part;
        float real;
        } $U;
        """,
        **names,
    )
    draft.define(
        """
        static $U $f($U c, int by) {
        c.pair[1] ^= by;
        c.part.mid = c.part.low + (unsigned)by;
        return c;
        }
        """,
        **names,
    )
    site.emit(
        """
        $U $u = {.word = 0x12345678ULL * (unsigned)$e};
        $U $v = $f($f($u, $k), $g);
        int $r = $v.part.low;
        printf("$r %d %llu %d\\n", $r, $v.word, $u.pair[0] == (int)$u.word);
        """,
        e=number(site, 0, 4000), g=number(site, 0, 500), **names,
    )  # fmt: skip
    site.result(names["r"], 0, 4095)
    yield
    site.emit(
        """
        $v.real = $q;
        printf("%x %d\\n", (unsigned)$v.word, $f($v, 0).pair[1] == $v.pair[1]);
        """,
        q=dice.pick(("0.5f", "-3.0f", "1024.25f")), **names,
    )  # fmt: skip


def by_value_fragment(site: Site) -> Iterator[None]:
    """Records with arrays in them as arguments, results, operands of ?: and of chained =."""
    draft, dice = site.draft, site.dice
    names = {
        "M": draft.fresh("mat"), "n": str(dice.between(2, 4)), "unit": draft.fresh("mat_unit"),
        "mul": draft.fresh("mat_add"), "a": draft.fresh("ma"), "b": draft.fresh("mb"),
        "c": draft.fresh("mc"), "s": draft.fresh("mat_mid"), "i": draft.fresh("i"),
        "p": draft.fresh("mp"),
    }  # fmt: skip
    draft.declare_type(
        "struct $M {\nint v[$n];\nchar id;\nstruct {\nshort lo, hi;\n} ends;\n};", **names
    )
    draft.define(
        """
        static struct $M $unit(int start) {
        struct $M m = {.id = 'u', .ends = {.hi = 3}};
        for (int i = 0; i < $n; i++) {
        m.v[i] = start + i;
        }
        return m;
        }
        """,
        **names,
    )
    draft.define(
        """
        static struct $M $mul(struct $M x, const struct $M *y) {
        for (int i = 0; i < $n; i++) {
        x.v[i] += y->v[$n - 1 - i];
        }
        x.ends.lo = (short)(x.v[0] % 100);
        return x;
        }
        """,
        **names,
    )
    site.emit(
        """
        struct $M $a = $unit($e), $b, $c;
        $c = $b = $mul($a, &$a);
        $b.v[0] = 1;
        """,
        e=number(site, -50, 50), **names,
    )  # fmt: skip
    yield
    site.emit(
        """
        int $s = ($g > 2 ? $b : $c).v[1] + $mul($c, &$b).ends.lo + $unit(4).v[$n - 1];
        struct $M *$p = &$c;
        *$p = *$p;
        *$p = $mul(*$p, $p);
        printf("$s %d %d %c\\n", $s, $p->v[0], $unit(1).id);
        """,
        g=number(site, 0, 5), **names,
    )  # fmt: skip
    site.result(names["s"], -2000, 2000)


def container_fragment(site: Site) -> Iterator[None]:
    """A record found from the address of one of its members."""
    draft, dice = site.draft, site.dice
    names = {
        "N": draft.fresh("hook"), "D": draft.fresh("device"), "of": draft.fresh("HOLDER"),
        "add": draft.fresh("hook_add"), "h": draft.fresh("hooks"), "d": draft.fresh("dev"),
        "s": draft.fresh("dev_sum"), "w": draft.fresh("hk"), "n": str(dice.between(2, 4)),
        "i": draft.fresh("i"), "x": draft.fresh("devx"),
    }  # fmt: skip
    cast = dice.pick(
        (
            "((type *)((char *)(ptr) - offsetof(type, member)))",
            "({ const __typeof__(((type *)0)->member) *at_ = (ptr); "
            "(type *)((char *)at_ - __builtin_offsetof(type, member)); })",
        )
    )
    draft.declare_type(f"#define $of(ptr, type, member) {cast}", **names)
    members = dice.mixed(["long id;", "struct $N hook;", "char name[5];", "struct $N other;"])
    draft.declare_type("struct $N {\nstruct $N *next;\n};", **names)
    draft.declare_type("\n".join(["struct $D {", *members, "};"]), **names)
    draft.define(
        "static void $add(struct $N **head, struct $N *n) {\nn->next = *head;\n*head = n;\n}",
        **names,
    )
    site.emit(
        """
        struct $N *$h = NULL;
        for (int $i = 0; $i < $n; $i++) {
        struct $D *$d = malloc(sizeof *$d);
        $d->id = $i * $e;
        strcpy($d->name, "dev");
        $add(&$h, &$d->hook);
        }
        """,
        e=number(site, 0, 40), **names,
    )  # fmt: skip
    yield
    site.emit(
        """
        int $s = 0;
        for (struct $N *$w = $h; $w; $w = $w->next) {
        $s += (int)$of($w, struct $D, hook)->id + $of($w, struct $D, hook)->name[0];
        }
        printf("$s %d\\n", $s);
        """,
        **names,
    )
    site.result(names["s"], 0, 2000)
    yield
    site.emit(
        """
        while ($h) {
        struct $D *$x = $of($h, struct $D, hook);
        $h = $h->next;
        free($x);
        }
        """,
        **names,
    )

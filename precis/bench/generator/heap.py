"""Owned memory: growing vectors, tables of rows, hash tables, counted references, graphs."""

from __future__ import annotations

from collections.abc import Iterator

from .draft import Site
from .expressions import number
from .lists import out_of_memory


def vector_fragment(site: Site) -> Iterator[None]:
    """An array that realloc lets grow."""
    draft, dice = site.draft, site.dice
    turns = dice.between(3, 9)
    names = {
        "V": draft.fresh("vector"), "v": draft.fresh("vec"),
        "E": dice.pick(("int", "short", "long")),
        "push": draft.fresh("vec_push"), "i": draft.fresh("i"), "n": str(turns),
        "s": draft.fresh("held"), "g": dice.pick(("v->cap * 2", "v->cap + 2", "v->len + 1")),
        "c": str(dice.between(1, 3)),
    }  # fmt: skip
    draft.declare_type("struct $V {\n$E *items;\nsize_t len, cap;\n};", **names)
    draft.define(
        """
        static void $push(struct $V *v, int item) {
        if (v->len == v->cap) {
        size_t cap = v->items ? $g : $c;
        $E *grown = realloc(v->items, cap * sizeof($E));
        if (!grown) {
        exit(3);
        }
        v->items = grown;
        v->cap = cap;
        }
        v->items[v->len++] = ($E)item;
        }
        """,
        **names,
    )
    inner = site.inner()
    inner.result(names["i"], 0, turns - 1)
    site.emit("struct $V $v = {NULL, 0, 0};", **names)
    site.emit("for (int $i = 0; $i < $n; $i++) {", **names)
    if dice.chance(40):
        site.emit("if ($e) {\n$push(&$v, $i);\n}", e=number(inner, 0, 1), **names)
    site.emit("$push(&$v, $e);\n}", e=number(inner, -99, 99), **names)
    yield
    site.emit(
        """
        int $s = 0;
        while ($v.len > $k) {
        $s = ($s * 5 + (int)$v.items[--$v.len]) % 1000;
        }
        printf("$s %d %d\\n", $s, $v.items[0] > 0);
        """,
        k=dice.below(3), **names,
    )  # fmt: skip
    site.result(names["s"], -1200, 1200)
    yield
    site.emit("free($v.items);", **names)


def rows_fragment(site: Site) -> Iterator[None]:
    """Rows of different lengths, each on its own; made through an out-parameter."""
    draft, dice = site.draft, site.dice
    rows = dice.between(2, 4)
    names = {
        "make": draft.fresh("make_rows"), "r": draft.fresh("rows"), "i": draft.fresh("i"),
        "n": str(rows), "t": draft.fresh("corner"), "drop": draft.fresh("drop_rows"),
        "k": draft.fresh("k"),
    }  # fmt: skip
    draft.define(
        """
        static int $make(int ***out, int n) {
        int **rows = malloc((size_t)n * sizeof(int *));
        if (rows == NULL) {
        return 0;
        }
        for (int i = 0; i < n; i++) {
        rows[i] = calloc((size_t)i + 1, sizeof(int));
        }
        *out = rows;
        return 1;
        }
        """,
        **names,
    )
    draft.define(
        """
        static void $drop(int **rows, int n) {
        while (n-- > 0) {
        free(rows[n]);
        }
        free(rows);
        }
        """,
        **names,
    )
    site.emit("int **$r = NULL;\nif (!$make(&$r, $n)) {\nexit(1);\n}", **names)
    yield
    site.emit(
        """
        for (int $i = 0; $i < $n; $i++) {
        $r[$i][0] = $r[$i][$i] = $e;
        for (int $k = 1; $k < $i; $k++) {
        $r[$i][$k] = ($r[$i - 1][$k - 1] + $r[$i - 1][$k]) % 500;
        }
        }
        int $t = $r[$n - 1][$m] - **$r;
        printf("$t %d\\n", $t);
        """,
        e=number(site, 1, 9), m=dice.below(rows), **names,
    )  # fmt: skip
    site.result(names["t"], -600, 600)
    yield
    site.emit("$drop($r, $n);", **names)


def hash_fragment(site: Site) -> Iterator[None]:
    """A table of chains: add or change, look up, remove all."""
    draft, dice = site.draft, site.dice
    buckets = dice.pick((3, 4, 5, 8))
    names = {
        "E": draft.fresh("pair"), "t": draft.fresh("buckets"), "slot": draft.fresh("slot_of"),
        "put": draft.fresh("put"), "get": draft.fresh("get"), "n": str(buckets),
        "i": draft.fresh("i"), "g": draft.fresh("looked"), "check": out_of_memory(draft, "pair"),
    }  # fmt: skip
    draft.declare_type("struct $E {\nunsigned key;\nint count;\nstruct $E *more;\n};", **names)
    draft.declare_global("static struct $E *$t[$n];", **names)
    draft.define(
        """
        static struct $E **$slot(unsigned key) {
        struct $E **slot = &$t[key * 7u % $n];
        while (*slot && (*slot)->key != key) {
        slot = &(*slot)->more;
        }
        return slot;
        }
        """,
        **names,
    )
    draft.define(
        """
        static void $put(unsigned key, int count) {
        struct $E **slot = $slot(key);
        if (*slot) {
        (*slot)->count += count;
        return;
        }
        struct $E *pair = malloc(sizeof *pair);
        $check
        pair->key = key;
        pair->count = count;
        pair->more = NULL;
        *slot = pair;
        }
        """,
        **names,
    )
    draft.define(
        """
        static int $get(unsigned key) {
        const struct $E *pair = *$slot(key);
        return pair ? pair->count : -1;
        }
        """,
        **names,
    )
    yield from _use_hash(site, names)


def _use_hash(site: Site, names: dict[str, str]) -> Iterator[None]:
    for _ in range(site.dice.between(2, 5)):
        site.emit(
            "$put($ku, $e);".replace("$ku", "(unsigned)$k"),
            k=number(site, 0, 20),
            e=number(site, 0, 30),
            **names,
        )
    yield
    site.emit("int $g = $get((unsigned)$k);", k=number(site, 0, 20), **names)
    site.result(names["g"], -1, 150)
    site.emit('printf("$g %d\\n", $g);', **names)
    yield
    site.emit(
        """
        for (int $i = 0; $i < $n; $i++) {
        while ($t[$i]) {
        struct $E *pair = $t[$i];
        printf("%u=%d ", pair->key, pair->count);
        $t[$i] = pair->more;
        free(pair);
        }
        }
        putchar('\\n');
        """,
        **names,
    )


def counted_fragment(site: Site) -> Iterator[None]:
    """Objects with a count of their owners."""
    draft, dice = site.draft, site.dice
    names = {
        "O": draft.fresh("shared"), "new": draft.fresh("new_shared"), "keep": draft.fresh("retain"),
        "drop": draft.fresh("release"), "a": draft.fresh("one"), "b": draft.fresh("two"),
        "c": draft.fresh("three"), "live": draft.fresh("live"),
    }  # fmt: skip
    draft.declare_type("struct $O {\nint owners;\nint load;\nstruct $O *part;\n};", **names)
    draft.declare_global("static int $live = 0;", **names)
    draft.define(
        """
        static struct $O *$new(int load, struct $O *part) {
        struct $O *o = malloc(sizeof(*o));
        o->owners = 1;
        o->load = load;
        o->part = part;
        if (part) {
        part->owners++;
        }
        $live++;
        return o;
        }
        """,
        **names,
    )
    draft.define(
        """
        static void $drop(struct $O *o) {
        if (o && --o->owners == 0) {
        $drop(o->part);
        $live--;
        free(o);
        }
        }
        """,
        **names,
    )
    site.emit("struct $O *$a = $new($e, NULL);", e=number(site, 0, 99), **names)
    site.emit("struct $O *$b = $new(7, $a);\nstruct $O *$c = $new($e, $p);", e=number(site, 0, 9),
              p=dice.pick((names["a"], names["b"], "NULL")), **names)  # fmt: skip
    yield
    for name in dice.mixed([names["a"], names["b"], names["c"]]):
        site.emit(f'printf("%d of %d\\n", {name}->load, {names["live"]});')
        site.emit(f"{names['drop']}({name});")
        if dice.chance(40):
            yield
    site.emit('printf("$live %d\\n", $live);', **names)


def graph_fragment(site: Site) -> Iterator[None]:
    """A graph with edge lists, walked in depth."""
    draft, dice = site.draft, site.dice
    size = dice.between(3, 6)
    names = {
        "E": draft.fresh("edge"), "V": draft.fresh("vertex"), "g": draft.fresh("graph"),
        "tie": draft.fresh("tie"), "walk": draft.fresh("walk"), "n": str(size),
        "i": draft.fresh("i"),
        "r": draft.fresh("reached"), "e": draft.fresh("gone_edge"),
    }  # fmt: skip
    draft.declare_type(
        """
        struct $E {
        int to;
        struct $E *next;
        };
        struct $V {
        struct $E *edges;
        _Bool seen;
        };
        """,
        **names,
    )
    draft.define(
        """
        static void $tie(struct $V *g, int from, int to) {
        struct $E *edge = malloc(sizeof(struct $E));
        edge->to = to;
        edge->next = g[from].edges;
        g[from].edges = edge;
        }
        """,
        **names,
    )
    draft.define(
        """
        static int $walk(struct $V *g, int at) {
        if (g[at].seen) {
        return 0;
        }
        g[at].seen = 1;
        int count = 1;
        for (const struct $E *e = g[at].edges; e; e = e->next) {
        count += $walk(g, e->to);
        }
        return count;
        }
        """,
        **names,
    )
    site.emit(
        "struct $V $g[$n];\nfor (int $i = 0; $i < $n; $i++) {\n$g[$i] = (struct $V){0};\n}", **names
    )
    for _ in range(dice.between(3, 6)):
        site.emit(
            "$tie($g, $a, $b);",
            a=number(site, 0, size - 1, 1),
            b=number(site, 0, size - 1, 1),
            **names,
        )
    yield
    site.emit("int $r = $walk($g, $a);", a=number(site, 0, size - 1), **names)
    site.emit('printf("$r %d\\n", $r);', **names)
    site.result(names["r"], 1, size)
    yield
    site.emit(
        """
        for (struct $V *$i = $g; $i < $g + $n; $i++) {
        for (struct $E *$e; ($e = $i->edges);) {
        $i->edges = $e->next;
        free($e);
        }
        }
        """,
        **names,
    )

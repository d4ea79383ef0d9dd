"""Jumps: switch in all its forms, goto into and out of blocks, labels as values."""

from __future__ import annotations

from collections.abc import Iterator

from ..draft import Site
from ..expressions import number

_CLASSIFY = """
    static int $f($E value, int extra) {
    int total = 0;
    switch (value) {
    int unused;
    case 0:
    total++;
    case 1 ... 2:
    total += 10;
    $stop
    default:
    total += 100;
    switch (extra & 3) {
    case 0:
    total += 2;
    break;
    default:
    total += 5;
    case 3:
    total ^= 1;
    }
    break;
    case $a ... $b:
    for (unused = 0; unused < 9; unused++) {
    switch (unused) {
    case 2:
    continue;
    case 5:
    goto done;
    }
    total += unused;
    }
    done:
    case $c:
    total -= 7;
    }
    return total;
    }
    """


def switch_fragment(site: Site) -> Iterator[None]:
    """Fall-through, ranges, nested and misplaced labels, on several types."""
    draft, dice = site.draft, site.dice
    names = {
        "f": draft.fresh("classify"), "E": dice.pick(("int", "char", "long", "short", "unsigned")),
        "r": draft.fresh("class"), "a": str(dice.between(3, 9)), "b": str(dice.between(10, 30)),
        "c": str(dice.between(31, 60)), "stop": dice.pick(("break;", "", "return total;")),
        "i": draft.fresh("i"), "n": str(dice.between(2, 5)),
    }  # fmt: skip
    draft.define(
        _CLASSIFY,
        **names,
    )
    inner = site.inner()
    inner.result(names["i"], 0, int(names["n"]) - 1)
    site.emit(
        """
        int $r = 0;
        for (int $i = 0; $i < $n; $i++) {
        $r += $f(($E)$e, $i);
        }
        printf("$r %d\\n", $r);
        """,
        e=number(inner, 0, 70), **names,
    )  # fmt: skip
    site.result(names["r"], -100, 2000)
    yield


def wide_switch_fragment(site: Site) -> Iterator[None]:
    """A switch over 64 bits, over an enum with large and negative values, and over a character."""
    draft, dice = site.draft, site.dice
    names = {
        "K": draft.fresh("rank"), "A": draft.fresh("LOWEST"), "B": draft.fresh("MIDDLE"),
        "C": draft.fresh("HIGHEST"), "f": draft.fresh("rank_of"), "r": draft.fresh("ranked"),
        "low": str(dice.between(-9, -1)), "high": dice.pick(("0x7fffffff", "1 << 20", "'z'")),
        "T": dice.pick(("unsigned long long", "long long")), "t": draft.fresh("wide_key"),
    }  # fmt: skip
    draft.declare_type("enum $K { $A = $low, $B, $C = $high };", **names)
    draft.define(
        """
        static int $f(enum $K rank, $T key) {
        switch (rank) {
        case $A:
        switch (key) {
        case 1:
        return 1;
        case 0x100000001ULL:
        return 2;
        case 0x200000000ULL ... 0x2ffffffffULL:
        return 3;
        }
        return 4;
        case $B:
        return 5;
        case $C:
        return (int)(key >> 32) + 6;
        }
        return 0;
        }
        """,
        **names,
    )
    site.emit(
        """
        $T $t = (($T)$e << 32) + 1;
        int $r = $f($A, $t) * 10 + $f((enum $K)($A + $g), $t) + $f($C, $t);
        printf("$r %d %d %d\\n", $r, (int)sizeof(enum $K), $f(0, 0));
        """,
        e=number(site, 0, 3), g=number(site, 0, 2), **names,
    )  # fmt: skip
    site.result(names["r"], 0, 100)
    yield


def duff_fragment(site: Site) -> Iterator[None]:
    """Duff's device: a switch that jumps into a loop."""
    draft, dice = site.draft, site.dice
    names = {
        "f": draft.fresh("copy_by"), "a": draft.fresh("duff_src"), "b": draft.fresh("duff_dst"),
        "s": draft.fresh("duffed"), "n": draft.fresh("duff_n"), "i": draft.fresh("i"),
    }  # fmt: skip
    step = dice.pick((2, 4))
    cases = "\n".join(f"case {k}:\n*to++ = *from++;" for k in range(step - 1, 0, -1))
    draft.define(
        f"""
        static void $f(short *to, const short *from, int count) {{
        int turns = (count + {step - 1}) / {step};
        if (count == 0) {{
        return;
        }}
        switch (count % {step}) {{
        case 0:
        do {{
        *to++ = *from++;
        {cases}
        }} while (--turns > 0);
        }}
        }}
        """,
        **names,
    )
    site.emit(
        """
        short $a[9], $b[9] = {0};
        for (int $i = 0; $i < 9; $i++) {
        $a[$i] = (short)($i * $i + 1);
        }
        int $n = $e;
        $f($b, $a, $n);
        int $s = 0;
        for (int $i = 0; $i < 9; $i++) {
        $s = $s * 2 + $b[$i] % 7;
        }
        printf("$s %d\\n", $s);
        """,
        e=number(site, 0, 9), **names,
    )  # fmt: skip
    site.result(names["s"], 0, 6000)
    yield


def goto_fragment(site: Site) -> Iterator[None]:
    """Jumps into a block, out of nested loops, and backwards; declarations jumped over."""
    draft, dice = site.draft, site.dice
    names = {
        "f": draft.fresh("maze"), "r": draft.fresh("mazed"), "a": str(dice.between(1, 4)),
        "b": str(dice.between(2, 5)), "into": dice.pick(("inside", "later")),
    }  # fmt: skip
    draft.define(
        """
        static int $f(int way) {
        int score = 0, turns = 0;
        if (way > $a) {
        goto $into;
        }
        again:
        for (int i = 0; i < 4; i++) {
        int kept = i * way;
        for (int k = 0; k < 3; k++) {
        score += kept + k;
        if (score > 40) {
        goto out;
        }
        }
        }
        {
        int skipped = 7;
        score += skipped;
        inside:
        skipped = 2;
        score += skipped;
        }
        if (0) {
        later:
        score += 100;
        }
        if (++turns < $b) {
        goto again;
        }
        out:
        return score * 10 + turns;
        }
        """,
        **names,
    )
    site.emit('int $r = $f($e);\nprintf("$r %d\\n", $r);', e=number(site, 0, 8), **names)
    site.result(names["r"], 0, 5000)
    yield


_SCAN_WORD = """
    static int $f(const char *p) {
    int words = 0, digits = 0;
    start:
    if (!*p) goto end;
    if (*p >= '0' && *p <= '9') goto digit;
    if (*p == ' ' || *p == ',') { p++; goto start; }
    words++;
    word:
    p++;
    if (*p >= 'a' && *p <= 'z') goto word;
    goto start;
    digit:
    digits = (digits * 10 + *p++ - '0') % 1000;
    if (*p >= '0' && *p <= '9') goto digit;
    goto start;
    end:
    return words * 1000 + digits;
    }
    """


_SET_UP = """
    static int $g(int fail) {
    int status = -1;
    char *first = malloc(4), *second, *third;
    if (fail == 1) goto none;
    second = calloc(2, 3);
    if (fail == 2) goto one;
    third = strcpy(malloc(6), "third");
    if (fail == 3) goto two;
    status = third[0] + second[5];
    two:
    free(third);
    one:
    free(second);
    none:
    free(first);
    return status;
    }
    """


def machine_fragment(site: Site) -> Iterator[None]:
    """A state machine of labels; cleaning up by a chain of labels."""
    draft, dice = site.draft, site.dice
    names = {
        "f": draft.fresh("scan_word"), "g": draft.fresh("set_up"), "r": draft.fresh("scanned"),
        "T": dice.pick(('"12+x 7"', '"a1b22"', '"  99,0"', '""')), "c": draft.fresh("set_ups"),
        "i": draft.fresh("i"),
    }  # fmt: skip
    draft.define(
        _SCAN_WORD,
        **names,
    )
    draft.define(
        _SET_UP,
        **names,
    )
    site.emit(
        """
        int $r = $f($T), $c = 0;
        for (int $i = 0; $i < 4; $i++) {
        $c += $g($i);
        }
        printf("$r %d %d %d\\n", $r, $c, $g($e));
        """,
        e=number(site, 0, 5), **names,
    )  # fmt: skip
    site.result(names["r"], 0, 9999)
    yield


def computed_goto_fragment(site: Site) -> Iterator[None]:
    """An interpreter whose instructions are labels in a table."""
    draft, dice = site.draft, site.dice
    code = ", ".join(str(dice.below(3)) for _ in range(dice.between(3, 8)))
    names = {"f": draft.fresh("interpret"), "r": draft.fresh("computed"), "code": code}
    draft.define(
        """
        static int $f(int acc) {
        static const void *const table[] = {&&add, &&twice, &&low, &&halt};
        static const unsigned char code[] = {$code, 3};
        const unsigned char *pc = code;
        goto *table[*pc++];
        add:
        acc += 3;
        goto *table[*pc++];
        twice:
        acc *= 2;
        goto *table[*pc++];
        low:
        acc &= 255;
        goto *table[*pc++];
        halt:
        return acc;
        }
        """,
        **names,
    )
    site.emit('int $r = $f($e) % 5000;\nprintf("$r %d\\n", $r);', e=number(site, 0, 60), **names)
    site.result(names["r"], 0, 4999)
    yield

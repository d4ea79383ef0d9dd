"""Strings: built by the library and by hand, on the stack and on the heap."""

from __future__ import annotations

from collections.abc import Iterator

from .draft import Site
from .expressions import number

_WORDS = ("ash", "birch", "cedar", "elm", "fir", "hazel", "maple", "oak", "pine", "yew")

_BY_HAND: dict[str, str] = {
    "length": """
        static int $f(const char *s) {
        const char *p = s;
        while (*p) {
        p++;
        }
        return (int)(p - s);
        }
        """,
    "vowels": """
        static int $f(const char *s) {
        int count = 0;
        for (int i = 0; s[i] != '\\0'; i++) {
        switch (s[i]) {
        case 'a':
        case 'e':
        case 'i':
        count += 2;
        /* fall through */
        case 'o':
        case 'u':
        count++;
        break;
        default:
        break;
        }
        }
        return count;
        }
        """,
    "hash": """
        static int $f(const char *s) {
        unsigned h = 5381u;
        for (; *s; ++s) {
        h = h * 33u ^ (unsigned char)*s;
        }
        return (int)(h % 1000u);
        }
        """,
    "digits": """
        static int $f(const char *s) {
        int n = 0;
        while (*s) {
        if (*s >= '0' && *s <= '9') {
        n = (n * 10 + (*s - '0')) % 997;
        }
        s++;
        }
        return n;
        }
        """,
    "palindrome": """
        static int $f(const char *s) {
        const char *a = s, *b = s + strlen(s);
        while (a < b && *a == b[-1]) {
        a++;
        b--;
        }
        return a >= b;
        }
        """,
    "words": """
        static int $f(const char *s) {
        int inside = 0, count = 0;
        do {
        if (*s == ' ' || *s == '-' || *s == '\\0') {
        count += inside;
        inside = 0;
        } else {
        inside = 1;
        }
        } while (*s++);
        return count;
        }
        """,
}


def text_fragment(site: Site) -> Iterator[None]:
    """A buffer filled piece by piece; how much is in it is tracked, so that it never overflows."""
    draft, dice = site.draft, site.dice
    room = dice.pick((32, 48, 64))
    name = draft.fresh("text")
    on_heap = dice.chance(40)
    site.emit(f"char *{name} = malloc({room});" if on_heap else f"char {name}[{room}];")
    word = dice.pick(_WORDS)
    site.emit(dice.pick((f'strcpy({name}, "{word}");', f'sprintf({name}, "%s", "{word}");')))
    used = len(word)
    for _ in range(dice.between(1, 3)):
        yield
        if used < room - 16:
            used += _extend(site, name)
    yield
    site.emit(f'printf("{name} %s\\n", {name});' if dice.chance(70) else f"puts({name});")
    for kind in dice.some(tuple(_BY_HAND), dice.between(1, 2)):
        function, result = draft.fresh(f"{kind}_of"), draft.fresh(kind)
        draft.define(_BY_HAND[kind], f=function)
        site.emit(f"int {result} = {function}({name});")
        site.emit(f'printf("{result} %d\\n", {result});')
        site.result(result, 0, 999)
    if dice.chance(50):
        _change(site, name)
    if on_heap:
        yield
        site.emit(f"free({name});")


def _extend(site: Site, name: str) -> int:
    """Append a little; the most characters this can add."""
    dice = site.dice
    match dice.below(5):
        case 0:
            word = dice.pick(_WORDS)
            site.emit(f'strcat({name}, "-{word}");')
            return len(word) + 1
        case 1:
            value = number(site, -999, 9999)
            site.emit(f'sprintf({name} + strlen({name}), "%d", {value});')
            return 4
        case 2:
            end = site.draft.fresh("end")
            site.emit(
                """
                size_t $end = strlen($name);
                $name[$end++] = ' ';
                $name[$end] = (char)('a' + $e);
                $name[$end + 1] = '\\0';
                """,
                end=end, name=name, e=number(site, 0, 25),
            )  # fmt: skip
            return 2
        case 3:
            value = number(site, 0, 255)
            site.emit(f'sprintf(strchr({name}, 0), "%02x", (unsigned){value});')
            return 2
        case _:
            word = dice.pick(_WORDS)
            site.emit(f'strncat({name}, "{word}", 3);')
            return 3


def _change(site: Site, name: str) -> None:
    names = {"name": name, "p": site.draft.fresh("p"), "q": site.draft.fresh("q")}
    texts = (
        """
        for (char *$p = $name; *$p; $p++) {
        if (*$p >= 'a' && *$p <= 'z') {
        *$p = (char)((*$p - 'a' + $e) % 26 + 'a');
        }
        }
        puts($name);
        """,
        """
        for (char *$p = $name, *$q = $name + strlen($name) - 1; $p < $q; $p++, $q--) {
        char held = *$p;
        *$p = *$q;
        *$q = held;
        }
        puts($name);
        """,
        """
        char *$p = strchr($name, 'e');
        if ($p != NULL) {
        *$p = 'E';
        printf("%d\\n", (int)($p - $name));
        }
        """,
        """
        char *$p = $name;
        for (const char *$q = $name; *$q; $q++) {
        if (*$q != 'a' && *$q != '-') {
        *$p++ = *$q;
        }
        }
        *$p = '\\0';
        puts($name);
        """,
        """
        printf("%d %d\\n", strcmp($name, "birch") < 0, strncmp($name, "oak", 2) == 0);
        """,
    )
    site.emit(site.dice.pick(texts), e=number(site, 0, 25), **names)


def names_fragment(site: Site) -> Iterator[None]:
    """A table of literals, the chosen ones copied to the heap."""
    draft, dice = site.draft, site.dice
    words = dice.some(_WORDS, dice.between(3, 6))
    picks = dice.between(2, 3)
    names = {
        "t": draft.fresh("names"), "k": str(picks), "own": draft.fresh("owned"),
        "dup": draft.fresh("duplicate"), "i": draft.fresh("i"), "n": draft.fresh("letters"),
        "list": ", ".join(f'"{w}"' for w in words),
    }  # fmt: skip
    draft.declare_global("static const char *const $t[] = {$list};", **names)
    draft.define(
        dice.pick(
            (
                """
                static char *$dup(const char *s) {
                size_t n = strlen(s) + 1;
                char *copy = malloc(n);
                return memcpy(copy, s, n);
                }
                """,
                """
                static char *$dup(const char *s) {
                char *copy = malloc(strlen(s) + 1), *to = copy;
                while ((*to++ = *s++)) {
                }
                return copy;
                }
                """,
            )
        ),
        **names,
    )
    inner = site.inner()
    inner.result(names["i"], 0, picks - 1)
    site.emit(
        """
        char *$own[$k];
        int $n = 0;
        for (int $i = 0; $i < $k; $i++) {
        $own[$i] = $dup($t[$e]);
        $own[$i][0] = (char)($own[$i][0] - 'a' + 'A');
        }
        """,
        e=number(inner, 0, len(words) - 1), **names,
    )  # fmt: skip
    yield
    site.emit(
        """
        for (int $i = 0; $i < $k; $i++) {
        $n += (int)strlen($own[$i]);
        printf("%s%c", $own[$i], $i + 1 < $k ? ',' : '\\n');
        }
        """,
        **names,
    )
    site.result(names["n"], 0, 40)
    yield
    site.emit("for (int $i = $k - 1; $i >= 0; $i--) {\nfree($own[$i]);\n}", **names)


def digits_fragment(site: Site) -> Iterator[None]:
    """A number written in some base by hand."""
    draft, dice = site.draft, site.dice
    names = {
        "f": draft.fresh("spell"), "b": draft.fresh("out"),
        "base": str(dice.pick((2, 3, 8, 10, 16))),
        "w": str(dice.pick((34, 40))),
    }  # fmt: skip
    draft.define(
        """
        static char *$f(unsigned n, char *end, unsigned base) {
        *--end = '\\0';
        do {
        *--end = "0123456789abcdef"[n % base];
        } while (n /= base);
        return end;
        }
        """,
        **names,
    )
    site.emit("char $b[$w];", **names)
    for _ in range(dice.between(1, 2)):
        site.emit(
            'printf("%s\\n", $f((unsigned)$e, $b + sizeof $b, $base));',
            e=number(site, 0, 30000), **names,
        )  # fmt: skip
        yield

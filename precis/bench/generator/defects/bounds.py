"""Accesses before the beginning or behind the end of a block."""

from __future__ import annotations

from ..forms import Form
from ..truth import BLIND_JUMP

_RULE = "out-of-bounds"


def _form(name: str, text: str, blind: str = "") -> Form:
    return Form(_RULE, name, text, blind=blind)


_STORES = {
    "heap": ("int *$buf = calloc($K, sizeof(int));", "free($buf);"),
    "stack": ("int $buf[$K] = {0};", ""),
    "global": ("#global\nstatic int $buf[$K];\n#here", ""),
    "static": ("static int $buf[$K];", ""),
}
_ACCESSES = {
    "write-over": "$buf[PICK($K, $K - 1)] = $E; @@",
    "write-under": "int $low = PICK(-1, 0);\n$buf[$low] = $E; @@",
    "read-over": 'int $got = *($buf + PICK($K, 0)); @@\nprintf("%d\\n", $got);',
    "read-under": 'int *$p = $buf + 1;\nprintf("%d\\n", $p[PICK(-2, 0)]); @@',
    "read-before": 'printf("%d\\n", $buf[PICK(-1, 0)]); @@',
    "loop-over": """
        int $last = PICK($K, $K - 1);
        for (int $i = 0; $i <= $last; $i++) {
        $buf[$i] = $i * 3; @@
        }
        """,
    "loop-under": """
        int $first = PICK(-1, 0);
        int $total = 0;
        for (int $i = $K - 1; $i >= $first; $i--) {
        $total += $buf[$i]; @@
        }
        printf("%d\\n", $total);
        """,
    "pointer-walk": """
        int *$stop = $buf + $K;
        int $extra = PICK(1, 0);
        for (int *$p = $buf; $p != $stop || $extra-- > 0; $p++) {
        *$p = $E; @@
        }
        """,
    "in-callee": """
        #function
        static int $total_of(const int *a, int from, int to) {
        int total = 0;
        while (from < to) {
        total += a[from++]; @@
        }
        return total;
        }
        #here
        printf("%d\\n", $total_of($buf, 1, PICK($K + 1, $K)));
        """,
    "handed-under": """
        #function
        static int $at(const int *a) {
        return *a; @@
        }
        #here
        printf("%d\\n", $at($buf + PICK(-1, 0)));
        """,
    "handed-over": """
        #function
        static int $last(const int *end) {
        return end[-1]; @@
        }
        #here
        printf("%d\\n", $last($buf + PICK($K + 1, $K)));
        """,
}


# gcc puts no red zone before a global, so that only an index into the array itself is seen there.
_UNSEEN = tuple(
    (store, access) for store in ("global", "static") for access in ("read-under", "handed-under")
)


def _plain(store: str, access: str) -> Form:
    made, released = _STORES[store]
    text = f'{made}\n$buf[1] = $F;\n{_ACCESSES[access]}\nprintf("%d\\n", $buf[1]);\n{released}'
    return _form(f"{store}-{access}", text)


BOUNDS: tuple[Form, ...] = (
    *(
        _plain(store, access)
        for store in _STORES
        for access in _ACCESSES
        if (store, access) not in _UNSEEN
    ),
    _form(
        "copy-too-much",
        """
        char $from[24] = "abcdefghijklmnopqrst";
        char $to[8];
        memcpy($to, $from, (size_t)PICK(9, 8)); @@
        printf("%c\\n", $to[7]);
        """,
    ),
    _form(
        "fill-too-much",
        """
        short *$cells = malloc($K * sizeof(short));
        memset($cells, 0, (size_t)PICK($K * 2 + 1, $K * 2)); @@
        printf("%d\\n", $cells[0]);
        free($cells);
        """,
    ),
    _form(
        "string-copy",
        """
        #global
        static const char *const $words[2] = {"tiny", "rather-long"};
        #here
        char *$copy = malloc(8);
        strcpy($copy, $words[PICK(1, 0)]); @@
        puts($copy);
        free($copy);
        """,
    ),
    _form(
        "string-append",
        """
        char $line[12] = "prefix";
        if $C {
        strcat($line, "123");
        }
        strcat($line, "-tail"); @@
        puts($line);
        """,
    ),
    _form(
        "string-print",
        """
        char $digits[5];
        sprintf($digits, "%d", PICK(12345, 1234)); @@
        puts($digits);
        """,
    ),
    _form(
        "no-terminator",
        """
        char *$raw = malloc($K);
        for (int $i = 0; $i < $K; $i++) {
        $raw[$i] = (char)('a' + $i);
        }
        $raw[$K - 1] = $C ? 'z' : 0;
        size_t $size = strlen($raw); @@
        printf("%d\\n", (int)$size);
        free($raw);
        """,
    ),
    _form(
        "missing-room-for-terminator",
        """
        #function
        static char *$clone(const char *s, int room) {
        char *copy = malloc(strlen(s) + (size_t)room);
        char *to = copy;
        while (*s) {
        *to++ = *s++;
        }
        *to = '\\0'; @@
        return copy;
        }
        #here
        char *$twin = $clone("original", PICK(0, 1));
        puts($twin);
        free($twin);
        """,
    ),
    _form(
        "record-array",
        """
        #type
        struct $Rec {
        char tag;
        int amount;
        };
        #here
        struct $Rec *$recs = calloc($K, sizeof(struct $Rec));
        $recs[0].amount = $E;
        struct $Rec *$r = $recs + PICK($K, $K - 1);
        $r->amount += 4; @@
        printf("%d\\n", $recs[0].amount);
        free($recs);
        """,
    ),
    _form(
        "grid-as-row",
        """
        int $grid[$K][$M];
        int *$flat = &$grid[0][0];
        int $count = PICK($K * $M + 1, $K * $M);
        for (int $i = 0; $i < $count; $i++) {
        $flat[$i] = $i; @@
        }
        printf("%d\\n", $grid[$K - 1][$M - 1]);
        """,
    ),
    _form(
        "bytes-for-ints",
        """
        size_t $bytes = $K * sizeof(int);
        if $C {
        $bytes = $K * sizeof(int) - 2;
        }
        int *$ints = malloc($bytes);
        for (int $i = 0; $i < $K; $i++) {
        $ints[$i] = $i; @@
        }
        printf("%d\\n", $ints[1]);
        free($ints);
        """,
    ),
    _form(
        "after-shrinking",
        """
        long *$cells = malloc($K * sizeof(long));
        for (int $i = 0; $i < $K; $i++) {
        $cells[$i] = $i;
        }
        $cells = realloc($cells, (size_t)PICK($K - 1, $K) * sizeof(long));
        $cells[$K - 1] = $E; @@
        printf("%ld\\n", $cells[0]);
        free($cells);
        """,
    ),
    _form(
        "stack-push",
        """
        #type
        struct $Stack {
        int *slots;
        int top;
        };
        #function
        static void $stack_push(struct $Stack *s, int value) {
        s->slots[s->top++] = value; @@
        }
        #here
        struct $Stack $st = {malloc($K * sizeof(int)), 0};
        for (int $i = 0; $i < PICK($K + 1, $K); $i++) {
        $stack_push(&$st, $i + $E);
        }
        printf("%d\\n", $st.slots[$st.top - 1]);
        free($st.slots);
        """,
    ),
    _form(
        "literal-overread",
        """
        const char *$msg = "code";
        printf("%d\\n", $msg[PICK(5, 2)]); @@
        """,
    ),
    _form(
        "far-on-stack",
        """
        int $near[$K] = {0};
        int *$base = $near;
        $base[PICK($K + 29, 1)] = $E; @@
        printf("%d\\n", $near[1]);
        """,
        BLIND_JUMP,
    ),
    _form(
        "far-on-heap",
        """
        char *$one = malloc(64);
        char *$two = malloc(64);
        $two[0] = 't';
        $one[PICK(128, 5)] = 'o'; @@
        printf("%c\\n", $two[0]);
        free($one);
        free($two);
        """,
        BLIND_JUMP,
    ),
)

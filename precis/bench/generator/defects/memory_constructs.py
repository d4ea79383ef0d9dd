"""Wrong uses of memory that need a construct of its own, by the family of the construct."""

from __future__ import annotations

from ..forms import Form
from ..truth import BLIND_FRAME, BLIND_VARIADIC

_NULL, _FREED, _SCOPE = "null-dereference", "use-after-free", "use-after-scope"
_BOUNDS, _INVALID = "out-of-bounds", "invalid-pointer"
_TWICE, _WRONG = "double-free", "invalid-free"
_LOST, _KEPT = "memory-leak", "not-freed"

_ANONYMOUS = (
    Form(
        _NULL,
        "anonymous-pointer",
        """
        #type
        struct $Anon {
        char kind;
        union {
        struct {
        int *cell;
        };
        long raw;
        };
        };
        #here
        int $v = $E;
        struct $Anon $a = {.cell = &$v};
        if $C {
        $a.raw = 0;
        }
        *$a.cell += 2; @@
        printf("%d\\n", $v);
        """,
    ),
)
_FLEXIBLE = (
    Form(
        _BOUNDS,
        "flexible-index",
        """
        #type
        struct $Flex {
        int size;
        int data[];
        };
        #here
        struct $Flex *$p = malloc(sizeof *$p + $K * sizeof(int));
        $p->size = $K;
        for (int $i = 0; $i < PICK($K + 1, $K); $i++) {
        $p->data[$i] = $E; @@
        }
        printf("%d\\n", $p->data[0] + $p->size);
        free($p);
        """,
    ),
    Form(
        _BOUNDS,
        "flexible-forgotten",
        """
        #type
        struct $Flex {
        unsigned char tag;
        long data[];
        };
        #here
        struct $Flex *$p = calloc(1, sizeof *$p + (size_t)PICK($K - 1, $K) * sizeof(long));
        $p->tag = 1;
        $p->data[$K - 1] = $F; @@
        printf("%ld\\n", $p->data[0]);
        free($p);
        """,
    ),
    Form(
        _WRONG,
        "flexible-member",
        """
        #type
        struct $Flex {
        int size;
        char data[];
        };
        #here
        struct $Flex *$p = malloc(sizeof *$p + 8);
        strcpy($p->data, "inside");
        puts($p->data);
        void *$which = $C ? (void *)$p->data : (void *)$p;
        free($which); @@
        """,
    ),
)
_PACKED = (
    Form(
        _BOUNDS,
        "packed-size",
        """
        #type
        struct $Wire {
        char op;
        int len;
        } __attribute__((packed));
        #here
        unsigned char $bytes[8] = {1, $E, 0, 0, 0, 2};
        struct $Wire *$w = malloc(sizeof *$w);
        memcpy($w, $bytes, (size_t)PICK(6, 5)); @@
        printf("%d %d\\n", $w->op, $w->len);
        free($w);
        """,
    ),
)
_UNIONS = (
    Form(
        _LOST,
        "union-overwritten-owner",
        """
        #type
        union $Slot {
        char *text;
        long number;
        };
        #here
        union $Slot $s = {.text = malloc(4)};
        if $C {
        $s.number = 0; @@
        }
        free($s.text);
        """,
    ),
    Form(
        _TWICE,
        "union-two-names",
        """
        #type
        union $Slot {
        char *text;
        void *any;
        };
        #here
        union $Slot $s = {malloc(6)};
        strcpy($s.text, "union");
        puts($s.text);
        if $C {
        free($s.any);
        }
        free($s.text); @@
        """,
    ),
    Form(
        _INVALID,
        "union-tag-confused",
        """
        #type
        struct $Val {
        int is_text;
        union {
        const char *text;
        unsigned long number;
        };
        };
        #here
        struct $Val $v = {1, {"label"}};
        if $C {
        $v.number = 70000ul;
        }
        printf("%c\\n", $v.is_text ? *$v.text : '-'); @@
        """,
    ),
)
_BY_VALUE = (
    Form(
        _FREED,
        "copy-of-owner",
        """
        #type
        struct $Own {
        int *cells;
        int size;
        };
        #function
        static int $spend(struct $Own o, int release) {
        int first = o.cells[0];
        if (release) {
        free(o.cells);
        }
        o.cells = NULL;
        return first;
        }
        #here
        struct $Own $o = {malloc($K * sizeof(int)), $K};
        $o.cells[0] = $E;
        printf("%d\\n", $spend($o, $C));
        $o.cells[0] += 1; @@
        $spend($o, 1);
        """,
    ),
    Form(
        _LOST,
        "result-record-dropped",
        """
        #type
        struct $Own {
        char *text;
        int size;
        };
        #function
        static struct $Own $make_own(int size) {
        struct $Own o = {calloc(1, (size_t)size + 1), size};
        return o;
        }
        #here
        struct $Own $o = $make_own($K);
        if $C {
        $o = (struct $Own){0}; @@
        }
        printf("%d\\n", $o.size >= 0);
        free($o.text);
        """,
    ),
)
_CONTAINER = (
    Form(
        _BOUNDS,
        "container-of-the-head",
        """
        #type
        struct $Hook {
        struct $Hook *next;
        };
        struct $Item {
        long id;
        struct $Hook hook;
        };
        #here
        struct $Hook *$head = malloc(sizeof *$head);
        struct $Item *$item = malloc(sizeof *$item);
        $item->id = $E;
        $item->hook.next = $head;
        $head->next = &$item->hook;
        struct $Hook *$at = $C ? $item->hook.next : $head->next;
        struct $Item *$found = (struct $Item *)((char *)$at - offsetof(struct $Item, hook));
        printf("%ld\\n", $found->id); @@
        free($item);
        free($head);
        """,
    ),
    Form(
        _WRONG,
        "member-freed",
        """
        #type
        struct $Item {
        int id;
        struct {
        int a;
        } hook;
        };
        #here
        struct $Item *$item = malloc(sizeof *$item);
        $item->id = $E;
        char *$at = (char *)&$item->hook;
        $at -= PICK(0, 1) * (int)offsetof(struct $Item, hook);
        free($at); @@
        """,
    ),
)
_INITIALISERS = (
    Form(
        _BOUNDS,
        "length-by-designator",
        """
        int $t[] = {[2] = 7, 8, [1] = $E};
        printf("%d\\n", $t[PICK(4, 3)]); @@
        """,
    ),
    Form(
        _NULL,
        "left-to-zero",
        """
        #type
        struct $Slot {
        const char *name;
        int *at;
        };
        #here
        int $v = $E;
        struct $Slot $s[3] = {[1].at = &$v, [2] = {"two", &$v}};
        *$s[PICK(0, 1)].at = 5; @@
        printf("%d\\n", $v);
        """,
    ),
)
_LITERALS = (
    Form(
        _SCOPE,
        "literal-of-a-block",
        """
        #function
        static int *$place(int *given, int own) {
        int *p = given;
        if (own) {
        p = (int[]){4, 5, 6};
        }
        return p;
        }
        #here
        int $v[2] = {$E, 1};
        int *$p = $place($v, $C);
        printf("%d\\n", $p[1]); @@
        """,
    ),
)
_WIDE = (
    Form(
        _BOUNDS,
        "wide-literal",
        """
        const wchar_t *$w = L"four";
        printf("%d\\n", (int)$w[PICK(5, 4)]); @@
        """,
    ),
    Form(
        _BOUNDS,
        "bytes-for-wide",
        """
        wchar_t *$w = malloc((size_t)PICK(5, 20));
        for (int $i = 0; $i < 5; $i++) {
        $w[$i] = L"wide"[$i]; @@
        }
        printf("%d\\n", (int)$w[0]);
        free($w);
        """,
    ),
)
_VLA = (
    Form(
        _BOUNDS,
        "vla-index",
        """
        int $n = $K + $E % 2;
        short $v[$n];
        for (int $i = 0; $i < $n; $i++) {
        $v[$i] = (short)$i;
        }
        $v[PICK($n, $n - 1)] = 5; @@
        printf("%d\\n", $v[0]);
        """,
    ),
    Form(
        _WRONG,
        "vla-freed",
        """
        int $n = $K;
        char $v[$n];
        memset($v, 'v', (size_t)$n);
        char *$p = $C ? $v : malloc(4);
        printf("%c\\n", $v[0]);
        free($p); @@
        """,
    ),
)
_ALLOCA = (
    Form(
        _BOUNDS,
        "alloca-size",
        """
        #function
        static int $tally(int room, int last) {
        int *a = alloca((size_t)room * sizeof(int));
        int sum = 0;
        for (int i = 0; i <= last; i++) {
        a[i] = i; @@
        sum += a[i];
        }
        return sum;
        }
        #here
        printf("%d\\n", $tally($K, PICK($K, $K - 1)));
        """,
    ),
    Form(
        _SCOPE,
        "alloca-returned",
        """
        #function
        static char *$carve(char *given, int own) {
        char *made = alloca(8);
        strcpy(made, "carved");
        return own ? made : given;
        }
        #here
        char $g[8] = "given";
        char *$p = $carve($g, $C);
        $p[0] = 'G'; @@
        puts($g);
        """,
        blind=BLIND_FRAME,
    ),
)
_STATICS = (
    Form(
        _FREED,
        "static-pointer",
        """
        #function
        static int $cached(int drop) {
        static int *kept;
        if (!kept) {
        kept = malloc(sizeof *kept);
        *kept = 3;
        }
        int value = *kept; @@
        if (drop) {
        free(kept);
        if (drop == 1) {
        kept = NULL;
        }
        }
        return value;
        }
        #here
        printf("%d\\n", $cached(PICK(2, 1)));
        printf("%d\\n", $cached(1));
        """,
    ),
    Form(
        _KEPT,
        "static-cache",
        """
        #function
        static char *$cache(int fill) {
        static char *kept;
        if (fill && !kept) {
        kept = calloc(1, 8);
        }
        return kept;
        }
        #here
        printf("%d\\n", $cache($C) != NULL && $cache(0)[0] != 0);
        """,
    ),
)
_DUFF = (
    Form(
        _BOUNDS,
        "duff-count",
        """
        #function
        static void $send(char *to, const char *from, int count) {
        int turns = (count + 1) / 2;
        switch (count % 2) {
        do {
        case 0:
        *to++ = *from++; @@
        case 1:
        *to++ = *from++;
        } while (--turns > 0);
        }
        }
        #here
        char $from[12] = "duff", $to[6];
        $send($to, $from, PICK(8, 6));
        puts($from + ($to[5] != 0));
        """,
    ),
)
_GOTO = (
    Form(
        _SCOPE,
        "left-by-goto",
        """
        int $own = $E;
        int *$p = &$own;
        {
        int $inner = $F;
        if $C {
        $p = &$inner;
        goto $out;
        }
        $inner++;
        }
        $out:
        printf("%d\\n", *$p); @@
        """,
    ),
    Form(
        _LOST,
        "label-skips-free",
        """
        #function
        static int $load(int bad) {
        char *first = malloc(4), *second = malloc(8);
        int status = 0;
        if (bad) {
        status = -1;
        goto one;
        }
        free(second);
        one:
        free(first);
        return status; @@
        }
        #here
        printf("%d\\n", $load($C));
        """,
    ),
    Form(
        _TWICE,
        "label-frees-again",
        """
        #function
        static int $load(int bad) {
        int status = 1;
        short *first = calloc(2, sizeof(short));
        if (bad) {
        free(first);
        status = 0;
        goto out;
        }
        first[1] = 3;
        out:
        free(first); @@
        return status;
        }
        #here
        printf("%d\\n", $load($C));
        """,
    ),
)
_VARARGS = (
    Form(
        _BOUNDS,
        "argument-not-given",
        """
        #function
        static int $sum_all(int count, ...) {
        va_list args;
        int total = 0;
        va_start(args, count);
        while (count-- > 0) {
        total += va_arg(args, int); @@
        }
        va_end(args);
        return total;
        }
        #here
        printf("%d\\n", $sum_all(PICK(3, 2), $E, $F) >= 0);
        """,
        blind=BLIND_VARIADIC,
    ),
    Form(
        _NULL,
        "argument-null",
        """
        #function
        static int $widths(int count, ...) {
        va_list args;
        int total = 0;
        va_start(args, count);
        for (const char *s; count-- > 0;) {
        s = va_arg(args, const char *);
        total += (int)strlen(s); @@
        }
        va_end(args);
        return total;
        }
        #here
        printf("%d\\n", $widths(2, "ab", $C ? NULL : "cde"));
        """,
    ),
)
_METHODS = (
    Form(
        _NULL,
        "method-missing",
        """
        #type
        struct $Ops {
        int (*open)(int);
        int (*close)(int);
        };
        #function
        static int $same(int n) {
        return n;
        }
        #here
        struct $Ops $ops = {.open = $same, .close = $C ? NULL : $same};
        printf("%d\\n", $ops.open($E) + $ops.close(2)); @@
        """,
    ),
)
_STRINGS = (
    Form(
        _BOUNDS,
        "strncpy-ends-nowhere",
        """
        char *$b = malloc(4);
        strncpy($b, $C ? "four" : "two", 4);
        printf("%d\\n", (int)strlen($b)); @@
        free($b);
        """,
    ),
    Form(
        _NULL,
        "not-found",
        """
        char $line[] = "key=1";
        char *$at = strchr($line, PICK(':', '='));
        *$at = 0; @@
        puts($line);
        """,
    ),
    Form(
        _NULL,
        "no-token",
        """
        char $line[8];
        strcpy($line, $C ? "  " : " a b");
        char *$tok = strtok($line, " ");
        printf("%c\\n", $tok[0]); @@
        """,
    ),
    Form(
        _WRONG,
        "separator-moved-it",
        """
        char *$all = strdup("left right"), *$rest = $all;
        puts(strsep(&$rest, " "));
        if (!$C) {
        $rest = $all;
        }
        free($rest); @@
        """,
    ),
    Form(
        _LOST,
        "duplicate-dropped",
        """
        char *$copy = strdup("first");
        if $C {
        $copy = strdup("second"); @@
        }
        puts($copy);
        free($copy);
        """,
    ),
)
_FORMATS = (
    Form(
        _BOUNDS,
        "truncated-length",
        """
        char $b[6];
        int $n = snprintf($b, sizeof $b, "%d", PICK(1234567, 123));
        $b[$n] = '!'; @@
        printf("%c\\n", $b[0]);
        """,
    ),
)
_SCAN = (
    Form(
        _BOUNDS,
        "scanned-word",
        """
        char $w[4];
        int $n = sscanf($C ? "long words" : "few words", "%s", $w); @@
        printf("%d %s\\n", $n, $w);
        """,
    ),
)
_SORTING = (
    Form(
        _NULL,
        "key-not-there",
        """
        #function
        static int $by_value(const void *a, const void *b) {
        return *(const int *)a - *(const int *)b;
        }
        #here
        int $t[] = {1, 4, 9}, $key = PICK(5, 4);
        int *$hit = bsearch(&$key, $t, 3, sizeof(int), $by_value);
        printf("%d\\n", *$hit); @@
        """,
    ),
    Form(
        _BOUNDS,
        "too-many-sorted",
        """
        #function
        static int $by_value(const void *a, const void *b) {
        return *(const int *)a - *(const int *)b; @@
        }
        #here
        int *$t = malloc($K * sizeof(int));
        for (int $i = 0; $i < $K; $i++) {
        $t[$i] = $K - $i;
        }
        qsort($t, (size_t)PICK($K + 1, $K), sizeof(int), $by_value);
        printf("%d\\n", $t[0]);
        free($t);
        """,
    ),
)
_BUILTINS = (
    Form(
        _BOUNDS,
        "builtin-copy",
        """
        char $from[12] = "eleven char", *$to = malloc(8);
        __builtin_memcpy($to, $from, (size_t)PICK(9, 8)); @@
        printf("%c\\n", $to[7]);
        free($to);
        """,
    ),
)
_STATEMENT_EXPRESSIONS = (
    Form(
        _SCOPE,
        "local-of-an-expression",
        """
        int $own = $E;
        int *$p = ({
        int kept = $F;
        $C ? &kept : &$own;
        });
        *$p += 1; @@
        printf("%d\\n", $own);
        """,
    ),
)

MEMORY: dict[str, tuple[Form, ...]] = {
    "anonymous": _ANONYMOUS, "flexible": _FLEXIBLE, "packed": _PACKED, "unions": _UNIONS,
    "by-value": _BY_VALUE, "container": _CONTAINER, "initialisers": _INITIALISERS,
    "literals": _LITERALS, "wide-strings": _WIDE, "vla": _VLA, "alloca": _ALLOCA,
    "statics": _STATICS, "duff": _DUFF, "goto": _GOTO, "varargs": _VARARGS, "methods": _METHODS,
    "strings": _STRINGS, "formats": _FORMATS, "scan": _SCAN, "sorting": _SORTING,
    "builtins": _BUILTINS, "statement-expressions": _STATEMENT_EXPRESSIONS,
}  # fmt: skip

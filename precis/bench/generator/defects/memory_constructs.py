"""Wrong uses of storage, jumps, calls and the library, by the family of the construct."""

from __future__ import annotations

from ..forms import Form
from ..truth import BLIND_CALL, BLIND_FRAME, BLIND_VARIADIC

_NULL, _FREED, _SCOPE = "null-dereference", "use-after-free", "use-after-scope"
_BOUNDS, _TWICE, _WRONG = "out-of-bounds", "double-free", "invalid-free"
_LOST, _KEPT = "memory-leak", "not-freed"

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
        blind=BLIND_CALL,
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
    "vla": _VLA, "alloca": _ALLOCA, "statics": _STATICS, "duff": _DUFF, "goto": _GOTO,
    "varargs": _VARARGS, "methods": _METHODS, "strings": _STRINGS, "formats": _FORMATS,
    "scan": _SCAN, "sorting": _SORTING, "builtins": _BUILTINS,
    "statement-expressions": _STATEMENT_EXPRESSIONS,
}  # fmt: skip

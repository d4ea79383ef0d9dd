"""Values: uninitialised, overflowing, divided by zero, shifted too far, asserted in vain."""

from __future__ import annotations

from ..forms import Form, Library
from ..truth import BLIND_UNINITIALISED

_UNSET = "uninitialised-use"
_OVER = "signed-overflow"
_SHIFT = "bad-shift"
_ZERO = "division-by-zero"
_ASSERT = "assertion"
_ERROR = "reachable-error"


def _unset(name: str, text: str, library: Library = Library.NONE) -> Form:
    return Form(_UNSET, name, text, library, BLIND_UNINITIALISED)


_UNINITIALISED = (
    _unset(
        "scalar",
        """
        int $x;
        if (!$C) {
        $x = $E;
        }
        if ($x > 4) { @@
        puts("large");
        }
        """,
    ),
    _unset(
        "printed",
        """
        unsigned $total;
        switch $C {
        case 0:
        $total = $K;
        break;
        default:
        break;
        }
        printf("%u\\n", $total); @@
        """,
    ),
    _unset(
        "array-element",
        """
        int $marks[$K];
        for (int $i = PICK(1, 0); $i < $K; $i++) {
        $marks[$i] = $i;
        }
        int $best = 0;
        for (int $i = $K - 1; $i >= 0; $i--) {
        if ($marks[$i] > $best) { @@
        $best = $marks[$i];
        }
        }
        printf("%d\\n", $best >= 0);
        """,
    ),
    _unset(
        "heap-field",
        """
        #type
        struct $Acc {
        int id;
        int balance;
        };
        #function
        static struct $Acc *$open_acc(int id, int paid) {
        struct $Acc *acc = malloc(sizeof *acc);
        acc->id = id;
        if (paid) {
        acc->balance = 10;
        }
        return acc;
        }
        #here
        struct $Acc *$acc = $open_acc($E, !$C);
        if ($acc->balance == 10) { @@
        printf("%d\\n", $acc->id);
        }
        free($acc);
        """,
    ),
    _unset(
        "grown-vector",
        """
        short *$v = calloc(2, sizeof(short));
        $v = realloc($v, $K * sizeof(short));
        if (!$C) {
        memset($v, 0, $K * sizeof(short));
        }
        if ($v[$K - 1] != 0) { @@
        puts("set");
        }
        free($v);
        """,
    ),
    _unset(
        "out-parameter",
        """
        #function
        static int $parse(const char *s, int *out) {
        if (*s < '0' || *s > '9') {
        return -1;
        }
        *out = *s - '0';
        return 0;
        }
        #here
        int $parsed;
        char $input[2] = {$C ? 'x' : '7', 0};
        $parse($input, &$parsed);
        printf("%d\\n", $parsed); @@
        """,
    ),
    _unset(
        "struct-member",
        """
        #type
        struct $Opt {
        char level;
        int limit;
        };
        #function
        static int $limit_of(struct $Opt opt) {
        if (opt.limit > 3) { @@
        return opt.level;
        }
        return 0;
        }
        #here
        struct $Opt $opt;
        $opt.level = 2;
        if (!$C) {
        $opt.limit = $E;
        }
        printf("%d\\n", $limit_of($opt));
        """,
    ),
)

_ASSERTIONS = (
    Form(
        _ASSERT,
        "value",
        """
        int $seen = PICK($K + 1, $K - 1);
        assert($seen < $K); @@
        printf("%d\\n", $seen);
        """,
    ),
    Form(
        _ASSERT,
        "list-length",
        """
        if $C {
        $push(&$LIST, 9);
        }
        assert($length($LIST) == $K); @@
        $clear($LIST);
        """,
        Library.LIST,
    ),
    Form(
        _ASSERT,
        "sorted",
        """
        #function
        static void $check_sorted(const int *a, int n) {
        for (int i = 1; i < n; i++) {
        assert(a[i - 1] <= a[i]); @@
        }
        }
        #here
        int $sorted[4] = {1, 3, 5, 7};
        $sorted[2] = PICK(8, 6);
        $check_sorted($sorted, 4);
        printf("%d\\n", $sorted[2]);
        """,
    ),
    Form(
        _ASSERT,
        "pointer",
        """
        int $here_v = $E;
        int *$p = &$here_v;
        if $C {
        $p = NULL;
        }
        assert($p != NULL && *$p < 10); @@
        printf("%d\\n", *$p);
        """,
    ),
    Form(
        _ASSERT,
        "string",
        """
        char $msg[6] = "ready";
        $msg[1] = (char)PICK('o', 'e');
        assert(strcmp($msg, "ready") == 0); @@
        puts($msg);
        """,
    ),
    Form(
        _ERROR,
        "branch",
        """
        printf("%d\\n", $E);
        if $C {
        reach_error(); @@
        }
        """,
    ),
    Form(
        _ERROR,
        "check-function",
        """
        #function
        static void $must(int holds) {
        if (!holds) {
        reach_error(); @@
        }
        }
        #here
        $must($K > 2);
        $must(!$C);
        """,
    ),
    Form(
        _ERROR,
        "switch-case",
        """
        switch (PICK(3, 1)) {
        case 1:
        puts("one");
        break;
        case 3:
        reach_error(); @@
        break;
        default:
        puts("other");
        break;
        }
        """,
    ),
    Form(
        _ERROR,
        "tree-shape",
        """
        if $C {
        $mirror($TREE);
        }
        if ($has($TREE, 1) + $has($TREE, $K) != 2) {
        reach_error(); @@
        }
        $fell($TREE);
        """,
        Library.TREE,
    ),
)

_OVERFLOWS = (
    Form(
        _OVER,
        "add",
        """
        int $big = PICK(INT_MAX, 12);
        int $more = $big + $K; @@
        printf("%d\\n", $more);
        """,
    ),
    Form(
        _OVER,
        "increment",
        """
        int $count = INT_MAX - $K;
        int $turns = PICK($K + 1, $K);
        while ($turns-- > 0) {
        $count++; @@
        }
        printf("%d\\n", $count);
        """,
    ),
    Form(
        _OVER,
        "multiply",
        """
        int $side = PICK(50000, 300);
        long $area = $side * $side; @@
        printf("%ld\\n", $area);
        """,
    ),
    Form(
        _OVER,
        "negate",
        """
        int $least = INT_MIN + 1;
        if $C {
        $least--;
        }
        int $flipped = -$least; @@
        printf("%d\\n", $flipped);
        """,
    ),
    Form(
        _OVER,
        "long-subtract",
        """
        long long $low = LLONG_MIN + 5;
        $low -= PICK(6, 5); @@
        printf("%lld\\n", $low);
        """,
    ),
    Form(
        _OVER,
        "factorial",
        """
        #function
        static int $fact(int n) {
        int result = 1;
        for (int i = 2; i <= n; i++) {
        result *= i; @@
        }
        return result;
        }
        #here
        printf("%d\\n", $fact(PICK(13, 12)));
        """,
    ),
    Form(
        _OVER,
        "list-sum",
        """
        $LIST->$v = PICK(INT_MAX, 100);
        int $acc = 1;
        for (struct $T *$at = $LIST; $at; $at = $at->$n) {
        $acc += $at->$v; @@
        }
        printf("%d\\n", $acc);
        $clear($LIST);
        """,
        Library.LIST,
    ),
    Form(
        _OVER,
        "decrement-element",
        """
        long $cells[2] = {LONG_MIN, LONG_MIN + 1};
        long *$cell = &$cells[PICK(0, 1)];
        --*$cell; @@
        printf("%d\\n", $cells[0] == $cells[1]);
        """,
    ),
    Form(
        _SHIFT,
        "too-far-left",
        """
        unsigned $mask = 1u << PICK(32, 31); @@
        printf("%x\\n", $mask);
        """,
    ),
    Form(
        _SHIFT,
        "too-far-right",
        """
        int $value = $E * 1000;
        int $by = PICK(40, 4);
        $value >>= $by; @@
        printf("%d\\n", $value);
        """,
    ),
    Form(
        _SHIFT,
        "negative",
        """
        unsigned long $word = 240ul;
        int $places = PICK(-1, 3);
        $word = $word << $places; @@
        printf("%lu\\n", $word);
        """,
    ),
    Form(
        _SHIFT,
        "loop",
        """
        unsigned $bits = 0;
        for (int $i = 30; $i < PICK(33, 32); $i++) {
        $bits |= 1u << $i; @@
        }
        printf("%x\\n", $bits);
        """,
    ),
    Form(
        _SHIFT,
        "narrow-operand",
        """
        #function
        static int $bit_of(unsigned char byte, int place) {
        return (byte >> place) & 1; @@
        }
        #here
        printf("%d\\n", $bit_of(200, PICK(32, 7)));
        """,
    ),
    Form(
        _SHIFT,
        "long-operand",
        """
        long long $wide = $E;
        $wide <<= PICK(64, 9); @@
        printf("%lld\\n", $wide);
        """,
    ),
)

_DIVISIONS = (
    Form(
        _ZERO,
        "quotient",
        """
        int $parts = PICK(0, $K);
        printf("%d\\n", ($E + 60) / $parts); @@
        """,
    ),
    Form(
        _ZERO,
        "remainder",
        """
        unsigned $wheel = 77u;
        $wheel %= (unsigned)PICK(0, 5); @@
        printf("%u\\n", $wheel);
        """,
    ),
    Form(
        _ZERO,
        "average-of-none",
        """
        #function
        static int $average(const int *a, int n) {
        int total = 0;
        for (int i = 0; i < n; i++) {
        total += a[i];
        }
        return total / n; @@
        }
        #here
        int $sample[3] = {4, 8, $E};
        printf("%d\\n", $average($sample, PICK(0, 3)));
        """,
    ),
    Form(
        _ZERO,
        "empty-list",
        """
        if $C {
        $clear($LIST);
        $LIST = NULL;
        }
        int $mean = 100 / $length($LIST); @@
        printf("%d\\n", $mean);
        $clear($LIST);
        """,
        Library.LIST,
    ),
    Form(
        _ZERO,
        "long-division",
        """
        long $scale[3] = {7, 0, -2};
        long $shares = 1000;
        for (int $i = 0; $i < 3; $i += PICK(1, 2)) {
        $shares /= $scale[$i]; @@
        }
        printf("%ld\\n", $shares);
        """,
    ),
    Form(
        _ZERO,
        "narrow-wrap",
        """
        unsigned char $tick = 250;
        $tick = (unsigned char)($tick + PICK(6, 5));
        printf("%d\\n", 500 % $tick); @@
        """,
    ),
)

VALUES: tuple[Form, ...] = (*_UNINITIALISED, *_ASSERTIONS, *_OVERFLOWS, *_DIVISIONS)

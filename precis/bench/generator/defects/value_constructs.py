"""Wrong values that need a construct of its own, by the family of the construct."""

from __future__ import annotations

from ..forms import Form
from ..truth import BLIND_UNINITIALISED

_UNSET, _OVER, _SHIFT = "uninitialised-use", "signed-overflow", "bad-shift"
_ZERO, _ASSERT, _ERROR = "division-by-zero", "assertion", "reachable-error"


def _unset(name: str, text: str) -> Form:
    return Form(_UNSET, name, text, blind=BLIND_UNINITIALISED)


_FLAGS = """
    #type
    struct $Flags {
    unsigned count : 3;
    int delta : 4;
    unsigned by : 6;
    };
    #here
    """
_BIT_FIELDS = (
    Form(
        _ZERO,
        "wrapped-divisor",
        _FLAGS
        + """
        struct $Flags $f = {0};
        $f.count = (unsigned)PICK(8, 5);
        printf("%d\\n", 60 / $f.count); @@
        """,
    ),
    Form(
        _ASSERT,
        "wrapped-sign",
        _FLAGS
        + """
        struct $Flags $f = {.count = 1};
        $f.delta = PICK(8, 7);
        assert($f.delta > 0); @@
        printf("%d\\n", $f.delta);
        """,
    ),
    Form(
        _SHIFT,
        "shift-by-field",
        _FLAGS
        + """
        struct $Flags $f = {.by = (unsigned)PICK(40, 4)};
        printf("%d\\n", 1 << $f.by); @@
        """,
    ),
    Form(
        _OVER,
        "field-is-an-int",
        _FLAGS
        + """
        struct $Flags $f = {.delta = PICK(5, 2)};
        int $sum = INT_MAX - 3 + $f.delta; @@
        printf("%d\\n", $sum);
        """,
    ),
    _unset(
        "field-beside",
        _FLAGS
        + """
        struct $Flags $f;
        $f.count = 3;
        if (!$C) {
        $f.by = 4;
        }
        if ($f.by > 2) { @@
        printf("%d\\n", $f.count);
        }
        """,
    ),
)
_ANONYMOUS = (
    Form(
        _ASSERT,
        "members-overlap",
        """
        #type
        struct $Over {
        union {
        int pos;
        struct {
        short row, col;
        };
        };
        };
        #here
        struct $Over $o = {.pos = 0};
        $o.col = (short)PICK(1, 0);
        assert($o.pos < 65536); @@
        printf("%d\\n", $o.row);
        """,
    ),
)
_FLEXIBLE = (
    _unset(
        "flexible-element",
        """
        #type
        struct $Flex {
        int size;
        int data[];
        };
        #here
        struct $Flex *$p = malloc(sizeof *$p + 3 * sizeof(int));
        $p->size = PICK(2, 3);
        for (int $i = 0; $i < $p->size; $i++) {
        $p->data[$i] = $i;
        }
        if ($p->data[2] == 2) { @@
        puts("two");
        }
        free($p);
        """,
    ),
)
_VLA = (
    _unset(
        "vla-element",
        """
        int $n = $K;
        int $v[$n];
        for (int $i = 0; $i < PICK($n - 1, $n); $i++) {
        $v[$i] = $i;
        }
        printf("%d\\n", $v[$n - 1]); @@
        """,
    ),
)
_STATICS = (
    Form(
        _ZERO,
        "counted-down",
        """
        #function
        static int $share(int step) {
        static int left = 4;
        left -= step;
        return 12 / left; @@
        }
        #here
        printf("%d\\n", $share(1));
        printf("%d\\n", $share(PICK(3, 1)));
        """,
    ),
)
_SWITCH = (
    Form(
        _ERROR,
        "falls-through",
        """
        int $got = 0;
        switch (PICK(2, 1)) {
        case 1:
        $got = 5;
        break;
        case 2:
        $got = 7;
        case 3 ... 5:
        reach_error(); @@
        default:
        $got = 9;
        }
        printf("%d\\n", $got);
        """,
    ),
    _unset(
        "label-behind-the-start",
        """
        switch (PICK(1, 0)) {
        int $x;
        case 0:
        $x = $E;
        case 1:
        if ($x > 4) { @@
        puts("more");
        }
        }
        """,
    ),
    Form(
        _ASSERT,
        "range-too-wide",
        """
        int $class = 0;
        switch (PICK(20, 9)) {
        case 0 ... 9:
        $class = 1;
        break;
        case 10 ... 99:
        $class = 2;
        }
        assert($class == 1); @@
        printf("%d\\n", $class);
        """,
    ),
)
_GOTO = (
    _unset(
        "initialiser-jumped-over",
        """
        if $C {
        goto $inside;
        }
        {
        int $x = $E;
        $inside:
        if ($x > 3) { @@
        puts("three");
        }
        }
        """,
    ),
)
_VARARGS = (
    Form(
        _ASSERT,
        "sum-of-arguments",
        """
        #function
        static int $sum_all(int count, ...) {
        va_list args;
        int total = 0;
        va_start(args, count);
        while (count-- > 0) {
        total += va_arg(args, int);
        }
        va_end(args);
        return total;
        }
        #here
        int $total = $sum_all(PICK(3, 2), 4, 5, 6);
        assert($total < 15); @@
        printf("%d\\n", $total);
        """,
    ),
)
_METHODS = (
    Form(
        _ERROR,
        "wrong-method",
        """
        #function
        static int $good(int n) {
        return n + 1;
        }
        #function
        static int $bad(int n) {
        reach_error(); @@
        return n;
        }
        #here
        int (*const $all[])(int) = {$good, $bad};
        printf("%d\\n", $all[PICK(1, 0)]($E));
        """,
    ),
)
_OVERFLOW = (
    Form(
        _ASSERT,
        "overflow-told",
        """
        short $r;
        int $over = __builtin_mul_overflow(PICK(300, 30), 200, &$r);
        assert(!$over); @@
        printf("%d\\n", $r);
        """,
    ),
    Form(
        _OVER,
        "overflow-ignored",
        """
        int $r;
        __builtin_add_overflow(INT_MAX, PICK(1, -1), &$r);
        printf("%d\\n", $r - 5); @@
        """,
    ),
)
_BIT_COUNTS = (
    Form(
        _SHIFT,
        "shift-by-count",
        """
        unsigned $all = (unsigned)PICK(-1, 255);
        printf("%u\\n", 1u << __builtin_popcount($all)); @@
        """,
    ),
)
_GENERIC = (
    Form(
        _ERROR,
        "selected-by-type",
        """
        int $n = _Generic((char)1 + 1, int: 1, char: 2, default: 3);
        if (PICK(1, 2) == $n) {
        reach_error(); @@
        }
        """,
    ),
)
_INT128 = (
    Form(
        _OVER,
        "too-large-for-128",
        """
        __int128 $x = (__int128)1 << PICK(126, 100);
        $x = $x + $x; @@
        printf("%d\\n", (int)($x >> 99));
        """,
    ),
)
_STATEMENT_EXPRESSIONS = (
    Form(
        _ZERO,
        "zero-from-an-expression",
        """
        int $part = ({
        int low = PICK(4, 3);
        low - 4;
        });
        printf("%d\\n", 100 % $part); @@
        """,
    ),
)
_TEXT_NUMBERS = (
    Form(
        _ZERO,
        "no-number",
        """
        const char *$t = $C ? "none" : "7up";
        printf("%d\\n", 70 / atoi($t)); @@
        """,
    ),
    Form(
        _ASSERT,
        "rest-of-text",
        """
        char *$end;
        long $n = strtol($C ? "12z" : "12", &$end, 10);
        assert(*$end == 0); @@
        printf("%ld\\n", $n);
        """,
    ),
)
_SCAN = (
    _unset(
        "nothing-scanned",
        """
        int $x;
        sscanf($C ? "x" : "7", "%d", &$x);
        printf("%d\\n", $x); @@
        """,
    ),
)

VALUE: dict[str, tuple[Form, ...]] = {
    "bit-fields": _BIT_FIELDS, "anonymous": _ANONYMOUS, "flexible": _FLEXIBLE, "vla": _VLA,
    "statics": _STATICS, "switch": _SWITCH, "goto": _GOTO, "varargs": _VARARGS,
    "methods": _METHODS, "overflow": _OVERFLOW, "bit-counts": _BIT_COUNTS, "generic": _GENERIC,
    "int128": _INT128, "statement-expressions": _STATEMENT_EXPRESSIONS,
    "text-numbers": _TEXT_NUMBERS, "scan": _SCAN,
}  # fmt: skip

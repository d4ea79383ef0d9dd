"""Pointers that point to nothing: null, or a number that is no address."""

from __future__ import annotations

from ..forms import Form, Library

_NULL = "null-dereference"
_INVALID = "invalid-pointer"

POINTERS: tuple[Form, ...] = (
    Form(
        _NULL,
        "cleared-alias",
        """
        #type
        struct $S {
        int left;
        int right;
        };
        #here
        struct $S $one = {$E, $F};
        struct $S *$p = &$one;
        struct $S **$pp = &$p;
        if $C {
        *$pp = NULL;
        }
        $p->right += 2; @@
        printf("%d\\n", $one.right);
        """,
    ),
    Form(
        _NULL,
        "missing-element",
        """
        struct $T *$found = $find($LIST, PICK($K + 4, $K));
        printf("found %d\\n", $found->$v); @@
        $clear($LIST);
        """,
        Library.LIST,
    ),
    Form(
        _NULL,
        "walk-too-far",
        """
        struct $T *$walk = $LIST;
        for (int $i = PICK($K, $K - 1); $i > 0; $i--) {
        $walk = $walk->$n;
        }
        $walk->$v = $E; @@
        printf("%d\\n", $sum($LIST));
        $clear($LIST);
        """,
        Library.LIST,
    ),
    Form(
        _NULL,
        "step-in-loop",
        """
        struct $T *$walk = $LIST;
        int $steps = PICK($K + 1, $K - 1);
        while ($steps-- > 0) {
        $walk = $walk->$n; @@
        }
        printf("%d\\n", $walk == NULL);
        $clear($LIST);
        """,
        Library.LIST,
    ),
    Form(
        _NULL,
        "lookup-in-callee",
        """
        #global
        static int $store[4] = {3, 1, 4, 1};
        #function
        static int *$lookup(int key) {
        if (key >= 4) {
        return NULL;
        }
        return &$store[key];
        }
        #function
        static int $use(int key) {
        int *slot = $lookup(key);
        *slot += key; @@
        return *slot;
        }
        #here
        int $n = $use(PICK(5, 2));
        printf("%d\\n", $n);
        """,
    ),
    Form(
        _NULL,
        "empty-slot",
        """
        char $text[8] = "slot";
        const char *$slots[4] = {$text, "b", $text, NULL};
        int $where = PICK(3, 1);
        printf("%c\\n", $slots[$where][0]); @@
        """,
    ),
    Form(
        _NULL,
        "string-function",
        """
        const char *$s = "sample";
        if $C {
        $s = NULL;
        }
        size_t $len = strlen($s); @@
        printf("%d\\n", (int)$len);
        """,
    ),
    Form(
        _NULL,
        "inner-pointer",
        """
        #type
        struct $In {
        long amount;
        };
        struct $Out {
        char kind;
        struct $In *in;
        };
        #function
        static void $attach(struct $Out *out, struct $In *in, int drop) {
        out->kind = 'o';
        out->in = drop ? NULL : in;
        }
        #here
        struct $In $inner = {$E};
        struct $Out $outer;
        $attach(&$outer, &$inner, $C);
        $outer.in->amount++; @@
        printf("%ld %c\\n", $inner.amount, $outer.kind);
        """,
    ),
    Form(
        _NULL,
        "empty-subtree",
        """
        struct $T *$down = $TREE;
        int $turns = PICK($K + 2, 0);
        while ($turns-- > 0 && $down) {
        $down = $down->$l;
        }
        printf("%d\\n", $down->$k); @@
        $fell($TREE);
        """,
        Library.TREE,
    ),
    Form(
        _NULL,
        "null-array",
        """
        int *$block = NULL;
        if (!$C) {
        $block = calloc($K, sizeof(int));
        }
        for (int $i = 0; $i < $K; $i++) {
        $block[$i] = $i * 2; @@
        }
        printf("%d\\n", $block[$K - 1]);
        free($block);
        """,
    ),
    Form(
        _INVALID,
        "number-as-address",
        """
        int $cell = $E;
        int *$p = &$cell;
        if $C {
        $p = (int *)65536;
        }
        *$p = $F; @@
        printf("%d\\n", $cell);
        """,
    ),
    Form(
        _INVALID,
        "union-overwritten",
        """
        #type
        union $U {
        short *pointer;
        unsigned long number;
        };
        #here
        short $cells[$K] = {1, 2, 3};
        union $U $u;
        $u.pointer = $cells;
        if $C {
        $u.number = 131072ul;
        }
        printf("%d\\n", *$u.pointer); @@
        """,
    ),
    Form(
        _INVALID,
        "bytes-overwritten",
        """
        #type
        struct $H {
        char *name;
        int size;
        };
        #here
        char $buf[6] = "hello";
        struct $H $h = {$buf, 5};
        if $C {
        memset(&$h, 17, sizeof $h);
        }
        $h.name[0] = 'j'; @@
        printf("%s %d\\n", $buf, $h.size);
        """,
    ),
    Form(
        _INVALID,
        "handle-table",
        """
        #function
        static int *$decode(unsigned long handle) {
        return (int *)handle;
        }
        #here
        int $target = $E;
        unsigned long $handle = (unsigned long)&$target;
        if $C {
        $handle = 4096ul * $K;
        }
        int *$p = $decode($handle);
        *$p += 1; @@
        printf("%d\\n", $target);
        """,
    ),
)

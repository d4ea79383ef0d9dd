"""Memory that nothing reaches any more, and memory that is kept until the end."""

from __future__ import annotations

from ..forms import Form, Library

_LOST = "memory-leak"
_KEPT = "not-freed"

LEAKS: tuple[Form, ...] = (
    Form(
        _LOST,
        "overwritten",
        """
        int *$p = malloc($K * sizeof(int));
        $p[0] = $E;
        printf("%d\\n", $p[0]);
        if $C {
        $p = NULL; @@
        }
        free($p);
        """,
    ),
    Form(
        _LOST,
        "allocated-again",
        """
        char *$text = NULL;
        for (int $i = 0; $i < 2; $i++) {
        if ($i == 0 || $C) {
        $text = malloc(8); @@
        sprintf($text, "t%d", $i);
        }
        }
        puts($text);
        free($text);
        """,
    ),
    Form(
        _LOST,
        "head-dropped",
        """
        if $C {
        $LIST = $LIST->$n; @@
        }
        printf("%d\\n", $sum($LIST));
        $clear($LIST);
        """,
        Library.LIST,
    ),
    Form(
        _LOST,
        "tail-cut",
        """
        if $C {
        $LIST->$n = NULL; @@
        }
        printf("%d\\n", $length($LIST));
        $clear($LIST);
        """,
        Library.LIST,
    ),
    Form(
        _LOST,
        "unlinked",
        """
        #function
        static void $skip_one(struct $T *list) {
        list->$n = list->$n->$n; @@
        }
        #here
        if $C {
        $skip_one($LIST);
        }
        $clear($LIST);
        """,
        Library.LIST,
    ),
    Form(
        _LOST,
        "owner-freed-first",
        """
        #type
        struct $Holder {
        char *label;
        int size;
        };
        #here
        struct $Holder *$h = malloc(sizeof *$h);
        $h->label = malloc(6);
        strcpy($h->label, "label");
        $h->size = $E;
        printf("%s %d\\n", $h->label, $h->size);
        if (!$C) {
        free($h->label);
        }
        free($h); @@
        """,
    ),
    Form(
        _LOST,
        "early-return",
        """
        #function
        static int $measure(int n, int give_up) {
        int *work = calloc((size_t)n, sizeof(int));
        for (int i = 0; i < n; i++) {
        work[i] = i * i;
        }
        int result = work[n - 1];
        if (give_up) {
        return result; @@
        }
        free(work);
        return result;
        }
        #here
        printf("%d\\n", $measure($K, $C));
        """,
    ),
    Form(
        _LOST,
        "global-replaced",
        """
        #global
        static long *$current = NULL;
        #function
        static void $install(long value) {
        $current = malloc(sizeof(long)); @@
        *$current = value;
        }
        #here
        $install($E);
        if $C {
        $install(5);
        }
        printf("%ld\\n", *$current);
        free($current);
        $current = NULL;
        """,
    ),
    Form(
        _LOST,
        "record-overwritten",
        """
        #type
        struct $Bag {
        short *things;
        int count;
        };
        #here
        struct $Bag $bag = {calloc($K, sizeof(short)), $K};
        struct $Bag $fresh_bag = {NULL, 0};
        $bag.things[1] = 6;
        printf("%d\\n", $bag.things[1] + $bag.count);
        if $C {
        $bag = $fresh_bag; @@
        }
        free($bag.things);
        """,
    ),
    Form(
        _LOST,
        "out-parameter",
        """
        #function
        static void $renew(unsigned **slot, int size) {
        *slot = calloc((size_t)size, sizeof(unsigned)); @@
        (*slot)[0] = 8u;
        }
        #here
        unsigned *$data = NULL;
        $renew(&$data, $K);
        if $C {
        $renew(&$data, 2);
        }
        printf("%u\\n", $data[0]);
        free($data);
        """,
    ),
    Form(
        _LOST,
        "pointer-moved",
        """
        char *$walk = malloc(4);
        strcpy($walk, "abc");
        if $C {
        $walk = &"xyz"[1]; @@
        putchar(*$walk);
        }
        puts($walk);
        if (!$C) {
        free($walk);
        }
        """,
    ),
    Form(
        _LOST,
        "subtree-cleared",
        """
        if $C {
        $TREE = NULL; @@
        }
        printf("%d\\n", $sum($TREE));
        $fell($TREE);
        """,
        Library.TREE,
    ),
    Form(
        _LOST,
        "only-in-freed-block",
        """
        int **$outer = malloc(2 * sizeof(int *));
        $outer[0] = malloc(sizeof(int));
        $outer[1] = NULL;
        *$outer[0] = $E;
        int *$inner = $C ? NULL : $outer[0];
        printf("%d\\n", **$outer);
        free($outer); @@
        free($inner);
        """,
    ),
    Form(
        _KEPT,
        "global-pointer",
        """
        #global
        static int *$kept = NULL;
        #here
        $kept = malloc($K * sizeof(int));
        $kept[0] = $E;
        printf("%d\\n", $kept[0]);
        if (!$C) {
        free($kept);
        $kept = NULL;
        }
        """,
    ),
    Form(
        _KEPT,
        "global-list",
        """
        #global
        static struct $T *$registry = NULL;
        #here
        $registry = $LIST;
        printf("%d\\n", $sum($registry));
        if (!$C) {
        $clear($registry);
        $registry = NULL;
        }
        """,
        Library.LIST,
    ),
    Form(
        _KEPT,
        "static-buffer",
        """
        #function
        static char *$scratch(int release) {
        static char *buffer = NULL;
        if (release) {
        free(buffer);
        buffer = NULL;
        return "none";
        }
        if (!buffer) {
        buffer = malloc(8);
        strcpy(buffer, "scratch");
        }
        return buffer;
        }
        #here
        puts($scratch(0));
        if (!$C) {
        puts($scratch(1));
        }
        """,
    ),
    Form(
        _KEPT,
        "table-of-blocks",
        """
        #global
        static void *$table[4];
        #here
        for (int $i = 0; $i < 4; $i++) {
        $table[$i] = malloc((size_t)$i + 1);
        }
        for (int $i = PICK(1, 0); $i < 4; $i++) {
        free($table[$i]);
        $table[$i] = NULL;
        }
        """,
    ),
    Form(
        _KEPT,
        "exit-in-the-middle",
        """
        #global
        static double *$held = NULL;
        #here
        $held = malloc(2 * sizeof(double));
        $held[0] = 0.5;
        if $C {
        exit(0); @@
        }
        printf("%.1f\\n", $held[0]);
        free($held);
        $held = NULL;
        """,
    ),
)

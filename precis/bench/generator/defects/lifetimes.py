"""Memory used when its life is over."""

from __future__ import annotations

from ..forms import Form, Library

_FREED = "use-after-free"
_SCOPE = "use-after-scope"

OWNER = """
    #type
    struct $Box {
    int size;
    int *items;
    };
    #function
    static void $fill(struct $Box *box, int size) {
    box->size = size;
    box->items = malloc((size_t)size * sizeof(int));
    for (int i = 0; i < size; i++) {
    box->items[i] = i + 1;
    }
    }
    #function
    static void $empty(struct $Box *box) {
    free(box->items);
    box->size = 0;
    }
    """

LIFETIMES: tuple[Form, ...] = (
    Form(
        _FREED,
        "read-after-free",
        """
        int *$p = malloc($K * sizeof *$p);
        for (int $i = 0; $i < $K; $i++) {
        $p[$i] = $i + $E;
        }
        if $C {
        free($p);
        }
        printf("%d\\n", $p[$K - 1]); @@
        if (!$C) {
        free($p);
        }
        """,
    ),
    Form(
        _FREED,
        "write-through-alias",
        """
        #type
        struct $R {
        struct $R *other;
        short level;
        };
        #function
        static void $finish(struct $R *r, int now) {
        if (now) {
        free(r);
        }
        }
        #here
        struct $R *$first = malloc(sizeof(struct $R));
        struct $R $second = {$first, 1};
        $first->other = &$second;
        $first->level = $E;
        $finish($first, $C);
        $second.other->level = 3; @@
        printf("%d\\n", $first->level + $second.level);
        $finish($first, !$C);
        """,
    ),
    Form(
        _FREED,
        "next-after-free",
        """
        #function
        static int $wipe(struct $T *list, int careless) {
        int count = 0;
        while (list) {
        struct $T *dead = list;
        if (careless && dead->$n == NULL) {
        free(dead);
        list = dead->$n; @@
        } else {
        list = dead->$n;
        free(dead);
        }
        count++;
        }
        return count;
        }
        #here
        printf("%d\\n", $wipe($LIST, $C));
        """,
        Library.LIST,
    ),
    Form(
        _FREED,
        "stale-list-pointer",
        """
        struct $T *$held = $find($LIST, $K);
        int $dropped = $drop(&$LIST, PICK($K - 1, $K));
        printf("%d\\n", $dropped);
        $held->$v -= 1; @@
        $clear($LIST);
        """,
        Library.LIST,
    ),
    Form(
        _FREED,
        "old-block-of-realloc",
        """
        long *$grow = malloc(2 * sizeof(long));
        $grow[0] = 4;
        $grow[1] = $E;
        long *$old = $grow;
        $grow = realloc($grow, $K * sizeof(long));
        $grow[2] = 1;
        if (!$C) {
        $old = $grow;
        }
        $old[1] = 9; @@
        printf("%ld\\n", $grow[0] + $grow[1] + $grow[2]);
        free($grow);
        """,
    ),
    Form(
        _FREED,
        "owner-emptied",
        OWNER
        + """
        #here
        struct $Box $box;
        $fill(&$box, $K);
        int *$inside = &$box.items[1];
        if $C {
        $empty(&$box);
        }
        *$inside = $E; @@
        printf("%d\\n", $box.items[1]);
        $empty(&$box);
        """,
    ),
    Form(
        _FREED,
        "string-after-free",
        """
        char *$name = malloc(12);
        strcpy($name, "temporary");
        if $C {
        free($name);
        }
        int $len = (int)strlen($name); @@
        printf("%d\\n", $len);
        if (!$C) {
        free($name);
        }
        """,
    ),
    Form(
        _FREED,
        "global-cache",
        """
        #global
        static unsigned char *$cache = NULL;
        #function
        static unsigned char *$open_cache(int size) {
        unsigned char *block = calloc((size_t)size, 1);
        $cache = block;
        return block;
        }
        #here
        unsigned char *$mine = $open_cache($K);
        $mine[0] = 5;
        if $C {
        free($mine);
        $mine = NULL;
        }
        $cache[$K - 1] = 1; @@
        printf("%d\\n", $cache[0] + $mine[$K - 1]);
        free($mine);
        """,
    ),
    Form(
        _FREED,
        "removed-from-tree",
        """
        struct $T *$low = $TREE;
        while ($low->$l) {
        $low = $low->$l;
        }
        if $C {
        printf("%d\\n", $least(&$TREE, 0));
        }
        $low->$k = 0; @@
        $fell($TREE);
        """,
        Library.TREE,
    ),
    Form(
        _SCOPE,
        "inner-block",
        """
        int $outer = $E;
        int *$p = &$outer;
        {
        int $short_lived = $F;
        if $C {
        $p = &$short_lived;
        }
        *$p += 2;
        }
        printf("%d\\n", *$p); @@
        """,
    ),
    Form(
        _SCOPE,
        "published-local",
        """
        #global
        static int *$published;
        static int $fallback = 11;
        #function
        static void $publish(int local_one) {
        int mine[3] = {1, 2, 3};
        $published = local_one ? &mine[1] : &$fallback;
        *$published += 1;
        }
        #here
        $publish($C);
        *$published *= 2; @@
        printf("%d\\n", $fallback);
        """,
    ),
    Form(
        _SCOPE,
        "returned-in-struct",
        """
        #type
        struct $View {
        const char *text;
        int size;
        };
        #function
        static struct $View $render(int n, char *room) {
        char digits[8];
        struct $View view = {room, 1};
        strcpy(room, "r");
        if (n > 5) {
        sprintf(digits, "%d", n);
        view.text = digits;
        view.size = 2;
        }
        return view;
        }
        #here
        char $room[8];
        struct $View $view = $render(PICK(42, 3), $room);
        printf("%d\\n", $view.text[0]); @@
        """,
    ),
    Form(
        _SCOPE,
        "parameter-address",
        """
        #type
        struct $Arg {
        int a, b;
        };
        #function
        static int *$pick_field(struct $Arg by_value, struct $Arg *by_pointer, int which) {
        int *field = which ? &by_value.b : &by_pointer->b;
        *field += 1;
        return field;
        }
        #here
        struct $Arg $arg = {$E, $F};
        int *$field = $pick_field($arg, &$arg, $C);
        *$field = 7; @@
        printf("%d\\n", $arg.b);
        """,
    ),
    Form(
        _SCOPE,
        "loop-variable",
        """
        int $keep = 0;
        int *$last = &$keep;
        for (int $i = 0; $i < $K; $i++) {
        int $turn[2] = {$i, $i + 1};
        if ($i == 1 && $C) {
        $last = $turn;
        }
        $keep += $turn[1];
        }
        *$last = $keep; @@
        printf("%d\\n", $keep);
        """,
    ),
    Form(
        _SCOPE,
        "node-on-stack",
        """
        #function
        static struct $T *$with_local(struct $T *list, int keep) {
        struct $T local;
        local.$v = 40;
        local.$n = list;
        struct $T *result = &local;
        if (!keep) {
        result = local.$n;
        }
        return result;
        }
        #here
        struct $T *$longer = $with_local($LIST, $C);
        printf("%d\\n", $longer->$v); @@
        $clear($LIST);
        """,
        Library.LIST,
    ),
)

"""Wrong uses of records, initialisers and literals, by the family of the construct."""

from __future__ import annotations

from ..forms import Form

_NULL, _FREED, _SCOPE = "null-dereference", "use-after-free", "use-after-scope"
_BOUNDS, _INVALID = "out-of-bounds", "invalid-pointer"
_TWICE, _WRONG, _LOST = "double-free", "invalid-free", "memory-leak"

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

RECORD: dict[str, tuple[Form, ...]] = {
    "anonymous": _ANONYMOUS, "flexible": _FLEXIBLE, "packed": _PACKED, "unions": _UNIONS,
    "by-value": _BY_VALUE, "container": _CONTAINER, "initialisers": _INITIALISERS,
    "literals": _LITERALS, "wide-strings": _WIDE,
}  # fmt: skip

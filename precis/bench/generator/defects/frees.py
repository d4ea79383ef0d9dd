"""Blocks released twice, and addresses released that malloc never gave."""

from __future__ import annotations

from ..forms import Form, Library
from .lifetimes import OWNER

_TWICE = "double-free"
_WRONG = "invalid-free"

FREES: tuple[Form, ...] = (
    Form(
        _TWICE,
        "freed-in-branch",
        """
        char *$p = malloc($K);
        memset($p, 'x', $K);
        printf("%c\\n", $p[0]);
        if $C {
        free($p);
        }
        free($p); @@
        """,
    ),
    Form(
        _TWICE,
        "two-owners",
        OWNER
        + """
        #here
        struct $Box $first, $second;
        $fill(&$first, $K);
        if $C {
        $second = $first;
        } else {
        $fill(&$second, 2);
        }
        printf("%d %d\\n", $first.items[0], $second.items[1]);
        free($first.items);
        free($second.items); @@
        """,
    ),
    Form(
        _TWICE,
        "callee-frees",
        """
        #function
        static int $consume(short *data, int n, int last) {
        int total = 0;
        for (int i = 0; i < n; i++) {
        total += data[i];
        }
        if (last) {
        free(data); @@
        }
        return total;
        }
        #here
        short *$data = calloc($K, sizeof(short));
        $data[1] = $E;
        int $got = $consume($data, $K, $C);
        $got += $consume($data, 0, 1);
        printf("%d\\n", $got);
        """,
    ),
    Form(
        _TWICE,
        "freed-after-realloc",
        """
        int *$small = malloc(sizeof(int));
        *$small = $E;
        int *$large = realloc($small, $K * sizeof(int));
        printf("%d\\n", *$large);
        free($large);
        if $C {
        free($small); @@
        }
        """,
    ),
    Form(
        _TWICE,
        "shared-element",
        """
        char *$slots[$K];
        for (int $i = 0; $i < $K; $i++) {
        $slots[$i] = malloc(4);
        }
        if $C {
        free($slots[$K - 1]);
        $slots[$K - 1] = $slots[0];
        }
        for (int $i = $K - 1; $i > 0; $i--) {
        free($slots[$i]);
        }
        free($slots[0]); @@
        """,
    ),
    Form(
        _TWICE,
        "node-still-linked",
        """
        struct $T *$second = $LIST->$n;
        struct $T *$third = $second->$n;
        if (!$C) {
        $LIST->$n = $second->$n;
        }
        free($second);
        if $C {
        free($LIST->$n); @@
        }
        printf("%d %d\\n", $length($LIST), $third->$v);
        $clear($LIST);
        """,
        Library.LIST,
    ),
    Form(
        _WRONG,
        "local-array",
        """
        int $local[$K] = {1, 2};
        int *$p = $C ? $local : malloc(sizeof(int));
        *$p = $E;
        printf("%d\\n", *$p + $local[1]);
        free($p); @@
        """,
    ),
    Form(
        _WRONG,
        "inside-of-block",
        """
        char *$text = malloc(16);
        strcpy($text, "  trimmed");
        char *$start = $text;
        while $C {
        if (*$start != ' ') {
        break;
        }
        $start++;
        }
        puts($start);
        free($start); @@
        """,
    ),
    Form(
        _WRONG,
        "global-object",
        """
        #global
        static struct $Cfg {
        int level;
        char tag[4];
        } $default_cfg = {2, "df"};
        #function
        static struct $Cfg *$config(int level) {
        if (level > 9) {
        return &$default_cfg;
        }
        struct $Cfg *cfg = malloc(sizeof *cfg);
        *cfg = $default_cfg;
        cfg->level = level;
        return cfg;
        }
        #here
        struct $Cfg *$cfg = $config(PICK(12, 4));
        printf("%d %s\\n", $cfg->level, $cfg->tag);
        free($cfg); @@
        """,
    ),
    Form(
        _WRONG,
        "string-literal",
        """
        char *$word = NULL;
        if $C {
        $word = "fixed";
        } else {
        $word = malloc(6);
        strcpy($word, "owned");
        }
        puts($word);
        free($word); @@
        """,
    ),
    Form(
        _WRONG,
        "member-of-block",
        """
        #type
        struct $Pair {
        long first;
        long second;
        };
        #here
        struct $Pair *$pair = malloc(sizeof *$pair);
        $pair->first = $pair->second = $E;
        long *$part = PICK(1, 0) ? &$pair->second : &$pair->first;
        printf("%ld\\n", *$part);
        free($part); @@
        """,
    ),
)

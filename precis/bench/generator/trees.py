"""Binary search trees: a library of operations per struct, and a fragment that calls them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import final

from .draft import Draft, Site
from .expressions import number
from .lists import out_of_memory

TREE_OPERATIONS: dict[str, tuple[str, ...]] = {
    "leaf": (
        """
        static struct $T *$leaf(int key) {
        struct $T *node = malloc(sizeof *node);
        $check
        node->$k = key;
        node->$l = node->$r = NULL;
        return node;
        }
        """,
    ),
    "insert": (
        """
        static struct $T *$insert(struct $T *tree, int key) {
        if (tree == NULL) {
        return $leaf(key);
        }
        if (key < tree->$k) {
        tree->$l = $insert(tree->$l, key);
        } else if (key > tree->$k) {
        tree->$r = $insert(tree->$r, key);
        }
        return tree;
        }
        """,
        """
        static struct $T *$insert(struct $T *tree, int key) {
        struct $T **at = &tree;
        while (*at) {
        if ((*at)->$k == key) {
        return tree;
        }
        at = key < (*at)->$k ? &(*at)->$l : &(*at)->$r;
        }
        *at = $leaf(key);
        return tree;
        }
        """,
    ),
    "sum": (
        """
        static int $sum(const struct $T *tree) {
        return tree ? $sum(tree->$l) + tree->$k + $sum(tree->$r) : 0;
        }
        """,
        """
        static int $sum(struct $T *tree) {
        struct $T *stack[16];
        int top = 0, total = 0;
        if (tree) {
        stack[top++] = tree;
        }
        while (top > 0) {
        struct $T *node = stack[--top];
        total += node->$k;
        if (node->$l) {
        stack[top++] = node->$l;
        }
        if (node->$r) {
        stack[top++] = node->$r;
        }
        }
        return total;
        }
        """,
    ),
    "height": (
        """
        static int $height(const struct $T *tree) {
        if (!tree) {
        return 0;
        }
        int left = $height(tree->$l), right = $height(tree->$r);
        return 1 + (left > right ? left : right);
        }
        """,
    ),
    "show": (
        """
        static void $show(const struct $T *tree) {
        if (tree) {
        $show(tree->$l);
        printf("%d ", tree->$k);
        $show(tree->$r);
        }
        }
        """,
        """
        static void $show(const struct $T *tree) {
        putchar('(');
        if (tree) {
        printf("%d", tree->$k);
        $show(tree->$l);
        $show(tree->$r);
        }
        putchar(')');
        }
        """,
    ),
    "has": (
        """
        static int $has(const struct $T *tree, int key) {
        while (tree && tree->$k != key) {
        tree = key < tree->$k ? tree->$l : tree->$r;
        }
        return tree != NULL;
        }
        """,
    ),
    "mirror": (
        """
        static void $mirror(struct $T *tree) {
        if (!tree) return;
        struct $T *kept = tree->$l;
        tree->$l = tree->$r;
        tree->$r = kept;
        $mirror(tree->$l);
        $mirror(tree->$r);
        }
        """,
    ),
    "least": (
        """
        static int $least(struct $T **tree, int otherwise) {
        if (!*tree) {
        return otherwise;
        }
        while ((*tree)->$l) {
        tree = &(*tree)->$l;
        }
        struct $T *node = *tree;
        int key = node->$k;
        *tree = node->$r;
        free(node);
        return key;
        }
        """,
    ),
    "fell": (
        """
        static void $fell(struct $T *tree) {
        if (tree != NULL) {
        $fell(tree->$l);
        $fell(tree->$r);
        free(tree);
        }
        }
        """,
        """
        static void $fell(struct $T *tree) {
        while (tree) {
        struct $T *left = tree->$l;
        if (left) {
        tree->$l = left->$r;
        left->$r = tree;
        tree = left;
        } else {
        struct $T *right = tree->$r;
        free(tree);
        tree = right;
        }
        }
        }
        """,
    ),
}
_USES = {"insert": ("leaf",)}
KEYS = (-40, 40)
MOST = 10


@final
class TreeLibrary:
    """The functions of one tree type, defined when first asked for."""

    def __init__(self, draft: Draft) -> None:
        dice = draft.dice
        self._draft = draft
        left, right = dice.pick((("left", "right"), ("lo", "hi"), ("less", "more")))
        self.names = {
            "T": draft.fresh(dice.pick(("tree", "branch", "bnode"))),
            "k": dice.pick(("key", "weight", "rank")),
            "l": left,
            "r": right,
            "check": out_of_memory(draft, "node"),
        }
        fields = dice.mixed(["int $k;", "struct $T *$l;", "struct $T *$r;"])
        draft.declare_type("\n".join(["struct $T {", *fields, "};"]), **self.names)

    def function(self, operation: str) -> str:
        if operation not in self.names:
            for used in _USES.get(operation, ()):
                self.function(used)
            self.names[operation] = self._draft.fresh(f"{operation}_{self.names['T']}")
            text = self._draft.dice.pick(TREE_OPERATIONS[operation])
            self._draft.define(text, **self.names)
        return self.names[operation]

    def operation(self, site: Site, operation: str, text: str, **names: object) -> None:
        """Emit code that calls an operation."""
        self.function(operation)
        site.emit(text, **{**self.names, **names})


def tree_fragment(site: Site) -> Iterator[None]:
    """A search tree of a new type and random operations on it."""
    library = TreeLibrary(site.draft)
    dice = site.dice
    root = site.draft.fresh("root")
    site.emit("struct $T *$t = NULL;", t=root, **library.names)
    size = _plant_keys(site, library, root)
    for _ in range(dice.between(1, 4)):
        yield
        size = _act(site, library, root, size)
    yield
    total = site.draft.fresh("keys")
    library.operation(site, "sum", "int $s = $sum($t);", t=root, s=total)
    site.result(total, KEYS[0] * MOST, KEYS[1] * MOST)
    site.emit(f'printf("{total} %d\\n", {total});')
    yield
    library.operation(site, "fell", "$fell($t);", t=root)


def _plant_keys(site: Site, library: TreeLibrary, root: str) -> int:
    dice = site.dice
    if dice.chance(50):
        count = dice.between(2, 5)
        for _ in range(count):
            key = number(site, *KEYS, depth=1)
            library.operation(site, "insert", "$t = $insert($t, $e);", t=root, e=key)
        return count
    count, at = dice.between(3, 7), site.draft.fresh("i")
    step, wrap = dice.between(2, 9), dice.pick((7, 11, 13))
    site.emit(f"for (int {at} = 0; {at} < {count}; {at}++) {{")
    key = f"{at} * {step} % {wrap} - {dice.between(0, 9)}"
    library.operation(site, "insert", "$t = $insert($t, $e);", t=root, e=key)
    site.emit("}")
    return count


def _act(site: Site, library: TreeLibrary, root: str, size: int) -> int:
    draft = site.draft
    match site.dice.pick(("show", "height", "has", "mirror", "least", "insert")):
        case "show":
            library.operation(site, "show", '$show($t);\nputs("");', t=root)
        case "height":
            name = draft.fresh("tall")
            library.operation(site, "height", "int $h = $height($t);", t=root, h=name)
            site.result(name, 0, MOST)
        case "has":
            name = draft.fresh("seen")
            key = number(site, *KEYS)
            library.operation(site, "has", "int $h = $has($t, $e);", t=root, h=name, e=key)
            site.result(name, 0, 1)
        case "mirror":
            library.operation(site, "mirror", "$mirror($t);", t=root)
        case "least":
            name = draft.fresh("small")
            text = "int $h = $least(&$t, $e);"
            library.operation(site, "least", text, t=root, h=name, e=number(site, 0, 9))
            site.result(name, *KEYS)
        case _ if size < MOST:
            key = number(site, *KEYS, depth=1)
            library.operation(site, "insert", "$t = $insert($t, $e);", t=root, e=key)
            return size + 1
        case _:
            library.operation(site, "show", "$show($t);\nputchar('\\n');", t=root)
    return size

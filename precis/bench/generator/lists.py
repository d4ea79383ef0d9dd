"""Linked lists: a library of operations per struct, and fragments that call them at random."""

from __future__ import annotations

from collections.abc import Iterator
from typing import final

from .draft import Draft, Site
from .expressions import number

VALUES = (-50, 50)  # of every element
LONGEST = 12

LIST_OPERATIONS: dict[str, tuple[str, ...]] = {
    "make": (
        """
        static struct $T *$make(int $v, struct $T *$n) {
        struct $T *cell = malloc(sizeof(struct $T));
        $check
        cell->$v = $v;
        cell->$n = $n;
        return cell;
        }
        """,
        """
        static struct $T *$make(int first, struct $T *rest) {
        struct $T *cell = calloc(1, sizeof *cell);
        $check
        *cell = (struct $T){.$v = first, .$n = rest};
        return cell;
        }
        """,
    ),
    "push": (
        """
        static void $push(struct $T **list, int value) {
        *list = $make(value, *list);
        }
        """,
    ),
    "append": (
        """
        static void $append(struct $T **list, int value) {
        while (*list) {
        list = &(*list)->$n;
        }
        *list = $make(value, NULL);
        }
        """,
        """
        static void $append(struct $T **list, int value) {
        struct $T *last = *list;
        if (last == NULL) {
        *list = $make(value, NULL);
        return;
        }
        for (; last->$n; last = last->$n) {
        }
        last->$n = $make(value, NULL);
        }
        """,
    ),
    "insert": (
        """
        static void $insert(struct $T **list, int value) {
        struct $T **spot = list;
        while (*spot != NULL && (*spot)->$v < value) {
        spot = &(*spot)->$n;
        }
        *spot = $make(value, *spot);
        }
        """,
    ),
    "reverse": (
        """
        static struct $T *$reverse(struct $T *list) {
        struct $T *done = NULL;
        while (list) {
        struct $T *rest = list->$n;
        list->$n = done;
        done = list;
        list = rest;
        }
        return done;
        }
        """,
        """
        static struct $T *$reverse(struct $T *list) {
        if (!list || !list->$n) {
        return list;
        }
        struct $T *rest = $reverse(list->$n);
        list->$n->$n = list;
        list->$n = NULL;
        return rest;
        }
        """,
    ),
    "drop": (
        """
        static int $drop(struct $T **list, int limit) {
        int dropped = 0;
        while (*list) {
        struct $T *here = *list;
        if (here->$v > limit) {
        *list = here->$n;
        free(here);
        dropped++;
        } else {
        list = &here->$n;
        }
        }
        return dropped;
        }
        """,
        """
        static int $drop(struct $T **list, int limit) {
        int dropped = 0;
        struct $T *before = NULL;
        struct $T *here = *list;
        while (here != NULL) {
        struct $T *after = here->$n;
        if (here->$v > limit) {
        if (before) {
        before->$n = after;
        } else {
        *list = after;
        }
        free(here);
        dropped++;
        } else {
        before = here;
        }
        here = after;
        }
        return dropped;
        }
        """,
    ),
    "pop": (
        """
        static int $pop(struct $T **list, int *out) {
        struct $T *first = *list;
        if (!first) {
        return 0;
        }
        *out = first->$v;
        *list = first->$n;
        free(first);
        return 1;
        }
        """,
    ),
    "find": (
        """
        static struct $T *$find(struct $T *list, int value) {
        while (list && list->$v != value) {
        list = list->$n;
        }
        return list;
        }
        """,
        """
        static struct $T *$find(struct $T *list, int value) {
        for (struct $T *at = list; at != NULL; at = at->$n) {
        if (at->$v == value) {
        return at;
        }
        }
        return NULL;
        }
        """,
    ),
    "sum": (
        """
        static int $sum(const struct $T *list) {
        int total = 0;
        for (; list; list = list->$n) {
        total += list->$v;
        }
        return total;
        }
        """,
        """
        static int $sum(const struct $T *list) {
        return list == NULL ? 0 : list->$v + $sum(list->$n);
        }
        """,
        """
        static int $sum(const struct $T *list) {
        int total = 0, weight = 1;
        while (list) {
        total += weight * list->$v;
        weight = weight % 3 + 1;
        list = list->$n;
        }
        return total;
        }
        """,
    ),
    "length": (
        """
        static int $length(const struct $T *list) {
        int count = 0;
        while (list != NULL) {
        count++;
        list = list->$n;
        }
        return count;
        }
        """,
    ),
    "copy": (
        """
        static struct $T *$copy(const struct $T *list) {
        struct $T *result = NULL;
        struct $T **end = &result;
        for (; list; list = list->$n) {
        *end = $make(list->$v, NULL);
        end = &(*end)->$n;
        }
        return result;
        }
        """,
        """
        static struct $T *$copy(const struct $T *list) {
        if (!list) {
        return NULL;
        }
        return $make(list->$v, $copy(list->$n));
        }
        """,
    ),
    "join": (
        """
        static struct $T *$join(struct $T *left, struct $T *right) {
        if (!left) {
        return right;
        }
        struct $T *last = left;
        while (last->$n) {
        last = last->$n;
        }
        last->$n = right;
        return left;
        }
        """,
        """
        static struct $T *$join(struct $T *left, struct $T *right) {
        struct $T *result = NULL, **end = &result;
        while (left && right) {
        struct $T **less = left->$v <= right->$v ? &left : &right;
        *end = *less;
        *less = (*less)->$n;
        end = &(*end)->$n;
        }
        *end = left ? left : right;
        return result;
        }
        """,
    ),
    "clear": (
        """
        static void $clear(struct $T *list) {
        while (list) {
        struct $T *next = list->$n;
        free(list);
        list = next;
        }
        }
        """,
        """
        static void $clear(struct $T *list) {
        if (list == NULL) {
        return;
        }
        $clear(list->$n);
        free(list);
        }
        """,
        """
        static void $clear(struct $T *list) {
        struct $T *dead;
        while ((dead = list) != NULL) {
        list = list->$n;
        free(dead);
        }
        }
        """,
    ),
}
_USES = {
    "push": ("make",), "append": ("make",), "insert": ("make",), "copy": ("make",),
}  # fmt: skip


def out_of_memory(draft: Draft, pointer: str) -> str:
    """What a program does when malloc gives nothing; some programs do not look."""
    style = draft.dice.below(3)
    if style == 0:
        return ""
    reaction = "abort();" if style == 1 else "exit(3);"
    return f"if (!{pointer}) {{\n{reaction}\n}}"


@final
class ListLibrary:
    """The functions of one singly linked list type, defined when first asked for."""

    def __init__(self, draft: Draft) -> None:
        dice = draft.dice
        self._draft = draft
        self.names = {
            "T": draft.fresh(dice.pick(("node", "item", "cell", "entry"))),
            "v": dice.pick(("value", "key", "data")),
            "n": dice.pick(("next", "rest", "tail")),
            "check": out_of_memory(draft, "cell"),
        }
        fields = ["int $v;", "struct $T *$n;"]
        fields = fields if dice.chance(50) else fields[::-1]
        if dice.chance(25):
            fields.insert(dice.below(3), "char pad[3];")
        draft.declare_type("\n".join(["struct $T {", *fields, "};"]), **self.names)

    def function(self, operation: str) -> str:
        """The name of an operation; its definition is added to the program if it is new."""
        if operation not in self.names:
            for used in _USES.get(operation, ()):
                self.function(used)
            self.names[operation] = self._draft.fresh(f"{operation}_{self.names['T']}")
            text = self._draft.dice.pick(LIST_OPERATIONS[operation])
            self._draft.define(text, **self.names)
        return self.names[operation]

    def filled(self, site: Site, length: int) -> str:
        """Declare a list of `length` elements with increasing values 1, 2, ...; its name."""
        name = site.draft.fresh("list")
        site.emit("struct $T *$l = NULL;", l=name, **self.names)
        self.function("push" if site.dice.chance(50) else "append")
        at = site.draft.fresh("i")
        names = {"l": name, "i": at, "k": length, **self.names}
        if "push" in self.names:
            site.emit("for (int $i = $k; $i > 0; $i--) {\n$push(&$l, $i);\n}", **names)
        else:
            site.emit("for (int $i = 1; $i <= $k; $i++) {\n$append(&$l, $i);\n}", **names)
        return name

    def operation(self, site: Site, operation: str, text: str, **names: object) -> None:
        """Emit code that calls an operation."""
        self.function(operation)
        site.emit(text, **{**self.names, **names})


def list_fragment(site: Site) -> Iterator[None]:
    """One or two lists of a new type and random operations on them."""
    library = ListLibrary(site.draft)
    dice = site.dice
    lists: dict[str, int] = {}  # name -> the most elements it can have
    for _ in range(dice.between(1, 2)):
        name = site.draft.fresh("list")
        site.emit("struct $T *$l = NULL;", l=name, **library.names)
        lists[name] = 0
    for name in lists:
        _grow(site, library, name, lists)
    for _ in range(dice.between(2, 5)):
        yield
        _act(site, library, dice.pick(list(lists)), lists)
    yield
    for name in lists:
        _report(site, library, name)
    yield
    for name in dice.mixed(list(lists)):
        library.operation(site, "clear", "$clear($l);", l=name)


def _grow(site: Site, library: ListLibrary, name: str, lists: dict[str, int]) -> None:
    dice = site.dice
    operation = dice.pick(("push", "append", "insert"))
    turns = dice.between(1, 4)
    if lists[name] + turns > LONGEST:
        return
    lists[name] += turns
    library.function(operation)
    call = f"${operation}(&$l, $e);"
    if turns == 1:
        library.operation(site, operation, call, l=name, e=number(site, *VALUES))
        return
    at = site.draft.fresh("i")
    inner = site.inner()
    inner.result(at, 0, turns - 1)
    site.emit(f"for (int {at} = 0; {at} < {turns}; {at}++) {{")
    library.operation(site, operation, call, l=name, e=number(inner, *VALUES))
    site.emit("}")


def _act(site: Site, library: ListLibrary, name: str, lists: dict[str, int]) -> None:
    dice = site.dice
    others = [other for other in lists if other != name]
    kinds = ["grow", "reverse", "drop", "find", "pop", "count", "sum"] + ["join", "copy"] * len(
        others
    )
    match dice.pick(kinds):
        case "grow":
            _grow(site, library, name, lists)
        case "reverse":
            library.operation(site, "reverse", "$l = $reverse($l);", l=name)
        case "drop":
            gone = site.draft.fresh("gone")
            limit = number(site, *VALUES)
            text = "int $g = $drop(&$l, $e);"
            library.operation(site, "drop", text, l=name, g=gone, e=limit)
            site.result(gone, 0, LONGEST)
        case "find":
            _find(site, library, name)
        case "pop":
            _pop(site, library, name)
        case "count":
            count = site.draft.fresh("count")
            library.operation(site, "length", "int $c = $length($l);", l=name, c=count)
            site.result(count, 0, LONGEST)
        case "sum":
            _report(site, library, name)
        case "join" if lists[name] + lists[others[0]] <= LONGEST:
            lists[name] += lists[others[0]]
            lists[others[0]] = 0
            text = "$l = $join($l, $o);\n$o = NULL;"
            library.operation(site, "join", text, l=name, o=others[0])
        case "copy":
            other = others[0]
            library.function("clear")
            text = "$clear($o);\n$o = $copy($l);"
            library.operation(site, "copy", text, l=name, o=other)
            lists[other] = lists[name]
        case _:
            _report(site, library, name)


def _find(site: Site, library: ListLibrary, name: str) -> None:
    found = site.draft.fresh("hit")
    text = """
        struct $T *$f = $find($l, $e);
        if ($f != NULL) {
        $f->$v = $w;
        }
        """
    wanted, change = number(site, *VALUES), number(site, *VALUES)
    library.operation(site, "find", text, l=name, f=found, e=wanted, w=change)


def _pop(site: Site, library: ListLibrary, name: str) -> None:
    got = site.draft.fresh("got")
    text = "int $g = $e;\nif (!$pop(&$l, &$g)) {\n$g = -1;\n}"
    library.operation(site, "pop", text, l=name, g=got, e=number(site, 0, 9))
    site.result(got, *VALUES)


def _report(site: Site, library: ListLibrary, name: str) -> None:
    total = site.draft.fresh("sum")
    library.operation(site, "sum", "int $s = $sum($l);", l=name, s=total)
    site.result(total, -150 * LONGEST, 150 * LONGEST)
    site.emit(f'printf("{total} %d\\n", {total});')

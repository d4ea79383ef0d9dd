"""Other linked structures: doubly linked, intrusive, circular; queues and stacks of cells."""

from __future__ import annotations

from collections.abc import Iterator

from .draft import Site
from .expressions import number
from .lists import out_of_memory


def deque_fragment(site: Site) -> Iterator[None]:
    """A doubly linked list with a header that knows both ends."""
    draft, dice = site.draft, site.dice
    names = {
        "T": draft.fresh("link"), "D": draft.fresh("deque"), "front": draft.fresh("add_front"),
        "back": draft.fresh("add_back"), "cut": draft.fresh("cut"), "drain": draft.fresh("drain"),
        "d": draft.fresh("dq"), "sum": draft.fresh("span"), "check": out_of_memory(draft, "fresh"),
    }  # fmt: skip
    draft.declare_type(
        """
        struct $T {
        struct $T *prev, *next;
        short value;
        };
        struct $D {
        struct $T *first;
        struct $T *last;
        unsigned size;
        };
        """,
        **names,
    )
    _define_deque(site, names)
    start = dice.pick(("{NULL, NULL, 0}", "{0}", "{.size = 0}"))
    site.emit(f"struct $D $d = {start};", **names)
    for _ in range(dice.between(2, 4)):
        end = dice.pick(("front", "back"))
        site.emit(f"${end}(&$d, $e);", e=number(site, -90, 90), **names)
    yield
    if dice.chance(70):
        middle = dice.pick(("$d.first->next", "$d.last", "$d.first", "$d.last->prev"))
        site.emit(f"$cut(&$d, {middle});", **names)
        yield
    at, total = draft.fresh("at"), names["sum"]
    walk = dice.pick((("first", "next"), ("last", "prev")))
    site.emit(
        """
        int $sum = 0;
        for (struct $T *$at = $d.$start; $at; $at = $at->$to) {
        $sum = $sum * 2 + $at->value;
        }
        printf("$sum %d of %u\\n", $sum, $d.size);
        """,
        at=at, start=walk[0], to=walk[1], **names,
    )  # fmt: skip
    site.result(total, -10000, 10000)
    yield
    site.emit("$drain(&$d);", **names)


def _define_deque(site: Site, names: dict[str, str]) -> None:
    for one, first, last, prev, next_ in (
        ("front", "first", "last", "prev", "next"),
        ("back", "last", "first", "next", "prev"),
    ):
        site.draft.define(
            """
            static void $name(struct $D *queue, int value) {
            struct $T *fresh = malloc(sizeof *fresh);
            $check
            fresh->value = (short)value;
            fresh->$prev = NULL;
            fresh->$next = queue->$first;
            if (queue->$first) {
            queue->$first->$prev = fresh;
            } else {
            queue->$last = fresh;
            }
            queue->$first = fresh;
            queue->size++;
            }
            """,
            name=names[one], first=first, last=last, prev=prev, next=next_,
            T=names["T"], D=names["D"], check=names["check"],
        )  # fmt: skip
    site.draft.define(
        """
        static void $cut(struct $D *queue, struct $T *node) {
        *(node->prev ? &node->prev->next : &queue->first) = node->next;
        *(node->next ? &node->next->prev : &queue->last) = node->prev;
        queue->size -= 1;
        free(node);
        }
        """,
        **names,
    )
    site.draft.define(
        """
        static void $drain(struct $D *queue) {
        while (queue->first != NULL) {
        $cut(queue, queue->first);
        }
        }
        """,
        **names,
    )


def intrusive_fragment(site: Site) -> Iterator[None]:
    """A circular list of hooks inside larger structs, some on the stack and some on the heap."""
    draft, dice = site.draft, site.dice
    count = dice.between(2, 5)
    names = {
        "H": draft.fresh("hook"), "J": draft.fresh("job"), "head": draft.fresh("ring"),
        "add": draft.fresh("hang"), "jobs": draft.fresh("jobs"), "k": str(count),
        "i": draft.fresh("i"),
        "own": draft.fresh("extra"), "h": draft.fresh("h"), "t": draft.fresh("cost"),
    }  # fmt: skip
    draft.declare_type(
        """
        struct $H {
        struct $H *next, *prev;
        };
        struct $J {
        int cost;
        struct $H hook;
        char tag;
        };
        """,
        **names,
    )
    draft.define(
        """
        static void $add(struct $H *head, struct $H *hook) {
        hook->next = head;
        hook->prev = head->prev;
        head->prev->next = hook;
        head->prev = hook;
        }
        """,
        **names,
    )
    inner = site.inner()
    inner.result(names["i"], 0, count - 1)
    site.emit(
        """
        struct $H $head = {&$head, &$head};
        struct $J $jobs[$k];
        for (int $i = 0; $i < $k; $i++) {
        $jobs[$i].cost = $e;
        $jobs[$i].tag = (char)('a' + $i);
        $add(&$head, &$jobs[$i].hook);
        }
        struct $J *$own = malloc(sizeof(struct $J));
        """,
        e=number(inner, 0, 99), **names,
    )  # fmt: skip
    site.emit(out_of_memory(draft, names["own"]))
    site.emit("$own->cost = $e;\n$own->tag = 'z';", e=number(site, 0, 50), **names)
    site.emit("$add($where, &$own->hook);", where=dice.pick(("&$head", "$head.next")).replace(
        "$head", names["head"]), **names)  # fmt: skip
    yield
    site.emit(
        """
        int $t = 0;
        for (struct $H *$h = $head.next; $h != &$head; $h = $h->next) {
        struct $J *job = (struct $J *)((char *)$h - ((char *)&$own->hook - (char *)$own));
        $t += job->cost * (job->tag == 'z' ? 3 : 1);
        }
        printf("$t %d\\n", $t);
        """,
        **names,
    )
    site.result(names["t"], 0, 1000)
    yield
    site.emit("""
        $own->hook.prev->next = $own->hook.next;
        $own->hook.next->prev = $own->hook.prev;
        free($own);
        """, **names)  # fmt: skip


def circle_fragment(site: Site) -> Iterator[None]:
    """Counting out in a circle until one cell is left."""
    draft, dice = site.draft, site.dice
    size = dice.between(3, 7)
    names = {
        "T": draft.fresh("seat"), "last": draft.fresh("last"), "i": draft.fresh("i"),
        "n": str(size),
        "left": draft.fresh("left"), "who": draft.fresh("who"), "hop": number(site, 1, 4),
    }  # fmt: skip
    draft.declare_type("struct $T {\nunsigned char id;\nstruct $T *next;\n};", **names)
    site.emit(
        """
        struct $T *$last = NULL;
        for (int $i = 1; $i <= $n; $i++) {
        struct $T *seat = malloc(sizeof(struct $T));
        seat->id = (unsigned char)$i;
        seat->next = $last ? $last->next : seat;
        if ($last) {
        $last->next = seat;
        }
        $last = seat;
        }
        """,
        **names,
    )
    yield
    site.emit(
        """
        for (int $left = $n; $left > 1; $left--) {
        for (int hop = $hop; hop > 1; hop--) {
        $last = $last->next;
        }
        struct $T *out = $last->next;
        $last->next = out->next;
        printf("%d ", out->id);
        free(out);
        }
        int $who = $last->id;
        printf("stays %d\\n", $who);
        """,
        **names,
    )
    site.result(names["who"], 1, size)
    yield
    site.emit("free($last);", **names)


def queue_fragment(site: Site) -> Iterator[None]:
    """A first-in first-out queue kept by a pointer to its last link."""
    draft, dice = site.draft, site.dice
    names = {
        "T": draft.fresh("task"), "head": draft.fresh("head"), "end": draft.fresh("end"),
        "t": draft.fresh("task_p"), "r": draft.fresh("run"),
    }  # fmt: skip
    draft.declare_type(
        """
        typedef struct $T $T;
        struct $T {
        $T *next;
        int left;
        const char *name;
        };
        """,
        **names,
    )
    site.emit("$T *$head = NULL;\n$T **$end = &$head;", **names)
    words = dice.some(("red", "green", "blue", "cyan", "grey"), dice.between(2, 4))
    for word in words:
        site.emit(
            """
            *$end = malloc(sizeof($T));
            (*$end)->left = $e;
            (*$end)->name = "$w";
            (*$end)->next = NULL;
            $end = &(*$end)->next;
            """,
            e=number(site, 1, 3), w=word, **names,
        )  # fmt: skip
    yield
    site.emit(
        """
        int $r = 0;
        while ($head) {
        $T *$t = $head;
        $head = $t->next;
        if ($head == NULL) {
        $end = &$head;
        }
        $r++;
        if (--$t->left > 0) {
        $t->next = NULL;
        *$end = $t;
        $end = &$t->next;
        continue;
        }
        printf("%s done\\n", $t->name);
        free($t);
        }
        """,
        **names,
    )
    site.result(names["r"], 0, 12)

"""Whole runs of C programs: reports, seeds, limits, leaks, records, pictures."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from precis.errors import InputError
from precis.frontends.clang.parse import load
from precis.interp.heap import Mark, Snapshot, snapshot_at
from precis.interp.record import recorded, recorded_inputs, recorded_outcome
from precis.interp.run import Ending, Inputs, Malloc, Natives, Outcome, Settings, run
from precis.ir.program import Program
from precis.properties.place import with_obligations
from tests.interp.building import SAFETY, Body, program

LEAKS = frozenset({"memory-safety", "leaks"})


@cache
def compiled(source: str, properties: frozenset[str], folder: Path) -> Program:
    path = folder / f"p{abs(hash(source)) % 10**8}.c"
    path.write_text(source, "utf-8")
    return with_obligations(load([path]), properties)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("programs")


def outcome(
    source: str,
    folder: Path,
    properties: frozenset[str] = SAFETY,
    inputs: Inputs | None = None,
    **settings: object,
) -> tuple[Outcome, bytes]:
    whole = compiled(source, properties, folder)
    output = bytearray()
    chosen = Settings(properties, **settings)  # type: ignore[arg-type]
    given = inputs or Inputs(stdin=b"")
    return run(whole, given, chosen, lambda _, content: output.extend(content)), bytes(output)


USE_AFTER_FREE = """\
#include <stdlib.h>
static int get(int *p, int i) {
    return p[i];
}
int main(void) {
    int *a = malloc(8);
    a[0] = 5;
    int x = 41;
    if (x > 40)
        free(a);
    return get(a, 1);
}
"""


def test_report(folder: Path) -> None:
    result, _ = outcome(USE_AFTER_FREE, folder)
    violation = result.violation
    assert result.ending is Ending.VIOLATION
    assert violation is not None
    assert (violation.rule, violation.property, violation.at.line) == (
        "use-after-free",
        "memory-safety",
        3,
    )
    assert [(f.procedure, f.at.line) for f in violation.stack] == [("get", 3), ("main", 11)]
    values = dict(violation.values)
    assert values["p"].startswith("heap block ") and values["p"].endswith(", freed")
    assert values["i"] == "1"
    assert violation.block is not None
    assert (violation.block.made.line, violation.block.size) == (6, 8)
    assert violation.block.ended is not None and violation.block.ended.line == 10
    texts = [(step.at.line, step.text) for step in violation.trace]
    assert [line for line, _ in texts] == [6, 7, 9, 10, 11]
    assert texts[1][1].endswith("= 5")
    assert texts[2][1] == "40 < x is true"
    assert texts[3][1].startswith("frees ")
    assert texts[4][1].startswith("calls get(")


def test_violation_in_a_model_is_its_caller_s(folder: Path) -> None:
    source = """\
    #include <string.h>
    int main(void) {
        char small[4];
        strcpy(small, "too long");
        return 0;
    }
    """
    for natives in Natives:
        result, _ = outcome(source, folder, natives=natives)
        assert result.violation is not None
        assert (result.violation.rule, result.violation.at.line) == ("out-of-bounds", 4)
        assert result.violation.inner.file != result.violation.at.file


def test_same_seed_same_run(folder: Path) -> None:
    source = """\
    extern int __VERIFIER_nondet_int(void);
    #include <stdio.h>
    int main(void) {
        int u;
        for (int i = 0; i < 20; i++) printf("%d ", __VERIFIER_nondet_int());
        printf("%p", (void *)&u);
        return 0;
    }
    """
    outputs = [outcome(source, folder, inputs=Inputs(seed=s, stdin=b""))[1] for s in (1, 1, 2)]
    assert outputs[0] == outputs[1] != outputs[2]


def test_address_of_a_freed_block_may_come_back(folder: Path) -> None:
    source = """\
    #include <stdlib.h>
    int main(void) {
        char *p = malloc(4);
        free(p);
        char *q = malloc(4);
        int same = p == q;
        free(q);
        return same;
    }
    """
    statuses = {
        outcome(source, folder, inputs=Inputs(seed=s, stdin=b""))[0].status for s in range(20)
    }
    assert statuses == {0, 1}


def test_malloc_may_fail(folder: Path) -> None:
    source = """\
    #include <stdlib.h>
    int main(void) { void *p = malloc(4); int r = p == 0; free(p); return r; }
    """
    never = {outcome(source, folder, inputs=Inputs(seed=s, stdin=b""))[0].status for s in range(20)}
    may = {
        outcome(source, folder, inputs=Inputs(seed=s, stdin=b""), malloc=Malloc.MAY_FAIL)[0].status
        for s in range(40)
    }
    assert never == {0}
    assert may == {0, 1}


def test_memory_limit(folder: Path) -> None:
    source = """\
    #include <stdlib.h>
    int main(void) { for (;;) if (!malloc(1000)) return 1; }
    """
    result, _ = outcome(source, folder, memory=1_000_000)
    assert result.ending is Ending.OUT_OF_MEMORY
    may, _ = outcome(source, folder, memory=1_000_000, malloc=Malloc.MAY_FAIL)
    assert (may.ending, may.status) == (Ending.EXIT, 1)


def test_absurd_request_fails(folder: Path) -> None:
    source = """\
    #include <stdlib.h>
    int main(void) { return malloc((size_t)-1) == 0; }
    """
    assert outcome(source, folder)[0].status == 1


LOSSES = {
    "overwritten_variable": ("char *p = malloc(1); p = 0; /*!*/ free(p);", ""),
    "result_not_kept": ("malloc(1); /*!*/\nint x = 1; x++;", ""),
    "overwritten_in_memory": ("static char *s; s = malloc(1);\ns = 0; /*!*/", ""),
    "return_drops_it": (
        "f();",
        "static void f(void) { char *p = malloc(1);\nif (p) *p = 1;\nreturn; /*!*/\n}",
    ),
    "freed_holder": (
        "char **p = malloc(sizeof *p); *p = malloc(1);\nfree(p); /*!*/\nint x = 1; x++;",
        "",
    ),
    "interior_pointer_then_none": (
        "char *p = malloc(8); char *q = p + 4; p = 0;\nq = 0; /*!*/\nif (q == p) x++;",
        "static int x;",
    ),
}


@pytest.mark.parametrize("name", LOSSES)
def test_loss_is_reported_at_the_step(name: str, folder: Path) -> None:
    text, before = LOSSES[name]
    source = f"#include <stdlib.h>\n{before}\nint main(void) {{\n{text}\nreturn 0;\n}}\n"
    line = next(i for i, t in enumerate(source.splitlines(), 1) if "/*!*/" in t)
    result, _ = outcome(source, folder, LEAKS)
    assert result.violation is not None, result
    assert (result.violation.rule, result.violation.at.line) == ("memory-leak", line)
    assert result.violation.block is not None


KEPT = {
    "freed": "char *p = malloc(1); free(p);",
    "in_a_global": "static char *s; s = malloc(1);",
    "interior": "static char *s; s = (char *)malloc(8) + 3;",
    "at_the_end": "static char *s; s = (char *)malloc(8) + 8;",
    "by_exit": "char *p = malloc(1); if (p) exit(0);",
    "as_an_integer": "static long s; s = (long)malloc(1);",
    "in_bytes": "static char b[8]; char *p = malloc(1);"
    " for (int i = 0; i < 8; i++) b[i] = ((char *)&p)[i];",
    "in_a_block_in_a_global": "static char **s; s = malloc(8); *s = malloc(1);",
    "in_a_frame_below": "char *p = malloc(1); use(p); free(p);",
}


@pytest.mark.parametrize("name", KEPT)
def test_no_loss(name: str, folder: Path) -> None:
    source = (
        "#include <stdlib.h>\nstatic void use(char *p) { for (int i = 0; i < 9; i++)"
        " { void *q = malloc(1); free(q); } (void)p; }\n"
        f"int main(void) {{ use(0); {KEPT[name]} return 0; }}\n"
    )
    result, _ = outcome(source, folder, LEAKS)
    assert result.ending is Ending.EXIT, result


def test_loss_before_another_violation_comes_first(folder: Path) -> None:
    source = """\
    #include <stdlib.h>
    int main(void) {
        char *p = malloc(1);
        p = 0;
        return *p;
    }
    """
    result, _ = outcome(source, folder, LEAKS)
    assert result.violation is not None
    assert (result.violation.rule, result.violation.at.line) == ("memory-leak", 4)


def test_unchecked_undefined_behaviour(folder: Path) -> None:
    result, _ = outcome(USE_AFTER_FREE, folder, frozenset({"assertions"}))
    assert result.ending is Ending.UNDEFINED
    assert "use-after-free" in result.reason
    assert result.at is not None and result.at.line == 3


def test_input_and_output(folder: Path) -> None:
    source = """\
    #include <stdio.h>
    int main(int argc, char **argv) {
        int a, b;
        if (scanf("%d %d", &a, &b) != 2) return 9;
        fprintf(stderr, "e");
        printf("%d %s %d\\n", a + b, argv[1], argc);
        return getchar() == '\\n' ? 0 : 1;
    }
    """
    given = Inputs(stdin=b"3 4\nrest", args=("me", "one"))
    result, output = outcome(source, folder, inputs=given)
    assert (result.status, output) == (0, b"e7 one 2\n")
    assert result.stdin_read == b"3 4\n"


def test_input_from_outside(folder: Path) -> None:
    source = """\
    #include <stdio.h>
    int main(void) {
        int c, n = 0;
        while ((c = getchar()) != EOF) n += c;
        return n & 127;
    }
    """
    whole = compiled(source, SAFETY, folder)
    rest = bytearray(b"abc")

    def read(size: int) -> bytes:
        taken = bytes(rest[:size])
        del rest[:size]
        return taken

    result = run(whole, Inputs(), Settings(), lambda *_: None, read)
    assert result.status == sum(b"abc") & 127
    assert result.stdin_read == b"abc"


def test_record_and_replay(folder: Path) -> None:
    source = """\
    extern int __VERIFIER_nondet_int(void);
    #include <stdio.h>
    #include <stdlib.h>
    int main(void) {
        int x = __VERIFIER_nondet_int(), c = getchar();
        char *p = malloc(3);
        printf("%d %d %p", x, c, (void *)p);
        return p[c & 7];
    }
    """
    whole = compiled(source, SAFETY, folder)
    first = bytearray()
    inputs = Inputs(seed=7, stdin=b"zrest", args=("a",))
    one = run(whole, inputs, Settings(), lambda _, content: first.extend(content))
    text = recorded(whole, inputs, Settings(), one)
    again = recorded_inputs(text)
    assert again.stdin == b"z" and again.seed == 7 and again.args == ("a",)
    second = bytearray()
    two = run(whole, again, Settings(), lambda _, content: second.extend(content))
    assert first == second
    assert two == one
    assert recorded_outcome(text)["ending"] == one.ending.value


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "precis run 1"}', "no json"])
def test_no_record(text: str) -> None:
    with pytest.raises(ValueError):
        recorded_inputs(text)


def test_record_with_wrong_inputs(folder: Path) -> None:
    body = program(Body().done())
    result = run(body, Inputs(stdin=b""), Settings(), lambda *_: None)
    good = json.loads(recorded(body, Inputs(), Settings(), result))
    for key, value in (
        ("values", ["x"]),
        ("seed", "1"),
        ("args", [1]),
        ("stdin", "?"),
        ("values", 3),
    ):
        bad = {**good, "inputs": {**good["inputs"], key: value}}
        with pytest.raises(ValueError):
            recorded_inputs(json.dumps(bad))


def test_program_without_entry() -> None:
    whole = replace(program(Body().done()), entry="")
    with pytest.raises(InputError):
        run(whole, Inputs(), Settings(), lambda *_: None)


LIST = """\
#include <stdlib.h>
struct node { int key; struct node *next; unsigned flag : 3; };
struct node *head;
int main(void) {
    int odd[2] = {1, 2}, *gone = malloc(4), unset;
    free(gone);
    for (int i = 1; i <= 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->key = i;
        n->next = head;
        head = n;
    }
    return odd[0] + (unset = 1);
}
"""


def view(folder: Path, line: int, visit: int = 1) -> Snapshot | None:
    whole = compiled(LIST, SAFETY, folder)
    return snapshot_at(whole, Inputs(stdin=b""), Settings(), line, visit)


def test_snapshot(folder: Path) -> None:
    shot = view(folder, 13)
    assert shot is not None
    assert shot.at.line == 13
    (frame,) = shot.frames
    assert frame.procedure == "main"
    cells = {cell.label: cell for cell in frame.variables}
    assert cells["gone"].mark is Mark.POINTER
    assert cells["gone"].arrow is not None and cells["gone"].arrow.state == "freed"
    (odd,) = frame.objects
    assert [(c.label, c.text) for c in odd.cells] == [("[0]", "1"), ("[1]", "2")]
    (head,) = shot.globals
    assert head.name == "head"
    nodes = {block.number: block for block in shot.heap if block.state == "live"}
    assert head.cells[0].arrow is not None
    at, keys = head.cells[0].arrow.block, []
    while at:
        node = nodes[at]
        assert node.type == "node"
        named = {cell.label: cell for cell in node.cells}
        keys.append(named["key"].text)
        assert named["flag"].mark is Mark.UNSET
        arrow = named["next"].arrow
        at = arrow.block if arrow is not None else 0
    assert keys == ["3", "2", "1"]


def test_snapshot_of_a_later_visit(folder: Path) -> None:
    shots = [view(folder, 11, visit) for visit in (1, 2, 3, 4)]
    counts = [sum(b.state == "live" for b in s.heap) for s in shots[:3] if s is not None]
    assert counts == [1, 2, 3]
    assert shots[3] is None

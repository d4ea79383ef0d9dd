"""Sizes, alignments and offsets are those of the platform's compiler."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from precis.ir.types import Layout
from tests.frontends.clang.lowering import lower

TYPES = """
struct mixed { char a; short b; char c; int d; char e; long f; char g; double h; long double i; };
struct pointers { char *a; char b; void (*c)(int); struct pointers *next; };
struct arrays { char a[3]; int b[2][3]; short c[1]; long d[]; };
struct nested { char a; struct { short b; struct mixed c; } d; union { char e[5]; int f; } g; };
struct anonymous { char a; struct { int b; union { char c; long d; }; }; char e; };
struct __attribute__((packed)) packed { char a; int b; short c; long d; };
struct aligned { char a; int b __attribute__((aligned(16))); char c; };
union onion { char a[9]; int b; double c; };
struct bits { unsigned a : 3; int b : 5; unsigned c : 24; unsigned long d : 33; char e; int f:1; };
struct zero { char a : 2; int : 0; char b : 3; unsigned : 4; unsigned short c : 9; _Bool d : 1; };
struct empty { };
enum colour { RED, GREEN };
struct enums { char a; enum colour b; _Bool c; };
"""
FIELDS = {
    "mixed": "a b c d e f g h i",
    "pointers": "a b c next",
    "arrays": "a b c d",
    "nested": "a d d.c d.c.f g g.f",
    "anonymous": "a b c d e",
    "packed": "a b c d",
    "aligned": "a b c",
    "bits": "e",
    "enums": "a b c",
}
BITS = {"bits": "a b c d f", "zero": "a b c d"}


def _tag(name: str) -> str:
    return f"union {name}" if name == "onion" else f"struct {name}"


def _source() -> str:
    names = sorted({*FIELDS, *BITS, "onion", "empty"})
    lines = ["#include <stddef.h>", "#include <stdio.h>", "#include <string.h>", TYPES]
    lines.append("int main(void) {")
    for name in names:
        lines.append(f'printf("{name} %zu %zu\\n", sizeof({_tag(name)}), _Alignof({_tag(name)}));')
        for field in FIELDS.get(name, "").split():
            lines.append(f'printf("{name}.{field} %zu\\n", offsetof({_tag(name)}, {field}));')
        for field in BITS.get(name, "").split():
            lines.append(f"{{ {_tag(name)} x; memset(&x, 0, sizeof x); x.{field} = -1;")
            lines.append(f'printf("{name}.{field} bits");')
            lines.append("for (size_t i = 0; i < 8 * sizeof x; i++)")
            lines.append("if (((unsigned char *)&x)[i / 8] >> i % 8 & 1)")
            lines.append('printf(" %zu", i); puts(""); }')
    return "\n".join([*lines, "return 0; }"])


def _offset(records: dict[str, Layout], name: str, path: str) -> int:
    """The offset of a member, found by its path through records and anonymous members."""
    total = 0
    for part in path.split("."):
        offset, name = _find(records, name, part)
        total += offset
    return total


def _find(records: dict[str, Layout], name: str, part: str) -> tuple[int, str]:
    for field in records[name].fields:
        inner = getattr(field.type, "name", "")
        if field.name == part:
            return field.offset, inner
        if not field.name and inner:
            try:
                offset, inner = _find(records, inner, part)
            except LookupError:
                continue
            return field.offset + offset, inner
    raise LookupError(part)


def _described(records: dict[str, Layout]) -> str:
    lines = []
    for name in sorted({*FIELDS, *BITS, "onion", "empty"}):
        layout = records[name]
        lines.append(f"{name} {layout.size} {layout.align}")
        for path in FIELDS.get(name, "").split():
            lines.append(f"{name}.{path} {_offset(records, name, path)}")
        for field in layout.fields:
            if field.bits is not None:
                first = 8 * field.offset + field.bits.shift
                shown = " ".join(str(first + i) for i in range(field.bits.width))
                lines.append(f"{name}.{field.name} bits {shown}")
    return "\n".join(lines) + "\n"


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_layouts_are_those_of_gcc(tmp_path: Path) -> None:
    source = tmp_path / "layout.c"
    source.write_text(_source())
    binary = tmp_path / "layout"
    subprocess.run(["gcc", "-w", "-o", binary, source], check=True)
    expected = subprocess.run([binary], capture_output=True, text=True, check=True).stdout

    names = sorted({*FIELDS, *BITS, "onion", "empty"})
    uses = "".join(f"{_tag(name)} *p_{name};\n" for name in names)
    mentions = "".join(f"p_{name} = 0;\n" for name in names)
    program = lower(f"{TYPES}\n{uses}\nint main(void) {{ {mentions} return 0; }}", tmp_path)

    assert _described(dict(program.records)) == expected

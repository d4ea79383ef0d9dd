"""The library models, compiled by gcc under prefixed names, against the C library of the system."""

from __future__ import annotations

import ctypes as c
import functools
import itertools
import json
import math
import os
import random
import re
import shutil
import struct
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from clang.cindex import CursorKind, Index, StorageClass

FRONTENDS = Path(__file__).parents[2] / "precis" / "frontends"
HEADERS, MODELS = FRONTENDS / "headers", FRONTENDS / "models"
SOURCES = sorted(MODELS.glob("*.c"))
INDEX = MODELS / "index.json"

# What the front end gives a meaning to without a model.
STEPS = {"malloc", "free", "alloca"}
# Declared so that programs parse; calling one is unsupported.
DECLARED_ONLY = {
    "setjmp", "_setjmp", "longjmp", "sigsetjmp", "siglongjmp", "fork", "execv", "execvp",
    "fcntl", "getopt_long", "umask",
    *re.findall(r"(\w+)\(\w[\w ]* z[,)]", (HEADERS / "complex.h").read_text("utf-8")),
}  # fmt: skip


def words(text: str) -> list[str]:
    return text.split()


needs_gcc = pytest.mark.skipif(
    shutil.which("gcc") is None or shutil.which("objcopy") is None, reason="needs gcc and objcopy"
)

# The builtins over the system's library; every block starts with its size.
RUNTIME = r"""
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
char p_out[1 << 16], p_in[1 << 16];
size_t p_out_size, p_in_size, p_in_at;
void p___precis_copy(void *to, const void *from, size_t n) { if (n) memmove(to, from, n); }
void p___precis_fill(void *to, int byte, size_t n) { if (n) memset(to, byte, n); }
void *p_malloc(size_t n) {
    size_t *block = malloc(n + 16);
    if (!block) return 0;
    *block = n;
    return (char *)block + 16;
}
void p_free(void *p) { if (p) free((char *)p - 16); }
size_t p___precis_size(const void *p) { return p ? *(size_t *)((char *)p - 16) : 0; }
static void show(void) { if (write(2, p_out, p_out_size) < 0) _exit(99); }
void p___precis_halt(int status) { show(); _exit(status); }
void p___precis_abort(void) { show(); _exit(134); }
int p___precis_write(int fd, const void *bytes, size_t n) {
    (void)fd;
    memcpy(p_out + p_out_size, bytes, n);
    p_out_size += n;
    return (int)n;
}
long p___precis_read(int fd, void *bytes, size_t n) {
    (void)fd;
    if (n > p_in_size - p_in_at) n = p_in_size - p_in_at;
    memcpy(bytes, p_in + p_in_at, n);
    p_in_at += n;
    return (long)n;
}
long p___VERIFIER_nondet_long(void) { return 1000000000; }
int p___VERIFIER_nondet_int(void) { return 7; }
unsigned p___VERIFIER_nondet_uint(void) { return 7; }
"""
NATIVE = "double p_{0}({1}) {{ return {0}({2}); }}\n"


@functools.cache
def index() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(INDEX.read_text())
    return content


def parse(path: Path, machine: str = "-m64") -> Any:
    arguments = [machine, "-std=gnu17", "-nostdinc", "-isystem", str(HEADERS), "-Wall", "-Wextra"]
    return Index.create().parse(str(path), arguments)


def current_index() -> dict[str, Any]:
    """What index.json must hold, read from the models and the headers."""
    functions, variables, declared = {}, {}, set()
    for path in SOURCES:
        unit = parse(path)
        for cursor in unit.cursor.get_children():
            if cursor.storage_class == StorageClass.STATIC:
                continue
            if cursor.kind == CursorKind.FUNCTION_DECL and cursor.is_definition():
                functions[cursor.spelling] = path.name
            elif cursor.kind == CursorKind.VAR_DECL and cursor.is_definition():
                variables[cursor.spelling] = path.name
    source = "#define _GNU_SOURCE 1\n" + "".join(
        f"#include <{path.relative_to(HEADERS)}>\n"
        for path in sorted(HEADERS.rglob("*.h"))
        if path.name not in ("precis.h", "pthread.h")
    )
    unit = Index.create().parse(
        "all.c", ["-nostdinc", "-isystem", str(HEADERS)], unsaved_files=[("all.c", source)]
    )
    for cursor in unit.cursor.get_children():
        if cursor.kind == CursorKind.FUNCTION_DECL:
            declared.add(cursor.spelling)
    native = declared - set(functions) - STEPS - DECLARED_ONLY
    return {
        "functions": dict(sorted(functions.items())),
        "variables": dict(sorted(variables.items())),
        "native_only": sorted(native),
    }


def test_index_is_current() -> None:
    """Rewritten when PRECIS_REWRITE is set; a changed list of natives is for a person to review."""
    expected = current_index()
    if os.environ.get("PRECIS_REWRITE"):
        INDEX.write_text(json.dumps(expected, indent=1) + "\n")
    assert json.loads(INDEX.read_text()) == expected


def test_natives_are_functions_of_math_only() -> None:
    text = (HEADERS / "math.h").read_text()
    assert [name for name in index()["native_only"] if not re.search(rf"\b{name}\(", text)] == []


@pytest.mark.parametrize("machine", ["-m64", "-m32"])
def test_models_parse_without_warnings(machine: str) -> None:
    for path in SOURCES:
        assert [str(d) for d in parse(path, machine).diagnostics] == [], path.name


def runtime_source() -> str:
    arity = {"atan2": 2, "pow": 2, "hypot": 2, "remainder": 2, "fma": 3}
    lines = [RUNTIME]
    for name in index()["native_only"]:
        if name == "remquo":
            lines.append(
                "double p_remquo(double x, double y, int *q) { return remquo(x, y, q); }\n"
            )
            continue
        names = "xyz"[: arity.get(name, 1)]
        lines.append(NATIVE.format(name, ", ".join(f"double {n}" for n in names), ", ".join(names)))
    return "".join(lines)


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> c.CDLL:
    """The models as one shared object, every symbol with the prefix p_."""
    work = tmp_path_factory.mktemp("models")
    flags = words("-std=gnu17 -O1 -fPIC -ffreestanding -fno-builtin -fno-strict-aliasing -nostdinc")
    flags += ["-Wall", "-Wextra", "-Werror", "-isystem", str(HEADERS)]
    half = len(SOURCES) // 2
    running = [
        subprocess.Popen(["gcc", *flags, "-c", *map(str, part)], cwd=where)
        for part, where in ((SOURCES[:half], work), (SOURCES[half:], work))
    ]
    assert [process.wait() for process in running] == [0, 0]
    objects = [str(work / f"{path.stem}.o") for path in SOURCES]
    for name in objects:
        subprocess.run(["objcopy", "--prefix-symbols=p_", name], check=True)
    runtime = work / "runtime.c"
    runtime.write_text(runtime_source())
    shared = work / "models.so"
    command = ["gcc", "-w", "-O1", "-fPIC", "-fno-builtin", "-shared", "-o", str(shared)]
    subprocess.run([*command, str(runtime), *objects, "-lm", "-z", "defs"], check=True)
    return c.CDLL(str(shared))


libc = c.CDLL(None, use_errno=True)
pytestmark = needs_gcc


def text_of(rng: random.Random, size: int, letters: bytes = b"abcAB ,;") -> bytes:
    return bytes(rng.choice(letters) for _ in range(rng.randrange(size)))


def both(lib: c.CDLL, name: str, result: Any, *arguments: Any) -> tuple[Any, Any]:
    answers = []
    for function in (getattr(lib, "p_" + name), getattr(libc, name)):
        function.restype = result
        answers.append(function(*arguments))
    return answers[0], answers[1]


def sign(n: int) -> int:
    return (n > 0) - (n < 0)


@pytest.mark.parametrize("name", words("strcmp strcasecmp strcoll strncmp strncasecmp memcmp bcmp"))
def test_comparisons(lib: c.CDLL, name: str) -> None:
    rng = random.Random(name)
    for _ in range(400):
        a = text_of(rng, 9, b"abAB\xe9z") + b"\0" * 10
        b = (a if rng.random() < 0.3 else text_of(rng, 9, b"abAB\xe9z")) + b"\0" * 10
        extra = (
            (c.c_size_t(rng.randrange(10)),) if "n" in name or name in ("memcmp", "bcmp") else ()
        )
        own, system = both(lib, name, c.c_int, a, b, *extra)
        if name == "bcmp":
            assert bool(own) == bool(system)
        else:
            assert sign(own) == sign(system), (a, b, extra)


@pytest.mark.parametrize(
    "name",
    words("strchr strrchr strchrnul index rindex strstr strcasestr strpbrk strspn strcspn strlen"),
)
def test_searches(lib: c.CDLL, name: str) -> None:
    rng = random.Random(name)
    for _ in range(400):
        text = c.create_string_buffer(text_of(rng, 12))
        second: tuple[Any, ...] = (text_of(rng, 4),)
        if "chr" in name or "index" in name:
            second = (rng.choice(b"abAB,\0"),)
        elif name == "strlen":
            second = ()
        kind = c.c_size_t if name in ("strspn", "strcspn", "strlen") else c.c_void_p
        own, system = both(lib, name, kind, text, *second)
        assert own == system, (text.value, second)


@pytest.mark.parametrize("name", ["memchr", "memrchr", "strnlen", "memmem"])
def test_bounded_searches(lib: c.CDLL, name: str) -> None:
    rng = random.Random(name)
    for _ in range(400):
        text = c.create_string_buffer(text_of(rng, 12) + b"\0" * 3)
        n = c.c_size_t(rng.randrange(len(text)))
        part = text_of(rng, 4)
        arguments: dict[str, tuple[Any, ...]] = {
            "strnlen": (text, n),
            "memmem": (text, n, part, c.c_size_t(len(part))),
        }
        kind = c.c_size_t if name == "strnlen" else c.c_void_p
        own, system = both(lib, name, kind, *arguments.get(name, (text, rng.choice(b"aA "), n)))
        assert own == system, (text.raw, n, part)


def writer_arguments(name: str, to: Any, source: bytes, n: int) -> tuple[Any, ...]:
    size = c.c_size_t(n)
    special: dict[str, tuple[Any, ...]] = {
        "strcpy": (to, source), "strcat": (to, source), "stpcpy": (to, source),
        "memset": (to, 263, size), "memccpy": (to, source, ord("b"), size),
        "strxfrm": (to, source, c.c_size_t(20)), "bcopy": (source, to, size), "bzero": (to, size),
    }  # fmt: skip
    return special.get(name, (to, source, size))


@pytest.mark.parametrize(
    "name",
    words(
        "strcpy strncpy strcat strncat stpcpy stpncpy memcpy memmove mempcpy memccpy memset strxfrm"
        " bcopy bzero"
    ),
)
def test_writers_leave_the_same_bytes(lib: c.CDLL, name: str) -> None:
    rng = random.Random(name)
    points = name not in ("strxfrm", "bcopy", "bzero")
    for _ in range(300):
        start = text_of(rng, 8) + b"\0" + bytes(rng.randrange(256) for _ in range(24))
        source = text_of(rng, 9) + b"\0" * 9
        n = rng.randrange(len(source))
        results = []
        for function in (getattr(lib, "p_" + name), getattr(libc, name)):
            function.restype = c.c_void_p
            to = c.create_string_buffer(start)
            where = function(*writer_arguments(name, to, source, n))
            results.append((where - c.addressof(to) if points and where else None, to.raw))
        assert results[0] == results[1], (start, source, n)


def test_tokens(lib: c.CDLL) -> None:
    rng = random.Random(1)
    for name in ("strtok", "strtok_r", "strsep"):
        for _ in range(200):
            text = text_of(rng, 14)
            found = []
            for function in (getattr(lib, "p_" + name), getattr(libc, name)):
                function.restype = c.c_char_p
                buffer = c.create_string_buffer(text)
                rest = c.c_char_p(c.addressof(buffer)) if name == "strsep" else c.c_char_p()
                extra = (c.byref(rest),) if name == "strtok_r" else ()
                first: Any = c.byref(rest) if name == "strsep" else buffer
                parts = [function(first, b", ;", *extra)]
                while parts[-1] is not None:
                    parts.append(function(first if name == "strsep" else None, b", ;", *extra))
                found.append((parts, buffer.raw))
            assert found[0] == found[1], (name, text)


def test_duplicates_and_error_texts(lib: c.CDLL) -> None:
    lib.p_strdup.restype = lib.p_strndup.restype = c.c_char_p
    assert lib.p_strdup(b"text") == b"text"
    assert [lib.p_strndup(b"text", c.c_size_t(n)) for n in (0, 2, 9)] == [b"", b"te", b"text"]
    named = [0, *range(1, 41), 75, 84, 95, 110]
    for number in set(named) - {15, 37, 40}:
        own, system = both(lib, "strerror", c.c_char_p, number)
        assert own == system
    assert both(lib, "strerror", c.c_char_p, 9999)[0] == b"Unknown error 9999"
    assert both(lib, "strerror", c.c_char_p, -5)[0] == b"Unknown error -5"


CLASSES = words("alnum alpha blank cntrl digit graph lower print punct space upper xdigit")


@pytest.mark.parametrize("name", CLASSES)
def test_character_classes(lib: c.CDLL, name: str) -> None:
    for ch in range(-1, 256):
        own, system = both(lib, "is" + name, c.c_int, ch)
        assert bool(own) == bool(system), ch
        if ch < 128:
            own, system = both(lib, "isw" + name, c.c_int, c.c_uint(ch))
            assert bool(own) == bool(system), ch


def test_cases_and_tables(lib: c.CDLL) -> None:
    for ch in range(-1, 256):
        for name in ("tolower", "toupper"):
            own, system = both(lib, name, c.c_int, ch)
            assert own == system
    kinds = (
        ("__ctype_b_loc", c.c_ushort),
        ("__ctype_tolower_loc", c.c_int),
        ("__ctype_toupper_loc", c.c_int),
    )
    for name, kind in kinds:
        tables = both(lib, name, c.POINTER(c.POINTER(kind)))
        for ch in range(256):
            assert tables[0].contents[ch] == tables[1].contents[ch], (name, ch)


NUMBERS = (
    [b"", b" ", b"+", b"-", b"0x", b"0xg", b"08", b"0x1F", b" \t\n-42z", b"+7", b"--1", b"1e5"]
    + [str(s * 2**n + d).encode() for n in (31, 32, 63, 64) for s in (-1, 1) for d in (-1, 0, 1)]
    + [b"99999999999999999999999", b"-99999999999999999999999", b"zz", b"ZZtop", b"0b1", b"000012"]
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("strtol", c.c_long), ("strtoul", c.c_ulong), ("strtoll", c.c_longlong),
        ("strtoull", c.c_ulonglong), ("strtoimax", c.c_longlong), ("strtoumax", c.c_ulonglong),
    ],
)  # fmt: skip
def test_text_to_integers(lib: c.CDLL, name: str, kind: Any) -> None:
    rng = random.Random(name)
    texts = NUMBERS + [text_of(rng, 12, b"0123456789xXaF+- ") for _ in range(150)]
    number = c.c_int.in_dll(lib, "p_errno")
    system = getattr(c.CDLL(None, use_errno=True), name)
    own = getattr(lib, "p_" + name)
    system.restype = own.restype = kind
    for text, base in itertools.product(texts, (0, 2, 8, 10, 16, 36, 1)):
        buffer = c.create_string_buffer(text)
        ends = c.c_void_p(), c.c_void_p()
        number.value = 0
        c.set_errno(0)
        values = own(buffer, c.byref(ends[0]), base), system(buffer, c.byref(ends[1]), base)
        assert values[0] == values[1], (text, base)
        if base != 1:
            assert ends[0].value == ends[1].value, (text, base)
            assert number.value == c.get_errno(), (text, base)


def test_ato(lib: c.CDLL) -> None:
    for text in NUMBERS:
        for name, kind in (("atoi", c.c_int), ("atol", c.c_long), ("atoll", c.c_longlong)):
            own, system = both(lib, name, kind, text)
            assert own == system, text


def float_texts() -> list[bytes]:
    rng = random.Random(5)
    texts = (
        b"inf -INFINITY nan nan(12) NAN( infinit 0x1p4 0x.8 0x1.8p-3x 0x 0x.p1 1e 1e+ .5 5. . "
        b"-.e1 -0 1e400 -1e400 1e-400 4.9e-324 2.4e-324 2.5e-324 2.2250738585072011e-308 "
        b"1.7976931348623158e308 1.7976931348623159e308 9007199254740993 "
        b"9007199254740992.9999999999999999999999 1e23 8.5e22 "
        b"0x1.fffffffffffff8p1023 0x1p-1075 0x1.8p-1075 0x123456789abcdef12345p3 "
        b"3.4028236e38 1e-46 1.17549435e-38 000000000000000000000000001.5 "
        b"0.00000000000000000000000000000000012345678901234567890123456789"
    ).split()
    for _ in range(400):
        bits = struct.pack("<Q", rng.getrandbits(64))
        texts.append(repr(struct.unpack("<d", bits)[0]).encode())
        digits = "".join(rng.choice("0123456789") for _ in range(rng.randrange(1, 30)))
        texts.append(f"{digits}.{digits}e{rng.randrange(-340, 340)}".encode())
        low = abs(struct.unpack("<d", struct.pack("<Q", rng.getrandbits(62)))[0])
        if low < 1e300:
            half = (math.nextafter(low, math.inf) + low) / 2 if low > 1e-300 else low
            texts.append(f"{half:.800g}".encode())
    return texts


def test_text_to_floats(lib: c.CDLL) -> None:
    for text in float_texts():
        buffer = c.create_string_buffer(text)
        for name, kind in (("strtod", c.c_double), ("strtof", c.c_float)):
            ends = c.c_void_p(), c.c_void_p()
            values = []
            for function, end in zip(
                (getattr(lib, "p_" + name), getattr(libc, name)), ends, strict=True
            ):
                function.restype = kind
                values.append(repr(function(buffer, c.byref(end))))
            assert values[0] == values[1], (name, text)
            assert ends[0].value == ends[1].value, text


COMPARE = c.CFUNCTYPE(c.c_int, c.c_void_p, c.c_void_p)


@pytest.mark.parametrize("size", [1, 3, 8, 20])
def test_sorting_is_right_and_stable(lib: c.CDLL, size: int) -> None:
    rng = random.Random(size)

    def order(a: int, b: int) -> int:
        return sign(ord(c.string_at(a, 1)) // 16 - ord(c.string_at(b, 1)) // 16)

    compare = COMPARE(order)
    for count in [0, 1, 2, 3, 17, 60]:
        items = [bytes(rng.randrange(256) for _ in range(size)) for _ in range(count)]
        buffer = c.create_string_buffer(b"".join(items) + b"guard")
        lib.p_qsort(buffer, c.c_size_t(count), c.c_size_t(size), compare)
        ordered: list[bytes] = sorted(items, key=lambda item: item[0] // 16)
        assert buffer.raw == b"".join(ordered) + b"guard\0"
        lib.p_bsearch.restype = c.c_void_p
        for key in range(0, 256, 5):
            found = lib.p_bsearch(
                bytes([key]), buffer, c.c_size_t(count), c.c_size_t(size), compare
            )
            known = any(item[0] // 16 == key // 16 for item in items)
            assert bool(found) == known
            assert not found or c.string_at(found, 1)[0] // 16 == key // 16


def test_sorting_bears_any_comparison(lib: c.CDLL) -> None:
    rng = random.Random(3)
    wild = COMPARE(lambda a, b: rng.choice((-1, 0, 1)))
    items = bytes(range(50))
    buffer = c.create_string_buffer(items, 50)
    lib.p_qsort(buffer, c.c_size_t(50), c.c_size_t(1), wild)
    assert sorted(buffer.raw) == list(items)


def test_random_numbers_are_those_of_glibc(lib: c.CDLL) -> None:
    assert [lib.p_rand() for _ in range(5)] == [libc.rand() for _ in range(5)]
    for seed in (0, 1, 2, 42, 2**31, 2**32 - 1):
        lib.p_srand(c.c_uint(seed))
        libc.srand(c.c_uint(seed))
        assert [lib.p_rand() for _ in range(100)] == [libc.rand() for _ in range(100)]


def test_allocation(lib: c.CDLL) -> None:
    for name in ("calloc", "realloc", "malloc", "reallocarray"):
        getattr(lib, "p_" + name).restype = c.c_void_p
    assert lib.p_calloc(c.c_size_t(2**33), c.c_size_t(2**33)) is None
    block = lib.p_calloc(c.c_size_t(3), c.c_size_t(4))
    assert c.string_at(block, 12) == bytes(12)
    c.memmove(block, b"abcdefghijkl", 12)
    larger = lib.p_realloc(c.c_void_p(block), c.c_size_t(20))
    assert c.string_at(larger, 12) == b"abcdefghijkl"
    smaller = lib.p_realloc(c.c_void_p(larger), c.c_size_t(3))
    assert c.string_at(smaller, 3) == b"abc"
    assert lib.p_realloc(c.c_void_p(smaller), c.c_size_t(0)) is None
    assert lib.p_realloc(None, c.c_size_t(0)) is not None


def formatted(
    function: Callable[..., int], room: int, form: bytes, arguments: tuple[Any, ...]
) -> Any:
    buffer = c.create_string_buffer(b"#" * 3000)
    return function(buffer, c.c_size_t(room), form, *arguments), buffer.raw[:2500]


def integer_cases(rng: random.Random) -> list[tuple[bytes, tuple[Any, ...]]]:
    cases: list[tuple[bytes, tuple[Any, ...]]] = []
    for flags, width, precision in itertools.product(
        ("", "-", "0", "+", " ", "#", "-#", "0+", "#0", "+ "),
        ("", "1", "8", "25"),
        ("", ".", ".0", ".3", ".22"),
    ):
        for conversion in "diuoxX":
            length = rng.choice(("", "hh", "h", "l", "ll", "j", "z", "t"))
            for value in (0, rng.randrange(-9, 10), rng.getrandbits(64)):
                form = f"<%{flags}{width}{precision}{length}{conversion}>"
                number: Any = (
                    c.c_ulonglong(value)
                    if length in ("l", "ll", "j", "z", "t")
                    else c.c_uint(value)
                )
                cases.append((form.encode(), (number,)))
    return cases


def float_cases(rng: random.Random) -> list[tuple[bytes, tuple[Any, ...]]]:
    special = [
        0.0,
        -0.0,
        1.0,
        0.5,
        1.5,
        2.5,
        9.5,
        99.95,
        0.1,
        1e15,
        1e16,
        123456.0,
        1234567.0,
        0.0001,
        0.00001234,
    ]
    special += [
        math.inf,
        -math.inf,
        math.nan,
        5e-324,
        1.7976931348623157e308,
        0.25,
        999999.5,
        0.05,
        1e-5,
    ]
    forms = itertools.product(
        ("", "-", "0", "+", " ", "#", "0+"), ("", "1", "12", "40"), ("", ".0", ".1", ".3", ".20")
    )
    cases: list[tuple[bytes, tuple[Any, ...]]] = []
    for flags, width, precision in forms:
        for conversion in "fFeEgGaA":
            drawn = struct.unpack("<d", struct.pack("<Q", rng.getrandbits(64)))[0]
            for x in (rng.choice(special), rng.choice(special), drawn, rng.uniform(-1000, 1000)):
                form = f"<%{flags}{width}{precision}{conversion}>".encode()
                cases.append((form, (c.c_double(x),)))
    for x in special:
        cases += [
            (f"%{letter}".encode(), (c.c_double(x),))
            for letter in ("f", "e", "g", "a", ".400f", ".17g")
        ]
    return cases


def other_cases() -> list[tuple[bytes, tuple[Any, ...]]]:
    text = c.c_char_p(b"some text")
    return [
        (b"plain %% text\n", ()),
        (b"[%s] [%20s] [%-20s] [%.4s] [%8.2s] [%.0s]", (text,) * 6),
        (b"%c%5c%-5c|", (65, 66, 67)),
        (b"%*d|%-*d|%.*d|%*.*s|", (7, 3, 5, 4, 6, 42, 9, 2, text)),
        (b"%*d|%.*d|", (-7, 3, -1, 4)),
        (b"%p %10p|%-10p|", (None, None, None)),
        (b"%p %20p %-20p|", (c.c_void_p(0xDEADBEEF),) * 3),
        (b"%ls|%lc", (c.c_wchar_p("wide"), 65)),
        (b"%d %s %x %f %c %ld", (1, text, 255, c.c_double(2.5), 88, c.c_long(-5))),
    ]  # fmt: skip


def test_formatter_agrees(lib: c.CDLL) -> None:
    rng = random.Random(8)
    for form, arguments in integer_cases(rng) + float_cases(rng) + other_cases():
        own = formatted(lib.p_snprintf, 2000, form, arguments)
        assert own == formatted(libc.snprintf, 2000, form, arguments), (form, arguments)


def test_formatter_respects_its_room(lib: c.CDLL) -> None:
    for room in range(14):
        for form in (b"%d-%s", b"%08d%s", b"%-9d%s"):
            arguments = (1234, c.c_char_p(b"abc"))
            assert formatted(lib.p_snprintf, room, form, arguments) == formatted(
                libc.snprintf, room, form, arguments
            )


def test_count_conversion_and_streams(lib: c.CDLL) -> None:
    count, small = c.c_int(), c.c_char()
    buffer = c.create_string_buffer(50)
    assert lib.p_sprintf(buffer, b"%d%n--%hhn", 12345, c.byref(count), c.byref(small)) == 7
    assert (count.value, small.value, buffer.value) == (5, b"\7", b"12345--")
    size = c.c_size_t.in_dll(lib, "p_out_size")
    size.value = 0
    assert lib.p_printf(b"%s=%d\n", c.c_char_p(b"x"), 3) == 4
    assert lib.p_puts(b"line") == 5
    assert lib.p_putchar(65) == 65
    lib.p_fwrite.restype = c.c_size_t
    assert (
        lib.p_fwrite(b"abcdef", c.c_size_t(2), c.c_size_t(3), c.c_void_p.in_dll(lib, "p_stdout"))
        == 3
    )
    assert (
        c.string_at(c.addressof(c.c_char.in_dll(lib, "p_out")), size.value) == b"x=3\nline\nAabcdef"
    )


SCANS: list[tuple[bytes, bytes, str]] = [
    (b"12 -34", b"%d %d", "ii"),
    (b"  0x1F 077 9", b"%i%i%i", "iii"),
    (b"ff 17 3", b"%x %o %u", "iii"),
    (b"abc", b"%d", "i"),
    (b"", b"%d", "i"),
    (b"   ", b"%d", "i"),
    (b"12,", b"%d,%d", "ii"),
    (b"12;5", b"%d,%d", "ii"),
    (b"12345", b"%2d%3d", "ii"),
    (b"1 2 3", b"%*d%d%n", "ii"),
    (b"-", b"%d", "i"),
    (b"+5", b"%d", "i"),
    (b"300 70000", b"%hhd %hd", "bh"),
    (b"-9000000000 9000000000", b"%ld %lld", "ll"),
    (b"5 6", b"%zu %ju", "ll"),
    (b"99999999999999999999", b"%ld", "l"),
    (b"-99999999999999999999", b"%ld", "l"),
    (b"word next", b"%s%s", "ss"),
    (b"  lead", b"%3s%c", "ss"),
    (b"xyz", b"%c%2c", "ss"),
    (b" x", b" %c", "s"),
    (b"abc123", b"%[a-z]%[0-9]", "ss"),
    (b"abc]d", b"%[]abc]%s", "ss"),
    (b"a,b", b"%[^,],%s", "ss"),
    (b"a-z", b"%[a-]%s", "ss"),
    (b"5%", b"%d%%%n", "ii"),
    (b"1.5 -2e3 .25", b"%lf %lf %lf", "ddd"),
    (b"inf nan 0x1p3", b"%lf %lf %lf", "ddd"),
    (b"3.25", b"%f", "f"),
    (b"1e", b"%lf", "d"),
    (b"12e+x", b"%lf%s", "ds"),
    (b"3.14159", b"%4lf%d", "di"),
    (b"abc", b"x%d", "i"),
    (b"x=1 y=2", b"x=%d y=%d", "ii"),
    (b"x=1 z", b"x=%d y=%d", "ii"),
    (b"0x", b"%d%c", "is"),
    (b"7", b"%d%c", "is"),
    (b"0xAbG", b"%p%c", "ls"),
    (b"12 ", b"%d %n", "ii"),
    (b"a", b"%*c%d", "i"),
    (b"1", b"%*d%d", "i"),
    (b"0", b"%i", "i"),
]
KINDS = {
    "i": c.c_int,
    "b": c.c_byte,
    "h": c.c_short,
    "l": c.c_long,
    "d": c.c_double,
    "f": c.c_float,
}


def scanned(function: Callable[..., int], first: Any, form: bytes, kinds: str) -> Any:
    targets: list[Any] = [
        c.create_string_buffer(b"?" * 20) if k == "s" else KINDS[k](77) for k in kinds
    ]
    count = function(*first, form, *(c.byref(target) for target in targets))
    return count, [t.raw if isinstance(t, c.Array) else repr(t.value) for t in targets]


@pytest.mark.parametrize(("text", "form", "kinds"), SCANS)
def test_scanner_agrees(lib: c.CDLL, text: bytes, form: bytes, kinds: str) -> None:
    expected = scanned(libc.sscanf, (text,), form, kinds)
    assert scanned(lib.p_sscanf, (text,), form, kinds) == expected
    give(lib, text)
    assert scanned(lib.p_scanf, (), form, kinds) == expected


def give(lib: c.CDLL, text: bytes) -> None:
    """Makes `text` all of standard input."""
    c.memmove(c.addressof(c.c_char.in_dll(lib, "p_in")), text, len(text))
    c.c_size_t.in_dll(lib, "p_in_size").value = len(text)
    c.c_size_t.in_dll(lib, "p_in_at").value = 0
    stream = c.c_void_p.in_dll(lib, "p_stdin")
    lib.p_clearerr(stream)
    while lib.p_fgetc(stream) != -1:
        pass
    lib.p_clearerr(stream)
    c.c_size_t.in_dll(lib, "p_in_at").value = 0


def test_scanner_leaves_the_next_character(lib: c.CDLL) -> None:
    stream = c.c_void_p.in_dll(lib, "p_stdin")
    give(lib, b"12ab\nnext line\nlast")
    number = c.c_int()
    assert lib.p_scanf(b"%d", c.byref(number)) == 1
    assert lib.p_getchar() == ord("a")
    assert lib.p_ungetc(ord("Z"), stream) == ord("Z")
    buffer = c.create_string_buffer(b"#" * 20)
    lib.p_fgets.restype = c.c_char_p
    assert lib.p_fgets(buffer, 20, stream) == b"Zb\n"
    assert lib.p_fgets(buffer, 5, stream) == b"next"
    line, room = c.c_char_p(), c.c_size_t()
    lib.p_getline.restype = c.c_long
    assert lib.p_getline(c.byref(line), c.byref(room), stream) == 6
    assert line.value == b" line\n"
    lib.p_fread.restype = c.c_size_t
    assert lib.p_fread(buffer, c.c_size_t(3), c.c_size_t(2), stream) == 1
    assert buffer.raw[:4] == b"last"
    assert lib.p_feof(stream) and lib.p_getchar() == -1
    assert lib.p_fgets(buffer, 20, stream) is None


def test_exact_mathematics(lib: c.CDLL) -> None:
    rng = random.Random(4)
    values = [
        0.0,
        -0.0,
        0.5,
        -0.5,
        1.5,
        2.5,
        -2.5,
        0.49999999999999994,
        2.0**52 + 0.5,
        5e-324,
        1e308,
        math.inf,
        -math.inf,
    ]
    values += [struct.unpack("<d", struct.pack("<Q", rng.getrandbits(64)))[0] for _ in range(200)]
    values += [rng.uniform(-10, 10) for _ in range(100)]
    libm = c.CDLL("libm.so.6")
    one = words("fabs floor ceil trunc round rint nearbyint logb")
    two = words("fmod copysign fmin fmax fdim nextafter")
    for name in one + two:
        own, system = getattr(lib, "p_" + name), getattr(libm, name)
        own.restype = system.restype = c.c_double
        for x in values:
            arguments = (
                (c.c_double(x),) if name in one else (c.c_double(x), c.c_double(rng.choice(values)))
            )
            a, b = own(*arguments), system(*arguments)
            assert repr(a) == repr(b), (name, arguments)


def test_exponents(lib: c.CDLL) -> None:
    rng = random.Random(6)
    libm = c.CDLL("libm.so.6")
    for _ in range(500):
        x = c.c_double(struct.unpack("<d", struct.pack("<Q", rng.getrandbits(64)))[0])
        n = rng.choice((rng.randrange(-60, 60), rng.randrange(-2200, 2200)))
        exponents = c.c_int(), c.c_int()
        answers = []
        for prefix, source, exponent in (("p_", lib, exponents[0]), ("", libm, exponents[1])):
            scale, split = getattr(source, prefix + "ldexp"), getattr(source, prefix + "frexp")
            scale.restype = split.restype = c.c_double
            answers.append((repr(scale(x, n)), repr(split(x, c.byref(exponent))), exponent.value))
        if math.isfinite(x.value):
            assert answers[0] == answers[1], (x, n)


def test_dates(lib: c.CDLL) -> None:
    rng = random.Random(7)
    form = b"%a %A %b %B %c %d %D %e %F %H %I %j %m %M %p %r %R %S %T %u %U %w %W %x %X %y %Y %C %%"
    for when in [0, -1, 951782400, 2**31, *(rng.randrange(-(2**34), 2**36) for _ in range(200))]:
        stamp = c.c_long(when)
        parts = [c.create_string_buffer(56), c.create_string_buffer(56)]
        texts = [c.create_string_buffer(300), c.create_string_buffer(300)]
        for function, part in zip((lib.p_gmtime_r, libc.gmtime_r), parts, strict=True):
            assert function(c.byref(stamp), part)
        assert parts[0].raw[:36] == parts[1].raw[:36], when
        for function, part, text in zip((lib.p_strftime, libc.strftime), parts, texts, strict=True):
            function(text, c.c_size_t(300), form, part)
        assert texts[0].value == texts[1].value
        lib.p_mktime.restype = c.c_long
        assert lib.p_mktime(parts[0]) == when


def test_options_agree(lib: c.CDLL) -> None:
    rng = random.Random(9)
    known = [b"-a", b"-b", b"-bx", b"-abc", b"x", b"y", b"--", b"-", b"-c", b"-cval", b"-z"]
    for form in (b"ab:c::", b"+ab:c::", b":ab:c::"):
        for _ in range(150):
            arguments = [b"prog", *(rng.choice(known) for _ in range(rng.randrange(6)))]
            results = []
            for prefix, source in (("p_", lib), ("", libc)):
                c.c_int.in_dll(source, prefix + "opterr").value = 0
                place = c.c_int.in_dll(source, prefix + "optind")
                place.value = 1 if prefix else 0
                vector = (c.c_char_p * (len(arguments) + 1))(*arguments, None)
                found = []
                while (
                    letter := getattr(source, prefix + "getopt")(len(arguments), vector, form)
                ) != -1:
                    found.append((letter, c.c_char_p.in_dll(source, prefix + "optarg").value))
                results.append((found, place.value, list(vector)))
            assert results[0] == results[1], (form, arguments)


def in_child(action: Callable[[], object]) -> tuple[int, bytes]:
    """Exit status and standard error of a forked child that does this and should end by it."""
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(into, 2)
        try:
            action()
        finally:
            os._exit(77)
    os.close(into)
    with os.fdopen(out, "rb") as stream:
        said = stream.read()
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), said


def test_ways_to_end(lib: c.CDLL) -> None:
    c.c_size_t.in_dll(lib, "p_out_size").value = 0
    handler = c.CFUNCTYPE(None)
    handlers = [handler(functools.partial(lib.p_puts, word)) for word in (b"one", b"two", b"three")]

    def leave() -> None:
        for each in handlers:
            lib.p_atexit(each)
        lib.p_exit(259)

    assert in_child(leave) == (3, b"three\ntwo\none\n")
    assert in_child(lambda: lib.p__Exit(4)) == (4, b"")
    assert in_child(lambda: lib.p_abort()) == (134, b"")
    assert in_child(lambda: lib.p_raise(15)) == (143, b"")
    failed = in_child(lambda: lib.p___assert_fail(b"a < b", b"f.c", 12, b"main"))
    assert failed == (134, b"f.c:12: main: Assertion `a < b' failed.\n")
    assert in_child(lambda: lib.p___VERIFIER_assert(0))[0] == 134
    assert in_child(lambda: lib.p___VERIFIER_assert(1)) == (77, b"")


SANITIZED = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
size_t p_strlen(const char *); char *p_strcpy(char *, const char *);
char *p_strncpy(char *, const char *, size_t); char *p_strncat(char *, const char *, size_t);
void *p_memchr(const void *, int, size_t);
int p_snprintf(char *, size_t, const char *, ...); int p_sprintf(char *, const char *, ...);
int p_sscanf(const char *, const char *, ...); double p_strtod(const char *, char **);
int p_memcmp(const void *, const void *, size_t); int p_strncmp(const char *, const char *, size_t);
char *p_strdup(const char *);
void p_qsort(void *, size_t, size_t, int (*)(const void *, const void *));
long p_strtol(const char *, char **, int); void p_free(void *);
static char *exact(const char *bytes, size_t n) { return memcpy(malloc(n), bytes, n); }
static int order(const void *a, const void *b) { return *(char *)a - *(char *)b; }
int main(void) {
    char *word = exact("word", 5), *bare = exact("bare", 4), *to = malloc(5), *line = malloc(9);
    p_strlen(word); p_strcpy(to, word); p_strncpy(to, bare, 4); p_memchr(bare, 'x', 4);
    p_memcmp(bare, word, 4); p_strncmp(bare, "barely", 4); p_strcpy(to, ""); p_strncat(to, bare, 4);
    p_sprintf(line, "%s%4d", word, 7); p_snprintf(line, 9, "%.4s %f", bare, 1e300);
    p_qsort(bare, 4, 1, order);
    double d; int n; p_sscanf(word, "%2s", line);
    p_sscanf(exact("-12", 4), "%d", &n); p_sscanf(exact("1e5", 4), "%lf", &d);
    p_strtod(exact("123456789012345678901234567890e-300", 36), NULL);
    p_strtol(exact("0x", 3), NULL, 0);
    p_snprintf(NULL, 0, "%.1000f %a", 5e-324, 1.5); char *copy = p_strdup(word); p_free(copy);
    return 0;
}
"""


def test_models_touch_only_what_they_may(tmp_path: Path) -> None:
    names = words(
        "string sort printf printf_float decimal print scanf strtod convert errno strerror stdio"
        " alloc"
    )
    flags = words(
        "-std=gnu17 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-builtin"
    )
    own = [*flags, "-ffreestanding", "-nostdinc", "-isystem", str(HEADERS), "-c"]
    subprocess.run(
        ["gcc", *own, *(str(MODELS / f"{n}.c") for n in names)], check=True, cwd=tmp_path
    )
    objects = [f"{n}.o" for n in names]
    for name in objects:
        renames = [
            f"--redefine-sym={f}=p_{f}" for f in [*index()["functions"], *index()["variables"]]
        ]
        builtins = ("copy", "fill", "size", "offset", "write", "read")
        renames += [f"--redefine-sym=__precis_{f}=p___precis_{f}" for f in builtins]
        renames += [f"--redefine-sym={f}=p_{f}" for f in ("malloc", "free")]
        subprocess.run(["objcopy", *renames, name], check=True, cwd=tmp_path)
    (tmp_path / "driver.c").write_text(SANITIZED)
    (tmp_path / "runtime.c").write_text(RUNTIME)
    command = ["gcc", "-w", *flags, "-o", "driver", "driver.c", "runtime.c", *objects, "-lm"]
    subprocess.run(command, check=True, cwd=tmp_path)
    ran = subprocess.run(
        ["./driver"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={"ASAN_OPTIONS": "detect_leaks=0"},
    )
    assert (ran.returncode, ran.stderr) == (0, "")

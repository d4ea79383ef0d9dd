"""Small pieces of C: each is lowered whole, and the program keeps its promises.

Golden text shows for a few constructs what they become; read the difference when it changes.
"""

# ruff: noqa: E501

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from precis.ir.instr import Assume, Check, Choose, Copy, Fill, Load, ScopeBegin, ScopeEnd, Store
from precis.ir.printer import print_procedure
from precis.ir.wellformed import violations
from tests.frontends.clang.lowering import lower, steps, unsupported

PIECES = {
    "assert": "#include <assert.h>\nint main(void) { assert(1 + 1 == 2); return 0; }",
    "verifier": """
        extern int __VERIFIER_nondet_int(void); extern _Bool __VERIFIER_nondet_bool(void);
        extern void __VERIFIER_assume(int); void reach_error(void) { }
        int main(void) {
            int n = __VERIFIER_nondet_int();
            __VERIFIER_assume(n > 0 && n < 9);
            if (__VERIFIER_nondet_bool()) reach_error();
            return n;
        }""",
    "typeof": "int main(void) { int x = 1; __typeof__(x) y = x; __auto_type z = y; return z; }",
    "nested_ternary": "int main(void) { int a = 1; return a ? a > 2 ? 3 : 4 : a ? 5 : 6; }",
    "void_ternary": "void f(void); int main(void) { int a = 1; a ? f() : (void)0; return a; }",
    "comma": "int main(void) { int a, b; a = 1, b = 2; for (a = 0, b = 9; a < b; a++, b--); return a; }",
    "char_subscript": 'int main(void) { return "abc"[1] + 2["abc"]; }',
    "function_values": """
        static int f(int x) { return x; }
        int main(void) { int (*p)(int) = f; return (****p)(1) + (&f)(2) + (p == f) + !f; }""",
    "static_local": "int f(void) { static int n, *p = &n; return ++*p; } int main(void) { return f(); }",
    "string_in_struct": """
        struct s { char name[8]; const char *text; };
        int main(void) { struct s x = { "ab", "cd" }, y[2] = { { "x" } }; return x.name[0] + y[1].name[0]; }""",
    "flexible": """
        struct s { int n; int rest[]; } s = { 2, { 5, 6 } };
        int main(void) { return s.rest[1]; }""",
    "vla": "int main(void) { int n = 3; int a[n], (*p)[n] = &a; a[0] = sizeof a; return (*p)[0]; }",
    "vla_in_loop": "int main(void) { for (int i = 1; i < 4; i++) { char a[i]; a[i - 1] = 0; if (i == 2) continue; } return 0; }",
    "struct_return_chain": """
        struct s { int a[4]; };
        struct s f(int x) { struct s r = { { x } }; return r; }
        struct s g(struct s x) { return f(x.a[0] + 1); }
        int main(void) { if (g(f(1)).a[0] == 2 && f(3).a[1] == 0) return g(g(f(1))).a[0]; return 9; }""",
    "statement_expression_record": """
        struct s { int a, b; };
        int main(void) { struct s x = ({ struct s t = { 1, 2 }; t; }); return ({ x; }).b; }""",
    "volatile": "volatile int v; int main(void) { volatile int w = v; w++; return v + w; }",
    "bool": "int main(void) { _Bool b = 5; b += 3; b |= 4; int *p = 0; b = p; return b; }",
    "wide": '#include <stddef.h>\nint main(void) { wchar_t w[] = L"a\\x4e2d"; return w[1] == L\'\\x4e2d\' && u8"é"[1]; }',
    "const_global": "static const int k[] = { 1, 2 }; int main(void) { return k[1]; }",
    "enum_switch": """
        enum e { A, B = 7, C }; int f(enum e x) { switch (x) { case A: return 1; case B: return 2; case C: break; } return 3; }
        int main(void) { return f(B) + C; }""",
    "empty_struct": "struct e {}; struct e f(struct e x) { return x; } int main(void) { struct e x; f(x); return sizeof x; }",
    "old_c": "f(a, b) char a; { return a + b; } main() { register int i = 0; auto int j = f(1, 2); return i + j; }",
    "atomic": "_Atomic int n; int main(void) { n++; n += 2; return n; }",
    "thread_local": "_Thread_local int n = 3; int main(void) { static _Thread_local int m; return n + m; }",
    "offsetof": "#include <stddef.h>\nstruct s { char a; int b[3]; }; int main(void) { return offsetof(struct s, b[2]); }",
    "labels": "int main(void) { int i = 0; a: i++; if (i < 3) goto a; goto b; { int x; b: x = i; return x; } }",
    "asm_barrier": 'int main(void) { __asm__ volatile ("" ::: "memory"); return 0; }',
    "complex_pointer": "void f(_Complex double *p); int main(void) { f(0); return 0; }",
    "builtins": """
        int main(void) {
            int r; unsigned long u;
            if (__builtin_mul_overflow(3, 4, &r) || __builtin_umull_overflow(1ul, 2ul, &u)) __builtin_unreachable();
            char b[8]; __builtin_memset(b, 0, sizeof b); __builtin_memcpy(b, "x", 2);
            return __builtin_strlen(b) + __builtin_clzl(1) + __builtin_parity(7) + __builtin_isnan(1.0);
        }""",
    "generic": "#define T(x) _Generic((x), int: 1, long: 2, char *: 3, const char *: 4, default: 5)\n"
    "int main(void) { const char *s = 0; return T(1) + T(1L) + T(s) + T(1.0); }",
}


@pytest.mark.parametrize("name", PIECES)
def test_piece_is_lowered(name: str, tmp_path: Path) -> None:
    program = lower(PIECES[name], tmp_path)
    assert violations(program) == ()
    assert list(unsupported(program)) == []


GOLDEN = {
    "scopes": """
        int use(int *p);
        int main(void) {
            for (int i = 0; i < 3; i++) {
                int a = i;
                if (use(&a)) continue;
                int b[2];
                if (use(b)) break;
                { int c; use(&c); if (c) return 1; }
            }
            return 0;
        }""",
    "short_circuit": """
        struct node { struct node *next; int value; };
        int find(struct node *p, int v) {
            while (p && p->value != v) p = p->next;
            return p != 0 || v == 0;
        }""",
    "records": """
        struct point { int x, y; };
        struct point mirror(struct point p) { p.x = -p.x; return p; }
        int main(void) { struct point a = { .y = 2 }, b = mirror(a); a = mirror(b); return mirror(a).y; }""",
    "bit_fields": """
        struct flags { unsigned a : 3, b : 7; signed c : 20; };
        int set(struct flags *f) { f->b += 3; f->c--; return f->a = 9; }""",
    "switch_jumps": """
        int f(int n) {
            switch (n) { int *p; case 1: case 4 ... 6: n++; default: { int x = n; p = &x; n = *p; break; } case 2: return 0; }
            return n;
        }""",
    "varargs": """
        #include <stdarg.h>
        int sum(int n, ...) { va_list ap; va_start(ap, n); int s = 0; while (n--) s += va_arg(ap, int); va_end(ap); return s; }
        int main(void) { return sum(2, 3, (char)4); }""",
    "initialisers": """
        struct s { char tag; int v[3]; struct { short a, b; } in; };
        int main(void) { struct s x = { 'c', .v[1] = 5, 6, .in.b = 7 }; int z[40] = { 1 }; return x.v[2] + z[9]; }""",
}


@pytest.mark.parametrize("name", GOLDEN)
def test_becomes(name: str, tmp_path: Path, golden: Callable[[str, str], None]) -> None:
    program = lower(GOLDEN[name], tmp_path)
    assert violations(program) == ()
    shown = [
        print_procedure(program, procedure)
        for procedure in program.procedures.values()
        if not procedure.library
    ]
    source = textwrap.dedent(GOLDEN[name]).strip()
    commented = "".join(f"// {line}\n" for line in source.splitlines())
    golden(f"ir/{name}.txt", commented + "\n" + "\n".join(shown))


def test_uninitialised_variable_is_indeterminate(tmp_path: Path) -> None:
    (step,) = steps(lower("int main(void) { int x; return x; }", tmp_path))
    assert getattr(step, "value", None).op == "undef"  # type: ignore[union-attr]


def test_every_way_out_ends_the_scope(tmp_path: Path) -> None:
    source = """
    int f(int *); int main(void) {
        while (1) { int a; if (f(&a)) break; if (f(0)) return 1; if (f(0)) goto out; if (f(0)) continue; }
    out: return 0; }"""
    found = steps(lower(source, tmp_path))
    assert sum(isinstance(step, ScopeBegin) for step in found) == 1
    assert sum(isinstance(step, ScopeEnd) for step in found) == 5


def test_places_lead_through_macros(tmp_path: Path) -> None:
    source = """\
    #define READ(p) (*(p))
    int main(int argc, char **argv) { char *q = argv[0];
      return READ(q + 1); }"""
    load = [step for step in steps(lower(source, tmp_path)) if isinstance(step, Load)][-1]
    assert (load.at.line, load.at.macro) == (3, "READ")


def test_bit_field_access_carries_its_bits(tmp_path: Path) -> None:
    source = "struct s { int a : 3, b : 9; } g; int main(void) { g.b = 1; return g.a; }"
    found = steps(lower(source, tmp_path))
    (store,) = [step for step in found if isinstance(step, Store)]
    (load,) = [step for step in found if isinstance(step, Load)]
    assert store.bits is not None and (store.bits.shift, store.bits.width) == (3, 9)
    assert load.bits is not None and (load.bits.shift, load.bits.width) == (0, 3)


def test_padding_of_an_initialised_struct_stays_indeterminate(tmp_path: Path) -> None:
    source = "struct s { char a; int b, c; }; int main(void) { struct s x = { 1 }; return x.b; }"
    (fill,) = [step for step in steps(lower(source, tmp_path)) if isinstance(step, Fill)]
    assert fill.size.data == 8


def test_memory_functions_are_steps(tmp_path: Path) -> None:
    source = """
    #include <string.h>
    int __VERIFIER_nondet_int(void); void __VERIFIER_assume(int);
    int main(void) { char a[4], b[4]; memset(a, 0, 4); memcpy(b, a, 4); memmove(a, b, 2);
      __VERIFIER_assume(__VERIFIER_nondet_int()); return a[0]; }"""
    kinds = [type(step) for step in steps(lower(source, tmp_path))]
    assert (kinds.count(Copy), kinds.count(Fill)) == (2, 1)
    assert kinds.count(Choose) == kinds.count(Assume) == 1
    assert Check not in kinds


UNSUPPORTED = {
    "complex": ("int main(void) { _Complex double z = 1; return z != 0; }", "type _Complex double"),
    "assembler": ('int main(void) { asm goto("jmp %l0" : : : : l); l: return 0; }', "jumps"),
    "setjmp": ("#include <setjmp.h>\nint main(void) { jmp_buf b; return setjmp(b); }", "setjmp"),
    "weak": (
        "extern int f(void) __attribute__((weak));\nint main(void) { return f ? f() : 0; }",
        "weak",
    ),
    "constructor": (
        "__attribute__((constructor)) void f(int n) { }\nint main(void) { return 0; }",
        "constructor",
    ),
}


@pytest.mark.parametrize("name", UNSUPPORTED)
def test_unknown_construct_is_a_step_with_a_reason(name: str, tmp_path: Path) -> None:
    source, reason = UNSUPPORTED[name]
    program = lower(source, tmp_path)
    assert violations(program) == ()
    assert any(reason in step.reason and step.at.line for step in unsupported(program))


CONSTANTS = (
    ("const int x = 1;", True),
    ("static const int x[2] = {1, 2};", True),
    ('const char x[2][4] = {"a", "b"};', True),
    ('const char *const x[] = {"a"};', True),
    ("typedef const int c; c x[2];", True),
    ("extern const int x[];", True),
    ("static const struct { int a; char *b; } x[] = {{1, 0}};", True),
    ('const char *x[] = {"a"};', False),
    ("const volatile int x[2];", False),
    ("int x[2];", False),
)


@pytest.mark.parametrize(("text", "expected"), CONSTANTS)
def test_which_variables_are_never_written(text: str, expected: bool, tmp_path: Path) -> None:
    program = lower(f"{text} int main(void) {{ return &x != 0; }}", tmp_path)
    assert program.globals["x"].constant is expected

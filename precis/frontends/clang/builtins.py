"""Functions that are steps: malloc, free, memcpy, the verifier's inputs, ...

Each takes the values of its arguments, so that it can also stand as a procedure of its own
where its address is taken. A program that defines a function of such a name gets its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from precis.frontends.clang.body import Body
from precis.frontends.clang.c_types import CType, Sort
from precis.frontends.clang.failure import Unlowered
from precis.ir.instr import (
    Alloc,
    Assign,
    Assume,
    AtomicBegin,
    AtomicEnd,
    BlockKind,
    Branch,
    Choose,
    Content,
    Copy,
    Fill,
    Free,
    Halt,
    Jump,
    Measure,
    Unreachable,
    Unsupported,
)
from precis.ir.location import Location
from precis.ir.types import I32, U8, VOID_POINTER, Int
from precis.ir.values import Term, binary, cast, compare, const, null, truth_of

Builtin: TypeAlias = Callable[[Body, Sequence[Term], CType, Location], "Term | None"]


def _unsigned_word(body: Body) -> Int:
    return Int(body.types.word.bits, False)


def _allocate(body: Body, size: Term, at: Location, content: Content, kind: BlockKind) -> Term:
    index = body.temporary(VOID_POINTER, at)
    size = cast(_unsigned_word(body), size)
    body.builder.step(Alloc(index, size, at, content, kind))
    return body.builder.var(index)


def _malloc(body: Body, arguments: Sequence[Term], _type: CType, at: Location) -> Term:
    return _allocate(body, arguments[0], at, Content.INDETERMINATE, BlockKind.HEAP)


def _alloca(body: Body, arguments: Sequence[Term], _type: CType, at: Location) -> Term:
    return _allocate(body, arguments[0], at, Content.INDETERMINATE, BlockKind.STACK)


def _calloc(body: Body, arguments: Sequence[Term], _type: CType, at: Location) -> Term:
    """Null if the product of the arguments does not fit."""
    word = _unsigned_word(body)
    count, size = (cast(word, argument) for argument in arguments)
    if count.op == "const" and size.op == "const":
        return _allocate(body, binary("mul", count, size), at, Content.ZERO, BlockKind.HEAP)
    result = body.temporary(VOID_POINTER, at)
    wide = Int(2 * word.bits, False)
    product = binary("mul", cast(wide, count), cast(wide, size))
    fits = compare("le", product, const(wide, word.high // 2))
    enough, too_much, join = (body.builder.block() for _ in range(3))
    body.builder.end(Branch(fits, enough, too_much, at))
    body.builder.start(enough)
    bytes_ = binary("mul", count, size)
    body.builder.step(Alloc(result, bytes_, at, Content.ZERO, BlockKind.HEAP))
    body.builder.end(Jump(join, at))
    body.builder.start(too_much)
    body.builder.step(Assign(result, null(VOID_POINTER), at))
    body.builder.go_on_in(join, at)
    return body.builder.var(result)


def _free(body: Body, arguments: Sequence[Term], _type: CType, at: Location) -> None:
    body.builder.step(Free(arguments[0], at))


def _copy(body: Body, arguments: Sequence[Term], type_: CType, at: Location) -> Term | None:
    target, source, size = arguments
    body.builder.step(Copy(target, source, cast(_unsigned_word(body), size), at))
    return None if type_.sort is Sort.VOID else cast(VOID_POINTER, target)


def _fill(body: Body, arguments: Sequence[Term], type_: CType, at: Location) -> Term | None:
    target, byte, size = arguments
    size = cast(_unsigned_word(body), size)
    body.builder.step(Fill(target, cast(U8, byte), size, at))
    return None if type_.sort is Sort.VOID else cast(VOID_POINTER, target)


def _measure(body: Body, arguments: Sequence[Term], type_: CType, at: Location) -> Term:
    index = body.temporary(body.types.of(type_), at)
    body.builder.step(Measure(index, arguments[0], at))
    return body.builder.var(index)


def _abort(body: Body, _arguments: Sequence[Term], _type: CType, at: Location) -> None:
    body.builder.end(Halt(None, at))


def _halt(body: Body, arguments: Sequence[Term], _type: CType, at: Location) -> None:
    body.builder.end(Halt(cast(I32, arguments[0]), at))


def _unreachable(body: Body, _arguments: Sequence[Term], _type: CType, at: Location) -> None:
    body.builder.end(Unreachable(at))


def _assume(body: Body, arguments: Sequence[Term], _type: CType, at: Location) -> None:
    body.builder.step(Assume(truth_of(arguments[0]), at))


def _atomic_begin(body: Body, _arguments: Sequence[Term], _type: CType, at: Location) -> None:
    body.builder.step(AtomicBegin(at))


def _atomic_end(body: Body, _arguments: Sequence[Term], _type: CType, at: Location) -> None:
    body.builder.step(AtomicEnd(at))


def _input(name: str) -> Builtin:
    def choose(body: Body, _arguments: Sequence[Term], type_: CType, at: Location) -> Term:
        if not type_.is_scalar:
            raise Unlowered(f"call of {name}, which gives no scalar")
        index = body.temporary(body.types.of(type_), at)
        body.builder.step(Choose(index, name, at))
        value = body.builder.var(index)
        return body.types.convert(value, type_) if type_.sort is Sort.BOOL else value

    return choose


def _unsupported(reason: str) -> Builtin:
    def refuse(body: Body, _arguments: Sequence[Term], type_: CType, at: Location) -> Term | None:
        body.builder.step(Unsupported(reason, at))
        body.builder.end(Unreachable(at))
        if type_.sort is Sort.VOID:
            return None
        return body.types.cast(const(I32, 0), body.types.decayed(type_))

    return refuse


_INPUTS: Final = (
    "bool", "char", "uchar", "schar", "unsigned_char", "short", "ushort", "int", "uint",
    "unsigned", "unsigned_int", "long", "ulong", "longlong", "ulonglong", "int128", "uint128",
    "float", "double", "longdouble", "ldouble", "size_t", "ssize_t", "off_t", "loff_t",
    "sector_t", "pointer", "pchar", "charp", "const_char_pointer", "pthread_t",
    "u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64",
    "uint8_t", "uint16_t", "uint32_t", "uint64_t", "int8_t", "int16_t", "int32_t", "int64_t",
)  # fmt: skip

BUILTINS: Final[dict[str, Builtin]] = {
    "malloc": _malloc,
    "calloc": _calloc,
    "free": _free,
    "alloca": _alloca,
    "memcpy": _copy,
    "memmove": _copy,
    "memset": _fill,
    "abort": _abort,
    "__builtin_trap": _abort,
    "__builtin_unreachable": _unreachable,
    "__precis_copy": _copy,
    "__precis_fill": _fill,
    "__precis_size": _measure,
    "__precis_halt": _halt,
    "__precis_abort": _abort,
    "__VERIFIER_assume": _assume,
    "__VERIFIER_atomic_begin": _atomic_begin,
    "__VERIFIER_atomic_end": _atomic_end,
    **{f"__VERIFIER_nondet_{kind}": _input(f"__VERIFIER_nondet_{kind}") for kind in _INPUTS},
    **{
        name: _unsupported(f"{name} (a jump between procedures)")
        for name in ("setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "longjmp", "siglongjmp")
    },
}

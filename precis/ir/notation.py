"""The words and signs of printed IR, shared by the printer and the reader of frontends/text.

A step, an end or an obligation is one line, given by a form: words and signs, with slots
(`field:kind`) for the fields of its class. Both directions follow the same forms, so a new
step is one more of them. Names and texts are ASCII, all else escaped: nothing in a program
can break a line or reach a terminal as it is.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from precis.ir import instr, obligation
from precis.ir.types import (
    LOGIC,
    Array,
    DataModel,
    Float,
    Function,
    Int,
    Logic,
    Pointer,
    Record,
    Type,
    Void,
)
from precis.ir.values import ARITHMETIC, COMPARISONS, Op, Term

HEADER: Final = "precis ir 1"

INFIX: Final[Mapping[Op, str]] = {
    "add": "+", "sub": "-", "mul": "*", "div": "/", "rem": "%", "shl": "<<", "shr": ">>",
    "band": "&", "bor": "|", "bxor": "^", "eq": "==", "ne": "!=", "lt": "<", "le": "<=",
    "and": "&&", "or": "||", "offset": ".+", "diff": ".-",
}  # fmt: skip
PREFIX: Final[Mapping[Op, str]] = {"neg": "-", "bnot": "~", "not": "!"}
ARITY: Final[Mapping[Op, int]] = {
    **dict.fromkeys(PREFIX, 1),
    **dict.fromkeys(INFIX, 2),
    "cast": 1,
    "ite": 3,
}

_BARE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_ESCAPES: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}
_UNESCAPES: Final = {sign[1]: character for character, sign in _ESCAPES.items()}
_ESCAPED: Final = re.compile(r"\\(?:u\{([0-9a-f]+)\}|x([0-9a-f]{2})|(.))")


def quoted(text: str) -> str:
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    return character if " " <= character <= "~" else f"\\u{{{ord(character):x}}}"


def unquoted(text: str) -> str:
    """What was quoted. Raises ValueError for an escape that `quoted` never makes."""
    return _ESCAPED.sub(_unescaped, text[1:-1])


def _unescaped(match: re.Match[str]) -> str:
    code, byte, sign = match.groups()
    if code or byte:
        return chr(int(code or byte, 16))
    if sign not in _UNESCAPES:
        raise ValueError(f"unknown escape \\{sign}")
    return _UNESCAPES[sign]


def quoted_bytes(data: bytes) -> str:
    plain = (chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\x{b:02x}" for b in data)
    return 'b"' + "".join(plain) + '"'


def unquoted_bytes(text: str) -> bytes:
    return unquoted(text[1:]).encode("latin-1")


def name_text(name: str) -> str:
    return name if _BARE.fullmatch(name) else quoted(name)


def type_text(type_: Type) -> str:
    match type_:
        case Int(bits=bits, signed=signed):
            return f"{'i' if signed else 'u'}{bits}"
        case Float(bits=bits):
            return f"f{bits}"
        case Pointer(target=target):
            return f"*{type_text(target)}"
        case Array(element=element, count=count):
            return f"[{'?' if count is None else count} x {type_text(element)}]"
        case Record(name=name):
            return f"{{{name_text(name)}}}"
        case Function(result=result, parameters=parameters, variadic=variadic):
            inside = [*map(type_text, parameters), *(["..."] if variadic else [])]
            return f"fn({', '.join(inside)}) -> {type_text(result)}"
        case Void():
            return "void"
        case Logic():
            return "logic"


def real_text(value: float) -> str:
    if math.isnan(value):
        return "nan_" + struct.pack(">d", value).hex()
    if math.isinf(value):
        return "inf" if value > 0 else "minus_inf"
    return repr(value)


def real_of_word(word: str) -> float | None:
    """The value of a word that `real_text` makes; None for every other word."""
    if word in ("inf", "minus_inf"):
        return math.inf if word == "inf" else -math.inf
    if re.fullmatch(r"nan_[0-9a-f]{16}", word):
        (value,) = struct.unpack(">d", bytes.fromhex(word[4:]))
        return float(value)
    return None


def implied_type(op: Op, args: tuple[Term, ...], model: DataModel) -> Type | None:
    """The type that an operation has if its term is well typed; None if nothing implies it."""
    if op in COMPARISONS or op in ("not", "and", "or"):
        return LOGIC
    if op == "diff":
        return model.word
    if op == "ite":
        return args[1].type
    if op in ARITHMETIC or op in ("shl", "shr", "neg", "bnot", "offset"):
        return args[0].type
    return None


@dataclass(frozen=True, slots=True)
class Slot:
    field: str
    kind: str


@dataclass(frozen=True, slots=True)
class Form:
    """How the values of a class are written.

    `word`, the first word, tells it from others; `target` is the kind of the slot before it,
    which takes the variable that is assigned, or empty.
    """

    class_: type[Any]
    target: str
    word: str
    parts: tuple[str | Slot, ...]


def _form(class_: type[Any], template: str) -> Form:
    parts = tuple(Slot(*p.split(":")) if ":" in p else p for p in template.split())
    first = parts[0]
    target = first.kind if isinstance(first, Slot) and first.kind.startswith("into") else ""
    return Form(class_, target, next((p for p in parts if isinstance(p, str)), ""), parts)


# A kind that ends in ? prints nothing for the default of its field.
_STEPS: Final = (
    _form(instr.Assign, "target:into value:term"),
    _form(instr.Load, "target:into load type:type [ address:term ] bits:bits? volatility:mark?"),
    _form(instr.Store, "store [ address:term ] = value:term bits:bits? volatility:mark?"),
    _form(instr.Copy, "copy [ target:term ] = [ source:term ] size size:term"),
    _form(instr.Fill, "fill [ address:term ] = byte:term size size:term"),
    _form(instr.Alloc, "target:into alloc content:mark? kind:mark? size:term"),
    _form(instr.Free, "free address:term"),
    _form(instr.Measure, "target:into measure address:term"),
    _form(instr.ScopeBegin, "begin object:object size:size?"),
    _form(instr.ScopeEnd, "end object:object"),
    _form(instr.Call, "target:into? call function:operand arguments:arguments"),
    _form(instr.Assume, "assume condition:term"),
    _form(instr.Choose, "target:into choose source:text"),
    _form(instr.Havoc, "target:into havoc reason:text"),
    _form(instr.Unsupported, "unsupported reason:text"),
    _form(instr.Check, "check number:int obligation:obligation"),
    _form(instr.Spawn, "target:into spawn function:operand ( argument:term )"),
    _form(instr.Join, "join thread:term"),
    _form(instr.Lock, "lock address:term"),
    _form(instr.Unlock, "unlock address:term"),
    _form(instr.AtomicBegin, "atomic_begin"),
    _form(instr.AtomicEnd, "atomic_end"),
)
_ENDS: Final = (
    _form(instr.Jump, "jump to:block"),
    _form(instr.Branch, "branch condition:term then then:block else otherwise:block"),
    _form(instr.Switch, "switch value:term { cases:cases else default:block }"),
    _form(instr.Return, "return value:term?"),
    _form(instr.Halt, "halt status:term?"),
    _form(instr.Unreachable, "unreachable"),
)
_OBLIGATIONS: Final = (
    _form(obligation.ValidRead, "valid_read [ address:term ] size size:term"),
    _form(obligation.ValidWrite, "valid_write [ address:term ] size size:term"),
    _form(obligation.ValidFree, "valid_free address:term"),
    _form(obligation.ValidCall, "valid_call function:term"),
    _form(obligation.NotLost, "not_lost"),
    _form(obligation.AllFreed, "all_freed"),
    _form(obligation.InitialisedMemory, "initialised [ address:term ] size size:int bits:bits?"),
    _form(obligation.InitialisedVariable, "initialised_variable variable:variable"),
    _form(obligation.NeverReached, "never_reached rule:text"),
    _form(obligation.NoOverflow, "no_overflow term:term"),
    _form(obligation.ShiftInRange, "shift_in_range term:term"),
    _form(obligation.NonZero, "nonzero term:term"),
)
MARKS: Final = {
    "volatility": instr.Volatility,
    "content": instr.Content,
    "kind": instr.BlockKind,
}
FORM_OF: Final = {form.class_: form for form in (*_STEPS, *_ENDS, *_OBLIGATIONS)}
STEP_WORDS: Final = {form.word: form for form in _STEPS}
END_WORDS: Final = {form.word: form for form in _ENDS}
OBLIGATION_WORDS: Final = {form.word: form for form in _OBLIGATIONS}

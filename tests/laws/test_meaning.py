"""The meaning of terms that laws rest on is the referee's."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from precis.ir.types import I8, I32, I64, LOGIC, U8, U32, U64, DataModel, Int, Type
from precis.ir.values import Term, cast
from tests.interp.building import Body, execute, out, program
from tests.laws.strategies import dice_of, many_examples
from tests.laws.term_dice import Dice, Scope, TermDice
from tests.laws.term_meaning import UNCLEAR, Setting, meaning

TYPES = (I32, U8, I64, U64, I8)
RESULTS: tuple[Type, ...] = (I32, U8, I64, U64, I8, U32, LOGIC)
SCOPE = Scope(DataModel.LP64, TYPES)
EDGES = (0, 1, 2, 7, 127, 128, 255, 65535)


def _value(dice: Dice, type_: Int) -> int:
    edge = dice.pick((*EDGES, type_.high, type_.low))
    return type_.wrap(-edge if dice.chance() else edge)


@many_examples(120)
@given(data=st.data())
def test_terms_mean_what_the_referee_computes(data: st.DataObject) -> None:
    dice = dice_of(data)
    root = TermDice(dice, SCOPE).of(dice.pick(RESULTS), 3)
    values = [_value(dice, type_) for type_ in TYPES]
    found = meaning(root, _setting(values))
    if found is UNCLEAR:
        return
    assert _computed(root, values) == int(found)


def _setting(values: list[int]) -> Setting:
    def block(kind: str, data: int | str) -> Any:
        raise AssertionError("the terms have no blocks")

    def resolve(address: int) -> tuple[Any, int]:
        return (None, address)

    return Setting(values.__getitem__, block, lambda block: 0, resolve, I64)


def _computed(root: Term, values: list[int]) -> Any:
    body = Body()
    for index, type_ in enumerate(TYPES):
        body.choose(body.var(type_, f"x{index}"))
    result = cast(I32, root) if root.type == LOGIC else root
    body.store(out(0, result.type), result)
    return execute(program(body.done()), values=values).value("out", result.type)

"""Plain bytes in memory, for natives."""

from __future__ import annotations

from typing import Final, final

from precis.interp.memory import Block, Pointer


@final
class Declined:
    """What a native gives for a call that it leaves to the model."""

    def __repr__(self) -> str:
        return "DECLINED"


DECLINED: Final = Declined()


def is_plain(block: Block, offset: int, size: int) -> bool:
    """Are these bytes of a live block, all initialised?"""
    if not 0 <= offset <= block.limit - size:
        return False
    mask = block.mask
    return mask is None or mask.count(255, offset, offset + size) == size


def text_at(pointer: Pointer) -> bytes | None:
    """The string there without its end, if it is plain."""
    block, offset = pointer
    if not 0 <= offset < block.limit:
        return None
    end = block.data.find(0, offset, block.size)
    if end < 0 or not is_plain(block, offset, end + 1 - offset):
        return None
    return bytes(block.data[offset:end])

"""Copies and fills of many bytes."""

from __future__ import annotations

from precis.interp.cells import add_fragment, forget, piece_at
from precis.interp.memory import Block, Memory, Pointer, bad_access, settle


def copy(memory: Memory, target: Pointer, source: Pointer, size: int) -> None:
    """memmove, with pointers, pieces of pointers and indeterminate bits."""
    if not size:
        return
    to, at = target
    block, offset = source
    if not 0 <= offset <= block.limit - size:
        raise bad_access(block, offset, size, "read")
    if not 0 <= at <= to.limit - size or not to.writable:
        raise bad_access(to, at, size, "write")
    pieces = _pieces(block, offset, size, memory.pointer_bytes)
    if to.ptrs or to.frags:
        forget(to, at, size, memory.pointer_bytes, memory.exposing)
    to.data[at : at + size] = block.data[offset : offset + size]
    _copy_mask(to, at, block, offset, size)
    whole, single = pieces
    for start, pointer in whole:
        to.ptrs[start + at - offset] = pointer
    for place, pointer, index in single:
        add_fragment(to, place + at - offset, pointer, index, memory)
    settle(to, memory.exposing)


def _pieces(
    block: Block, offset: int, size: int, width: int
) -> tuple[list[tuple[int, Pointer]], list[tuple[int, Pointer, int]]]:
    """The pointers wholly inside an area, and the bytes of those that are not."""
    if not block.ptrs and not block.frags:
        return [], []
    end = offset + size
    if size < len(block.ptrs):
        whole = [(q, block.ptrs[q]) for q in range(offset, end - width + 1) if q in block.ptrs]
    else:
        whole = [(q, p) for q, p in block.ptrs.items() if offset <= q <= end - width]
    inside = {start for start, _ in whole}
    edges = {*range(offset, min(offset + width, end)), *range(max(offset, end - width), end)}
    single = []
    for place in sorted(edges | {q for q in block.frags if offset <= q < end}):
        piece = piece_at(block, place, width)
        if piece is not None and place - piece[1] not in inside:
            single.append((place, piece[0], piece[1]))
    return whole, single


def _copy_mask(to: Block, at: int, block: Block, offset: int, size: int) -> None:
    if block.mask is None and to.mask is None:
        return
    if to.mask is None:
        to.mask = bytearray(b"\xff") * to.size
    old = to.mask[at : at + size]
    if block.mask is None:
        new = bytearray(b"\xff") * size
    else:
        new = block.mask[offset : offset + size]
    to.mask[at : at + size] = new
    to.missing += old.count(255) - new.count(255)
    if not to.missing:
        to.mask = None


def fill(memory: Memory, target: Pointer, byte: int, size: int) -> None:
    write(memory, target, bytes((byte & 255,)) * size)


def write(memory: Memory, target: Pointer, content: bytes | bytearray) -> None:
    """Plain bytes into memory."""
    size = len(content)
    if not size:
        return
    block, at = target
    if not 0 <= at <= block.limit - size or not block.writable:
        raise bad_access(block, at, size, "write")
    if block.ptrs or block.frags:
        forget(block, at, size, memory.pointer_bytes, memory.exposing)
    block.data[at : at + size] = content
    if block.mask is not None:
        block.missing -= size - block.mask[at : at + size].count(255)
        block.mask[at : at + size] = b"\xff" * size
        if not block.missing:
            block.mask = None
    settle(block, memory.exposing)

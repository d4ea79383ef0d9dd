"""Several pictures on one sheet of SVG, one below the other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from precis.domains.picture import Picture
from precis.reports.svg import svg

_GAP: Final = 12
_HEAD: Final = re.compile(r'<svg xmlns="http://www\.w3\.org/2000/svg" width="(\d+)" height="(\d+)"')


def sheet(pictures: Sequence[Picture]) -> str:
    """One SVG document; each picture is a document inside it, as `svg` makes it."""
    parts: list[str] = []
    width, top = 1, 0
    for picture in pictures:
        text = svg(picture)
        head = _HEAD.match(text)
        assert head is not None
        parts.append(f'<svg y="{top}" width="{head[1]}" height="{head[2]}"{text[head.end() :]}')
        width, top = max(width, int(head[1])), top + int(head[2]) + _GAP
    height = max(top - _GAP, 1)
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img">\n'
    )
    return opening + "".join(parts) + "</svg>\n"

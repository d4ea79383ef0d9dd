"""With this folder on the path, `precis` has an engine that does as the program says.

So the command is tested apart from the analyses, also in the processes it starts.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType

STUBS = {"precis.engine.verify": "verify.py", "precis.domains.values.domain": "values.py"}


class _Stubs(MetaPathFinder):
    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name not in STUBS:
            return None
        return spec_from_file_location(name, Path(__file__).with_name(STUBS[name]))


sys.meta_path.insert(0, _Stubs())

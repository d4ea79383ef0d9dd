"""How a run ends before its time."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from precis.interp.memory import Block


class Stop(Exception):
    """The base of everything that ends a run; none is an error of the referee."""


class Broken(Stop):
    """The `Check` step at the place of the exception does not hold."""


class Fault(Stop):
    """An access, free or call is wrong under the rule; `block` is the one it went to."""

    def __init__(self, rule: str, message: str, block: Block | None = None) -> None:
        super().__init__(rule)
        self.rule = rule
        self.message = message
        self.block = block


class Exit(Stop):
    """The program ends by itself."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class AssumeFailed(Stop):
    pass


class NotSupported(Stop):
    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class OutOfTime(Stop):
    pass


class OutOfSteps(OutOfTime):
    """A watched run has used up its steps."""


class OutOfMemory(Stop):
    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class NoValue(Stop):
    """The given input values are used up."""


class Refused(Stop):
    """An audited run depends on something besides the program."""


class Arrived(Stop):
    """A replay is at the step it was sent to."""


class Undefined(Stop):
    """Undefined behaviour for which there is no obligation."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from precis.ir.types import DataModel

F = TypeVar("F", bound=Callable[..., Any])


def program_options(command: F) -> F:
    """How the source is read."""
    for option in (
        click.option("--data-model", type=click.Choice([m.value for m in DataModel]),
                     default="LP64", show_default=True, help="Sizes of the C types."),
        click.option("--std", "std", metavar="STD", default="",
                     help="C standard, such as c99 or gnu17."),
        click.option("-U", "undefined", multiple=True, metavar="NAME", help="Undefine a macro."),
        click.option("-D", "defined", multiple=True, metavar="NAME[=VALUE]",
                     help="Define a macro."),
        click.option("-I", "include", multiple=True, metavar="DIR",
                     help="Look for headers in DIR."),
    ):  # fmt: skip
        command = option(command)
    return command


def input_options(command: F) -> F:
    """What a run is given."""
    for option in (
        click.option("--malloc", type=click.Choice(["never-fails", "may-fail"]),
                     default="never-fails", show_default=True),
        click.option("--stdin", "stdin_file", metavar="FILE",
                     help="Standard input of the program; - for this command's own."),
        click.option("--values", metavar="A,B,..",
                     help="What the nondeterministic calls give, in order."),
        click.option("--seed", type=int, default=None,
                     help="Chooses inputs and addresses (default 0)."),
    ):  # fmt: skip
        command = option(command)
    return command


def limit_options(command: F) -> F:
    for option in (
        click.option("--memory", type=click.FloatRange(min=1), metavar="MB", default=4096,
                     show_default=True, help="End a run that holds more memory."),
        click.option("--timeout", type=click.FloatRange(min=0.001), metavar="S",
                     help="End a run that takes longer."),
    ):  # fmt: skip
        command = option(command)
    return command


def property_option(command: F) -> F:
    return click.option(
        "--property", "properties", multiple=True, metavar="NAME",
        help="memory-safety, leaks, cleanup, uninitialised, assertions, overflow, division "
        "(repeatable).",
    )(command)  # fmt: skip

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
        click.option("--no-cache", is_flag=True,
                     help="Keep nothing: neither what is made of files nor summaries."),
        click.option("--cache", metavar="DIR",
                     help="Keep what is made of files, and summaries, here (default: the user's "
                          "cache folder)."),
        click.option("--headers", type=click.Choice(["own", "system"]),
                     help="Which C library headers programs see (default own; system with -p)."),
        click.option("--link", multiple=True, metavar="FILE|DIR",
                     help="Also a file of the program, or all that a folder has (repeatable)."),
        click.option("-p", "database", metavar="DIR",
                     help="The project that DIR/compile_commands.json describes."),
        click.option("--data-model", type=click.Choice([m.value for m in DataModel]),
                     help="Sizes of the C types (default LP64)."),
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
        click.option("--fail", "fail", metavar="N,..",
                     help="Which allocations fail, counted from 1 (needs --malloc may-fail)."),
        click.option("--stdin", "stdin_file", metavar="FILE",
                     help="Standard input of the program; - for this command's own."),
        click.option("--values", metavar="A,B,..",
                     help="What the nondeterministic calls give, in order."),
        click.option("--seed", type=int, default=None,
                     help="Chooses addresses, and inputs without --values (default 0)."),
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


def check_property_option(command: F) -> F:
    return click.option(
        "--property", "properties", multiple=True, metavar="NAME|FILE.prp",
        help="As for run, or the lines of a property file (repeatable). "
        "Default: memory-safety, leaks, assertions.",
    )(command)  # fmt: skip


def analysis_options(command: F) -> F:
    """How a program is analysed, and how long."""
    for option in (
        click.option("--memory", type=click.FloatRange(min=1), metavar="MB", default=2000,
                     show_default=True, help="What the analysis of a program may hold."),
        click.option("--timeout", type=click.FloatRange(min=0.001), metavar="S", default=60,
                     show_default=True, help="What the analysis of a program may take."),
        click.option("--assume", "assumed", type=int, multiple=True, metavar="N",
                     help="Accept an assumption of docs/assumptions.md (repeatable)."),
        click.option("--malloc", type=click.Choice(["may-fail", "never-fails"]),
                     help="Whether allocations can fail (default may-fail)."),
        click.option("--calls", type=click.Choice(["strong", "weak", "inline"]),
                     help="heap: only summaries with strong or weak updates, or only inlined"
                          " bodies. Default: strong, then inline."),
        click.option("--alias-classes", type=click.Choice(["order", "type"]), default="order",
                     help="heap: relate pointers only if it matters (order), or all that have one"
                          " type: for comparison."),
        click.option("--domain", "domains", multiple=True, metavar="NAME",
                     help="Only this analysis (repeatable): values, heap. Default: all."),
    ):  # fmt: skip
        command = option(command)
    return command


def check_options(command: F) -> F:
    """What a check starts from, and where its answer goes."""
    for option in (
        click.option("-v", "--verbose", is_flag=True,
                     help="Also what is conditional, each procedure and each stage."),
        click.option("--svcomp", is_flag=True,
                     help="End with TRUE, FALSE(part) or UNKNOWN; malloc never fails."),
        click.option("--allow-unknown", is_flag=True,
                     help="Exit status 0 also if something is left open."),
        click.option("--sarif", metavar="FILE", help="Write a SARIF 2.1.0 log."),
        click.option("--json", metavar="FILE", help="Write everything as JSON."),
        click.option("-j", "--jobs", type=click.IntRange(1), default=1, show_default=True,
                     help="How many programs are checked at a time."),
        click.option("--search/--no-search", default=True, show_default=True,
                     help="Look for a run that shows a violation."),
        click.option("--library", is_flag=True,
                     help="There is no entry: every function can be called, with anything."),
        click.option("--entry", metavar="NAME", help="Where runs start (default main)."),
    ):  # fmt: skip
        command = option(command)
    return command

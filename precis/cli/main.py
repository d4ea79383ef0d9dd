"""The `precis` command. It exits and reads the environment, and alone with bench.py it prints."""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import tempfile
import traceback
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from precis import __version__
from precis.cli.bench import bench_group
from precis.cli.lines import safe_lines
from precis.cli.options import (
    analysis_options,
    check_options,
    check_property_option,
    input_options,
    limit_options,
    program_options,
    property_option,
)
from precis.errors import InputError, ToolError

BAD_INPUT, TOOL_FAILED, OUR_BUG, INTERRUPTED = 2, 3, 4, 130


def main() -> None:
    """Entry point: errors become messages and exit statuses."""
    try:
        status = cli(standalone_mode=False)
        _leave(status if isinstance(status, int) else 0)
    except click.exceptions.Abort:
        _fail("interrupted", INTERRUPTED)
    except KeyboardInterrupt:
        _fail("interrupted", INTERRUPTED)
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        hint = f"\n  see {context.command_path} --help" if context else ""
        _fail(safe_lines(error.format_message()) + hint, BAD_INPUT)
    except InputError as error:
        _fail(safe_lines(str(error)), BAD_INPUT)
    except ToolError as error:
        _fail(safe_lines(str(error)), TOOL_FAILED)
    except BrokenPipeError:
        # The reader of our output went away; nobody is left to tell.
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        _leave(TOOL_FAILED)
    except Exception:
        _report_bug()


def _leave(status: int) -> None:
    with contextlib.suppress(OSError):
        sys.stdout.flush()
    sys.exit(status)


def _fail(message: str, status: int) -> None:
    with contextlib.suppress(OSError):
        sys.stdout.flush()
    print(f"precis: {message}", file=sys.stderr)
    sys.exit(status)


def _kept_bug(details: str) -> str:
    """Put the details of a bug into a file; its name."""
    handle, name = tempfile.mkstemp(prefix="precis-bug-", suffix=".txt")
    with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
        file.write(f"precis {__version__}\npython {sys.version}\n{details}")
    return name


def _report_bug() -> None:
    """Our own bug: the details go into a file, the user gets its name."""
    name = _kept_bug(traceback.format_exc())
    kind = sys.exc_info()[0]
    what = kind.__name__ if kind else "error"
    _fail(f"internal error ({what}); this is a bug in Precis\n  please report {name}", OUR_BUG)


def _say(lines: Iterable[str]) -> None:
    for line in lines:
        print(line, file=sys.stderr)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="precis", message="%(prog)s %(version)s")
def cli() -> None:
    """Verify programs that build and change linked data."""


class _WithFlags(click.Command):
    """A command that takes compiler flags after `--`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if "--" in args:
            split = args.index("--")
            ctx.meta["precis.flags"] = tuple(args[split + 1 :])
            args = args[:split]
        return super().parse_args(ctx, args)


def _flags() -> tuple[str, ...]:
    flags: tuple[str, ...] = click.get_current_context().meta.get("precis.flags", ())
    return flags


def _with_cache(options: dict[str, Any]) -> dict[str, Any]:
    """The options with the folder of the cache, empty for none."""
    if options["no_cache"]:
        return {**options, "cache": ""}
    home = os.environ.get("HOME", "")
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if not base.is_absolute():  # as the specification of these folders has it
        base = Path(home, ".cache")
    usual = str(base / "precis") if base.is_absolute() else ""
    return {**options, "cache": options["cache"] or usual}


@cli.command("check", cls=_WithFlags, options_metavar="[OPTIONS]")
@click.argument("paths", metavar="PATH... [-- CLANG FLAGS]", nargs=-1)
@check_property_option
@check_options
@analysis_options
@program_options
def check_command(paths: tuple[str, ...], **options: Any) -> int:
    """Prove that C programs keep their properties, or show a run that breaks one.

    The last line is the verdict: SAFE, UNSAFE or UNKNOWN. A folder stands for the programs in
    it. Exit status: 0 proved, 1 violated, 5 open, 2 bad input, 3 a tool failed, 4 a bug.
    """  # fmt: skip
    from precis.cli.check import check_command as check

    return check(paths, _flags(), _with_cache(options), _Screen())


@cli.command("summarize", cls=_WithFlags)
@click.argument("path", metavar="FILE [-- CLANG FLAGS]")
@click.option("--function", "functions", multiple=True, metavar="F", help="Only this function.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "svg"]),
    default=None,
    help="Default: by the name of the file of -o, else text.",
)
@click.option("-o", "--output", metavar="FILE", help="Write here instead of standard output.")
@check_property_option
@analysis_options
@program_options
def summarize_command(path: str, **options: Any) -> int:
    """Print what is learned of each function: its summary."""  # fmt: skip
    from precis.cli.summaries import summarize_command as summarize

    return summarize(path, _flags(), _with_cache(options), _Screen())


@cli.command("lower", cls=_WithFlags)
@click.argument("paths", metavar="PATH... [-- CLANG FLAGS]", nargs=-1)
@click.option("--json", metavar="FILE", help="Write what became of each file as JSON.")
@program_options
def lower_command(paths: tuple[str, ...], **options: Any) -> int:
    """Read each C file by itself and say what of it Precis does not understand."""
    from precis.cli.lowering import lower_command as lower

    return lower(paths, _flags(), _with_cache(options), _Screen())


@cli.command("run")
@click.argument("path", metavar="FILE|DIR")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@input_options
@property_option
@limit_options
@program_options
@click.option("--entry", default="main", show_default=True, help="Where the run starts.")
@click.option("--record", metavar="FILE", help="Write the run down, to be replayed.")
@click.option("--replay", metavar="FILE", help="Repeat a recorded run.")
@click.option(
    "--runs",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="With a folder: how many seeds each program runs under.",
)
@click.option(
    "--batch", metavar="FILE", help="Run on each list of values of a JSON file; a JSON line each."
)
@click.option("--statistics", is_flag=True, help="Say on stderr how many steps were run.")
@click.option(
    "--models-only",
    is_flag=True,
    help="Library functions as their C models, without the fast natives.",
)
def run_command(path: str, arguments: tuple[str, ...], **options: Any) -> int:
    """Run a C program under the referee, which stops at the first violation.

    Ends with the program's own exit status, 100 after a violation, 5 if undecided.
    A folder stands for the programs in it.
    """  # fmt: skip
    from precis.cli.commands import run_folder_command, run_one_command

    choose = run_folder_command if Path(path).is_dir() else run_one_command
    return choose(Path(path), arguments, _with_cache(options), _Console())


@cli.command("ir")
@click.argument("path", metavar="FILE")
@property_option
@program_options
@click.option("--function", "functions", multiple=True, metavar="F", help="Only this function.")
@click.option("--all", "everything", is_flag=True, help="Also what is not reached from main.")
def ir_command(path: str, functions: tuple[str, ...], **options: Any) -> int:
    """Print the intermediate form of a program; it can be read back (.pir)."""
    from precis.cli.commands import ir_text

    click.echo(ir_text(Path(path), functions, _with_cache(options)), nl=False)
    return 0


@cli.command("draw")
@click.argument("path", metavar="FILE")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.option(
    "--at",
    "line",
    type=int,
    required=True,
    metavar="LINE",
    help="Draw when the run first gets to this line.",
)
@click.option(
    "--visit",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="At which visit of the line.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "svg"]),
    default=None,
    help="Default: svg if -o ends in .svg, else text.",
)
@click.option("-o", "--output", metavar="FILE", help="Write here instead of standard output.")
@input_options
@limit_options
@program_options
@click.option("--entry", default="main", show_default=True, help="Where the run starts.")
def draw_command(path: str, arguments: tuple[str, ...], **options: Any) -> int:
    """Draw the memory of a run as it is before a line of the program."""  # fmt: skip
    from precis.cli.commands import draw_picture

    text = draw_picture(Path(path), arguments, _with_cache(options))
    if options["output"]:
        try:
            Path(options["output"]).write_text(text, "utf-8")
        except OSError as error:
            raise ToolError(
                "disk", f"cannot write {options['output']}: {error.strerror}"
            ) from error
    else:
        click.echo(text, nl=False)
    return 0


cli.add_command(bench_group)


class _Console:
    """The streams of this process, for commands to use."""

    def write(self, descriptor: int, data: bytes) -> None:
        stream = sys.stdout.buffer if descriptor == 1 else sys.stderr.buffer
        if descriptor == 2:
            sys.stdout.buffer.flush()
        stream.write(data)
        if descriptor == 2 or (sys.stdout.isatty() and b"\n" in data):
            stream.flush()

    def read(self, count: int) -> bytes:
        sys.stdout.buffer.flush()
        return os.read(0, count)

    def say(self, lines: Iterable[str]) -> None:
        sys.stdout.flush()
        _say(lines)

    def show(self, text: str) -> None:
        click.echo(text)

    def show_json(self, value: object) -> None:
        click.echo(json.dumps(value, ensure_ascii=True, sort_keys=True))


class _Screen:
    """The streams of this process, for commands that analyse."""

    def __init__(self) -> None:
        from precis.cli.progress import of_terminal

        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        self.root = Path.cwd()
        self.progress = of_terminal(sys.stderr)

    def show(self, text: str) -> None:
        click.echo(text)

    def say(self, lines: Iterable[str]) -> None:
        from precis.reports.terminal import safe

        self.progress.clear()
        sys.stdout.flush()
        _say(map(safe, lines))

    def keep_bug(self, details: str) -> str:
        return _kept_bug(details)

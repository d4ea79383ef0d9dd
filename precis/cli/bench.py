"""The `precis bench` commands: what Precis says, held against what is known otherwise."""

from __future__ import annotations

import contextlib
import itertools
import json
import shlex
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from precis.cli.lines import safe_lines
from precis.errors import InputError

if TYPE_CHECKING:
    from precis.bench.projects.run import Way
    from precis.bench.projects.score import Score


@click.group("bench")
def bench_group() -> None:
    """Programs with known truth, agreement with compilers, speed."""


@bench_group.command("generate")
@click.argument("directory", metavar="DIR")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--count", type=click.IntRange(1), default=10, show_default=True)
@click.option("--only", type=click.Choice(["correct", "defect"]), help="Only this kind.")
@click.option("--rule", metavar="RULE", help="Plant only defects of this rule.")
@click.option("--constructs", metavar="NAME,..", help="Use only these families of constructs.")
def generate_command(
    directory: str,
    seed: int,
    count: int,
    only: str | None,
    rule: str | None,
    constructs: str | None,
) -> int:
    """Write random C programs, correct or with one planted defect, and their truth."""
    from precis.bench.generate import Kind, write_programs
    from precis.bench.generator.truth import RULES

    if rule is not None and rule not in RULES:
        raise InputError(f"unknown rule {rule!r}", advice="the rules are " + ", ".join(RULES))
    kind = Kind.DEFECT if rule else Kind(only) if only else Kind.EITHER
    written = write_programs(Path(directory), seed, count, kind, rule, _families(constructs))
    click.echo(f"{written} programs in {directory}")
    return 0


def _families(text: str | None) -> tuple[str, ...]:
    from precis.bench.generate import FAMILIES, chosen_families

    chosen = chosen_families(text)
    for name in chosen:
        if name not in FAMILIES:
            known = ", ".join(FAMILIES)
            raise InputError(f"unknown construct {name!r}", advice=f"there are {known}")
    return chosen


@bench_group.command("agree", context_settings={"ignore_unknown_options": True})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def agree_command(arguments: tuple[str, ...]) -> int:
    """Compare the referee with gcc and its sanitizers on generated programs."""
    from precis.bench.agree import main as agree_main

    return agree_main(["--precis", shlex.join(_precis_command()), *arguments])


@bench_group.command("layout")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--count", type=click.IntRange(0), default=200, show_default=True)
@click.option("--model", type=click.Choice(["LP64", "ILP32"]), help="Only this data model.")
@click.option("--directory", metavar="DIR", help="Where to generate; kept.")
def layout_command(seed: int, count: int, model: str | None, directory: str | None) -> int:
    """Compare the layout of random types, and conversions of operands, with gcc's."""
    from precis.bench import layout

    folder = Path(directory or tempfile.mkdtemp(prefix="precis-layout-"))
    folder.mkdir(parents=True, exist_ok=True)
    differences = 0
    for chosen in [layout.Model(model)] if model else layout.Model:
        found = layout.compare(_precis_command(), folder, chosen, seed, count)
        differences += len(found.differences)
        for difference in found.differences:
            click.echo(safe_lines(f"DIFFER {difference}"))
        click.echo(f"{chosen.value}: {found.definitions} definitions, {found.answers} answers")
    click.echo(f"{differences} differences" + (f" (files in {folder})" if differences else ""))
    if not directory and not differences:
        shutil.rmtree(folder)
    return 1 if differences else 0


def _precis_command() -> tuple[str, ...]:
    """How benchmarks run this very Precis."""
    return (sys.executable, "-m", "precis")


@bench_group.command("suite")
@click.argument("directory", metavar="DIR")
@click.option("--jobs", "-j", type=click.IntRange(1), default=2, show_default=True)
@click.option("--timeout", type=float, default=60.0, show_default=True)
def suite_command(directory: str, jobs: int, timeout: float) -> int:
    """Run the programs of DIR that have a NAME.c.expected beside them, and compare."""
    from precis.bench.suite import trials

    if not Path(directory).is_dir():
        raise InputError("no such folder", file=directory)
    done = passed = 0
    for trial in trials(Path(directory), _precis_command(), jobs, timeout):
        done, passed = done + 1, passed + trial.passed
        if not trial.passed:
            click.echo(safe_lines(f"{trial.name}: {trial.reason}"))
    if not done:
        raise InputError("no program with an expected output here", file=directory)
    click.echo(f"{passed} of {done} programs give the expected output and exit status 0")
    return 0 if passed == done else 1


@bench_group.command("verdicts")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--count", type=click.IntRange(1), default=20, show_default=True)
@click.option("--jobs", "-j", type=click.IntRange(1), default=2, show_default=True)
@click.option("--properties", type=click.Choice(["default", "planted"]), default="default")
@click.option("--domain", "domains", multiple=True, metavar="NAME", help="Only this analysis.")
@click.option("--search/--no-search", default=True, show_default=True)
@click.option("--timeout", type=float, default=60.0, show_default=True)
@click.option("--only", type=click.Choice(["correct", "defect"]), help="Only this kind.")
@click.option("--constructs", metavar="NAME,..", help="Use only these families of constructs.")
@click.option("--directory", metavar="DIR", help="Where to generate; kept.")
def verdicts_command(seed: int, count: int, jobs: int, **options: Any) -> int:
    """Hold the verdicts of check against the truth of generated programs."""
    from precis.bench import verdicts
    from precis.bench.checking.score import lines
    from precis.bench.generate import Kind, generate_to

    families = _families(options["constructs"])
    kept = options["directory"]
    folder = Path(kept or tempfile.mkdtemp(prefix="precis-verdicts-"))
    kind = Kind(options["only"]) if options["only"] else Kind.EITHER
    contest = verdicts.Contest(
        _precis_command(),
        verdicts.Asked(options["properties"]),
        options["domains"],
        verdicts.Searching.ON if options["search"] else verdicts.Searching.OFF,
        options["timeout"],
    )
    score = verdicts.compare(
        generate_to(folder, seed, count, kind, families=families), contest, jobs
    )
    for line in lines(score):
        click.echo(safe_lines(line))
    if not kept and not score.faults():
        shutil.rmtree(folder)
    return 1 if score.faults() else 0


@bench_group.command("predator")
@click.argument("directory", metavar="DIR")
@click.option("--jobs", "-j", type=click.IntRange(1), default=2, show_default=True)
@click.option("--timeout", type=float, default=20.0, show_default=True, help="For a program.")
@click.option("--only", metavar="GLOB", default="*", help="Only tests of such names.")
@click.option("--json", "output", metavar="FILE", help="Write what became of each test as JSON.")
def predator_command(
    directory: str, jobs: int, timeout: float, only: str, output: str | None
) -> int:
    """Hold verdicts of check against what Predator's tests expect; DIR is a checkout of it."""
    from precis.bench.predator import checks, score
    from precis.cli.outputs import Output
    from precis.cli.progress import of_terminal

    tests = checks.checkout(Path(directory), only)
    if not tests.programs:
        raise InputError("no test of Predator with an expected output here", file=directory)
    progress, done = of_terminal(sys.stderr), []
    with Output(output) if output else contextlib.nullcontext() as file:
        for judged in checks.judgements(tests, _precis_command(), jobs, timeout):
            done.append(judged)
            if judged.differs:
                progress.clear()
                click.echo(safe_lines(str(judged)))
            progress.show(f"{len(done)} of {len(tests.programs)}: {judged.name} {judged.verdict}")
        progress.clear()
        if file:
            file.write(json.dumps(score.plain_rows(done), indent=1) + "\n")
            file.commit()
    for line in score.lines(done):
        click.echo(safe_lines(line))
    if tests.without:
        click.echo(f"left out, as they have no expected output: {len(tests.without)}")
    return 1 if any(judged.differs for judged in done) else 0


@bench_group.command("scaling")
@click.option("--domain", "domains", multiple=True, metavar="NAME", help="Only this analysis.")
def scaling_command(domains: tuple[str, ...]) -> int:
    """Measure how the time of check grows with the program."""
    from precis.bench import scaling

    rows: list[scaling.Measured] = []
    with tempfile.TemporaryDirectory(prefix="precis-scaling-") as folder:
        start = scaling.starting_cost(_precis_command(), Path(folder), domains)
        click.echo(scaling.HEADING)
        for row in scaling.measured(_precis_command(), Path(folder), scaling.SHAPES, domains):
            click.echo(safe_lines(scaling.line(row, rows[-1] if rows else None, start)))
            rows.append(row)
    for fault in scaling.faults(rows):
        click.echo(safe_lines(f"WRONG {fault}"))
    return 1 if scaling.faults(rows) else 0


@bench_group.command("lower")
@click.argument("place", metavar="DIR|compile_commands.json")
def bench_lower_command(place: str) -> int:
    """Measure how files are lowered, and again from the cache."""
    from precis.bench.lowering import lines, measure

    if not Path(place).exists():
        raise InputError("no such folder", file=place)
    found = measure(_precis_command(), Path(place))
    for line in lines(found):
        click.echo(safe_lines(line))
    return 1 if found.differs else 0


@bench_group.command("project")
@click.argument("directory", metavar="DIR")
@click.option("--only", default="*", metavar="GLOB,..", help="Only these files.")
@click.option("--calls", default="strong,weak", show_default=True, metavar="NAME,..")
@click.option("--classes", default="order", show_default=True, metavar="NAME,..")
@click.option("--link", "linked", multiple=True, metavar="FILE", help="Part of every unit.")
@click.option("--assume", "assumed", multiple=True, type=int, metavar="N")
@click.option("--property", "properties", multiple=True, metavar="NAME")
@click.option("--jobs", "-j", type=click.IntRange(1), default=2, show_default=True)
@click.option("--timeout", type=float, default=120.0, show_default=True, help="Of a unit.")
@click.option("--plots", metavar="DIR", help="Where to draw sizes of summaries and classes.")
@click.option("--keep", metavar="DIR", help="Write units down as they are done; go on from there.")
@click.option("--whole", is_flag=True, help="Each file as a program from main on.")
@click.option("--verbose", "-v", is_flag=True, help="Findings and what was given up.")
def project_command(
    directory: str, jobs: int, plots: str | None, keep: str | None, **options: Any
) -> int:
    """Check each unit of DIR/compile_commands.json as a library, by summaries of heap."""
    from precis.bench.projects import run, score

    project = Path(directory)
    if not (project / run.DATABASE).is_file():
        raise InputError(f"there is no {run.DATABASE} here", file=directory)
    files = run.units(project, options["only"])
    if not files:
        raise InputError("no file of the project has such a name", advice=options["only"])
    done = []
    for calls, classes in itertools.product(
        options["calls"].split(","), options["classes"].split(",")
    ):
        way = run.Way(
            _precis_command(), project, calls, classes, options["linked"], options["assumed"],
            options["timeout"], options["whole"], options["properties"],
            Path(keep) if keep else None,
        )  # fmt: skip
        name = f"{calls} {classes}" if "," in options["classes"] else calls
        done.append(_project_score(name, files, way, jobs))
        if options["verbose"]:
            for line in score.details(done[-1]):
                click.echo(safe_lines(line))
    for line in (*score.by_unit(done), "", *score.summary(done)):
        click.echo(safe_lines(line))
    if plots:
        _draw(Path(plots), done)
    return 0


def _project_score(name: str, files: list[str], way: Way, jobs: int) -> Score:
    from precis.bench.projects import run, score
    from precis.cli.progress import of_terminal

    begin = time.perf_counter()
    progress, found = of_terminal(sys.stderr), []
    for unit in run.checked(files, way, jobs):
        found.append(unit)
        progress.show(f"{name}: {len(found)} of {len(files)}: {unit.file}")
    progress.clear()
    return score.Score(name, tuple(found), time.perf_counter() - begin)


def _draw(folder: Path, scores: list[Score]) -> None:
    from precis.bench.projects import plots, score

    folder.mkdir(parents=True, exist_ok=True)
    for one in scores:
        procedures = one.procedures()
        points = [(p.depth, p.size) for p in procedures if not p.given_up]
        title = f"summaries with {one.name} calls: sizes and medians"
        text = plots.scatter(title, points, score.by_depth(procedures))
        (folder / f"sizes-{one.name.replace(' ', '-')}.svg").write_text(text, "utf-8")
    series = {one.name: score.class_sizes(one.procedures()) for one in scores}
    (folder / "classes.svg").write_text(plots.bars("classes of pointers", series), "utf-8")


@bench_group.command("speed")
def speed_command() -> int:
    """Measure start-up and the referee's steps per second."""
    from precis.bench.speed import measure

    speed = measure(_precis_command())
    click.echo(f"start-up: {speed.start:.3f} s, {speed.start - speed.bare_start:.3f} s over Python")
    click.echo(
        f"referee: {speed.steps_per_second:,.0f} steps a second "
        f"({speed.steps:,} steps in {speed.seconds:.2f} s; "
        f"ten million empty Python turns: {speed.python_loop:.2f} s)"
    )
    return 0

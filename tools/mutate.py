"""Break each case of a module in turn and see whether the tests notice.

    python tools/mutate.py precis/interp/steps.py precis/interp/terms.py -- tests/interp -x

One mutant at a time: the tree is copied, one place of one module is changed, and pytest runs
on the copy with the arguments after `--`. A second `--` begins the arguments of a second run,
made only for mutants that the first lets through: put the quick tests first. A mutant that no
test catches is a survivor and is listed with its place and its change. Exit status 0 if at
least `--goal` percent are caught.

The changes: a statement is dropped; a condition is negated; a comparison, an arithmetic or a
logical operator is exchanged; a number is moved by one; an operator inside a piece of generated
code is exchanged; a `case` does nothing. Docstrings, annotations, messages and
imports are left alone, and so are places marked `# mutate: no (reason)`.
"""

from __future__ import annotations

import argparse
import ast
import concurrent.futures
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

PATIENCE = 4.0  # times what the tests take without a change; a mutant that hangs is caught

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
# Operators in generated code; the longer ones first.
IN_CODE = (
    ("<=", "<"), (">=", ">"), ("==", "!="), ("!=", "=="), ("<<", ">>"), (">>", "<<"),
    (" < ", " <= "), (" > ", " >= "), (" + ", " - "), (" - ", " + "), (" * ", " + "),
    (" & ", " | "), (" | ", " & "), (" ^ ", " & "), (" // ", " * "), (" % ", " + "),
    (" and ", " or "), (" or ", " and "), ("not ", ""), (" is ", " is not "),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mutant:
    file: Path
    line: int
    change: str
    number: int  # of the place

    def source(self) -> str:
        tree = ast.parse(self.file.read_text("utf-8"))
        node, _ = list(_places(tree))[self.number]
        _apply(node, self.change)
        return ast.unparse(ast.fix_missing_locations(tree))


def mutants(file: Path) -> Iterator[Mutant]:
    text = file.read_text("utf-8")
    lines = text.split("\n")
    for number, (node, change) in enumerate(_places(ast.parse(text))):
        line = node.body[0].lineno if isinstance(node, ast.match_case) else _line(node)
        if "mutate: no" in lines[line - 1]:
            continue
        yield Mutant(file, line, change, number)


def _line(node: ast.AST) -> int:
    return int(getattr(node, "lineno", 0))


def _places(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Every node that can be changed, with what would be done to it."""
    for node in _code(tree):
        match node:
            case ast.Compare(ops=[op]) if type(op) in COMPARISONS:
                yield node, "exchange the comparison"
            case ast.BinOp(op=op) if type(op) in ARITHMETIC and not _is_text(node):
                yield node, "exchange the operator"
            case ast.BoolOp():
                yield node, "exchange and, or"
            case ast.If() | ast.IfExp():
                yield node, "negate the condition"
            case ast.Expr(value=ast.Call() | ast.Yield() | ast.YieldFrom()):
                yield node, "drop the statement"
            case ast.AugAssign():
                yield node, "drop the statement"
            case ast.Constant(value=int() as value) if not isinstance(value, bool):
                yield node, "add one"
            case ast.Constant(value=str() as value):
                for old, new in IN_CODE:
                    if old in value and not re.search(r"[a-z]{3,} [a-z]{2,} ", value):
                        yield node, f"{old.strip()} becomes {new.strip() or 'nothing'} in code"
                        break
            case ast.match_case() if not _does_nothing(node.body[-1]):
                yield node, "the case does nothing"
            case _:
                pass


def _does_nothing(last: ast.stmt) -> bool:
    """Is a case that ends so the same when it is empty: nothing, False, or never reached?"""
    match last:
        case ast.Return(value=None | ast.Constant(value=None | False)) | ast.Raise():
            return True
        case ast.Expr(value=ast.Call(func=ast.Name(id="assert_never"))):
            return True
        case _:
            return False


def _code(tree: ast.AST) -> Iterator[ast.AST]:
    """Nodes in order, without annotations, docstrings, imports and raised messages."""
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns", "type_comment"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST):
                continue
            if isinstance(child, ast.Import | ast.ImportFrom | ast.Raise | ast.Assert):
                continue
            if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
                continue
            yield child
            yield from _code(child)


def _is_text(node: ast.BinOp) -> bool:
    sides = (node.left, node.right)
    return any(
        isinstance(side, ast.JoinedStr)
        or (isinstance(side, ast.Constant) and isinstance(side.value, str))
        for side in sides
    )


def _apply(node: ast.AST, change: str) -> None:
    match node:
        case ast.Compare():
            node.ops = [COMPARISONS[type(node.ops[0])]()]
        case ast.BinOp():
            node.op = ARITHMETIC[type(node.op)]()
        case ast.BoolOp():
            node.op = ast.And() if isinstance(node.op, ast.Or) else ast.Or()
        case ast.If() | ast.IfExp() if change.startswith("negate"):
            node.test = ast.UnaryOp(ast.Not(), node.test)
        case ast.Constant(value=str() as value):
            for old, new in IN_CODE:
                if old in value:
                    node.value = value.replace(old, new, 1)
                    break
        case ast.Constant(value=int() as value):
            node.value = value + 1
        case ast.match_case():
            node.body = [ast.Pass()]
        case _:
            _empty(node)


def _empty(node: ast.AST) -> None:
    """Turn a statement into `pass`, in place."""
    node.__class__ = ast.Pass  # type: ignore[assignment]
    node.__dict__.pop("value", None)


@dataclass(frozen=True, slots=True)
class Tests:
    """How a copy of the tree is tested, and how long that may take."""

    root: Path
    runs: list[list[str]]
    timeout: float | None = None

    def pass_on(self, copy_root: Path) -> bool:
        return all(self._passes(arguments, copy_root) for arguments in self.runs)

    def _passes(self, arguments: list[str], copy_root: Path) -> bool:
        environment = {**os.environ, "PYTHONPATH": str(copy_root), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
        try:
            done = subprocess.run(
                [*command, *arguments], cwd=copy_root, env=environment, capture_output=True,
                timeout=self.timeout, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0


def survives(mutant: Mutant, copy_root: Path, tests: Tests) -> bool:
    target = copy_root / mutant.file.relative_to(tests.root)
    original = target.read_text("utf-8")
    try:
        target.write_text(mutant.source(), "utf-8")
        return tests.pass_on(copy_root)
    finally:
        target.write_text(original, "utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--goal", type=float, default=95.0)
    parser.add_argument("--sample", type=int, default=0, help="only so many, chosen by a seed")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="only changes whose name holds this text")
    split = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    options, runs = parser.parse_args(sys.argv[1:split]), _runs(sys.argv[split + 1 :])
    root = Path.cwd()
    every = (m for file in options.files for m in mutants(root / file))
    found = [m for m in every if options.only in m.change]
    if options.sample and options.sample < len(found):
        found = random.Random(options.seed).sample(found, options.sample)
    caught, survivors = _run_all(found, Tests(root, runs), options.jobs)
    for mutant in survivors:
        print(f"survived: {mutant.file.relative_to(root)}:{mutant.line}: {mutant.change}")
    share = 100 * caught / max(1, len(found))
    print(f"{caught} of {len(found)} mutants caught ({share:.1f}%)")
    return 0 if share >= options.goal else 1


def _runs(arguments: list[str]) -> list[list[str]]:
    runs: list[list[str]] = [[]]
    for argument in arguments:
        if argument == "--":
            runs.append([])
        else:
            runs[-1].append(argument)
    return runs


def _run_all(found: list[Mutant], tests: Tests, jobs: int) -> tuple[int, list[Mutant]]:
    with tempfile.TemporaryDirectory(prefix="precis-mutants-") as folder:
        copies = [Path(folder) / str(number) for number in range(jobs)]
        ignored = shutil.ignore_patterns(".git", ".*", "__pycache__", "build", "*.egg-info")
        for target in copies:
            shutil.copytree(tests.root, target, ignore=ignored)
        started = time.monotonic()
        if not tests.pass_on(copies[0]):
            sys.exit("the tests fail without a change")
        taken = time.monotonic() - started
        print(f"without a change the tests take {taken:.0f} s", file=sys.stderr)
        patient = replace(tests, timeout=30.0 + PATIENCE * taken)
        survivors: list[Mutant] = []
        shares = [(copies[job], found[job::jobs]) for job in range(jobs)]
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for part in pool.map(lambda share: _run_share(share[1], share[0], patient), shares):
                survivors.extend(part)
    survivors.sort(key=lambda mutant: (str(mutant.file), mutant.line))
    return len(found) - len(survivors), survivors


def _run_share(share: list[Mutant], copy_root: Path, tests: Tests) -> list[Mutant]:
    survivors = []
    for number, mutant in enumerate(share, 1):
        if survives(mutant, copy_root, tests):
            survivors.append(mutant)
            print(f"survived so far: {mutant.file}:{mutant.line}: {mutant.change}", file=sys.stderr)
        if number % 10 == 0:
            print(f"{number}/{len(share)}, {len(survivors)} survived", file=sys.stderr)
    return survivors


if __name__ == "__main__":
    sys.exit(main())

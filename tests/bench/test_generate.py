"""Generated programs: the same for a seed everywhere, of every rule, and accepted by gcc."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from precis.bench.generate import Kind, generate, generate_to, write_programs
from precis.bench.generator.compose import LONGEST, SHORTEST
from precis.bench.generator.defects import CONSTRUCT_FORMS, FORMS
from precis.bench.generator.families import FAMILIES, PENDING, SUPPORTED, palette
from precis.bench.generator.truth import PROPERTIES, RULES, Correct, Defect, Generated

# Text that the line of a defect must contain, by rule, where one can say.
SIGNS = {
    "double-free": r"free\(",
    "invalid-free": r"free\(",
    "assertion": r"assert\(",
    "reachable-error": r"reach_error\(",
    "bad-shift": r"<<|>>",
    "division-by-zero": r"/|%",
    "not-freed": r"return|exit\(",
}


@pytest.fixture(scope="module")
def programs() -> list[Generated]:
    return [generate(seed) for seed in range(400)]


def test_a_seed_gives_the_same_program_again() -> None:
    assert [generate(seed) for seed in range(30)] == [generate(seed) for seed in range(30)]


def test_a_program_does_not_depend_on_the_hash_seed_of_python(tmp_path: Path) -> None:
    code = (
        "from precis.bench.generate import generate\nprint(*(generate(s).source for s in range(9)))"
    )
    outputs = {
        subprocess.run(
            ["python", "-c", code],
            capture_output=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "PATH": _python_folder(), "PYTHONPATH": _root()},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


def _root() -> str:
    return str(Path(__file__).parents[2])


def _python_folder() -> str:
    return str(Path(sys.executable).parent)


def test_programs_have_the_length_of_a_small_program(programs: list[Generated]) -> None:
    for program in programs:
        assert SHORTEST <= program.source.count("\n") <= LONGEST, program.name
        assert "$" not in program.source
        assert "@@" not in program.source
        assert program.source.isascii()


def test_half_are_correct_and_every_rule_occurs(programs: list[Generated]) -> None:
    correct = sum(isinstance(program.expect, Correct) for program in programs)
    rules = {p.expect.rule for p in programs if isinstance(p.expect, Defect)}
    assert 0.4 < correct / len(programs) < 0.6
    assert rules == set(RULES)


def test_every_rule_can_be_asked_for_and_has_several_forms() -> None:
    for rule in RULES:
        program = generate(5, Kind.DEFECT, rule)
        assert isinstance(program.expect, Defect)
        assert program.expect.rule == rule
        assert len([form for form in FORMS if form.rule == rule]) >= 4


def test_form_names_are_unique_within_a_rule() -> None:
    own = [form for forms in CONSTRUCT_FORMS.values() for form in forms]
    names = [(form.rule, form.name) for form in (*FORMS, *own)]
    assert len(set(names)) == len(names)


# Text by which a family shows in a program.
TRACES = {
    "bit-fields": r" : \d+;", "anonymous": r"^\s*};$", "flexible": r"\[\];", "packed": "packed",
    "initialisers": r"= \{",
    "literals": r"\(int\[\]\)\{", "wide-strings": 'L"', "vla": r"\[\w+\]",
    "alloca": "alloca", "statics": "static int", "tentative": "extern int",
    "qualifiers": "volatile",
    "switch": r"case \w+ \.\.\. ", "duff": r"\*to\+\+ =", "goto": "goto ", "varargs": "va_arg",
    "overflow": "_overflow", "bit-counts": "__builtin_", "builtins": "__builtin_expect",
    "statement-expressions": r"\(\{", "generic": "_Generic", "int128": "__int128",
    "sorting": "bsearch", "scan": "sscanf", "formats": "snprintf", "container": "offsetof",
    "computed-goto": r"goto \*", "cleanup": r"cleanup\(", "constructor": r"constructor\(",
    "atomic": "_Atomic", "dispatch": "_Generic",
}  # fmt: skip


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_can_be_asked_for(family: str) -> None:
    program = generate(9, Kind.CORRECT, families=(family,))
    assert program == generate(9, Kind.CORRECT, families=(family,))
    assert re.search(TRACES.get(family, r"\w"), program.source, re.MULTILINE)


def test_only_supported_families_are_used_unless_asked_for(programs: list[Generated]) -> None:
    text = "\n".join(program.source for program in programs)
    for family, trace in TRACES.items():
        if family not in ("dispatch", "anonymous"):
            assert bool(re.search(trace, text)) == (family in SUPPORTED), family


def test_families_are_named_right() -> None:
    assert set(PENDING) < set(FAMILIES)
    assert set(CONSTRUCT_FORMS) <= set(SUPPORTED)
    with pytest.raises(ValueError, match="unknown: none; there are core"):
        palette(("vla", "none"))


def test_inputs_of_a_defect_are_inputs_of_the_program(programs: list[Generated]) -> None:
    for program in programs:
        every = list(product(*(range(low, high + 1) for low, high in program.input_ranges)))
        assert 1 < len(every) <= 64
        if isinstance(program.expect, Defect):
            breaking = program.expect.inputs
            assert breaking
            assert set(breaking) <= set(every)
            assert program.expect.always == (len(breaking) == len(every))


def test_the_line_of_a_defect_looks_like_its_rule(programs: list[Generated]) -> None:
    for program in programs:
        if isinstance(program.expect, Defect):
            line = program.source.splitlines()[program.expect.line - 1].strip()
            assert re.search(SIGNS.get(program.expect.rule, r"\w"), line), (program.name, line)
            assert line not in ("", "}", "{")


def test_written_programs_carry_their_truth(tmp_path: Path) -> None:
    assert write_programs(tmp_path / "out", 3, 12) == 12
    for number in range(1, 13):
        entry = json.loads((tmp_path / "out" / f"prog_{number:05d}.json").read_text())
        assert (tmp_path / "out" / f"prog_{number:05d}.c").exists()
        assert set(entry) == {"name", "seed", "properties", "input_ranges", "expect"}
        assert set(entry["properties"]) <= set(PROPERTIES)
        expect = entry["expect"]
        if expect["verdict"] == "correct":
            assert expect == {"verdict": "correct"}
        else:
            assert set(expect) == {
                "verdict", "rule", "property", "line", "always", "inputs", "form", "blind",
            }  # fmt: skip


def test_a_shorter_run_writes_the_same_programs(tmp_path: Path) -> None:
    few = generate_to(tmp_path / "few", 7, 3)
    many = generate_to(tmp_path / "many", 7, 6)
    assert [_digest(path) for path in few] == [_digest(path) for path in many[:3]]


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_every_program_compiles(tmp_path: Path) -> None:
    sources = generate_to(tmp_path, 11, 60)
    line = ["gcc", "-std=gnu17", "-fsyntax-only", "-w", "-Werror=implicit", *map(str, sources)]
    done = subprocess.run(line, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_every_family_compiles(tmp_path: Path) -> None:
    """Every family alone, with each rule that its own forms break; headers must not be missing."""
    sources = []
    for family in FAMILIES:
        rules = sorted({form.rule for form in CONSTRUCT_FORMS.get(family, ())})
        for rule in [None, *rules]:
            kind = Kind.DEFECT if rule else Kind.CORRECT
            sources.append(tmp_path / f"{family}_{rule}.c")
            sources[-1].write_text(generate(4, kind, rule, (family,)).source)
    line = ["gcc", "-std=gnu17", "-fsyntax-only", "-w", "-Werror=implicit", *map(str, sources)]
    done = subprocess.run(line, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr

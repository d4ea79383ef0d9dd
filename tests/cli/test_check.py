"""`precis check` as users call it, with an engine that does as comments tell it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

STUB = Path(__file__).with_name("stub_engine")
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(STUB)}

Write = Callable[..., Path]


@pytest.fixture
def source(tmp_path: Path) -> Write:
    def write(name: str, *marks: str, body: str = "int main(void) {\n{}    return 0;\n}\n") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(body.replace("{}", "".join(f"    ; //! {m}\n" for m in marks)), "utf-8")
        return path

    return write


def check(
    folder: Path, *arguments: str | Path, command: str = "check"
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "precis", command, *map(str, arguments)],
        cwd=folder,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        errors="surrogateescape",
        timeout=120,
        check=False,
    )
    assert "Traceback" not in done.stderr
    return done


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def last(done: subprocess.CompletedProcess[str]) -> str:
    return done.stdout.rstrip("\n").rpartition("\n")[2]


@pytest.mark.parametrize(
    ("mark", "verdict", "status"),
    [
        ("nothing", "verdict: SAFE", 0),
        ("unsafe null-dereference", "verdict: UNSAFE (null-dereference)", 1),
        ("open p may be null", "verdict: UNKNOWN (1 open)", 5),
        ("exhaust", "verdict: UNKNOWN (the time of 1 s is used up (--timeout))", 5),
        ("internal", "verdict: UNKNOWN (it failed)", 4),
        ("raise", "verdict: UNKNOWN (internal error (KeyError))", 4),
    ],
)
def test_one_program(mark: str, verdict: str, status: int, source: Write, tmp_path: Path) -> None:
    source("x.c", mark)
    done = check(tmp_path, "x.c")
    assert last(done) == verdict
    assert done.returncode == status
    assert ("bug in Precis" in done.stderr) == (status == 4)
    assert "--- " not in done.stdout


@pytest.mark.parametrize(
    ("status", "expected"),
    [("proved", 0), ("open", 4), ("conditional", 4), ("violated", 4), ("latent", 4)],
)
def test_safe_is_believed_only_if_everything_is_proved(
    status: str, expected: int, source: Write, tmp_path: Path
) -> None:
    source("x.c", f"claim {status}")
    done = check(tmp_path, "x.c")
    assert done.returncode == expected
    assert (last(done) == "verdict: SAFE") == (expected == 0)


def test_a_violation_is_told_with_all_that_is_known(source: Write, tmp_path: Path) -> None:
    source("x.c", "unsafe double-free")
    text = check(tmp_path, "x.c").stdout
    for part in (
        "double-free: Memory is freed twice\n  x.c:2:5 in main\n",
        "      2 |     ; //! unsafe double-free\n        |     ^",
        "  heap block of 4 bytes\n",
        "  inputs:\n    __VERIFIER_nondet_int = 3 at x.c:2:5\n",
        "  what to do: free in one place only",
        "  repeat: precis run x.c --seed 3\n",
    ):
        assert part in text
    assert "\x1b" not in text


def test_open_may_be_allowed(source: Write, tmp_path: Path) -> None:
    source("x.c", "open")
    assert check(tmp_path, "--allow-unknown", "x.c").returncode == 0


def folder_of_all_kinds(source: Write) -> None:
    source("p/a_safe.c", "nothing")
    source("p/b_unsafe.c", "unsafe memory-leak")
    source("p/c_open.c", "open it may be null")
    source("p/d_part.c", body="int f(int x) { return x; }\n")
    source("p/e_data.c", body="int data[3];\n")
    source("p/sub/f_safe.c", "nothing")


def test_a_folder(source: Write, tmp_path: Path) -> None:
    folder_of_all_kinds(source)
    done = check(tmp_path, "p")
    assert done.stdout.endswith(
        "assumptions used: 5 (Stack), 17 (Library)\n"
        "p/a_safe.c      SAFE\n"
        "p/b_unsafe.c    UNSAFE (memory-leak)  at line 2\n"
        "p/c_open.c      UNKNOWN (1 open)\n"
        "p/d_part.c      UNKNOWN (no main: use --library)\n"
        "p/e_data.c      UNKNOWN (no function is defined here)\n"
        "p/sub/f_safe.c  SAFE\n"
        "verdict: UNSAFE (memory-leak)\n"
    )
    assert done.stdout.startswith("--- p/b_unsafe.c\n")
    assert done.returncode == 1


def test_failures_cost_only_their_own_program(source: Write, tmp_path: Path) -> None:
    folder_of_all_kinds(source)
    source("p/aa_crash.c", "crash")
    source("p/ab_raise.c", "raise")
    source("p/ac_bad.c", body="int main(void) {\n    return 1 +;\n}\n")
    done = check(tmp_path, "-j", "2", "p", "missing.c", "--json", "out.json")
    assert "p/aa_crash.c    UNKNOWN (the analysis crashed (SIGSEGV))\n" in done.stdout
    assert "p/ab_raise.c    UNKNOWN (internal error (KeyError))\n" in done.stdout
    assert "p/ac_bad.c      UNKNOWN (line 2: expected expression)\n" in done.stdout
    assert "missing.c       UNKNOWN (no such file)\n" in done.stdout
    assert "p/sub/f_safe.c  SAFE\n" in done.stdout
    assert "precis: p/ac_bad.c:2:15: expected expression\n" in done.stderr
    assert last(done) == "verdict: UNSAFE (memory-leak)"
    assert done.returncode == 4
    data = json.loads((tmp_path / "out.json").read_text("utf-8"))
    kinds = [(program["error"] or {}).get("kind") for program in data["programs"]]
    assert kinds == [
        None, "tool-failed", "internal-error", "bad-input", None, None, "no-entry", "no-entry",
        None, "bad-input",
    ]  # fmt: skip


def test_the_output_does_not_depend_on_the_number_of_processes(
    source: Write, tmp_path: Path
) -> None:
    folder_of_all_kinds(source)
    source("p/a_safe.c", "sleep 0.5")
    outputs = []
    for jobs in ("1", "3"):
        done = check(tmp_path, "-v", "-j", jobs, "p", "--json", "o.json", "--sarif", "o.sarif")
        files = [(tmp_path / name).read_bytes() for name in ("o.json", "o.sarif")]
        outputs.append((done.stdout, done.stderr, done.returncode, *files))
    assert outputs[0] == outputs[1]


def test_bad_input_of_one_program(source: Write, tmp_path: Path) -> None:
    source("x.c", body="int f(void) { return 0; }\n")
    done = check(tmp_path, "x.c")
    assert done.returncode == 2 and "--library" in done.stderr
    assert last(done).startswith("verdict: UNKNOWN (the program has no function 'main'")
    assert check(tmp_path, "--entry", "f", "x.c").returncode == 0
    assert check(tmp_path, "none.c").returncode == 2
    (tmp_path / "empty").mkdir()
    done = check(tmp_path, "empty")
    assert done.returncode == 2 and "no C files" in done.stderr and not done.stdout


def test_a_library(source: Write, tmp_path: Path) -> None:
    body = "int f(int *p) {\n{}    return *p;\n}\n"
    source("x.c", "needs p is not null", body=body)
    done = check(tmp_path, "--library", "x.c")
    assert last(done) == "verdict: SAFE under 1 precondition"
    assert "  f: p is not null\n" in done.stdout
    assert done.returncode == 0
    source("y.c", "finding double-free", body=body)
    done = check(tmp_path, "--library", "x.c", "y.c")
    assert "y.c  UNKNOWN (findings)  double-free at line 2\n" in done.stdout
    assert done.returncode == 1


def test_property_files(source: Write, tmp_path: Path) -> None:
    source("x.c", "nothing")
    source("y.c", "unsafe memory-leak")
    prp = tmp_path / "both.prp"
    prp.write_text(
        "CHECK( init(main()), LTL(G valid-memtrack) )\nCHECK( init(main()), LTL(F end) )\n", "utf-8"
    )
    done = check(tmp_path, "--property", prp, "x.c", "--json", "o.json")
    line = "CHECK( init(main()), LTL(F end) )"
    assert last(done) == f"verdict: UNKNOWN (cannot check the property {line})"
    assert done.returncode == 5
    data = json.loads((tmp_path / "o.json").read_text("utf-8"))
    assert data["properties"] == ["leaks"] and data["unchecked"] == [line]
    done = check(tmp_path, "--property", prp, "--svcomp", "y.c")
    assert last(done) == "FALSE(valid-memtrack)" and done.returncode == 1
    prp.write_text(line, "utf-8")
    done = check(tmp_path, "--property", prp, "--svcomp", "y.c")
    assert last(done) == "UNKNOWN" and done.returncode == 5
    prp.write_text("CHECK( init(main()), LTL(G valid-free) )", "utf-8")
    done = check(tmp_path, "--property", prp, "--svcomp", "y.c")
    assert last(done) == "UNKNOWN" and done.returncode == 5


def test_options_reach_the_engine(source: Write, tmp_path: Path) -> None:
    source("x.c", "options")
    default = "['assertions', 'leaks', 'memory-safety']"
    assert last(check(tmp_path, "x.c")) == f"verdict: UNKNOWN (may-fail on {default})"
    done = check(tmp_path, "--svcomp", "--no-search", "--property", "overflow", "-v", "x.c")
    assert "verdict: UNKNOWN (never-fails off ['overflow'])\nUNKNOWN\n" in done.stdout
    assert "  values: decided 1, left 0, 5 plans\n" in done.stdout
    done = check(tmp_path, "--malloc", "may-fail", "--svcomp", "--assume", "9", "x.c")
    assert "(may-fail on" in done.stdout
    assert "assumptions used: 5 (Stack), 9 (Files), 17 (Library)\n" in done.stdout


def test_compiler_flags(source: Write, tmp_path: Path) -> None:
    body = "#if WIDE != 4 || __SIZEOF_POINTER__ != 4\n#error no\n#endif\nint main(void) { }\n"
    source("x.c", body=body)
    assert check(tmp_path, "x.c").returncode == 2
    assert check(tmp_path, "x.c", "--", "-DWIDE=4", "-m32", "-Wall").returncode == 0
    done = check(tmp_path, "x.c", "--", "-DWIDE=4", "-MD")
    assert done.returncode == 2 and "-MD" in done.stderr and "-isystem" in done.stderr
    assert not done.stdout


def test_a_run_is_repeated_with_the_same_reading(source: Write, tmp_path: Path) -> None:
    source("x.c", "unsafe assertion")
    done = check(
        tmp_path, "x.c", "-D", "A=a b", "--entry", "main", "--", "-m32", "-std=c99", "-I", "i"
    )
    words = "--data-model ILP32 '-DA=a b' --std c99 -Ii --seed 3"
    assert f"  repeat: precis run x.c {words}\n" in done.stdout
    done = check(tmp_path, "x.c", "--", "-funsigned-char")  # which `run` does not take
    assert done.returncode == 1 and "repeat:" not in done.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["--assume", "99"],
        ["--domain", "none"],
        ["--property", "none"],
        ["--json", "-"],
        ["--json", "x.c"],
        ["--json", "same", "--sarif", "./same"],
        ["--library", "--entry", "f"],
        ["--library", "--svcomp"],
        ["-j", "0"],
        ["--bogus"],
    ],
)
def test_wrong_usage(arguments: list[str], source: Write, tmp_path: Path) -> None:
    source("x.c", "nothing")
    done = check(tmp_path, *arguments, "x.c")
    assert done.returncode == 2 and done.stderr.startswith("precis: ")
    assert not done.stdout
    assert names_in(tmp_path) == ["x.c"]


def test_no_program_at_all(tmp_path: Path) -> None:
    assert check(tmp_path).returncode == 2


def test_an_output_that_cannot_be_written_is_known_before_the_work(
    source: Write, tmp_path: Path
) -> None:
    source("x.c", "sleep 100")
    for name in ("--json", "--sarif"):
        done = check(tmp_path, name, "none/out", "x.c")
        assert done.returncode == 3
        assert done.stderr == "precis: disk: cannot write none/out: No such file or directory\n"


def test_reports_are_the_same_each_time(source: Write, tmp_path: Path) -> None:
    source("x.c", "open why not", "unsafe assertion")
    arguments = ("x.c", "--json", "o.json", "--sarif", "o.sarif")
    found = []
    for seed in ("1", "2"):
        environment = {**ENVIRONMENT, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-m", "precis", "check", *arguments]
        subprocess.run(command, cwd=tmp_path, env=environment, check=False, capture_output=True)
        found.append([(tmp_path / name).read_bytes() for name in ("o.json", "o.sarif")])
    assert found[0] == found[1]
    assert str(tmp_path).encode() not in found[0][0] + found[0][1]
    log = json.loads(found[0][1])["runs"][0]
    assert log["invocations"][0]["exitCode"] == 1
    assert [result["kind"] for result in log["results"]] == ["fail", "open"]


HOSTILE = ("<script>\x1b[31m%0A::.c", "::error::a\n::error::b.c", "'\"&$(touch owned).c")


def test_hostile_names_do_nothing(source: Write, tmp_path: Path) -> None:
    for name in HOSTILE:
        source(name, "open why", "unsafe assertion")
    done = check(tmp_path, ".", "-v", "--json", "o.json", "--sarif", "o.sarif")
    assert done.returncode == 1
    for line in (done.stdout + done.stderr).split("\n"):
        assert all(character.isprintable() for character in line)
        assert not line.lstrip().startswith("::")
    programs = json.loads((tmp_path / "o.json").read_text("utf-8"))["programs"]
    assert [program["program"] for program in programs] == sorted(HOSTILE)
    for name in ("o.json", "o.sarif"):
        content = (tmp_path / name).read_bytes()
        assert content.isascii() and b"\x1b" not in content
    assert not (tmp_path / "owned").exists()
    for name in sorted(HOSTILE):
        single = check(tmp_path, f"./{name}", "-v")
        assert single.returncode == 1
        assert all(character.isprintable() for character in single.stdout.replace("\n", ""))


def test_a_name_that_is_not_utf_8(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"a\xff.c")
    path.write_bytes(b"int main(void) { return 0; }\n")
    done = check(tmp_path, ".", "--json", "o.json", "--sarif", "o.sarif")
    assert done.returncode == 2 and "UTF-8" in done.stderr
    json.loads((tmp_path / "o.json").read_text("utf-8"))
    log = json.loads((tmp_path / "o.sarif").read_text("utf-8"))["runs"][0]
    (notice,) = log["invocations"][0]["toolExecutionNotifications"]
    place = notice["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place == {"uri": "a%FF.c", "uriBaseId": "%SRCROOT%"}


@pytest.mark.parametrize("more", [(), ("a.c",)])
def test_an_interrupt_keeps_what_is_known(
    more: tuple[str, ...], source: Write, tmp_path: Path
) -> None:
    source("a.c", "unsafe assertion")
    source("b.c", "sleep 100")
    process = subprocess.Popen(
        [sys.executable, "-m", "precis", "check", *more, "b.c", "--json", "o.json"],
        cwd=tmp_path,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while not (tmp_path / "b.c.sleeps").exists() and process.poll() is None:
        time.sleep(0.1)
    os.killpg(process.pid, signal.SIGINT)
    output, errors = process.communicate(timeout=20)
    assert process.returncode == 130
    assert errors == "precis: interrupted\n"
    expected = "UNSAFE (assertion)" if more else "UNKNOWN (interrupted)"
    assert output.endswith(f"verdict: {expected}\n")
    data = json.loads((tmp_path / "o.json").read_text("utf-8"))
    assert [program["verdict"] for program in data["programs"]] == [
        *("UNSAFE" for _ in more), "UNKNOWN",
    ]  # fmt: skip
    assert data["status"] == 130
    assert names_in(tmp_path) == ["a.c", "b.c", "b.c.sleeps", "o.json"]


def test_summaries(source: Write, tmp_path: Path) -> None:
    source("x.c", body="int f(void) { return 1; }\nint g(void) { return f(); }\n")
    done = check(tmp_path, "x.c", command="summarize")
    assert done.stdout == "f\n  of f:\n  returns anything\n\ng\n  of g:\n  returns anything\n"
    done = check(tmp_path, "--function", "g", "--format", "json", "x.c", command="summarize")
    (summary,) = json.loads(done.stdout)["summaries"]
    assert summary["procedure"] == "g" and summary["data"] == ["anything", 0]
    done = check(tmp_path, "-o", "x.svg", "x.c", command="summarize")
    assert done.returncode == 0 and not done.stdout
    assert (tmp_path / "x.svg").read_text("utf-8").count("<title>") == 4
    done = check(tmp_path, "--function", "h", "x.c", command="summarize")
    assert done.returncode == 2 and "'h'" in done.stderr
    done = check(tmp_path, "-o", "none/x.svg", "x.c", command="summarize")
    assert done.returncode == 3

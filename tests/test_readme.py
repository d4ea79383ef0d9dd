"""What the README shows is what the command prints."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SHOWN = re.findall(
    r"```console\n\$ precis (.*?)\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL
)


@pytest.mark.parametrize(("arguments", "output"), SHOWN)
def test_output_in_the_readme(arguments: str, output: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "precis", *shlex.split(arguments)],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    assert done.stdout == output


def test_the_readme_shows_something() -> None:
    assert len(SHOWN) >= 2


def test_the_first_command_goes_through() -> None:
    """What a newcomer is shown first: every example gets a verdict, and most are proved."""
    words = ["check", "--allow-unknown", "--no-cache", "examples/correct"]
    done = subprocess.run(
        [sys.executable, "-m", "precis", *words], cwd=ROOT, capture_output=True, encoding="utf-8",
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(re.findall(r"^examples/correct/\S+ +SAFE", done.stdout, re.MULTILINE)) >= 5

"""How fast the command starts and the referee runs.

Both figures are ratios to something measured in the same minute, because machines are noisy:
start-up over a bare interpreter, and the referee's steps per second beside a plain Python loop.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

_PROGRAM = """
int main(void) {
    static int table[1000];
    unsigned sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < 1000; i++) {
            table[i] = table[(i * 7 + 3) % 1000] + i - round;
            sum += (unsigned)table[i] ^ (unsigned)i;
        }
    }
    return sum == 1;
}
"""


@dataclass(frozen=True, slots=True)
class Speed:
    bare_start: float  # seconds of `python -c pass`
    start: float  # seconds of `precis --version`
    steps: int  # IR steps of the loop
    seconds: float  # of the loop, without start-up and lowering
    python_loop: float  # seconds of a plain Python loop of ten million turns

    @property
    def steps_per_second(self) -> float:
        return self.steps / self.seconds


def measure(command: tuple[str, ...], rounds: int = 300) -> Speed:
    """The best of several tries of each."""
    bare = _best([sys.executable, "-c", "pass"], 9)
    start = _best([*command, "--version"], 9)
    with tempfile.TemporaryDirectory() as folder:
        seconds, steps = _loop(command, Path(folder), rounds)
    begin = time.perf_counter()
    for _ in range(10_000_000):
        pass
    return Speed(bare, start, steps, seconds, time.perf_counter() - begin)


def _loop(command: tuple[str, ...], folder: Path, rounds: int) -> tuple[float, int]:
    source = folder / "loop.c"
    source.write_text(_PROGRAM, "utf-8")

    def timed(count: int) -> tuple[float, int]:
        line = [*command, "run", "--statistics", "-D", f"ROUNDS={count}", str(source)]
        best, steps = float("inf"), 0
        for _ in range(3):
            begin = time.perf_counter()
            done = subprocess.run(line, capture_output=True, text=True, check=False)
            best = min(best, time.perf_counter() - begin)
            found = re.search(r"(\d+) steps", done.stderr)
            steps = int(found.group(1)) if found else 0
        return best, steps

    short, long = timed(1), timed(1 + rounds)
    return long[0] - short[0], long[1] - short[1]


def _best(line: list[str], tries: int) -> float:
    best = float("inf")
    for _ in range(tries):
        begin = time.perf_counter()
        subprocess.run(line, capture_output=True, check=False)
        best = min(best, time.perf_counter() - begin)
    return best

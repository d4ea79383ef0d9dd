"""What came out of the units of a project, added up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from precis.bench.projects.run import Unit

_MEGABYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Procedure:
    """A procedure of the project: `size` of its summary, sizes of its `classes` of pointers."""

    unit: str
    name: str
    depth: int
    size: int
    classes: tuple[int, ...]
    given_up: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """All units with one way to follow calls."""

    name: str
    units: tuple[Unit, ...]
    seconds: float  # of the whole, with several at a time

    def counts(self) -> Counter[str]:
        """The obligations in the project's own code, by what became of them."""
        return Counter(
            str(one["status"])
            for unit in self.units
            for one in unit.result.get("obligations", ())
            if not one["library"]
        )

    def findings(self) -> list[str]:
        return [
            f"{one['at']['file']}:{one['at']['line']}: {one['rule']}: {one['message']}"
            for unit in self.units
            for one in unit.result.get("findings", ())
        ]

    def procedures(self) -> list[Procedure]:
        found = []
        for unit in self.units:
            for one in unit.result.get("procedures", ()):
                if one["library"]:
                    continue
                measures: list[dict[str, Any]] = one["measures"]
                size = max((int(m["size"]) for m in measures), default=0)
                classes = tuple(n for m in measures[:1] for n in m["classes"])
                given_up = tuple(one["given_up"])
                found.append(
                    Procedure(unit.file, one["name"], one["depth"], size, classes, given_up)
                )
        return found


def summary(scores: Sequence[Score]) -> Iterator[str]:
    """One column for each way."""
    rows: dict[str, list[str]] = {}
    for score in scores:
        counts, procedures = score.counts(), score.procedures()
        cut = [p for p in procedures if p.given_up]
        done = [unit for unit in score.units if not unit.failed]
        share = 100 * (1 - len(cut) / max(1, len(procedures)))
        column = {
            "": score.name,
            "units": str(len(score.units)),
            "units without an answer": str(len(score.units) - len(done)),
            "minutes": f"{score.seconds / 60:.1f}",
            "largest process, MB": str(max((u.peak for u in done), default=0) // _MEGABYTE),
            "procedures": str(len(procedures)),
            "procedures given up in part": str(len(cut)),
            "procedures whole": f"{share:.1f}%",
            "obligations proved": str(counts["proved"]),
            "preconditions asked for": str(counts["latent"]),
            "obligations conditional": str(counts["conditional"]),
            "obligations open": str(counts["open"]),
            "findings": str(len(score.findings())),
        }
        for row, text in column.items():
            rows.setdefault(row, []).append(text)
    for row, texts in rows.items():
        yield f"{row:28}" + "".join(f"{text:>14}" for text in texts)


def details(score: Score) -> Iterator[str]:
    """What is to be looked at: findings, procedures given up, units without an answer."""
    for finding in score.findings():
        yield f"finding {finding}"
    for unit in score.units:
        if unit.failed:
            yield f"no answer {unit.file}: {unit.failed}"
    reasons: Counter[str] = Counter()
    for procedure in score.procedures():
        for reason in procedure.given_up:
            yield f"given up {procedure.unit} {procedure.name}: {reason}"
            reasons[reason] += 1
    for reason, count in reasons.most_common(12):
        yield f"{count:6} {reason}"


def by_depth(procedures: Sequence[Procedure]) -> dict[int, float]:
    """The median size of summaries, by how deep calls go below."""
    sizes: dict[int, list[int]] = {}
    for procedure in procedures:
        sizes.setdefault(procedure.depth, []).append(procedure.size)
    return {depth: median(sizes[depth]) for depth in sorted(sizes)}


def class_sizes(procedures: Sequence[Procedure]) -> Counter[int]:
    """How many classes of pointers there are of each size."""
    return Counter(size for procedure in procedures for size in procedure.classes)

"""What came out of the units of a project, added up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from precis.bench.projects.run import Unit

_MEGABYTE = 1 << 20
_UNSEEN = ("nothing is known beyond ", "nothing is known inside ")
_BLAMED = "a block of a caller may be lost: "


@dataclass(frozen=True, slots=True)
class Procedure:
    """A procedure of the project: `size` of its summary, sizes of its `classes` of pointers."""

    unit: str
    name: str
    depth: int
    size: int
    classes: tuple[int, ...]
    given_up: tuple[str, ...]
    cuts: tuple[str, ...] = ()  # what there was no room for, with all the rest known


@dataclass(frozen=True, slots=True)
class Score:
    """All units with one way to follow calls."""

    name: str
    units: tuple[Unit, ...]
    seconds: float  # of the whole, with several at a time

    def counts(self, only: frozenset[tuple[str, str]] | None = None) -> Counter[str]:
        """The obligations in the project's own code, by what became of them; or only those in
        some procedures of some units. Open ones are `unseen` if they stand where something was
        given up or in a callee that a summary was not used of: there nobody looked at them. They
        are `blamed` if what is open is the call that leads there."""
        return Counter(
            _became(one)
            for unit in self.units
            for one in unit.result.get("obligations", ())
            if not one["library"] and (only is None or (unit.file, one["procedure"]) in only)
        )

    def whole(self) -> frozenset[tuple[str, str]]:
        """The units and procedures that nothing was given up of."""
        known = self.procedures()
        cut = {(one.unit, one.name) for one in known if one.given_up}
        return frozenset((one.unit, one.name) for one in known) - cut

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
                cuts = tuple(sorted({what for m in measures for what in m.get("cuts", ())}))
                found.append(
                    Procedure(unit.file, one["name"], one["depth"], size, classes, given_up, cuts)
                )
        return found


def _became(one: Mapping[str, Any]) -> str:
    why = str(one.get("why", ""))
    if why.startswith(_UNSEEN):
        return "unseen"
    return "blamed" if why.startswith(_BLAMED) else str(one["status"])


def summary(scores: Sequence[Score]) -> Iterator[str]:
    """One column for each way. What stays open is also told for the procedures that every way
    went through, so that a way is not better for what it did not get to."""
    common = frozenset[tuple[str, str]].intersection(*(score.whole() for score in scores))
    rows: dict[str, list[str]] = {}
    for score in scores:
        counts, procedures = score.counts(), score.procedures()
        both = score.counts(common)
        cut = {(p.unit, p.name) for p in procedures if p.given_up}
        limited = {(p.unit, p.name) for p in procedures if p.cuts} - cut
        names = {(p.unit, p.name) for p in procedures}
        done = [unit for unit in score.units if not unit.failed]
        share = 100 * (1 - len(cut) / max(1, len(names)))
        column = {
            "": score.name,
            "units": str(len(score.units)),
            "units without an answer": str(len(score.units) - len(done)),
            "minutes": f"{score.seconds / 60:.1f}",
            "of the processor": f"{sum(u.seconds for u in score.units) / 60:.1f}",
            "largest process, MB": str(max((u.peak for u in done), default=0) // _MEGABYTE),
            "procedures": str(len(names)),
            "procedures given up in part": str(len(cut)),
            "procedures whole": f"{share:.1f}%",
            "some conditions cut": str(len(limited)),
            "obligations proved": str(counts["proved"]),
            "preconditions asked for": str(counts["latent"]),
            "obligations conditional": str(counts["conditional"]),
            "obligations not looked at": str(counts["unseen"]),
            "blamed for a call's": str(counts["blamed"]),
            "obligations open": str(counts["open"]),
            "open where all are whole": str(both["open"]),
            "proved where all are whole": str(both["proved"]),
            "findings": str(len(score.findings())),
            "size with depth, correlated": f"{correlation(procedures):.2f}",
            "classes of more than 4": str(sum(n > 4 for p in procedures for n in p.classes)),
        }
        for row, text in column.items():
            rows.setdefault(row, []).append(text)
    for row, texts in rows.items():
        yield f"{row:28}" + "".join(f"{text:>14}" for text in texts)


def by_unit(scores: Sequence[Score]) -> Iterator[str]:
    """One line for each unit, and for each way the seconds of the processor, the largest process
    and what is open or not looked at."""
    yield f"{'seconds, MB, open':28}" + "".join(f"{score.name:>24}" for score in scores)
    for units in zip(*(score.units for score in scores), strict=True):
        columns = []
        for unit in units:
            counts = Score("", (unit,), 0).counts()
            told = "no answer" if unit.failed else str(counts["open"] + counts["unseen"])
            columns.append(f"{unit.seconds:9.1f}{unit.peak // _MEGABYTE:6}{told:>9}")
        yield f"{units[0].file:28}" + "".join(columns)


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
        if procedure.cuts and not procedure.given_up:
            yield f"cut {procedure.unit} {procedure.name}: {', '.join(procedure.cuts)}"
    for reason, count in reasons.most_common(12):
        yield f"{count:6} {reason}"


def correlation(procedures: Sequence[Procedure]) -> float:
    """Spearman's, of the size of a summary and how deep calls go below; 0 if it has none."""
    known = [procedure for procedure in procedures if not procedure.given_up]
    depths = _ranks([procedure.depth for procedure in known])
    sizes = _ranks([procedure.size for procedure in known])
    middle = (len(known) - 1) / 2
    spread = [sum((rank - middle) ** 2 for rank in ranks) for ranks in (depths, sizes)]
    if not all(spread):
        return 0.0
    both = sum((a - middle) * (b - middle) for a, b in zip(depths, sizes, strict=True))
    return float(both / (spread[0] * spread[1]) ** 0.5)


def _ranks(numbers: Sequence[int]) -> list[float]:
    """The place of each in order; equal ones share theirs."""
    order = sorted(numbers)
    first = {number: place for place, number in reversed(list(enumerate(order)))}
    last = {number: place for place, number in enumerate(order)}
    return [(first[number] + last[number]) / 2 for number in numbers]


def by_depth(procedures: Sequence[Procedure]) -> dict[int, float]:
    """The median size of summaries, by how deep calls go below; of what is known as a whole."""
    sizes: dict[int, list[int]] = {}
    for procedure in (one for one in procedures if not one.given_up):
        sizes.setdefault(procedure.depth, []).append(procedure.size)
    return {depth: median(sizes[depth]) for depth in sorted(sizes)}


def class_sizes(procedures: Sequence[Procedure]) -> Counter[int]:
    """How many classes of pointers there are of each size."""
    return Counter(size for procedure in procedures for size in procedure.classes)

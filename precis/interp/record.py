"""A run as JSON: what it was given, so that it can be repeated, and what came of it."""

from __future__ import annotations

import base64
import json
from hashlib import sha256
from typing import Any, Final

from precis.interp.outcome import Inputs, Malloc, Natives, Outcome, Settings
from precis.ir.codec import encode
from precis.ir.location import Location
from precis.ir.program import Program

FORMAT: Final = "precis run 1"


def program_hash(program: Program) -> str:
    return sha256(encode(program)).hexdigest()


def recorded(program: Program, inputs: Inputs, settings: Settings, outcome: Outcome) -> str:
    """The record of a run; the values the seed chose are in it, so any program that asks for
    the same inputs in the same order can be given them."""
    record = {
        "format": FORMAT,
        "program": program_hash(program),
        "inputs": {
            "seed": inputs.seed,
            "values": [chosen.value for chosen in outcome.chosen],
            "stdin": base64.b64encode(outcome.stdin_read).decode(),
            "args": list(inputs.args),
            "failures": None if inputs.failures is None else sorted(inputs.failures),
        },
        "settings": {
            "properties": sorted(settings.properties),
            "malloc": settings.malloc.value,
            "natives": settings.natives.value,
        },
        "outcome": _outcome(outcome),
    }
    return json.dumps(record, indent=2) + "\n"


def _outcome(outcome: Outcome) -> dict[str, Any]:
    violation = outcome.violation
    return {
        "ending": outcome.ending.value,
        "status": outcome.status,
        "reason": outcome.reason,
        "steps": outcome.steps,
        "rule": violation.rule if violation is not None else None,
        "at": _place(violation.at) if violation is not None else None,
        "chosen": [
            {"source": chosen.source, "at": _place(chosen.at), "value": chosen.value}
            for chosen in outcome.chosen
        ],
    }


def _place(at: Location) -> dict[str, Any]:
    return {"file": at.file, "line": at.line, "column": at.column}


def recorded_inputs(text: str) -> Inputs:
    """The inputs of a recorded run; raises ValueError for anything else."""
    record = json.loads(text)
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise ValueError(f"not a record of a run ({FORMAT!r})")
    try:
        given = record["inputs"]
        values = tuple(given["values"])
        args = tuple(given["args"])
        stdin = base64.b64decode(given["stdin"], validate=True)
        seed = given["seed"]
        failures = given.get("failures")
    except (KeyError, TypeError) as error:
        raise ValueError(f"the record lacks {error}") from error
    good = all(isinstance(v, int | float) for v in values) and isinstance(seed, int)
    if not good or not all(isinstance(a, str) for a in args):
        raise ValueError("the record holds inputs of the wrong kind")
    if failures is not None and not _is_counts(failures):
        raise ValueError("the record holds failures of the wrong kind")
    return Inputs(seed, values, stdin, args, None if failures is None else frozenset(failures))


def _is_counts(values: object) -> bool:
    return isinstance(values, list) and all(isinstance(v, int) and v > 0 for v in values)


def recorded_settings(text: str) -> Settings:
    """How the recorded run was made, without its limits; raises ValueError for anything else."""
    try:
        given = json.loads(text)["settings"]
        properties = frozenset(map(str, given["properties"]))
        return Settings(properties, Malloc(given["malloc"]), natives=Natives(given["natives"]))
    except (KeyError, TypeError) as error:
        raise ValueError(f"the record lacks {error}") from error


def recorded_outcome(text: str) -> dict[str, Any]:
    """What came of the recorded run, to compare a repetition with."""
    outcome: dict[str, Any] = json.loads(text)["outcome"]
    return outcome


def same_outcome(text: str, outcome: Outcome) -> bool:
    """Did the repetition end as the recorded run did, at the same step?"""
    repeated: dict[str, Any] = json.loads(json.dumps(_outcome(outcome)))
    return recorded_outcome(text) == repeated

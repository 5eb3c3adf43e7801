"""The measurements of each client version: facts.json, the source of the tables in docs/client.md."""

import json
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("facts.json")

Facts = dict[str, Any]
"""Of one version: each kind of measurement by its name."""


def read() -> dict[str, Facts]:
    """The facts by version; empty before the first measurement."""
    facts: dict[str, Facts] = json.loads(FILE.read_bytes()) if FILE.exists() else {}
    return facts


def write(facts: dict[str, Facts]) -> None:
    FILE.write_text(json.dumps(facts, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def order(version: str) -> list[int]:
    """A sort key for versions."""
    return [int(part) for part in version.split(".")]


def newest(facts: dict[str, Facts]) -> str:
    """The latest measured version."""
    return max(facts, key=order)

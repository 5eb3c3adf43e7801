"""What was measured of each version of the client: facts.json, from which docs/client.md has its tables."""

import json
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("facts.json")

Facts = dict[str, Any]
"""Of one version: each kind of measurement by its name."""


def read() -> dict[str, Facts]:
    """The facts by version; none before the first measurement."""
    facts: dict[str, Facts] = json.loads(FILE.read_bytes()) if FILE.exists() else {}
    return facts


def write(facts: dict[str, Facts]) -> None:
    FILE.write_text(json.dumps(facts, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def order(version: str) -> list[int]:
    """A key by which versions sort."""
    return [int(part) for part in version.split(".")]


def newest(facts: dict[str, Facts]) -> str:
    """The latest version that was measured."""
    return max(facts, key=order)

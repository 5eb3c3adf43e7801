"""The bridge's format for other programs: a JSON Schema and the tables of docs/bridge.md, from the record itself."""

import json
from pathlib import Path
from typing import Any

import msgspec

from docs.markdown import table
from docs.reference import meanings
from shared.gauge.bridge import SCHEMA_VERSION, Bridge
from shared.gauge.window import WindowSource
from shared.gauge.wording import WINDOW_SOURCES
from shared.transcript.records import Usage

SCHEMA = Path(__file__).with_name("bridge.schema.json")
_RECORDS = {"Bridge": Bridge, "Usage": Usage}
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema() -> dict[str, Any]:
    """The JSON Schema of one bridge, with the record's description of each field."""
    described = msgspec.json.schema(Bridge)
    for name, record in _RECORDS.items():
        for field, meaning in meanings(record).items():
            described["$defs"][name]["properties"][field]["description"] = meaning
    return {"$schema": _DIALECT, "title": f"Tidegauge's bridge, version {SCHEMA_VERSION}", **described}


def document() -> str:
    """The schema as the text of its file."""
    return json.dumps(schema(), indent=2) + "\n"


def fields() -> str:
    """The table of a bridge's fields."""
    described = msgspec.json.schema(Bridge)["$defs"]["Bridge"]
    rows = []
    for name, meaning in meanings(Bridge).items():
        is_required = "yes" if name in described["required"] else "no"
        rows.append((f"`{name}`", _kind(described["properties"][name]), is_required, meaning))
    return table(("field", "type", "always there", "is"), rows)


def sources() -> str:
    """The table of the values of `window_source`."""
    rows = ((f"`{source}`", WINDOW_SOURCES[source]) for source in sorted(WindowSource))
    return table(("`window_source`", "where the size came from"), rows)


def _kind(field: dict[str, Any]) -> str:
    """A field's type in a word or two."""
    parts = field.get("anyOf", [field])
    names = {part.get("type", "object") for part in parts if part.get("type") != "null"}
    if "number" in names:
        return "number"
    return {"integer": "integer", "string": "text", "object": "object"}[names.pop()]

"""The names and types of the fields in the client's payloads and transcript records."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tests.client.remeasure.home import Capture

OPTIONAL = " (not always)"
OPEN = frozenset({"tool_input", "tool_response", "message.content", "toolUseResult", "shape", "miss_causes"})
"""Objects whose fields depend on the tool or on the session: their type counts, and not what is in them."""
DEPTH = 4
READ = frozenset({
    "assistant", "user", "api-request", "queue-operation", "system compact_boundary", "attachment model",
    "attachment hook_additional_context", "attachment total_tokens_reminder", "attachment deferred_tools_delta",
    "attachment agent_listing_delta", "attachment skill_listing",
})  # fmt: skip
"""Records of which anything is read; of the others only the name is compared."""

Fields = dict[str, str]


def payload_fields(captures: Iterable[Capture]) -> dict[str, Fields]:
    """The names and types of each event's payload fields."""
    payloads: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for capture in captures:
        payloads[capture.event].append(capture.payload)
    return {event: fields_of(payloads[event]) for event in sorted(payloads)}


def record_fields(transcripts: Iterable[bytes]) -> dict[str, Fields]:
    """The names and types of the fields of each kind of record in `transcripts`.

    Optional fields depend on the session, so their presence isn't compared.
    """
    records: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for transcript in transcripts:
        for line in transcript.splitlines():
            record = json.loads(line)
            kind = kind_of(record)
            records[kind].append(record if kind in READ else {})
    return {kind: _unmarked(fields_of(records[kind])) for kind in sorted(records)}


def _unmarked(fields: Fields) -> Fields:
    return {name: kind.removesuffix(OPTIONAL) for name, kind in fields.items()}


def kind_of(record: Mapping[str, Any]) -> str:
    """A record's type, with the subtype of a `system` record and the type of an attachment."""
    attachment = record.get("attachment") or {}
    detail = record.get("subtype") or attachment.get("type") or ""
    return f"{record['type']} {detail}".strip()


def fields_of(documents: Sequence[Mapping[str, Any]]) -> Fields:
    """The fields of all documents, nested ones by dotted name, each with all its types."""
    types: dict[str, set[str]] = defaultdict(set)
    counts: Counter[str] = Counter()
    objects = Counter({"": len(documents)})
    for document in documents:
        for name, kind in flat(document):
            types[name].add(kind)
            counts[name] += 1
            objects[name] += kind == "object"
    optional = {name for name in types if counts[name] < objects[name.rpartition(".")[0]]}
    return {name: " or ".join(sorted(types[name])) + (OPTIONAL if name in optional else "") for name in sorted(types)}


def flat(document: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Each field's dotted name and the JSON type of its value."""
    for key, value in document.items():
        name = f"{prefix}{key}"
        yield name, type_name(value)
        if isinstance(value, dict) and name not in OPEN and key not in OPEN and name.count(".") < DEPTH:
            yield from flat(value, f"{name}.")


def type_name(value: object) -> str:
    """The JSON type of a value. Integers and floats are one type: a cost may be either."""
    if isinstance(value, bool):
        return "boolean"
    names = {str: "string", int: "number", float: "number", list: "array", dict: "object"}
    return names.get(type(value), "null")

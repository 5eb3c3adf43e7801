import json

from tests.client.remeasure.fields import OPTIONAL, fields_of, record_fields


def test_a_field_has_all_its_observed_types() -> None:
    documents: list[dict[str, object]] = [
        {"cost": {"usd": 0.5}, "usage": None},
        {"cost": {"usd": 1}, "usage": {"tokens": 5}},
    ]

    assert fields_of(documents) == {
        "cost": "object",
        "cost.usd": "number",
        "usage": "null or object",
        "usage.tokens": "number",
    }


def test_a_field_missing_from_some_documents_is_marked() -> None:
    assert fields_of([{"a": "x", "b": True}, {"a": "y"}]) == {"a": "string", "b": f"boolean{OPTIONAL}"}


def test_a_tools_input_is_not_inspected() -> None:
    assert fields_of([{"tool_input": {"command": "true"}}]) == {"tool_input": "object"}


def test_records_are_distinguished_by_their_contents() -> None:
    lines = [
        {"type": "system", "subtype": "compact_boundary", "uuid": "1"},
        {"type": "attachment", "attachment": {"type": "model"}},
        {"type": "mode", "mode": "normal"},
    ]
    transcript = "\n".join(json.dumps(line) for line in lines).encode()

    assert record_fields([transcript]) == {
        "attachment model": {"attachment": "object", "attachment.type": "string", "type": "string"},
        "mode": {},
        "system compact_boundary": {"subtype": "string", "type": "string", "uuid": "string"},
    }

import json
from typing import Any

import pytest

from shared.files.lenient import record_or_empty
from statusline.payload import NamedPart, Payload, Verbatim
from tests.statusline.scene import NAMES, captured, payload_with


@pytest.mark.parametrize("name", NAMES)
def test_captured_payloads_are_understood_whole(name: str) -> None:
    payload = record_or_empty(captured(name), Payload)

    assert payload.session_id
    assert payload.model
    assert payload.model.display_name == "Opus 4.6"
    assert payload.context_window
    assert payload.context_window.context_window_size == 200_000


@pytest.mark.parametrize(
    "stdin",
    [b"", b" \n", b"null", b"[]", b"17", b'"text"', b"{", b"\xff\xfe", b"[" * 100_000, b'{"a":' * 100_000, b"{}x"],
    ids=repr,
)
def test_anything_but_an_object_is_an_empty_payload(stdin: bytes) -> None:
    assert record_or_empty(stdin, Payload) == Payload()


@pytest.mark.parametrize("wrong", [17, "text", [1], True, None, {"id": []}], ids=repr)
@pytest.mark.parametrize("block", [name for name in Payload.__struct_fields__ if name != "session_id"])
def test_a_block_of_the_wrong_type_is_lost_alone(block: str, wrong: Any) -> None:
    payload = record_or_empty(payload_with("everything", **{block: wrong}), Payload)
    whole = record_or_empty(captured("everything"), Payload)

    others = [name for name in Payload.__struct_fields__ if name != block]
    assert [getattr(payload, name) for name in others] == [getattr(whole, name) for name in others]


def test_a_field_of_the_wrong_type_is_lost_alone() -> None:
    window = json.loads(captured("warning"))["context_window"] | {"used_percentage": [], "current_usage": {"a": 1}}

    block = record_or_empty(payload_with("warning", context_window=window), Payload).context_window

    assert block
    assert (block.used_percentage, block.remaining_percentage, block.context_window_size) == (None, 33, 200_000)


def test_a_percentage_too_long_for_a_float_is_none() -> None:
    """It comes with a field of the wrong type, so that Python's own decoder reads the payload."""
    payload = record_or_empty(
        b'{"model": {"id": 1}, "context_window": {"remaining_percentage": 1' + b"0" * 400 + b"}}", Payload
    )

    assert payload.context_window is None or payload.context_window.remaining_percentage is None


@pytest.mark.parametrize("tokens", [-1, 1.5, 10**13, 1e300])
def test_usage_with_an_impossible_count_is_no_usage(tokens: float) -> None:
    """A sum without one of its parts would be an invented number."""
    usage = {"current_usage": {"input_tokens": tokens, "output_tokens": 7}}
    block = record_or_empty(json.dumps({"context_window": usage}).encode(), Payload).context_window

    assert block
    assert block.current_usage is None


def test_half_an_emoji_does_no_harm() -> None:
    document = b'{"session_name":"\\ud83d","cwd":"/home/dev/shop","agent":{"name":"\\ud83d"}}'

    payload = record_or_empty(document, Payload)

    assert (payload.cwd, payload.agent) == ("/home/dev/shop", NamedPart("\ufffd"))


def test_invalid_json_is_an_empty_payload() -> None:
    assert record_or_empty(b'{"session_name":NaN,"cwd":"/home/dev/shop"}', Payload) == Payload()


def test_a_byte_order_mark_is_skipped() -> None:
    assert record_or_empty(b"\xef\xbb\xbf" + captured("normal"), Payload) == record_or_empty(
        captured("normal"), Payload
    )


def test_blocks_for_the_bridge_are_kept_as_given() -> None:
    payload = json.loads(captured("everything"))

    assert record_or_empty(captured("everything"), Verbatim) == Verbatim(
        payload["rate_limits"], payload["prompt_cache"]
    )

import json
from typing import Any

import pytest

from statusline.payload import Payload, Verbatim, decode
from tests.statusline.scene import NAMES, captured, changed


@pytest.mark.parametrize("name", NAMES)
def test_captured_payloads_are_understood_whole(name: str) -> None:
    found = decode(captured(name), Payload)

    assert found.session_id
    assert found.model
    assert found.model.display_name == "Opus 4.6"
    assert found.context_window
    assert found.context_window.context_window_size == 200_000


@pytest.mark.parametrize(
    "stdin",
    [b"", b" \n", b"null", b"[]", b"17", b'"text"', b"{", b"\xff\xfe", b"[" * 100_000, b'{"a":' * 100_000, b"{}x"],
    ids=repr,
)
def test_anything_but_an_object_is_an_empty_payload(stdin: bytes) -> None:
    assert decode(stdin, Payload) == Payload()


@pytest.mark.parametrize("wrong", [17, "text", [1], True, None, {"id": []}], ids=repr)
@pytest.mark.parametrize("block", [name for name in Payload.__struct_fields__ if name != "session_id"])
def test_a_block_of_the_wrong_type_costs_itself_alone(block: str, wrong: Any) -> None:
    found = decode(changed("everything", **{block: wrong}), Payload)
    whole = decode(captured("everything"), Payload)

    others = [name for name in Payload.__struct_fields__ if name != block]
    assert [getattr(found, name) for name in others] == [getattr(whole, name) for name in others]


def test_a_field_of_the_wrong_type_costs_itself_alone() -> None:
    window = json.loads(captured("warning"))["context_window"] | {"used_percentage": [], "current_usage": {"a": 1}}

    found = decode(changed("warning", context_window=window), Payload).context_window

    assert found
    assert (found.used_percentage, found.remaining_percentage, found.context_window_size) == (None, 33, 200_000)


def test_a_percentage_longer_than_a_float_takes_is_none() -> None:
    """It comes with a field of the wrong type, for which the payload is read by Python's own decoder."""
    found = decode(b'{"model": {"id": 1}, "context_window": {"remaining_percentage": 1' + b"0" * 400 + b"}}", Payload)

    assert found.context_window is None or found.context_window.remaining_percentage is None


@pytest.mark.parametrize("size", [200_000.0, "200000"])
def test_whole_numbers_in_other_clothes_are_taken(size: object) -> None:
    found = decode(json.dumps({"context_window": {"context_window_size": size}}).encode(), Payload).context_window

    assert found
    assert found.context_window_size == 200_000


@pytest.mark.parametrize("tokens", [-1, 1.5, 10**13, 1e300])
def test_usage_with_an_impossible_count_is_no_usage(tokens: float) -> None:
    """A sum without one of its parts would be an invented number."""
    usage = {"current_usage": {"input_tokens": tokens, "output_tokens": 7}}
    found = decode(json.dumps({"context_window": usage}).encode(), Payload).context_window

    assert found
    assert found.current_usage is None


@pytest.mark.parametrize("oddity", [b'"\\ud83d"', b"NaN", b'"\xff"', b"1e999", b"9" * 5000], ids=lambda o: repr(o[:9]))
def test_what_json_forbids_costs_its_own_block(oddity: bytes) -> None:
    found = decode(b'{"session_name":%s,"cwd":"/home/dev/shop","agent":{"name":%s}}' % (oddity, oddity), Payload)

    assert found.cwd == "/home/dev/shop" or oddity == b"9" * 5000  # Python reads no number this long


def test_a_byte_order_mark_is_passed_over() -> None:
    assert decode(b"\xef\xbb\xbf" + captured("normal"), Payload) == decode(captured("normal"), Payload)


def test_blocks_for_the_bridge_are_kept_as_given() -> None:
    given = json.loads(captured("everything"))

    assert decode(captured("everything"), Verbatim) == Verbatim(given["rate_limits"], given["prompt_cache"])

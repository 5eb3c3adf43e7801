from typing import Any

import msgspec
import pytest

from shared.files import lenient
from tests import processor_time


class Record(msgspec.Struct):
    text: str = ""


@pytest.mark.parametrize(
    ("document", "text"),
    [
        (b'{"text":"a"}', "a"),
        (b'\xef\xbb\xbf{"text":"a"}', "a"),
        (rb'{"text":"cut \ud83d"}', "cut \ufffd"),
        (rb'{"text":"\uDE00 cut"}', "\ufffd cut"),
        (rb'{"text":"whole \ud83d\ude00"}', "whole \U0001f600"),
        (rb'{"text":"a","other":"\ud83d"}', "a"),
        (rb'{"text":"\\ud83d"}', r"\ud83d"),
    ],
)
def test_json_written_by_javascript_is_read(document: bytes, text: str) -> None:
    assert lenient.decode(document, Record).text == text


def test_invalid_text_changes_nothing_else() -> None:
    record = {"text": "cut \ud83d", "number": 7, "list": [1.5, None, True, "whole"]}
    assert lenient.encode(record) == b'{"text":"cut ?","number":7,"list":[1.5,null,true,"whole"]}'


@pytest.mark.parametrize("document", [b"", b"{", b"[]", b'{"text":7}', b'{"text":"\xff"}', b'{"a":' * 100_000])
def test_invalid_records_raise_one_error(document: bytes) -> None:
    with pytest.raises(msgspec.MsgspecError):
        lenient.decode(document, Record)


@pytest.mark.parametrize(
    ("value", "count"),
    [
        ("a", None),
        (7, 7),
        (-1, None),
        (10**400, None),
        (True, None),
        (None, None),
    ],
)
def test_invalid_counts_are_left_out(value: object, count: int | None) -> None:
    assert lenient.count(value) == count


class Part(lenient.LenientRecord):
    text: str = ""
    number: int | None = 1


class Numbers(msgspec.Struct):
    number: int = 1


class Whole(lenient.LenientRecord):
    text: str = "none"
    part: Part | None = None
    numbers: Numbers | None = None
    raw: msgspec.Raw = msgspec.Raw(b"null")


@pytest.mark.parametrize(
    ("document", "whole"),
    [
        (b'{"text":"a","part":{"text":"b"}}', Whole("a", Part("b"))),
        (b'{"text":7,"part":{"text":"b"},"raw":[1]}', Whole(part=Part("b"), raw=msgspec.Raw(b"[1]"))),
        (b'{"text":"a","part":{"text":7,"number":2,"new":[]}}', Whole("a", Part("", 2))),
        (b'{"text":"a","part":[]}', Whole("a")),
        (b'{"text":null,"part":null}', Whole()),
        (rb'{"text":7,"part":{"text":"cut \ud83d"}}', Whole(part=Part("cut \ufffd"))),
        (b'{"text":"a","numbers":{"number":"2"}}', Whole("a")),
    ],
)
def test_a_field_of_another_type_is_lost_alone(document: bytes, whole: Whole) -> None:
    assert lenient.record(document, Whole) == whole


@pytest.mark.parametrize("document", [b"", b"{", b"[]", b"7", b'{"text":"\xff"}', b'{"a":' * 100_000])
def test_a_value_that_is_no_object_has_no_fields(document: bytes) -> None:
    with pytest.raises(msgspec.MsgspecError):
        lenient.record(document, Whole)


@pytest.mark.parametrize("number", ["1e308", "9e307", "1e-320", "1e23"])
def test_a_file_full_of_floats_takes_no_longer_than_another(number: str) -> None:
    document = f'{{"a": [{",".join([number] * 170_000)}]}}'.encode()
    with processor_time.at_most(0.5):
        assert lenient.decode(document, dict[str, Any])["a"][0] == float(number)

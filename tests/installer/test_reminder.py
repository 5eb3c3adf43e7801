import json

import pytest

from installer import reminder


@pytest.mark.parametrize("text", ["", "{}", "{\n}\n", '{"model": "opus"}', '{\r\n    "model": "opus"\r\n}\r\n'])
def test_what_was_put_in_is_taken_out_again(text: str) -> None:
    added = reminder.add(text)

    assert json.loads(added)["totalTokensReminder"] == "countdown"
    assert reminder.is_offered(text)
    assert not reminder.is_offered(added)
    assert reminder.add(added) == added
    assert json.loads(reminder.remove(added)) == json.loads(text or "{}")
    assert reminder.remove(added) == text or not json.loads(text or "{}")


@pytest.mark.parametrize("value", ['"off"', '"fixed"', "null", "5"])
def test_what_the_person_has_set_is_theirs(value: str) -> None:
    text = f'{{"totalTokensReminder": {value}}}'

    assert not reminder.is_offered(text)
    assert reminder.add(text) == text
    assert reminder.remove(text) == text


def test_where_it_is_not_there_nothing_is_taken_out() -> None:
    assert reminder.remove("") == ""
    assert reminder.remove("[]") == "[]"
    assert reminder.remove('{"a": 1}') == '{"a": 1}'
    assert not reminder.is_offered("[]")

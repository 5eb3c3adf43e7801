import json

import pytest

from installer.settings.offers import reminder
from tests.installer.conftest import Home


@pytest.mark.parametrize("text", ["{}", "{\n}\n", '{"model": "opus"}', '{\r\n    "model": "opus"\r\n}\r\n'])
def test_an_added_reminder_is_removed_again(text: str) -> None:
    added = reminder.add(text)

    assert json.loads(added)["totalTokensReminder"] == "countdown"
    assert reminder.is_offered(text)
    assert not reminder.is_offered(added)
    assert reminder.add(added) == added
    assert json.loads(reminder.remove(added)) == json.loads(text)
    assert reminder.remove(added) == text or not json.loads(text)


@pytest.mark.parametrize("value", ['"off"', '"fixed"', "null", "5"])
def test_a_reminder_set_by_the_person_is_theirs(value: str) -> None:
    text = f'{{"totalTokensReminder": {value}}}'

    assert not reminder.is_offered(text)
    assert reminder.add(text) == text
    assert reminder.remove(text) == text


def test_without_a_reminder_nothing_is_removed() -> None:
    assert reminder.remove("[]") == "[]"
    assert reminder.remove('{"a": 1}') == '{"a": 1}'


def test_without_a_terminal_it_is_unchanged(home: Home) -> None:
    home.installed()

    assert "totalTokensReminder" not in json.loads(home.settings.read_bytes())


def test_on_request_it_is_set_and_removed(home: Home) -> None:
    home.write(b'{\n  "model": "opus"\n}\n')
    before = home.tree()
    home.installed("--countdown")
    assert json.loads(home.settings.read_bytes())["totalTokensReminder"] == "countdown"
    assert "totalTokensReminder countdown (--no-countdown)" in home.installed()
    home.installed("uninstall")

    assert home.tree() == before


def test_it_is_removed_from_settings_changed_since(home: Home) -> None:
    home.installed("--countdown")
    changed = json.loads(home.settings.read_bytes()) | {"model": "opus"}
    home.settings.write_text(json.dumps(changed), encoding="utf-8")
    home.installed("uninstall")

    assert json.loads(home.settings.read_bytes()) == {"model": "opus"}


def test_the_persons_own_reminder_stays_after_uninstalling(home: Home) -> None:
    home.write(b'{"totalTokensReminder": "countdown"}')
    home.installed("--countdown")
    changed = json.loads(home.settings.read_bytes()) | {"model": "opus"}
    home.settings.write_text(json.dumps(changed), encoding="utf-8")
    home.installed("uninstall")

    assert json.loads(home.settings.read_bytes()) == {"totalTokensReminder": "countdown", "model": "opus"}


def test_it_can_be_removed_by_option(home: Home) -> None:
    home.installed("--countdown")
    home.installed("--no-countdown")

    assert "totalTokensReminder" not in json.loads(home.settings.read_bytes())


@pytest.mark.parametrize(("answer", "value"), [("", None), ("y", "countdown")])
def test_a_terminal_asks_once(home: Home, answer: str, value: str | None) -> None:
    assert "totalTokensReminder: countdown)? [y/N]" in home.answer(answer, "y")
    assert json.loads(home.settings.read_bytes()).get("totalTokensReminder") == value

    assert "[y/N]" not in home.answer("y")
    assert json.loads(home.settings.read_bytes()).get("totalTokensReminder") == value

"""Refusals of `tidegauge config`: one line that names the key and what would be right, with nothing changed."""

import argparse
from typing import Any

import pytest

from commands.command import CommandError
from commands.config import change, document
from tests.commands.configured import config, of_project, personal
from tests.commands.person import Person


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (("set", "levels.warning.remaining", "101"), ("levels.warning.remaining", "a number <= 100", "'101'")),
        (("set", "levels.warning.every", "often"), ("levels.warning.every", "expected a whole number", "'often'")),
        (("set", "hooks.context_warnings", "maybe"), ("hooks.context_warnings", "expected true or false", "'maybe'")),
        (("set", "messages.style", "rude"), ('"directive" or "advisory"', "'rude'")),
        (("set", "messages.summary_file", "../up.md"), ("expected a relative path, such as NOTES.md",)),
        (("set", "statusline.hide", "cots"), ("statusline.hide", "cost", "'cots'")),
        (("set", "window.size", "null"), ("window.size", "tidegauge config unset window.size")),
        (("set", "window.models", "qwen-max"), ("window.models: expected NAME=VALUE",)),
        (("set", "levels.warning.remaining", "20"), ("levels: remaining must fall", "nothing was changed")),
        (
            ("set", "levels.warning.max_tokens", "60000"),
            ("levels: warning.max_tokens (60,000) must not be less than critical.max_tokens (100,000)",),
        ),
        (
            ("set", "levels.exhausted.compact_margin_tokens", "15000"),
            ("levels: critical.compact_margin_tokens (10,000) must not be",),
        ),
        (("set", "prompt_tag.tiers.low", "0.9"), ("prompt_tag.tiers: the tiers must rise",)),
        (("set", "levels", "5"), ("levels is a section",)),
        (("set", "levels.warnin.remaining", "5"), ("no such setting; did you mean levels.warning.remaining",)),
        (
            ("set", "levels.warning.remainig", "5"),
            ("did you mean levels.warning.remaining or levels.warning.max_tokens?",),
        ),
        (("get", "window.siz"), ("did you mean window.size?",)),
        (("get", "sise"), ("sise: no such setting",)),
        (("unset", "color"), ("did you mean statusline.color?",)),
        (
            ("set", "--project", "hooks.context_warnings", "off"),
            ("not for a project's file to set", "without --project"),
        ),
        (("set", "--project", "messages.summary_file", "x"), ("not for a project's file to set",)),
        (
            ("set", "--project", "levels.warning.every", "21"),
            ("levels.warning.every: expected 2.5 to 10", "tidegauge.toml"),
        ),
        (("set", "window.size"), ("missing: VALUE", "tidegauge config set [--project] KEY VALUE")),
        ((), ("get", "set", "unset")),
    ],
)
def test_invalid_values_are_refused_in_one_line(
    person: Person, arguments: tuple[str, ...], parts: tuple[str, ...]
) -> None:
    output = config(person, *arguments, code=2)
    assert [part for part in parts if part not in output] == []
    assert not personal(person).exists()
    assert not of_project(person).exists()


@pytest.mark.parametrize("action", [("set", "window.size", "5000"), ("unset", "window.size")])
@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[window]\nsize = = 5\n", "(at line 2, column 8)"),
        ("[window]\nsize = [5,\n", "(at end of document)"),
        ("a = 1\na = 2\n", "(at line 2, column 6)"),
    ],
)
def test_a_broken_file_is_not_touched(person: Person, action: tuple[str, ...], text: str, place: str) -> None:
    person.configure(text)
    output = config(person, *action, code=1)
    assert output.startswith(f"tidegauge: {personal(person)}: ")
    assert f"{place}; nothing was changed" in output
    assert personal(person).read_text() == text


@pytest.mark.parametrize("text", ["window = 5\n", "[[window]]\nsize = 5\n"])
def test_a_value_in_place_of_a_section_is_not_overwritten(person: Person, text: str) -> None:
    person.configure(text)
    assert str(personal(person)) in config(person, "set", "window.size", "5000", code=1)
    assert personal(person).read_text() == text


@pytest.mark.parametrize("present", [None, "# mine\n"])
def test_another_programs_simultaneous_change_is_not_overwritten(
    person: Person, monkeypatch: pytest.MonkeyPatch, present: str | None
) -> None:
    if present is not None:
        personal(person).parent.mkdir(parents=True, exist_ok=True)
        personal(person).write_text(present)

    def edited(text: str, key: str, value: Any) -> str:
        personal(person).parent.mkdir(parents=True, exist_ok=True)
        personal(person).write_text("# another's\n")
        return document_edited(text, key, value)

    document_edited = document.edited
    monkeypatch.setattr(document, "edited", edited)
    options = argparse.Namespace(project=False, key="levels.warning.remaining", value="36")
    with pytest.raises(CommandError, match="another program has just changed it; try again"):
        change.set_value(options, str(person.root))
    assert personal(person).read_text() == "# another's\n"

"""What `tidegauge config set` accepts as a list, a table and a directory."""

from typing import Any

import pytest

from tests.commands.configured import config, personal, values
from tests.commands.person import Person


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("statusline.hide", '["cost"]', ["cost"]),
        ("statusline.hide", "[]", []),
        ("statusline.lines", '[["model", "context"], ["cost"]]', [["model", "context"], ["cost"]]),
        ("read_guard.ignore", '["*.{js,ts}", "a,b/"]', ["*.{js,ts}", "a,b/"]),
        ("history.prices", '{"claude-x" = "1 2 3 4 5"}', {"claude-x": "1 2 3 4 5"}),
    ],
)
def test_a_list_or_a_table_may_be_written_as_in_the_file(person: Person, key: str, text: str, value: Any) -> None:
    config(person, "set", key, text)

    section, _, name = key.partition(".")
    assert values(personal(person))[section] == {name: value}
    assert config(person, "get", key) == text


@pytest.mark.parametrize("text", ["relative", "./here", "", "C"])
def test_the_bridges_directory_must_be_absolute(person: Person, text: str) -> None:
    assert "bridge.directory: expected an absolute path, not" in config(person, "set", "bridge.directory", text, code=2)

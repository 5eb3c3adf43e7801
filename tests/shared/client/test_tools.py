import re
from typing import get_args

import pytest

from shared.client.client import READING_TOOLS, WRITING_TOOLS
from shared.client.tools import EDIT_KINDS, PATH_KINDS, READ_KINDS, TOOLS, Kind


def test_every_kind_has_a_tool() -> None:
    kinds = set(get_args(Kind))
    assert {tool.kind for tool in TOOLS.values()} | {"part", "other"} == kinds
    assert kinds >= PATH_KINDS | READ_KINDS | EDIT_KINDS


def test_the_hook_for_writing_tools_is_registered_for_all_that_edit() -> None:
    assert set(WRITING_TOOLS) == {name for name, tool in TOOLS.items() if tool.kind in EDIT_KINDS}


@pytest.mark.parametrize("name", sorted(READING_TOOLS))
def test_the_read_guards_tools_are_in_the_table(name: str) -> None:
    assert TOOLS[name].kind in {"read", "search", "command"}


@pytest.mark.parametrize(("name", "tool"), TOOLS.items())
def test_tools_of_files_name_their_path(name: str, tool: tuple[str, str]) -> None:
    kind, subject = tool
    if kind in READ_KINDS | EDIT_KINDS:
        assert re.fullmatch("(file|notebook)_path", subject), name

"""A row of the table is read with its continuation lines, its fragments and its trailing blanks."""

import re
from pathlib import Path
from re import _parser as parser  # type: ignore[attr-defined]  # there is no public one
from typing import Any

import pytest

from shared.secrets import tables

SECTIONS = [
    "no passwords",
    "keys",
    "keys by a part",
    "programs",
    "before a secret",
    "before a password",
    "commands with a password",
    "passwords",
    "passwords without blanks",
]


@pytest.mark.parametrize("section", SECTIONS)
def test_every_pattern_is_complete_and_compiles(section: str) -> None:
    for called, pattern in tables.rows(section):
        assert called
        re.compile(pattern)
        assert not re.search(r"␣|\{[A-Z]", called + pattern)


@pytest.mark.parametrize("section", SECTIONS[1:7])  # what is no password is looked at in a word, which is short
def test_no_unbounded_repetition_is_nested_in_another(section: str) -> None:
    """It would try a text in at least as many ways as the text has characters."""
    for _, pattern in tables.rows(section):
        assert not _nested(parser.parse(pattern), is_within=False), pattern


def _nested(part: Any, *, is_within: bool) -> bool:
    """Whether an unbounded repetition is within one that isn't possessive."""
    if isinstance(part, parser.SubPattern):
        return any(
            _nested(arguments, is_within=is_within or _is_endless(name, arguments))
            or (is_within and _is_endless(name, arguments))
            for name, arguments in part
        )
    inner = part if isinstance(part, list | tuple) else ()
    return any(_nested(node, is_within=is_within) for node in inner)


def _is_endless(name: Any, arguments: Any) -> bool:
    return name in {parser.MAX_REPEAT, parser.MIN_REPEAT} and arguments[1] == parser.MAXREPEAT


def test_each_word_of_a_row_triggers_its_pattern_and_indented_lines_continue_a_row() -> None:
    keys = tables.by_word("keys")
    assert keys["sk-ant-"] == keys["duffel_live_"] == keys["duffel_test_"] == ["[A-Za-z0-9_-]{16,}"]
    assert len(tables.by_word("programs")["snmpget"]) == 3


def test_a_blank_at_an_end_is_kept_and_without_an_arrow_the_part_is_the_pattern() -> None:
    commands = dict(tables.rows("commands with a password"))
    assert re.fullmatch(commands["user add "], "user add ")
    assert all(called.endswith(" ") for called in commands)


def test_no_line_has_trailing_blanks() -> None:
    text = Path(tables.__file__).with_suffix(".txt").read_text(encoding="utf-8")
    assert not [line for line in text.split("\n") if line != line.rstrip()]

"""Commands' output: facts and tables that fit, nothing that steers a terminal, and ASCII where only that works."""

import json
import re
import shutil
import subprocess

import pytest

from commands import terminal
from commands.terminal import TableRow, facts, json_text, shell_word, table
from shared.text.report_row import ReportRow


def test_facts_are_wrapped_with_an_indent_and_a_path_stays_whole() -> None:
    lines = list(facts([ReportRow("label", "some words and /a/path/that/is/long/and/must/be/copied")], 36))

    assert lines == ["  label           some words and", "                  /a/path/that/is/long/and/must/be/copied"]
    assert list(facts([ReportRow("label", "some words")], None)) == ["  label           some words"]


def test_a_table_aligns_characters_of_two_columns() -> None:
    rows = [TableRow(("project", "tokens")), TableRow(("界界界界界", "12")), TableRow(("shop", "3"))]
    assert [*table(rows, None)] == [
        "  project     tokens",
        "  界界界界界      12",
        "  shop             3",
    ]


def test_a_table_aligns_numbers_and_titles_stand_alone() -> None:
    rows = [TableRow(("size", "what")), TableRow(("a title",)), TableRow(("5", "five")), TableRow(("1,234", "many"))]

    assert list(table(rows, None)) == ["   size  what", "a title", "      5  five", "  1,234  many"]


def test_in_a_narrow_terminal_the_last_column_is_below_the_others() -> None:
    rows = [TableRow(("first", "second", "third")), TableRow(("1", "2", "many words"))]

    assert list(table(rows, 22)) == ["  first  second  third", "      1       2", "    many words"]
    assert list(table(rows, 12)) == ["  first", "    second  third", "      1", "    2  many words"]


def test_colours_do_not_change_a_tables_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [TableRow(("wrong", "a subject of some columns", "what is wrong " * 9), "urgent")]
    plain_lines = list(table(rows, 40))
    monkeypatch.setattr(terminal, "is_coloured", lambda: True)

    assert [re.sub(r"\033\[[\d;]*m", "", line) for line in table(rows, 40)] == plain_lines


@pytest.mark.parametrize("name", ["plain", "two words", "it's", "\x1b[2Jx", "a\nb", "\u202ered", "é", "caf\udce9"])
def test_a_quoted_shell_word_is_safe_to_show_and_keeps_its_meaning(name: str) -> None:
    word = shell_word(name)

    assert "\x1b" not in word
    assert "\n" not in word
    assert "\u202e" not in word
    bash = shutil.which("bash")
    if bash:
        result = subprocess.run([bash, "-c", f"printf %s {word}"], capture_output=True, check=True)
        assert result.stdout == name.encode("utf-8", "surrogateescape")


def test_json_keeps_names_that_are_not_utf_8() -> None:
    assert json.loads(json_text({"path": ["caf\udce9"]})) == {"path": ["caf\\udce9"]}


def test_json_cannot_steer_the_terminal_and_keeps_its_meaning() -> None:
    document = {"model": "caf\u00e9 \x7f\x9b2J\u202e\U000e0041 \U0001f600"}
    text = json_text(document)

    assert not {"\x7f", "\x9b", "\u202e", "\U000e0041"}.intersection(text)
    assert "caf\u00e9" in text
    assert json.loads(text) == document


def test_a_stream_of_ascii_gets_readable_substitutes() -> None:
    assert "a — b … → ≤ é".encode("ascii", "tidegauge") == b"a - b ... -> <= ?"

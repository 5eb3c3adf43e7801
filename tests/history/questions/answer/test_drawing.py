import importlib
import io
import re
import sys

import msgspec
import pytest

from history.bill.calls import load
from history.bill.levers import levers
from history.questions import QUESTIONS
from history.questions.answer import drawing
from history.questions.answer.advice import advised
from history.questions.answer.question import (
    QuestionAnswer,
    QuestionColumn,
    QuestionModule,
    QuestionTable,
    right,
    title_since,
)
from history.store.schema import PartKind, RebuildCause, WarningOutcome
from shared.gauge.levels import Level
from tests.history.questions.stored import START, Stored

Captured = pytest.CaptureFixture[str]
_STYLE = re.compile(r"\x1b\[[\d;]*m")
ADVICE = "Nothing to change."


def drawn(answer: QuestionAnswer, capsys: Captured, monkeypatch: pytest.MonkeyPatch, columns: int = 0) -> str:
    if columns:
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setenv("FORCE_COLOR", "1")
        monkeypatch.setenv("TERM", "xterm-256color")
    drawing.draw(answer)
    text = capsys.readouterr().out
    assert ("\x1b" in text) == bool(columns)
    return _STYLE.sub("", text)


def table(*rows: tuple[str, ...]) -> QuestionTable:
    return QuestionTable((*right("tokens"), QuestionColumn("file", "path")), rows, "Files")


def test_into_a_pipe_every_row_is_one_line_of_plain_text(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    path = "/a/very/long/path" * 30
    text = drawn(QuestionAnswer(None, [table(("1k", path))], ADVICE, "Title", ["a fact " * 40]), capsys, monkeypatch)

    assert text.splitlines()[3:] == ["Files", "  tokens  file", f"      1k  {path}", "", ADVICE]
    assert not [line for line in text.splitlines() if line != line.rstrip()]


def test_on_a_narrow_terminal_numbers_stay_whole_and_paths_lose_their_beginning(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [("123,456", "/home/p/界/" + "deep/" * 30 + "file.py")]
    text = drawn(QuestionAnswer(None, [table(*rows)], ADVICE), capsys, monkeypatch, columns=40)

    row = next(line for line in text.splitlines() if "123,456" in line)
    assert row.endswith("deep/file.py")
    assert "…" in row
    assert len(row) <= 40


def test_tables_without_rows_are_left_out_and_rows_left_out_are_counted(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = msgspec.structs.replace(table(*[("1", "a")] * 1_235), most=1)
    text = drawn(QuestionAnswer(None, [table(), shown], ADVICE, title_since("Title", START)), capsys, monkeypatch)

    assert text.count("Files") == 1
    assert "… 1,234 more in --json" in text
    assert ", since 2026-" in text


def test_names_from_outside_cannot_steer_the_terminal(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    text = drawn(QuestionAnswer(None, [table(("1", "/a\x1b[31m\nb[bold]"))]), capsys, monkeypatch, columns=60)

    assert "/ab[bold]" in text


def test_a_terminal_without_blocks_gets_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(written, encoding="ascii", errors="strict"))
    drawing.draw(QuestionAnswer(None, (), "▁▂▃▄▅▆▇█…"))
    sys.stdout.flush()

    assert b"_.-=+*%#~" in written.getvalue()


@pytest.fixture
def full(stored: Stored) -> Stored:
    """A store in which every table of every page has its largest cells."""
    for number in range(30):
        session = stored.conversation(f"s{number}", project="/home/person/code/" + "folder/" * 9, at=START + number * 9)
        session.call(session.part(PartKind.START, 199_999), level="WARNING")
        for _ in range(30):
            path = f"/home/person/{'folder/' * 12}file{number}.py"
            session.call(
                session.tool(10_999, path=path), level="EXHAUSTED", rebuild=RebuildCause.PREFIX_CHANGED, rebuilt=123_456
            )
        session.call(
            session.tool(88_888, f"mcp__{'server' * 9}__tool"), session.part(PartKind.ATTACHMENT, 1, "hook" * 30)
        )
        session.call(session.part(PartKind.TOOL, 9_999, "Agent", subagent="type" * 30))
        for level in Level:
            session.warning(level, WarningOutcome.COMPACTED)
        session.compaction(milliseconds=99_999_999)
        stored.rate_limit("7d", START + number * 86_400 * 9, 100, START + number * 86_400 * 9 + 7 * 86_400)
    return stored


def asked(name: str, stored: Stored) -> QuestionAnswer:
    question: QuestionModule = importlib.import_module(QUESTIONS[name])  # type: ignore[assignment]  # a module is its question
    answer = question.shown(question.figures(stored.asked(), 0))
    return advised(answer, levers(load(stored.asked(), 0, {})), question.LEVERS)


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_answer_fits_into_eighty_columns_and_ends_with_its_advice(
    name: str, full: Stored, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = asked(name, full)
    text = drawn(answer, capsys, monkeypatch, columns=80)

    assert max(len(line) for line in text.splitlines()) <= 80
    for one in answer.tables:
        whole = [place for place, head in enumerate(one.columns) if getattr(head, "kind", "") != "path"]
        cells = [drawing.cell_text(row[place]) for row in one.rows[: one.most] for place in whole]
        assert [cell for cell in cells if cell not in text] == []
    assert " ".join(text.split()).endswith(answer.advice)


@pytest.mark.parametrize("name", QUESTIONS)
def test_an_empty_store_is_answered_too(
    name: str, stored: Stored, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = asked(name, stored)

    assert isinstance(msgspec.json.decode(msgspec.json.encode(answer.document)), dict)
    assert drawn(answer, capsys, monkeypatch).splitlines()[-1].startswith("Nothing to change: ")

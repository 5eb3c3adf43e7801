import importlib
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import msgspec
import pytest

from commands.history import drawing
from history.bill.calls import load
from history.bill.levers import levers
from history.bill.replay import Policy
from history.questions import QUESTIONS
from history.questions.answer import replay_answer
from history.questions.answer.advice import advised
from history.questions.answer.question import (
    QuestionAnswer,
    QuestionTable,
)
from history.store.schema import PartKind, RebuildCause, WarningOutcome
from shared.gauge.levels import Level
from statusline.terminal.width import columns
from tests.history import trees
from tests.history.questions.stored import START, Stored

ADVICE = "Nothing to change."
NAMES = {"tool", "file", "directory", "server", "type", "what", "project"}
"""The heads of columns whose names come from outside, and may be too long for a line."""


def draw(answer: QuestionAnswer, columns: int | None = None) -> str:
    return "\n".join(drawing.lines(answer, columns))


def table(*rows: tuple[str, ...]) -> QuestionTable:
    return QuestionTable(("tokens", "file"), rows, "Files")


def test_in_a_pipe_every_row_is_one_plain_line() -> None:
    path = "/a/very/long/path" * 30
    text = draw(QuestionAnswer(None, [table(("1k", path))], ADVICE, "Title", ["one fact, " * 40 + "and so on"]))

    assert text.splitlines()[3:] == ["Files", "  tokens  file", f"      1k  {path}", "", ADVICE]
    assert not [line for line in text.splitlines() if line != line.rstrip()]


def test_on_a_narrow_terminal_numbers_stay_whole_and_paths_lose_their_beginning() -> None:
    rows = [("123,456", "/home/p/界/" + "deep/" * 30 + "file.py")]
    text = draw(QuestionAnswer(None, [table(*rows)], ADVICE), 40)

    row = next(line for line in text.splitlines() if "123,456" in line)
    assert row.endswith("deep/file.py")
    assert "…" in row
    assert len(row) <= 40


def test_wide_names_leave_the_path_only_the_rest_of_the_line() -> None:
    rows = [("界界界界界界", "/home/p/" + "deep/" * 30 + "file.py"), ("shop", "/a.py")]
    text = draw(QuestionAnswer(None, [table(*rows)], ADVICE), 40)

    wide, narrow = text.splitlines()[2:4]
    assert wide.endswith("deep/file.py")
    assert columns(wide) == 40
    assert columns(wide[: wide.index("…")]) == narrow.index("/a.py")


def test_empty_tables_are_left_out_and_omitted_rows_are_counted() -> None:
    part = msgspec.structs.replace(table(*[("1", "a")] * 1_235), most=1)
    text = draw(QuestionAnswer({}, [table(), part], ADVICE, "Title").since(START))

    assert text.count("Files") == 1
    assert "… 1,234 more in --json" in text
    assert ", since 2026-" in text


def test_names_from_outside_cannot_steer_the_terminal() -> None:
    text = draw(QuestionAnswer(None, [table(("1", "/a\x1b[31m\nb[bold]"))]), 60)

    assert "/ab[bold]" in text


def test_a_terminal_without_blocks_gets_letters() -> None:
    text = draw(QuestionAnswer(None, (), "▁▂▃▄▅▆▇█"))

    assert text.encode("ascii", "tidegauge").split(b"\n")[-1] == b"_.-=+*%#"


@pytest.fixture
def stored(tmp_path: Path) -> Iterator[Stored]:
    """A store without rows."""
    with ExitStack() as opened:
        yield Stored(trees.root_in(tmp_path), opened)


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
    question = importlib.import_module(QUESTIONS[name])
    answer = question.presentation(question.figures(stored.asked(), 0))
    return advised(answer, load(stored.asked(), 0, {}), question.LEVERS) if question.LEVERS else answer


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_answer_fits_into_eighty_columns_and_ends_with_its_advice(name: str, full: Stored) -> None:
    answer = asked(name, full)
    text = draw(answer, 80)

    assert max(len(line) for line in text.splitlines()) <= 80
    for one in answer.tables:
        whole = [place for place, head in enumerate(one.columns) if head not in NAMES]
        cells = [drawing.cell_text(row[place]) for row in one.rows[: one.most] for place in whole]
        assert [cell for cell in cells if cell not in text] == []
    assert " ".join(text.split()).endswith(answer.advice)


@pytest.mark.parametrize("name", QUESTIONS)
def test_no_lever_is_named_twice(name: str, full: Stored) -> None:
    text = " ".join(draw(asked(name, full), 80).split())
    own = levers(load(full.asked(), 0, {})).of(importlib.import_module(QUESTIONS[name]).LEVERS)

    named = len(own) if name == "top" else 1
    assert [text.count(lever.change) for lever in own] == [int(place < named) for place in range(len(own))]


@pytest.mark.parametrize("name", QUESTIONS)
def test_an_empty_store_has_answers_too(name: str, stored: Stored) -> None:
    answer = asked(name, stored)

    assert isinstance(msgspec.json.decode(msgspec.json.encode(answer.document)), dict)
    assert answer.advice == ""
    assert "Known: how the tokens are known" not in draw(answer, 80)


def test_without_a_call_nothing_is_replayed(stored: Stored) -> None:
    answer = replay_answer.ask(load(stored.asked(), 0, {}), Policy())

    assert draw(answer, 80).splitlines()[-1] == "Nothing to replay yet."
    assert "Assumed" not in draw(answer, 80)

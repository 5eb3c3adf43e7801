"""The report, row by row: what it says about a session, and what it leaves out where nothing is known."""

import os
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from monitor.memory.memory import LastPivot
from monitor.pivot.decision import Complexity, Decision, Strategy
from monitor.pivot.overview import SessionOverview
from monitor.pivot.patterns.finding import Evidence, Finding
from monitor.pivot.report import lines, rows
from shared.gauge.levels import Level
from shared.gauge.verdict import Verdict
from shared.gauge.window import Reading, WindowSource
from shared.text.report_row import ReportRow

READING = Reading(20, 160_000, 200_000, "transcript", WindowSource.BRIDGE, 0.0)
FORGETS = Finding(
    "lost-in-the-middle",
    0.75,
    (Evidence("5 reads were made again", 5, (3, 9), ("/shop/a.py", "/shop/b.py")), Evidence("and more", 1, (4, 4))),
)


def overview(**fields: Any) -> SessionOverview:
    facts_by_name: dict[str, Any] = {
        "session_id": "session-1",
        "transcript": "/t.jsonl",
        "verdict": Verdict(READING, Level.CRITICAL),
        "used": 80.0,
        "tokens": 160_000,
        "window": 200_000,
        "source": "transcript",
        "age": 130.0,
        "tool_calls": 9,
        "ladders": {},
        "patterns": (),
        "complexity": Complexity("simple", ("1 file edited", "2 open tasks")),
        "decision": Decision(Strategy.NOTHING, "Nothing to do", ("it is full",)),
        "thresholds_triggered": (),
        "last_pivot": None,
        "next": "Compaction is near: let it happen, or continue in a new session.",
    }
    return SessionOverview(**(facts_by_name | fields))


def texts_of(**fields: Any) -> dict[str, str]:
    """The rows' texts by label, without continuation rows."""
    return {row.label: row.text for row in rows(overview(**fields)) if row.label}


def tones(**fields: Any) -> dict[str, str]:
    return {row.label: row.tone for row in rows(overview(**fields)) if row.label}


def test_a_row_is_a_label_and_a_text_in_columns() -> None:
    messages = lines(overview())
    assert messages[0] == "Session session-1"
    assert messages[1] == "  usage           160,000 of 200,000 tokens, 80% used: CRITICAL"
    assert messages[2].startswith("  measured        by ")
    assert "2m ago" in messages[2]


@pytest.mark.parametrize(
    ("verdict", "usage"),
    [
        (Verdict(READING, Level.CRITICAL), "160,000 of 200,000 tokens, 80% used: CRITICAL"),
        (Verdict(msgspec.structs.replace(READING, tokens=None), Level.CRITICAL), "80% used: CRITICAL"),
        (
            Verdict(msgspec.structs.replace(READING, remaining=None, window=None), Level.NORMAL),
            "160,000 tokens, window size unknown",
        ),
        (None, "about 160,000 tokens: neither the status line nor the transcript says"),
    ],
)
def test_the_usage_shows_what_is_known(verdict: Verdict | None, usage: str) -> None:
    assert texts_of(verdict=verdict)["usage"] == usage


def test_an_assumption_is_marked_as_one() -> None:
    messages = texts_of(verdict=None, source="tool_calls", next="")
    assert messages["measured"] == "a guess: 500 tokens a tool call"
    assert "next" not in messages
    assert tones(verdict=None)["usage"] == "quiet"


@pytest.mark.parametrize(
    ("level", "tone"),
    [(Level.NORMAL, "calm"), (Level.WARNING, "notice"), (Level.CRITICAL, "urgent"), (Level.EXHAUSTED, "urgent")],
)
def test_usage_and_next_step_are_as_urgent_as_the_level(level: Level, tone: str) -> None:
    tones_of_rows = tones(verdict=Verdict(READING, level))
    assert (tones_of_rows["usage"], tones_of_rows["next"]) == (tone, tone)


def test_a_forecast_is_shown_if_known() -> None:
    assert texts_of().keys() & {"limit", "forecast"} == set()
    assert "12 tool uses left" in texts_of(verdict=Verdict(READING, Level.CRITICAL, tool_uses_left=12))["forecast"]


def test_without_a_pattern_it_says_so() -> None:
    assert texts_of()["patterns"] == "none: no sign that the session is degrading"
    assert tones()["patterns"] == "calm"


def test_a_pattern_has_its_evidence_and_an_uncertain_one_is_marked() -> None:
    unsure = Finding("distraction", 0.5, (), counts=False)
    result = list(rows(overview(patterns=(FORGETS, unsure))))
    at = next(number for number, row in enumerate(result) if row.label == "patterns")
    assert result[at : at + 4] == [
        ReportRow("patterns", "lost-in-the-middle, score 0.75", "notice"),
        ReportRow("", "  5 reads were made again (turns 3 to 9): /shop/a.py, /shop/b.py", "quiet"),
        ReportRow("", "  and more (turns 4 to 4)", "quiet"),
        ReportRow("", "distraction (too uncertain to decide anything), score 0.5", "quiet"),
    ]


def test_the_kind_of_work_comes_with_its_reasons() -> None:
    assert texts_of()["work"] == "simple: 1 file edited, 2 open tasks"


@pytest.mark.parametrize(
    ("trigger", "words"), [("emergency", "automatic"), ("person", "asked for"), ("critical", "critical")]
)
def test_the_last_work_is_shown_with_its_files(trigger: str, words: str) -> None:
    last = LastPivot("export", "2026-01-05T09:00:00Z", trigger, ("/shop/one", "/shop/two"))
    result = list(rows(overview(last_pivot=last)))
    at = next(number for number, row in enumerate(result) if row.label == "last pivot")
    assert result[at].text == f"export at 2026-01-05T09:00:00Z ({words})"
    assert [row.text for row in result[at + 1 : at + 3]] == ["/shop/one", "/shop/two"]


@pytest.mark.skipif(sys.platform == "win32", reason="a directory has no lock there")
def test_an_export_that_nothing_completes_is_called_so(tmp_path: Path) -> None:
    export = Path(os.path.realpath(tmp_path)) / "001-export"
    export.mkdir()
    last = LastPivot("export", "2026-01-05T09:00:00Z", "emergency", (str(export),))
    assert ReportRow("", f"{export} (incomplete)", "quiet") in list(rows(overview(last_pivot=last)))


def test_a_strategy_is_suggested_with_its_reasons_and_its_command() -> None:
    decision = Decision(Strategy.COMPRESS, "Compress context", ("it is full", "old results"))
    command = "tidegauge status --pivot compress"
    result = list(rows(overview(decision=decision, how=Strategy.COMPRESS, run=command)))
    at = next(number for number, row in enumerate(result) if row.label == "how")
    assert [(row.label, row.text) for row in result[at : at + 4]] == [
        ("how", "compress: compact with a focus"),
        ("", "because it is full"),
        ("", "because old results"),
        ("run", "tidegauge status --pivot compress"),
    ]


def test_reasons_for_another_strategy_are_left_out() -> None:
    decision = Decision(Strategy.COMPRESS, "Compress context", ("it is full",))
    result = list(rows(overview(decision=decision, how=Strategy.SPAWN, run="tidegauge status --pivot spawn")))
    at = next(number for number, row in enumerate(result) if row.label == "how")
    assert [row.label for row in result[at : at + 2]] == ["how", "run"]

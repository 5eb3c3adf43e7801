"""The advice of history and report is about the next task, and leaves "what now" to the guide's table."""

import json
import re
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from history.questions import QUESTIONS
from shared.gauge.levels import Level
from shared.gauge.wording import RESUME
from tests.commands.person import Person
from tests.history.page import made_up
from tests.history.questions.stored import Stored

GUIDE = (Path(__file__).parents[2] / "docs" / "guide.md").read_text(encoding="utf-8")
_OF_THE_TABLE = re.compile(
    rf"\b({'|'.join(level.name for level in Level)}|carry on|let it happen|plan the next step|first warning"
    r"|\d+ ?% (used|remaining|of the window))\b",
    re.IGNORECASE,
)
"""Words of the table's answers, and measures of when to act that compete with its levels."""
_RESTART = re.compile(
    r"start the next task in a new session \(plain `claude`\)"
    r"|Continue in a new session \(tidegauge resume\) before the client compacts"
)
_FIGURES = re.compile(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', re.DOTALL)


@pytest.fixture
def advice(person: Person) -> dict[str, str]:
    """The advice of each question and report section, for sessions that filled up again and again."""
    with ExitStack() as opened:
        made_up.sessions(Stored(str(person.root), opened), 12, 300, now=int(time.time()))
    last = {name: person.tidegauge("history", name).stdout.splitlines()[-1] for name in QUESTIONS}
    lines = {name: line for name, line in last.items() if line.startswith("To change: ")}
    match = _FIGURES.search(Path(person.tidegauge("report").stdout.strip()).read_text("utf-8"))
    assert match
    figures = json.loads(match[1])
    lines |= {f"report: {section}": line for section, line in figures["answers"]["advice"].items()}
    return lines | {f"lever: {lever['name']}": lever["change"] for lever in figures["bill"]["levers"]}


def test_advice_of_history_and_report_is_about_the_next_task(advice: dict[str, str]) -> None:
    """Or about the table's offer from CRITICAL on: a new session in place of the compaction."""
    assert {"sessions", "top", "report: sessions"} <= advice.keys()
    assert [line for line in advice.values() if _OF_THE_TABLE.search(line)] == []
    restarts = [line for line in advice.values() if "new session" in line]
    assert restarts
    assert [line for line in restarts if not _RESTART.search(line)] == []


def test_report_and_commands_give_the_same_advice(advice: dict[str, str]) -> None:
    for name in ("sessions", "compactions", "warnings", "cache", "limits"):
        assert advice.get(name, advice[f"report: {name}"]) == advice[f"report: {name}"]


def test_the_guide_says_which_is_which() -> None:
    table = GUIDE.partition("generated: what-now")[2].partition("<!-- end -->")
    assert RESUME.removesuffix(" N") in table[0]
    assert "the *next task* is" in table[2]

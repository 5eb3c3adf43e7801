"""One answer to "what now": the guide's table, checked against everything that answers it."""

import json
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from monitor import dispatch
from shared.gauge.levels import Level
from shared.gauge.wording import RESUME
from tests.monitor.workshop import Workshop

GUIDE = (Path(__file__).parents[2] / "docs" / "guide.md").read_text(encoding="utf-8")
_ROW = re.compile(r"^\| (\d+)% \| (\w+)(, compaction off)? \| (.*) \| (.*) \|$", re.MULTILINE)


class Row(NamedTuple):
    """One line of the table."""

    used: int
    """Percent."""
    level: str
    is_off: bool
    asked: str
    """What the agent is asked; `nothing` at NORMAL."""
    person: str


ROWS = [Row(int(used), level, bool(off), asked, person) for used, level, off, asked, person in _ROW.findall(GUIDE)]


def messages_at(workshop: Workshop, event: str, **fields: object) -> tuple[str, str]:
    """An event's messages to the agent and to the person."""
    answer = dispatch.main(json.dumps(workshop.payload(event, **fields)).encode(), str(workshop.root)).stdout
    output = json.loads(answer or b"{}")
    return output.get("hookSpecificOutput", {}).get("additionalContext", ""), output.get("systemMessage", "")


def test_the_table_has_every_level_of_either_kind_of_session() -> None:
    assert [row.level for row in ROWS if not row.is_off] == [level.name for level in Level]
    assert [row.level for row in ROWS if row.is_off] == [level.name for level in Level if level]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.used}-{row.level}-{'off' if row.is_off else 'on'}")
@pytest.mark.parametrize("profile", ["core", "full"])
def test_each_answer_matches_the_table(
    workshop: Workshop, row: Row, profile: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (workshop.root / "choices.json").write_text(json.dumps({"profile": profile}))
    if row.is_off:
        monkeypatch.setenv("DISABLE_AUTO_COMPACT", "1")
    workshop.transcript.answer(row.used * 2_000, tool_use_ids=["toolu_1"])
    message, _ = messages_at(workshop, "PostToolUse", tool_name="Bash", tool_input={}, tool_use_id="toolu_1")
    tag, notice = messages_at(workshop, "UserPromptSubmit", prompt="Go on")
    _, report = messages_at(workshop, "UserPromptSubmit", prompt="/token-status")

    number = workshop.memory.saved.number
    command = f"~/.claude/tidegauge/bin/tidegauge resume {number}"
    asked, person = (text.replace(RESUME, command) for text in (row.asked, row.person))
    steps = re.findall(r"^\d\. (.*)$", message, re.MULTILINE)
    assert " ".join(steps) == (asked if row.level != "NORMAL" else "")
    action = tag.partition("<action>")[2].partition("</action>")[0]
    assert row.level == "NORMAL" or action.startswith(steps[0])
    assert f"  next            {person}\n" in report
    head = notice.splitlines()[0] if notice else ""
    assert head in {"", f"\u26a0\ufe0f Tidegauge: {row.used}% used, {row.level}. {person}"}
    assert bool(head) is (row.used >= 70)  # from where on the pivot tells the person

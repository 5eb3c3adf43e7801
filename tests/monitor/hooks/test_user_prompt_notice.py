"""What a person sees with their prompt: the pivot's news, and the report that they ask for."""

import json
import sys
import time

import pytest

from monitor import dispatch
from monitor.exporting.progress import is_whole
from tests import scratch
from tests.levels import level_at
from tests.monitor.exports import exported
from tests.monitor.scene import WARNING
from tests.monitor.workshop import Workshop


def notice(workshop: Workshop, prompt: str = "Go on") -> str:
    answer = dispatch.main(json.dumps(workshop.payload("UserPromptSubmit", prompt=prompt)).encode(), str(workshop.root))
    return str(json.loads(answer.stdout or b"{}").get("systemMessage", ""))


@pytest.fixture
def near_its_end(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> Workshop:
    """A session near its end, with news to tell and no checkpoint yet."""
    monkeypatch.setenv("DISABLE_AUTO_COMPACT", "1")
    workshop.transcript.answer(140_000, tool_use_ids=["toolu_1"])
    workshop.use("toolu_1")
    return workshop


def test_news_is_shown_once(near_its_end: Workshop) -> None:
    assert notice(near_its_end).startswith(f"\u26a0\ufe0f Tidegauge: 70% used, {level_at(140_000, 177_000).name}.")
    assert notice(near_its_end) == ""
    assert scratch.log(near_its_end.root) == []


@pytest.mark.parametrize("tokens", [140_000, 158_000])
def test_a_threshold_not_reported_at_a_tool_use_is_shown_with_the_prompt(workshop: Workshop, tokens: int) -> None:
    """Where the client compacts, only the emergency concerns the agent, and the launcher starts nothing before it."""
    workshop.transcript.answer(tokens)
    assert f"{round(tokens / 2_000)}% used" in notice(workshop)
    assert notice(workshop) == ""


def test_a_message_for_the_agent_waits_for_a_tool_use(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISABLE_AUTO_COMPACT", "1")
    workshop.transcript.answer(169_000)
    assert notice(workshop) == ""
    workshop.transcript.answer(169_001, tool_use_ids=["toolu_1"])
    assert "Tell the user." in str(workshop.use("toolu_1"))


def test_news_is_shown_without_the_tag_too(near_its_end: Workshop) -> None:
    near_its_end.configure("hooks.prompt_tag = false\nhooks.compaction_alert = false\nhooks.checkpoint = false")
    assert "70% used" in notice(near_its_end)
    assert notice(near_its_end) == ""


def test_a_checkpoint_is_named_in_the_news(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISABLE_AUTO_COMPACT", "1")
    workshop.transcript.answer(168_000, tool_use_ids=["toolu_1"])
    workshop.use("toolu_1")
    assert ".claude/tidegauge/checkpoints/cx-001-checkpoint.json" in notice(workshop)


@pytest.mark.skipif(sys.platform == "win32", reason="a directory has no lock there")
@pytest.mark.parametrize("has_copies", [True, False])
def test_what_became_of_an_export_is_told(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch, has_copies: bool
) -> None:
    monkeypatch.setenv("DISABLE_AUTO_COMPACT", "1")
    workshop.transcript.answer(169_000, tool_use_ids=["toolu_1"])
    assert "The session is being exported to .claude/tidegauge/exports/001-export." in workshop.use("toolu_1")
    export = workshop.project / ".claude" / "tidegauge" / "exports" / "001-export"
    copy = exported(export)
    if has_copies:
        assert "\nThe session's export is .claude/tidegauge/exports/001-export." in notice(workshop)
    else:
        copy.unlink()
        while is_whole(str(export)) is None:  # its process is about to end
            time.sleep(0.02)
        assert "\nThe session's export failed: .claude/tidegauge/exports/001-export is incomplete." in notice(workshop)
    assert notice(workshop) == ""


def test_what_an_emergency_saved_is_told_after_a_compaction_too(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISABLE_AUTO_COMPACT", "1")
    workshop.transcript.answer(169_000, tool_use_ids=["toolu_1"])
    workshop.use("toolu_1")
    workshop.transcript.boundary()
    assert notice(workshop).startswith("Tidegauge: ")


def test_below_critical_the_news_names_no_checkpoint(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISABLE_AUTO_COMPACT", "1")
    for tokens in (168_000, WARNING):  # saved, then rewound
        workshop.transcript.answer(tokens, tool_use_ids=[f"toolu_{tokens}"])
        workshop.use(f"toolu_{tokens}")
    message = notice(workshop)
    assert "65% used, WARNING" in message
    assert "checkpoint" not in message


@pytest.mark.parametrize(
    ("prompt", "is_report"),
    [("/token-status", True), ("/compact", False), ("/token-statuses", False), ("Go on", False)],
)
def test_a_report_replaces_the_news(near_its_end: Workshop, prompt: str, *, is_report: bool) -> None:
    message = notice(near_its_end, prompt)
    assert message.startswith("Session session-1\n") is is_report
    assert message.startswith("\u26a0") is not is_report

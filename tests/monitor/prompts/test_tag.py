"""The tag's recommendation: a step where the figures are certain, else advice; and its text where nothing is known."""

import time
from typing import Literal

import pytest

from monitor.prompts.tag import prompt_tag
from shared.gauge import bridge as bridges
from shared.gauge.bridge import WindowNote
from shared.gauge.levels import Level, Tier
from shared.gauge.verdict import Verdict
from shared.gauge.window import Reading, WindowSource
from shared.settings.config import Messages
from tests.monitor.workshop import Workshop

UNREADABLE = "<monitoring-ok>false</monitoring-ok>"


@pytest.fixture
def tagging(workshop: Workshop) -> Workshop:
    """A session whose every prompt carries the tag."""
    workshop.configure("hooks.tag_every_prompt = true")
    return workshop


def action(
    source: WindowSource,
    *,
    style: Literal["directive", "advisory"] = "directive",
    level: Level = Level.CRITICAL,
    saved: bool = False,
) -> str:
    verdict = Verdict(Reading(20, 160_000, 200_000, "transcript", source, 0.0), level)
    tag = prompt_tag(verdict, Tier.CRITICAL, Messages(style=style), is_saved=saved)
    return tag.partition("<action>")[2].partition("</action>")[0]


def test_in_an_assumed_window_the_steps_are_advice() -> None:
    assert action(WindowSource.DEFAULT).endswith(
        "The window's size is assumed and may be 1,000,000, so this is advice."
    )
    assert "advice" not in action(WindowSource.BRIDGE)


@pytest.mark.parametrize("source", [WindowSource.BRIDGE, WindowSource.DEFAULT])
def test_the_saved_checkpoint_is_named_between_steps_and_advice(source: WindowSource) -> None:
    saved, plain = action(source, saved=True), action(source)
    words = "Files, commands and tasks are saved; record decisions and the plan."
    assert words in saved
    assert saved.replace(f" {words}", "") == plain


def test_the_advisory_style_gives_the_user_precedence() -> None:
    assert action(WindowSource.BRIDGE, style="advisory").endswith("The user's instructions take precedence.")
    assert "precedence" not in action(WindowSource.BRIDGE)


def test_at_warning_it_has_one_step() -> None:
    assert action(WindowSource.BRIDGE, level=Level.WARNING).count(".") == 1


def test_a_normal_level_asks_for_nothing_but_short_output() -> None:
    assert action(WindowSource.DEFAULT, level=Level.NORMAL, saved=True) == "keep output short"


@pytest.mark.parametrize(
    ("level", "step"),
    [(Level.CRITICAL, "Go on in small steps."), (Level.EXHAUSTED, "Finish only the step you are on.")],
)
def test_a_done_request_is_not_repeated(level: Level, step: str) -> None:
    verdict = Verdict(Reading(20, 160_000, 200_000, "transcript", WindowSource.BRIDGE, 0.0), level)
    tag = prompt_tag(verdict, Tier.CRITICAL, Messages(), is_saved=True, is_done=True)
    assert f"<action>{step}</action>" in tag


def test_a_prompt_after_the_written_summary_asks_for_no_other_write(workshop: Workshop) -> None:
    workshop.configure("hooks.compaction_alert = false")
    workshop.transcript.answer(152_000, tool_use_ids=["toolu_1"])
    assert "Save the state" in workshop.use("toolu_1")
    assert "Save the state" in workshop.prompt()
    (workshop.project / "PROJECT-SUMMARY.md").write_text("It is half done.\n")
    assert "<action>Go on in small steps.</action>" in workshop.prompt()
    workshop.transcript.answer(164_000, tool_use_ids=["toolu_2"])
    assert "Save to PROJECT-SUMMARY.md whatever isn't saved yet." in workshop.prompt()  # a rise asks anew


def test_after_a_rewind_to_the_beginning_nothing_is_known_until_the_next_answer(workshop: Workshop) -> None:
    """Only the status line shows it: the next prompt's parent is on the abandoned branch."""
    answered = time.time() - 20

    def draw_without_figures(seconds: float) -> None:
        note = WindowNote("claude-opus-4-5", 200_000, answered + seconds)
        bridges.write_note(str(workshop.root), workshop.session_id, note)

    workshop.transcript.answer(172_000, at=answered)
    draw_without_figures(0.5)
    assert "<token-count>172000</token-count>" in workshop.prompt()
    draw_without_figures(15)
    assert "<token-count>172000" not in workshop.prompt("Something else")
    workshop.transcript.answer(20_000, at=answered + 20)
    assert "<compaction-alert>" not in workshop.prompt()


def test_while_the_client_compacts_nothing_is_measured(workshop: Workshop) -> None:
    """A prompt typed meanwhile reaches the agent after the compaction."""
    workshop.transcript.answer(167_000)
    workshop.compact()
    assert "<token-count>167000" not in workshop.prompt()
    workshop.transcript.prompt("[Request interrupted by user]")
    assert "<token-count>167000</token-count>" in workshop.prompt()


def test_a_compaction_ends_with_its_client(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    workshop.transcript.answer(167_000)
    workshop.compact()
    later = time.time() + 60
    monkeypatch.setattr(time, "time", lambda: later)
    workshop.start("resume")
    assert "<token-count>167000</token-count>" in workshop.prompt()


def test_before_the_compaction_is_written_nothing_is_measured(workshop: Workshop) -> None:
    workshop.transcript.answer(167_000)
    workshop.prompt()
    workshop.compact()
    workshop.start("compact")
    assert "<token-count>167000" not in workshop.prompt()
    workshop.transcript.boundary(167_000)
    workshop.transcript.answer(140_000)
    assert "<token-count>140000</token-count>" in workshop.prompt()


@pytest.mark.parametrize("source", ["startup", "clear"])
def test_the_first_prompt_of_a_session_without_a_transcript_has_no_tag(tagging: Workshop, source: str) -> None:
    tagging.transcript.path.unlink()
    tagging.start(source)
    assert tagging.prompt() == ""
    assert UNREADABLE in tagging.prompt()  # by now the client has written it, if it ever does


def test_a_reading_from_before_a_compaction_is_no_failure(tagging: Workshop) -> None:
    tagging.transcript.answer(60_000)
    tagging.start("compact")  # the client writes the compaction later
    assert "context-monitor" not in tagging.prompt()


@pytest.mark.parametrize("content", [None, b"", b"not json at all\n", b'{"type":"user"}\n'])
def test_unreadable_figures_are_called_unknown(tagging: Workshop, content: bytes | None) -> None:
    tagging.transcript.path.unlink()
    assert tagging.prompt() == ""  # a session's first prompt, before its first answer
    if content is not None:
        tagging.transcript.path.write_bytes(content)

    tag = tagging.prompt()

    if content is None:
        assert all(part in tag for part in (UNREADABLE, "<tier>NORMAL</tier>", "<token-count>unknown</token-count>"))
        assert len(tag) / 4 <= 200
    else:
        assert tag == ""

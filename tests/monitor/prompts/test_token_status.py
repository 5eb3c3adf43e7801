"""The report on the person's screen after our slash command."""

import json

import pytest

from monitor import dispatch
from tests.monitor.workshop import Workshop


def answered(workshop: Workshop, prompt: str) -> dict[str, object]:
    payload = workshop.payload("UserPromptSubmit", prompt=prompt)
    output = dispatch.main(json.dumps(payload).encode(), str(workshop.root)).stdout
    reply: dict[str, object] = json.loads(output) if output else {}
    return reply


@pytest.mark.parametrize(
    "prompt", ["/token-status", "/token-status --pivot chunk", "/token-status\n", "/tidegauge:token-status --json"]
)
def test_the_screen_shows_the_sessions_state(workshop: Workshop, prompt: str) -> None:
    workshop.transcript.answer(150_000)

    notice = str(answered(workshop, prompt)["systemMessage"])

    assert notice.startswith("Session session-1\n")
    assert "150,000 of 200,000 tokens, 75% used: CRITICAL" in notice


@pytest.mark.parametrize("prompt", ["/token-status --pivot compress", "/token-status --pivot=compress --json"])
def test_the_command_only_the_person_can_type_is_on_the_screen(workshop: Workshop, prompt: str) -> None:
    workshop.transcript.prompt("Don't touch the payment provider")
    workshop.edit("src/app.py")

    notice = str(answered(workshop, prompt)["systemMessage"])

    assert notice.startswith("/compact Keep the task")
    assert "Don't touch the payment provider" in notice
    assert "src/app.py" in notice
    assert "\n" not in notice


@pytest.mark.parametrize("prompt", ["/token-statuses", "what does /token-status do?", "/compact", ""])
def test_other_prompts_show_nothing(workshop: Workshop, prompt: str) -> None:
    workshop.transcript.answer(100_000)

    assert "systemMessage" not in answered(workshop, prompt)


def test_it_is_shown_without_the_tag_too(workshop: Workshop) -> None:
    workshop.configure("[hooks]\nprompt_tag = false\ncompaction_alert = false")
    workshop.transcript.answer(150_000)

    assert list(answered(workshop, "/token-status")) == ["systemMessage"]
    assert answered(workshop, "Go on") == {}


def test_the_report_is_shown_whatever_is_switched_off(workshop: Workshop) -> None:
    workshop.configure("hooks.pivot = false\nhooks.notices = false\nhooks.context_warnings = false")
    workshop.transcript.answer(150_000)

    assert "systemMessage" in answered(workshop, "/token-status")
    assert "systemMessage" not in answered(workshop, "Go on")


def test_a_reset_is_confirmed_on_the_screen(workshop: Workshop) -> None:
    workshop.transcript.answer(150_000)

    first, *others = str(answered(workshop, "/token-status --reset")["systemMessage"]).splitlines()

    assert first == "Reset: every level is announced again in this session."
    assert others[0] == "Session session-1"
    assert first not in str(answered(workshop, "/token-status")["systemMessage"])

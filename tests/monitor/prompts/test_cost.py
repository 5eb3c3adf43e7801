"""The cost of a full window is shown to the person alone, once and at each further step."""

import json

import pytest

from monitor import dispatch
from tests import scratch
from tests.monitor.workshop import Workshop

LONG = 1_000_000


def answered(workshop: Workshop, tokens: int, prompt: str = "Go on") -> dict[str, str]:
    """The texts for the person and the agent at a prompt in a window of a million with `tokens` in use."""
    workshop.transcript.record_requests(is_long=True)
    workshop.transcript.answer(tokens, tool_use_ids=[])
    stdin = json.dumps(workshop.payload("UserPromptSubmit", prompt=prompt)).encode()
    answer = json.loads(dispatch.main(stdin, str(workshop.root)).stdout or b"{}")
    return {"person": answer.get("systemMessage", ""), "agent": str(answer.get("hookSpecificOutput", ""))}


def notices(workshop: Workshop, *tokens: int) -> list[str]:
    return [answered(workshop, each)["person"] for each in tokens]


def test_it_comes_from_200_000_tokens_on_and_at_each_further_100_000(workshop: Workshop) -> None:
    tokens = [199_999, 200_000, 250_000, 299_999, 300_000, 310_000, 520_000, 590_000, 600_000]
    assert [bool(notice) for notice in notices(workshop, *tokens)] == [
        False, True, False, False, True, False, True, False, True,
    ]  # fmt: skip
    assert scratch.log(workshop.root) == []


def test_it_says_what_each_tool_use_reads_and_what_to_do(workshop: Workshop) -> None:
    assert notices(workshop, 240_000) == [
        "Tidegauge: Each tool use re-reads 240k tokens. To move the work to a new session: /token-status --pivot spawn"
    ]


def test_the_agent_is_not_told(workshop: Workshop) -> None:
    workshop.configure("hooks.tag_every_prompt = false")
    assert answered(workshop, 240_000)["agent"] == ""


@pytest.mark.parametrize("setting", ["hooks.notices = false", "notices.cost_tokens = 0"])
def test_it_can_be_switched_off(workshop: Workshop, setting: str) -> None:
    workshop.configure(setting)
    assert notices(workshop, 240_000, 640_000) == ["", ""]


def test_the_person_sets_where_it_begins(workshop: Workshop) -> None:
    workshop.configure("notices.cost_tokens = 120_000")
    assert [bool(notice) for notice in notices(workshop, 119_999, 120_000, 219_999, 220_000)] == [
        False, True, False, True,
    ]  # fmt: skip


def test_in_a_headless_run_there_is_no_notice(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CODE_ENTRYPOINT", "sdk-cli")
    assert notices(workshop, 240_000) == [""]


def test_after_a_compaction_it_starts_over(workshop: Workshop) -> None:
    assert all(notices(workshop, 240_000))
    workshop.start("compact")
    workshop.transcript.boundary(240_000, 9_000)
    assert notices(workshop, 60_000, 210_000)[0] == ""
    assert notices(workshop, 211_000) == [""]  # told with the prompt before


def test_the_report_replaces_the_notice(workshop: Workshop) -> None:
    notice = answered(workshop, 240_000, "/token-status")["person"]
    assert notice.startswith("Session ")
    assert "re-reads" not in notice.splitlines()[0]


def test_beside_a_levels_notice_it_is_only_the_fact(workshop: Workshop) -> None:
    workshop.transcript.record_requests(is_long=True)
    workshop.transcript.answer(955_000, tool_use_ids=["toolu_1"])
    workshop.use("toolu_1")
    first, *_, last = notices(workshop, 955_000)[0].splitlines()
    assert "EXHAUSTED. 45k tokens until compaction." in first
    assert last == "Each tool use re-reads 955k tokens."


def test_far_from_a_level_there_is_one_suggestion(workshop: Workshop) -> None:
    """At 71 % of a million the pivot has reached a threshold, but the window has room."""
    assert [notice.count("/token-status") for notice in notices(workshop, 710_000)] == [1]


def test_without_the_slash_command_it_names_what_works_in_a_terminal(workshop: Workshop) -> None:
    (workshop.root.parent / "commands" / "token-status.md").unlink()
    assert notices(workshop, 240_000)[0].endswith(
        "session: ~/.claude/tidegauge/bin/tidegauge status --pivot spawn --session session-1"
    )


def test_the_size_of_a_fresh_start_is_the_projects_own(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    starts = {str(workshop.project.resolve()): 24_000}
    monkeypatch.setattr("history.fresh_starts.median_fresh_start", lambda _, project: starts.get(project))
    assert "re-reads 240k tokens; a new session here begins with 24k. To" in notices(workshop, 240_000)[0]

import json
import re
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from commands.session.projects import folder_name
from shared.gauge import bridge as bridges
from shared.gauge.bridge import WindowNote
from shared.gauge.levels import begins_at
from tests.commands.person import SESSION, WINDOW, Person
from tests.levels import FIRST, FIRST_REMAINING, FIRST_RULE
from tests.transcripts import Transcript


@pytest.fixture
def transcript(person: Person) -> Transcript:
    return person.transcript()


def answer(transcript: Transcript, person: Person, tokens: int, number: int = 1, **more: Any) -> None:
    where = {"cwd": str(person.project)}
    transcript.answer(tokens, tool_use_ids=[f"toolu_{number}"], at=time.time(), top=where, **more)


def explained(person: Person, session: str = SESSION) -> str:
    result = person.doctor("--session", session)
    assert result.stderr == ""
    return result.stdout


def last_line(person: Person) -> str:
    return explained(person).splitlines()[-1]


def test_far_from_a_level_the_distance_is_told(person: Person, transcript: Transcript) -> None:
    answer(transcript, person, 60_000)

    begins = begins_at(FIRST_RULE, WINDOW)
    distance = f"{begins - 60_000:,} from here"
    assert last_line(person) == (
        f"No message is due because 70% remain, and {FIRST.name} begins at {begins:,} tokens, {distance}."
    )


@pytest.mark.parametrize(
    ("tokens", "level", "reason"),
    [
        (130_000, "WARNING", "35% remain, which is no more than 35 %"),
        (150_000, "CRITICAL", "25% remain, which is no more than 25 %"),
        (172_000, "EXHAUSTED", "14% remain, which is no more than 15 %"),
    ],
)
def test_the_first_message_of_a_level_is_announced(
    person: Person, transcript: Transcript, tokens: int, level: str, reason: str
) -> None:
    answer(transcript, person, tokens)

    first = "no level has been reported since the window was last at NORMAL"
    assert last_line(person) == f"The next tool use will carry {level} because {reason}, and {first}."


def test_the_projects_own_compaction_counts_as_it_does_for_the_hooks(person: Person, transcript: Transcript) -> None:
    answer(transcript, person, 60_000)
    person.write_project_settings(autoCompactWindow=170_000)

    assert "137,000" in explained(person)


@pytest.mark.parametrize("tokens", [132_000, 152_000, 172_000])
def test_what_is_announced_happens(person: Person, transcript: Transcript, tokens: int) -> None:
    announced, happened = [], []
    for number in range(8):
        answer(transcript, person, tokens, number)
        announced.append(last_line(person).startswith("The next tool use will carry"))
        happened.append(bool(person.use_tool(transcript, f"toolu_{number}")))

    assert announced == happened
    assert any(happened)


def test_a_rise_is_named(person: Person, transcript: Transcript) -> None:
    answer(transcript, person, 132_000, 1)
    assert person.use_tool(transcript, "toolu_1")
    answer(transcript, person, 152_000, 2)

    assert last_line(person).endswith("and the level has risen from WARNING.")


def test_the_pause_between_messages_is_explained(person: Person, transcript: Transcript) -> None:
    person.configure("window.size = 200_000")  # of an assumed one it is said once
    for number in (1, 2):
        answer(transcript, person, 132_000, number)
        person.use_tool(transcript, f"toolu_{number}")

    rhythm = "the last message was 1 tool use ago, and WARNING is repeated every 5 tool uses"
    assert last_line(person) == f"The next tool use carries nothing because {rhythm}: the message comes in 4."


def test_a_compaction_starts_over(person: Person, transcript: Transcript) -> None:
    answer(transcript, person, 132_000, 1)
    assert person.use_tool(transcript, "toolu_1")
    transcript.boundary(before=140_000, after=3_000, trigger="manual", at=time.time())
    answer(transcript, person, 133_000, 2)

    output = explained(person)

    assert "compacted by hand 140,000 → 3,000, " in output
    assert output.splitlines()[-1].endswith("no level has been reported since the window was last at NORMAL.")


def test_the_margin_before_a_compaction_is_a_reason(person: Person, transcript: Transcript) -> None:
    person.change_settings(autoCompactWindow=150_000)
    answer(transcript, person, 100_000)

    output = explained(person)

    assert "limit         117,000 tokens (" in output
    assert "because 100,000 tokens are within 20,000 of 117,000 tokens" in output.splitlines()[-1]


@pytest.mark.parametrize(
    ("age", "growth", "expected"),
    [
        (5, 0, r"sampled \d+s ago: fresh$"),
        (100, 0, r"sampled 1m ago: stale, because a sample counts for 60 s$"),
        (-100, 0, r"stamped 1m ahead of the clock: stale, because a sample counts for 60 s$"),
        (5, 1_000, r"sampled \d+s ago: stale, because the transcript has grown by [\d,]+ bytes since$"),
    ],
)
def test_the_bridge_is_judged(person: Person, transcript: Transcript, age: int, growth: int, expected: str) -> None:
    answer(transcript, person, 60_000)
    person.write_bridge(transcript, 60_000, age=age)
    if growth:
        answer(transcript, person, 60_000 + growth, 2)

    output = explained(person)

    source = "bridge" if "fresh" in expected else "transcript"
    assert re.search(r"^  bridge        70 % remaining, 60,000 of 200,000 tokens, " + expected, output, re.MULTILINE)
    assert f"according to the {source}: {60_000 + growth:,} of 200,000 tokens" in output


def test_without_a_bridge_the_transcript_is_read(person: Person, transcript: Transcript) -> None:
    answer(transcript, person, 60_000)

    output = explained(person)

    assert "none: no status line was drawn (headless runs draw none)" in output
    assert "reading       30% used according to the transcript: 60,000 of 200,000 tokens (window: default)" in output


@pytest.mark.parametrize("has_bridge", [True, False])
def test_a_rewind_to_the_first_prompt_is_no_fault(person: Person, transcript: Transcript, *, has_bridge: bool) -> None:
    answer(transcript, person, 172_000)
    if has_bridge:
        person.write_bridge(transcript, 172_000, age=10, written_at=time.time() - 10)
    bridges.write_note(str(person.root), SESSION, WindowNote("claude-opus-4-5", 200_000, time.time() + 5))

    result = person.doctor("--session", SESSION)

    why = "the status line has shown no figures since, as after a rewind to the first prompt"
    assert re.search(rf"^  bridge        .*(none:|stale, because) {why}$", result.stdout, re.MULTILINE)
    assert "  reading  " not in result.stdout
    assert result.returncode == 0


def test_a_session_without_an_answer_is_not_measured(person: Person, transcript: Transcript) -> None:
    transcript.prompt()

    result = person.doctor("--session", SESSION)

    assert result.returncode == 1
    assert "No message is due because nothing is known: the transcript: no answer yet" in result.stdout
    assert "bridge        none: nothing to tell before the next answer" in result.stdout


def test_a_missing_transcript_is_named(person: Person, transcript: Transcript) -> None:
    person.write_bridge(transcript, 60_000, age=500)
    transcript.path.unlink()

    result = person.doctor("--session", SESSION)

    assert result.returncode == 1
    assert f"missing or unreadable: {transcript.path}" in result.stdout
    assert "No message is due because nothing is known" in result.stdout.splitlines()[-1]


def test_a_broken_link_is_the_reason_and_the_rest_is_told_too(person: Person, transcript: Transcript) -> None:
    answer(transcript, person, 132_000)
    person.change_settings(disableAllHooks=True)

    result = person.doctor("--session", SESSION)

    text = f"disableAllHooks is true in {person.settings}: no hook runs, and no status line"
    assert result.returncode == 1
    assert result.stdout.splitlines()[-1].startswith(
        f"No message is due because {text}. Once that is fixed: The next tool use will carry WARNING"
    )


def test_the_settings_are_those_of_the_sessions_project(person: Person, transcript: Transcript) -> None:
    elsewhere = person.home / "elsewhere"
    (elsewhere / ".claude").mkdir(parents=True)
    (elsewhere / ".claude" / "settings.json").write_text('{"disableAllHooks": true}')
    transcript.answer(132_000, at=time.time(), top={"cwd": str(elsewhere)})

    assert last_line(person).startswith(f"No message is due because disableAllHooks is true in {elsewhere}")


def test_warnings_that_are_switched_off_are_the_reason(person: Person, transcript: Transcript) -> None:
    person.configure("[hooks]\ncontext_warnings = false\n")
    answer(transcript, person, 132_000)

    assert last_line(person) == "No message is due because hooks.context_warnings is false."


def test_the_gate_is_told(person: Person, transcript: Transcript) -> None:
    for tokens in (57_000, 58_000, 59_000, 60_000):
        answer(transcript, person, tokens)
    person.use_tool(transcript, "toolu_1")

    limit = int((person.root / "run" / f"gate-{SESSION}").read_text().splitlines()[2])
    assert f"gate          the launcher stays silent while {limit:,} tokens can't have been reached" in explained(
        person
    )


def test_subagents_are_explained_by_their_own_transcripts(person: Person, transcript: Transcript) -> None:
    answer(transcript, person, 60_000)
    answer(transcript.subagent("a1b2"), person, 152_000)

    output = explained(person)

    subagent = output.partition("Subagent a1b2")[2]
    assert "152,000 of 200,000 tokens" in subagent
    assert "The next tool use will carry CRITICAL because" in subagent
    assert "bridge" not in subagent
    assert output.splitlines()[-1].startswith("No message is due because 70% remain")


def test_what_the_client_recorded_is_counted(person: Person, transcript: Transcript) -> None:
    answer(transcript, person, 132_000)
    for remaining in (34, 33):
        head = f"CONTEXT WINDOW WARNING — {remaining}% remaining ({100 - remaining}% used)."
        text = f"---CONTEXT MONITOR---\n{head}\n---END CONTEXT MONITOR---"
        attachment = {"type": "hook_additional_context", "content": [text], "hookName": "PostToolUse:Bash"}
        transcript.append(
            {"type": "attachment", "attachment": attachment, "timestamp": f"2026-01-05T09:00:{remaining}Z"}
        )

    output = explained(person)

    facts = "the transcript records 2 of our messages, the newest WARNING — 33% remaining at 2026-01-05T09:00:33Z"
    assert facts in output


def test_a_message_that_is_only_quoted_does_not_count(person: Person, transcript: Transcript) -> None:
    answer(transcript, person, 60_000, text="---CONTEXT MONITOR---\nCONTEXT WINDOW WARNING — 34% remaining (66% used).")

    assert "the transcript has no message of ours" in explained(person)


def test_a_bridge_of_another_program_may_hold_a_percentage_alone(person: Person, transcript: Transcript) -> None:
    path = person.root / "run" / f"claude-ctx-{SESSION}.json"
    public = {"session_id": SESSION, "remaining_percentage": 62.5, "used_pct": 38, "timestamp": int(time.time())}
    path.write_text(json.dumps(public))

    output = explained(person)

    assert "reading       38% used according to the bridge\n" in output
    assert "level         NORMAL\n" in output
    assert (
        output.splitlines()[-1]
        == f"No message is due because 62% remain, and {FIRST.name} begins at {FIRST_RULE.remaining} %."
    )


def test_a_session_of_another_project_is_judged_by_that_projects_settings(person: Person, tmp_path: Path) -> None:
    other = tmp_path / "other"
    begin_earlier(other)
    begin_earlier(person.project, remaining=60)
    transcript = Transcript(person.client / "projects" / folder_name(str(other)) / f"{SESSION}.jsonl")
    transcript.answer(60_000, at=time.time(), top={"cwd": str(other / "src")})

    output = person.doctor("--session", SESSION, environ={"CLAUDE_PROJECT_DIR": str(person.project)}).stdout

    assert f"  project       {other}\n" in output
    begins = begins_at(msgspec.structs.replace(FIRST_RULE, remaining=50), WINDOW)
    assert f"{FIRST.name} from {begins:,}, " in output


def test_a_session_whose_project_is_not_found_is_judged_by_the_persons_own_settings(person: Person) -> None:
    begin_earlier(person.project)
    person.transcript().answer(60_000, at=time.time())

    output = explained(person)

    assert "  project       not found, so your own settings count\n" in output
    assert f"{FIRST.name} from {begins_at(FIRST_RULE, WINDOW):,}, " in output


def begin_earlier(project: Path, *, remaining: int = 50) -> None:
    (project / ".claude").mkdir(parents=True)
    (project / ".claude" / "tidegauge.toml").write_text(f"{FIRST_REMAINING} = {remaining}\n", encoding="utf-8")

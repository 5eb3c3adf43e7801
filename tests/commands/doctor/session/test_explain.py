import json
import re
import time
from pathlib import Path

import msgspec
import pytest

from commands.session.projects import folder_name
from shared.gauge import bridge as bridges
from shared.gauge.bridge import WindowNote
from shared.gauge.levels import begins_at
from tests.commands.doctor.session.explained import answer, explained, last_line
from tests.commands.person import SESSION, WINDOW, Person
from tests.levels import FIRST, FIRST_REMAINING, FIRST_RULE
from tests.transcripts import Transcript


def test_levels_begin_before_a_compaction(person: Person, transcript: Transcript) -> None:
    person.change_settings(autoCompactWindow=150_000)
    answer(transcript, person, 100_000)

    output = explained(person)

    assert "limit           117,000 tokens (" in output
    assert f"{FIRST.name} from {117_000 - FIRST_RULE.compact_margin_tokens:,}, " in output
    assert output.splitlines()[-1] == f"The next tool use will carry {FIRST.name}."


@pytest.mark.parametrize(
    ("age", "growth", "expected"),
    [
        (5, 0, r"sampled \d+s ago: used$"),
        (100, 0, r"sampled 1m ago: not used$"),
        (-100, 0, r"sampled 0s ago: not used$"),
        (5, 1_000, r"sampled \d+s ago: not used$"),
    ],
)
def test_the_bridge_is_assessed(person: Person, transcript: Transcript, age: int, growth: int, expected: str) -> None:
    answer(transcript, person, 60_000)
    person.write_bridge(transcript, 60_000, age=age)
    if growth:
        answer(transcript, person, 60_000 + growth, 2)

    output = explained(person)

    source = "transcript" if "not used" in expected else "status line"
    assert re.search(r"^  bridge          70% remaining, " + expected, output, re.MULTILINE)
    assert f"measured by the {source}: {60_000 + growth:,} of 200,000 tokens" in output


def test_without_a_bridge_the_transcript_is_read(person: Person, transcript: Transcript) -> None:
    answer(transcript, person, 60_000)

    output = explained(person)

    assert "none for this session (headless runs draw no status line)" in output
    assert (
        "reading         30% used, measured by the transcript: 60,000 of 200,000 tokens (window size: assumed)"
        in output
    )


@pytest.mark.parametrize("has_bridge", [True, False])
def test_a_rewind_to_the_first_prompt_is_no_fault(person: Person, transcript: Transcript, *, has_bridge: bool) -> None:
    answer(transcript, person, 172_000)
    if has_bridge:
        person.write_bridge(transcript, 172_000, age=10, written_at=time.time() - 10)
    bridges.write_note(str(person.root), SESSION, WindowNote("claude-opus-4-5", 200_000, time.time() + 5))

    result = person.doctor("--session", SESSION)

    assert "  reading  " not in result.stdout
    assert (" ago: not used\n" in result.stdout) is has_bridge
    assert result.returncode == 0


def test_a_session_without_an_answer_is_not_measured(person: Person, transcript: Transcript) -> None:
    transcript.prompt()

    result = person.doctor("--session", SESSION)

    assert result.returncode == 1
    assert "No message is due because nothing is known: the transcript: no answer with tokens yet" in result.stdout


def test_a_missing_transcript_is_named(person: Person, transcript: Transcript) -> None:
    person.write_bridge(transcript, 60_000, age=500)
    transcript.path.unlink()

    result = person.doctor("--session", SESSION)

    assert result.returncode == 1
    assert f"missing or unreadable: {transcript.path}" in result.stdout
    assert "No message is due because nothing is known" in result.stdout.splitlines()[-1]


def test_a_broken_link_is_named_as_the_reason_beside_the_rest(person: Person, transcript: Transcript) -> None:
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


def test_switched_off_warnings_are_named_as_the_reason(person: Person, transcript: Transcript) -> None:
    person.configure("[hooks]\ncontext_warnings = false\n")
    answer(transcript, person, 132_000)

    assert last_line(person) == "No message is due because hooks.context_warnings is false."


def test_the_gate_is_shown(person: Person, transcript: Transcript) -> None:
    for tokens in (57_000, 58_000, 59_000, 60_000):
        answer(transcript, person, tokens)
    person.use_tool(transcript, "toolu_1")

    limit = int((person.root / "run" / f"gate-{SESSION}").read_text().splitlines()[2])
    assert f"gate            below {limit:,} tokens nothing new is due, so the monitor isn't started" in explained(
        person
    )


def test_subagents_are_explained_by_their_own_transcripts(person: Person, transcript: Transcript) -> None:
    answer(transcript, person, 60_000)
    answer(transcript.subagent("a1b2"), person, 152_000)

    output = explained(person)

    subagent = output.partition("Subagent a1b2")[2]
    assert "152,000 of 200,000 tokens" in subagent
    assert "The next tool use will carry CRITICAL." in subagent
    assert "bridge" not in subagent
    assert output.splitlines()[-1].startswith("No message is due because 70% is left")


def test_messages_recorded_by_the_client_are_counted(person: Person, transcript: Transcript) -> None:
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


def test_a_quoted_message_does_not_count(person: Person, transcript: Transcript) -> None:
    answer(transcript, person, 60_000, text="---CONTEXT MONITOR---\nCONTEXT WINDOW WARNING — 34% remaining (66% used).")

    assert "the transcript has no message of ours" in explained(person)


def test_a_bridge_of_another_program_may_hold_a_percentage_alone(person: Person, transcript: Transcript) -> None:
    path = person.root / "run" / f"claude-ctx-{SESSION}.json"
    public = {"session_id": SESSION, "remaining_percentage": 62.5, "used_pct": 38, "timestamp": int(time.time())}
    path.write_text(json.dumps(public))

    output = explained(person)

    assert "reading         38% used, measured by the status line (" in output
    assert "level           NORMAL\n" in output
    assert output.splitlines()[-1] == "No message is due because 62% is left."


def test_a_session_of_another_project_is_judged_by_that_projects_settings(person: Person, tmp_path: Path) -> None:
    other = tmp_path / "other"
    begin_earlier(other)
    begin_earlier(person.project, remaining=60)
    transcript = Transcript(person.client / "projects" / folder_name(str(other)) / f"{SESSION}.jsonl")
    transcript.answer(60_000, at=time.time(), top={"cwd": str(other / "src")})

    output = person.doctor("--session", SESSION, environ={"CLAUDE_PROJECT_DIR": str(person.project)}).stdout

    assert f"  project         {other}\n" in output
    begins = begins_at(msgspec.structs.replace(FIRST_RULE, remaining=50), WINDOW)
    assert f"{FIRST.name} from {begins:,}, " in output


def test_a_session_without_a_known_project_is_judged_by_the_persons_settings(person: Person) -> None:
    begin_earlier(person.project)
    person.transcript().answer(60_000, at=time.time())

    output = explained(person)

    assert "  project         not found, so your own settings count\n" in output
    assert f"{FIRST.name} from {begins_at(FIRST_RULE, WINDOW):,}, " in output


def begin_earlier(project: Path, *, remaining: int = 50) -> None:
    (project / ".claude").mkdir(parents=True)
    (project / ".claude" / "tidegauge.toml").write_text(f"{FIRST_REMAINING} = {remaining}\n", encoding="utf-8")

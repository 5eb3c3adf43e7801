"""The next message in `tidegauge doctor --session`: when it comes, or why none does."""

import time
from pathlib import Path

import pytest

from monitor.memory import memory as memories
from monitor.memory.memory import SummaryFile
from shared import paths
from shared.gauge.levels import begins_at
from tests.commands.doctor.session.explained import answer, explained, last_line
from tests.commands.person import SESSION, WINDOW, Person
from tests.levels import FIRST, FIRST_RULE
from tests.transcripts import Transcript


def test_far_from_a_level_no_message_is_due(person: Person, transcript: Transcript) -> None:
    answer(transcript, person, 60_000)

    output = explained(person)

    assert f"  level           NORMAL ({FIRST.name} from {begins_at(FIRST_RULE, WINDOW):,}, " in output
    assert output.splitlines()[-1] == "No message is due because 70% is left."


@pytest.mark.parametrize(("tokens", "level"), [(130_000, "WARNING"), (150_000, "CRITICAL"), (172_000, "EXHAUSTED")])
def test_the_first_message_of_a_level_is_announced(
    person: Person, transcript: Transcript, tokens: int, level: str
) -> None:
    answer(transcript, person, tokens)

    assert last_line(person) == f"The next tool use will carry {level}."


def test_the_projects_compaction_setting_counts_as_for_the_hooks(person: Person, transcript: Transcript) -> None:
    answer(transcript, person, 60_000)
    person.write_project_settings(autoCompactWindow=170_000)

    assert "137,000" in explained(person)


@pytest.mark.parametrize("tokens", [132_000, 152_000, 172_000])
def test_the_announced_message_comes(person: Person, transcript: Transcript, tokens: int) -> None:
    announced, happened = [], []
    for number in range(8):
        answer(transcript, person, tokens, number)
        announced.append(last_line(person).startswith("The next tool use will carry"))
        happened.append(bool(person.use_tool(transcript, f"toolu_{number}")))

    assert announced == happened
    assert any(happened)


def test_a_rise_is_announced(person: Person, transcript: Transcript) -> None:
    answer(transcript, person, 132_000, 1)
    assert person.use_tool(transcript, "toolu_1")
    answer(transcript, person, 152_000, 2)

    assert last_line(person) == "The next tool use will carry CRITICAL."


def test_the_pause_between_messages_is_explained(person: Person, transcript: Transcript) -> None:
    person.configure("window.size = 200_000")  # of an assumed one it is said once
    for number in (1, 2):
        answer(transcript, person, 132_000, number)
        person.use_tool(transcript, f"toolu_{number}")

    assert last_line(person) == "The next message comes in 4 tool uses: WARNING is repeated every 5 tool uses."


def test_tool_uses_skipped_by_the_launcher_count(person: Person, transcript: Transcript) -> None:
    person.configure("window.size = 200_000")
    answer(transcript, person, 132_000)
    person.use_tool(transcript, "toolu_1")
    notes = Path(paths.gate_notes(str(person.root), SESSION))
    lines = []
    for passed in (0, 2, 3, 4):
        notes.write_text("10\n-\n" * passed)
        lines.append(last_line(person))

    repeated = "WARNING is repeated every 5 tool uses."
    assert lines == [
        f"The next message comes in 5 tool uses: {repeated}",
        f"The next message comes in 3 tool uses: {repeated}",
        f"The next message comes in 2 tool uses: {repeated}",
        "The next tool use will carry WARNING.",
    ]


def test_the_reason_for_no_further_message_is_named(person: Person, transcript: Transcript) -> None:
    answer(transcript, person, 132_000)
    person.use_tool(transcript, "toolu_1")
    reason = "No message is due because WARNING has been reported"
    assert last_line(person) == f"{reason}, and in a window whose size is assumed that is done once."

    person.configure("window.size = 200_000")
    for number in range(2, 14):
        answer(transcript, person, 132_000, number)
        person.use_tool(transcript, f"toolu_{number}")
    assert last_line(person) == f"{reason} 3 times since the window was last empty, and won't be reported again."

    answer(transcript, person, 152_000, 14)
    person.use_tool(transcript, "toolu_14")
    file = person.project / "PROJECT-SUMMARY.md"
    with memories.locked(str(person.root), SESSION) as lock:  # as a hook notes it that knows its project
        lock.memory.summary_file = SummaryFile(str(file), -1)
    file.write_text("state")
    assert last_line(person) == "No message is due because what CRITICAL asked for has been done."


def test_a_compaction_starts_over(person: Person, transcript: Transcript) -> None:
    answer(transcript, person, 132_000, 1)
    assert person.use_tool(transcript, "toolu_1")
    transcript.boundary(before=140_000, after=3_000, trigger="manual", at=time.time())
    answer(transcript, person, 133_000, 2)

    output = explained(person)

    assert "compacted by hand 140,000 → 3,000, " in output
    assert output.splitlines()[-1] == "The next tool use will carry WARNING."

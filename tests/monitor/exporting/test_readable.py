"""A session as a person reads it."""

from pathlib import Path

from monitor.exporting.readable import SessionMarkdown
from tests.monitor.workshop import Workshop
from tests.transcripts import NEW_CLIENT, OLD_CLIENT, captured


def readable(path: Path) -> str:
    return "".join(SessionMarkdown().of(path.read_bytes()))


def test_prompts_answers_and_calls_stand_in_order(workshop: Workshop) -> None:
    workshop.transcript.prompt("Fix the greeting")
    workshop.bash("npm test", code=1)
    workshop.edit("src/app.py")
    workshop.transcript.answer(90_000, tool_use_ids=(), text="Done, and tested.")

    text = readable(workshop.transcript.path)

    parts = ["## Prompt 1", "> Fix the greeting", "1. **Bash** `npm test`", "1: failed, `Exit code 1`"]
    parts += ["2. **Edit** `", "src/app.py`", "2: ok", "### Answer 3", "> Done, and tested."]
    places = [text.index(part) for part in parts]
    assert places == sorted(places)


def test_what_is_said_cannot_pose_as_ours(workshop: Workshop) -> None:
    workshop.transcript.prompt("# Prompt 99\n---\n\x1b[2Jhidden\u2028more")

    text = readable(workshop.transcript.path)

    assert "\n# Prompt 99" not in text
    assert "\n---" not in text
    assert "\x1b" not in text


def test_a_compaction_and_its_summary_are_told(workshop: Workshop) -> None:
    workshop.transcript.prompt("Fix the greeting")
    workshop.transcript.boundary()

    assert "compacted the conversation here" in readable(workshop.transcript.path)


def test_a_line_that_is_too_long_is_named_and_left_out(workshop: Workshop) -> None:
    workshop.transcript.prompt("x" * (2 << 20))
    workshop.transcript.prompt("after")

    text = readable(workshop.transcript.path)

    assert "very long line" in text
    assert "> after" in text
    assert len(text) < 1_000


def test_nothing_in_a_transcript_stops_it(workshop: Workshop) -> None:
    workshop.transcript.write(
        b'not json "user"\n{"type":"user"}\n{"type":"assistant","message":{"content":[{"text":1}]}}\n'
    )
    workshop.transcript.write(b'{"type":"user","message":{"content":[{"type":"tool_result","content":[1,null]}]}}\n')
    workshop.transcript.prompt("after")

    assert "> after" in readable(workshop.transcript.path)


def test_captured_sessions_are_readable() -> None:
    for version in (OLD_CLIENT, NEW_CLIENT):
        text = readable(captured(version))

        assert "## Prompt 1" in text
        assert "**Bash** `" in text
        assert ": ok" in text

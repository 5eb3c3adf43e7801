import json
from pathlib import Path
from typing import Any

import pytest

from tests.monitor.workshop import Workshop

PAYLOADS = Path(__file__).parents[2] / "payloads" / "hooks"
SUMMARY = "<analysis>A <summary> with make</analysis>\n<summary>\n1. npm test: it fails\n</summary>"


def end(workshop: Workshop, text: object = SUMMARY, **fields: Any) -> None:
    """Report a summariser's end as the client does; the hook never answers."""
    assert workshop.fire("SubagentStop", **{"agent_type": "", "last_assistant_message": text} | fields) == ""


def work(workshop: Workshop) -> None:
    workshop.transcript.prompt("Change the greeting")
    workshop.edit("src/app.py", 2)
    workshop.bash("npm test", code=1)
    workshop.bash("make check", code=1)


def words(workshop: Workshop, number: int = -1) -> dict[str, Any]:
    """The words kept with a checkpoint."""
    document: dict[str, Any] = json.loads(Path(workshop.checkpoints()[number]["words_path"]).read_bytes())
    return document


def test_right_after_a_compaction_facts_in_the_summary_are_left_out(workshop: Workshop) -> None:
    work(workshop)
    workshop.compact()
    end(workshop)

    message = workshop.start("compact")

    assert "npm test" not in message
    assert "make check" in message  # the summariser only thought of it


@pytest.mark.parametrize("version", ["2.1.197", "2.1.330"])
def test_a_captured_end_of_a_summariser_is_understood(workshop: Workshop, version: str) -> None:
    work(workshop)
    workshop.compact()
    captured = json.loads((PAYLOADS / f"subagent-stop-compaction.{version}.json").read_bytes())
    here = {name: workshop.payload("SubagentStop")[name] for name in ("session_id", "cwd", "transcript_path")}
    workshop.fire(**{"event": "SubagentStop"} | captured | here)

    assert words(workshop)["summary"] == "Work was done."


@pytest.mark.parametrize(
    "fields",
    [{"agent_type": "Explore"}, {"agent_type": ...}, {"agent_type": None}, {"text": "src/app.py"}, {"text": 7}],
    ids=["an agent", "an older client", "null", "no summary", "a number"],
)
def test_another_subagents_end_is_no_summary(workshop: Workshop, fields: dict[str, Any]) -> None:
    work(workshop)
    workshop.compact()
    end(workshop, **fields)
    assert "summary" not in words(workshop)
    assert "app.py" in workshop.start("compact")


def test_only_a_compaction_uses_an_unwritten_summary(workshop: Workshop) -> None:
    """A summary that was prepared but never used is in no window."""
    work(workshop)
    workshop.compact()
    end(workshop)
    assert "app.py" in workshop.start("resume")


def test_the_first_summary_after_a_checkpoint_counts(workshop: Workshop) -> None:
    work(workshop)
    workshop.compact()
    end(workshop)
    end(workshop, "<summary>A subagent's own: make check</summary>")
    assert "make check" in workshop.start("compact")


def test_another_sessions_summary_is_ignored(workshop: Workshop) -> None:
    work(workshop)
    workshop.compact()
    end(workshop.session("session-2"))
    assert "summary" not in words(workshop)


def test_a_summary_without_a_compaction_ahead_is_not_kept(workshop: Workshop) -> None:
    work(workshop)
    workshop.transcript.answer(165_000)
    workshop.prompt()
    end(workshop)
    assert [checkpoint["session_info"]["trigger"] for checkpoint in workshop.checkpoints()] == ["exhausted"]
    assert "summary" not in words(workshop)


def test_secrets_are_masked_and_the_prompts_stay(workshop: Workshop) -> None:
    work(workshop)
    workshop.compact()
    end(workshop, "<summary>export GITHUB_TOKEN=ghp_abcdefghijklmnopqrstuvwxyz0123456789AB</summary>")
    assert "ghp_abc" not in words(workshop)["summary"]
    assert [request["text"] for request in words(workshop)["requests"]] == ["Change the greeting"]


def test_no_summary_is_kept_if_no_words_are(workshop: Workshop) -> None:
    workshop.configure("checkpoint.include_prompts = false")
    work(workshop)
    workshop.compact()
    end(workshop)
    assert workshop.checkpoints()[0]["words_path"] is None
    assert "app.py" in workshop.start("compact")

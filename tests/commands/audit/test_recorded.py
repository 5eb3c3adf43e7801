"""What a transcript shows about tools, MCP servers, lists and hooks."""

import os
from pathlib import Path
from typing import Any

import pytest

from commands.audit.recorded import Addition, Recorded, Server, recorded
from shared import effort
from tests.transcripts import NEW_CLIENT, OLD_CLIENT, Transcript, captured, compact

SESSION = "5b0c6a1e-0000-4000-8000-000000000001"


@pytest.fixture
def transcript(tmp_path: Path) -> Transcript:
    return Transcript(tmp_path / f"{SESSION}.jsonl")


def read(transcript: Transcript | Path) -> Recorded:
    result = recorded(str(transcript if isinstance(transcript, Path) else transcript.path))
    assert result is not None
    return result


def tool(name: str) -> dict[str, Any]:
    return {"name": name, "description": "does it", "input_schema": {"type": "object"}}


def offer(transcript: Transcript, *tools: str, system: str = "You are an agent.") -> None:
    """Write the record of a request's shape, with these tools in it."""
    shape = {"system": [{"type": "text", "text": system}], "tools": [tool(name) for name in tools]}
    transcript.append({"type": "api-request-shape", "sessionId": SESSION, "shape": shape})


def test_tools_are_grouped_by_server(transcript: Transcript) -> None:
    offer(transcript, "Bash", "Read", "mcp__figma__get", "mcp__figma__set", "mcp__idle__do")
    offer(transcript)  # a request outside the conversation
    transcript.append(
        {"type": "assistant", "message": {"content": [{"type": "tool_use", "id": "1", "name": "mcp__figma__get"}]}}
    )

    result = read(transcript)

    size = len(compact(tool("Bash")))
    assert result.fixed == (
        Addition("the system prompt", 1, len("You are an agent.")),
        Addition("the client's tools", 2, 2 * size),
    )
    longer = len("mcp__figma__get") - len("Bash")
    assert result.servers == (
        Server("figma", 2, 2 * (size + longer), 1),
        Server("idle", 1, size + len("mcp__idle__do") - len("Bash"), 0),
    )


def test_lists_count_their_current_entries(transcript: Transcript) -> None:
    def added(kind: str, **fields: Any) -> None:
        transcript.attachment(type=kind, **fields)

    added("deferred_tools_delta", addedNames=["A", "B"], addedLines=["A", "B: b"], removedNames=[])
    added("deferred_tools_delta", addedNames=["C"], addedLines=["C"], removedNames=["A"])
    added("agent_listing_delta", addedTypes=["x"], addedLines=["- x: does it"])
    added("mcp_instructions_delta", addedNames=["figma"], addedBlocks=["## figma"])
    added("skill_listing", content="- one: it\n- two: it", names=["one", "two"])

    assert read(transcript).lists == (
        Addition("tools to be searched for", 2, 5),
        Addition("agents", 1, 12),
        Addition("MCP servers' instructions", 1, 8),
        Addition("skills", 2, 19),
    )


def test_hooks_are_counted_by_event(transcript: Transcript) -> None:
    def add(event: str, content: Any) -> None:
        transcript.attachment(type="hook_additional_context", hookEvent=event, content=content)

    add("PostToolUse", ["x" * 100])
    add("PostToolUse", ["x" * 50])
    add("SessionStart", "plain words")
    add("Stop", "")
    add("Stop", 3)

    assert read(transcript).hooks == (Addition("PostToolUse", 2, 150), Addition("SessionStart", 1, 11))


@pytest.mark.parametrize("version", [OLD_CLIENT, NEW_CLIENT])
def test_captured_sessions_are_read(version: str) -> None:
    assert read(captured(version)).version == version


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b'{"type":"api-request-shape","shape":3}',
        b'{"type":"api-request-shape","shape":{"tools":[1,{"name":2},{}],"system":[{"text":3}]}}',
        b'{"attachment":{"type":"skill_listing","content":[],"names":[3]}}',
        b'{"attachment":{"type":"deferred_tools_delta","addedNames":["a"],"addedLines":[]}}',
        b'{"attachment":[]}',
        b'{"type":"assistant","message":{"content":[{"type":"tool_use","name":"mcp__"}]}}',
        b'"mcp__' + b"x" * (2 << 20),
    ],
)
def test_malformed_lines_are_lost_alone(transcript: Transcript, line: bytes) -> None:
    transcript.attachment(type="agent_listing_delta", addedTypes=["x"], addedLines=["- x"])
    transcript.write(line + b"\n")

    assert Addition("agents", 1, 3) in read(transcript).lists


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_in_place_of_a_transcript_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.jsonl")

    assert recorded(str(tmp_path / "x.jsonl")) is None
    assert recorded(str(tmp_path / "gone.jsonl")) is None


def test_the_beginning_is_left_out_when_time_runs_out(transcript: Transcript, monkeypatch: pytest.MonkeyPatch) -> None:
    offer(transcript, "Bash")
    for _ in range(2_000):
        transcript.attachment(type="hook_additional_context", hookEvent="PostToolUse", content=["text"])
    assert read(transcript).is_complete

    monkeypatch.setattr(effort, "SECONDS", 0)
    monkeypatch.setattr(effort, "STARTS", 0)
    with effort.limited():
        result = read(transcript)

    assert not result.is_complete
    assert result.fixed == ()

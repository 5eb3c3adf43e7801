"""The pivot near the limit: the person's command, the automatic export, and the pivot agent."""

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.client.client import Client
from tests.client.injected import heads, injections
from tests.client.model import MAIN, Request, texts
from tests.client.step import SLOW, Call, Step, bash, say
from tests.monitor.exports import exported

pytestmark = [pytest.mark.client, pytest.mark.any_client]

AGENT = "token-limit-pivot-orchestrator"
ERRAND = "See how the work can go on"


def texts_in(request: Request) -> str:
    """The texts of a request's newest message."""
    return "\n".join(texts(request.body["messages"][-1]["content"]))


def everything(request: Request) -> str:
    body = request.body
    return json.dumps([body.get("system"), body.get("tools"), body["messages"]], ensure_ascii=False)


def exports(project: Path) -> list[str]:
    return sorted(path.name for path in (project / ".claude" / "tidegauge" / "exports").glob("*"))


def test_the_command_shows_the_report_and_tells_the_agent(client: Client, project: Path) -> None:
    steps = [bash(150_000), say(150_000, "For now."), say(151_000, "It is clear.")]
    with client.interactive(project, {MAIN: steps}) as conversation:
        conversation.say("go")
        conversation.terminal.wait_for("For now")
        conversation.say("/token-status")
        screen = conversation.terminal.wait_for("It is clear")
        session_id = conversation.model.session_id()
    for line in (
        f"Session {session_id}",
        "150,000 of 200,000 tokens, 75% used",
    ):
        assert line in screen
        assert line in texts_in(conversation.model.of(MAIN)[2])


def test_the_command_carries_out_a_pivot(client: Client, project: Path) -> None:
    steps = [bash(150_000), say(150_000, "For now."), say(151_000, "It is saved.")]
    with client.interactive(project, {MAIN: steps}) as conversation:
        conversation.say("go")
        conversation.terminal.wait_for("For now")
        conversation.say("/token-status --pivot export")
        conversation.terminal.wait_for("It is saved")
    assert exports(project) == ["001-export"]
    assert "001-export/session.md" in texts_in(conversation.model.of(MAIN)[2])


def test_the_command_needs_no_permission_of_its_own(client: Client, project: Path) -> None:
    played = client.headless(
        project, {MAIN: [say(20_000, "Fine.")]}, "--permission-mode", "default", prompt="/token-status"
    )
    assert f"Session {played.session_id()}" in texts_in(played.of(MAIN)[0])


def lines_about(folder: str, requests: list[Request]) -> list[tuple[int, str, str]]:
    """The request, the event and the line that named a folder of the pivot."""
    lines = [
        (injection.request, injection.event, line)
        for injection in injections(requests)
        for line in injection.text.splitlines()
    ]
    return [line for line in lines if folder in line[2]]


def test_an_emergency_is_exported_once_at_the_crossing(client: Client, mode: str, project: Path) -> None:
    steps = [bash(150_000, SLOW)]
    steps += [bash(tokens) for tokens in (172_000, 189_900, 190_000, 190_500, 191_000)]
    played = client.play(mode, project, {MAIN: [*steps, say(191_500, "Enough.")]})
    # The client compacts and goes on, so no prompt for a new session is written.
    assert exports(project) == ["001-export"]
    requests = played.of(MAIN)
    levels = [(1, "CRITICAL 25%"), (2, "EXHAUSTED 14%"), (3, "EXHAUSTED 5%")]
    assert heads(requests)[:3] == levels
    # Once, with the result that followed the crossing, beside the steps that the level asks for.
    line = "The session is being exported to .claude/tidegauge/exports/001-export. Tell the user."
    assert lines_about("tidegauge/exports", requests) == [(2, "PostToolUse", line)]
    (crossing,) = (injection.text for injection in injections(requests) if line in injection.text)
    assert "2. Finish only the step you are on.\n" in crossing
    folder = project / ".claude" / "tidegauge" / "exports"
    exported(folder / "001-export")
    archive = gzip.decompress((folder / "001-export" / "transcript.jsonl.gz").read_bytes())
    lines: list[dict[str, Any]] = [json.loads(line) for line in archive.splitlines()]
    assert {line["sessionId"] for line in lines if "sessionId" in line} == {played.session_id()}
    assert "## Prompt 1" in (folder / "001-export" / "session.md").read_text()


def test_an_emergency_also_writes_the_next_sessions_prompt_where_the_session_ends(
    client: Client, mode: str, project: Path
) -> None:
    ending = client._replace(more={"DISABLE_AUTO_COMPACT": "1"})
    steps = [bash(150_000, SLOW), bash(172_000), bash(172_500), say(173_000, "Enough.")]
    played = ending.play(mode, project, {MAIN: steps})
    assert exports(project) == ["001-export", "002-spawn"]
    requests = played.of(MAIN)
    line = "The session is being exported to .claude/tidegauge/exports/001-export. Tell the user."
    assert lines_about("tidegauge/exports", requests) == [(2, "PostToolUse", line)]
    continuation = project / ".claude" / "tidegauge" / "exports" / "002-spawn" / "continuation.md"
    assert played.session_id() in continuation.read_text()


def test_the_agent_is_listed_and_can_be_called(client: Client, project: Path) -> None:
    command = f'"{client.program}/bin/tidegauge" status --json'
    task = {"description": "A task", "prompt": ERRAND, "subagent_type": AGENT}
    parent = [Step(150_000, calls=(Call("Agent", task),)), say(151_000, "Enough.")._replace(hold=errand_is_done)]
    errand = [bash(20_000, command), say(21_000, "Go on.")]
    played = client.headless(project, {MAIN: parent, ERRAND: errand})
    assert AGENT in everything(played.of(MAIN)[0])
    first, second = played.of(ERRAND)[:2]
    assert "Make sure that the work of the session" in json.dumps(first.body["system"])
    standing = json.loads(re.search(r"\{.*\}", texts_in(second), re.DOTALL)[0])["overview"]  # type: ignore[index]  # else it fails here
    assert (standing["session_id"], standing["tokens"]) == (played.session_id(), 150_000)


def errand_is_done(model: Any) -> None:
    """Wait for the subagent, which 2.1.330 runs in the background."""
    model.wait_for_end(ERRAND)

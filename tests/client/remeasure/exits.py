"""The effects of a hook's exit code and its plain output."""

import json
import shlex

from tests.client.client import COMPACTED, Client
from tests.client.model import MAIN, SUMMARY, Request, ScriptedModel, texts
from tests.client.remeasure.home import measured_home
from tests.client.step import bash, say

EVENTS = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolBatch", "PreCompact", "Stop")
CODES = (0, 1, 2)
RAN = "the-tool-ran"


def effects(client: Client) -> dict[str, dict[str, str]]:
    """By event and exit code: what happened next, and which of the hook's output reached the model."""
    return {event: {str(code): _effect(client, event, code) for code in CODES} for event in EVENTS}


def _effect(client: Client, event: str, code: int) -> str:
    # The client quotes the command with its output, so the command must not contain the words that are searched for.
    # A Stop hook that always blocks keeps the turn going, so it answers only once.
    once = 'test -e "$HOME/once" && exit 0; touch "$HOME/once"; ' if event == "Stop" else ""
    command = f"{once}printf hook-%s output; printf hook-%s error >&2; exit {code}"
    with measured_home(client, {event: f"sh -c {shlex.quote(command)}"}) as home:
        steps = [bash(100_000, f"echo {RAN}"), bash(168_000), bash(30_000), say(31_000, "Enough.")]
        with ScriptedModel({MAIN: steps}) as model:
            home.client.prompt(home.project, model, model=COMPACTED)
    return ", ".join([_course(event, model.requests, len(steps)), *_output(model.requests)])


def _course(event: str, requests: list[Request], steps: int) -> str:
    """The fate of the action that the event announces."""
    count = sum(request.conversation == MAIN for request in requests)
    if event in {"SessionStart", "UserPromptSubmit"}:
        return "goes on" if count else "prompt blocked"
    if event == "PreToolUse":
        return "goes on" if any(RAN in text for text in _results(requests)) else "tool blocked"
    if event == "PreCompact":
        return "goes on" if any(request.conversation == SUMMARY for request in requests) else "compaction blocked"
    if count > steps:
        return "turn kept going"
    return "goes on" if count == steps else "turn ended"


def _results(requests: list[Request]) -> list[str]:
    """The text of every tool result."""
    return [
        text
        for request in requests
        for message in request.body["messages"]
        if isinstance(message["content"], list)
        for block in message["content"]
        if block["type"] == "tool_result"
        for text in texts(block)
    ]


def _output(requests: list[Request]) -> list[str]:
    """Which of the hook's outputs reached the model, or only a compaction's summariser."""
    lines = []
    for name, text in (("stdout", "hook-output"), ("stderr", "hook-error")):
        readers = {r.conversation for r in requests if text in json.dumps(r.body["messages"])}
        if MAIN in readers:
            lines.append(f"{name} reaches the model")
        elif SUMMARY in readers:
            lines.append(f"{name} reaches the summariser")
    return lines

"""The place of a hook's `additionalContext` in the request that brings it to the model."""

from collections.abc import Iterable
from typing import Any

from tests.client.client import COMPACTED, Client
from tests.client.model import MAIN, SUMMARY, Request, newest, texts
from tests.client.remeasure.home import recorded_home
from tests.client.remeasure.session import ERRAND, errand_end
from tests.client.step import bash, delegate, say

EVENTS = (
    "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch",
    "SubagentStart",
)  # fmt: skip
"""Those whose context may reach the model without keeping the turn going."""
MODELS = (COMPACTED, "claude-opus-5")
"""One of those that get it beside a tool result, and one of those that get it as a message of its own."""
LOST = "nowhere"


def placements(client: Client) -> dict[str, dict[str, str]]:
    """By model and event: the place where the context first arrived, in the main conversation and in a subagent.

    Each event is measured alone, as several hooks' contexts are combined differently.
    """
    return {model: _of_model(client, model) for model in MODELS}


def _of_model(client: Client, model: str) -> dict[str, str]:
    places: dict[str, str] = {}
    for event in EVENTS:
        requests = _requests(client, model, event)
        is_compacted = any(request.conversation == SUMMARY for request in requests)
        sources = ("startup", "compact")[: 1 + is_compacted] if event == "SessionStart" else ("",)
        for source in sources:
            places[f"{event} {source}".strip()] = _places(requests, f"<<{event} {source}>>")
    return places


def _requests(client: Client, model: str, event: str) -> list[Request]:
    limit = 168_000 if model == COMPACTED else 970_000
    steps = [
        bash(20_000),
        bash(21_000, "exit 3"),
        delegate(22_000, ERRAND),
        bash(23_000)._replace(hold=errand_end),
        bash(limit),
        say(30_000, "Enough."),
    ]
    with recorded_home(client, event, is_speaking=True) as home:
        errand = [bash(11_000), say(12_000, "Walked.")]
        return home.client.headless(home.project, {MAIN: steps, ERRAND: errand}, model=model).requests


def _places(requests: Iterable[Request], text: str) -> str:
    places: dict[str, str] = {}
    for request in requests:
        if request.conversation in {MAIN, ERRAND} and request.conversation not in places:
            place = next(filter(None, (place_in(message, text) for message in newest(request.body["messages"]))), "")
            if place:
                places[request.conversation] = place
    owners = {MAIN: "", ERRAND: "in a subagent: "}
    return "; ".join(f"{owners[name]}{places[name]}" for name in owners if name in places) or LOST


def place_in(message: dict[str, Any], text: str) -> str:
    """The part of a message that holds `text`; empty if none does."""
    content = message["content"]
    if message["role"] == "system":
        return "message of role system" if any(text in part for part in texts(content)) else ""
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    has_result = any(block["type"] == "tool_result" for block in blocks)
    for block in blocks:
        if any(text in part for part in texts(block)):
            if block["type"] == "tool_result":
                return "inside the tool result"
            return "text block beside the tool result" if has_result else "text block beside the prompt"
    return ""

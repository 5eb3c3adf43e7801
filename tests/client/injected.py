"""The texts that hooks gave the agent, read from the client's requests."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from shared.gauge.wording import RETRACTION
from tests.client.model import Request, newest, texts

# A reminder is a separate text block, or the end of a tool result's text; models from opus-5 on get all of them, one
# after the other, in a message of role `system` (docs/client.md, "Where a hook's context arrives").
_NAME = r"\w+(?::[\w-]+)? hook additional context: "
CONTEXT = re.compile(
    rf"(?P<event>\w+)(?::[\w-]+)? hook additional context: (?P<text>.*?)(?=\n</system-reminder>|\n+{_NAME}|\Z)",
    re.DOTALL,
)
LEVEL = re.compile(r"CONTEXT WINDOW (?P<level>[A-Z]+) — (?P<remaining>\d+)% remaining\b")
USAGE = re.compile(r"^(?P<tokens>[\d,]+) of (?P<window>[\d,]+) tokens in use\b", re.MULTILINE)

OPENING = "---CONTEXT MONITOR---"


class Injection(NamedTuple):
    """One hook context: the number of the given request that brought it first, and its text."""

    request: int
    event: str
    text: str


class LevelWarning(NamedTuple):
    """One message of the context monitor: the request that brought it first, and its figures."""

    request: int
    level: str
    remaining: int
    """Percent."""
    tokens: int
    window: int


def injections(requests: Iterable[Request]) -> list[Injection]:
    """The contexts after each request's newest answer: a request repeats everything before that."""
    result = []
    for number, request in enumerate(requests):
        for message in newest(request.body["messages"]):
            for text in texts(message["content"]):
                result += [Injection(number, m["event"], m["text"]) for m in CONTEXT.finditer(text)]
    return result


def warnings(requests: Iterable[Request]) -> list[LevelWarning]:
    """The context monitor's messages, whole ones only."""
    messages = []
    for injection in injections(requests):
        if not injection.event.startswith("PostToolUse") or injection.text == RETRACTION:
            continue  # prompts and starts are worded differently
        level, usage = LEVEL.search(injection.text), USAGE.search(injection.text)
        assert injection.text.startswith(OPENING), injection.text
        assert level, injection.text
        assert usage, injection.text
        tokens, window = (int(number.replace(",", "")) for number in usage.groups())
        messages.append(LevelWarning(injection.request, level["level"], int(level["remaining"]), tokens, window))
    return messages


def heads(requests: Iterable[Request]) -> list[tuple[int, str]]:
    """Each message's level and remaining percentage, such as `WARNING 35%`, with the request that brought it."""
    return [(message.request, f"{message.level} {message.remaining}%") for message in warnings(requests)]

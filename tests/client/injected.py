"""What hooks told the agent, read from the requests that the client sent."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from tests.client.model import Request, texts

# 2.1.197 puts a reminder into a text block of its own, 2.1.330 at the end of a tool result's text.
CONTEXT = re.compile(
    r"(?P<event>\w+)(?::[\w-]+)? hook additional context: (?P<text>.*?)(?=\n</system-reminder>|\Z)", re.DOTALL
)

OPENING = "---CONTEXT MONITOR---"


class Injection(NamedTuple):
    """One hook context: the number of the request (of those given) that brought it first, and its words."""

    request: int
    event: str
    text: str


def injected(requests: Iterable[Request]) -> list[Injection]:
    """The contexts of each request's newest message: a request repeats all that came before it."""
    told = []
    for number, request in enumerate(requests):
        for message in request.body["messages"][-1:]:
            for text in texts(message["content"]):
                told += [Injection(number, m["event"], m["text"]) for m in CONTEXT.finditer(text)]
    return told


def heads(requests: Iterable[Request]) -> list[tuple[int, str]]:
    """The first line of each message of the context monitor, with the request that brought it."""
    told = []
    for injection in injected(requests):
        if not injection.event.startswith("PostToolUse"):
            continue  # prompts and starts have words of their own
        opening, head, *_ = [*injection.text.splitlines(), ""]
        assert opening == OPENING, injection.text
        told.append((injection.request, head))
    return told

"""A scripted Messages API on loopback: it plays the model and keeps every request from the client.

The main conversation and each subagent have their own list of steps, so a background subagent never
consumes a step of its parent. Whatever else the client asks for (a title, a summary) is answered separately.
"""

import itertools
import json
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, NamedTuple, Self

from tests.client.server import ModelServer
from tests.client.step import Step, say

MAIN = "main"
SUMMARY = "summary"  # the request that writes a compaction's summary
ASIDE = "aside"  # titles, suggestions, progress notes: no conversation waits for these

FORK = "<fork-boilerplate>"
SUMMARY_TASK = "Your task is to create a detailed summary"
SIDE_ANSWER = say(100, '{"title": "A test", "isNewTopic": false}')
SUMMARY_ANSWER = say(5_000, "<summary>Work was done.</summary>")


class Request(NamedTuple):
    """One request: its conversation, its body, and the step that answered it (None for a side request)."""

    conversation: str
    body: dict[str, Any]
    step: Step | None
    at: float
    answer_id: str


class ScriptedModel:
    """The model; `scripts` maps MAIN, or words of a subagent's prompt, to that conversation's steps.

    SUMMARY maps to the compactions' summaries, in order, where they matter.

    A conversation without further steps gets its last usage again, with a text that ends the turn.
    """

    def __init__(self, scripts: Mapping[str, Sequence[Step]]) -> None:
        self.requests: list[Request] = []
        self._scripts = scripts
        self._left = {conversation: list(steps) for conversation, steps in scripts.items()}
        self._arrived = threading.Condition()
        self._numbers = itertools.count(1)
        self._name = uuid.uuid4().hex[:8]
        self._server = ModelServer(self.answer)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def of(self, conversation: str) -> list[Request]:
        """The requests of one conversation, in order."""
        with self._arrived:
            return [request for request in self.requests if request.conversation == conversation]

    def session_id(self) -> str:
        """The session of the main conversation's last request."""
        user: dict[str, str] = json.loads(self.of(MAIN)[-1].body["metadata"]["user_id"])
        return user["session_id"]

    def wait(self, condition: Callable[[], bool], what: str, seconds: float = 60) -> None:
        """Wait until `condition` holds; it is checked again whenever a request arrives."""
        with self._arrived:
            if not self._arrived.wait_for(condition, seconds):
                count = len(self.requests)
                raise AssertionError(f"not within {seconds} s: {what} (so far {count} requests)")

    def wait_for_requests(self, count: int, conversation: str = MAIN, seconds: float = 60) -> None:
        self.wait(
            lambda: sum(r.conversation == conversation for r in self.requests) >= count,
            f"request {count} of {conversation}",
            seconds,
        )

    def has_requests(self, count: int, conversation: str = MAIN, *, seconds: float) -> bool:
        """Whether this many requests arrive in time."""
        try:
            self.wait_for_requests(count, conversation, seconds)
        except AssertionError:
            return False
        return True

    def wait_for_end(self, conversation: str = MAIN, seconds: float = 60) -> None:
        """Wait until every step of a conversation has been requested."""
        self.wait_for_requests(len(self._scripts[conversation]), conversation, seconds)

    def answer(self, body: dict[str, Any]) -> tuple[str, Step]:
        """The message id and the step that answer a request."""
        conversation = conversation_of(body, [name for name in self._scripts if name not in {MAIN, SUMMARY}])
        with self._arrived:
            step = self._next_step(conversation)
            answer_id = f"msg_{self._name}{next(self._numbers):05d}"
            result = None if conversation in {SUMMARY, ASIDE} else step
            self.requests.append(Request(conversation, body, result, time.monotonic(), answer_id))
            self._arrived.notify_all()
        if step.hold is not None:
            step.hold(self)
        return answer_id, step

    def _next_step(self, conversation: str) -> Step:
        if conversation == SUMMARY:
            return self._left[SUMMARY].pop(0) if self._left.get(SUMMARY) else SUMMARY_ANSWER
        if conversation == ASIDE:
            return SIDE_ANSWER
        if self._left[conversation]:
            return self._left[conversation].pop(0)
        script = self._scripts[conversation]
        return say(script[-1].tokens if script else 1_000, "Nothing is left to do.")


def conversation_of(body: Mapping[str, Any], agents: Sequence[str]) -> str:
    """The conversation of a request, known by its tools and texts, as all requests come to one address.

    Only a conversation that may act has Bash. A subagent's begins with its caller's prompt, a fork's with its caller's
    conversation.
    """
    messages = body.get("messages") or []
    if any(SUMMARY_TASK in text for message in newest(messages) for text in texts(message.get("content"))):
        return SUMMARY
    if "Bash" not in {tool.get("name") for tool in body.get("tools") or []}:
        return ASIDE
    openings = ["".join(texts(message.get("content"))) for message in messages]
    openings = [*openings[:1], *(text for text in openings if FORK in text)]
    return next((agent for agent in agents if agent in "".join(openings)), MAIN)


def newest(messages: Sequence[dict[str, Any]]) -> Sequence[dict[str, Any]]:
    """The messages after the newest answer; models from opus-5 on get one of role `system` after the user's."""
    answers = [number for number, message in enumerate(messages) if message["role"] == "assistant"]
    return messages[answers[-1] + 1 :] if answers else messages


def texts(content: object) -> list[str]:
    """Every text of a message's content, including tool results but never a tool call's input."""
    if isinstance(content, str):
        return [content]
    if isinstance(content, list):
        return [text for block in content for text in texts(block)]
    if isinstance(content, dict):
        return texts(content.get("text") if content.get("type") == "text" else content.get("content"))
    return []

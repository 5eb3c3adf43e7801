"""Steps of a scripted conversation: one model answer each, with the context size that it reports."""

import json
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.client.model import ScriptedModel


class Call(NamedTuple):
    """One tool call of an answer."""

    name: str
    input: dict[str, Any]


OVERLOADED = "Overloaded"


class Step(NamedTuple):
    """One answer: its context in tokens (input and both sides of the cache), a text, and tool calls.

    `hold` runs before the answer goes out and may wait for another conversation to get somewhere. With `error` the API
    refuses the request and says why; OVERLOADED is retried.
    """

    tokens: int
    text: str = ""
    calls: tuple[Call, ...] = ()
    output: int = 100
    hold: "Callable[[ScriptedModel], None] | None" = None
    error: str = ""

    @property
    def stop_reason(self) -> str:
        return "tool_use" if self.calls else "end_turn"

    @property
    def usage(self) -> dict[str, Any]:
        """The context split as with a warm cache; it needs at least 1,000 tokens."""
        uncached = min(self.tokens, 1_000)
        return {
            "input_tokens": min(uncached, 3),
            "cache_creation_input_tokens": uncached - min(uncached, 3),
            "cache_read_input_tokens": self.tokens - uncached,
            "output_tokens": self.output,
            "service_tier": "standard",
        }

    def blocks(self, message_id: str) -> list[dict[str, Any]]:
        """The answer's content: the text, then the calls, with ids that no other message has."""
        content: list[dict[str, Any]] = [{"type": "text", "text": self.text}] if self.text else []
        for number, call in enumerate(self.calls):
            call_id = f"toolu_{message_id}{number:02d}"
            content.append({"type": "tool_use", "id": call_id, "name": call.name, "input": call.input})
        return content


# Runs longer than the client takes to write the answer that called it (docs/client.md, "Order and delay"). Messages at
# a session's first tool use need it: on a busy machine the answer may be written later than a hook waits.
SLOW = "sleep 0.3"


def say(tokens: int, text: str) -> Step:
    return Step(tokens, text)


def bash(tokens: int, command: str = "true") -> Step:
    return batch(tokens, command)


def batch(tokens: int, *commands: str) -> Step:
    """A step with parallel calls in one answer."""
    return Step(tokens, calls=tuple(Call("Bash", {"command": c, "description": "A step"}) for c in commands))


def read(tokens: int, path: str) -> Step:
    return Step(tokens, calls=(Call("Read", {"file_path": path}),))


def delegate(tokens: int, prompt: str, kind: str = "general-purpose") -> Step:
    """A step that hands `prompt` to a subagent."""
    task = {"description": "A task", "prompt": prompt, "subagent_type": kind}
    return Step(tokens, calls=(Call("Agent", task),))


def workflow(tokens: int, prompt: str) -> Step:
    """A step that hands `prompt` to a workflow's only agent while the parent continues."""
    meta = "{ name: 'walk', description: 'Walks', phases: [{ title: 'Walk' }] }"
    script = f"export const meta = {meta}\nphase('Walk')\nreturn await agent({json.dumps(prompt)}, {{ label: 'a' }})"
    return Step(tokens, calls=(Call("Workflow", {"script": script}),))


def in_background(step: Step) -> Step:
    """The same delegation, with the parent continuing in either version."""
    (call,) = step.calls
    return step._replace(calls=(Call(call.name, call.input | {"run_in_background": True}),))

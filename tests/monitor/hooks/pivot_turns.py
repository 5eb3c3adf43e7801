"""Turns of a session, and the pivot's messages at each."""

from pathlib import Path
from typing import Any

from monitor.memory import memory as memories
from monitor.memory.memory import PivotState
from monitor.pivot import state as states
from tests import scratch
from tests.monitor.scene import Scene

WARNING, ALERT, CRITICAL, EMERGENCY = 100_000, 140_000, 167_000, 169_000
"""The fewest tokens at which each of the pivot's levels begins, in a window of 200,000 tokens.

It is never compacted and ends at 177,000, and CRITICAL and EXHAUSTED come before that.
"""
FIRST_COMPACTED, LAST_COMPACTED = 157_000, 162_000
"""The fewest tokens of the last two where the client compacts at 167,000."""
EXPORTS = Path(".claude") / "tidegauge" / "exports"


class Answer:
    """The pivot's message to the agent at one tool use, and its notice for the person's next prompt."""

    def __init__(self, output: dict[str, Any], notice: str | None) -> None:
        assert output.keys() <= {"hookSpecificOutput"}
        self.notice = notice
        self.context = output.get("hookSpecificOutput", {}).get("additionalContext", "")
        lines = [line for line in self.context.splitlines() if "worth suggesting" in line or "Tell the user." in line]
        self.output = "\n".join(lines)

    @property
    def kinds(self) -> str:
        return "".join(letter for letter, is_told in (("p", self.notice is not None), ("a", self.output)) if is_told)


def turn(scene: Scene, tokens: int, **fields: Any) -> Answer:
    """One turn with one tool at `tokens` tokens."""
    return turns(scene, tokens, 1, **fields)[0]


def turns(scene: Scene, tokens: int, tools: int, **fields: Any) -> list[Answer]:
    """One turn with parallel tools."""
    names = [f"toolu_{scene.transcript.size}_{number}" for number in range(tools)]
    scene.transcript.answer(tokens, id=f"msg_{names[0]}", tool_use_ids=names)
    answers = [called(scene, name, **fields) for name in names]
    for name in names:
        scene.transcript.result(name)
    return answers


def called(scene: Scene, name: str, **fields: Any) -> Answer:
    """The pivot's answer to one tool use."""
    return Answer(scene.answered(name, **fields), take_notice(scene))


def take_notice(scene: Scene) -> str | None:
    """Take and return the notice for the person's next prompt; None if there is none."""
    with memories.locked(str(scene.root), scene.session_id) as memory:
        notice, memory.memory.pivot_notice = memory.memory.pivot_notice, None
    return notice


def kinds(scene: Scene, *tokens: int, **fields: Any) -> list[str]:
    return [turn(scene, each, **fields).kinds for each in tokens]


def environment(scene: Scene) -> dict[str, str]:
    return scratch.environment(scene.root) | {"DISABLE_AUTO_COMPACT": "1"}


def state(scene: Scene) -> PivotState:
    result = states.read(str(scene.root), scene.session_id)
    assert result is not None
    return result

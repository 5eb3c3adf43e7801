"""The scripted sessions to record, each a way to misjudge a window."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.client.client import COMPACTED, Client, Conversation, Scripts
from tests.client.model import MAIN, SUMMARY
from tests.client.recording.redraws import Redraw, redraws_in
from tests.client.step import SLOW, Step, bash, batch, delegate, say
from tests.client.test_one_truth import rewind

ERRAND = "Walk round the harbour"
WIDE = [bash(150_000, SLOW), bash(260_000, SLOW), say(630_000, "Enough.")]
MOST_REQUESTS = 8
"""How often a client may ask before it gives up: 2.1.330 asks six times, without a stream and with fewer options."""
ITERATED = 40
"""Percent of 200,000 tokens that the last iteration of the session `iterations` holds."""
FIRST_PARTY = {"_CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL": "1"}
"""A loopback address would count as a proxy, behind which 2.1.197 gives other windows."""


class Recording(NamedTuple):
    """A client whose status line is recorded into `folder`."""

    client: Client
    project: Path
    folder: Path

    def redraws(self) -> list[Redraw]:
        return redraws_in(self.folder)

    def wait_for(self, used: int | None, tokens: int = -1) -> None:
        """Wait until the newest redraw shows this percentage and this many tokens."""
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            redraws = self.redraws()
            window = redraws[-1].window if redraws else {"used_percentage": -1, "total_input_tokens": -1}
            if window["used_percentage"] == used and tokens in (-1, window["total_input_tokens"]):
                return
            time.sleep(0.05)
        raise AssertionError(f"no redraw with {used}%: {self.redraws()[-1].window}")

    @contextmanager
    def conversation(self, scripts: Scripts, *args: str, model: str = COMPACTED) -> Iterator[Conversation]:
        """A session in a terminal, after its first redraw."""
        before = len(self.redraws())
        with self.client.interactive(self.project, scripts, *args, model=model) as conversation:
            deadline = time.monotonic() + 30
            while len(self.redraws()) == before and time.monotonic() < deadline:
                time.sleep(0.05)
            yield conversation

    def say(self, conversation: Conversation, prompt: str, used: int) -> None:
        """Type a prompt and wait for the redraw after its last answer."""
        conversation.say(prompt)
        self.wait_for(used)


Session = Callable[[Recording], None]
"""Plays a session and waits for its redraws."""


class Iterated(Step):
    """An answer of several iterations, whose usage the API sums up."""

    @property
    def usage(self) -> dict[str, Any]:
        whole = super().usage
        part = {**{key: value for key, value in whole.items() if key != "service_tier"}, "type": "message"}
        doubled = {key: value * 2 if isinstance(value, int) else value for key, value in whole.items()}
        return {**doubled, "iterations": [part, part]}


def filling(recording: Recording) -> None:
    steps = [bash(21_000, SLOW), bash(52_000, "exit 3"), batch(90_000, SLOW, SLOW), say(134_000, "Enough.")]
    with recording.conversation({MAIN: steps}) as conversation:
        recording.say(conversation, "go", 67)


def compaction(recording: Recording) -> None:
    steps = [bash(150_000, SLOW), bash(168_000, SLOW), say(30_000, "The first."), say(20_000, "The second.")]
    with recording.conversation({MAIN: steps}) as conversation:
        recording.say(conversation, "go", 15)
        conversation.terminal.wait_for("The first")
        conversation.terminal.type("/compact")
        conversation.model.wait_for_requests(2, SUMMARY)
        recording.wait_for(0)
        recording.say(conversation, "go on", 10)


def _wide(model: str) -> Session:
    def session(recording: Recording) -> None:
        with recording.conversation({MAIN: WIDE}, model=model) as conversation:
            recording.say(conversation, "go", 63)

    return session


def native_million(recording: Recording) -> None:
    client = recording.client._replace(more=FIRST_PARTY)
    _wide("claude-opus-4-8")(recording._replace(client=client))


marked_million = _wide("claude-sonnet-4-6[1m]")
beta_million = _wide("claude-opus-4-6[1m]")


def subagents(recording: Recording) -> None:
    parent = [delegate(40_000, ERRAND), bash(42_000, SLOW)._replace(hold=lambda model: model.wait_for_end(ERRAND))]
    errand = [bash(120_000, SLOW), bash(150_000, SLOW), say(170_000, "Walked.")]
    with recording.conversation({MAIN: [*parent, say(44_000, "Enough.")], ERRAND: errand}) as conversation:
        conversation.say("go")
        conversation.model.wait_for_end(ERRAND)
        conversation.model.wait_for_end()
        recording.wait_for(22)


def rewound(recording: Recording) -> None:
    steps = [bash(20_000), say(22_000, "The first."), bash(150_000), say(152_000, "The second."), say(60_000, "Third.")]
    with recording.conversation({MAIN: steps}) as conversation:
        recording.say(conversation, "one", 11)
        recording.say(conversation, "two", 76)
        rewind(conversation)
        recording.wait_for(11)
        recording.say(conversation, "three", 30)


def iterations(recording: Recording) -> None:
    steps = [bash(60_000, SLOW), Iterated(80_000, text="Enough.")]
    with recording.conversation({MAIN: steps}) as conversation:
        conversation.say("go")
        conversation.terminal.wait_for("Enough")
        time.sleep(2)


def refused(recording: Recording) -> None:
    steps = [say(120_000, "Enough."), *[Step(0, error="the harbour is closed")] * MOST_REQUESTS]
    with recording.conversation({MAIN: steps}) as conversation:
        recording.say(conversation, "go", 60)
        conversation.say("go on")
        conversation.terminal.wait_for("the harbour is closed")
        time.sleep(2)


def fork(recording: Recording) -> None:
    with recording.conversation({MAIN: [bash(110_000, SLOW), say(120_000, "Enough.")]}) as conversation:
        recording.say(conversation, "go", 60)
    session = conversation.model.session_id()
    args = ("--resume", session, "--fork-session")
    with recording.conversation({MAIN: [say(128_000, "Further.")]}, *args) as conversation:
        recording.say(conversation, "go on", 64)


def resumption(recording: Recording) -> None:
    """A headless session of 200,000 tokens that goes on in a terminal, with a window of a million."""
    steps = [bash(110_000, SLOW), say(120_000, "Enough.")]
    run = recording.client.headless(recording.project, {MAIN: steps}, model=COMPACTED)
    args = ("--resume", run.session_id())
    with recording.conversation({MAIN: [say(130_000, "Further.")]}, *args, model=f"{COMPACTED}[1m]") as conversation:
        recording.say(conversation, "go on", 13)


def switched(recording: Recording) -> None:
    """A session resumed with a larger window while its last redraw is still fresh."""
    with recording.conversation({MAIN: [bash(110_000, SLOW), say(120_000, "Enough.")]}) as conversation:
        recording.say(conversation, "go", 60)
    args = ("--resume", conversation.model.session_id())
    with recording.conversation({MAIN: [say(130_000, "Further.")]}, *args, model=f"{COMPACTED}[1m]") as conversation:
        recording.say(conversation, "go on", 13)


class RecordedSession(NamedTuple):
    """A session to record, with a sentence that describes it."""

    title: str
    play: Session


SESSIONS = {
    "filling": RecordedSession("a window that fills up, with a failing tool and parallel ones", filling),
    "compaction": RecordedSession("an automatic compaction, and one by hand", compaction),
    "native-million": RecordedSession("a million tokens without [1m] in the model's id", native_million),
    "marked-million": RecordedSession("a million tokens with [1m] in the model's id", marked_million),
    "beta-million": RecordedSession("a million tokens by a beta that the transcript may name", beta_million),
    "subagents": RecordedSession("a subagent that is fuller than its session", subagents),
    "rewind": RecordedSession("a rewind, whose abandoned branch stays in the transcript", rewound),
    "iterations": RecordedSession("an answer whose usage is the sum of two iterations", iterations),
    "refused": RecordedSession("a request that the API refused: a synthetic answer without usage", refused),
    "fork": RecordedSession("a fork, whose transcript begins with another session's answers", fork),
    "resumption": RecordedSession("a headless session that goes on in a terminal with a larger window", resumption),
    "switched": RecordedSession("a session that is resumed with a larger window", switched),
}

"""The scripted session whose payloads, transcript and requests are compared from version to version."""

from typing import NamedTuple

from tests.client.client import COMPACTED, Scripts
from tests.client.model import MAIN, SUMMARY, ScriptedModel
from tests.client.remeasure.home import STATUS_LINE, Capture, MeasuredHome
from tests.client.step import SLOW, Step, bash, batch, delegate, read, say

ERRAND = "Walk round the harbour"
ANSWERS = ("The first", "The second", "The third", "The fourth")
"""The words that end each turn."""


class RecordedSession(NamedTuple):
    """The recordings of a session."""

    captures: list[Capture]
    transcripts: list[bytes]


def errand_end(model: ScriptedModel) -> None:
    """Make the parent wait for its subagent, as 2.1.197 does by itself; 2.1.330 runs it in the background."""
    model.wait_for_end(ERRAND)


def work(project: str) -> list[Step]:
    """Steps with every kind of tool use: a success, a failure, parallel ones and a subagent."""
    return [
        read(20_000, f"{project}/note.txt"),
        bash(21_000, SLOW),
        bash(22_000, "exit 3"),
        batch(23_000, "true", "echo parallel"),
        delegate(24_000, ERRAND),
        bash(25_000, SLOW)._replace(hold=errand_end),
    ]


def scripts(project: str, *more: Step) -> Scripts:
    errand = [bash(11_000), say(12_000, "Walked.")]
    return {MAIN: [*work(project), say(26_000, "The first."), *more], ERRAND: errand}


def record(home: MeasuredHome) -> RecordedSession:
    """Play the session in a terminal: work, an automatic and a manual compaction, /clear, and a resumption."""
    home.project.mkdir()
    (home.project / "note.txt").write_text("A note.\n")
    more = [bash(168_000, SLOW), say(30_000, "The second."), say(31_000, "The third."), say(20_000, "The fourth.")]
    with home.client.interactive(home.project, scripts(str(home.project), *more), model=COMPACTED) as conversation:
        for number, answer in enumerate(ANSWERS):
            if number == 2:
                conversation.terminal.type("/compact")
                conversation.model.wait_for_requests(2, SUMMARY)
                conversation.terminal.wait_for("Compacted")
                conversation.terminal.wait(lambda _: home.captures()[-1].event == STATUS_LINE, "the line after it")
            if number == 3:
                session = conversation.model.session_id()
                conversation.clear()
            conversation.say(f"Prompt {number}")
            conversation.terminal.wait_for(answer)
            conversation.terminal.wait(lambda _: is_at_rest(home), "the end of the turn")
    last = [say(32_000, "The fifth.")]
    home.client.headless(home.project, {MAIN: last}, "--resume", session, model=COMPACTED)
    return RecordedSession(home.captures(), [path.read_bytes() for path in home.transcripts()])


def is_at_rest(home: MeasuredHome) -> bool:
    """Whether the newest turn has ended, its hooks included."""
    return hook_events(home.captures())[-1] == "Stop"


def hook_events(captures: list[Capture]) -> list[str]:
    return [capture.event for capture in captures if capture.event != STATUS_LINE]


def compaction_order(captures: list[Capture]) -> list[str]:
    """The events of the first compaction, from PreCompact to the last one that reports its end."""
    events = hook_events(captures)
    start = events.index("PreCompact")
    ends = [events.index(event, start) for event in ("SessionStart", "PostCompact")]
    return events[start : max(ends) + 1]

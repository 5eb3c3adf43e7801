"""A session told in ten lines at most: what was asked, what was done, what failed, where it stands."""

from collections.abc import Iterator

import msgspec

from monitor.activity.command import bare, is_check
from monitor.checkpoints.checkpoint import Checkpoint
from monitor.checkpoints.failure_reason import reason_of
from monitor.session import Project
from shared.plain import one_line, path_end
from shared.quantities import counted

LINES = 10
_LONGEST, _NAMED = 160, 3


class StoryLine(msgspec.Struct, frozen=True):
    """One line: what it is about, and what there is to tell of it; what is from outside is made safe."""

    label: str
    text: str


def story(checkpoint: Checkpoint, project: Project | None) -> list[StoryLine]:
    """The story of the session that `checkpoint` describes; nothing is told of what is not known."""
    return [StoryLine(label, one_line(text, _LONGEST)) for label, text in _told(checkpoint, project)][:LINES]


def _told(checkpoint: Checkpoint, project: Project | None) -> Iterator[tuple[str, str]]:
    goal = checkpoint.goal
    if goal is not None:
        yield "asked", goal.prompts[0]
        if len(goal.prompts) > 1:
            yield "asked last", goal.prompts[-1]
    if checkpoint.done:
        yield "done", _some([task.text for task in reversed(checkpoint.done)], "task")
    if checkpoint.files_edited:
        shown = [project.shown(use.path) if project else use.path for use in checkpoint.files_edited]
        yield "edited", _some([path_end(path, 60) for path in shown], "file")
    failing = {bare(failure.command) for failure in checkpoint.failing_commands}
    if others := [check for check in checkpoint.checks if check.command not in failing]:
        yield "checked", ", ".join(f"`{one_line(check.command, 60)}`" for check in others[:_NAMED])
    failures = sorted(checkpoint.failing_commands, key=lambda failure: not is_check(bare(failure.command)))
    for failure in failures[:2]:
        reason = reason_of(failure, checkpoint.session_info.transcript_path)
        yield "fails", f"`{one_line(bare(failure.command), 70)}`{f': {reason}' if reason else ''}"
    if checkpoint.todo:
        yield "open", _some([task.text for task in checkpoint.todo], "task")
    if goal is not None and goal.answer:
        yield "said last", goal.answer.strip().rpartition("\n\n")[2]
    if checkpoint.session_info.branch is not None:
        count = checkpoint.dirty_count
        state = f"{counted(count, 'file')} uncommitted" if count else "all committed"
        yield "branch", f"{checkpoint.session_info.branch}, {state}"


def _some(names: list[str], noun: str) -> str:
    shown = "; ".join(one_line(name, 60) for name in names[:_NAMED])
    more = "; \u2026" if len(names) > _NAMED else ""
    return f"{counted(len(names), noun)}: {shown}{more}"

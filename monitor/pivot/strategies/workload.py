"""What a session's window is filled with, as far as its transcript tells, and what of it is stale."""

from collections.abc import Iterable
from typing import NamedTuple

from monitor.activity.tool_calls import ToolCall
from monitor.pivot.patterns.distraction import overtaken
from shared.client.tools import Kind

LABELS: dict[Kind, str] = {
    "read": "files read",
    "part": "files read",
    "search": "searches",
    "command": "output of commands",
    "edit": "results of edits",
    "write": "results of edits",
    "delegate": "answers of subagents",
    "task_list": "other tools",
    "new_task": "other tools",
    "task_change": "other tools",
    "other": "other tools",
}


class ResultGroup(NamedTuple):
    """Results of tools in the window, of one kind or stale for one reason."""

    label: str
    path: str
    """Empty when they aren't of one file."""
    calls: list[ToolCall]
    stale: int
    """Tokens of those that are stale."""

    @property
    def tokens(self) -> int:
        """Tokens in the window, estimated by characters / 4."""
        return sum(call.tokens for call in self.calls)


class Workload(NamedTuple):
    """The results since the last compaction, the largest first."""

    kinds: list[ResultGroup]
    stale: list[ResultGroup]


def workload_of(calls: list[ToolCall]) -> Workload:
    """What the results of `calls` hold of the window."""
    reasons = overtaken(calls)
    stale = [(reasons[id(call)], call.path, call) for call in calls if id(call) in reasons]
    kinds = [(LABELS[call.kind], "", call) for call in calls]
    return Workload(_grouped(kinds, reasons), _grouped(stale, reasons))


def _grouped(labelled: Iterable[tuple[str, str, ToolCall]], stale: dict[int, str]) -> list[ResultGroup]:
    groups: dict[tuple[str, str], list[ToolCall]] = {}
    for label, path, call in labelled:
        groups.setdefault((label, path), []).append(call)
    results = [
        ResultGroup(label, path, calls, sum(call.tokens for call in calls if id(call) in stale))
        for (label, path), calls in groups.items()
    ]
    return sorted(results, key=lambda group: -group.tokens)

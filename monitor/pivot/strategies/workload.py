"""What a session's window is filled with, as far as its transcript tells, and what of it is stale."""

import msgspec

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


class Share(msgspec.Struct, frozen=True):
    """One kind of results in the window."""

    label: str
    results: int
    tokens: int
    """Estimated by characters / 4, as in all of these."""
    stale: int
    """Tokens that are stale."""


class Stale(msgspec.Struct, frozen=True):
    """A file, or several calls of one kind, whose results are no longer needed."""

    label: str
    path: str
    """Empty when it is no file."""
    tokens: int


class Workload(msgspec.Struct, frozen=True):
    """The results since the last compaction."""

    shares: tuple[Share, ...]
    """The largest first."""
    stale: tuple[Stale, ...]
    """The largest first."""

    @property
    def tokens(self) -> int:
        return sum(share.tokens for share in self.shares)

    @property
    def stale_tokens(self) -> int:
        return sum(share.stale for share in self.shares)


def workload_of(calls: list[ToolCall]) -> Workload:
    """What the results of `calls` hold of the window."""
    reasons = overtaken(calls)
    groups: dict[str, list[ToolCall]] = {}
    stale: dict[tuple[str, str], list[ToolCall]] = {}
    for call in calls:
        groups.setdefault(LABELS[call.kind], []).append(call)
        if id(call) in reasons:
            stale.setdefault((reasons[id(call)], call.path), []).append(call)
    held = [
        Share(label, len(group), _tokens(group), _tokens([call for call in group if id(call) in reasons]))
        for label, group in groups.items()
    ]
    wasted = [Stale(label, path, _tokens(group)) for (label, path), group in stale.items()]
    return Workload(
        tuple(sorted(held, key=lambda share: -share.tokens)), tuple(sorted(wasted, key=lambda one: -one.tokens))
    )


def _tokens(calls: list[ToolCall]) -> int:
    return sum(call.tokens for call in calls)

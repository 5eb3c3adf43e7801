"""What a session's window is filled with, as far as its transcript tells, and what of it is stale."""

import msgspec

from monitor.activity.tool_calls import DONE, FAILED, Kind, Step

LABELS: dict[Kind, str] = {
    "read": "files read",
    "part": "files read",
    "look": "searches",
    "command": "output of commands",
    "edit": "results of edits",
    "write": "results of edits",
    "delegate": "answers of subagents",
    "other": "other tools",
}


class Share(msgspec.Struct, frozen=True):
    """One kind of results in the window."""

    label: str
    results: int
    tokens: int
    """Estimated by characters / 4, as in all of these."""
    stale: int
    """Of the tokens."""


class Stale(msgspec.Struct, frozen=True):
    """A file, or several calls of one kind, whose results are no longer needed."""

    label: str
    path: str
    """Empty when it is no file."""
    results: int
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


def workload_of(steps: list[Step]) -> Workload:
    """What the results of `steps` hold of the window."""
    overtaken = _overtaken(steps)
    shares: dict[str, list[Step]] = {}
    stale: dict[tuple[str, str], list[Step]] = {}
    for step in steps:
        shares.setdefault(LABELS[step.kind], []).append(step)
        if id(step) in overtaken:
            stale.setdefault((overtaken[id(step)], step.path), []).append(step)
    return Workload(
        tuple(sorted((_share(label, group, overtaken) for label, group in shares.items()), key=lambda s: -s.tokens)),
        tuple(
            sorted(
                (Stale(label, path, len(group), _tokens(group)) for (label, path), group in stale.items()),
                key=lambda one: -one.tokens,
            )
        ),
    )


def _share(label: str, steps: list[Step], overtaken: dict[int, str]) -> Share:
    return Share(label, len(steps), _tokens(steps), _tokens([step for step in steps if id(step) in overtaken]))


def _tokens(steps: list[Step]) -> int:
    return sum(step.tokens for step in steps)


def _overtaken(steps: list[Step]) -> dict[int, str]:
    """Why the results that are no longer true, or no longer needed, are so; by the identity of their step."""
    reasons: dict[int, str] = {}
    changed: set[str] = set()
    """Files that were edited later."""
    read: set[str] = set()
    """Files that were read whole later."""
    again: set[int] = set()
    """Calls that were made again later."""
    for step in reversed(steps):
        if step.is_read and step.path in changed:
            reasons[id(step)] = "read before it was edited"
        elif (step.is_read and step.path in read) or (step.kind == "part" and step.call in again):
            reasons[id(step)] = "read again since"
        elif step.state == FAILED and step.call in again:
            reasons[id(step)] = "failed calls that were made again"
        elif step.kind in {"command", "look"} and step.call in again:
            reasons[id(step)] = "run again since"
        if step.is_edit:
            changed.add(step.path)
        if step.kind == "read" and step.state == DONE:
            read.add(step.path)
        again.add(step.call)
    return reasons

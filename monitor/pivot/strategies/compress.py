"""Compress: the client's own compaction, told what to keep and what is stale."""

from collections import Counter
from collections.abc import Iterator

from monitor.activity.reader import activity_of
from monitor.checkpoints.checkpoint import Checkpoint
from monitor.checkpoints.save import describe
from monitor.checkpoints.texts import requests, sections
from monitor.checkpoints.token_budget import Section
from monitor.pivot.patterns.distraction import stale_reasons
from monitor.pivot.strategies.strategy import Context, Outcome
from monitor.session import Project
from shared.secrets.masking import masked
from shared.text.plain import code, name_end, one_line, path_end, untagged

_MOST_LARGEST = 5
"""Stale results that the answer lists."""
_LONGEST = 900
"""Characters of the focus, which is pasted as one line."""
_SHORTER = ((4, 90), (3, 80), (2, 70), (1, 60), (0, 60), (0, 30))
"""Items of each kind and tokens of requests; the first pair that makes the focus short enough is used."""

StaleTokens = Counter[tuple[str, str]]
"""Tokens of stale results in the window, by reason and file; the file is empty for results without one."""


def carry_out(context: Context) -> Outcome:
    """Return the instructions for `/compact`, which only the person can give: the text's first line is to be pasted."""
    checkpoint = describe(context.conversation, context.session, context.project, "compress", context.verdict)
    stale = _stale_in(context)
    command = masked(f"/compact {_focus(stale, checkpoint, context.project)}")
    lines = [command, "", "That line compacts the conversation; only the user can paste it."]
    if stale:
        tokens = f"{stale.total():,} tokens of tool results"
        lines.append(f"About {tokens} are stale (an estimate by characters / 4); the largest:")
        lines += _stale_items(stale, context.project)
    else:
        lines.append("No result of a tool is known to be stale.")
    return Outcome("compress", (), "\n".join(lines))


def _stale_in(context: Context) -> StaleTokens:
    """The tokens of results that have become stale since the last compaction."""
    calls = activity_of(context.conversation, context.session).log.calls
    reasons, stale = stale_reasons(calls), StaleTokens()
    for call in calls:
        if reason := reasons.get(id(call)):
            stale[reason, call.path] += call.tokens
    return stale


def _focus(stale: StaleTokens, checkpoint: Checkpoint, project: Project) -> str:
    """What the summary must keep and leave out, on one line; it is shortened by dropping parts, not by cutting."""
    paths = list(dict.fromkeys(name_end(project.short_path(path), 90) for (_, path), _ in stale.most_common() if path))
    for most, requests_budget in _SHORTER:
        keep = _keep(checkpoint, project, most, requests_budget)
        parts = "; ".join(f"{part.label[0].lower()}{part.label[1:]}: {', '.join(part.items)}" for part in keep)
        text = f"Keep the task, decisions with their reasons, and what comes next{f'; {parts}' if parts else ''}."
        if paths:
            read = ", ".join(paths[: most + 1])
            text += f" Leave out what was read of {read}: it has changed since or was read again."
        text = one_line(untagged(text), 4 * _LONGEST)
        if len(text) <= _LONGEST:
            break
    return text


def _keep(checkpoint: Checkpoint, project: Project, most: int, requests_budget: int) -> list[Section]:
    """What the summary must keep, at most `most` items of each kind."""
    parts = [
        *requests.short(checkpoint.words, requests_budget, untagged),
        sections.tasks(checkpoint, most),
        sections.failing(checkpoint, most),
        sections.edited(checkpoint, project, most),
        sections.checks(checkpoint, most),
        sections.branch(checkpoint, 0),
    ]
    return [part for part in parts if part.items]


def _stale_items(stale: StaleTokens, project: Project) -> Iterator[str]:
    for (reason, path), tokens in stale.most_common(_MOST_LARGEST):
        file = f"{code(path_end(project.short_path(path), 160), 160)}, " if path else ""
        yield f"- {untagged(file)}{reason}: about {tokens:,} tokens"

"""Compress: the client's own compaction, told what to keep and what is stale."""

from collections.abc import Iterator
from typing import NamedTuple

from monitor.activity.reader import activity_of
from monitor.activity.tool_calls import ToolCall
from monitor.checkpoints.checkpoint import Checkpoint
from monitor.checkpoints.save import describe
from monitor.checkpoints.texts import requests, sections
from monitor.checkpoints.token_budget import Section
from monitor.pivot.patterns.distraction import overtaken
from monitor.pivot.strategies.strategy import Context, Outcome
from monitor.session import Project
from shared.client.tools import Kind
from shared.secrets.masking import masked
from shared.text.plain import code, one_line, path_end, untagged

_MOST_STALE, _MOST_LARGEST = 12, 5
"""Stale results that the file and the answer name."""
_LONGEST = 900
"""Characters of the focus: it is pasted as one line."""
_SHORTER = ((4, 90), (3, 80), (2, 70), (1, 60), (0, 60), (0, 30))
"""Items of each kind and tokens of what was asked: the first with which the focus is short enough."""
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
    results: int
    tokens: int
    """In the window, estimated by characters / 4."""
    stale: int
    """Those of them that are stale."""


def carry_out(context: Context) -> Outcome:
    """The instructions for `/compact`, which only the person can give."""
    project = context.project
    kinds, stale, checkpoint, command = _measured(context)
    document = _document(kinds, stale, checkpoint, project, command)
    file = context.save("compress", "compact.md", document, "what to keep and what is stale")
    return Outcome("compress", (file,), _text(kinds, stale, command, file.path, project))


def command_of(context: Context) -> str:
    """The line that the person types, without a file being written."""
    return _measured(context)[-1]


def _measured(context: Context) -> tuple[list[ResultGroup], list[ResultGroup], Checkpoint, str]:
    """What holds the window, what of it is stale, the session's checkpoint, and the line that follows from them."""
    checkpoint = describe(context.conversation, context.session, context.project, "compress", context.reading)
    calls = activity_of(context.conversation, context.session).log.calls
    reasons = overtaken(calls)
    kinds = _grouped([(LABELS[call.kind], "", call) for call in calls], reasons)
    stale = _grouped([(reasons[id(call)], call.path, call) for call in calls if id(call) in reasons], reasons)
    return kinds, stale, checkpoint, masked(f"/compact {_focus(stale, checkpoint, context.project)}")


def _grouped(labelled: list[tuple[str, str, ToolCall]], reasons: dict[int, str]) -> list[ResultGroup]:
    """The results since the last compaction, the largest first."""
    groups: dict[tuple[str, str], ResultGroup] = {}
    for label, path, call in labelled:
        group = groups.get((label, path), ResultGroup(label, path, 0, 0, 0))
        stale = group.stale + (call.tokens if id(call) in reasons else 0)
        groups[label, path] = ResultGroup(label, path, group.results + 1, group.tokens + call.tokens, stale)
    return sorted(groups.values(), key=lambda group: -group.tokens)


def _focus(stale: list[ResultGroup], checkpoint: Checkpoint, project: Project) -> str:
    """What the summary is to keep and to leave out, on one line that is whole: parts give way, none is cut off."""
    paths = list(dict.fromkeys(path_end(project.short_path(result.path), 90) for result in stale if result.path))
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
    """What the summary is to keep, at most `most` items of each kind."""
    parts = [
        *requests.short(checkpoint.words, requests_budget, untagged),
        sections.tasks(checkpoint, most),
        sections.failing(checkpoint, most),
        sections.edited(checkpoint, project, most),
        sections.checks(checkpoint, most),
        sections.branch(checkpoint, 0),
    ]
    return [part for part in parts if part.items]


def _document(
    kinds: list[ResultGroup], stale: list[ResultGroup], checkpoint: Checkpoint, project: Project, command: str
) -> str:
    lines = ["# What to keep, and what is stale", ""]
    lines += [f"Session {checkpoint.session_info.session_id}, {sections.reading(checkpoint)} in use.", ""]
    lines += ["Paste this into the client:", "", f"    {command}", "", "## Keep", ""]
    lines += ["- The task, decisions with their reasons, and what comes next"]
    lines += [f"- {part.label}: {untagged('; '.join(part.items))}" for part in _keep(checkpoint, project, 20, 400)]
    lines += ["", "## Stale", ""]
    lines += _stale_items(stale[:_MOST_STALE], project)
    rest = stale[_MOST_STALE:]
    lines += [f"- {len(rest)} more: about {_tokens(rest):,} tokens"] if rest else []
    lines += ["", "## What holds the window", ""]
    lines += ["| part | results | tokens, about | of them stale |", "|---|---|---|---|"]
    lines += [f"| {kind.label} | {kind.results} | {kind.tokens:,} | {kind.stale:,} |" for kind in kinds]
    tokens = checkpoint.context_state.input_tokens
    if tokens is not None:
        others = max(0, tokens - _tokens(kinds))
        lines.append(f"| prompts, answers, instructions, definitions of tools | | {others:,} | |")
    lines += ["", "The tokens of results are estimates: characters / 4, since the last compaction."]
    return "\n".join(lines) + "\n"


def _tokens(groups: list[ResultGroup]) -> int:
    return sum(group.tokens for group in groups)


def _stale_items(stale: list[ResultGroup], project: Project) -> Iterator[str]:
    for result in stale:
        file = f"{code(path_end(project.short_path(result.path), 160), 160)}, " if result.path else ""
        yield f"- {untagged(file)}{result.label}: about {result.tokens:,} tokens"


def _text(kinds: list[ResultGroup], stale: list[ResultGroup], command: str, path: str, project: Project) -> str:
    lines = [command, "", "That line compacts the conversation; only the user can paste it."]
    if stale:
        part = f"{_tokens(stale):,} of {_tokens(kinds):,} tokens of tool results"
        lines.append(f"About {part} are stale (an estimate by characters / 4); the largest:")
        lines += _stale_items(stale[:_MOST_LARGEST], project)
    else:
        lines.append("No result of a tool is known to be stale.")
    return "\n".join([*lines, f"The whole of it: {path_end(path, 1_000)}"])

"""Compress: the client's own compaction, told what to keep and what is stale."""

import os
from collections.abc import Sequence

from monitor.activity.activity_of import activity_of
from monitor.checkpoints import goal, sections
from monitor.checkpoints.checkpoint import Checkpoint
from monitor.checkpoints.save import describe
from monitor.checkpoints.token_budget import Section
from monitor.exporting import folder
from monitor.pivot.strategies.strategy import Context, File, Outcome
from monitor.pivot.strategies.workload import Stale, Workload, workload_of
from monitor.session import Project
from shared.plain import one_line, path_end, untagged
from shared.secrets.masking import masked

SUMMARY = "compact the conversation, told what to keep and what is stale"

_NAME = "compact.md"
_MOST_STALE = 12
_NAMED, _LONGEST, _GOAL_BUDGET = 5, 900, 90
"""Stale files that the focus names, its characters, and the tokens of what was asked: it is pasted as one line."""


def carry_out(context: Context) -> Outcome:
    """The instructions for `/compact`, which only the person can give."""
    project, settings = context.project, context.session.config.pivot
    load, known, command = _measured(context)
    path = os.path.join(folder.add(project, settings.export_directory, "compress"), _NAME)
    folder.write(path, _document(load, known, project, command))
    return Outcome("compress", (File(path, "what to keep and what is stale"),), _text(load, command, path, project))


def focus(load: Workload, checkpoint: Checkpoint, project: Project) -> str:
    """What the summary is to keep and to leave out, on one line."""
    keep = [part for part in _keep(checkpoint, project, 4) if part.items]
    named = "; ".join(f"{part.label[0].lower()}{part.label[1:]}: {', '.join(part.items)}" for part in keep)
    text = "Keep the task, decisions with their reasons, and what comes next"
    text += f"; {named}." if named else "."
    stale = [path_end(project.shown(one.path), 90) for one in load.stale if one.path]
    if stale:
        text += f" Leave out what was read of {', '.join(list(dict.fromkeys(stale))[:_NAMED])}: it has changed since or"
        text += " was read again."
    return one_line(untagged(text), _LONGEST)


def command_of(context: Context) -> str:
    """The line that the person types, without a file being written."""
    return _measured(context)[2]


def _measured(context: Context) -> tuple[Workload, Checkpoint, str]:
    """What fills the window, what is known of the session, and the line that follows from them."""
    known = describe(context.conversation, context.session, context.project, "compress", context.reading)
    load = workload_of(activity_of(context.conversation, context.session).log.calls)
    return load, known, masked(f"/compact {focus(load, known, context.project)}")


def _keep(checkpoint: Checkpoint, project: Project, most: int) -> list[Section]:
    return [
        *goal.short(checkpoint.goal, _GOAL_BUDGET, untagged),
        sections.tasks(checkpoint, most),
        sections.edited(checkpoint, project, most),
        sections.failing(checkpoint, most),
        sections.checks(checkpoint, most),
        sections.branch(checkpoint, 0),
    ]


def _document(load: Workload, checkpoint: Checkpoint, project: Project, command: str) -> str:
    lines = ["# What to keep, and what is stale", ""]
    lines += [f"Session {checkpoint.session_info.session_id}, {sections.reading(checkpoint)} in use.", ""]
    lines += ["Type this in the client:", "", f"    {command}", "", "## Keep", ""]
    lines += ["- The task, decisions with their reasons, and what comes next"]
    for part in _keep(checkpoint, project, 20):
        lines += [f"- {part.label}: {untagged('; '.join(part.items))}"] if part.items else []
    lines += ["", "## Stale", ""]
    lines += _stale_items(load.stale[:_MOST_STALE], project)
    rest = load.stale[_MOST_STALE:]
    lines += [f"- {len(rest)} more: about {sum(one.tokens for one in rest):,} tokens"] if rest else []
    lines += [
        "",
        "## What holds the window",
        "",
        "| part | results | tokens, about | of them stale |",
        "|---|---|---|---|",
    ]
    lines += [f"| {share.label} | {share.results} | {share.tokens:,} | {share.stale:,} |" for share in load.shares]
    tokens = checkpoint.context_state.input_tokens
    if tokens is not None:
        others = max(0, tokens - load.tokens)
        lines.append(f"| prompts, answers, instructions, definitions of tools | | {others:,} | |")
    lines += ["", "The tokens of results are estimates: characters / 4, since the last compaction."]
    return "\n".join(lines) + "\n"


def _stale_items(stale: Sequence[Stale], project: Project) -> list[str]:
    items = []
    for one in stale:
        file = f"`{path_end(project.shown(one.path), 160)}`, " if one.path else ""
        items.append(f"- {untagged(file)}{one.label}: about {one.tokens:,} tokens")
    return items


def _text(load: Workload, command: str, path: str, project: Project) -> str:
    lines = [command, "", "That line compacts the conversation; only the user can type it, word for word."]
    if load.stale:
        held = f"{load.stale_tokens:,} of {load.tokens:,} tokens of tool results"
        lines.append(f"About {held} are stale (an estimate by characters / 4); the largest:")
        lines += _stale_items(load.stale[:_NAMED], project)
    else:
        lines.append("No result of a tool is known to be stale.")
    return "\n".join([*lines, f"The whole of it: {path_end(path, 1_000)}"])

"""Chunk: what is left of the work is cut into tasks for subagents, each of which has a window of its own."""

import os

import msgspec

from monitor.activity.activity import Activity, Task
from monitor.checkpoints import goal, sections
from monitor.checkpoints.checkpoint import Checkpoint
from monitor.checkpoints.save import describe
from monitor.exporting import folder
from monitor.pivot.analysis import activity_of
from monitor.pivot.strategies.strategy import Context, File, Outcome
from monitor.session import Project
from shared.plain import one_line, path_end, untagged

SUMMARY = "cut the remaining work into tasks for subagents, each with a window of its own"

_NAME = "tasks.md"
_MOST_CHUNKS, _MOST_FILES, _LONGEST = 12, 8, 200
_GOAL_BUDGET = 1_500
"""Tokens of what was said."""


class Chunk(msgspec.Struct, frozen=True):
    """One subagent's task."""

    title: str
    files: tuple[str, ...]
    """Those that it is likely to need, as the project's people write them."""


def carry_out(context: Context) -> Outcome:
    """The list of tasks, as a file and as a text."""
    session, project = context.session, context.project
    known = describe(context.conversation, session, project, "chunk", context.reading)
    activity = activity_of(context.conversation, session)
    chunks = chunks_of(activity, known, project)
    path = os.path.join(folder.add(project, session.config.pivot.export_directory, "chunk"), _NAME)
    folder.write(path, _document(chunks, activity, known, project))
    return Outcome("chunk", (File(path, "the tasks for subagents"),), _text(chunks, path))


def chunks_of(activity: Activity, checkpoint: Checkpoint, project: Project) -> list[Chunk]:
    """One for each open task; without a list of tasks, one for each command that fails and one for open files."""
    files = [project.shown(use.path) for use in checkpoint.files_edited]
    chunks = [Chunk(one_line(task.text, _LONGEST), _files_for(task, files)) for task in activity.open_tasks]
    if not chunks:
        commands = [one_line(failure.command, _LONGEST) for failure in checkpoint.failing_commands]
        chunks = [Chunk(f"Find out why `{command}` fails, and fix it", ()) for command in commands]
        if checkpoint.dirty_files or files:
            title = "Go through the files that were edited, and finish what is begun in them"
            chunks.append(Chunk(title, tuple(path_end(file, 160) for file in files[:_MOST_FILES])))
    return chunks[:_MOST_CHUNKS]


def _files_for(task: Task, files: list[str]) -> tuple[str, ...]:
    """The edited files that a task's text names, by their name or its stem."""
    words = task.text.lower()
    named = [
        file for file in files if len(stem := os.path.splitext(os.path.basename(file))[0].lower()) > 2 and stem in words
    ]
    return tuple(path_end(file, 160) for file in named[:_MOST_FILES])


def _document(chunks: list[Chunk], activity: Activity, checkpoint: Checkpoint, project: Project) -> str:
    lines = ["# Remaining work, in tasks for subagents", ""]
    lines += [f"Session {checkpoint.session_info.session_id}, {sections.reading(checkpoint)} in use.", ""]
    lines += ["Give each task to a subagent of its own, with the lines under it and what all of them share."]
    lines += ["Ask each for what it changed, what it found out, and what is left, in ten lines at most.", ""]
    for number, chunk in enumerate(chunks, 1):
        lines += [f"## {number}. {untagged(chunk.title)}", ""]
        lines += [f"- file: `{file}`" for file in chunk.files] or ["- files: to be found"]
        lines += ["- done when: the task is verified by a test or a command, whose output is reported", ""]
    if not chunks:
        lines += ["No open task is known: the agent's list is empty, no command fails, no file was edited.", ""]
    lines += [
        "# What all of them share",
        "",
        *goal.quoted(checkpoint.goal, _GOAL_BUDGET),
        "## Where the work stands",
        "",
    ]
    shared = [
        sections.branch(checkpoint, 8),
        sections.failing(checkpoint, 5),
        sections.edited(checkpoint, project, 12),
        sections.read(checkpoint, project, 8),
    ]
    lines += [f"- {part.label}: {untagged('; '.join(part.items))}" for part in shared if part.items]
    done = [task for task in activity.tasks.values() if not task.is_open]
    lines += [f"- Done already: {untagged('; '.join(one_line(task.text, 100) for task in done[-10:]))}"] if done else []
    return "\n".join(lines).rstrip() + "\n"


def _text(chunks: list[Chunk], path: str) -> str:
    where = path_end(path, 1_000)
    if not chunks:
        return f"No open task is known, so there is nothing to hand to subagents. What is known: {where}"
    lines = [f"The remaining work is cut into {len(chunks)} tasks for subagents, in {where}:"]
    if len(chunks) == 1:
        lines = [f"The remaining work is one task for a subagent, in {where}:"]
    for number, chunk in enumerate(chunks, 1):
        files = f" ({', '.join(chunk.files[:3])})" if chunk.files else ""
        lines.append(f"{number}. {untagged(chunk.title + files)}")
    lines.append("Start a subagent for each with its part of that file, and gather their answers here.")
    return "\n".join(lines)

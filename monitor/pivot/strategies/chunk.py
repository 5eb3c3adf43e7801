"""Chunk: what is left of the work is cut into tasks for subagents, each of which has a window of its own."""

import os
from collections.abc import Iterator

import msgspec

from monitor.activity.activity import Activity, Failure, Task
from monitor.activity.activity_of import activity_of
from monitor.activity.command import bare, is_check
from monitor.checkpoints import goal, sections
from monitor.checkpoints.checkpoint import Checkpoint
from monitor.checkpoints.failure_reason import reason_of
from monitor.checkpoints.save import describe
from monitor.exporting import folder
from monitor.pivot.strategies.matching import command_for, failures_of, files_of
from monitor.pivot.strategies.strategy import Context, File, Outcome
from monitor.session import Project
from shared.plain import one_line, path_end, untagged
from shared.secrets.masking import masked

SUMMARY = "cut the remaining work into tasks for subagents, each with a window of its own"

_NAME = "tasks.md"
_MOST_CHUNKS, _MOST_FILES, _LONGEST = 12, 8, 200
_GOAL_BUDGET, _TASK_BUDGET = 3_000, 400
"""Tokens of what was said: once in full, and in each task as much as tells its goal."""


class Chunk(msgspec.Struct, frozen=True):
    """One subagent's task."""

    title: str
    files: tuple[str, ...] = ()
    """Those that it is about, as the project's people write them."""
    failures: tuple[Failure, ...] = ()
    """Commands whose last run failed, and that are about these."""
    command: str = ""
    """What verifies it; empty where nothing was ever checked."""


def carry_out(context: Context) -> Outcome:
    """The list of tasks, as a file and as a text."""
    session, project = context.session, context.project
    known = describe(context.conversation, session, project, "chunk", context.reading)
    activity = activity_of(context.conversation, session)
    chunks = chunks_of(activity, known, project)
    path = os.path.join(folder.add(project, session.config.pivot.export_directory, "chunk"), _NAME)
    folder.write(path, masked("\n".join(_document(chunks, known, project)).rstrip() + "\n"))
    return Outcome("chunk", (File(path, "the tasks for subagents"),), _text(chunks, path))


def chunks_of(activity: Activity, checkpoint: Checkpoint, project: Project) -> list[Chunk]:
    """One for each open task; without a list of tasks, one for each check that fails and one for open files."""
    chunks = [_chunk_of(task, activity, checkpoint, project) for task in activity.open_tasks]
    if not chunks:
        edited = [use.path for use in checkpoint.files_edited]
        for failure in checkpoint.failing_commands:
            command = bare(failure.command)
            if not is_check(command):  # a look at something, or a script for once: no work that is left
                continue
            about = [path for path in edited if failures_of([path], [failure])]
            title = f"Find out why `{one_line(command, _LONGEST)}` fails, and fix it"
            chunks.append(Chunk(title, _shown(about, project), (failure,), command))
        if checkpoint.dirty_files or edited:
            title = "Go through the files that were edited, and finish what is begun in them"
            chunks.append(Chunk(title, _shown(edited, project), (), command_for(edited, [], checkpoint.checks)))
    return chunks[:_MOST_CHUNKS]


def _chunk_of(task: Task, activity: Activity, checkpoint: Checkpoint, project: Project) -> Chunk:
    paths = files_of(task, checkpoint, reversed(activity.edited_for.get(task.text, {})))
    failures = failures_of(paths, checkpoint.failing_commands)
    command = command_for(paths, failures, checkpoint.checks)
    return Chunk(one_line(task.text, _LONGEST), _shown(paths, project), tuple(failures), command)


def _shown(paths: list[str], project: Project) -> tuple[str, ...]:
    return tuple(path_end(project.shown(path), 160) for path in paths[:_MOST_FILES])


def _document(chunks: list[Chunk], checkpoint: Checkpoint, project: Project) -> Iterator[str]:
    yield from ("# Remaining work, in tasks for subagents", "")
    yield from (f"Session {checkpoint.session_info.session_id}, {sections.reading(checkpoint)} in use.", "")
    yield "Give each task to a subagent of its own: the lines under its heading, and what all of them share."
    yield from ("Ask each for what it changed, what it found out, and what is left, in ten lines at most.", "")
    for number, chunk in enumerate(chunks, 1):
        yield from (f"## {number}. {untagged(chunk.title)}", "")
        yield from _task(chunk, checkpoint)
    if not chunks:
        yield from ("No open task is known: the agent's list is empty, no command fails, no file was edited.", "")
    yield from ("# What all of them share", "", *goal.quoted(checkpoint.goal, _GOAL_BUDGET))
    yield from ("## Where the work stands", "")
    shared = [
        sections.branch(checkpoint, 8),
        sections.failing(checkpoint, 5),
        sections.checks(checkpoint, 5),
        sections.edited(checkpoint, project, 12),
        sections.read(checkpoint, project, 8),
    ]
    yield from (f"- {part.label}: {untagged('; '.join(part.items))}" for part in shared if part.items)
    if checkpoint.done:
        done = "; ".join(one_line(task.text, 100) for task in checkpoint.done[-10:])
        yield f"- Done already: {untagged(done)}"


def _task(chunk: Chunk, checkpoint: Checkpoint) -> Iterator[str]:
    for part in goal.short(checkpoint.goal, _TASK_BUDGET, untagged):
        yield f"- {part.label[0].lower()}{part.label[1:]}, in the user's words: {untagged(part.items[0])}"
    for file in chunk.files:
        yield f"- file: `{untagged(file)}`"
    if not chunk.files:
        yield "- files: to be found; none was edited for it"
    for failure in chunk.failures:
        reason = reason_of(failure, checkpoint.session_info.transcript_path)
        yield untagged(f"- fails: `{one_line(bare(failure.command), _LONGEST)}`{f': {reason}' if reason else ''}")
    if chunk.command:
        yield f"- done when: `{untagged(one_line(chunk.command, _LONGEST))}` passes, and its output is reported"
    else:
        yield "- done when: a test or a command verifies it, whose output is reported"
    yield ""


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

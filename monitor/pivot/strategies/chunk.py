"""Chunk: split the remaining work into tasks for subagents, each of which has a window of its own."""

import os
import re
from collections.abc import Iterable, Iterator

import msgspec

from monitor import command_line
from monitor.activity.activity import Activity, Task
from monitor.activity.checks.failures import Failure, without_directory
from monitor.activity.reader import activity_of
from monitor.checkpoints.checkpoint import Check, Checkpoint
from monitor.checkpoints.save import describe
from monitor.checkpoints.texts import requests, sections
from monitor.pivot.strategies.strategy import Context, Outcome
from monitor.session import Project
from shared.secrets.masking import masked
from shared.text.plain import code, name_end, one_line, path_end, untagged
from shared.text.word_set import word_set

_NOTHING = (
    "There is nothing to split: the agent's list has no open task, and no check fails. To go on in a new session:"
    " {command}"
)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_COMMON = word_set(
    "test spec index main init mod lib app core base common util helper type src view component file"
    " the and for with add fix new"
)
"""Words that are common in names, and so don't distinguish them."""
_TEST = re.compile(r"^tests?_|[._-](?:tests?|spec)$|(?-i:(?<=[a-z0-9])(?:Tests?|Spec)$)", re.IGNORECASE)
"""The mark of a test in a file's name."""
_MOST_CHUNKS, _MOST_FILES, _LONGEST = 12, 8, 200
_REQUESTS_BUDGET, _TASK_BUDGET = 3_000, 400
"""Tokens for the requests: once in full, and in each task, enough to show its purpose."""


class Chunk(msgspec.Struct, frozen=True):
    title: str
    files: tuple[str, ...] = ()
    """The files that it concerns, relative to the project."""
    failures: tuple[Failure, ...] = ()
    """Checks of these files that failed in their last run."""
    command: str = ""
    """The command that verifies it; empty if nothing was ever checked."""


def carry_out(context: Context) -> Outcome:
    """Write the list of tasks to a file and return it as a text; if there is nothing to split, only say so."""
    session, project = context.session, context.project
    checkpoint = describe(context.conversation, session, project, "chunk", context.verdict)
    chunks = chunks_of(activity_of(context.conversation, session), checkpoint, project)
    if not chunks:
        command = command_line.pivot(session, "spawn", context.conversation.session_id)
        return Outcome("chunk", (), _NOTHING.format(command=command))
    document = masked("\n".join(_document(chunks, checkpoint, project)).rstrip() + "\n")
    file = context.save("chunk", "tasks.md", document, "the tasks for subagents")
    return Outcome("chunk", (file,), _text(chunks, file.path))


def chunks_of(activity: Activity, checkpoint: Checkpoint, project: Project) -> list[Chunk]:
    """One chunk for each open task; without open tasks, one for each failing check."""
    chunks = [_chunk_of(task, checkpoint, project) for task in activity.open_tasks]
    chunks = chunks or [_repair_of(failure, checkpoint, project) for failure in checkpoint.failing_commands]
    return chunks[:_MOST_CHUNKS]


def _repair_of(failure: Failure, checkpoint: Checkpoint, project: Project) -> Chunk:
    about = [use.path for use in checkpoint.files_edited if failures_of([use.path], [failure])]
    title = f"Find out why {code(failure.command, _LONGEST)} fails, and fix it"
    return Chunk(title, _short_paths(about, project), (failure,), failure.command)


def _chunk_of(task: Task, checkpoint: Checkpoint, project: Project) -> Chunk:
    paths = _files_of(task, checkpoint)
    failures = failures_of(paths, checkpoint.failing_commands)
    command = command_for(paths, failures, checkpoint.checks)
    return Chunk(one_line(task.text, _LONGEST), _short_paths(paths, project), tuple(failures), command)


def _short_paths(paths: list[str], project: Project) -> tuple[str, ...]:
    return tuple(path_end(project.short_path(path), 160) for path in paths[:_MOST_FILES])


def _files_of(task: Task, checkpoint: Checkpoint) -> list[str]:
    """The files that a task names, edited ones before those only read, then their tests."""
    paths = [use.path for use in (*checkpoint.files_edited, *checkpoint.files_read)]
    result = [path for path in paths if is_named(path, task.text)]
    stems = {_stem(path) for path in result}
    tests = (path for path in paths if _TEST.search(os.path.splitext(os.path.basename(path))[0]))
    return list(dict.fromkeys([*result, *(path for path in tests if _stem(path) in stems)]))


def is_named(path: str, text: str) -> bool:
    """Whether a task's text names a file: by its name, or by the words of its stem."""
    name = os.path.basename(path)
    if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text):
        return True
    stem = _words(os.path.splitext(name)[0]) - _COMMON or _words(os.path.basename(os.path.dirname(path))) - _COMMON
    shared = stem & _words(text)
    return bool(shared) and 2 * len(shared) >= len(stem)


def failures_of(paths: Iterable[str], failures: Iterable[Failure]) -> list[Failure]:
    """The failing checks that name one of the files or its test."""
    stems = {_stem(path) for path in paths}
    return [failure for failure in failures if stems & {_stem(word) for word in _paths_in(failure.command)}]


def command_for(paths: list[str], failures: list[Failure], checks: Iterable[Check]) -> str:
    """The command that verifies a task: one that tests its files, else the last check of everything."""
    if failures:
        return failures[0].command
    commands = [check.command for check in checks]
    stems = {_stem(path) for path in paths}
    near = [command for command in commands if stems & {_stem(word) for word in _paths_in(command)}]
    whole = [command for command in commands if not any(os.path.splitext(word)[1] for word in _paths_in(command))]
    return (near or [command for command in whole if "test" in command.lower()] or whole or [""])[0]


def _stem(path: str) -> str:
    """A file's stem without the mark of a test, which a source and its test share."""
    return _TEST.sub("", os.path.splitext(os.path.basename(path))[0]).lower()


def _paths_in(command: str) -> list[str]:
    """The words of a command that name files, without a selected test (`::name`)."""
    return [
        word.partition("::")[0].strip("'\"")
        for word in without_directory(command).split()
        if re.search(r"\.\w|/", word)
    ]


def _words(text: str) -> set[str]:
    """The words of at least three letters in a text, or in a name of any notation, without a plural s."""
    return {word.lower().removesuffix("s") for word in _WORD.findall(text) if len(word) > 2}


def _document(chunks: list[Chunk], checkpoint: Checkpoint, project: Project) -> Iterator[str]:
    yield from ("# Remaining work, in tasks for subagents", "")
    yield from (f"Session {checkpoint.session_info.session_id}, {sections.reading(checkpoint)} in use.", "")
    yield "Give each task to a subagent of its own: the lines under its heading, and what all of them share."
    yield from ("Ask each for what it changed, what it found out, and what is left, in ten lines at most.", "")
    for number, chunk in enumerate(chunks, 1):
        yield from (f"## {number}. {untagged(chunk.title)}", "")
        yield from _task(chunk, checkpoint)
    yield from ("# What all of them share", "", *requests.quoted(checkpoint.words, _REQUESTS_BUDGET))
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
        finished = "; ".join(one_line(task.text, 100) for task in checkpoint.done[-10:])
        yield f"- Done already: {untagged(finished)}"


def _task(chunk: Chunk, checkpoint: Checkpoint) -> Iterator[str]:
    for part in requests.short(checkpoint.words, _TASK_BUDGET, untagged):
        yield f"- {part.label[0].lower()}{part.label[1:]}, in the user's words: {untagged(part.items[0])}"
    for file in chunk.files:
        yield f"- file: {untagged(code(file, _LONGEST))}"
    if not chunk.files:
        yield "- files: none named"
    for failure in chunk.failures:
        yield untagged(f"- fails: {sections.failure_text(failure, checkpoint)}")
    command = untagged(code(chunk.command, _LONGEST))
    check = f"{command} passes, and its" if command else "a test or a command verifies it, whose"
    yield from (f"- done when: {check} output is reported", "")


def _text(chunks: list[Chunk], path: str) -> str:
    what = "one task for a subagent" if len(chunks) == 1 else f"cut into {len(chunks)} tasks for subagents"
    lines = [f"The remaining work is {what}, in {path_end(path, 1_000)}:"]
    for number, chunk in enumerate(chunks, 1):
        files = f" ({', '.join(name_end(file, 160) for file in chunk.files[:3])})" if chunk.files else ""
        lines.append(f"{number}. {untagged(chunk.title + files)}")
    lines.append("Start a subagent for each with its part of that file, and gather their answers here.")
    return "\n".join(lines)

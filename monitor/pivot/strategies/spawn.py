"""Spawn: a new session goes on with the work, from a prompt that says where it stands."""

import os
import shlex
import sys

from monitor.checkpoints import goal, orchestration_sections, sections
from monitor.checkpoints.checkpoint import Checkpoint
from monitor.checkpoints.resumption import resume_command
from monitor.checkpoints.save import describe, save
from monitor.checkpoints.story import story
from monitor.checkpoints.token_budget import Section, composed
from monitor.exporting import folder
from monitor.pivot import clipboard
from monitor.pivot.strategies.strategy import Context, File, Outcome
from monitor.session import Project
from shared.boundary import attempt
from shared.plain import one_line, path_end, untagged, whole_seconds
from shared.secrets.masking import masked

SUMMARY = "go on in a new session, with a prompt that says where the work stands"

BUDGET, GOAL_BUDGET = 1_200, 2_000
"""Tokens of what was measured, and of what was said."""
_NAME = "continuation.md"


def carry_out(context: Context) -> Outcome:
    """The prompt's file, a checkpoint that it names, and how to start."""
    session, project = context.session, context.project
    saved = attempt("spawn", session.root, save, context.conversation, session, project, "spawn", context.reading)
    known = saved.checkpoint if saved else describe(context.conversation, session, project, "spawn", context.reading)
    prompt = masked(continuation(known, saved.path if saved else None, project))
    path = os.path.join(folder.add(project, session.config.pivot.export_directory, "spawn"), _NAME)
    folder.write(path, prompt + "\n")
    written = [File(path, "the prompt for the new session")]
    if saved:
        written.append(File(saved.path, "the checkpoint that it names"))
    start = resume_command(session, saved.number) if saved and saved.is_proven else ""
    is_copied = context.is_asked and clipboard.copy(prompt)
    return Outcome("spawn", tuple(written), _text(context, written, prompt, start, is_copied=is_copied))


def continuation(checkpoint: Checkpoint, path: str | None, project: Project) -> str:
    """What the new session is told of the work before it; `path` is the checkpoint's file."""
    state, info = checkpoint.resumption_state, checkpoint.session_info
    head = (
        f"Go on with the work of session {info.session_id} in {one_line(project.directory, 300)}, whose context window"
        f" was filled with {sections.reading(checkpoint)}. This was measured in it at"
        f" {whole_seconds(checkpoint.timestamp)} UTC; look at the files themselves before you rely on it."
    )
    parts = [
        *orchestration_sections.recovery(state),
        sections.tasks(checkpoint, 20),
        sections.failures(checkpoint, 5),
        sections.checks(checkpoint, 5),
        Section("Read first", [path_end(project.shown(place), 160) for place in _documents(checkpoint, path)]),
        sections.edited(checkpoint, project, 12),
        sections.branch(checkpoint, 12),
        *orchestration_sections.details(state),
        sections.prompts(checkpoint),
        sections.read(checkpoint, project, 10),
    ]
    told = [f"- {line.label}: {untagged(line.text)}" for line in story(checkpoint, project)]
    short = "\n".join(["## In short", "", *told]) if told else ""
    said = "\n".join(goal.quoted(checkpoint.goal, GOAL_BUDGET))
    foot = "Say in a few sentences what you understand the task to be and what comes next, then go on with that."
    measured = composed("## Where the work stands", [part for part in parts if part.items], foot, BUDGET, untagged)
    return "\n\n".join(part for part in (head, short, said.strip(), measured) if part)


def command(path: str, directory: str, *, is_windows: bool = sys.platform == "win32") -> str:
    """What starts a new session in `directory` with the prompt in the file at `path`."""
    if is_windows:  # PowerShell's notation, in which a quotation mark is doubled
        quoted = [f"'{text.replace(chr(39), 2 * chr(39))}'" for text in (directory, path)]
        return f"Set-Location {quoted[0]}; claude (Get-Content -Raw {quoted[1]})"
    return f'cd {shlex.quote(directory)} && claude "$(cat {shlex.quote(path)})"'


def _documents(checkpoint: Checkpoint, path: str | None) -> list[str]:
    """What was written to be gone on from."""
    own = checkpoint.summary.path if checkpoint.summary else None
    return [document for document in (own, checkpoint.orchestration_path, path) if document]


def _text(context: Context, written: list[File], prompt: str, start: str, *, is_copied: bool) -> str:
    lines = ["The prompt for a new session is written."]
    lines += [file.line for file in written]
    lines.append("To start the new session, in the project's directory:")
    lines.append(f"    {start or command(written[0].path, context.project.directory)}")
    if is_copied:
        return "\n".join([*lines, "The prompt is on the clipboard, too."])
    if context.is_asked:
        lines += ["There is no clipboard here; the prompt is:", "", *(f"    {line}" for line in prompt.splitlines())]
    return "\n".join(lines)

"""The sections on a checkpoint's contents, from which its texts are composed."""

import math

from monitor.activity.checks.failures import Failure
from monitor.activity.checks.reason import reason_of
from monitor.activity.shell.commits import Commit
from monitor.checkpoints.checkpoint import Check, Checkpoint, FileUse, SessionInfo
from monitor.checkpoints.token_budget import Section
from monitor.session import Project
from shared.gauge.window import ASSUMED
from shared.text.plain import code, name_end, one_line, path_end, plain
from shared.text.quantities import counted, round_half_up

_LONGEST_PATH, _LONGEST_TASK, _LONGEST_COMMAND, _LONGEST_PLACE = 90, 110, 110, 120


def fill(checkpoint: Checkpoint) -> str:
    """The percentage in use; a question mark if it is unknown, or too large for a float."""
    part = checkpoint.context_state.fill_percentage
    return "?" if part is None or math.isinf(100 * part) else str(round_half_up(100 * part))


def reading(checkpoint: Checkpoint) -> str:
    """`167,000 of 200,000 tokens (84%)`; of `an assumed 200,000` if the window's size is unknown."""
    state = checkpoint.context_state
    if state.input_tokens is None or state.context_window is None:
        return f"{fill(checkpoint)}% of the window"
    size = f"{'an assumed ' if state.context_window_source in ASSUMED else ''}{state.context_window:,}"
    return f"{state.input_tokens:,} of {size} tokens ({fill(checkpoint)}%)"


def edited(checkpoint: Checkpoint, project: Project, most: int) -> Section:
    return _used("Edited most", checkpoint.files_edited, project, most)


def read(checkpoint: Checkpoint, project: Project, most: int) -> Section:
    return _used("Read most", checkpoint.files_read, project, most)


def tasks(checkpoint: Checkpoint, most: int) -> Section:
    names = {"in_progress": "in progress", "pending": "pending"}
    items = [
        f"{one_line(task.text, _LONGEST_TASK)} [{names.get(task.state, 'open')}]" for task in checkpoint.todo[:most]
    ]
    return Section("Open tasks", items, len(checkpoint.todo))


def failing(checkpoint: Checkpoint, most: int) -> Section:
    """The failing checks, each with the line that says why, if the transcript still has it."""
    items = [failure_text(failure, checkpoint) for failure in checkpoint.failing_commands[:most]]
    return Section("Failed when last run", items, len(checkpoint.failing_commands))


def failure_text(failure: Failure, checkpoint: Checkpoint) -> str:
    """`npm test` (2 edits since): the reason, which may be fixed since."""
    reason = reason_of(failure, checkpoint.session_info.transcript_path)
    return f"{command_text(failure)}{f': {code(reason, len(reason))}' if reason else ''}"


def command_text(check: Failure | Check, longest: int = _LONGEST_COMMAND) -> str:
    """`npm test` (2 edits, a subagent's work since): the check's result is older than these."""
    parts = [counted(check.edits_since, "edit")] if check.edits_since > 0 else []
    parts += ["a subagent's work"] if check.has_delegated else []
    since = f" ({', '.join(parts)} since)" if parts else ""
    return f"{code(check.command, longest)}{since}"


def checks(checkpoint: Checkpoint, most: int) -> Section:
    """The passed checks; failed ones have a section of their own, unless a wider check has run since."""
    items = [command_text(check) for check in checkpoint.checks if check.has_passed]
    return Section("Passed when last run", items[:most], len(items))


def commits(checkpoint: Checkpoint, most: int) -> Section:
    items = [commit_text(commit) for commit in checkpoint.commits]
    return Section("Committed", items[:most], len(items))


def commit_text(commit: Commit) -> str:
    """`abc1234 Add the form`; without an id if a rebase has changed it, and with a directory outside the session's."""
    notes = ["rebased since"] if not commit.id else []
    notes += [f"in {name_end(commit.elsewhere, _LONGEST_PATH)}"] if commit.elsewhere else []
    subject = f"{one_line(commit.id, 12)} {one_line(commit.subject, _LONGEST_TASK)}".strip()
    return f"{subject} ({', '.join(notes)})" if notes else subject


def branch(checkpoint: Checkpoint, most: int) -> Section:
    """The branch, and `most` of the files with uncommitted changes."""
    info = checkpoint.session_info
    name = branch_text(info, f" at {info.head[:10]}" if info.head and info.head.isalnum() else "")
    if not name:
        return Section("Branch", [])
    count = checkpoint.dirty_count
    changed = f", {counted(count, 'file')} with uncommitted changes" if count else ", all committed"
    files = [_dirty_text(entry) for entry in checkpoint.dirty_files[:most]]
    return Section("Branch", [f"{name}{changed}", *files], 1 + checkpoint.dirty_count if files else 1)


def _dirty_text(entry: str) -> str:
    """An entry of `git status`: two letters and the file."""
    state, _, path = plain(entry, 4096).partition(" ")
    return f"{state} {name_end(path, _LONGEST_PATH)}" if len(state) == 2 and path else name_end(entry, _LONGEST_PATH)


def branch_text(info: SessionInfo, at: str = "") -> str:
    """The branch, its commit `at`, and git's unfinished operation; empty if there is neither branch nor commit."""
    if info.branch is None and info.head is None:
        return ""
    operation = f", in the middle of a {one_line(info.operation, 160)}" if info.operation else ""
    return f"{name_end(info.branch, 80) if info.branch else 'none (detached)'}{at}{operation}"


def prompts(checkpoint: Checkpoint) -> Section:
    """The file with all prompts; the checkpoint may have been saved before the answer, or have newer words."""
    place = [path_end(checkpoint.words_path, 200)] if checkpoint.words_path is not None else []
    words = checkpoint.words if checkpoint.words_digest else None
    is_whole = words is not None and words.finished and words.is_answered
    label = "All requests and the last answer" if is_whole else "Requests up to the last checkpoint"
    return Section(label, place, keeps_end=True)


def path_text(path: str, project: Project) -> str:
    """The path of a file, relative to the project if it is long."""
    return path_end(path if len(path) <= _LONGEST_PLACE else project.short_path(path), 2 * _LONGEST_PLACE)


def _used(label: str, uses: tuple[FileUse, ...], project: Project, most: int) -> Section:
    items = [f"{name_end(project.short_path(use.path), _LONGEST_PATH)} ({use.count}x)" for use in uses[:most]]
    return Section(label, items, len(uses), keeps_end=True)

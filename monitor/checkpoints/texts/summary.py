"""The summary of a session in at most ten lines: what was asked, done and failed, and its present state."""

import re
from collections.abc import Iterator

from monitor.checkpoints.checkpoint import Checkpoint
from monitor.checkpoints.texts.requests import first_task, newest_task, request_text
from monitor.checkpoints.texts.sections import branch_text, command_text, commit_text, failure_text
from monitor.checkpoints.words import QUOTE, SessionWords
from monitor.session import Project
from shared.text.plain import one_line, path_end
from shared.text.quantities import counted
from shared.text.report_row import ReportRow

LINES = 10
_LONGEST, _MOST = 160, 3
_NO_SENTENCE = re.compile(r"#|```|\|")
_ITEM = re.compile(r"\s*(?:[-*\u2022|]|\d{1,2}[.)])\s|.*```$")
"""A line of a list, of a table, or the last one of a code block."""
_DETAIL = re.compile(
    r"(?i)(?:[-*\u2022#>|]|\d{1,2}[.)])\s|```|\W*(?:note|also|sources)\b"
    r"|\*\*(?!in short|so\b|result|summary|verification|next|status|bottom line|recommendation)"
    r"[^*\n]*(?::\*\*|\*\*\s*(?:[:(\u2014-]|$))"
)
"""The start of a paragraph that is one detail among several: an item, or a bold label that names no outcome."""
_QUESTION = re.compile(r"(?i).*\?|(?:do you |would you |if you )?(?:want|like|should|shall)\b")


def summary_lines(checkpoint: Checkpoint, project: Project | None) -> list[ReportRow]:
    """The summary of the session that `checkpoint` describes, without lines for what is unknown."""
    return [ReportRow(label, one_line(text, _LONGEST)) for label, text in _entries(checkpoint, project)][:LINES]


def _entries(checkpoint: Checkpoint, project: Project | None) -> Iterator[tuple[str, str]]:
    words = checkpoint.words or SessionWords()
    yield from _requests_of(words)
    if checkpoint.done:
        yield "done", _some([task.text for task in reversed(checkpoint.done)], "task")
    elif checkpoint.commits:
        yield "done", _some([commit_text(commit) for commit in checkpoint.commits], "commit")
    if checkpoint.files_edited:
        edited = [project.short_path(use.path) if project else use.path for use in checkpoint.files_edited]
        yield "edited", _some([path_end(path, 60) for path in edited], "file")
    if passed := [check for check in checkpoint.checks if check.has_passed]:
        yield "passed", ", ".join(command_text(check, 60) for check in passed[:_MOST])
    for failure in checkpoint.failing_commands[:2]:
        yield "fails", failure_text(failure, checkpoint)
    if checkpoint.todo:
        yield "open", _some([task.text for task in checkpoint.todo], "task")
    yield from _answered(words)
    if name := branch_text(checkpoint.session_info):
        count = checkpoint.dirty_count
        state = f"{counted(count, 'file')} uncommitted" if count else "all committed"
        yield "branch", f"{name}, {state}"


def _requests_of(words: SessionWords) -> Iterator[tuple[str, str]]:
    first = first_task(words)
    if first is None:
        return
    yield "asked", first.text
    if (newest := newest_task(words, first)) != first.text:
        yield "asked last", newest
    if words.decided:
        yield "decided", " | ".join(request_text(request, 100) for request in reversed(words.decided[-2:]))


def _answered(words: SessionWords) -> Iterator[tuple[str, str]]:
    """The last finished answer, and the last words of an agent at work."""
    if words.finished:
        yield "answered last" if words.is_answered else "answered before", _outcome_of(words.finished)
    if words.under_way:
        yield "under way", _outcome_of(words.under_way)
    if words.steps and not words.steps[-1].startswith(QUOTE):  # the words above
        yield "last step", words.steps[-1]


def _outcome_of(answer: str) -> str:
    """The last paragraph, in which an answer states its outcome or asks; the first if the last is a detail or list."""
    paragraphs = [paragraph.strip() for paragraph in re.split(r"\n\s*\n", answer.strip())]
    lines = paragraphs[-1].splitlines()
    ends_list = not _QUESTION.match(lines[0]) and _ITEM.match(lines[-1])
    if not (_DETAIL.match(lines[0]) or ends_list):
        return paragraphs[-1]
    return next((paragraph for paragraph in paragraphs if not _NO_SENTENCE.match(paragraph)), paragraphs[-1])


def _some(names: list[str], noun: str) -> str:
    text = "; ".join(one_line(name, 60) for name in names[:_MOST])
    return f"{counted(len(names), noun)}: {text}" + ("; \u2026" if len(names) > _MOST else "")

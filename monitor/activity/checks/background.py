"""Checks that run in the background: their start, and the report that comes later."""

import re

from shared.files import lenient

_NOTIFICATION = re.compile(r"<task-notification>\s*<task-id>([\w-]{1,64})</task-id>")
_STATUS = re.compile(r"<status>(\w+)</status>")
_CODE = re.compile(r"<exit_code>\s*(-?\d{1,5})\s*</exit_code>|\bexit(?:ed)?(?: with)? code:? (-?\d{1,5})\b")
_OF_SUBAGENT = '<summary>Agent "'
_HEAD = 4_000
"""Characters at a text's start that hold the client's own words."""


class _CommandResult(lenient.LenientRecord):
    """The client's record of a command's result."""

    backgroundTaskId: str = ""


def task_id_in(record: bytes) -> str:
    """The id of a background task by the client's record, which no command can forge; empty if there is none."""
    return lenient.record_or_empty(record, _CommandResult).backgroundTaskId[:64]


def report_in(text: str, task_id: str = "") -> tuple[str, int | None] | None:
    """The id and exit code of an ended task, by a notification or its own output; the code may be missing."""
    head = text[:_HEAD]
    if not task_id:
        notified = _NOTIFICATION.match(head.lstrip())
        if notified is None:
            return None
        task_id = notified[1]
    # Without the client's element around it, as in the task's file, the status could be the task's own output.
    status, code = _STATUS.search(head) if head.lstrip().startswith("<") else None, _CODE.search(head)
    if status is not None and status[1] not in {"completed", "failed", "killed"}:
        return None
    return task_id, int(code[1] or code[2]) if code else None


def is_of_subagent(text: str) -> bool:
    """Whether `text` is a notification that a subagent has ended."""
    return _NOTIFICATION.match(text.lstrip()) is not None and _OF_SUBAGENT in text[:_HEAD]

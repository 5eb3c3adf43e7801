"""Checks that run in the background: where they were started, and what is reported of them later."""

import re

from shared.files import lenient

_NOTIFICATION = re.compile(r"<task-notification>\s*<task-id>([\w-]{1,64})</task-id>")
_STATUS = re.compile(r"<status>(\w+)</status>")
_CODE = re.compile(r"<exit_code>\s*(-?\d{1,5})\s*</exit_code>|\bexit(?:ed)?(?: with)? code:? (-?\d{1,5})\b")
_OF_SUBAGENT = '<summary>Agent "'
_HEAD = 4_000
"""Characters of a text in which the client's own words stand."""


class _CommandResult(lenient.LenientRecord):
    """What the client holds of a command's result."""

    backgroundTaskId: str = ""


def started_in(record: bytes) -> str:
    """The id of the task that a command has become, by the client's record of its result; empty for one that hasn't.

    What the agent is given says so, too, but a command can print the same.
    """
    return lenient.record_or_empty(record, _CommandResult).backgroundTaskId[:64]


def report_in(text: str, task_id: str = "") -> tuple[str, int | None] | None:
    """The id and exit code of a task that has ended, by a notification or its own output; the code may be missing."""
    head = text[:_HEAD]
    if not task_id:
        notified = _NOTIFICATION.match(head.lstrip())
        if notified is None:
            return None
        task_id = notified[1]
    # Without the client's element around it, as where its file is read, the task's own output could say it.
    status, code = _STATUS.search(head) if head.lstrip().startswith("<") else None, _CODE.search(head)
    if status is not None and status[1] not in {"completed", "failed", "killed"}:
        return None
    return task_id, int(code[1] or code[2]) if code else None


def is_of_subagent(text: str) -> bool:
    """Whether it is a notification that a subagent has ended."""
    return _NOTIFICATION.match(text.lstrip()) is not None and _OF_SUBAGENT in text[:_HEAD]

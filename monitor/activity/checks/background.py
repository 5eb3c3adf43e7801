"""Checks that run in the background: where they were started, and what is reported of them later."""

import re

_STARTED = re.compile(
    r"(?:running|started|moved) in (?:the )?background (?:with|as) ID: ?([\w-]{1,64})"
    r"|to the background \(ID: ?([\w-]{1,64})\)"
)
_NOTIFICATION = re.compile(r"<task-notification>\s*<task-id>([\w-]{1,64})</task-id>")
_STATUS = re.compile(r"<status>(\w+)</status>")
_CODE = re.compile(r"<exit_code>\s*(-?\d{1,5})\s*</exit_code>|\bexit(?:ed)?(?: with)? code:? (-?\d{1,5})\b")
_HEAD = 4_000
"""Characters of a text in which the client's own words stand."""


def started_in(output: str) -> str:
    """The id of the task that a command has become; empty for one that hasn't."""
    started = _STARTED.search(output, 0, _HEAD)
    return (started[1] or started[2]) if started else ""


def report_in(text: str, task_id: str = "") -> tuple[str, int | None] | None:
    """The id and exit code of a task that has ended, by a notification or its own output; the code may be missing."""
    head = text[:_HEAD]
    if not task_id:
        notified = _NOTIFICATION.match(head.lstrip())
        if notified is None:
            return None
        task_id = notified[1]
    status, code = _STATUS.search(head), _CODE.search(head)
    if status is not None and status[1] not in {"completed", "failed", "killed"}:
        return None
    return task_id, int(code[1] or code[2]) if code else None

"""Versions: the same lines of a file, edited again and again."""

from monitor.activity import fingerprint
from monitor.activity.tool_calls import ToolCall

MOST_EDITS = 100
"""The newest edits of one file, which are compared."""

Stretch = tuple[str, int, int]
"""A file, the prompt and the revision that its edits followed."""


def stretch_of(call: ToolCall) -> Stretch:
    """Edits are compared within one: what a person orders, or what is taken out to be committed, is no wavering."""
    return call.path, call.prompt, call.revisions


def rows_of_versions(calls: list[ToolCall]) -> list[list[ToolCall]]:
    """Rows of edits each of which replaces the lines that the one before it had brought."""
    tool_calls: dict[Stretch, list[list[ToolCall]]] = {}
    for call in calls:
        if not call.is_edit:
            continue
        rows = tool_calls.setdefault(stretch_of(call), [])
        continued = (row for row in reversed(rows) if call.added and fingerprint.overlap(call.removed, row[-1].added))
        row = next(continued, None)
        if row is None:
            rows.append([call])
            del rows[:-MOST_EDITS]
        else:
            row.append(call)
    return [row for rows in tool_calls.values() for row in rows]

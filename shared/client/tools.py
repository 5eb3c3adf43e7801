"""The client's tools: what each does, and which key of its input names the target."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from shared.client import client

Kind = Literal[
    "read", "part", "edit", "write", "search", "command", "delegate", "task_list", "new_task", "task_change", "other"
]
"""What a tool call does. `part` reads some lines; `search` looks in files or on the web; `delegate` starts a subagent;
a list of tasks is written as a whole (`task_list`), or one task at a time."""


class ClientTool(NamedTuple):
    kind: Kind
    target: str = ""
    """The key in the tool's input of the path, the command, the task or the tasks."""


TOOLS = {
    client.READ: ClientTool("read", "file_path"),
    client.NOTEBOOK_READ: ClientTool("read", "notebook_path"),
    client.EDIT: ClientTool("edit", "file_path"),
    client.MULTI_EDIT: ClientTool("edit", "file_path"),
    client.NOTEBOOK_EDIT: ClientTool("edit", "notebook_path"),
    client.WRITE: ClientTool("write", "file_path"),
    client.GREP: ClientTool("search", "path"),
    client.GLOB: ClientTool("search", "path"),
    client.LS: ClientTool("search", "path"),
    client.WEB_FETCH: ClientTool("search"),
    client.WEB_SEARCH: ClientTool("search"),
    client.BASH: ClientTool("command", "command"),
    client.POWER_SHELL: ClientTool("command", "command"),
    client.AGENT: ClientTool("delegate"),
    client.TASK: ClientTool("delegate"),
    client.TODO_WRITE: ClientTool("task_list", "todos"),
    client.TASK_CREATE: ClientTool("new_task", "subject"),
    client.TASK_UPDATE: ClientTool("task_change", "subject"),
}
"""The client's tools by name. Those of MCP servers are OTHER."""
OTHER = ClientTool("other")
_TELLING = (
    "command", "file_path", "notebook_path", "description", "subject",
    "pattern", "query", "url", "skill", "path",
)  # fmt: skip
"""Keys of any tool's input, in order of how much they say about a call."""
PATH_KINDS = frozenset({"read", "edit", "write", "search"})
"""Kinds whose target is a path."""
READ_KINDS = frozenset({"read", "part"})
EDIT_KINDS = frozenset({"edit", "write"})


def about(arguments: Mapping[str, Any]) -> str:
    """The most telling argument of a call; empty if there is none."""
    values = (arguments.get(key) for key in _TELLING)
    return next((value for value in values if isinstance(value, str) and value), "")

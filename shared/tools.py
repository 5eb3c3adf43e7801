"""The client's tools: what each does, and which part of its input says to what."""

from typing import Literal, NamedTuple

Kind = Literal[
    "read", "part", "edit", "write", "search", "command", "delegate", "task_list", "new_task", "task_change", "other"
]
"""What a tool call does. `part` is a read of some lines; `search` looks in files or on the web; `delegate` starts a
subagent; a list of tasks is written as a whole (`task_list`), or one task at a time."""


class ClientTool(NamedTuple):
    """One of the client's tools."""

    kind: Kind
    subject: str = ""
    """The key of its input that holds the path, the command, the task or the tasks."""


TOOLS = {
    "Read": ClientTool("read", "file_path"),
    "NotebookRead": ClientTool("read", "notebook_path"),
    "Edit": ClientTool("edit", "file_path"),
    "MultiEdit": ClientTool("edit", "file_path"),
    "NotebookEdit": ClientTool("edit", "notebook_path"),
    "Write": ClientTool("write", "file_path"),
    "Grep": ClientTool("search", "path"),
    "Glob": ClientTool("search", "path"),
    "LS": ClientTool("search", "path"),
    "WebFetch": ClientTool("search"),
    "WebSearch": ClientTool("search"),
    "Bash": ClientTool("command", "command"),
    "PowerShell": ClientTool("command", "command"),
    "Agent": ClientTool("delegate"),
    "Task": ClientTool("delegate"),
    "TodoWrite": ClientTool("task_list", "todos"),
    "TaskCreate": ClientTool("new_task", "subject"),
    "TaskUpdate": ClientTool("task_change", "subject"),
}
"""By name. MCP servers bring others along: each of those is OTHER."""
OTHER = ClientTool("other")
PATH_KINDS = frozenset({"read", "edit", "write", "search"})
"""Kinds whose subject is a path."""
READ_KINDS = frozenset({"read", "part"})
EDIT_KINDS = frozenset({"edit", "write"})

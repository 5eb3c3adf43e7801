"""The read guard: what an ignore file names is not read into the window (off unless switched on)."""

import os
from collections.abc import Iterator, Mapping
from typing import Any

from monitor.guards import messages
from monitor.guards.reading import expansion, ignore, shell
from monitor.hook import Reply
from monitor.session import Session
from shared.client import client
from shared.text.plain import plain


def check(tool: str, arguments: Mapping[str, Any], cwd: str, session: Session) -> Reply | None:
    """A block for a read of an ignored path; None lets it pass."""
    project = session.environ.get(client.PROJECT_VARIABLE) or cwd
    if not os.path.isabs(project):
        return None
    rules = None
    for path in _paths(tool, arguments, cwd or project):
        rules = rules or ignore.Rules(project, session)
        if match := rules.match(path):
            shown = plain(os.path.relpath(path, project), 200)
            reason = messages.ignored(shown, match.rule, match.source, os.path.join(project, ignore.FILE))
            return Reply(stderr=reason, is_blocking=True)
    return None


def _paths(tool: str, arguments: Mapping[str, Any], cwd: str) -> Iterator[str]:
    """Absolute paths that the tool would read. What Grep looks for is no path."""
    if tool == client.BASH:
        command = arguments.get("command")
        yield from shell.read_paths(command, cwd) if isinstance(command, str) else ()
        return
    for key in ("file_path", "path"):
        if isinstance(path := arguments.get(key), str) and path:
            yield expansion.absolute(path, cwd)
    pattern = arguments.get({client.GLOB: "pattern", client.GREP: "glob"}.get(tool, ""))
    if isinstance(pattern, str) and not pattern.startswith("!"):
        base = arguments.get("path")
        start = expansion.absolute(base, cwd) if isinstance(base, str) else cwd
        yield from (expansion.absolute(name, start) for name in expansion.braces(pattern))

"""The read guard: it blocks reads of paths that an ignore file names (off unless switched on)."""

import os
from collections.abc import Iterator

from monitor.guards.reading import shell
from monitor.guards.reading.gitignore import GitignoreRules
from monitor.hook import Reply, ToolInput
from monitor.session import Session
from shared import effort
from shared.client import client
from shared.files import files
from shared.text.plain import code, path_end

FILE = ".tidegaugeignore"
_LARGEST = 32 << 10
"""Bytes of the project's file that count, without a line that is cut there."""
_LONGEST = 200
"""Characters of a path or a rule, which come from a repository."""


def check(tool: str, arguments: ToolInput, cwd: str, session: Session) -> Reply | None:
    """Return a block for a read of an ignored path; None lets it pass, as with a command too long to check in time."""
    project = session.environ.get(client.PROJECT_VARIABLE) or cwd
    if not os.path.isabs(project):
        return None
    rules = None
    for path in _paths(tool, arguments, cwd or project):
        rules = rules or Rules(project, session)
        if effort.is_over():
            return None
        if match := rules.match(path):
            reason = block(os.path.relpath(path, project), *match, os.path.join(project, FILE))
            return Reply(stderr=reason, is_blocking=True)
    return None


def block(path: str, rule: str, source: str, allow: str) -> str:
    line = code(f"!{path}", _LONGEST)
    return (
        f"Blocked: {code(path, _LONGEST)} matches the rule {code(rule, _LONGEST)} of {path_end(source, _LONGEST)},"
        " which keeps it out of the context window. Read the project's own sources or its documentation instead."
        f" If this file is really needed, ask the user; the line {line} in {path_end(allow, _LONGEST)} lets it through."
    )


def _paths(tool: str, arguments: ToolInput, cwd: str) -> Iterator[str]:
    """The absolute paths that the tool would read. What Grep searches for isn't a path."""
    if tool == client.BASH:
        yield from shell.read_paths(arguments.command, cwd)
        return
    for path in filter(None, (arguments.file_path, arguments.path)):
        yield shell.absolute(path, cwd)
    pattern = {client.GLOB: arguments.pattern, client.GREP: arguments.glob}.get(tool)
    if pattern and not pattern.startswith("!"):
        yield shell.absolute(pattern, shell.absolute(arguments.path, cwd))


class Rules:
    """The setting's rules, then those of the project's own file, which may override them."""

    def __init__(self, project: str, session: Session) -> None:
        source = os.path.join(project, FILE)
        lines = [(pattern, "the setting read_guard.ignore") for pattern in session.config.read_guard.ignore]
        lines += [(line, source) for line in _text(source).splitlines()]
        self._project, self._sources = project, dict[str, str]()
        for rule, origin in reversed(lines):  # the last of equal rules decides
            self._sources.setdefault(rule, origin)
        self._rules = GitignoreRules(reversed(self._sources))

    def match(self, path: str) -> tuple[str, str] | None:
        """The rule that excludes an absolute path in the project, and its file or setting; None if none does."""
        relative = os.path.relpath(path, self._project).replace(os.sep, "/")
        if relative in {".", ".."} or relative.startswith("../"):
            return None
        rule = self._rules.match(relative)
        return (rule, self._sources[rule]) if rule is not None else None


def _text(path: str) -> str:
    """The project's file; empty for a link, which could lead to private lines, and if it isn't a regular file."""
    data = files.beginning(path, _LARGEST + 1, is_ours=True) or b""
    whole = data if len(data) <= _LARGEST else data[: data.rfind(b"\n", 0, _LARGEST) + 1]
    return whole.decode("utf-8-sig", "replace")

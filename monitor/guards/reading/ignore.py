"""The ignore rules: the setting's, then those of the project's own file, which may take some back."""

import os

import msgspec

from monitor.guards.reading.gitignore import GitignoreRules
from monitor.session import Session
from shared.files import files

FILE = ".tidegaugeignore"
_LARGEST = 32 << 10
"""Bytes of the project's file that count; a line that is cut there doesn't."""


class Match(msgspec.Struct, frozen=True):
    """The rule that a path falls under."""

    rule: str
    source: str
    """The file that holds it, or the setting's name."""


class Rules:
    """The rules that hold in a project; a later one overrides an earlier."""

    def __init__(self, project: str, session: Session) -> None:
        source = os.path.join(project, FILE)
        lines = [(pattern, "the setting read_guard.ignore") for pattern in session.config.read_guard.ignore]
        lines += [(line, source) for line in _text(source).splitlines()]
        self._project, self._sources = project, dict(lines)
        self._rules = GitignoreRules(rule for rule, _ in lines)

    def match(self, path: str) -> Match | None:
        """The rule that keeps an absolute path out; None for one that may be read or lies outside the project."""
        relative = os.path.relpath(path, self._project).replace(os.sep, "/")
        if relative in {".", ".."} or relative.startswith("../"):
            return None
        rule = self._rules.match(relative)
        return Match(rule, self._sources[rule]) if rule is not None else None


def _text(path: str) -> str:
    """The project's file; empty for a link, which could lead to private lines, and for what isn't a plain file."""
    try:
        with open(files.open_regular(path, is_ours=True), "rb") as file:
            data = file.read(_LARGEST + 1)
    except OSError:
        return ""
    whole = data if len(data) <= _LARGEST else data[: data.rfind(b"\n", 0, _LARGEST) + 1]
    return whole.decode("utf-8-sig", "replace")

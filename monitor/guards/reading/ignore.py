"""The ignore rules: the setting's, then those of the project's own file, which may take some back."""

import os
import re
import warnings

import msgspec
import pathspec

from monitor.session import Session

FILE = ".tidegaugeignore"
_LIMIT = 64 * 1024


class Match(msgspec.Struct, frozen=True):
    """The rule that a path fell under."""

    rule: str
    source: str
    """The file that holds it, or the setting's name."""


class Rules:
    """Rules in gitignore's language; a later one overrides an earlier."""

    def __init__(self, project: str, lines: list[tuple[str, str]]) -> None:
        self._project = project
        self._lines = [(line, source) for line, source in lines if _is_rule(line)]
        with warnings.catch_warnings(action="ignore"):  # see _is_rule
            self._spec = pathspec.GitIgnoreSpec.from_lines([line for line, _ in self._lines])

    def match(self, path: str) -> Match | None:
        """The rule that keeps an absolute path out; None for one that may be read or lies outside the project."""
        relative = os.path.relpath(path, self._project).replace(os.sep, "/")
        if relative in {".", ".."} or relative.startswith("../"):
            return None
        for form in (relative, f"{relative}/"):  # a directory itself is named like a file
            found = self._spec.check_file(form)
            if found.include and found.index is not None:
                return Match(*self._lines[found.index])
        return None


def load(project: str, session: Session) -> Rules:
    """The rules that hold in `project`."""
    lines = [(pattern, "the setting read_guard.ignore") for pattern in session.config.read_guard.ignore]
    source = os.path.join(project, FILE)
    lines += [(line, source) for line in _text(source).splitlines()]
    return Rules(project, lines)


def _is_rule(line: str) -> bool:
    """Whether a line says anything, and in the language: one that doesn't costs itself alone."""
    if not line.strip() or line.startswith("#"):
        return False
    try:
        with warnings.catch_warnings(action="ignore"):  # of Python, on stderr, for the expression that `[[a]` becomes
            pathspec.GitIgnoreSpec.from_lines([line])
    except (ValueError, re.error):  # pathspec refuses some rules itself; `[b-a]` only Python's expressions do
        return False
    return True


def _text(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return file.read(_LIMIT).decode("utf-8-sig", "replace")
    except OSError:
        return ""

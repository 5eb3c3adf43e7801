"""Which files and commands a task is about: by the names in its words, by the edits made for it, by what tests them."""

import os
import re
from collections.abc import Iterable

from monitor.activity.activity import Task
from monitor.activity.checks.failures import Failure
from monitor.checkpoints.checkpoint import Check, Checkpoint

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_COMMON = frozenset({
    "test", "spec", "index", "main", "init", "mod", "lib", "app", "core", "base", "common", "util", "helper", "type",
    "src", "view", "component", "file", "the", "and", "for", "with", "add", "fix", "new",
})  # fmt: skip
"""Words that stand in many names, and so tell none apart."""
_FEWEST = 3
"""Letters of a word that can tell one."""
_TEST = re.compile(r"^tests?_|[._-](?:tests?|spec)$|(?-i:(?<=[a-z0-9])(?:Tests?|Spec)$)", re.IGNORECASE)
"""What makes a file's name that of a test."""


def files_of(task: Task, checkpoint: Checkpoint, edited_for: Iterable[str]) -> list[str]:
    """Paths: what was edited for the task, then what its words name, edited before only read."""
    result = list(edited_for)
    paths = [use.path for use in (*checkpoint.files_edited, *checkpoint.files_read)]
    result += [path for path in paths if is_named(path, task.text)]
    stems = {_stem(path) for path in result}
    tests = (path for path in paths if _TEST.search(os.path.splitext(os.path.basename(path))[0]))
    result += [path for path in tests if _stem(path) in stems]
    return list(dict.fromkeys(result))


def is_named(path: str, text: str) -> bool:
    """Whether a task's words name a file: by its name, or by the words that its stem is made of."""
    name = os.path.basename(path)
    if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text):
        return True
    stem = _words(os.path.splitext(name)[0]) - _COMMON or _words(os.path.basename(os.path.dirname(path))) - _COMMON
    shared = stem & _words(text)
    return bool(shared) and 2 * len(shared) >= len(stem)


def failures_of(paths: Iterable[str], failures: Iterable[Failure]) -> list[Failure]:
    """The failing commands that name one of the files, or what tests it."""
    stems = {_stem(path) for path in paths}
    return [failure for failure in failures if stems & {_stem(word) for word in _paths_in(failure.command)}]


def command_for(paths: list[str], failures: list[Failure], checks: Iterable[Check]) -> str:
    """The command that verifies a task: one that tests its files, else the most run check of everything."""
    if failures:
        return failures[0].command
    commands = [check.command for check in checks]
    stems = {_stem(path) for path in paths}
    near = [command for command in commands if stems & {_stem(word) for word in _paths_in(command)}]
    whole = [command for command in commands if not any(os.path.splitext(word)[1] for word in _paths_in(command))]
    tests = [command for command in whole if "test" in command.lower()]
    return (near or tests or whole or [""])[0]


def _stem(path: str) -> str:
    """What a file is about, the same for a source and its test: its stem without the mark of a test."""
    return _TEST.sub("", os.path.splitext(os.path.basename(path))[0]).lower()


def _paths_in(command: str) -> list[str]:
    """The words of a command that name files, without the test that is picked in them."""
    return [word.partition("::")[0].strip("'\"") for word in command.split() if re.search(r"\.\w|/", word)]


def _words(text: str) -> set[str]:
    """The words of a text or a name in any notation, singular as far as an s goes."""
    return {word.lower().removesuffix("s") for word in _WORD.findall(text) if len(word) >= _FEWEST}

"""The words and paths that the shell would make of one word."""

import os
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import islice

from shared import effort

LONGEST_PATH = 4_096
"""Characters; no system opens a longer one."""
_MOST = 300  # words of one, and entries read of one directory


def absolute(path: str, cwd: str) -> str:
    """`path` as the shell would find it from `cwd`; nothing is looked up but the home of `~` and `~name`."""
    try:
        expanded = os.path.expanduser(path)
    except ValueError:  # no user's name holds a NUL or a lone surrogate
        expanded = path
    return os.path.normpath(os.path.join(cwd, expanded))


def paths(word: str, cwd: str) -> list[str]:
    """Absolute paths that `word` names, its braces and wildcards expanded."""
    result = (path for name in braces(word) for path in _matches(absolute(name, cwd)))
    return list(islice(dict.fromkeys(result), _MOST))


def braces(word: str) -> list[str]:
    """`a{b,c}` as `ab` and `ac`, the innermost braces first; those beside more than a path's length stay."""
    result: list[str] = []
    waiting = [word]
    while waiting and len(result) + len(waiting) < _MOST:
        name = waiting.pop(0)
        end = name.find("}")
        begin = name.rfind("{", 0, max(end, 0))
        choices = name[begin + 1 : end].split(",", _MOST)[:_MOST]
        around = len(name) - (end - begin)
        if begin < 0 or len(choices) == 1 or around > LONGEST_PATH:
            result.append(name)
        else:
            waiting += [name[:begin] + choice + name[end + 1 :] for choice in choices]
    return result + waiting


def substituted(words: Sequence[str], lists: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """`words` with each loop variable of `lists` replaced by all that it stands for."""
    for word in words:
        if effort.is_over():
            return  # each list may hold all of the one before it, twice
        name = next((name for name in lists if f"${name}" in word or f"${{{name}}}" in word), None)
        if name is None:
            yield word
        else:
            for value in lists[name]:
                yield word.replace(f"${{{name}}}", value).replace(f"${name}", value)


def _matches(path: str) -> list[str]:
    """What `path` matches on disk, or itself. A bare `*` stays: like `.` it names nothing in particular."""
    result = [os.sep]
    for part in path.split(os.sep)[1:]:
        if part.strip("*") and any(sign in part for sign in "*?["):
            result = [os.path.join(base, name) for base in result for name in _names(base, part)][:_MOST]
        else:
            result = [os.path.join(base, part) for base in result]
    return result or [path]


def _names(directory: str, pattern: str) -> list[str]:
    if effort.is_over():
        return []
    try:
        with os.scandir(directory) as entries:
            names = [entry.name for entry in islice(entries, _MOST)]
    except (OSError, ValueError):
        return []
    return sorted(name for name in names if fnmatchcase(name, pattern) and (name[0] != "." or pattern[0] == "."))

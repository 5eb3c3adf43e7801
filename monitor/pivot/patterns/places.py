"""Places: the parts of a project that files belong to."""

import re
from collections import Counter
from collections.abc import Collection

from monitor.activity.session_paths import rules_of

_CONTAINERS = frozenset({"apps", "crates", "modules", "packages", "services"})
"""Directories that hold the parts of a repository with several projects, and say nothing by themselves."""
_HOLDS_MUCH, _FEWEST = 0.25, 4
"""The part of a session's files, and how many at least, from which on a directory says nothing of where it works: in a
project of `src/` and `tests/` each of the two does, and the parts are the directories below."""
_DEEPEST = 5
"""Directories of a path that are told apart."""
_TEST = re.compile(r"^tests?_|[._-](?:tests?|spec)$|(?-i:(?<=[a-z0-9])(?:Tests?|Spec)$)", re.IGNORECASE)

Path = tuple[str, ...]


def places_of(paths: Collection[str], directory: str) -> dict[str, str]:
    """The place of each path for a session in `directory`; where that holds none of them, in what they share."""
    rules = rules_of(directory or next(iter(paths), ""))
    if not directory or not any(path.startswith(directory.rstrip(rules.sep) + rules.sep) for path in paths):
        try:
            directory = rules.commonpath([rules.dirname(path) for path in paths])
        except ValueError:  # none, or on several drives
            directory = ""
    folders = {path: _folders(path, directory) for path in paths}
    wide = _wide(list(folders.values()))
    return {path: rules.sep.join(_place_of(parts, wide)) for path, parts in folders.items()}


def _folders(path: str, directory: str) -> Path:
    """The directories of `path` from `directory` on; `.` for a file that lies right there.

    What lies outside belongs to the first directory that is not on the way to `directory`, and is named by the way.
    """
    rules = rules_of(path)
    try:
        parts = rules.relpath(path, directory or rules.sep).split(rules.sep)
    except ValueError:  # another drive
        return (rules.splitdrive(path)[0],)
    ups = parts.count(rules.pardir)
    folders = parts[:-1] or ["."]
    return (rules.sep.join(folders[: ups + 1]),) if ups else tuple(folders[:_DEEPEST])


def _wide(all_folders: list[Path]) -> set[Path]:
    """The directories that hold so much of the work that only those below them are places."""
    counts = Counter(folders[:depth] for folders in all_folders for depth in range(1, len(folders) + 1))
    below: dict[Path, list[Path]] = {}
    for folders in counts:
        below.setdefault(folders[:-1], []).append(folders)
    wide: set[Path] = set()
    for folders, count in sorted(counts.items(), key=lambda item: -len(item[0])):
        children = below.get(folders, [])
        is_way = len(children) == 1 and children[0] in wide and counts[children[0]] == count
        if count >= max(_FEWEST, _HOLDS_MUCH * len(all_folders)) and (len(children) > 1 or is_way):
            wide.add(folders)
    return wide


def _place_of(folders: Path, wide: set[Path]) -> Path:
    depth = 1
    while depth < len(folders) and (folders[:depth] in wide or folders[depth - 1] in _CONTAINERS):
        depth += 1
    return folders[:depth]


def name_under_test(path: str) -> str:
    """What a test file tests, by its name; empty for a file that is no test."""
    rules = rules_of(path)
    stem, extension = rules.splitext(rules.basename(path))
    subject = _TEST.sub("", stem)
    return subject + extension if subject != stem else ""

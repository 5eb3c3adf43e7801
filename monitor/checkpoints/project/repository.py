"""A project's repository, its checkout and its unfinished operation, read without git.

Whoever made the repository may have put anything there: git itself would block on a pipe in place of HEAD, and its
discovery already reads the repository's configuration.
"""

import os
import re

import msgspec

from monitor.session import Project
from shared.files import files

_LONGEST, _MOST_PARENTS = 4_096, 64
_LONGEST_LIST = 16 << 20
_COMMIT = re.compile(r"[0-9a-f]{40}")
_BRANCHES = "refs/heads/"
_REFERENCE = re.compile(r"ref: (refs/(?!heads/\.invalid$)[^\x00-\x20\x7f]+)")
"""The reference that HEAD names; `.invalid` stands for a format that only git reads."""
_OPERATIONS = {
    "rebase-merge": "rebase",
    "rebase-apply": "rebase",
    "MERGE_HEAD": "merge",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
    "BISECT_LOG": "bisect",
}
"""Files in git's directory during an operation; a rebase may also create those of the others."""


class Repository(msgspec.Struct, frozen=True):
    """A repository, with absolute paths."""

    worktree: str
    directory: str
    """Usually `.git`."""
    common: str
    """The directory that all worktrees share; `directory` itself, except in a linked worktree."""
    branch: str | None
    """None if no branch is checked out."""
    head: str | None
    """The commit; None before the first one."""

    @property
    def operation(self) -> str:
        """The unfinished operation of git, such as `rebase`; empty without one."""
        begun = (what for name, what in _OPERATIONS.items() if os.path.exists(os.path.join(self.directory, name)))
        return next(begun, "")

    @property
    def main_checkout(self) -> str:
        """The worktree that holds the repository; empty if it is bare, a submodule's, or doesn't know this worktree."""
        return os.path.dirname(self.common) if os.path.basename(self.common) == ".git" and self.is_known else ""

    @property
    def is_known(self) -> bool:
        """Whether the repository has this worktree: the `.git` of downloaded files may name any repository."""
        link = os.path.join(self.worktree, ".git")
        if self.directory == self.common:
            return self.directory == link
        back = os.path.normpath(os.path.join(self.directory, _line(os.path.join(self.directory, "gitdir"))))
        is_inside = os.path.dirname(self.directory) == os.path.join(self.common, "worktrees")
        return is_inside and os.path.normcase(back) in map(os.path.normcase, (link, os.path.realpath(link)))


def repository_of(directory: str) -> Repository | None:
    """The repository whose worktree contains `directory`; None if there is none that can be read."""
    at = os.path.abspath(directory)
    for _ in range(_MOST_PARENTS):
        if (result := _at(at)) or at == os.path.dirname(at):
            return result
        at = os.path.dirname(at)
    return None


def workplace(project: Project) -> str:
    """The directory of the session's work: the project's, or a worktree of its repository that it has entered."""
    if not os.path.isdir(project.working_directory):
        return project.directory
    own, current = repository_of(project.directory), repository_of(os.path.realpath(project.working_directory))
    if own is None or current is None or own.common != current.common or not current.is_known:
        return project.directory
    return project.directory if own.worktree == current.worktree else current.worktree


def _at(worktree: str) -> Repository | None:
    directory = os.path.join(worktree, ".git")
    if not os.path.isdir(directory):
        link = _line(directory)
        if not link.startswith("gitdir: "):
            return None
        directory = os.path.normpath(os.path.join(worktree, link.removeprefix("gitdir: ")))
    common = os.path.normpath(os.path.join(directory, _line(os.path.join(directory, "commondir"))))
    head = _line(os.path.join(directory, "HEAD"))
    match = _REFERENCE.fullmatch(head)
    if not (match or _COMMIT.fullmatch(head)) or not os.path.isdir(os.path.join(common, "objects")):
        return None
    if match is None:
        return Repository(worktree, directory, common, None, head)
    commit = _value(common, match[1])
    if commit and not _COMMIT.fullmatch(commit):  # without a commit, every file would look new
        return None
    return Repository(worktree, directory, common, match[1].removeprefix(_BRANCHES), commit or None)


def _value(common: str, name: str) -> str:
    """The value of a reference; empty if it doesn't exist yet."""
    line = _line(os.path.join(common, name)) if ".." not in name else ""
    if not line:
        packed = "\n" + text_of(os.path.join(common, "packed-refs"), _LONGEST_LIST) + "\n"
        end = max(packed.find(f" {name}\n"), 0)  # not split into lines: there may be millions
        line = packed[packed.rfind("\n", 0, end) + 1 : end]
    return line


def _line(path: str) -> str:
    return text_of(path, _LONGEST).strip("\n")


def text_of(path: str, limit: int = files.READ_LIMIT) -> str:
    """The text of a regular file; empty if there is none."""
    return (files.beginning(path, limit) or b"").decode("utf-8", "surrogateescape")

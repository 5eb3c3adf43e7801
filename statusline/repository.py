"""The checkout of a directory, read from git's own files: a git process would cost more than our line."""

import os

from shared.files import files

_MOST_PARENTS = 64
_DIGITS = frozenset("0123456789abcdef")


def head_of(directory: str) -> str | None:
    """The branch; `@` and a short hash if none is checked out; None outside a repository."""
    git = _git_directory(directory)
    head = _text(os.path.join(git, "HEAD")) if git else ""
    if head.startswith("ref: "):
        name = head.removeprefix("ref: ").strip().removeprefix("refs/heads/")
        return None if name.startswith(".") else name  # `.invalid`: the reftable format keeps HEAD elsewhere
    commit = head.strip()
    return f"@{commit[:7]}" if len(commit) in {40, 64} and _DIGITS.issuperset(commit) else None


def _git_directory(directory: str) -> str | None:
    """The nearest `.git` directory; in a worktree or a submodule, the directory that its `.git` file names."""
    if not os.path.isabs(directory):
        return None
    for _ in range(_MOST_PARENTS):
        git = os.path.join(directory, ".git")
        text = _text(git)
        if text.startswith("gitdir: "):
            return os.path.join(directory, text.removeprefix("gitdir: ").strip())
        if os.path.isdir(git):
            return git
        above = os.path.dirname(directory)
        if above == directory:
            break
        directory = above
    return None


def _text(path: str) -> str:
    """The beginning of a regular file. A repository isn't trusted, so a device or a pipe is never read."""
    return (files.beginning(path, 4096) or b"").decode("utf-8", "replace")

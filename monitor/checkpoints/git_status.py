"""The state of the project's repository, as git says it within a time limit."""

import os

import msgspec

SECONDS = 3.0
MOST = 40
"""Dirty files that are named."""


class Worktree(msgspec.Struct, frozen=True):
    """Nothing is known where there is no repository, no git, or no time."""

    branch: str | None = None
    head: str | None = None
    dirty: tuple[str, ...] = ()
    """`XY path` as git has it, the first of them."""
    count: int = 0


def inspect(directory: str) -> Worktree:
    """The worktree in which `directory` lies."""
    import subprocess  # noqa: PLC0415  8 ms that only a checkpoint pays

    # A repository's own configuration may name programs: its monitor of changes is one that status would run.
    command = ["git", "--no-optional-locks", "-c", "core.fsmonitor=false", "-C", directory]
    command += ["status", "--porcelain=v2", "--branch", "-z", "--untracked-files=normal", "--ignore-submodules=dirty"]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            check=True,
            env=kept | {"GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"},
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return Worktree()
    return _parsed(done.stdout.decode("utf-8", "replace").split("\0"))


def _parsed(entries: list[str]) -> Worktree:
    """The entries of porcelain v2; a renamed file's former name is an entry of its own."""
    header: dict[str, str] = {}
    dirty: list[str] = []
    rest = iter(entries)
    for entry in rest:
        kind, _, text = entry.partition(" ")
        if kind == "#":
            name, _, value = text.partition(" ")
            header[name] = value
        elif kind in {"1", "2", "u"}:
            fields = text.split(" ", {"1": 7, "2": 8, "u": 9}[kind])
            dirty.append(f"{fields[0]} {fields[-1]}")
            if kind == "2":
                next(rest, "")
        elif kind == "?":
            dirty.append(f"?? {text}")
    branch, head = header.get("branch.head"), header.get("branch.oid")
    return Worktree(
        None if branch == "(detached)" else branch,
        None if head == "(initial)" else head,
        tuple(dirty[:MOST]),
        len(dirty),
    )

"""The commits that commands make, by git's output or, where it is quiet, by their messages; and what was pushed."""

import re
from typing import Literal

import msgspec

from monitor.activity.shell.command_line import simple_commands
from shared.secrets.masking import masked_in_time
from shared.text.plain import plain

MOST_COMMITS, _LONGEST_SUBJECT = 60, 120
_LONGEST = 16_000
"""Characters of a command that are parsed."""
_ACTION = re.compile(r"[\s(]*(?:rtk )?git\s+(?:-[Cc]\s+\S+\s+)*(commit|push)\b(.*)")
_MESSAGE = re.compile(
    r"\s(?:-[a-zA-Z]*m|--message)[ =]*"
    r"(?:\"\$\(cat <<-?\s*\\?['\"]?\w+['\"]?\s*\n\s*([^\n]+)|\"([^\"\n]+)|'([^'\n]+))"
)
_OTHER_REPOSITORY = re.compile(r"\bgit init\b")
"""Commands that create a repository to try something in."""
_QUIET = re.compile(r"\s(?:-[a-zA-Z]*q[a-zA-Z]*|--quiet)\b|> */dev/null")
_SUMMARY_LINE = re.compile(r"^\[[^\]\n]{1,200} ([0-9a-f]{7,40})\] (\S.{0,400})$", re.MULTILINE)
_NO_COMMIT = re.compile(r"^(?:error: |fatal: |nothing (?:added )?to commit|no changes added)", re.MULTILINE)
_CHANGED = re.compile(r"^ ?\d+ files? changed", re.MULTILINE)
"""The part of git's report of a commit that survives `| tail -1`."""
_NOT_PUSHED = re.compile(r"^(?: ! \[|error: |fatal: )", re.MULTILINE)


class GitAction(msgspec.Struct, frozen=True, array_like=True):
    """What a command has git do to commits."""

    kind: Literal["commit", "amend", "push"]
    subject: str = ""
    """A commit's subject, from the command, with secrets masked."""
    is_quiet: bool = False


class Commit(msgspec.Struct, frozen=True):
    id: str
    """As git abbreviates it; empty if git didn't print it."""
    subject: str
    """Secrets are masked."""
    is_pushed: bool = False


def actions_in(command: str) -> tuple[GitAction, ...]:
    if "git" not in command or len(command) > _LONGEST or _OTHER_REPOSITORY.search(command):
        return ()
    matches = [(part.text, match) for part in simple_commands(command) if (match := _ACTION.match(part.bare))]
    return tuple(_action(text, match[1], match[2]) for text, match in matches if "--dry-run" not in match[2])


def _action(text: str, name: str, rest: str) -> GitAction:
    """What the command in `text` does; `rest` is what follows its name, without quoted parts."""
    if name == "push":
        return GitAction("push")
    message = _MESSAGE.search(text)
    subject = next(filter(None, message.groups()), "") if message else ""
    is_quiet = _QUIET.search(rest) is not None
    return GitAction("amend" if "--amend" in rest else "commit", _masked_subject(subject), is_quiet)


def _masked_subject(text: str) -> str:
    return plain(masked_in_time(text[: 8 * _LONGEST_SUBJECT]), _LONGEST_SUBJECT)


def commits_after(
    commits: list[Commit], actions: tuple[GitAction, ...], output: str, *, is_error: bool, is_unseen: bool = False
) -> list[Commit]:
    """`commits`, the newest last, after a command; `is_unseen` if git's part of its `output` is missing."""
    kinds = [action.kind for action in actions]
    new = [Commit(id_, _masked_subject(subject)) for id_, subject in _SUMMARY_LINE.findall(output)]
    if {"commit", "amend"}.isdisjoint(kinds):
        new = []
    elif not new and not is_error and not _NO_COMMIT.search(output):
        is_cut = is_unseen or _CHANGED.search(output) is not None
        silent = [action for action in actions if action.kind == "commit" and (action.is_quiet or is_cut)]
        new = [Commit(_id_of(action.subject, output), action.subject) for action in silent if action.subject]
    newest = commits[:-1] if new and "amend" in kinds else commits
    newest = [*newest, *new][-MOST_COMMITS:]
    if kinds[-1:] != ["push"] or is_error or _NOT_PUSHED.search(output):
        return newest
    return [msgspec.structs.replace(commit, is_pushed=True) for commit in newest]


def _id_of(subject: str, output: str) -> str:
    """The commit's id if a later command listed it; else empty."""
    listed = re.search(rf"^([0-9a-f]{{7,40}}) (?:\([^)\n]*\) )?{re.escape(subject)}", output, re.MULTILINE)
    return listed[1] if listed else ""

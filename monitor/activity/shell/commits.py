"""The commits that commands make, as git prints them."""

import os
import re

import msgspec

from monitor.activity.shell.command_line import SimpleCommand, directories, pipelines, without_documents
from shared.secrets.masking import masked_in_time
from shared.text.plain import one_line, plain
from shared.transcript import session_paths

MOST_COMMITS, _LONGEST_SUBJECT, _LONGEST_PATH = 60, 120, 200
_LONGEST = 16_000
"""Characters of the longest command that is parsed."""
_GIT = r"[\s(]*(?:rtk )?git\s+(?:-[Cc]\s+\S+\s+)*"
_COMMIT = re.compile(rf"{_GIT}commit\b(?!.*--dry-run)")
_REBASE = re.compile(rf"{_GIT}(?:rebase|pull)\b")
_IN = re.compile(r"-C\s+[\"']?([^\s\"']+)")
_LOG = re.compile(rf"{_GIT}log(?:\s+(?:--oneline|--no-decorate|-n|-?\d+|-n\d+))+\s*$")
_HARMLESS = re.compile(rf"\s*(?:cd|set|export)\b|{_GIT}|\s*$")
"""Commands whose output can't look like git's line about a commit."""
_OTHER_REPOSITORY = re.compile(r"\bgit init\b")
"""Commands that create a repository to try something in."""
_SUMMARY_LINE = re.compile(r"^\[[^\]\n]{1,200} ([0-9a-f]{7,40})\] (\S.{0,400})$", re.MULTILINE)
_LOG_LINE = re.compile(r"^([0-9a-f]{7,40}) (\S.{0,400})$", re.MULTILINE)
_REBASED = " rebased and updated "


class Commit(msgspec.Struct, frozen=True):
    id: str
    """The abbreviated id; empty once a rebase has changed it."""
    subject: str
    """Secrets are masked."""
    elsewhere: str = ""
    """The commit's directory if it is outside the session's: another repository, or a worktree."""


class GitCommand(msgspec.Struct, frozen=True, array_like=True):
    """A command that makes commits, or gives them other ids."""

    commits: bool = True
    amends: bool = False
    """Whether its commit replaces the newest one."""
    rebases: bool = False
    is_logged: bool = False
    """Whether it then shows the commit as the first line of a log, as after `commit -q`."""
    may_fail_later: bool = False
    """Whether it may fail after git has committed, with no earlier output that looks like git's line about that."""
    elsewhere: str = ""
    """The directory of the last such command, if it is outside the session's."""


def git_command_in(command: str, cwd: str = "", directory: str = "") -> GitCommand | None:
    """How a command in `cwd` changes the history, in a session of `directory`; None if it doesn't."""
    if "git" not in command or len(command) > _LONGEST or _OTHER_REPOSITORY.search(command):
        return None
    lines = pipelines(without_documents(command))
    parts = [part for line in lines for part in line]
    numbers = [number for number, part in enumerate(parts) if _COMMIT.match(part.bare)]
    rebases = any(_REBASE.match(part.bare) for part in parts)
    if not (numbers or rebases):
        return None
    elsewhere = _elsewhere(lines, cwd, directory)
    if not numbers:
        return GitCommand(commits=False, rebases=True, elsewhere=elsewhere)
    newest, later = parts[numbers[-1]], parts[numbers[-1] + 1 :]
    logs = [part for part in parts if " log" in part.bare]
    is_sure = newest.joint == "&&" and all(part.joint != "||" for part in parts[: numbers[-1]])
    return GitCommand(
        amends=any("--amend" in parts[number].bare for number in numbers),
        rebases=rebases,
        is_logged=is_sure and logs == later[:1] and _LOG.match(later[0].bare) is not None,
        may_fail_later=any(part.bare.strip() for part in later)
        and all(_HARMLESS.match(part.bare) for part in parts[: numbers[-1]]),
        elsewhere=elsewhere,
    )


def _elsewhere(lines: list[list[SimpleCommand]], cwd: str, directory: str) -> str:
    """The directory of the last git command that changes history, unless it is inside or above `directory`."""
    last = ""
    for where, line in zip(directories(lines, cwd), lines, strict=True):
        for part in line:
            if _COMMIT.match(part.bare) or _REBASE.match(part.bare):
                named = _IN.search(part.text.partition(" commit")[0])
                last = os.path.normpath(os.path.join(where, named[1])) if named else where
    is_around = session_paths.is_within(f"{directory}/", last) or session_paths.is_within(f"{last}/", directory)
    return "" if is_around or not os.path.isabs(last) else plain(masked_in_time(last), _LONGEST_PATH)


def commits_after(
    commits: list[Commit], command: GitCommand | None, output: str, *, is_error: bool = False
) -> list[Commit]:
    """`commits`, the newest last, plus those that git names in the `output` of a command."""
    if command is None:
        return commits
    matches: list[re.Match[str]] = []
    if command.commits and (command.may_fail_later or not is_error):
        matches = [*_SUMMARY_LINE.finditer(output)]
        matches = matches or ([*_LOG_LINE.finditer(output)][:1] if command.is_logged and not is_error else [])
    rebased_at = output.rfind(_REBASED) if command.rebases else -1
    new = [
        Commit(
            "" if match.start() < rebased_at else match[1],
            one_line(masked_in_time(match[2]), _LONGEST_SUBJECT),
            command.elsewhere,
        )
        for match in matches
    ]
    there = [number for number, commit in enumerate(commits) if commit.elsewhere == command.elsewhere]
    commits = list(commits)
    for number in there if rebased_at >= 0 else ():
        commits[number] = msgspec.structs.replace(commits[number], id="")
    if new and command.amends and there:
        del commits[there[-1]]
    return [*commits, *new][-MOST_COMMITS:]

"""The commits that commands make, by what git prints of them."""

import re

import msgspec

from monitor.activity.shell.command_line import simple_commands, without_documents
from shared.secrets.masking import masked_in_time
from shared.text.plain import plain

MOST_COMMITS, _LONGEST_SUBJECT = 60, 120
_LONGEST = 16_000
"""Characters of a command that are parsed."""
_GIT = r"[\s(]*(?:rtk )?git\s+(?:-[Cc]\s+\S+\s+)*"
_COMMIT = re.compile(rf"{_GIT}commit\b(?!.*--dry-run)")
_REBASE = re.compile(rf"{_GIT}(?:rebase|pull)\b")
_LOG = re.compile(rf"{_GIT}log(?:\s+(?:--oneline|--no-decorate|-n|-?\d+|-n\d+))+\s*$")
_HARMLESS = re.compile(rf"\s*(?:cd|set|export)\b|{_GIT}|\s*$")
"""What prints no line that looks like git's own word of a commit."""
_OTHER_REPOSITORY = re.compile(r"\bgit init\b")
"""Commands that create a repository to try something in."""
_SUMMARY_LINE = re.compile(r"^\[[^\]\n]{1,200} ([0-9a-f]{7,40})\] (\S.{0,400})$", re.MULTILINE)
_LOG_LINE = re.compile(r"^([0-9a-f]{7,40}) (\S.{0,400})$", re.MULTILINE)
_REBASED = " rebased and updated "


class Commit(msgspec.Struct, frozen=True):
    id: str
    """As git abbreviates it; empty once a rebase has given the commit another one."""
    subject: str
    """Secrets are masked."""


class GitCommand(msgspec.Struct, frozen=True, array_like=True):
    """A command that makes commits, or gives them other ids."""

    commits: bool = True
    amends: bool = False
    """Whether its commit takes the place of the newest."""
    rebases: bool = False
    is_logged: bool = False
    """Whether it shows the commit in a log, as one made with `-q` is: in that its first line is the newest."""
    may_fail_later: bool = False
    """Whether it may fail although git has committed, and nothing else of it looks like git's word of that."""


def git_command_in(command: str) -> GitCommand | None:
    if "git" not in command or len(command) > _LONGEST or _OTHER_REPOSITORY.search(command):
        return None
    parts = simple_commands(without_documents(command))
    numbers = [number for number, part in enumerate(parts) if _COMMIT.match(part.bare)]
    rebases = any(_REBASE.match(part.bare) for part in parts)
    if not numbers:
        return GitCommand(commits=False, rebases=True) if rebases else None
    newest, later = parts[numbers[-1]], parts[numbers[-1] + 1 :]
    logs = [part for part in parts if " log" in part.bare]
    is_sure = newest.joint == "&&" and all(part.joint != "||" for part in parts[: numbers[-1]])
    return GitCommand(
        amends=any("--amend" in parts[number].bare for number in numbers),
        rebases=rebases,
        is_logged=is_sure and logs == later[:1] and _LOG.match(later[0].bare) is not None,
        may_fail_later=any(part.bare.strip() for part in later)
        and all(_HARMLESS.match(part.bare) for part in parts[: numbers[-1]]),
    )


def commits_after(
    commits: list[Commit], command: GitCommand | None, output: str, *, is_error: bool = False
) -> list[Commit]:
    """`commits`, the newest last, after a command: those that git names in its `output` were made."""
    if command is None:
        return commits
    made: list[re.Match[str]] = []
    if command.commits and (command.may_fail_later or not is_error):
        made = [*_SUMMARY_LINE.finditer(output)]
        made = made or ([*_LOG_LINE.finditer(output)][:1] if command.is_logged and not is_error else [])
    rebased_at = output.rfind(_REBASED) if command.rebases else -1
    new = [
        Commit("" if match.start() < rebased_at else match[1], plain(masked_in_time(match[2]), _LONGEST_SUBJECT))
        for match in made
    ]
    commits = [msgspec.structs.replace(commit, id="") for commit in commits] if rebased_at >= 0 else commits
    return [*(commits[:-1] if new and command.amends else commits), *new][-MOST_COMMITS:]

"""The commits that commands make, by what git prints of them."""

import re
from typing import Literal

import msgspec

from monitor.activity.shell.command_line import simple_commands
from shared.secrets.masking import masked_in_time
from shared.text.plain import plain

CommitKind = Literal["", "commit", "amend"]
"""Whether a command makes commits, and whether one of them takes the place of the newest."""
MOST_COMMITS, _LONGEST_SUBJECT = 60, 120
_LONGEST = 16_000
"""Characters of a command that are parsed."""
_COMMIT = re.compile(r"[\s(]*(?:rtk )?git\s+(?:-[Cc]\s+\S+\s+)*commit\b(?!.*--dry-run)")
_OTHER_REPOSITORY = re.compile(r"\bgit init\b")
"""Commands that create a repository to try something in."""
_SUMMARY_LINE = re.compile(r"^\[[^\]\n]{1,200} ([0-9a-f]{7,40})\] (\S.{0,400})$", re.MULTILINE)


class Commit(msgspec.Struct, frozen=True):
    id: str
    """As git abbreviates it."""
    subject: str
    """Secrets are masked."""


def kind_of(command: str) -> CommitKind:
    if "git" not in command or len(command) > _LONGEST or _OTHER_REPOSITORY.search(command):
        return ""
    parts = [part.bare for part in simple_commands(command) if _COMMIT.match(part.bare)]
    return "amend" if any("--amend" in part for part in parts) else "commit" if parts else ""


def commits_after(commits: list[Commit], kind: CommitKind, output: str) -> list[Commit]:
    """`commits`, the newest last, after a command of that kind: those that git names in its `output` were made."""
    made = _SUMMARY_LINE.findall(output) if kind else []
    new = [Commit(id_, plain(masked_in_time(subject), _LONGEST_SUBJECT)) for id_, subject in made]
    return [*(commits[:-1] if new and kind == "amend" else commits), *new][-MOST_COMMITS:]

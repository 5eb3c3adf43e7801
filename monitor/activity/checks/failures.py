"""The failures of a session: the checks that still fail, and the failed attempts at any command."""

import re
from typing import TypeVar

import msgspec

from monitor.activity.checks.results import CheckResult
from monitor.activity.checks.run import CheckRun

_Entry = TypeVar("_Entry")
MOST_FAILING, MOST_ATTEMPTS = 20, 40
_IN_DIRECTORY = re.compile(r"\(cd \S+ && (.+?)\)(?= && |$)")
"""A check with the directory that it ran in."""
_PROGRAM = re.compile(r"\s*(?:cd\s[^;&|\n]*(?:&&|;|\n)\s*)*([^\s;&|]+(?: [\w./:][\w./:-]*(?=\s|$))?)")
"""The program that a command starts, with its subcommand or file: `git push`, `jq`."""


class Failure(msgspec.Struct, frozen=True):
    """A check that failed in its last run."""

    command: str
    line: int
    """The number of the transcript's line with its output."""
    offset: int = -1
    """Bytes before that line; -1 if unknown."""
    tool_use_id: str = ""
    """The id of the call whose result holds the output."""
    edits_since: int = 0
    """Edits that the session has made since."""
    has_delegated: bool = False
    """Whether a subagent has worked since: it may have edited or run the check, as its transcript isn't read."""


class FailingCheck(msgspec.Struct):
    failure: Failure
    left: tuple[CheckRun, ...]
    """Its checks that have not passed since."""
    edits: int = 0
    """Edits that the session had made when it failed."""
    subagents: int = 0
    """The activity's count of subagents when it failed."""
    is_certain: bool = True
    """Whether each check in `left` is known to have failed; otherwise one of them did."""


class FailedAttempt(msgspec.Struct, frozen=True, array_like=True):
    offset: int
    """Bytes before the transcript's line with the output."""
    tool_use_id: str
    checks: tuple[CheckRun, ...]
    has_passed: bool = False
    """Whether it has worked since, or a check that covers its own has passed."""


def without_directory(command: str) -> str:
    """A check's name without the directory that it ran in."""
    return _IN_DIRECTORY.sub(r"\1", command)


def add_newest(table: dict[str, _Entry], name: str, entry: _Entry, most: int) -> None:
    """Add an entry at the end of a table, and remove the oldest beyond `most`."""
    table.pop(name, None)
    table[name] = entry
    while len(table) > most:
        del table[next(iter(table))]


def note(
    failing: dict[str, FailingCheck], result: CheckResult, failure: Failure, edits: int, subagents: int = 0
) -> None:
    """Note the result of one command in the table of failing checks, the newest failure last."""
    failed = result.failed
    may_not_have_run = not result.is_certain and failed[0].is_status_known  # `&&` stops at the first failure
    newer = (*result.passed, *(failed[:1] if may_not_have_run else failed))
    for name, check in [*failing.items()]:
        left = tuple(run for run in check.left if not any(wide.covers(run) for wide in newer))
        if not left or (not check.is_certain and left != check.left):  # it may have been the one that failed
            del failing[name]
        check.left = left
        check.failure = msgspec.structs.replace(check.failure, command=_together(left))
    if failed:
        command = _together(failed)
        failure = msgspec.structs.replace(failure, command=command)
        add_newest(failing, command, FailingCheck(failure, failed, edits, subagents, result.is_certain), MOST_FAILING)


def _together(runs: tuple[CheckRun, ...]) -> str:
    return " && ".join(dict.fromkeys(run.command for run in runs))


def note_attempt(
    attempts: dict[str, FailedAttempt], command: str, checks: tuple[CheckRun, ...], failed: FailedAttempt | None
) -> None:
    """Note a run of `command`, which worked if `failed` is None: then mistyped commands of its program are removed."""
    if failed is not None:
        add_newest(attempts, command, failed, MOST_ATTEMPTS)
        return
    for name, attempt in [*attempts.items()]:
        is_covered = attempt.checks and all(any(wide.covers(run) for wide in checks) for run in attempt.checks)
        if name == command or is_covered:
            attempts[name] = msgspec.structs.replace(attempt, has_passed=True)
        elif not attempt.checks and _program(name) == _program(command):
            del attempts[name]


def _program(command: str) -> str:
    match = _PROGRAM.match(command)
    return match[1] if match else ""

"""Commands that failed, checks or not: what was tried in vain."""

import re

import msgspec

from monitor.activity.checks.run import CheckRun

MOST = 40
_PROGRAM = re.compile(r"\s*(?:cd\s[^;&|\n]*(?:&&|;|\n)\s*)*([^\s;&|]+(?: [\w./:][\w./:-]*(?=\s|$))?)")
"""The program that a command starts, with its subcommand or file: `git push`, `jq`."""


class FailedAttempt(msgspec.Struct, frozen=True, array_like=True):
    """The newest failure of one command."""

    offset: int
    """Bytes before the transcript's line with its output."""
    tool_use_id: str
    checks: tuple[CheckRun, ...]
    has_passed: bool = False
    """Whether it has worked since, or what covers its checks."""


def note(
    attempts: dict[str, FailedAttempt], command: str, checks: tuple[CheckRun, ...], failed: FailedAttempt | None
) -> None:
    """Take up a run of `command` into the table, which has the newest failure last; `failed` is None where it worked.

    A failure that was no check goes once another command of the same program works: it was only typed wrong.
    """
    if failed is not None:
        attempts.pop(command, None)
        attempts[command] = failed
        while len(attempts) > MOST:
            del attempts[next(iter(attempts))]
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

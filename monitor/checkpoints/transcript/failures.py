"""The commands that failed before a handoff's last steps: what was tried in vain, and why."""

import re
from typing import NamedTuple

from monitor.activity.checks import output
from monitor.activity.checks.command import checks_in
from monitor.activity.checks.reason import reason_in
from monitor.activity.checks.run import CheckRun
from monitor.activity.tool_call_of import state_of
from monitor.activity.tool_calls import REFUSED
from monitor.checkpoints.transcript.steps import (
    MOST_READ,
    OUTCOME,
    calls_and_words,
    command_of,
    is_look,
    printed_by,
    quoted,
    start_of,
)
from shared.client.tools import OTHER, TOOLS
from shared.text.plain import one_line
from shared.transcript.line import ContentBlock

MOST = 5
"""Commands that are kept, the newest."""
_PROGRAM = re.compile(r"\s*(?:cd\s[^;&|\n]*(?:&&|;|\n)\s*)*([^\s;&|]+(?: [\w./:][\w./:-]*(?=\s|$))?)")


class FailedCommand(NamedTuple):
    """A command that failed, with what may show that it has been put right."""

    result: ContentBlock
    checks: tuple[CheckRun, ...]
    program: str
    has_passed: bool = False

    def after(self, checks: tuple[CheckRun, ...], program: str, *, is_same: bool) -> "FailedCommand | None":
        """The failure after another command worked; None where it was no check, and only typed wrong."""
        if not self.checks and not is_same and program == self.program:
            return None
        is_covered = self.checks and all(any(wide.covers(run) for wide in checks) for run in self.checks)
        return self._replace(has_passed=True) if is_same or is_covered else self


def failures_since(transcript: str, offset: int, until: int, directory: str = "") -> tuple[str, ...]:
    """The newest commands that failed between two bytes of the transcript, once each, with the line that says why."""
    newest: dict[str, FailedCommand] = {}
    for block, result in calls_and_words(transcript, offset, until):
        if result is None or TOOLS.get(block.name, OTHER).kind != "command" or is_look(block):
            continue
        command = command_of(block)
        checks, program = checks_in(command), _program(command)
        if not (result.is_error or output.verdict(result.result) == "failed"):
            after = {name: failed.after(checks, program, is_same=name == command) for name, failed in newest.items()}
            newest = {name: failed for name, failed in after.items() if failed}
        elif state_of("command", bytes(result.content), is_error=bool(result.is_error)) != REFUSED:
            newest.pop(command, None)
            newest[command] = FailedCommand(result, checks, program)
            newest = dict([*newest.items()][-MOST_READ:])
    failures: list[str] = []
    for command, failed in reversed(newest.items()):
        if len(failures) < MOST and (why := reason_in(printed_by(failed.result))):
            text = f"{quoted(command)}: {one_line(why, OUTCOME)}{' (passed since)' if failed.has_passed else ''}"
            failures.append(text.replace(start_of(directory), ""))
    return tuple(reversed(failures))


def _program(command: str) -> str:
    """The program that a command starts, with its subcommand or file: `git push`, `jq`."""
    match = _PROGRAM.match(command)
    return match[1] if match else ""

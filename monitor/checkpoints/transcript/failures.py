"""The commands that failed before a handoff's last steps: what was tried in vain, and why."""

import re

from monitor.activity.checks import output
from monitor.activity.checks.command import checks_in
from monitor.activity.checks.reason import reason_in
from monitor.activity.checks.run import CheckRun
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
_REFUSED = re.compile(r"The user doesn't want|requested permissions|Permission to use|Sibling tool call errored")
_PASSED = " (passed since)"
_PROGRAM = re.compile(r"\s*(?:cd\s[^;&|\n]*(?:&&|;|\n)\s*)*([^\s;&|]+(?: [\w./:][\w./:-]*(?=\s|$))?)")


def failures_since(transcript: str, offset: int, until: int, directory: str = "") -> tuple[str, ...]:
    """The newest commands that failed between two bytes of the transcript, once each, with the line that says why."""
    newest = dict[str, ContentBlock]()
    passed: set[str] = set()
    for block, result in calls_and_words(transcript, offset, until):
        if result is None or TOOLS.get(block.name, OTHER).kind != "command" or is_look(block):
            continue
        command = command_of(block)
        if not (result.is_error or output.verdict(result.result) == "failed"):
            runs = checks_in(command)
            passed.update(failed for failed in newest if failed == command or _covers(runs, failed))
            for failed in [failed for failed in newest if _is_corrected(failed, command)]:
                del newest[failed]
        elif not _REFUSED.search(result.result[:OUTCOME]):
            newest.pop(command, None)
            newest[command] = result
            passed.discard(command)
    failures: list[str] = []
    for command, result in [*newest.items()][: -MOST_READ - 1 : -1]:
        if len(failures) < MOST and (why := reason_in(printed_by(result))):
            text = f"{quoted(command)}: {one_line(why, OUTCOME)}{_PASSED if command in passed else ''}"
            failures.append(text.replace(start_of(directory), ""))
    return tuple(reversed(failures))


def _is_corrected(failed: str, command: str) -> bool:
    """Whether a failed command that is no check was soon typed better: its program has worked since."""
    program = _program(failed)
    return failed != command and bool(program) and program == _program(command) and not checks_in(failed)


def _program(command: str) -> str:
    """The program that a command starts, with its subcommand or file: `git push`, `jq`."""
    match = _PROGRAM.match(command)
    return match[1] if match else ""


def _covers(passed: tuple[CheckRun, ...], command: str) -> bool:
    """Whether all checks of a command have passed with those of another."""
    runs = checks_in(command) if passed else ()
    return bool(runs) and all(any(wide.covers(run) for wide in passed) for run in runs)

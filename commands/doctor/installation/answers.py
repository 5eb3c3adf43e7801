"""Whether the commands, exactly as written in the settings, answer a sample of the client's input."""

import os
import tempfile
from collections.abc import Iterator

from commands.doctor.finding import REPAIR, CheckFinding, ok, unknown, warning, wrong
from commands.environment.client_settings import SettingsFile
from commands.environment.environment import Environment
from installer.checking import check, samples
from installer.checking.check import Commands
from installer.install_error import InstallError
from installer.settings import entries, status_line
from shared import paths
from shared.files import files
from shared.settings.config import WRAPPED_BYTES, WRAPPED_SECONDS
from statusline.wrapping.command import Command

_SLOW_MILLISECONDS = 1_000
_SELFCHECK = "tidegauge-doctor"


def status_line_answers(environment: Environment) -> Iterator[CheckFinding]:
    """Our status line, and the bridge that it leaves."""
    for file in environment.settings:
        command = status_line.command(file.text, environment.layout)
        if command is not None:
            yield _ask(environment, file, "status line", Commands(command, None))
            return


def monitor_answers(environment: Environment) -> Iterator[CheckFinding]:
    """Run each spelling of our hook's command on a session at 71 % of its window."""
    layout = environment.layout
    used = {command: file for file in environment.settings for command in check.tool_uses(file.text, layout)}
    for command, file in used.items():
        yield _ask(environment, file, "monitor", Commands(None, command))


def wrapped_answers(environment: Environment) -> Iterator[CheckFinding]:
    """The status line that the person had before ours, which ours runs."""
    document = files.read_or_none(paths.wrapped(environment.root))
    if document is None:
        return
    subject = "wrapped status line"
    try:
        command = status_line.command_of(document.decode())
    except (ValueError, RecursionError):
        yield wrong(subject, f"{paths.wrapped(environment.root)} is damaged", REPAIR)
        return
    if command is None:
        return  # what was there before ours ran nothing either
    with tempfile.TemporaryDirectory(prefix=_SELFCHECK) as directory:
        payload = samples.status(_SELFCHECK, os.path.join(directory, f"{_SELFCHECK}.jsonl"))
        # As our status line runs it.
        answer = Command(command, payload, directory=directory, is_ended_with_us=False).result(WRAPPED_SECONDS)
    if answer.status == 0 and answer.stdout.strip():
        yield ok(subject, f"{command} answers")
        return
    if answer.status is None:
        reason = f"no answer of up to {WRAPPED_BYTES:,} bytes within {WRAPPED_SECONDS:g} s"
    elif answer.status:
        reason = f"exit code {answer.status}"
    else:
        reason = "nothing printed"
    yield warning(subject, f"{command} fails for a sample ({reason})", "run it by hand to see why")


def _ask(environment: Environment, file: SettingsFile, subject: str, wanted: Commands) -> CheckFinding:
    """Run a command from the person's own settings, or one exactly as we write it: others may be a repository's."""
    silences, command = wanted.hook is not None, wanted.hook or wanted.status_line or ""
    if file.scope not in {"user", "managed"} and not entries.is_as_written(command, environment.layout):
        return unknown(subject, f"not run: the command in {file.path} isn't exactly ours")
    try:
        answers = check.run(wanted, environment.layout)
        if max(answers.milliseconds) > _SLOW_MILLISECONDS:  # a cold disk, or a busy machine: ask again
            answers = check.run(wanted, environment.layout)
    except InstallError as refusal:
        remedy = f"see the log, {paths.log_file(environment.root)}, or run: tidegauge repair"
        return wrong(subject, str(refusal), remedy, silences=silences)
    except OSError as problem:
        return unknown(subject, f"it could not be tried: {problem!s}")
    duration = max(answers.milliseconds)
    is_slow = duration > _SLOW_MILLISECONDS
    text = f"answers a sample{', but only after' if is_slow else ' in'} {duration:,} ms"
    if answers.warning:
        text += f": {answers.warning.splitlines()[1]}"
    elif wanted.hook is not None:
        is_on = environment.configuration.config.hooks.context_warnings
        text += ", silently" + ("" if is_on else ": hooks.context_warnings is false")
    return warning(subject, text, "find out what slows this machine down") if is_slow else ok(subject, text)

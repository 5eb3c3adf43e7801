"""The client itself: its version, whether it trusts the directory, and whether it runs."""

import re
import subprocess
from collections.abc import Iterator

import msgspec

from commands.doctor.finding import CheckFinding, ok, unknown, warning
from commands.environment.environment import Environment
from commands.session import transcripts
from commands.session.projects import upwards
from installer.settings.offers.reminder import COUNTDOWN
from installer.settings.offers.reminder import NAME as REMINDER
from monitor.checkpoints import client_process
from shared.files import files, lenient
from shared.text.quantities import duration_text

_TESTED = ((2, 1, 197), (2, 1, 330))
"""The oldest and the newest version that Tidegauge has been tried with."""
_VERSION_SECONDS = 2
_DEFAULT_REMINDER = "padded-countdown"
_HARMLESS_REMINDERS = {
    COUNTDOWN: "models are told how much of the window is left",
    "off": "models are not told how many tokens are left",
}


class _Project(msgspec.Struct, rename="camel"):
    has_trust_dialog_accepted: bool | None = None
    has_claude_md_external_includes_approved: bool | None = None


class _State(msgspec.Struct):
    projects: dict[str, _Project] = {}


def version(environment: Environment) -> Iterator[CheckFinding]:
    """The version that wrote the newest transcript; without one, the one on PATH."""
    newest = max(transcripts.all_of(environment.client_directory), key=transcripts.modified, default="")
    result, source = transcripts.origin(newest).version, "the newest transcript"
    if not result:
        result, source = _from_path(), "claude --version"
    numbers = tuple(int(number) for number in re.findall(r"\d+", result)[:3])
    first, last = (".".join(map(str, tested)) for tested in _TESTED)
    if len(numbers) < 3:
        yield unknown("client", "its version is unknown: no transcript names one, and claude isn't on PATH")
    elif numbers < _TESTED[0]:
        text = f"{result} ({source}) is older than {first}, the oldest version that Tidegauge is tested with"
        yield warning("client", text, "update the client")
    elif numbers > _TESTED[1]:
        text = f"{result} ({source}), newer than {last}, the newest version that Tidegauge is tested with"
        yield ok("client", text)
    else:
        yield ok("client", f"{result} ({source})")


def token_reminder(environment: Environment) -> Iterator[CheckFinding]:
    """What the client tells its models of tokens left, since about 2.1.231 and where a model gets it at all."""
    setting = environment.setting(REMINDER)
    kind = setting[0] if setting and isinstance(setting[0], str) else _DEFAULT_REMINDER
    where = setting[1].path if setting else "the client's default"
    subject = "<total_tokens>"
    if kind in _HARMLESS_REMINDERS:
        yield ok(subject, f"{kind} ({where}): {_HARMLESS_REMINDERS[kind]}")
        return
    # The person's own setting contradicts the agent's messages.
    note = warning if setting and isinstance(setting[0], str) else ok
    text = f"{kind} ({where}): models may be told a number of \"tokens left\" that isn't the window's"
    remedy = f'"{REMINDER}": "{COUNTDOWN}" in {environment.layout.settings} makes it the window\'s'
    yield note(subject, text, remedy)


def trust(environment: Environment) -> Iterator[CheckFinding]:
    """Whether the client trusts the directory: elsewhere an interactive one runs neither hooks nor a status line."""
    state = _state(environment.client_state)
    if state is None:
        yield unknown("trust", f"{environment.client_state} cannot be read: the client may not have been started yet")
        return
    here = environment.directory
    for at in upwards(here):
        project = state.projects.get(at)
        if project is not None and project.has_trust_dialog_accepted:
            yield ok("trust", f"{here} is trusted" + (f" as part of {at}" if at != here else ""))
            return
    text = f"{here} is not trusted: interactive sessions there run no hook and no status line"
    yield warning("trust", text, "start the client there and answer its question, if you trust the directory")


def takes_external_imports(environment: Environment) -> bool:
    """Whether the person has let instructions here import files from outside of the project."""
    state = _state(environment.client_state)
    project = state.projects.get(environment.directory) if state else None
    return project is not None and project.has_claude_md_external_includes_approved is True


def running(environment: Environment) -> Iterator[CheckFinding]:
    """The clients that run now; processes don't reveal which session is whose."""
    clients = [
        f"{client.directory or 'in an unknown directory'}, for {duration_text(environment.now - client.started)}"
        f" (process {client.pid})"
        for client in client_process.running()
    ]
    yield ok("running", "; ".join(clients) or "no client is running")


def _state(path: str) -> _State | None:
    """What the client's own file says; it may be a link, and grows to megabytes."""
    try:
        with open(files.open_regular(path), "rb") as file:
            return lenient.decode_or(file.read(), _State, None)
    except OSError:
        return None


def _from_path() -> str:
    program = client_process.program()
    if program is None:
        return ""
    try:
        result = subprocess.run(
            [program, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_VERSION_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    match = re.search(r"\d+\.\d+\.\d+", result.stdout)
    return match.group() if match else ""

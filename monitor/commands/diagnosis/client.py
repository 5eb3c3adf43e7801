"""The client itself: its version, whether it trusts the directory, and whether it runs."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator

import msgspec

from installer.reminder import COUNTDOWN
from installer.reminder import NAME as REMINDER
from monitor.checkpoints import client_process
from monitor.commands.diagnosis import transcripts
from monitor.commands.diagnosis.finding import CheckFinding, ok, unknown, warning
from monitor.commands.diagnosis.surroundings import Surroundings
from shared import files, lenient
from shared.duration import duration_text

TESTED = ((2, 1, 197), (2, 1, 330))
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


def version(place: Surroundings) -> Iterator[CheckFinding]:
    """The version that wrote the newest transcript; without one, the one on PATH."""
    found, source = _from_transcripts(place), "the newest transcript"
    if not found:
        found, source = _from_path(), "claude --version"
    numbers = tuple(int(number) for number in re.findall(r"\d+", found)[:3])
    oldest, newest = (".".join(map(str, tested)) for tested in TESTED)
    if len(numbers) < 3:
        yield unknown("client", "its version is unknown: no transcript names one, and claude isn't on PATH")
    elif numbers < TESTED[0]:
        said = f"{found} ({source}) is older than {oldest}, the oldest version that Tidegauge is tested with"
        yield warning("client", said, "update the client")
    elif numbers > TESTED[1]:
        yield ok("client", f"{found} ({source}), newer than {newest}, the newest version that Tidegauge is tested with")
    else:
        yield ok("client", f"{found} ({source})")


def token_reminder(place: Surroundings) -> Iterator[CheckFinding]:
    """What the client tells its models of tokens left, since about 2.1.231 and where a model gets it at all."""
    found = place.setting(REMINDER)
    kind = found[0] if found and isinstance(found[0], str) else _DEFAULT_REMINDER
    where = found[1].path if found else "the client's default"
    subject = "<total_tokens>"
    if kind in _HARMLESS_REMINDERS:
        yield ok(subject, f"{kind} ({where}): {_HARMLESS_REMINDERS[kind]}")
        return
    note = (
        warning if found and isinstance(found[0], str) else ok
    )  # what the person has set themselves contradicts what the agent is told
    said = f"{kind} ({where}): models may be told a number of \"tokens left\" that isn't the window's"
    remedy = f'"{REMINDER}": "{COUNTDOWN}" in {place.layout.settings} makes it the window\'s'
    yield msgspec.structs.replace(note(subject, said), remedy=remedy)


def trust(place: Surroundings) -> Iterator[CheckFinding]:
    """Whether the client trusts the directory: elsewhere an interactive one runs neither hooks nor a status line."""
    state = _state(place.client_state)
    if state is None:
        yield unknown("trust", f"{place.client_state} cannot be read: the client may not have been started yet")
        return
    at = place.directory
    while True:
        project = state.projects.get(at)
        if project is not None and project.has_trust_dialog_accepted:
            yield ok("trust", f"{place.directory} is trusted" + (f" as part of {at}" if at != place.directory else ""))
            return
        if at == os.path.dirname(at):
            break
        at = os.path.dirname(at)
    said = f"{place.directory} is not trusted: interactive sessions there run no hook and no status line"
    yield warning("trust", said, "start the client there and answer its question, if you trust the directory")


def takes_external_imports(place: Surroundings) -> bool:
    """Whether the person has let instructions here import files from outside of the project."""
    state = _state(place.client_state)
    project = state.projects.get(place.directory) if state else None
    return project is not None and project.has_claude_md_external_includes_approved is True


def running(place: Surroundings) -> Iterator[CheckFinding]:
    """The clients that run now, as far as processes tell: which session is whose they don't."""
    named = [
        f"{client.directory or 'in an unknown directory'}, for {duration_text(place.now - client.started)}"
        f" (process {client.pid})"
        for client in client_process.running()
    ]
    yield ok("running", "; ".join(named) or "no client is running")


def _state(path: str) -> _State | None:
    """What the client's own file says; it may be a link, and grows to megabytes."""
    try:
        with open(files.open_regular(path), "rb") as file:
            return lenient.decode_or(file.read(), _State, None)
    except OSError:
        return None


def _from_transcripts(place: Surroundings) -> str:
    newest = max(transcripts.all_of(place.client_directory), key=transcripts.modified, default=None)
    return transcripts.origin(newest).version if newest else ""


def _from_path() -> str:
    program = shutil.which("claude")
    if program is None:
        return ""
    try:
        done = subprocess.run(
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
    found = re.search(r"\d+\.\d+\.\d+", done.stdout)
    return found.group() if found else ""

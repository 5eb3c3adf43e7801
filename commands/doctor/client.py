"""The client itself: its version, whether it trusts the directory and has our files."""

import os
from collections.abc import Iterator

import msgspec

from commands.doctor.finding import REPAIR, CheckFinding, ok, unknown, unused, warning
from commands.environment.environment import Environment
from commands.session import transcripts
from commands.session.projects import upwards
from installer import choices
from installer.program import client_files
from installer.settings import record
from installer.settings.offers.reminder import COUNTDOWN
from installer.settings.offers.reminder import NAME as REMINDER
from shared.client.models import EARLIER_CLIENT, LATER_CLIENT, version_of
from shared.files import files, lenient

_HARMLESS_REMINDERS = {
    COUNTDOWN: "models are told how much of the window is left",
    "off": "models are not told how many tokens are left",
}
_LARGEST_STATE = 64 << 20
"""Most bytes read of the client's state file, which may be a link, and grows to megabytes."""


class _Project(msgspec.Struct, rename="camel"):
    has_trust_dialog_accepted: bool | None = None


class _State(msgspec.Struct):
    projects: dict[str, _Project] = {}


def version(environment: Environment) -> Iterator[CheckFinding]:
    """The version that wrote the newest transcript."""
    newest = max(transcripts.all_of(environment.client_directory), key=files.modified_at, default="")
    result = transcripts.origin(newest).version
    numbers = version_of(result)
    first, last = (".".join(map(str, tested)) for tested in (EARLIER_CLIENT, LATER_CLIENT))
    if numbers is None:
        yield unused("client", "its version is unknown until a transcript names it")
    elif numbers < EARLIER_CLIENT:
        text = f"{result} is older than {first}, the oldest version that Tidegauge is tested with"
        yield warning("client", text, "update the client")
    else:
        newer = f", newer than {last}, the newest version that Tidegauge is tested with"
        yield ok("client", f"{result}{newer if numbers > LATER_CLIENT else ''}")


def token_reminder(environment: Environment) -> Iterator[CheckFinding]:
    """The number of tokens left that the client tells models: since about 2.1.231, and only some models."""
    setting, subject = environment.setting(REMINDER), "<total_tokens>"
    is_set = setting is not None and isinstance(setting[0], str)
    kind = setting[0] if setting and is_set else "padded-countdown"
    where = setting[1].path if setting else "the client's default"
    if kind in _HARMLESS_REMINDERS:
        yield ok(subject, f"{kind} ({where}): {_HARMLESS_REMINDERS[kind]}")
    else:
        text = f"{kind} ({where}): models may be told a number of \"tokens left\" that isn't the window's"
        # It contradicts our messages to the agent, but no installation changes what somebody has set.
        change = f'"{REMINDER}": "{COUNTDOWN}" there' if setting else "tidegauge install --countdown"
        yield (warning if is_set else ok)(subject, text, f"{change} makes it the window's")


def trust(environment: Environment) -> Iterator[CheckFinding]:
    """Whether the client trusts the directory; if not, an interactive one runs neither hooks nor a status line."""
    here = environment.directory
    state = lenient.decode_or(files.beginning(environment.client_state, _LARGEST_STATE) or b"", _State, None)
    if state is None:
        kind = unknown if os.path.lexists(environment.client_state) else unused
        yield kind("trust", f"{environment.client_state} cannot be read: the client may not have been started yet")
    elif trusted := [at for at in upwards(here) if state.projects.get(at, _Project()).has_trust_dialog_accepted]:
        yield ok("trust", f"{here} is trusted" + (f" as part of {trusted[0]}" if trusted[0] != here else ""))
    else:
        text = f"{here} is not trusted: interactive sessions there run no hook and no status line"
        yield warning("trust", text, "start the client there and answer its question, if you trust the directory")


def companion_files(environment: Environment) -> Iterator[CheckFinding]:
    """Whether `/token-status` and its agent are where the client looks; files that the person changed are theirs."""
    subject, plugin = "companions", environment.own_plugin
    if plugin is not None:
        yield ok(subject, f"from the {plugin.scope}")
        return
    if not choices.load(environment.layout).companions or record.projects(environment.layout):
        yield ok(subject, "not placed: the installation is for projects, or without them (--no-companions)")
        return
    planned = client_files.plan(environment.layout, wanted=True)
    wrong = [path for path, contents in planned.written if files.read_or_none(path) != contents]
    if planned.problem:
        yield warning(subject, f"no /token-status: {planned.problem}")
    elif wrong:
        yield warning(subject, f"{' and '.join(wrong)}: missing, or of another version than this program", REPAIR)
    else:
        yours = f"; {' and '.join(planned.personal)} changed by you" if planned.personal else ""
        yield ok(subject, f"/token-status and its agent{yours}")

"""Our entries in the client's settings: whether they are there, and may act."""

import os
from collections.abc import Iterator

from installer import choices, configuration, entries, hooks, record, status_line
from installer.launchers import PACKAGED
from monitor import registrations
from monitor.commands.diagnosis.client_settings import SettingsFile
from monitor.commands.diagnosis.finding import REPAIR, CheckFinding, CheckStatus, Fix, fixable, ok, warning, wrong
from monitor.commands.diagnosis.surroundings import Surroundings
from monitor.registrations import Registration
from shared import client

_INSTALL = REPAIR
_PROGRAM = os.path.dirname(os.path.dirname(os.path.abspath(registrations.__file__)))
_PACKAGED = {name: os.path.join(_PROGRAM, *path.split("/")) for name, path in PACKAGED.items()}


def client_directory(place: Surroundings) -> Iterator[CheckFinding]:
    """A client started from here reads the settings of the directory that its environment names."""
    home = place.environ.get("HOME") or os.path.expanduser("~")
    named = place.environ.get(client.CONFIG_DIRECTORY_VARIABLE) or os.path.join(home, client.DIRECTORY)
    if os.path.realpath(named) != os.path.realpath(place.client_directory):
        said = f"a client started from here uses {named}, and this Tidegauge belongs to {place.client_directory}"
        yield warning(
            "client directory",
            said,
            f'set {client.CONFIG_DIRECTORY_VARIABLE} to "{place.client_directory}", or install there',
        )


def readable(place: Surroundings) -> Iterator[CheckFinding]:
    """The client ignores a file that is not strict JSON, hooks and all."""
    for file in place.settings:
        subject = f"{file.scope} settings"
        if file.problem:
            yield wrong(subject, f"{file.path}: {file.problem}", "correct the file: the client ignores all of it")
        else:
            yield ok(subject, f"{file.path} is readable")
    if not any(file.scope == "user" for file in place.settings):
        said = f"there is no {place.layout.personal_settings}"
        yield warning("user settings", said, _INSTALL)


def status_line_entry(place: Surroundings) -> Iterator[CheckFinding]:
    """The status line's entry: of several, only the one of the highest precedence is run."""
    subject, winner = "statusLine entry", None
    for file in place.settings:
        if file.values.get("statusLine") is not None:
            winner = file
            break
    if winner is None:
        reading = "without it nothing is drawn, and the monitor reads the transcript alone"
        yield warning(subject, f"no settings file has one: {reading}", _INSTALL)
    elif status_line.command(winner.usable_text, place.layout) is not None:
        yield ok(subject, f"ours, in {winner.path}")
    elif winner.scope == "user":
        said = f"{winner.path} has another program's, or another installation's"
        # The person may have put it there on purpose: theirs to decide, not for --fix.
        yield warning(subject, said, "to have ours wrap it, run: tidegauge repair")
    else:
        hidden = f"{winner.path} sets another one, which the client runs here instead"
        yield warning(subject, hidden, f"remove statusLine there to see ours in {place.directory}")


def hook_entries(place: Surroundings) -> Iterator[CheckFinding]:
    """Each entry that the configuration calls for, and none that it doesn't."""
    if place.own_plugin is not None and not _has_any(place):
        yield ok("hook entries", f"from the {place.own_plugin.scope}")
        return
    if not choices.load(place.layout).hooks and not _has_any(place):
        said = "left out when it was installed (--no-hooks): the agent is told nothing"
        yield CheckFinding(CheckStatus.WARNING, "hook entries", said, "tidegauge install --hooks", silences=True)
        return
    switches = configuration.switches(place.layout, place.environ)
    entries_wanted = registrations.wanted(switches)
    found = _found(place, entries_wanted)
    for event in dict.fromkeys(entry.event for entry in entries_wanted):
        of_event = [entry for entry in entries_wanted if entry.event == event]
        if not any(entry in found for entry in of_event):
            yield _absence(place, event)
            continue
        for entry in of_event:
            yield _entry(entry, *found[entry]) if entry in found else _missing(entry)
    yield from _needless(place, entries_wanted)


def _has_any(place: Surroundings) -> bool:
    """Whether a settings file has hooks of ours."""
    return any(hooks.find(file.usable_text, place.layout) for file in place.settings)


def _found(
    place: Surroundings, wanted: tuple[Registration, ...]
) -> dict[Registration, tuple[SettingsFile, hooks.Handler]]:
    """Where each entry stands: in the file of the highest precedence that has it for all that it is for."""
    found: dict[Registration, tuple[SettingsFile, hooks.Handler]] = {}
    for file in place.settings:
        for entry, handler in hooks.serving(hooks.find(file.usable_text, place.layout), wanted).items():
            if entry not in found or not _is_complete(entry, found[entry][1]):
                found[entry] = (file, handler)
    return found


def _is_complete(entry: Registration, handler: hooks.Handler) -> bool:
    return handler.matcher in ("*", entry.matcher)


def _entry(entry: Registration, file: SettingsFile, handler: hooks.Handler) -> CheckFinding:
    subject = f"{entry.event} entry"
    if not _is_complete(entry, handler):
        said = f"its matcher {handler.matcher!r} leaves tools out: {file.path}"
        return warning(subject, said, f'let the matcher be "{entry.matcher}"')
    return ok(subject, f"ours, in {file.path}" + (f", for {entry.matcher}" if entry.matcher != "*" else ""))


def _missing(entry: Registration) -> CheckFinding:
    """One of several entries of its event is not there."""
    tools = "every tool" if entry.matcher == "*" else entry.matcher
    said = f"no settings file has our {entry.event} entry for {tools} (hooks.{' or hooks.'.join(entry.parts)} is on)"
    return wrong(
        f"{entry.event} entry", said, _INSTALL, silences=entry.event == client.POST_TOOL_USE and not entry.argument
    )


def _needless(place: Surroundings, wanted: tuple[Registration, ...]) -> Iterator[CheckFinding]:
    """Entries of parts that have been switched off: they start a process that says nothing."""
    for file in place.settings:
        found = hooks.find(file.usable_text, place.layout)
        serving = hooks.serving(found, registrations.REGISTRATIONS)
        for entry, handler in serving.items():
            if entry not in wanted:
                said = (
                    f"{file.path} starts us for {handler.matcher}, but hooks.{' and hooks.'.join(entry.parts)} is off"
                )
                yield warning(f"{entry.event} entry", said, _INSTALL)


def permission(place: Surroundings) -> Iterator[CheckFinding]:
    """Settings that switch all hooks off, and the status line with them."""
    subject, problems = "hooks allowed", []
    disabled = place.setting("disableAllHooks")
    if disabled and disabled[0] is True:
        said = f"disableAllHooks is true in {disabled[1].path}: no hook runs, and no status line"
        problems.append(wrong(subject, said, "set it to false, or remove it", silences=True))
    for file in place.settings:
        if file.scope == "managed" and _is_reserved(file):
            said = f"{file.path} allows managed hooks only"
            problems.append(wrong(subject, said, "ask whoever manages this machine's settings", silences=True))
    if place.environ.get(client.SIMPLE_VARIABLE):
        said = f"{client.SIMPLE_VARIABLE} is set: a client that is started with it runs no hooks"
        problems.append(warning(subject, said, f"unset {client.SIMPLE_VARIABLE}"))
    yield from problems or [ok(subject, "no settings file switches them off")]


def _is_reserved(file: SettingsFile) -> bool:
    kept = file.values.get("strictPluginOnlyCustomization")
    return file.values.get("allowManagedHooksOnly") is True or (isinstance(kept, list) and "hooks" in kept)


def _absence(place: Surroundings, event: str) -> CheckFinding:
    subject = f"{event} entry"
    silences = event == client.POST_TOOL_USE  # without the other one the agent is told late, not never
    for file in place.settings:
        for found in hooks.handlers(file.usable_text):
            if found.event.name == event and entries.is_hook_of_any_root(found.command):
                said = f"{file.path} runs another installation's monitor: {found.command}"
                return wrong(subject, said, _INSTALL, silences=silences)
    projects = [path for path in record.load(place.layout) if path != place.layout.settings and os.path.exists(path)]
    if projects:
        said = f"not for {place.directory}: Tidegauge is installed for {' and '.join(projects)}"
        return CheckFinding(
            CheckStatus.WARNING, subject, said, "run doctor there, or install it for all projects", silences
        )
    return wrong(subject, f"no settings file has our {event} entry", _INSTALL, silences=silences)


def launchers(place: Surroundings) -> Iterator[CheckFinding]:
    """The files that the entries name."""
    packaged = {} if place.layout.windows else _PACKAGED
    paths = [os.path.join(place.layout.launchers, name) for name in ("monitor.py", "statusline.py", *packaged)]
    missing = [path for path in paths if not os.path.isfile(path)]
    run = [path for path in paths[2:] if not path.endswith(".sh")]  # those are read by the others
    blocked = [path for path in run if path not in missing and not os.access(path, os.X_OK)]
    outdated = [
        path for path in paths[2:] if path not in missing and _read(path) != _read(packaged[os.path.basename(path)])
    ]
    if missing:
        yield wrong("launchers", f"there is no {' and no '.join(missing)}", _INSTALL, silences=True)
    elif outdated and not blocked:
        yield warning("launchers", f"{outdated[0]} is of another version than this program", _INSTALL)
    elif blocked:
        found = wrong("launchers", f"{blocked[0]} may not be executed", f'chmod +x "{blocked[0]}"', silences=True)
        yield fixable(found, Fix.EXECUTABLE, blocked[0])
    else:
        yield ok("launchers", f"in {place.layout.launchers}")


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()

"""Our entries in the client's settings: are they there, and may they act."""

import os
from collections.abc import Iterator

import monitor
from installer import document, entries, hooks, record, status_line
from monitor.commands.diagnosis.client_settings import SettingsFile
from monitor.commands.diagnosis.finding import Finding, Status, ok, warning, wrong
from monitor.commands.diagnosis.surroundings import Surroundings

_INSTALL = "run install.py again: python3 install.py"
_TOOL_USES = ("PostToolUse", "PostToolUseFailure")
_PACKAGED = os.path.join(os.path.dirname(os.path.abspath(monitor.__file__)), "launcher.sh")
_EVERY_TOOL = ("", "*")


def client_directory(place: Surroundings) -> Iterator[Finding]:
    """A client started from here reads the settings of the directory that its environment names."""
    home = place.environ.get("HOME") or os.path.expanduser("~")
    named = place.environ.get("CLAUDE_CONFIG_DIR") or os.path.join(home, ".claude")
    if os.path.realpath(named) != os.path.realpath(place.client_directory):
        said = f"a client started from here uses {named}, and this Tidegauge belongs to {place.client_directory}"
        yield warning(
            "client directory", said, f'set CLAUDE_CONFIG_DIR to "{place.client_directory}", or install there'
        )


def readable(place: Surroundings) -> Iterator[Finding]:
    """The client ignores a file that is not strict JSON, hooks and all."""
    for file in place.settings:
        subject = f"{file.scope} settings"
        if file.problem:
            yield wrong(subject, f"{file.path}: {file.problem}", "mend the file: the client ignores all of it")
        else:
            yield ok(subject, f"{file.path} is readable")
    if not any(file.scope == "user" for file in place.settings):
        said = f"there is no {place.layout.personal_settings}"
        yield warning("user settings", said, _INSTALL)


def status_line_entry(place: Surroundings) -> Iterator[Finding]:
    """Of several statusLine values only the one of the highest precedence is run."""
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
        yield warning(
            subject,
            f"another program's, or another installation's, stands in {winner.path}",
            _INSTALL + " (it wraps the other one)",
        )
    else:
        hidden = f"{winner.path} sets another one, which the client runs here instead"
        yield warning(subject, hidden, f"remove statusLine there to see ours in {place.directory}")


def hook_entries(place: Surroundings) -> Iterator[Finding]:
    """Each event that the installer registers: a failing tool fires only PostToolUseFailure."""
    for event in entries.EVENTS:
        subject = f"{event} entry"
        found = [(file, handler) for file in place.settings for handler in _ours(file, place, event)]
        if not found:
            yield _absence(place, event)
            continue
        matchers = [_matcher(file, handler) for file, handler in found]
        if event not in _TOOL_USES or any(matcher in _EVERY_TOOL for matcher in matchers):
            yield ok(subject, f"ours, in {found[0][0].path}")
        else:
            said = f"its matcher {matchers[0]!r} leaves tools out: {found[0][0].path}"
            yield warning(subject, said, 'let the matcher be "*"')


def permission(place: Surroundings) -> Iterator[Finding]:
    """Settings that switch all hooks off, and the status line with them."""
    subject, problems = "hooks allowed", []
    disabled = place.setting("disableAllHooks")
    if disabled and disabled[0] is True:
        said = f"disableAllHooks is true in {disabled[1].path}: no hook runs, and no status line"
        problems.append(wrong(subject, said, "set it to false, or take it out", silences=True))
    for file in place.settings:
        if file.scope == "managed" and _is_reserved(file):
            said = f"{file.path} allows managed hooks only"
            problems.append(wrong(subject, said, "ask whoever manages this machine's settings", silences=True))
    if place.environ.get("CLAUDE_CODE_SIMPLE"):
        said = "CLAUDE_CODE_SIMPLE is set: a client that is started with it runs no hooks"
        problems.append(warning(subject, said, "unset CLAUDE_CODE_SIMPLE"))
    yield from problems or [ok(subject, "no settings file switches them off")]


def _is_reserved(file: SettingsFile) -> bool:
    kept = file.values.get("strictPluginOnlyCustomization")
    return file.values.get("allowManagedHooksOnly") is True or (isinstance(kept, list) and "hooks" in kept)


def _absence(place: Surroundings, event: str) -> Finding:
    subject = f"{event} entry"
    silences = event == "PostToolUse"  # without the other one the agent is told late, not never
    for file in place.settings:
        for found in hooks.handlers(file.usable_text):
            if found.event.name == event and entries.is_hook_of_any_root(found.command):
                said = f"{file.path} runs another installation's monitor: {found.command}"
                return wrong(subject, said, _INSTALL, silences=silences)
    projects = [path for path in record.load(place.layout) if path != place.layout.settings and os.path.exists(path)]
    if projects:
        said = f"not for {place.directory}: Tidegauge is installed for {' and '.join(projects)}"
        return Finding(Status.WARNING, subject, said, "look from there, or install it for all", silences)
    return wrong(subject, f"no settings file has our {event} entry", _INSTALL, silences=silences)


def _ours(file: SettingsFile, place: Surroundings, event: str) -> list[hooks.Handler]:
    return [found for found in hooks.find(file.usable_text, place.layout) if found.event.name == event]


def _matcher(file: SettingsFile, handler: hooks.Handler) -> str:
    part = handler.group.node.find("matcher")
    return document.string(file.text, part.node) or "" if part else ""


def launchers(place: Surroundings) -> Iterator[Finding]:
    """The files that the entries name."""
    names = ["monitor.py", "statusline.py"] + ([] if place.layout.windows else ["monitor"])
    paths = [os.path.join(place.layout.launchers, name) for name in names]
    missing = [path for path in paths if not os.path.isfile(path)]
    blocked = [path for path in paths[2:] if path not in missing and not os.access(path, os.X_OK)]
    if missing:
        yield wrong("launchers", f"there is no {' and no '.join(missing)}", _INSTALL, silences=True)
    elif len(paths) > 2 and not blocked and _read(paths[2]) != _read(_PACKAGED):
        yield warning("launchers", f"{paths[2]} is of another version than this program", _INSTALL)
    elif blocked:
        yield wrong("launchers", f"{blocked[0]} may not be executed", f'chmod +x "{blocked[0]}"', silences=True)
    else:
        yield ok("launchers", f"in {place.layout.launchers}")


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()

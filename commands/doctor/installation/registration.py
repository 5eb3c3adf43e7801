"""Our entries in the client's settings: whether they are there, and may act."""

import filecmp
import os
from collections.abc import Iterator

from commands.doctor.finding import REPAIR, CheckFinding, ok, warning, wrong
from commands.environment.client_settings import UNREAD, SettingsFile
from commands.environment.environment import Environment
from installer import choices, configuration
from installer.program import source
from installer.program.launchers import ENTRIES, PACKAGED
from installer.settings import hooks, record, status_line
from shared import registrations
from shared.client import client
from shared.registrations import Registration

_PACKAGED = {name: os.path.join(source.RUNNING, *path.split("/")) for name, path in PACKAGED.items()}


def client_directory(environment: Environment) -> Iterator[CheckFinding]:
    """Whether a client started from here, which uses the directory in its environment, uses this Tidegauge's."""
    usual = os.path.join(environment.home, client.DIRECTORY)
    directory = environment.environ.get(client.CONFIG_DIRECTORY_VARIABLE) or usual
    if os.path.realpath(directory) != os.path.realpath(environment.client_directory):
        own = environment.client_directory
        text = f"a client started from here uses {directory}, and this Tidegauge belongs to {own}"
        remedy = f'set {client.CONFIG_DIRECTORY_VARIABLE} to "{environment.client_directory}", or install there'
        yield warning("client directory", text, remedy)


def readable(environment: Environment) -> Iterator[CheckFinding]:
    """Whether each settings file is strict JSON: the client ignores any other, including its hooks."""
    for file in environment.settings:
        subject = f"{file.scope} settings"
        if file.problem:
            is_unread = file.problem.endswith(UNREAD)
            remedy = "make it smaller" if is_unread else "correct the file: the client ignores all of it"
            yield wrong(subject, f"{file.path}: {file.problem}", remedy)
        else:
            yield ok(subject, f"{file.path} is readable")
    if not any(file.scope == "user" for file in environment.settings) and not record.projects(environment.layout):
        yield warning("user settings", f"there is no {environment.layout.personal_settings}", REPAIR)


def status_line_entry(environment: Environment) -> Iterator[CheckFinding]:
    """The status line's entry: of several, the client runs only the one with the highest precedence."""
    subject = "statusLine entry"
    winner = next((file for file in environment.settings if file.values.get("statusLine") is not None), None)
    if _is_unreadable(environment):
        return
    if winner is None and record.projects(environment.layout):
        yield ok(subject, "none: the installation is for projects, without it")
    elif winner is None and not choices.load(environment.layout).status_line:
        yield ok(subject, "left out when it was installed; tidegauge install --statusline adds it")
    elif winner is None:
        reading = "without it nothing is drawn, and the monitor reads the transcript alone"
        yield warning(subject, f"no settings file has one: {reading}", REPAIR)
    elif status_line.command(winner.text, environment.layout) is not None:
        yield ok(subject, f"ours, in {winner.path}")
    elif winner.scope == "user":
        text = f"{winner.path} has another program's, or another installation's"
        # The person may have put it there on purpose: theirs to decide, not for --fix.
        yield warning(subject, text, "to have ours wrap it, run: tidegauge repair")
    else:
        hidden = f"{winner.path} sets another one, which the client runs here instead"
        yield warning(subject, hidden, f"remove statusLine there to see ours in {environment.directory}")


def hook_entries(environment: Environment) -> Iterator[CheckFinding]:
    """Whether each hook entry that the configuration calls for is there."""
    if not any(hooks.find(file.text, environment.layout) for file in environment.settings):
        subject, plugin, projects = "hook entries", environment.own_plugin, record.projects(environment.layout)
        if plugin is not None:
            yield ok(subject, f"from the {plugin.scope}")
            return
        if not choices.load(environment.layout).hooks:
            text = "left out when it was installed (--no-hooks): the agent is told nothing"
            yield warning(subject, text, "tidegauge install --hooks", silences=True)
            return
        if projects and not _is_unreadable(environment):
            text = f"not for {environment.directory}: Tidegauge is installed for {' and '.join(projects)}"
            yield warning(subject, text, "run doctor there, or install it for all projects", silences=True)
            return
    if _is_unreadable(environment):
        return
    expected = registrations.enabled(configuration.switches(environment.layout, environment.environ))
    result = _entry_findings(environment, expected)
    for entry in expected:
        yield _entry(entry, *result[entry]) if entry in result else _missing(entry)


def _is_unreadable(environment: Environment) -> bool:
    """Whether the person's settings can't be read: `readable` reports that, and missing entries can't be judged."""
    return any(file.scope == "user" and file.problem for file in environment.settings)


def _entry_findings(
    environment: Environment, expected: tuple[Registration, ...]
) -> dict[Registration, tuple[SettingsFile, hooks.Handler]]:
    """Find each entry's file and handler: by precedence the first whose matcher is complete, else an incomplete one."""
    handlers: dict[Registration, tuple[SettingsFile, hooks.Handler]] = {}
    for file in environment.settings:
        for entry, handler in hooks.serving(hooks.find(file.text, environment.layout), expected).items():
            if entry not in handlers or not _is_complete(entry, handlers[entry][1]):
                handlers[entry] = (file, handler)
    return handlers


def _is_complete(entry: Registration, handler: hooks.Handler) -> bool:
    return handler.matcher in ("*", entry.matcher)


def _entry(entry: Registration, file: SettingsFile, handler: hooks.Handler) -> CheckFinding:
    subject = f"{entry.event} entry"
    if not _is_complete(entry, handler):
        text = f"its matcher {handler.matcher!r} leaves tools out: {file.path}"
        return warning(subject, text, f'let the matcher be "{entry.matcher}"')
    return ok(subject, f"ours, in {file.path}" + (f", for {entry.matcher}" if entry.matcher != "*" else ""))


def _missing(entry: Registration) -> CheckFinding:
    tools = ""
    if entry.event in (client.PRE_TOOL_USE, *client.TOOL_USES):
        tools = f" for {'every tool' if entry.matcher == '*' else entry.matcher}"
    text = f"no settings file has our {entry.event} entry{tools} (hooks.{' or hooks.'.join(entry.parts)} is on)"
    # Without the entry for failed tools, messages come late, but they come.
    silences = entry.event == client.POST_TOOL_USE and not entry.argument
    return wrong(f"{entry.event} entry", text, REPAIR, silences=silences)


def permission(environment: Environment) -> Iterator[CheckFinding]:
    """Settings that switch all hooks off, and the status line with them."""
    subject, problems = "hooks allowed", []
    disabled = environment.setting("disableAllHooks")
    if disabled and disabled[0] is True:
        text = f"disableAllHooks is true in {disabled[1].path}: no hook runs, and no status line"
        problems.append(wrong(subject, text, "set it to false, or remove it", silences=True))
    for file in environment.settings:
        strict = file.values.get("strictPluginOnlyCustomization")
        is_strict = isinstance(strict, list) and "hooks" in strict
        if file.scope == "managed" and (file.values.get("allowManagedHooksOnly") is True or is_strict):
            text = f"{file.path} allows managed hooks only"
            problems.append(wrong(subject, text, "ask whoever manages this machine's settings", silences=True))
    if environment.environ.get(client.SIMPLE_VARIABLE):
        text = f"{client.SIMPLE_VARIABLE} is set: a client that is started with it runs no hooks"
        problems.append(warning(subject, text, f"unset {client.SIMPLE_VARIABLE}"))
    yield from problems or [ok(subject, "no settings file switches them off")]


def launchers(environment: Environment) -> Iterator[CheckFinding]:
    directory, packaged = environment.layout.launchers, {} if environment.layout.windows else _PACKAGED
    paths = {name: os.path.join(directory, name) for name in (*ENTRIES, *packaged)}
    if missing := [path for path in paths.values() if not os.path.isfile(path)]:
        yield wrong("launchers", f"there is no {' and no '.join(missing)}", REPAIR, silences=True)
        return
    run = [paths[name] for name in packaged if not name.endswith(".sh")]  # those are read by the others
    blocked = [path for path in run if not os.access(path, os.X_OK)]
    outdated = [paths[name] for name, own in packaged.items() if not filecmp.cmp(paths[name], own, shallow=False)]
    if blocked:
        yield wrong("launchers", f"{blocked[0]} may not be executed", REPAIR, silences=True)
    elif outdated:
        yield warning("launchers", f"{outdated[0]} is of another version than this program", REPAIR)
    else:
        yield ok("launchers", f"in {directory}")

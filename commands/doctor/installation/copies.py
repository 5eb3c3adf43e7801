"""Other copies and programs that tell the agent about its context window."""

from collections.abc import Iterator

from commands.doctor.finding import CheckFinding, ok, warning, wrong
from commands.environment.client_settings import SettingsFile
from commands.environment.environment import Environment
from installer.settings import entries, hooks
from installer.settings.hooks import Handler
from installer.settings.offers.other_monitors import is_other_monitor
from shared.registrations import MESSAGE_EVENTS, REGISTRATIONS

# GSD 1.42.3 (gsd-statusline.js) leaves the client's reserve out, 16.5 % of the window unless a variable sets it.
_SCALE = ", in percent of its first 83.5%: 79% here is 95% there"


def second_copy(environment: Environment) -> Iterator[CheckFinding]:
    """Whether our hooks run twice: the client runs a repeated command once, but each spelling of it."""
    ours: dict[tuple[str, str], dict[str, SettingsFile]] = {}
    layout = environment.layout
    for file, handler in _handlers(environment):
        command = handler.command
        if entries.is_hook(command, layout) or entries.is_hook_of_any_root(command):
            ours.setdefault((handler.event, entries.argument(command)), {})[command] = file
    for event, argument in dict.fromkeys((entry.event, entry.argument) for entry in REGISTRATIONS):
        commands = ours.get((event, argument), {})
        if len(commands) > 1:
            where = "; ".join(f"{command} in {file.path}" for command, file in commands.items())
            text = f"{event} runs {len(commands)} monitors of ours, and each tells the agent: {where}"
            yield wrong("second copy", text, "remove all but one: tidegauge uninstall, where it came from")
            return
    plugin = environment.own_plugin
    settings = [file for file in environment.settings if hooks.find(file.text, environment.layout)]
    if plugin is not None and settings:
        text = f"the hooks are in {settings[0].path} and in the {plugin.scope}, whose own stay silent"
        yield warning("second copy", text, "keep one: tidegauge install --no-hooks, or switch the plugin off")
        return
    yield ok("second copy", "none in the settings files and plugins")


def other_monitors(environment: Environment) -> Iterator[CheckFinding]:
    """Other programs with the same purpose, which may tell the agent different numbers."""
    commands, layout = set(), environment.layout
    for file, handler in _handlers(environment):
        command, event = handler.command, handler.event
        if event in MESSAGE_EVENTS and command not in commands and is_other_monitor(command, layout):
            commands.add(command)
            scale = _SCALE if "gsd" in command else ""
            text = f"{command} ({event}, {file.path}) also watches the context window{scale}"
            remedy = "keep one of the two, so that the agent gets one number"
            if file.path == layout.settings:  # the only file in which the installer switches one off
                remedy += ": tidegauge install --other-monitors off"
            yield warning("other monitors", text, remedy)


def _handlers(environment: Environment) -> Iterator[tuple[SettingsFile, Handler]]:
    for file in (*environment.settings, *environment.plugins):
        yield from ((file, handler) for handler in hooks.handlers(file.text))

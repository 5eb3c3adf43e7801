"""Whatever else tells the agent about its context window."""

from collections.abc import Iterator

from installer import entries, hooks
from installer.hooks import Handler
from installer.other_monitors import is_other_monitor
from monitor.commands.diagnosis.client_settings import SettingsFile
from monitor.commands.diagnosis.finding import CheckFinding, ok, warning, wrong
from monitor.commands.diagnosis.surroundings import Surroundings
from monitor.registrations import REGISTRATIONS, TOLD_AT


def second_copy(place: Surroundings) -> Iterator[CheckFinding]:
    """The client runs one command once, however often it is named; two spellings of it are two."""
    for event, argument in dict.fromkeys((entry.event, entry.argument) for entry in REGISTRATIONS):
        ours = [(file, found) for file, found in _handlers(place, event) if _is_ours(found, place)]
        commands = {found.command: file for file, found in ours if entries.argument(found.command) == argument}
        if len(commands) > 1:
            where = "; ".join(f"{command} in {file.path}" for command, file in commands.items())
            said = f"{event} runs {len(commands)} monitors of ours, and each tells the agent: {where}"
            yield wrong("second copy", said, "remove all but one: tidegauge uninstall, where it came from")
            return
    plugin = place.own_plugin
    settings = [file for file in place.settings if hooks.find(file.usable_text, place.layout)]
    if plugin is not None and settings:
        said = f"the hooks are in {settings[0].path} and in the {plugin.scope}, whose own stay silent"
        remedy = "keep one: tidegauge install --no-hooks, or switch the plugin off"
        yield warning("second copy", said, remedy)
        return
    yield ok("second copy", "none in the settings files and plugins")


def other_monitors(place: Surroundings) -> Iterator[CheckFinding]:
    """Other programs with the same purpose: two voices, perhaps with different numbers."""
    seen = set()
    for event in TOLD_AT:
        for file, found in _handlers(place, event):
            if found.command not in seen and is_other_monitor(found.command, place.layout):
                seen.add(found.command)
                said = f"{found.command} ({event}, {file.path}) also watches the context window"
                yield warning("other monitors", said, "keep one of the two, so that the agent gets one number")


def _handlers(place: Surroundings, event: str) -> Iterator[tuple[SettingsFile, Handler]]:
    for file in (*place.settings, *place.plugins):
        yield from ((file, found) for found in hooks.handlers(file.usable_text) if found.event.name == event)


def _is_ours(found: Handler, place: Surroundings) -> bool:
    return entries.is_hook(found.command, place.layout) or entries.is_hook_of_any_root(found.command)

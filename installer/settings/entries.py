"""The entries that we write into settings.json, and how we recognise them."""

import functools
import os
import re
import shlex
from collections.abc import Iterable
from typing import Any

from installer.layout import NAME, Layout
from shared.client.client import DIRECTORY
from shared.registrations import REGISTRATIONS, Registration

# Between double quotes these mean something to sh, to Git Bash, or to both.
_PLAIN = re.compile(r"[\w.:/~-]+")
_UNSAFE = re.compile(r'[$`"\\!\n]')
_EVENT = "monitor-event"  # the launcher of every hook that has none of its own
_LAUNCHERS = {_EVENT: "", **{entry.launcher: entry.argument for entry in REGISTRATIONS if entry.launcher}}
_ARGUMENTS = {entry.argument for entry in REGISTRATIONS}
# On Windows an entry names the interpreter and the script.
_MONITOR = re.compile(
    rf"[/\\]tidegauge[/\\]bin[/\\](?:(?:monitor\.py|{_EVENT})[\"']*(?:\s+(?P<argument>\w+))?"
    rf"|(?P<launcher>{'|'.join(map(re.escape, _LAUNCHERS))}))(?![\w.-])"
)
_LONGEST = 8_000
"""Characters of a command that may be ours, with two paths in it."""
_STATUS_LINE = re.compile(r"[/\\]tidegauge[/\\]bin[/\\]statusline(\.py)?(?![\w.-])")
# In a project's committed settings, where each person's installation is their own.
_SHELL_CLIENT_DIRECTORY = "${CLAUDE_CONFIG_DIR:-$HOME/.claude}"


def status_line_command(layout: Layout) -> str:
    """The status line's command: it runs the launcher, which says what is missing, or says that the launcher is."""
    if layout.windows:
        return _python(layout, "statusline.py")
    launcher = _launcher(layout, "statusline")
    notice = shlex.quote(f"Tidegauge is no longer in {layout.root}: install it again")
    otherwise = "true" if layout.team else f"echo {notice}"
    return f"if [ -x {launcher} ]; then exec {launcher}; else {otherwise}; fi"


def status_line(layout: Layout) -> dict[str, Any]:
    return {"type": "command", "command": status_line_command(layout)}


def hook_command(registration: Registration, layout: Layout) -> str:
    """A hook's command: it runs a launcher, or nothing if that is gone; the interpreter where sh may be missing."""
    if layout.windows and not layout.team:
        return " ".join([_python(layout, "monitor.py"), registration.argument]).rstrip()
    launcher = _launcher(layout, registration.launcher or _EVENT)
    argument = "" if registration.launcher else registration.argument
    return f"[ ! -x {launcher} ] || {launcher} {argument}".rstrip()


def group(registration: Registration, layout: Layout) -> dict[str, Any]:
    command = hook_command(registration, layout)
    handler: dict[str, Any] = {"type": "command", "command": command, "timeout": registration.timeout}
    return {"matcher": registration.matcher, "hooks": [handler]}


def quoted(path: str, layout: Layout) -> str:
    if layout.windows:
        # Git Bash drops unquoted backslashes; every program on Windows takes forward slashes.
        path = path.replace("\\", "/")
        if _PLAIN.fullmatch(path):
            return path
        if layout.powershell:
            return f"'{path.replace(chr(39), 2 * chr(39))}'"
    return shlex.quote(path) if _UNSAFE.search(path) else f'"{path}"'


def is_status_line(command: str, layout: Layout) -> bool:
    return _names(command, ("statusline", "statusline.py"), layout)


@functools.cache  # several questions are asked of the same settings, which a repository may fill
def is_hook(command: str, layout: Layout) -> bool:
    return _names(command, (*_LAUNCHERS, "monitor.py"), layout)


def is_hook_of_any_root(command: str) -> bool:
    """Whether this runs a monitor of ours, of whatever installation."""
    return _MONITOR.search(command) is not None


def is_status_line_of_any_root(command: str) -> bool:
    return _STATUS_LINE.search(command) is not None


def script(command: str) -> str | None:
    """The file of ours, of any root, that a command runs if it is as we write it; None for any other command."""
    try:
        words = _words(command)
    except ValueError:
        return None
    if words[:1] == ["&"]:
        words = words[1:]
    if words[1:3] == ["-I", "-S"]:
        words = words[3:]
    elif words[:3] == ["[", "!", "-x"] and words[4:6] == ["]", "||"]:
        words = words[6:]
    elif words[:3] == ["if", "[", "-x"] and words[4:7] == ["];", "then", "exec"]:
        words = [words[7].removesuffix(";")]
    # A command that a person has put something around is theirs to judge.
    if not 1 <= len(words) <= 2 or not all(word in _ARGUMENTS for word in words[1:]):
        return None
    first = words[0]
    return first if is_hook_of_any_root(first) or is_status_line_of_any_root(first) else None


def is_as_written(command: str, layout: Layout) -> bool:
    """Whether a command is one that we write, for this person or for a team, with nothing around it."""
    layouts = layout._replace(team=False), layout._replace(team=True)
    lines = {status_line_command(one) for one in layouts}
    return command in lines | {hook_command(entry, one) for entry in REGISTRATIONS for one in layouts}


@functools.lru_cache(1 << 14)  # a settings file may name one thousands of times
def argument(command: str) -> str:
    """The argument by which a command of ours, and its registration, name one of an event's hooks."""
    matches = list(_MONITOR.finditer(command))
    if not matches:
        return ""
    match = matches[-1]  # the one before is only tested for
    value = match["argument"] or _LAUNCHERS.get(match["launcher"], "")
    return value if value in _ARGUMENTS else ""


def _launcher(layout: Layout, name: str) -> str:
    if layout.team:
        return f'"{_SHELL_CLIENT_DIRECTORY}/tidegauge/bin/{name}"'
    return quoted(os.path.join(layout.launchers, name), layout)


def _python(layout: Layout, script: str) -> str:
    words = f"{quoted(layout.python, layout)} -I -S {quoted(os.path.join(layout.launchers, script), layout)}"
    # PowerShell takes a quoted word at the beginning for text, and runs nothing.
    return f"& {words}" if words.startswith("'") and layout.powershell else words


def _names(command: str, launchers: Iterable[str], layout: Layout) -> bool:
    """Whether a command names one of our launchers as a word of its own."""
    if NAME not in command.lower():  # as most don't
        return False
    paths = [os.path.join(layout.launchers, name) for name in launchers]
    client = os.path.dirname(layout.root)
    command = command.replace(_SHELL_CLIENT_DIRECTORY, client)
    if os.path.basename(client) == DIRECTORY:  # a person may have shortened what we wrote
        home = os.path.dirname(client)
        command = re.sub(r"(?<![^\s\"'=])(~|\$HOME|\$\{HOME\})(?=/)", lambda _: home, command)
    if layout.windows:
        command, *paths = [text.replace("\\", "/").replace("''", "'").lower() for text in (command, *paths)]
    names = "|".join(map(re.escape, paths))
    if re.search(rf"(?<![^\s\"'=;&|(])(?:{names})(?![^\s\"';&|)])", command):
        return True
    try:
        return not set(_words(command)).isdisjoint(paths)
    except ValueError:  # an open quote: not a command that we wrote
        return False


def _words(command: str) -> list[str]:
    """The words of a command; none if it is long: `shlex` takes quadratic time. Raises ValueError for an open quote."""
    return shlex.split(command) if len(command) <= _LONGEST else []

"""What we write into settings.json, and how we know it again."""

import os
import re
import shlex

from installer.edit import Value
from installer.layout import Layout
from monitor.registrations import REGISTRATIONS, Registration

# Between double quotes these mean something to sh, to Git Bash, or to both.
_UNSAFE = re.compile(r'[$`"\\!\n]')
_LAUNCHERS = {entry.launcher: entry.argument for entry in REGISTRATIONS if entry.launcher}
_ARGUMENTS = {entry.argument for entry in REGISTRATIONS}
_MONITOR = re.compile(
    rf"[/\\]tidegauge[/\\]bin[/\\](?:(?P<launcher>{'|'.join(map(re.escape, _LAUNCHERS))})"
    r"|monitor\.py[\"']*(?:\s+(?P<argument>\w+))?)(?![\w.-])"
)

_STATUS_LINE = re.compile(r"[/\\]tidegauge[/\\]bin[/\\]statusline\.py(?![\w.-])")


def status_line_command(layout: Layout) -> str:
    return _python(layout, "statusline.py")


def status_line(layout: Layout) -> dict[str, Value]:
    return {"type": "command", "command": status_line_command(layout)}


def hook_command(registration: Registration, layout: Layout) -> str:
    """Return the launcher that often need not start Python; where there is none or may be no sh, the interpreter."""
    if registration.launcher and not layout.windows:
        return quoted(os.path.join(layout.launchers, registration.launcher), layout)
    return " ".join([_python(layout, "monitor.py"), registration.argument]).rstrip()


def handler(registration: Registration, layout: Layout) -> dict[str, Value]:
    return {"type": "command", "command": hook_command(registration, layout), "timeout": registration.timeout}


def group(registration: Registration, layout: Layout) -> dict[str, Value]:
    return {"matcher": registration.matcher, "hooks": [handler(registration, layout)]}


def quoted(path: str, layout: Layout) -> str:
    if layout.windows:
        # Git Bash drops unquoted backslashes; every program on Windows takes forward slashes.
        path = path.replace("\\", "/")
    return shlex.quote(path) if _UNSAFE.search(path) else f'"{path}"'


def is_status_line(command: str, layout: Layout) -> bool:
    return _names(command, os.path.join(layout.launchers, "statusline.py"), layout)


def is_hook(command: str, layout: Layout) -> bool:
    names = (*_LAUNCHERS, "monitor.py")
    return any(_names(command, os.path.join(layout.launchers, name), layout) for name in names)


def is_hook_of_any_root(command: str) -> bool:
    """Tell whether this runs a monitor of ours, of whatever installation."""
    return _MONITOR.search(command) is not None


def is_status_line_of_any_root(command: str) -> bool:
    return _STATUS_LINE.search(command) is not None


def script(command: str) -> str | None:
    """Return the file of ours, of any root, that a command runs which is as we write it; None for another one."""
    try:
        words = shlex.split(command)
    except ValueError:
        return None
    if words[1:3] == ["-I", "-S"]:
        words = words[3:]
    # One that a person has put something around is theirs to judge.
    if not 1 <= len(words) <= 2 or not all(word in _ARGUMENTS for word in words[1:]):
        return None
    found = words[0]
    return found if is_hook_of_any_root(found) or is_status_line_of_any_root(found) else None


def argument(command: str) -> str:
    """Return which of an event's hooks a command of ours runs, by the argument that a registration has."""
    found = _MONITOR.search(command)
    if found is None:
        return ""
    given = found["argument"] or _LAUNCHERS.get(found["launcher"], "")
    return given if given in _ARGUMENTS else ""


def _python(layout: Layout, script: str) -> str:
    return f"{quoted(layout.python, layout)} -I -S {quoted(os.path.join(layout.launchers, script), layout)}"


def _names(command: str, path: str, layout: Layout) -> bool:
    client = os.path.dirname(layout.root)
    if os.path.basename(client) == ".claude":  # a person may have shortened what we wrote
        home = os.path.dirname(client)
        command = re.sub(r"(?<![^\s\"'=])(~|\$HOME|\$\{HOME\})(?=/)", lambda _: home, command)
    if layout.windows:
        command, path = command.replace("\\", "/").lower(), path.replace("\\", "/").lower()
    try:
        words = shlex.split(command)
    except ValueError:  # an open quote: not a command that we wrote
        words = []
    if path in words:
        return True
    return re.search(rf"(?<![^\s\"'=;&|(]){re.escape(path)}(?![^\s\"';&|)])", command) is not None

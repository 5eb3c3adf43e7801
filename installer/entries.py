"""What we write into settings.json, and how we know it again."""

import os
import re
import shlex

from installer.edit import Value
from installer.layout import Layout

# A failing command fires only the second one.
EVENTS = ("PostToolUse", "PostToolUseFailure")
# Seconds; the client's own default is 600, in which a stuck hook would hold up the session.
TIMEOUT = 10
# Between double quotes these mean something to sh, to Git Bash, or to both.
_UNSAFE = re.compile(r'[$`"\\!\n]')


def status_line_command(layout: Layout) -> str:
    script = os.path.join(layout.launchers, "statusline.py")
    return f"{quoted(layout.python, layout)} -I -S {quoted(script, layout)}"


def hook_command(layout: Layout) -> str:
    """Return the launcher that often need not start Python; where there may be no sh, the interpreter."""
    if layout.windows:
        script = os.path.join(layout.launchers, "monitor.py")
        return f"{quoted(layout.python, layout)} -I -S {quoted(script, layout)}"
    return quoted(os.path.join(layout.launchers, "monitor"), layout)


def status_line(layout: Layout) -> dict[str, Value]:
    return {"type": "command", "command": status_line_command(layout)}


def handler(layout: Layout) -> dict[str, Value]:
    return {"type": "command", "command": hook_command(layout), "timeout": TIMEOUT}


def group(layout: Layout) -> dict[str, Value]:
    return {"matcher": "*", "hooks": [handler(layout)]}


def quoted(path: str, layout: Layout) -> str:
    if layout.windows:
        # Git Bash drops unquoted backslashes; every program on Windows takes forward slashes.
        path = path.replace("\\", "/")
    return shlex.quote(path) if _UNSAFE.search(path) else f'"{path}"'


def is_status_line(command: str, layout: Layout) -> bool:
    return _names(command, os.path.join(layout.launchers, "statusline.py"), layout)


def is_hook(command: str, layout: Layout) -> bool:
    launcher = os.path.join(layout.launchers, "monitor")
    return _names(command, launcher, layout) or _names(command, launcher + ".py", layout)


def is_hook_of_any_root(command: str) -> bool:
    """Tell whether this runs a monitor of ours, of whatever installation."""
    return re.search(r"[/\\]tidegauge[/\\]bin[/\\]monitor(\.py)?(?![\w.-])", command) is not None


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

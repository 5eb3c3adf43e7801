"""The files beside the environment: what settings.json names, the command, and the directories found once."""

import json
import os
import shlex
from typing import NamedTuple

from installer import files
from installer.environment import run
from installer.layout import Layout

_QUESTION = """
import json, sysconfig
from importlib.resources import files
from shared.paths import resolve_directories

directories = resolve_directories()
print(json.dumps({
    "packages": sysconfig.get_path("purelib"),
    "monitor": files("monitor").joinpath("launcher.sh").read_text(encoding="utf-8"),
    "monitor-writes": files("monitor").joinpath("writes.sh").read_text(encoding="utf-8"),
    "config": directories.config,
    "log": directories.log,
    "history": directories.history,
}))
"""

_ENTRY = '''"""Written by install.py: starts {what} without searching for packages."""
import gc
import sys

gc.disable()  # nothing that starts up is garbage yet; looking for it takes a millisecond
sys.path.append({packages!a})
try:
    from shared import bundle

    bundle.use({bundle!a})
    from shared.boundary import run
except ImportError:
    sys.exit(0)  # a half-replaced environment: silence, never an error in the client
run("{module}", {root!a})
'''


class Launcher(NamedTuple):
    path: str
    contents: str
    mode: int = 0o644


def names(layout: Layout) -> list[str]:
    """Return the path of each file that `launchers` gives."""
    command = "tidegauge.cmd" if layout.windows else "tidegauge"
    scripts = ("monitor", "monitor-writes", "monitor.py", "statusline.py", command)
    return [*(os.path.join(layout.launchers, name) for name in scripts), layout.directories]


def ask(layout: Layout) -> dict[str, str]:
    """Return what only the finished environment knows: where its packages and the person's directories are."""
    facts: dict[str, str] = json.loads(run([layout.python, "-I", "-c", _QUESTION]))
    return facts


def launchers(layout: Layout, facts: dict[str, str]) -> list[Launcher]:
    directories = {name: facts[name] for name in ("config", "log", "history")}
    contents = [
        Launcher("", facts["monitor"], 0o755),
        Launcher("", facts["monitor-writes"], 0o755),
        Launcher("", _entry(layout, "the monitor", "monitor.dispatch", facts["packages"])),
        Launcher("", _entry(layout, "the status line", "statusline.line", facts["packages"])),
        Launcher("", command(layout), 0o755),
        Launcher("", json.dumps(directories, indent=2) + "\n"),
    ]
    return [item._replace(path=path) for path, item in zip(names(layout), contents, strict=True)]


def write(items: list[Launcher]) -> None:
    for item in items:
        os.makedirs(os.path.dirname(item.path), exist_ok=True)
        files.write(item.path, item.contents.encode("utf-8", "surrogateescape"), item.mode)


def command(layout: Layout) -> str:
    if layout.windows:
        # %~dp0 is this file's directory: no path is written down that a code page could spoil.
        return '@"%~dp0..\\environment\\Scripts\\python.exe" -I -m monitor %*\r\n'
    return f'#!/bin/sh\nexec {shlex.quote(layout.python)} -I -m monitor "$@"\n'


def _entry(layout: Layout, what: str, module: str, packages: str) -> str:
    return _ENTRY.format(what=what, module=module, packages=packages, bundle=layout.bundle, root=layout.root)

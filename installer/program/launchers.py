"""The files next to the environment: what settings.json names, the command, and the directories looked up once."""

import json
import os
import shlex

from installer import files
from installer.layout import PREVIOUS, Layout
from installer.program.environment import run
from shared.files.files import make_directories

_QUESTION = """
import json, sysconfig
from shared.paths import resolve_directories

directories = resolve_directories()
print(json.dumps({
    "packages": sysconfig.get_path("purelib"),
    "config": directories.config,
    "log": directories.log,
    "history": directories.history,
}))
"""

_ENTRY = '''"""Written by install.py: starts {what} without searching for packages."""
import gc
import sys

gc.disable()  # nothing that starts up is garbage yet; looking for it takes a millisecond
sys.dont_write_bytecode = True  # on a full disk half a file may be left, with which every later start would fail
sys.path += ({program!a}, {packages!a})
try:
    from shared.process import bundle

    bundle.use({bundle!a})
    {needed}
    from shared.process.boundary import run
except ImportError as problem:  # a half-replaced environment: never an error in the client
    {otherwise}
    sys.exit(0)
run("{module}", {root!a})
'''
# What a line needs is imported here, so that the line can name what is missing; a hook is silent.
_LINE = ("import msgspec", 'print(f"Tidegauge: {problem.name} is missing. Run: " + %a)')
_HOOK = ("pass", "del problem")

_COMMAND = """#!/bin/sh
root={root}
[ -d "$root" ] || root=${{0%/*}}/..
# Of PATH only absolute directories count: another one is the folder, perhaps a repository, that this is run in.
absolute=
set -f
IFS=:
for directory in $PATH; do
    case $directory in /*) absolute=$absolute:$directory ;; esac
done
unset IFS
set +f
PATH=${{absolute#:}}
# An installation was killed between its two renames.
[ -d "$root/environment" ] || [ ! -d "$root/{previous}" ] || mv "$root/{previous}" "$root/environment"
python=$root/environment/bin/python
[ $# -gt 0 ] || set -- status
case $1 in
install | update | repair | uninstall | doctor) ;;
*)
    if [ ! -x "$python" ]; then
        echo "tidegauge: its Python is gone, $python; run: $0 repair" >&2
        exit 1
    fi
    exec "$python" -I -c 'try:
    import commands.__main__
except ModuleNotFoundError as problem:
    raise SystemExit(f"tidegauge: {{problem.name}} is missing; run: tidegauge repair")' "$@"
    ;;
esac
# These need the standard library alone, so any Python will do; without the environment, the copy next to it.
program=$root/environment/program
[ -f "$program/install.py" ] || program=$root/{spare}
for any in "$python" python3 python; do
    if "$any" -I -c '' 2>/dev/null; then
        _TIDEGAUGE_AS_COMMAND=1 exec "$any" -I "$program/install.py" "$@"
    fi
done
echo "tidegauge: there is no Python; install one, 3.11 or newer, then run: $0 repair" >&2
exit 1
"""
# %~dp0 is this file's directory: no path is written down that a code page could spoil. The interpreter cannot be
# replaced while it runs, so what does that is run by another one.
_WINDOWS_COMMAND = """@echo off
setlocal
set "program=%~dp0..\\environment\\program"
if not exist "%program%\\install.py" set "program=%~dp0..\\program"
set _TIDEGAUGE_AS_COMMAND=1
rem Without it, a py.exe or python.exe of the folder that this is run in, perhaps a repository, would come first.
set NoDefaultCurrentDirectoryInExePath=1
set any=python
where py >nul 2>nul && set any=py -3
for %%c in (install update repair uninstall) do if "%~1"=="%%c" (
    %any% -I "%program%\\install.py" %*
    exit /b
)
if not exist "%~dp0..\\environment\\Scripts\\python.exe" (
    echo tidegauge: its Python is gone; run: "%~f0" repair 1>&2
    exit /b 1
)
"%~dp0..\\environment\\Scripts\\python.exe" -I -m commands %*
"""

PACKAGED = {
    "monitor": "monitor/launcher.sh",
    "monitor-stop": "monitor/launcher.sh",
    "monitor-writes": "monitor/writes.sh",
    "monitor-event": "monitor/event.sh",
    "stdin-head.sh": "monitor/stdin_head.sh",
    "statusline": "statusline/launcher.sh",
}
"""The launchers that settings.json names, with what they share, and where they are in the program."""

ENTRIES = ("monitor.py", "statusline.py")
"""The scripts that the launchers start."""
COMMANDS = ("tidegauge", "tidegauge.cmd")


def names(layout: Layout) -> list[str]:
    """The path of each file that `launchers` gives."""
    scripts = [os.path.join(layout.launchers, name) for name in (*PACKAGED, *ENTRIES)]
    return [*scripts, layout.command, layout.directories]


def ask(layout: Layout) -> dict[str, str]:
    """What only the finished environment knows: where its packages and the person's directories are.

    Raises ProcessError.
    """
    facts: dict[str, str] = json.loads(run([layout.python, "-I", "-c", _QUESTION], f"{layout.python} does not run"))
    return facts


def launchers(layout: Layout, facts: dict[str, str]) -> dict[str, str]:
    """The contents of each file by its path."""
    directories = {name: facts[name] for name in ("config", "log", "history")}
    contents = (
        *(_packaged(layout, name) for name in PACKAGED),
        _entry(layout, "the monitor", "monitor.dispatch", facts["packages"]),
        _entry(layout, "the status line", "statusline.line", facts["packages"]),
        command(layout),
        json.dumps(directories, indent=2) + "\n",
    )
    return dict(zip(names(layout), contents, strict=True))


def write(launchers: dict[str, str]) -> None:
    for path, contents in launchers.items():
        make_directories(os.path.dirname(path))
        # A name with an ending is no program: the launchers read it, or their interpreter does.
        mode = 0o644 if "." in os.path.basename(path) else 0o755
        files.write(path, contents.encode("utf-8", "surrogateescape"), mode)


def command(layout: Layout) -> str:
    if layout.windows:
        return _WINDOWS_COMMAND.replace("\n", "\r\n")
    return _COMMAND.format(root=shlex.quote(layout.root), previous=f"environment{PREVIOUS}", spare="program")


def _packaged(layout: Layout, name: str) -> str:
    with open(os.path.join(layout.program, *PACKAGED[name].split("/")), encoding="utf-8") as file:
        return file.read()


def _entry(layout: Layout, what: str, module: str, packages: str) -> str:
    needed, otherwise = _LINE if module.startswith("statusline") else _HOOK
    return _ENTRY.format(
        what=what,
        module=module,
        program=layout.program,
        packages=packages,
        bundle=layout.bundle,
        root=layout.root,
        needed=needed,
        otherwise=otherwise % f"{layout.command} repair" if "%" in otherwise else otherwise,
    )

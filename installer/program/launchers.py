"""The files next to the environment: what settings.json names, the command, and the directories looked up once."""

import json
import os
import shlex

from installer import files
from installer.layout import Layout
from installer.program.environment import run
from shared.files.files import make_directories

_HERE = os.path.dirname(os.path.abspath(__file__))
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

PACKAGED = {
    "monitor": "monitor/launcher.sh",
    "monitor-stop": "monitor/launcher.sh",
    "monitor-writes": "monitor/writes.sh",
    "monitor-event": "monitor/event.sh",
    "stdin-head.sh": "monitor/stdin_head.sh",
    "statusline": "statusline/launcher.sh",
}
"""The launchers that settings.json names, with what they share, and where they are in the program."""

ENTRIES = {
    "monitor.py": ("the monitor", "monitor.dispatch", "pass", "del problem"),
    # What it needs is imported first, so that the line can name what is missing; a hook is silent.
    "statusline.py": (
        "the status line",
        "statusline.line",
        "import msgspec",
        'import os; print(f"Tidegauge: {problem.name} is missing. " + (@REMEDY@))',
    ),
}
"""The scripts that the launchers start: what each is, its module, what that needs, and what is done without it."""
INSTALL = "Install it again from a clone: python3 install.py"
"""The remedy if the copy that it is repaired from is gone, too."""
COMMANDS = ("tidegauge", "tidegauge.cmd")


def names(layout: Layout) -> list[str]:
    """The path of each file that `launchers` returns."""
    scripts = [os.path.join(layout.launchers, name) for name in (*PACKAGED, *ENTRIES)]
    return [*scripts, layout.command, layout.directories]


def ask(layout: Layout) -> dict[str, str]:
    """Ask the environment where its packages and the person's directories are. Raises ProcessError."""
    facts: dict[str, str] = json.loads(run([layout.python, "-I", "-c", _QUESTION], f"{layout.python} does not run"))
    return facts


def repair(layout: Layout) -> str:
    """The command line that repairs it in any shell, wherever the command is."""
    return f'"{layout.command}" repair' if layout.windows else f"{shlex.quote(layout.command)} repair"


def launchers(layout: Layout, facts: dict[str, str]) -> dict[str, str]:
    """The contents of each file by its path."""
    places = {"program": layout.program, "packages": facts["packages"], "bundle": layout.bundle, "root": layout.root}
    programs = [os.path.join(copy, "install.py") for copy in (layout.program, layout.spare)]
    run_repair = f"Run: {repair(layout)}"
    remedy = f"{run_repair!a} if any(map(os.path.exists, {programs!a})) else {INSTALL!a}"
    scripts = (
        _ENTRY.format(what=what, module=module, needed=needed, otherwise=text.replace("@REMEDY@", remedy), **places)
        for what, module, needed, text in ENTRIES.values()
    )
    packaged = (_read(os.path.join(layout.program, path)) for path in PACKAGED.values())
    directories = {name: facts[name] for name in ("config", "log", "history")}
    contents = (*packaged, *scripts, command(layout), json.dumps(directories, indent=2) + "\n")
    return dict(zip(names(layout), contents, strict=True))


def write(launchers: dict[str, str]) -> None:
    for path, contents in launchers.items():
        make_directories(os.path.dirname(path))
        # A name with an extension is no program: the launchers read it, or their interpreter does.
        mode = 0o644 if "." in os.path.basename(path) else 0o755
        files.write(path, contents.encode("utf-8", "surrogateescape"), mode)


def command(layout: Layout) -> str:
    # On Windows it names its own directory: no path is written down that a code page could spoil. The interpreter
    # cannot be replaced while it runs, so what does that is run by another one.
    if layout.windows:
        return _read(os.path.join(_HERE, "command.cmd")).replace("\n", "\r\n")
    return _read(os.path.join(_HERE, "command.sh")).replace("@ROOT@", shlex.quote(layout.root))


def _read(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()

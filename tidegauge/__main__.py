"""The wheel's only command. The program is in `_program`, so no top-level `shared` or `monitor` is installed."""

import os
import subprocess
import sys

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_program")
INSTALLING = ("install", "update", "repair", "uninstall")


def main() -> int:
    """Run the installer or the installed command, and return its exit code."""
    arguments = sys.argv[1:]
    if arguments[:1] and arguments[0] in INSTALLING:
        return _start([sys.executable, "-I", os.path.join(PROGRAM, "install.py"), *arguments])
    client = os.environ.get("CLAUDE_CONFIG_DIR") or os.path.join(os.path.expanduser("~"), ".claude")
    installed = os.path.join(client, "tidegauge", "bin", "tidegauge.cmd" if sys.platform == "win32" else "tidegauge")
    if os.path.exists(installed):
        return _start([installed, *arguments])
    if arguments and arguments[0].startswith("-"):
        sys.path.insert(0, PROGRAM)
        from commands import run  # noqa: PLC0415  importable only now

        return run(arguments, os.path.join(client, "tidegauge"))
    sys.stderr.write("tidegauge: not installed yet; run: tidegauge install\n")
    return 1


def _start(command: list[str]) -> int:
    environ = os.environ | {"_TIDEGAUGE_AS_COMMAND": "1"}
    try:
        return subprocess.run(command, env=environ, check=False).returncode
    except KeyboardInterrupt:  # the process that we started got it too, and reports it
        return 130


if __name__ == "__main__":
    sys.exit(main())

"""Install Tidegauge: python3 install.py. See --help."""
# Any Python must be able to run this file, the only such one, to continue with one that is new enough.

import os
import sys

NEEDED = (3, 11)
SOURCE = os.path.dirname(os.path.abspath(__file__))
ADVICE = {
    "darwin": "brew install python@3.13",
    "win32": "winget install Python.Python.3.13",
    "linux": "sudo apt install python3.11, or: uv python install 3.13",
}


def main():  # type: () -> int | str
    """Run the installer with a Python that is new enough, and return its exit code."""
    isolated = getattr(sys.flags, "isolated", 0)
    if sys.version_info >= NEEDED and isolated:
        sys.dont_write_bytecode = True  # the folder may be the person's clone, and a dry run writes nothing into it
        sys.path.insert(0, SOURCE)
        from installer.command import main as run  # noqa: PLC0415  only a Python that is new enough can import it

        return run(sys.argv[1:], SOURCE)
    python = sys.executable if sys.version_info >= NEEDED else newer()
    if not python:
        advice = ADVICE.get(sys.platform, "see https://www.python.org/downloads/")
        needed = "install.py: Python %d.%d or newer is needed, and there is none here" % NEEDED
        return "%s; install one: %s" % (needed, advice)
    # Isolated: neither PYTHONPATH nor a folder of the person's may inject code.
    command = [python, "-I", os.path.abspath(__file__)] + sys.argv[1:]
    if sys.platform == "win32":  # there exec returns to the prompt before the process ends
        import subprocess  # noqa: PLC0415  needed only here

        return subprocess.call(command)
    return os.execv(python, command)  # noqa: S606  without a shell, on purpose


def newer():  # type: () -> str | None
    """Find a Python on this machine that is new enough and runs; None without one."""
    import subprocess  # noqa: PLC0415  needed only here

    question = "import sys; sys.exit(sys.version_info < (%d, %d))" % NEEDED
    with open(os.devnull, "r+") as null:
        for path in candidates():
            try:  # pyenv has shims for versions that aren't installed
                if subprocess.call([path, "-I", "-c", question], stdin=null, stdout=null, stderr=null) == 0:
                    return path
            except OSError:
                continue
    return None


def candidates():  # type: () -> list[str]
    """The paths of interpreters that may be new enough, the newest supported version first."""
    minors = list(range(14, NEEDED[1] - 1, -1)) + list(range(15, 21))
    if sys.platform == "win32":
        programs = os.path.join(os.environ.get("LOCALAPPDATA", ""), "Programs", "Python")
        paths = [os.path.join(programs, "Python3%d" % minor, "python.exe") for minor in minors]
        return [path for path in paths if os.path.isfile(path)]
    directories = os.environ.get("PATH", "").split(os.pathsep) + ["/usr/local/bin", "/opt/homebrew/bin", "/usr/bin"]
    directories = [directory for directory in directories if os.path.isabs(directory)]
    paths = [os.path.join(directory, "python3.%d" % minor) for minor in minors for directory in directories]
    return [path for path in paths if os.access(path, os.X_OK)]


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:  # before the installer is loaded, which would report the state
        sys.exit(130)

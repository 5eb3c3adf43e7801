"""Our folder in the client's directory: put in place as a whole, or put back as it was."""

import os
import re
import shutil
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress

from installer import environment, files, interruption, launchers, lock, progress, source
from installer.environment import ProcessError
from installer.install_error import InstallError
from installer.layout import Layout, python_of

LOG = "tidegauge.log"
_COMPILE = """
import compileall, sys
staged, final, *directories = sys.argv[1:]
for directory in directories:
    compileall.compile_dir(directory, quiet=2, force=True, stripdir=staged, prependdir=final)
"""
_PURELIB = "import sysconfig; print(sysconfig.get_path('purelib'))"
# Of the packages: what hooks and the status line may import, since they compile nothing. The others are compiled when a
# command first asks for them.
_COMPILED = ("msgspec", "pathspec", "platformdirs", "psutil", "wcwidth", "yaml")
# rich colours code with it; we have it draw tables.
_NEEDLESS = re.compile(r"pygments(-[\w.]+\.dist-info)?")
_BUNDLE = """
import sys
program, packages, path = sys.argv[1:]
sys.path += (program, packages)
from shared import bundle
bundle.write(path)
"""


def place(
    layout: Layout, directory: str, undo: ExitStack, say: Callable[[str], None], extras: Sequence[str] = ()
) -> None:
    """Make or renew everything but installed.json; `undo` puts back what was there."""
    _make_directories(layout, undo)
    undo.enter_context(lock.hold(os.path.dirname(layout.root)))
    _place_environment(layout, directory, undo, say, extras)
    try:
        facts = launchers.ask(layout)
    except ProcessError as error:
        raise InstallError(f"{layout.python} does not run: {environment.reason(str(error))}") from None
    log = os.path.join(facts["log"], LOG)
    if not os.path.exists(log):  # a failing self-check would be the first to write it
        keep_with_directories(log, undo)
    items = launchers.launchers(layout, facts)
    for item in items:
        keep(item.path, undo)
    launchers.write(items)
    try:
        _write_bundle(layout, facts["packages"])
    except ProcessError as error:
        problem = environment.reason(str(error))
        say(f"Without a start-up bundle, which only speeds up the start: {problem}")


def keep(path: str, undo: ExitStack) -> None:
    """Have `undo` put this file back as it is now."""
    before = files.read(path)
    if before is None:
        undo.callback(_unlink, path)
    else:
        undo.callback(files.write, path, before, os.stat(path).st_mode & 0o777)


def keep_with_directories(path: str, undo: ExitStack) -> None:
    """Have `undo` do the same, and remove the directories that are made for it, but nothing that is beside it."""
    for missing in reversed(files.missing_directories(os.path.dirname(path))):
        undo.callback(_rmdir, missing)
    keep(path, undo)


def clean(layout: Layout) -> None:
    """Drop what an installation leaves aside: the environment before this one, and half-made ones."""
    for path in (_former(layout), _staged(layout)):
        shutil.rmtree(path, ignore_errors=True)
    for directory in (layout.root, layout.launchers):
        files.remove_all_leftovers(directory)


def _make_directories(layout: Layout, undo: ExitStack) -> None:
    client = os.path.dirname(layout.root)
    for path, mode in ((client, 0o700), (layout.root, 0o755), (layout.run, 0o700)):
        missing = files.missing_directories(path)
        for parent in reversed(missing[1:]):
            with interruption.hold():
                os.mkdir(parent)
                undo.callback(_rmdir, parent)
        if missing:
            with interruption.hold():
                os.mkdir(path, mode)
                undo.callback(shutil.rmtree if path != client else _rmdir, path)


def _place_environment(
    layout: Layout, directory: str, undo: ExitStack, say: Callable[[str], None], extras: Sequence[str]
) -> None:
    former, staged = _former(layout), _staged(layout)
    if not os.path.exists(layout.environment) and os.path.exists(former):
        os.rename(former, layout.environment)  # an installation was killed between its two renames
    clean(layout)
    undo.callback(shutil.rmtree, staged, ignore_errors=True)
    say("Installing the packages into an environment of their own ...")
    with progress.shown():
        environment.build(staged, source.requirements(directory, extras), "the environment")
        _complete(layout, staged, directory)
    # A client may be running hooks in the former one: there is one for all but the moment between two renames.
    if os.path.exists(layout.environment):
        undo.callback(_put_back, layout)
        os.rename(layout.environment, former)
    else:
        undo.callback(shutil.rmtree, layout.environment, ignore_errors=True)
    os.rename(staged, layout.environment)


def _complete(layout: Layout, staged: str, directory: str) -> None:
    """Add the program to the packages, and take away what it doesn't need of them."""
    try:
        packages = environment.run([python_of(staged), "-I", "-c", _PURELIB]).strip()
    except ProcessError as error:
        raise InstallError(f"the environment does not run: {environment.reason(str(error))}") from None
    program = os.path.join(staged, os.path.relpath(layout.program, layout.environment))
    source.copy(directory, program)
    files.write(os.path.join(packages, "tidegauge.pth"), os.fsencode(layout.program) + b"\n")
    installed = os.listdir(packages)
    for name in installed:
        if _NEEDLESS.fullmatch(name) and "textual" not in installed:  # which colours code, too
            shutil.rmtree(os.path.join(packages, name))
    compiled = (os.path.join(packages, name) for name in _COMPILED)
    directories = [program, *(path for path in compiled if not os.path.islink(path))]  # a link leads to others' files
    with suppress(ProcessError):  # what cannot be compiled is compiled when it runs
        python = python_of(staged)
        environment.run([python, "-I", "-c", _COMPILE, staged, layout.environment, *directories])


def size(layout: Layout) -> int:
    """The bytes of our folder."""
    found = (os.path.join(path, name) for path, _, names in os.walk(layout.root) for name in names)
    return sum(os.lstat(path).st_size for path in found)


def _write_bundle(layout: Layout, packages: str) -> None:
    """Write the bundle, of an environment in its place: code names its own file. Raises ProcessError."""
    bare = [layout.python, "-I", "-S", "-B", "-X", "no_debug_ranges"]
    environment.run([*bare, "-c", _BUNDLE, layout.program, packages, layout.bundle])


def _put_back(layout: Layout) -> None:
    if os.path.exists(_former(layout)):
        shutil.rmtree(layout.environment, ignore_errors=True)
        os.rename(_former(layout), layout.environment)


def _former(layout: Layout) -> str:
    return layout.environment + ".former"


def _staged(layout: Layout) -> str:
    return layout.environment + ".new"


def _unlink(path: str) -> None:
    with suppress(FileNotFoundError):
        os.unlink(path)


def _rmdir(path: str) -> None:
    with suppress(OSError):  # somebody else's files are in it by now
        os.rmdir(path)

"""Our folder in the client's directory: put in place as a whole, or put back as it was."""

import os
import shutil
from collections.abc import Callable
from contextlib import ExitStack, suppress

from installer import environment, files, interruption, launchers, lock
from installer.environment import CommandError
from installer.layout import Layout, python_of
from installer.refusal import Refusal

LOG = "tidegauge.log"
_COMPILE = """
import compileall, sys, sysconfig
staged, final = sys.argv[1:]
compileall.compile_dir(sysconfig.get_path("purelib"), quiet=2, force=True, stripdir=staged, prependdir=final)
"""
_BUNDLE = """
import sys
packages, path = sys.argv[1:]
sys.path.append(packages)
from shared import bundle
bundle.write(path)
"""


def place(layout: Layout, source: str, undo: ExitStack, say: Callable[[str], None]) -> None:
    """Make or renew everything but installed.json; `undo` puts back what was there."""
    _make_directories(layout, undo)
    undo.enter_context(lock.hold(os.path.dirname(layout.root)))
    _place_environment(layout, source, undo)
    try:
        facts = launchers.ask(layout)
    except CommandError as error:
        raise Refusal(f"{layout.python} does not run: {environment.reason(str(error))}") from None
    _forget_log(facts["log"], undo)
    items = launchers.launchers(layout, facts)
    for item in items:
        keep(item.path, undo)
    launchers.write(items)
    try:
        _write_bundle(layout, facts["packages"])
    except CommandError as error:
        problem = environment.reason(str(error))
        say(f"Without a start-up bundle, which only makes everything start faster: {problem}")


def keep(path: str, undo: ExitStack) -> None:
    """Have `undo` put this file back as it is now."""
    before = files.read(path)
    if before is None:
        undo.callback(_unlink, path)
    else:
        undo.callback(files.write, path, before, os.stat(path).st_mode & 0o777)


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


def _place_environment(layout: Layout, source: str, undo: ExitStack) -> None:
    former, staged = _former(layout), _staged(layout)
    if not os.path.exists(layout.environment) and os.path.exists(former):
        os.rename(former, layout.environment)  # an installation was killed between its two renames
    clean(layout)
    undo.callback(shutil.rmtree, staged, ignore_errors=True)
    environment.build(staged, [source], "the environment")
    with suppress(CommandError):  # what cannot be compiled is compiled when it runs
        python = python_of(staged)
        environment.run([python, "-I", "-c", _COMPILE, staged, layout.environment])
    # A client may be running hooks in the former one: there is one for all but the moment between two renames.
    if os.path.exists(layout.environment):
        undo.callback(_put_back, layout)
        os.rename(layout.environment, former)
    else:
        undo.callback(shutil.rmtree, layout.environment, ignore_errors=True)
    os.rename(staged, layout.environment)


def _write_bundle(layout: Layout, packages: str) -> None:
    """Raises CommandError. Not while the environment is staged: code names the file that it comes from."""
    bare = [layout.python, "-I", "-S", "-B", "-X", "no_debug_ranges"]
    environment.run([*bare, "-c", _BUNDLE, packages, layout.bundle])


def _put_back(layout: Layout) -> None:
    if os.path.exists(_former(layout)):
        shutil.rmtree(layout.environment, ignore_errors=True)
        os.rename(_former(layout), layout.environment)


def _forget_log(directory: str, undo: ExitStack) -> None:
    """Have `undo` remove the log that a failing self-check would be the first to write, and nothing beside it."""
    for missing in reversed(files.missing_directories(directory)):
        undo.callback(_rmdir, missing)
    log = os.path.join(directory, LOG)
    if not os.path.exists(log):
        undo.callback(_unlink, log)


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

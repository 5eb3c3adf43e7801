"""Our folder in the client's directory: put in place as a whole, or put back as it was."""

import os
import stat
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress

from installer import files
from installer.install_error import InstallError
from installer.layout import NEW, PREVIOUS, Layout, python_of
from installer.program import environment, launchers, lock, source
from installer.program.environment import ProcessError
from shared.files.files import missing_directories

LOG = "tidegauge.log"
_COMPILE = """
import compileall, sys
staged, final, *directories = sys.argv[1:]
for directory in directories:
    compileall.compile_dir(directory, quiet=2, force=True, stripdir=staged, prependdir=final)
"""
_BUNDLE = """
import sys
program, packages, path = sys.argv[1:]
sys.path += (program, packages)
from shared.process import bundle
bundle.write(path)
"""


def place(
    layout: Layout, directory: str, undo: ExitStack, say: Callable[[str], None], extras: Sequence[str] = ()
) -> None:
    """Make or renew everything but installed.json; `undo` puts back what was there."""
    above = os.path.dirname(layout.root)
    _make(above, undo)
    undo.enter_context(lock.locked(above))
    _refuse_foreign_files(layout)
    for path in (layout.root, layout.run, layout.launchers):
        if _make(path, undo):
            undo.callback(files.remove_tree, path)
        mode = stat.S_IMODE(os.stat(path).st_mode)
        if mode != 0o700:  # as an earlier installation, or a umask, has left it
            undo.callback(os.chmod, path, mode)
            os.chmod(path, 0o700)
    _place_environment(layout, directory, undo, say, extras)
    undo.callback(files.remove_tree, layout.spare + NEW)
    source.copy(layout.program, layout.spare + NEW)
    _swap(layout.spare, undo)
    facts = launchers.ask(layout)
    log = os.path.join(facts["log"], LOG)
    if not os.path.exists(log):  # a failing self-check would be the first to write it
        keep_with_directories(log, undo)
    items = launchers.launchers(layout, facts)
    for path in items:
        keep(path, undo)
    launchers.write(items)
    try:
        _write_bundle(layout, facts["packages"])
    except ProcessError as problem:
        say(f"Without a start-up bundle, which only speeds up the start: {problem}")


def keep(path: str, undo: ExitStack) -> None:
    """Let `undo` restore this file as it is now."""
    before = files.read(path)
    if before is None:
        undo.callback(files.remove, path)
    else:
        undo.callback(_restore, path, before, os.stat(path).st_mode & 0o777)


def _restore(path: str, before: bytes, mode: int) -> None:
    if files.read(path) != before:
        files.write(path, before, mode)


def keep_with_directories(path: str, undo: ExitStack) -> None:
    """Let `undo` restore this file, and remove the directories that are made for it unless others use them."""
    for missing in missing_directories(os.path.dirname(path)):
        undo.callback(files.remove_empty, missing)
    keep(path, undo)


def clean(layout: Layout) -> None:
    """Remove what an installation leaves behind: previous directories, and half-made ones."""
    for path in (layout.environment, layout.spare):
        for ending in (PREVIOUS, NEW):
            files.remove_tree(path + ending)
    for directory in (layout.root, layout.launchers):
        files.remove_leftovers(directory)


def is_ours(layout: Layout) -> bool:
    """Whether our folder holds an installation: it may be a link to somebody else's, who uses the same names."""
    programs = (os.path.join(path, launchers.PACKAGED["monitor"]) for path in (layout.program, layout.spare))
    return any(map(os.path.exists, (layout.record, layout.directories, *programs)))


def _refuse_foreign_files(layout: Layout) -> None:
    """Raise InstallError if somebody else has something under our names."""
    if is_ours(layout):
        return
    folders = [path for path in (layout.environment, layout.spare) if os.path.isdir(path) and os.listdir(path)]
    for path in [*folders, *filter(os.path.isfile, (*launchers.names(layout), layout.choices, layout.wrapped))]:
        raise InstallError(f"{path} is not Tidegauge's: move it away, and run this again")


def _make(path: str, undo: ExitStack) -> bool:
    """Make a directory and its parents, as far as they are missing; return whether it was."""
    missing = missing_directories(path)
    for directory in missing:
        undo.callback(files.remove_empty, directory)
        os.makedirs(directory, 0o700, exist_ok=True)  # another installer may have been faster
    return bool(missing)


def _place_environment(
    layout: Layout, directory: str, undo: ExitStack, say: Callable[[str], None], extras: Sequence[str]
) -> None:
    staged = layout.environment + NEW
    if not os.path.lexists(layout.environment) and os.path.lexists(layout.environment + PREVIOUS):
        os.rename(layout.environment + PREVIOUS, layout.environment)  # an installer was killed between its two renames
    clean(layout)
    undo.callback(files.remove_tree, staged)
    say("Installing the packages into an environment of their own ...")
    environment.build(staged, source.requirements(directory, extras))
    _complete(layout, staged, directory)
    # A client may be running hooks in the present one: there is one for all but the moment between two renames.
    _swap(layout.environment, undo)


def _swap(path: str, undo: ExitStack) -> None:
    """Replace the present directory with the new one; `undo` restores it, or leaves none."""
    if os.path.lexists(path):
        undo.callback(_put_back, path)
        os.rename(path, path + PREVIOUS)
    else:
        undo.callback(files.remove_tree, path)
    os.rename(path + NEW, path)


def _put_back(path: str) -> None:
    if os.path.lexists(path + PREVIOUS):
        if os.path.lexists(path):  # moved, not removed: if nothing can be renamed any more, it is what runs
            os.rename(path, path + NEW)
        os.rename(path + PREVIOUS, path)


def _complete(layout: Layout, staged: str, directory: str) -> None:
    """Add the program to the packages, and compile all now: on a full disk, Python would leave half-written files."""
    packages = environment.packages(staged)
    program = os.path.join(staged, os.path.relpath(layout.program, layout.environment))
    source.copy(directory, program)
    files.write(os.path.join(packages, "tidegauge.pth"), os.fsencode(layout.program) + b"\n")
    with suppress(ProcessError):  # what cannot be compiled is compiled when it runs
        environment.run([python_of(staged), "-I", "-c", _COMPILE, staged, layout.environment, program, packages])


def megabytes(layout: Layout) -> int:
    """The size of our folder, rounded up."""
    paths = (os.path.join(path, name) for path, _, names in os.walk(layout.root) for name in names)
    return -(-sum(os.lstat(path).st_size for path in paths) // 1_000_000)


def _write_bundle(layout: Layout, packages: str) -> None:
    """Write the bundle once the environment is in its place: code objects name their files. Raises ProcessError."""
    bare = [layout.python, "-I", "-S", "-B", "-X", "no_debug_ranges"]
    environment.run([*bare, "-c", _BUNDLE, layout.program, packages, layout.bundle])

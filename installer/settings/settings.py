"""The settings file as bytes: read through links, refused where it is broken, replaced with a backup."""

import contextlib
import difflib
import glob
import io
import os
import stat
import time
from collections.abc import Callable, Collection, Iterator

from installer import files
from installer.install_error import InstallError
from installer.settings import document
from installer.settings.document import Malformed
from shared.files.files import make_directories

MOST_BACKUPS = 5
_BOM = b"\xef\xbb\xbf"
# Another program writes this file too; more changes than this within a moment are not a coincidence.
_TRIES = 5

Edit = Callable[[bytes | None], bytes | None]


def read(path: str) -> bytes | None:
    """The contents; None if there is no file. Raises InstallError if it isn't a plain file, or can't be read."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise InstallError(f"{path}: not a plain file")
        return files.read(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InstallError(f"{path}: cannot be read: {error.strerror}") from None


def refuse_hard_link(path: str) -> None:
    """Raise InstallError for a file with a second name: it is replaced whole, and the other name would stay behind."""
    if os.path.isfile(path) and os.stat(path).st_nlink > 1:  # a directory has several links by itself
        advice = "make it a symbolic link, or a copy, and run this again"
        raise InstallError(f"{path}: a hard link, whose other name would keep the old contents; {advice}")


def text_of(path: str, contents: bytes | None) -> str:
    """The text without a byte order mark, which some clients don't read; an empty text becomes an object."""
    contents = (contents or b"").removeprefix(_BOM)
    try:
        return contents.decode() if contents.strip() else "{}\n"
    except UnicodeDecodeError as error:
        before = contents[: error.start].decode()
        raise refusal(path, before, Malformed("not UTF-8", len(before))) from None


@contextlib.contextmanager
def edited(path: str, contents: bytes | None) -> Iterator[str]:
    """Yield the text to edit; a Malformed that the edit raises becomes an InstallError with the position."""
    text = text_of(path, contents)
    try:
        yield text
    except Malformed as problem:
        raise refusal(path, text, problem) from None
    except RecursionError:
        raise refusal(path, text, Malformed("nested too deeply", 0)) from None


def refusal(path: str, text: str, problem: Malformed) -> InstallError:
    line, column = document.position(text, problem.offset)
    return InstallError(f"{path}:{line}:{column}: {problem.reason}; correct it by hand, nothing was changed")


def replace(path: str, edit: Edit) -> tuple[bytes | None, bytes | None]:
    """Edit the file, again if it changes meanwhile; return the contents before and after, equal if none was written."""
    target = os.path.realpath(path)
    refuse_hard_link(path)
    files.remove_leftovers(*os.path.split(target))
    for _ in range(_TRIES):
        before = read(path)
        after = edit(before)
        if before == after:
            return before, after
        backup, is_replaced = None, False
        try:
            make_directories(os.path.dirname(path))
            backup = _back_up(path, before) if before is not None else None
            is_replaced = files.replace_if(target, before, after)
        except OSError as error:
            raise InstallError(f"{target}: cannot be replaced: {error.strerror}") from None
        finally:
            if backup is not None and not is_replaced:
                os.unlink(backup)
        if is_replaced:
            for old in backups(path)[:-MOST_BACKUPS]:
                with contextlib.suppress(OSError):
                    os.unlink(old)
            return before, after
    raise InstallError(f"{path}: another program keeps changing it; try again")


def backups(path: str) -> list[str]:
    """Our backups, oldest first."""
    return sorted(glob.glob(glob.escape(path) + ".tidegauge-*.bak"), key=lambda name: name.removesuffix(".bak"))


def remove_backups(path: str, digests: Collection[str]) -> None:
    for backup in backups(path):
        if files.digest(files.read(backup)) in digests:
            os.unlink(backup)


def diff(path: str, before: str | None, after: str | None) -> str:
    """The change as a diff that `patch` can read."""
    lines = difflib.unified_diff(
        # Not str.splitlines: it also breaks at characters that may stand inside a JSON string.
        list(io.StringIO(before or "")),
        list(io.StringIO(after or "")),
        path if before is not None else os.devnull,
        path if after is not None else os.devnull,
    )
    return "".join(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines)


def _back_up(path: str, contents: bytes) -> str:
    stamp = f"{path}.tidegauge-{time.strftime('%Y%m%d-%H%M%S')}"
    # Several changes within a second are numbered, so that their names tell their order too.
    same = [name for name in backups(path) if name.startswith(stamp)]
    number = int(same[-1].removesuffix(".bak")[len(stamp) + 1 :] or 0) + 1 if same else 0
    backup = f"{stamp}-{number:02}.bak" if number else f"{stamp}.bak"
    files.write(backup, contents, stat.S_IMODE(os.stat(path).st_mode))
    return backup

r"""The paths of a session as its own system writes them: a transcript of Windows says `C:\project\app.py`."""

import functools
import ntpath
import posixpath
import re
from types import ModuleType

_OF_WINDOWS = re.compile(r"[A-Za-z]:[\\/]|\\\\")


def rules_of(path: str) -> ModuleType:
    """The module of the standard library whose rules an absolute path follows: ntpath or posixpath."""
    return ntpath if _OF_WINDOWS.match(path) else posixpath


@functools.lru_cache(maxsize=500)
def absolute(path: str, directory: str) -> str:
    """`path` as seen from `directory`, always written in the same way."""
    rules = rules_of(directory or path)
    whole: str = rules.normpath(rules.join(directory, path))
    return whole[:1].upper() + whole[1:] if rules is ntpath else whole  # one editor says `c:`, another `C:`


def is_within(path: str, directory: str) -> bool:
    """Whether `path` is in `directory`; every path is in an unknown one."""
    separator = rules_of(directory or path).sep
    return not directory or path.startswith(directory.rstrip(separator) + separator)

"""The paths of a session, each written in one way."""

import functools
import os


@functools.lru_cache(maxsize=500)
def absolute(path: str, directory: str) -> str:
    """`path` as seen from `directory`."""
    return os.path.normpath(os.path.join(directory, path))


def is_within(path: str, directory: str) -> bool:
    """Whether `path` is in `directory`; every path is in an unknown one."""
    return not directory or path.startswith(directory.rstrip(os.sep) + os.sep)

"""A session's paths in normal form."""

import functools
import os


@functools.lru_cache(maxsize=500)
def absolute(path: str, directory: str) -> str:
    return os.path.normpath(os.path.join(directory, path))


def is_within(path: str, directory: str) -> bool:
    """Whether `path` is in `directory`; True if the directory is unknown."""
    return not directory or path.startswith(directory.rstrip(os.sep) + os.sep)

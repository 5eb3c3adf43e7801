"""The proof that a checkpoint or an export was written here, which only this person's key can make.

Both are in a project, and so may come with a repository that someone prepared for just this path. A checkpoint is
presented to the agent as its own work, so only our own proof counts; and only what is proven is removed when we are
uninstalled.
"""

import os

from shared import paths, project_files
from shared.files import files, locked_file


def of(root: str, directory: str, name: str, data: bytes) -> bytes:
    """The proof of a file in the project at the real path `directory`. Makes a missing key. Raises OSError."""
    path, key = paths.checkpoint_key(root), _key(root)
    for ours in (os.path.dirname(path), path):
        files.make_private(ours)
    if key is None:  # the first of the processes that need a key makes it
        with locked_file.locked(path) as file:
            if len(file.content) != project_files.KEY_BYTES:
                file.write(os.urandom(project_files.KEY_BYTES))
            key = file.content
    return project_files.digest(key, directory, name, data)


def holds(root: str, directory: str, name: str, data: bytes, proof: bytes) -> bool:
    key = _key(root)
    return key is not None and project_files.is_proven(key, directory, name, data, proof)


def _key(root: str) -> bytes | None:
    key = files.read_or_none(paths.checkpoint_key(root))
    return key if key is not None and len(key) == project_files.KEY_BYTES else None

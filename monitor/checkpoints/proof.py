"""The proof that a checkpoint was written here: an HMAC-SHA256 that only this person's key can make.

A checkpoint lies in a project, and so may come with a repository that somebody else has made for just this path. What
it says is told to the agent as its own work, so nothing but our own word for it counts.
"""

import os

from monitor import locked_file
from shared import files, paths

_KEY_BYTES = 32


def of(root: str, directory: str, name: str, data: bytes) -> bytes:
    """The proof of the checkpoint `name` with the bytes `data`, in the project whose real path is `directory`.

    Makes the key when there is none. Raises OSError, TimeoutError.
    """
    return _digest(_key(root) or _made_key(root), directory, name, data)


def holds(root: str, directory: str, name: str, data: bytes, proof: bytes) -> bool:
    """Whether `proof` is that checkpoint's."""
    import hmac  # noqa: PLC0415  5 ms that only who has a checkpoint pays

    key = _key(root)
    return key is not None and hmac.compare_digest(_digest(key, directory, name, data), proof)


def _digest(key: bytes, directory: str, name: str, data: bytes) -> bytes:
    import hmac  # noqa: PLC0415  see above

    # No path holds a NUL, so none of the three can pass for a part of another.
    told = b"\0".join([name.encode(), directory.encode("utf-8", "surrogateescape"), data])
    return hmac.digest(key, told, "sha256").hex().encode()


def _key(root: str) -> bytes | None:
    key = files.read_or_none(paths.checkpoint_key(root))
    return key if key is not None and len(key) == _KEY_BYTES else None


def _made_key(root: str) -> bytes:
    """The key, made by the first of the processes that need one."""
    with locked_file.hold(paths.checkpoint_key(root)) as file:
        if len(file.content) != _KEY_BYTES:
            file.content = os.urandom(_KEY_BYTES)
        return file.content

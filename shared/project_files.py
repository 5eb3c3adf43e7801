"""What we leave in a project, by name, and the proof that it is ours: an HMAC-SHA256 with a key of the person's own.

Needs the standard library alone: the installer takes away what is proven.
"""

import os

from shared.client import client

FOLDER = os.path.join(client.DIRECTORY, "tidegauge")
CHECKPOINTS, EXPORTS = os.path.join(FOLDER, "checkpoints"), os.path.join(FOLDER, "exports")
"""Where they lie in a project, unless the person has placed them elsewhere."""
CHECKPOINT_NAME = r"cx-([0-9]{3,12})-checkpoint\.json"
"""A pattern for the name of a checkpoint's file, with its number."""
PROOF, ACKNOWLEDGED, RESUMED = ".proof", ".acknowledged", ".resumed"
"""What follows a checkpoint's name in its proof, and in the mark that its own session was alerted of it, or that
another one took it up. An export's proof is the file of that name in it."""
ARCHIVE, READABLE = "transcript.jsonl.gz", "session.md"
PARTIAL = ".partial"
"""What follows the name of a copy that is still being written."""
EXPORTED = frozenset({ARCHIVE, READABLE, "continuation.md", "tasks.md", PROOF})
"""The files that are ours in an export."""
KEY_NAME, KEY_BYTES = "checkpoint-key", 32
IGNORE_ALL = b"*\n"
"""Our .gitignore in FOLDER."""


def digest(key: bytes, directory: str, name: str, data: bytes) -> bytes:
    """The proof of the file `name` with the bytes `data`, in the project whose real path is `directory`."""
    import hmac  # noqa: PLC0415  5 ms that only who has a checkpoint pays

    # No path holds a NUL, so none of the three can pass for a part of another.
    messages = b"\0".join([name.encode(), directory.encode("utf-8", "surrogateescape"), data])
    return hmac.digest(key, messages, "sha256").hex().encode()


def is_proven(key: bytes, directory: str, name: str, data: bytes, proof: bytes) -> bool:
    """Whether `proof` is that file's."""
    import hmac  # noqa: PLC0415  see above

    return hmac.compare_digest(digest(key, directory, name, data), proof)


def export_name(path: str) -> str:
    """What an export's proof is of: its directory's name, which is no checkpoint's."""
    return f"exports/{os.path.basename(path)}"

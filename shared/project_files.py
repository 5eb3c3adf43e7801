"""Our files' names in a project, and the proof that they are ours, an HMAC-SHA256. Standard library only."""

import os

from shared.client import client

FOLDER = os.path.join(client.DIRECTORY, "tidegauge")
CHECKPOINTS, EXPORTS = os.path.join(FOLDER, "checkpoints"), os.path.join(FOLDER, "exports")
"""The default directories in a project."""
CHECKPOINT_NAME = r"cx-([0-9]{3,12})-checkpoint\.json"
"""A pattern for a checkpoint's file name; its group is the number."""
PROOF, ACKNOWLEDGED, RESUMED = ".proof", ".acknowledged", ".resumed"
"""Suffixes of a checkpoint's proof, of the mark that its own session was alerted to it, and of the mark that another
session resumed it. An export's proof is a file inside it that is called `.proof`."""
ARCHIVE, READABLE = "transcript.jsonl.gz", "session.md"
PARTIAL = ".partial"
"""The suffix of a copy that is still being written."""
EXPORTED = frozenset({ARCHIVE, READABLE, "continuation.md", "tasks.md", PROOF})
"""Our files in an export."""
KEY_NAME, KEY_BYTES = "checkpoint-key", 32
IGNORE_ALL = b"*\n"
"""The content of our .gitignore in FOLDER."""


def digest(key: bytes, directory: str, name: str, data: bytes) -> bytes:
    """The proof of the file `name` with the bytes `data`, in the project whose real path is `directory`."""
    import hmac  # noqa: PLC0415  5 ms, needed only where there is a checkpoint

    # No path holds a NUL, so the three parts can't be confused.
    messages = b"\0".join([name.encode(), directory.encode("utf-8", "surrogateescape"), data])
    return hmac.digest(key, messages, "sha256").hex().encode()


def is_proven(key: bytes, directory: str, name: str, data: bytes, proof: bytes) -> bool:
    """Whether `proof` is the proof of this file."""
    import hmac  # noqa: PLC0415  see above

    return hmac.compare_digest(digest(key, directory, name, data), proof)


def export_name(path: str) -> str:
    """The name that an export's proof covers: its directory's, which no checkpoint has."""
    return f"exports/{os.path.basename(path)}"

"""The memory of each conversation, in a file that parallel hooks take in turns."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from monitor import locked_file
from monitor.warnings.reminders import Memory
from shared import files, paths


class Held(msgspec.Struct):
    """A conversation's memory while this process alone may change it: set `memory` to do so."""

    memory: Memory


@contextmanager
def hold(root: str, conversation: str) -> Iterator[Held]:
    """Hold the memory of `conversation`; a damaged one counts as the first. Raises OSError or TimeoutError."""
    with locked_file.hold(paths.memory(root, conversation)) as file:
        held = Held(_decoded(file.content))
        yield held
        file.content = msgspec.json.encode(held.memory)


def read(root: str, conversation: str) -> Memory | None:
    """The memory as it stands, for who only looks; None when there is none."""
    document = files.read_or_none(paths.memory(root, conversation), locked_file.LIMIT)
    return None if document is None else _decoded(document)


def exists(root: str, conversation: str) -> bool:
    return os.path.exists(paths.memory(root, conversation))


def _decoded(document: bytes) -> Memory:
    try:
        return msgspec.json.decode(document, type=Memory)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return Memory()

"""Transcripts read by two processes at once, if there is enough to read."""

import gc
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

import msgspec

from history.reading import Batch, StoredReading, TranscriptReader
from history.transcripts import TranscriptFile
from shared.config import Config

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

_WORTHWHILE = 32 << 20
"""Bytes from which a second process pays off."""
_READERS = 2
_SHARES = 256
"""That the tasks are split into: so many numbers fit into one byte each, and so small a share ends soon."""
_PIPE = 1 << 20
"""Bytes: the most that Linux gives to a process that isn't root's."""
_TOGETHER = 16
"""Batches that are sent at once, so that the processes wake each other less often."""


ReadingTask = tuple[TranscriptFile, StoredReading | None]
"""A transcript, and how far the store has read it."""


class Unreadable(msgspec.Struct, tag=True, frozen=True):
    """A transcript that could not be read."""

    path: str
    reason: str


class _Read(msgspec.Struct, tag=True, frozen=True):
    batch: Batch


def read_all(
    tasks: Sequence[ReadingTask], config: Config, salt: bytes | None = None, until: float | None = None
) -> Iterator[Batch | Unreadable]:
    """Yield what is new in all of them.

    Paths are hashed with `salt`; None leaves them as they are. After `until` (time.monotonic) nothing more is started.
    """
    size = sum([new_bytes(task) for task in tasks])
    # Elsewhere a forked process may hang, and a spawned one costs as much as it saves.
    if size < _WORTHWHILE or until is not None or sys.platform != "linux" or (os.cpu_count() or 1) < _READERS:
        yield from _read(tasks, TranscriptReader(config, salt, is_hurried=until is not None), until)
    else:
        yield from _read_by_two(tasks, TranscriptReader(config, salt))


def new_bytes(task: ReadingTask) -> int:
    """How many bytes of a transcript are to be read."""
    file, stored = task
    return file.size - stored.position if stored and stored.position <= file.size else file.size


def _read(
    tasks: Iterable[ReadingTask], transcripts: TranscriptReader, until: float | None = None
) -> Iterator[Batch | Unreadable]:
    for file, stored in tasks:
        try:
            for batch in transcripts.batches(file, stored):
                if until is not None and time.monotonic() > until:
                    return
                yield batch
        except FileNotFoundError:  # the client has just pruned it
            continue
        except OSError as problem:
            yield Unreadable(file.shown_path, problem.strerror or str(problem))


def _read_by_two(tasks: Sequence[ReadingTask], transcripts: TranscriptReader) -> Iterator[Batch | Unreadable]:
    import fcntl  # noqa: PLC0415  only where there is much to read
    import multiprocessing  # noqa: PLC0415  as above

    context = multiprocessing.get_context("fork")
    ends: list[Connection[bytes, bytes]] = []
    readers = []
    shares, numbers = os.pipe()
    os.write(numbers, bytes(range(_SHARES)))
    os.close(numbers)
    tasks = sorted(tasks, key=lambda task: -task[0].size)  # so that no large one is left for the end
    try:
        for _ in range(_READERS):
            ours, theirs = context.Pipe(duplex=False)
            fcntl.fcntl(ours.fileno(), fcntl.F_SETPIPE_SZ, _PIPE)  # so that neither waits for the other
            reader = context.Process(target=_send, args=(tasks, shares, transcripts, theirs), daemon=True)
            reader.start()
            theirs.close()
            ends.append(ours)
            readers.append(reader)
        yield from _received(ends)
        for reader in readers:
            reader.join()
            if reader.exitcode:
                raise OSError(
                    f"a process that reads transcripts ended early (exit code {reader.exitcode}): run the command again"
                )
    finally:
        for reader in readers:
            reader.terminate()
        for end in ends:
            end.close()
        os.close(shares)


def _taken(tasks: Sequence[ReadingTask], shares: int) -> Iterator[ReadingTask]:
    """Take share after share of `tasks`, until the pipe `shares` has no number of one left."""
    while number := os.read(shares, 1):
        yield from tasks[number[0] :: _SHARES]


def _received(ends: "Sequence[Connection[bytes, bytes]]") -> Iterator[Batch | Unreadable]:
    from multiprocessing.connection import wait  # noqa: PLC0415  as above

    decoder = msgspec.msgpack.Decoder(list[_Read | Unreadable])
    waiting = list(ends)
    while waiting:
        ready = wait(waiting)
        for end in [end for end in waiting if end in ready]:
            try:
                together = decoder.decode(end.recv_bytes())
            except EOFError:
                waiting.remove(end)
                continue
            for found in together:
                yield found.batch if isinstance(found, _Read) else found


def _send(
    tasks: Sequence[ReadingTask], shares: int, transcripts: TranscriptReader, end: "Connection[bytes, bytes]"
) -> None:
    encoder = msgspec.msgpack.Encoder()
    gc.disable()  # nothing here forms reference cycles
    read = (
        found if isinstance(found, Unreadable) else _Read(found) for found in _read(_taken(tasks, shares), transcripts)
    )
    try:
        while together := list(islice(read, _TOGETHER)):
            end.send_bytes(encoder.encode(together))
    except (BrokenPipeError, KeyboardInterrupt):
        os._exit(1)

"""Transcripts read by two processes at once, if there is enough to read."""

import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import msgspec

from history.reading.reading import Batch, StoredReading, TranscriptReader
from history.reading.transcripts import TranscriptFile
from history.store.stored_paths import StoredPaths
from shared import effort
from shared.settings.config import Config

_WORTHWHILE = 32 << 20
"""Bytes from which a second process pays off."""
_READERS = 2
_SHARES = 256
"""How many shares the tasks are split into: few of them are in memory at once, and each ends soon."""
UNEXPECTED = (
    ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError,
    msgspec.MsgspecError,
)  # fmt: skip
"""What a line that nobody thought of makes the reading, or the writing of its rows, raise."""

_transcripts: TranscriptReader

ReadingTask = tuple[TranscriptFile, StoredReading | None]
"""A transcript, and how far the store has read it."""


class Unreadable(msgspec.Struct, array_like=True, tag=True, frozen=True):
    path: str
    reason: str


def read_all(
    tasks: Sequence[ReadingTask], config: Config, paths: StoredPaths, until: float | None = None
) -> Iterator[Batch | Unreadable]:
    """Yield what is new in all of them. After `until` (time.monotonic), or its own time, nothing more is started."""
    # Elsewhere a forked process may hang, and a spawned one costs as much as it saves.
    if (
        new_bytes(tasks) < _WORTHWHILE
        or until is not None
        or sys.platform != "linux"
        or (os.cpu_count() or 1) < _READERS
    ):
        yield from _read(tasks, TranscriptReader(config, paths, until))
    else:
        yield from _read_by_two(tasks, TranscriptReader(config, paths))


def new_bytes(tasks: Iterable[ReadingTask]) -> int:
    return sum(
        file.size - stored.position if stored and stored.position <= file.size else file.size for file, stored in tasks
    )


def _read(tasks: Iterable[ReadingTask], transcripts: TranscriptReader) -> Iterator[Batch | Unreadable]:
    for file, stored in tasks:
        try:
            for batch in transcripts.batches(file, stored):
                if (until := transcripts.until) is not None and (time.monotonic() > until or effort.is_over()):
                    return
                yield batch
        except FileNotFoundError:  # the client has just pruned it
            continue
        except OSError as problem:
            yield Unreadable(file.path_text, problem.strerror or str(problem))
        except UNEXPECTED as problem:  # one transcript that we read wrongly must not keep back the others
            yield Unreadable(file.path_text, f"not read: {type(problem).__name__}: {problem}")


def _read_by_two(tasks: Sequence[ReadingTask], transcripts: TranscriptReader) -> Iterator[Batch | Unreadable]:
    import multiprocessing  # noqa: PLC0415  only where there is much to read
    from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait  # noqa: PLC0415  as above
    from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415  as above

    decoder = msgspec.msgpack.Decoder(list[Batch | Unreadable])
    tasks = sorted(tasks, key=lambda task: -task[0].size)  # so that no large one is left for the end
    shares = iter([tasks[number::_SHARES] for number in range(_SHARES)])
    executor = ProcessPoolExecutor(_READERS, multiprocessing.get_context("fork"), _prepare, (transcripts,))
    try:
        waiting = {executor.submit(_read_share, share) for share in islice(shares, 2 * _READERS)}
        while waiting:
            ready, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            waiting |= {executor.submit(_read_share, share) for share in islice(shares, len(ready))}
            for future in ready:
                yield from decoder.decode(future.result())
    except BrokenProcessPool:
        raise OSError("a process that reads transcripts ended early: run the command again") from None
    finally:
        executor.shutdown(cancel_futures=True)


def _prepare(transcripts: TranscriptReader) -> None:
    """Begin a process that reads, and that ends with the one which started it."""
    global _transcripts  # noqa: PLW0603  an executor's process has nowhere else to keep it
    _transcripts = transcripts
    gc.disable()  # nothing here forms reference cycles
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    import multiprocessing  # noqa: PLC0415  as above

    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os._exit(1)


def _read_share(tasks: Sequence[ReadingTask]) -> bytes:
    return msgspec.msgpack.encode(list(_read(tasks, _transcripts)))

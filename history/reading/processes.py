"""Transcripts read by two processes at once, if there is enough to read."""

import gc
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import msgspec

from history.reading.reading import TranscriptReader, TranscriptReading
from history.reading.transcripts import TranscriptFile
from history.store.stored_paths import StoredPaths
from shared.settings.config import Config

_WORTHWHILE = 32 << 20
"""Bytes from which a second process pays off."""
_READERS = 2
_SHARES = 256
"""The number of shares that the files are split into, so that few are in memory at once, and each ends soon."""
UNEXPECTED = (
    ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError,
    msgspec.MsgspecError,
)  # fmt: skip
"""Errors that reading an unforeseen line, or writing its rows, may raise."""

_transcripts: TranscriptReader


class Unreadable(msgspec.Struct, array_like=True, tag=True, frozen=True):
    path: str
    reason: str


def read_all(
    files: Sequence[TranscriptFile], config: Config, paths: StoredPaths, until: float | None = None
) -> Iterator[TranscriptReading | Unreadable]:
    """Yield the readings in order, up to `until` (time.monotonic), or to the end of the time that `effort` allows."""
    # Elsewhere a forked process may hang, and a spawned one costs as much as it saves.
    if (
        sum(file.size for file in files) < _WORTHWHILE
        or until is not None
        or sys.platform != "linux"
        or (os.cpu_count() or 1) < _READERS
    ):
        yield from _read(files, TranscriptReader(config, paths, until))
    else:
        yield from _read_by_two(files, TranscriptReader(config, paths))


def _read(files: Iterable[TranscriptFile], transcripts: TranscriptReader) -> Iterator[TranscriptReading | Unreadable]:
    for file in files:
        try:
            reading = transcripts.read(file)
        except FileNotFoundError:  # the client has just pruned it
            continue
        except OSError as problem:
            yield Unreadable(file.path_text, problem.strerror or str(problem))
        except UNEXPECTED as problem:  # one transcript that we read wrongly must not keep back the others
            yield Unreadable(file.path_text, f"not read: {type(problem).__name__}: {problem}")
        else:
            if reading is None:
                return
            yield reading


def _read_by_two(
    files: Sequence[TranscriptFile], transcripts: TranscriptReader
) -> Iterator[TranscriptReading | Unreadable]:
    import multiprocessing  # noqa: PLC0415  only where there is much to read
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415  as above
    from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415  as above

    decoder = msgspec.msgpack.Decoder(list[TranscriptReading | Unreadable])
    length = len(files) // _SHARES + 1
    shares = iter([files[start : start + length] for start in range(0, len(files), length)])
    executor = ProcessPoolExecutor(_READERS, multiprocessing.get_context("fork"), _prepare, (transcripts,))
    try:
        waiting = deque(executor.submit(_read_share, share) for share in islice(shares, 2 * _READERS))
        while waiting:
            ready = waiting.popleft().result()
            waiting.extend(executor.submit(_read_share, share) for share in islice(shares, 1))
            yield from decoder.decode(ready)
    except BrokenProcessPool:
        raise OSError("a process that reads transcripts ended early: run the command again") from None
    finally:
        executor.shutdown(cancel_futures=True)


def _prepare(transcripts: TranscriptReader) -> None:
    """Set up a process that reads, and ends with its parent."""
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


def _read_share(files: Sequence[TranscriptFile]) -> bytes:
    return msgspec.msgpack.encode(list(_read(files, _transcripts)))

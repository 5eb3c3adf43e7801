"""The copies of a transcript in an export's directory: the whole transcript, compressed, and a readable one."""

import gzip
import os
import sys
from contextlib import suppress
from typing import BinaryIO

from monitor.exporting import stream
from monitor.exporting.readable import OMISSION, SessionMarkdown
from shared.files.directory import Directory, naming
from shared.files.locked_file import try_lock
from shared.process.boundary import attempt
from shared.project_files import ARCHIVE, PARTIAL, READABLE
from shared.text.plain import one_line
from shared.text.quantities import counted

_LEVEL = 3
"""The compression level: twice as fast as gzip's default, and a tenth larger."""
_NICENESS = 10
_PROGRAM = "import sys; sys.path[:] = sys.argv[5:]; from monitor.exporting.copy import main; main()"


def copy(transcript: str, directory: Directory) -> str:
    """Write both copies, named only once they are whole, and say what they hold. Raises OSError."""
    with naming(directory.path):
        with directory.create(ARCHIVE + PARTIAL) as archive, directory.create(READABLE + PARTIAL) as text:
            contents = _fill(transcript, archive, text)
        for name in (ARCHIVE, READABLE):
            directory.rename(name + PARTIAL, name)
    return contents


def start(root: str, transcript: str, directory: Directory) -> None:
    """Write both copies in another process: a hook has seconds, and 200 MB take minutes. Raises OSError.

    It inherits the lock on the directory, by which monitor.exporting.progress knows that it lives.
    """
    import subprocess  # noqa: PLC0415  8 ms, only for such an export

    if directory.descriptor is not None:
        with suppress(OSError):  # a file system without locks
            try_lock(directory.descriptor)
    descriptors = [] if directory.descriptor is None else [directory.descriptor]
    arguments = [root, transcript, directory.path, "".join(map(str, descriptors)), *filter(os.path.isabs, sys.path)]

    # Imports are searched on this isolated process's path. The process gets a session of its own, as a client that ends
    # kills what its hooks have left running in theirs.
    started = subprocess.Popen(
        [sys.executable, "-I", "-c", _PROGRAM, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=directory.path,
        pass_fds=descriptors,
        start_new_session=True,
    )
    started.returncode = 0  # nobody waits for it; else Python would warn


def main() -> None:
    """Write both copies, in a process with a low priority, as the session continues meanwhile."""
    if sys.platform != "win32":
        os.nice(_NICENESS)
    root, transcript, path, descriptor = sys.argv[1:5]
    attempt("export", root, copy, transcript, Directory(path, int(descriptor) if descriptor else None))


def _fill(transcript: str, archive: BinaryIO, text: BinaryIO) -> str:
    readable, masked = SessionMarkdown(), 0
    session = os.path.basename(transcript).removesuffix(".jsonl")
    _write(text, f"# Session {one_line(session, 140)}\n")
    with gzip.GzipFile(f"{session}.jsonl", "wb", _LEVEL, archive, mtime=0) as compressed:
        for piece in stream.masked(transcript):
            masked += piece.masked
            compressed.write(piece.data)
            if piece.is_end:
                for part in readable.of(piece.data) if piece.is_whole else [OMISSION]:
                    _write(text, part)
    counts = {"prompt": readable.prompts, "answer": readable.answers, "tool call": readable.calls}
    contents = ", ".join(counted(number, noun) for noun, number in counts.items())
    if masked:
        secrets = "1 secret that looks like a key is" if masked == 1 else f"{masked} secrets that look like keys are"
        contents += f"; {secrets} masked"
    _write(text, f"\n---\n\n{contents}.\n")
    return f"{contents}."


def _write(file: BinaryIO, text: str) -> None:
    file.write(text.encode("utf-8", "replace"))

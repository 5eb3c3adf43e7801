import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from shared.process import boundary, stdin
from tests import peak_memory, scratch

READER = (
    "import sys; sys.path.insert(0, sys.argv[1]); from shared.process import stdin\n"
    "stdin.IDLE_SECONDS = float(sys.argv[2]); sys.stdout.buffer.write(stdin.read(600))"
)
COMMAND = [sys.executable, "-c", READER, str(Path(__file__).parents[3]), "600"]


@contextmanager
def reader(idle: float = 0.5, **environ: str) -> Iterator["subprocess.Popen[bytes]"]:
    """A process that reads its stdin up to the detected end, and writes it to stdout.

    `idle` is the seconds of silence after which it gives up.
    """
    with subprocess.Popen(
        [*COMMAND[:-1], str(idle)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=dict(os.environ) | environ,
        bufsize=0,
    ) as process:
        yield process
        process.kill()


def read_output(process: "subprocess.Popen[bytes]") -> bytes:
    """What the process has read when it stops by itself, with its stdin still open."""
    assert process.stdout is not None
    return process.stdout.read()


def say(process: "subprocess.Popen[bytes]", text: bytes) -> None:
    assert process.stdin is not None
    process.stdin.write(text)


@pytest.mark.parametrize("text", [b"", b"{}", b"{", b"not JSON", b"\xff\x00", b'{"a": "\xc3\xa9"}\n'])
def test_all_of_a_closed_stdin_is_read(text: bytes) -> None:
    result = subprocess.run(COMMAND, input=text, capture_output=True, timeout=10, check=True)
    assert (result.stdout, result.stderr) == (text, b"")


def test_a_huge_document_is_read_whole() -> None:
    text = b'{"tool_response": "' + b"x}" * (10 << 20) + b'"}'
    result = subprocess.run(COMMAND, input=text, capture_output=True, timeout=10, check=True)
    assert result.stdout == text


@pytest.mark.skipif(sys.platform == "win32", reason="measured by POSIX's wait4")
def test_an_endless_event_takes_no_more_memory_than_the_largest_accepted(tmp_path: Path) -> None:
    """It is also refused, in one line of the log."""
    root = scratch.install(tmp_path)
    for size, most in (((stdin.MOST_BYTES - 100) >> 1, 100 << 20), (stdin.MOST_BYTES, 60 << 20), (50 << 20, 60 << 20)):
        event = b'{"hook_event_name":"None","tool_response":"' + b"x}" * size + b'"}'
        command, environ = scratch.command(root), scratch.environment(root)
        output, code, peak = peak_memory.measure(command, event, environ)
        assert (output, code) == (b"", 0)
        assert peak < most
        assert len(scratch.log(root)) == (0 if len(event) <= stdin.MOST_BYTES else 1)
        (tmp_path / "log" / "tidegauge.log").unlink(missing_ok=True)


def test_a_silent_stdin_is_given_up_in_time() -> None:
    """The client waits three seconds for a line, and ten for a hook."""
    assert stdin.PAUSE_SECONDS < stdin.IDLE_SECONDS < boundary.PATIENCE_SECONDS["statusline"] < 3


def test_an_event_of_thirty_two_megabytes_is_the_largest_accepted() -> None:
    assert stdin.MOST_BYTES == 32 * 1024 * 1024


def test_an_event_of_the_maximum_size_is_accepted_and_a_larger_one_refused() -> None:
    command = [part.replace("stdin.IDLE", "stdin.MOST_BYTES = 10 << 20; stdin.IDLE") for part in COMMAND]
    for size, is_kept in ((10 << 20, True), ((10 << 20) + 1, False)):
        event = b'{"a":"' + b"x" * (size - 8) + b'"}'
        result = subprocess.run(command, input=event, capture_output=True, timeout=10, check=False)
        assert result.stdout == (event if is_kept else b"")
        assert (b"ValueError: stdin held more than 10 MiB" in result.stderr) is not is_kept


@pytest.mark.parametrize("text", [b'{"a": 1}', b'{"\xff": "\xff"}'])
def test_a_complete_document_ends_an_unclosed_stdin_at_once(text: bytes) -> None:
    """It doesn't wait for the idle time, which would never end here."""
    with reader(600) as process:
        say(process, text)
        assert read_output(process) == text


def test_trailing_white_space_does_not_hide_the_end() -> None:
    with reader(600) as process:
        say(process, b'{"a": 1}\r\n')
        assert read_output(process) == b'{"a": 1}\r\n'


def test_a_document_in_pieces_is_waited_for() -> None:
    with reader() as process:
        for piece in (b'{"a": {"b": 1}', b', "c": "}', b'"}'):
            say(process, piece)
            time.sleep(4 * stdin.PAUSE_SECONDS)
        assert read_output(process) == b'{"a": {"b": 1}, "c": "}"}'


@pytest.mark.parametrize("text", [b"", b'{"a": 1'])
def test_an_unclosed_stdin_that_stays_silent_is_given_up(text: bytes) -> None:
    with reader() as process:
        say(process, text)
        assert read_output(process) == text


@pytest.mark.parametrize(("head", "rest"), [("", b"{}"), ('{"a": ', b"1}"), ('{"a": 1}', b""), ('{"é": ', b"1}")])
def test_the_launchers_head_comes_first(head: str, rest: bytes) -> None:
    environ = dict(os.environ) | {stdin.HEAD_VARIABLE: head}
    result = subprocess.run(COMMAND, input=rest, capture_output=True, timeout=10, check=True, env=environ)
    assert result.stdout == head.encode() + rest


def test_a_complete_head_ends_an_unclosed_stdin_at_once() -> None:
    with reader(600, **{stdin.HEAD_VARIABLE: '{"a": 1}'}) as process:
        assert read_output(process) == b'{"a": 1}'


def test_the_thread_in_place_of_select_reads_the_same() -> None:
    """Windows cannot select on a pipe."""
    command = [COMMAND[0], "-c", f"import sys; sys.platform = 'win32'; {READER}", *COMMAND[3:]]
    for text in (b"", b'{"a": 1}', b"junk" * 500_000):
        result = subprocess.run(command, input=text, capture_output=True, timeout=10, check=True)
        assert result.stdout == text


def test_the_thread_does_not_wait_after_a_complete_document() -> None:
    command = [COMMAND[0], "-c", f"import sys; sys.platform = 'win32'; {READER}", *COMMAND[3:]]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as process:
        say(process, b'{"a": 1}')
        assert process.wait(10) == 0
        assert read_output(process) == b'{"a": 1}'


def test_a_never_silent_stdin_is_read_for_a_bounded_time() -> None:
    command = [part.replace("stdin.read(600)", "stdin.read(0.3)") for part in [COMMAND[0], "-c", READER]] + COMMAND[3:]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        deadline = time.monotonic() + 8
        while process.poll() is None and time.monotonic() < deadline:
            try:
                process.stdin.write(b" ")
                process.stdin.flush()
            except BrokenPipeError:
                break
            time.sleep(0.02)
        assert process.wait(20) == 0

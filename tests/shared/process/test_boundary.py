import errno
import os
import stat
import subprocess
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest

from shared.process import boundary
from tests import scratch

Run = Callable[[str], "subprocess.CompletedProcess[bytes]"]
SPEAKS = "from shared import paths\ndef main(stdin, root): return stdin.upper()"


@pytest.fixture
def run(root: Path, tmp_path: Path) -> Run:
    """Run a process `fake` whose module has the given source, with `hello` on its stdin."""

    def run_fake(source: str) -> "subprocess.CompletedProcess[bytes]":
        (tmp_path / "fake.py").write_text(source)
        libraries = [sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
        scratch.write_entry(root, "fake", "fake", [str(tmp_path), str(scratch.REPOSITORY), *libraries])
        return scratch.run(root, b"hello", name="fake")

    return run_fake


def mark(root: Path) -> Path:
    return root / "run" / "failed-fake"


def test_an_answer_is_written_and_nothing_else(run: Run, root: Path) -> None:
    result = run(SPEAKS)
    assert (result.returncode, result.stdout, result.stderr) == (0, b"HELLO", b"")
    assert (scratch.log(root), mark(root).exists()) == ([], False)


def test_a_module_gets_the_root(run: Run, root: Path) -> None:
    assert run("def main(stdin, root): return root.encode()").stdout == os.fsencode(root)


@pytest.mark.parametrize("silence", ["b''", "None"])
def test_a_process_may_stay_silent(run: Run, silence: str) -> None:
    result = run(f"def main(stdin, root): return {silence}")
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")


def test_a_long_answer_is_written_whole(run: Run) -> None:
    assert run("def main(stdin, root): return b'x' * 5_000_000").stdout == b"x" * 5_000_000


FAILURES = {
    "an error": "def main(stdin, root): raise RuntimeError('wrong')",
    "an error in an error": "def main(stdin, root):\n try: 1 / 0\n except ZeroDivisionError: {}['wrong']",
    "a recursion": "def main(stdin, root): return main(stdin, root)",
    "no memory": "def main(stdin, root): raise MemoryError",
    "no text": "def main(stdin, root): '\\udcff'.encode()",
    "an unprintable problem": "class E(Exception):\n def __str__(self): raise self\ndef main(stdin, root): raise E",
    "a text for an answer": "def main(stdin, root): return 'text'",
    "no main": "x = 1",
    "broken source": "def main(:",
    "an import that fails": "import nothing_of_that_name\ndef main(stdin, root): return b'x'",
    "a failing import of ours": "from shared import nothing_of_that_name\ndef main(stdin, root): return b'x'",
}


@pytest.mark.parametrize("source", FAILURES.values(), ids=FAILURES.keys())
def test_on_any_failure_the_process_is_silent_and_exits_0(run: Run, source: str) -> None:
    result = run(source)
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")


@pytest.mark.parametrize("source", [source for name, source in FAILURES.items() if name != "an unprintable problem"])
def test_a_failure_is_one_line_in_the_log_and_a_mark(run: Run, root: Path, source: str) -> None:
    run(source)
    assert len(scratch.log(root)) == 1
    assert " fake: " in scratch.log(root)[0]
    assert mark(root).read_text() == scratch.log(root)[0]


def test_a_failure_is_logged_with_its_place(run: Run, root: Path) -> None:
    run(FAILURES["an error"])
    assert scratch.log(root)[0].endswith(" fake: RuntimeError: wrong (fake.py:1)")


def test_a_failure_is_logged_without_control_characters(run: Run, root: Path) -> None:
    run("def main(stdin, root): raise ValueError('a\\n\\x1b[31m\\u202e' + 'x' * 9_999)")
    line = mark(root).read_text()
    assert line.isprintable()
    assert len(scratch.log(root)) == 1
    assert len(line) <= 500


def test_the_mark_goes_with_the_next_success(run: Run, root: Path) -> None:
    run(FAILURES["an error"])
    assert mark(root).exists()
    run(SPEAKS)
    assert not mark(root).exists()


def test_every_failure_is_logged_and_the_log_stays_bounded(run: Run, root: Path) -> None:
    log = root.parents[1] / "log" / "tidegauge.log"
    log.parent.mkdir()
    assert boundary.LOG_LIMIT == 64 * 1024
    log.write_text("old\n" * (boundary.LOG_LIMIT // 4 + 1))
    run(FAILURES["an error"])
    run(FAILURES["an error"])
    assert len(scratch.log(root)) == 2
    assert log.with_name("tidegauge.log.1").stat().st_size <= boundary.LOG_LIMIT + 500


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
def test_log_and_mark_are_private(run: Run, root: Path) -> None:
    run(FAILURES["an error"])
    modes = {stat.S_IMODE(path.stat().st_mode) for path in (mark(root), root.parents[1] / "log" / "tidegauge.log")}
    assert modes == {0o600}


def test_a_failure_that_cannot_be_reported_is_silent_too(run: Run, root: Path) -> None:
    (root / "run").write_text("no directory")
    (root.parents[1] / "log").write_text("no directory")
    result = run(FAILURES["an error"])
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")


def test_a_half_replaced_environment_is_silent(root: Path) -> None:
    scratch.write_entry(root, "fake", "fake", [str(root)])
    result = scratch.run(root, b"hello", name="fake")
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")


def test_a_guard_may_block_on_purpose(run: Run) -> None:
    result = run(
        "from shared.process.boundary import ProcessAnswer\n"
        "def main(stdin, root): return ProcessAnswer(b'out', b'the reason', is_blocking=True)"
    )
    assert (result.returncode, result.stdout, result.stderr) == (2, b"out", b"the reason")


def test_a_part_that_fails_leaves_the_rest_and_a_mark(run: Run, root: Path) -> None:
    result = run(
        "from shared.process.boundary import attempt\n"
        "def main(stdin, root): return b'%r %r' % (attempt('fake', root, int, 'x'), attempt('fake', root, int, '7'))"
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, b"None 7", b"")
    assert len(scratch.log(root)) == 1
    assert mark(root).exists()


@pytest.mark.skipif(os.name == "nt", reason="descriptors of POSIX")
@pytest.mark.parametrize("closed", [0, 1, 2])
def test_a_closed_stream_is_no_error(run: Run, root: Path, closed: int) -> None:
    run(SPEAKS)
    result = subprocess.run(
        scratch.command(root, "fake"),
        capture_output=True,
        env=scratch.environment(root),
        stdin=subprocess.DEVNULL,
        preexec_fn=lambda: os.close(closed),
        timeout=10,
        check=False,
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")


@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
def test_a_client_that_stopped_reading_is_no_error(run: Run, root: Path) -> None:
    run(SPEAKS)
    reading, writing = os.pipe()
    os.close(reading)
    result = subprocess.run(
        scratch.command(root, "fake"),
        input=b"x" * 100_000,
        stdout=writing,
        stderr=subprocess.PIPE,
        env=scratch.environment(root),
        timeout=10,
        check=False,
    )
    os.close(writing)
    assert (result.returncode, result.stderr) == (0, b"")


def test_a_report_within_this_process_is_logged(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boundary, "_failures", [])
    boundary.report("monitor", str(root), OSError(errno.ENOSPC, "No space left on device"))
    assert scratch.log(root)[0].endswith(" monitor: OSError: [Errno 28] No space left on device (?)")

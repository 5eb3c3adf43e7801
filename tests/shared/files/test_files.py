import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest

from shared.files import files

POSIX = pytest.mark.skipif(os.name == "nt", reason="links and modes of POSIX")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_written_files_are_read_back(tmp_path: Path) -> None:
    path = tmp_path / "file"
    files.write_atomic(str(path), b"one")
    files.write_atomic(str(path), b"two")
    assert files.read_or_none(str(path)) == b"two"


class Count(msgspec.Struct, frozen=True):
    count: int = 0
    other: Any = None


def test_a_record_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b'{"count":7}')
    assert files.load(str(path), Count, None) == Count(7)


def test_a_record_of_javascript_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(rb'{"count":7,"other":"cut \ud83d"}')
    assert files.load(str(path), Count, None) == Count(7, "cut \ufffd")


@pytest.mark.parametrize(
    "document", [None, b"", b"{", b"[]", b'{"count":"7"}', b'{"other":"\xff"}', b'{"other":' + b"[" * 100_000]
)
def test_an_invalid_record_gives_the_default(tmp_path: Path, document: bytes | None) -> None:
    path = tmp_path / "file"
    if document is not None:
        path.write_bytes(document)
    assert files.load(str(path), Count, Count(3)) == Count(3)


def test_a_record_past_the_size_limit_gives_the_default(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b'{"count":7}')
    assert files.load(str(path), Count, None, limit=10) is None


@POSIX
@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_files_and_directories_are_private(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        files.write_atomic(str(tmp_path / "run" / "file"), b"")
        files.append_bounded(str(tmp_path / "log" / "file"), b"", 10)
    finally:
        os.umask(before)
    assert [mode(tmp_path / name) for name in ("run", "run/file", "log", "log/file")] == [0o700, 0o600, 0o700, 0o600]


@POSIX
def test_a_file_readable_by_others_is_private_when_replaced(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"")
    path.chmod(0o666)
    files.write_atomic(str(path), b"")
    assert mode(path) == 0o600


def test_a_file_gets_the_given_time(tmp_path: Path) -> None:
    path = tmp_path / "file"
    files.write_atomic(str(path), b"data", modified=1_700_000_000)
    assert path.stat().st_mtime == 1_700_000_000


def test_a_file_removed_meanwhile_is_no_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"

    def replace_and_prune(temporary: str, target: str, **at: int | None) -> None:
        os.rename(temporary, target, **at)
        path.unlink()

    monkeypatch.setattr(os, "replace", replace_and_prune)
    files.write_atomic(str(path), b"data", modified=1_700_000_000)
    assert not path.exists()


def test_writing_leaves_no_temporary_file(tmp_path: Path) -> None:
    files.write_atomic(str(tmp_path / "file"), b"data")
    assert os.listdir(tmp_path) == ["file"]


def test_a_failed_write_leaves_no_temporary_file_and_an_unchanged_target(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.mkdir()
    with pytest.raises(OSError, match="file"):
        files.write_atomic(str(path), b"data")
    assert os.listdir(tmp_path) == ["file"]


def test_readers_see_the_old_bytes_or_the_new(tmp_path: Path) -> None:
    path = tmp_path / "file"
    contents = [bytes([n]) * 300_000 for n in b"ab"]
    files.write_atomic(str(path), contents[0])
    writer = (
        "import sys; sys.path.insert(0, sys.argv[1]); from shared.files import files\n"
        "for n in range(300): files.write_atomic(sys.argv[2], b'ab'[n % 2 : n % 2 + 1] * 300_000)"
    )
    command = [sys.executable, "-c", writer, str(Path(__file__).parents[3]), str(path)]
    with subprocess.Popen(command) as process:
        while process.poll() is None:
            assert files.read_or_none(str(path)) in contents
    assert process.returncode == 0


def test_several_threads_may_write_one_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: files.write_atomic(str(path), b"%3d" % number * 1000), range(400)))

    assert path.stat().st_size == 3000
    assert os.listdir(tmp_path) == ["file"]


@POSIX
def test_a_link_is_replaced_and_not_followed(tmp_path: Path) -> None:
    victim, link = tmp_path / "victim", tmp_path / "link"
    victim.write_bytes(b"precious")
    link.symlink_to(victim)
    files.write_atomic(str(link), b"data")
    assert (victim.read_bytes(), link.read_bytes(), link.is_symlink()) == (b"precious", b"data", False)


@POSIX
def test_a_link_where_the_temporary_file_would_be_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    monkeypatch.setattr(os, "urandom", bytes)
    (tmp_path / f".file.{bytes(8).hex()}.tmp").symlink_to(victim)
    with pytest.raises(FileExistsError):
        files.write_atomic(str(tmp_path / "file"), b"data")
    assert victim.read_bytes() == b"precious"


@POSIX
def test_a_link_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "target").write_bytes(b"data")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    assert files.read_or_none(str(tmp_path / "link")) is None


@POSIX
def test_a_link_is_not_appended_to(tmp_path: Path) -> None:
    (tmp_path / "target").write_bytes(b"data")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    with pytest.raises(OSError, match="link"):
        files.append_bounded(str(tmp_path / "link"), b"more", 100)
    assert (tmp_path / "target").read_bytes() == b"data"


@POSIX
def test_a_pipe_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert files.read_or_none(str(tmp_path / "pipe")) is None


@pytest.mark.parametrize("path", ["", "\x00", "nowhere/at/all", "."])
def test_a_path_that_is_not_a_file_reads_as_none(path: str) -> None:
    assert files.read_or_none(path) is None


def test_a_file_beyond_the_limit_reads_as_none(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert files.read_or_none(str(path), limit=5) == b"12345"
    assert files.read_or_none(str(path), limit=4) is None


def test_an_empty_file_reads_as_empty_and_not_none(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert files.read_or_none(str(tmp_path / "file")) == b""


def test_a_log_is_rotated_and_one_older_kept(tmp_path: Path) -> None:
    path = tmp_path / "log"
    for n in range(100):
        files.append_bounded(str(path), b"line %3d\n" % n, 30)
    assert sorted(os.listdir(tmp_path)) == ["log", "log.1"]
    assert path.read_bytes().endswith(b"line  99\n")
    assert all((tmp_path / name).stat().st_size <= 30 + 9 for name in ("log", "log.1"))


def test_a_missing_file_has_no_size_and_needs_no_removal(tmp_path: Path) -> None:
    path = str(tmp_path / "none")
    files.remove(path)
    assert files.size(path) == -1
    assert files.size("\x00") == -1


def test_only_regular_files_have_a_size(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert [files.size(path) for path in (str(tmp_path / "pipe"), str(tmp_path), os.devnull)] == [-1] * 3


def test_a_links_size_is_its_targets(tmp_path: Path) -> None:
    (tmp_path / "target").write_bytes(b"12345")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    assert files.size(str(tmp_path / "link")) == 5


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="what a process holds open is seen under Linux")
def test_nothing_stays_open(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").write_bytes(b"x" * 100)
    before = len(os.listdir("/proc/self/fd"))
    for name, limit in (("pipe", 10), ("file", 10), ("file", 1000), ("missing", 10)):
        files.read_or_none(str(tmp_path / name), limit)
    with pytest.raises(OSError, match="not a regular file"):
        files.open_regular(str(tmp_path / "pipe"))
    files.append_bounded(str(tmp_path / "log"), b"line", 1000)
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_log_is_rotated_once_longer_than_its_limit(tmp_path: Path) -> None:
    path = tmp_path / "log"
    for _ in range(3):
        files.append_bounded(str(path), b"12345", 10)
    assert path.read_bytes() == b"12345" * 3
    files.append_bounded(str(path), b"12345", 10)
    assert path.read_bytes() == b"12345"


@POSIX
def test_another_users_file_reads_as_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_bytes(b"data")
    somebody_else = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: somebody_else)
    assert files.read_or_none(str(tmp_path / "file")) is None


@POSIX
def test_a_followed_link_may_lead_to_somebody_elses_file(tmp_path: Path) -> None:
    (tmp_path / "target").write_bytes(b"data")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    os.close(files.open_regular(str(tmp_path / "link")))
    with pytest.raises(OSError, match="link"):
        files.open_regular(str(tmp_path / "link"), is_ours=True)


def test_a_megabyte_is_read_unless_said_otherwise(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for size, is_read in ((1024 * 1024, True), (1024 * 1024 + 1, False)):
        path.write_bytes(bytes(size))
        assert (files.read_or_none(str(path)) is not None) is is_read

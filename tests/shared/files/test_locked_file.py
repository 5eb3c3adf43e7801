"""A file of ours that is changed in place: by one process at a time, and never through a link."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from shared.files import locked_file

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there an open file is not replaced")


def add(path: Path, text: bytes) -> None:
    with locked_file.locked(str(path)) as file:
        file.write(file.content + text)


def test_a_symbolic_link_is_refused(tmp_path: Path) -> None:
    victim = tmp_path / "precious.txt"
    victim.write_bytes(b"precious")
    path = tmp_path / "memory-s.json"
    path.symlink_to(victim)
    with pytest.raises(OSError, match="symbolic"):
        add(path, b" and ours")
    assert victim.read_bytes() == b"precious"


@pytest.mark.parametrize("most", [0, 5, 12])
def test_a_failed_write_keeps_the_old_contents(tmp_path: Path, most: int) -> None:
    """On a full disk a write is short, and the next one fails."""
    path = tmp_path / "memory-s.json"
    path.write_bytes(b"what was there")
    code = (
        "import resource, sys; from shared.files import locked_file\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({14 + most}, {14 + most}))\n"
        "with locked_file.locked(sys.argv[1]) as file: file.write(b'x' * 30)"
    )
    result = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=False)
    assert "OSError: [Errno 27]" in result.stderr
    assert path.read_bytes() == b"what was there"


@pytest.mark.parametrize("content", [b"", b"short", b"longer than what was there"])
def test_a_killed_process_leaves_what_it_has_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    path = tmp_path / "memory-s.json"
    path.write_bytes(b"what was there")
    monkeypatch.setattr(os, "ftruncate", lambda *_: os._exit(9))
    if not (child := os.fork()):
        with locked_file.locked(str(path)) as file:
            file.write(content)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    assert path.read_bytes().rstrip() == content


def test_each_process_waiting_for_a_replaced_file_gets_its_turn(tmp_path: Path) -> None:
    """The waiting processes hold the lock of a file that no longer exists."""
    path = tmp_path / "memory-s.json"
    path.write_bytes(b"")
    everyone = [threading.Thread(target=add, args=(path, b"x")) for _ in range(20)]
    with locked_file.locked(str(path)):
        for each in everyone:
            each.start()
        # In one step: a thread that starts late would create the file again between a removal and a write.
        (tmp_path / "other").write_bytes(b"new ")
        os.replace(tmp_path / "other", path)
    for each in everyone:
        each.join()
    assert path.read_bytes() == b"new " + b"x" * 20

"""A file of ours that is changed in place is ours alone: nothing that it is linked to is written."""

import os
import threading
from pathlib import Path

import pytest

from shared.files import files, locked_file

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there an open file is not replaced")


def add(path: Path, text: bytes) -> None:
    with locked_file.locked(str(path)) as file:
        file.write(file.content + text)


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    path = tmp_path / "precious.txt"
    path.write_bytes(b"precious")
    return path


def test_a_planted_hard_link_is_replaced_and_not_followed(tmp_path: Path, victim: Path) -> None:
    path = tmp_path / "run" / "memory-s.json"
    path.parent.mkdir()
    os.link(victim, path)
    add(path, b" and ours")
    assert victim.read_bytes() == b"precious"
    assert path.read_bytes() == b"precious and ours"
    assert os.listdir(path.parent) == [path.name]


def test_a_symbolic_link_is_refused(tmp_path: Path, victim: Path) -> None:
    path = tmp_path / "memory-s.json"
    path.symlink_to(victim)
    with pytest.raises(OSError, match="symbolic"):
        add(path, b" and ours")
    assert victim.read_bytes() == b"precious"


def test_of_those_who_wait_for_a_replaced_file_each_has_its_turn(tmp_path: Path, victim: Path) -> None:
    """Those who waited hold the lock of a file that is no longer there."""
    path = tmp_path / "memory-s.json"
    path.write_bytes(b"")
    everyone = [threading.Thread(target=add, args=(path, b"x")) for _ in range(20)]
    with locked_file.locked(str(path)):
        for each in everyone:
            each.start()
        # In one step: a thread that starts late would make the file anew between a removal and the link.
        os.link(victim, tmp_path / "link")
        os.replace(tmp_path / "link", path)
    for each in everyone:
        each.join()
    assert victim.read_bytes() == b"precious"
    assert path.read_bytes() == b"precious" + b"x" * 20


def test_a_hard_link_in_the_place_of_the_log_is_not_written_to(tmp_path: Path, victim: Path) -> None:
    log = tmp_path / "tidegauge.log"
    os.link(victim, log)
    files.append_bounded(str(log), b"failed\n", 1_000)
    assert (victim.read_bytes(), log.read_bytes()) == (b"precious", b"failed\n")

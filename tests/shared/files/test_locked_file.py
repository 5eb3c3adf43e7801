"""A file of ours that is changed in place: by one after another, and never through a link."""

import os
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


def test_of_those_who_wait_for_a_replaced_file_each_has_its_turn(tmp_path: Path) -> None:
    """Those who waited hold the lock of a file that is no longer there."""
    path = tmp_path / "memory-s.json"
    path.write_bytes(b"")
    everyone = [threading.Thread(target=add, args=(path, b"x")) for _ in range(20)]
    with locked_file.locked(str(path)):
        for each in everyone:
            each.start()
        # In one step: a thread that starts late would make the file anew between a removal and a write.
        (tmp_path / "other").write_bytes(b"new ")
        os.replace(tmp_path / "other", path)
    for each in everyone:
        each.join()
    assert path.read_bytes() == b"new " + b"x" * 20

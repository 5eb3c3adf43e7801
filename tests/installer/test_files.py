import os
import stat
from pathlib import Path

import pytest

from installer import files


def test_a_missing_file_reads_as_none(tmp_path: Path) -> None:
    assert files.read(str(tmp_path / "none")) is None


def test_a_file_is_replaced_whole_with_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "file"
    files.write(str(path), b"one", 0o640)
    files.write(str(path), b"two", 0o755)

    assert path.read_bytes() == b"two"
    assert stat.S_IMODE(path.stat().st_mode) == 0o755
    assert os.listdir(tmp_path) == ["file"]


def test_a_replacement_keeps_the_mode(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"one")
    path.chmod(0o604)

    assert files.replace_if(str(path), b"one", b"two")
    assert path.read_bytes() == b"two"
    assert stat.S_IMODE(path.stat().st_mode) == 0o604


@pytest.mark.parametrize("after", [b"three", None])
def test_what_has_changed_meanwhile_is_not_replaced(tmp_path: Path, after: bytes | None) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"two")

    assert not files.replace_if(str(path), b"one", after)
    assert path.read_bytes() == b"two"
    assert os.listdir(tmp_path) == ["file"]


def test_what_appeared_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"one")

    assert not files.replace_if(str(path), None, b"two")
    assert path.read_bytes() == b"one"


def test_a_failed_write_leaves_nothing_beside(tmp_path: Path) -> None:
    (tmp_path / "file").mkdir()

    with pytest.raises(OSError, match="directory"):
        files.write(str(tmp_path / "file"), b"one")

    assert os.listdir(tmp_path) == ["file"]


def test_the_leftover_of_a_killed_write_is_no_obstacle(tmp_path: Path) -> None:
    path = tmp_path / "file"
    (tmp_path / f".file.{os.getpid()}.tmp").write_bytes(b"half")
    files.write(str(path), b"one")

    assert os.listdir(tmp_path) == ["file"]

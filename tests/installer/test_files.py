import os
import re
import shutil
import stat
from pathlib import Path

import pytest

from installer import files
from installer.install_error import InstallError


def test_a_missing_file_reads_as_none(tmp_path: Path) -> None:
    assert files.read(str(tmp_path / "none")) is None


@pytest.mark.parametrize("contents", [b"", b"{", b"\xff", b"[" * 200_000, b'{"a":' * 5_000, b"9" * 5_000])
def test_our_damaged_file_loads_as_none(tmp_path: Path, contents: bytes) -> None:
    (tmp_path / "file").write_bytes(contents)
    assert files.load(str(tmp_path / "file")) == {}
    assert files.load(str(tmp_path / "none")) == {}


@pytest.mark.skipif(os.name == "nt", reason="pipes with names")
def test_a_pipe_does_not_block(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with pytest.raises(OSError, match="not a regular file"):
        files.read(str(path))
    files.remove_tree(str(path))
    assert os.listdir(tmp_path) == []


def test_a_tree_is_removed_but_of_a_link_only_the_link(tmp_path: Path) -> None:
    (tmp_path / "tree" / "branch").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "tree")
    files.remove_tree(str(tmp_path / "link"))
    assert os.listdir(tmp_path) == ["tree"]
    for _ in range(2):
        files.remove_tree(str(tmp_path / "tree"))
        assert os.listdir(tmp_path) == []


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
def test_a_file_changed_meanwhile_is_not_replaced(tmp_path: Path, after: bytes | None) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"two")

    assert not files.replace_if(str(path), b"one", after)
    assert path.read_bytes() == b"two"
    assert os.listdir(tmp_path) == ["file"]


def test_a_file_created_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"one")

    assert not files.replace_if(str(path), None, b"two")
    assert path.read_bytes() == b"one"


def test_a_failed_write_leaves_no_temporary_file(tmp_path: Path) -> None:
    (tmp_path / "file").mkdir()

    with pytest.raises(OSError, match="directory"):
        files.write(str(tmp_path / "file"), b"one")

    assert os.listdir(tmp_path) == ["file"]


def test_the_leftovers_of_killed_writes_are_removed_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b"twin")
    names = [".settings.json.tmp", "settings.json.1.tmp", ".settings.json.1a.tmp", ".other.json.1.tmp"]
    for name in [".settings.json.tidegauge-0123456789abcdef.tmp", *names]:
        (tmp_path / name).write_bytes(b"half")
    (tmp_path / ".settings.json.tidegauge-18.tmp").symlink_to(path)
    files.remove_leftovers(str(path.parent), path.name)

    assert sorted(os.listdir(tmp_path)) == sorted([*names, ".settings.json.tidegauge-18.tmp", "settings.json"])


def test_a_planted_temporary_link_is_neither_followed_nor_overwritten(tmp_path: Path) -> None:
    mine, path = tmp_path / "mine", tmp_path / "settings.json"
    mine.write_bytes(b"mine")
    for name in (f".settings.json.{os.getpid()}.tmp", "settings.json"):
        os.link(mine, tmp_path / name)
    files.write(str(path), b"new")
    files.remove_leftovers(str(path.parent), path.name)

    assert (mine.read_bytes(), path.read_bytes()) == (b"mine", b"new")


def test_unremovable_files_are_named_and_the_rest_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "stuck").mkdir()
    (tmp_path / "file").touch()
    monkeypatch.setattr(shutil, "rmtree", lambda *_, **__: None)
    with pytest.raises(InstallError, match=re.escape(f"{tmp_path}/stuck: cannot be removed; delete it by hand")):
        files.remove_trees([f"{tmp_path}/stuck", f"{tmp_path}/file"])
    assert os.listdir(tmp_path) == ["stuck"]

"""An open directory stays the same one, whatever is put in its place."""

import errno
import os
import stat
import sys
from pathlib import Path

import pytest

from shared.files.directory import opened

ELSEWHERE = os.path.abspath("elsewhere")
links = pytest.mark.skipif(sys.platform == "win32", reason="needs a privilege there")


@pytest.fixture
def start(tmp_path: Path) -> Path:
    path = Path(os.path.realpath(tmp_path)) / "start"
    path.mkdir()
    return path


def test_missing_parent_directories_are_created_private(start: Path) -> None:
    with opened(str(start), os.path.join("a", ".", "b"), make=True) as directory:
        assert directory.path == str(start / "a" / "b")
        assert directory.names() == frozenset()
    if sys.platform != "win32":
        assert {stat.S_IMODE(path.stat().st_mode) for path in (start / "a", start / "a" / "b")} == {0o700}


def test_nothing_is_created_unasked(start: Path) -> None:
    with pytest.raises(FileNotFoundError), opened(str(start), "a"):
        pass
    assert list(start.iterdir()) == []


def test_files_are_made_read_renamed_and_removed(start: Path) -> None:
    with opened(str(start)) as directory:
        directory.create("new").close()
        directory.write_atomic("new", b"text")
        directory.rename("new", "renamed")
        assert directory.read_or_none("renamed") == b"text"
        assert directory.status("renamed").st_size == 4
        directory.make_directory("inner")
        with directory.directory("inner") as inner:
            inner.write_atomic("file", b"")
            with pytest.raises(OSError, match="inner"):
                directory.remove_directory("inner")
            inner.remove("file")
        directory.remove_directory("inner")
        directory.remove("renamed")
        directory.remove("renamed")
        assert directory.names() == frozenset()


def test_a_write_does_not_recreate_a_removed_directory(start: Path) -> None:
    with opened(str(start), "a", make=True) as directory:
        os.rmdir(start / "a")
        with pytest.raises(FileNotFoundError):
            directory.write_atomic("file", b"")


@pytest.mark.parametrize(
    ("filename", "named"), [(None, "start/a"), ("entry", "start/a"), (5, "start/a"), (ELSEWHERE, ELSEWHERE)]
)
def test_an_error_names_the_directory_by_its_whole_path(start: Path, filename: object, named: str) -> None:
    with pytest.raises(OSError, match="No space left") as raised, opened(str(start), "a", make=True):
        raise OSError(errno.ENOSPC, "No space left on device", filename)
    assert raised.value.filename == os.path.join(start.parent, named)


def test_an_error_names_the_file_in_a_directorys_place_by_its_whole_path(start: Path) -> None:
    (start / "a").touch()
    with pytest.raises(NotADirectoryError) as raised, opened(str(start), os.path.join("a", "b"), make=True):
        pass
    assert raised.value.filename == str(start / "a")


@links
@pytest.mark.parametrize("step", ["a", os.path.join("a", "b")])
@pytest.mark.parametrize("make", [True, False])
def test_a_link_at_any_step_is_refused(start: Path, tmp_path: Path, step: str, make: bool) -> None:
    (tmp_path / "outside" / "b").mkdir(parents=True)
    (start / step).parent.mkdir(exist_ok=True)
    (start / step).symlink_to(tmp_path / "outside")
    with (
        pytest.raises(OSError, match=r"directory|link|symbolic"),
        opened(str(start), os.path.join("a", "b"), make=make),
    ):
        pass


@pytest.mark.skipif(sys.platform == "win32", reason="names by path alone")
def test_a_link_in_its_place_lets_nothing_out(start: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "theirs").touch()
    with opened(str(start), "a", make=True) as directory:
        os.rename(start / "a", start / "aside")
        (start / "a").symlink_to(outside)
        directory.write_atomic("file", b"text")
        directory.make_directory("inner")
        directory.remove("theirs")
        assert directory.names() == {"file", "inner"}
    assert [path.name for path in outside.iterdir()] == ["theirs"]

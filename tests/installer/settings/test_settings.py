import errno
import os
import shutil
import stat
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from installer import files
from installer.install_error import InstallError
from installer.settings import settings


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "client" / "settings.json"


def written(path: Path, contents: bytes) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(contents)
    return path


def append(before: bytes | None) -> bytes | None:
    return (before or b"") + b"+"


def test_a_missing_file_is_created_private(path: Path) -> None:
    assert settings.replace(str(path), append) == (None, b"+")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert settings.backups(str(path)) == []


def test_a_replaced_file_has_a_backup_of_its_mode(path: Path) -> None:
    written(path, b"{}").chmod(0o640)
    settings.replace(str(path), append)
    [backup] = settings.backups(str(path))

    assert Path(backup).read_bytes() == b"{}"
    assert stat.S_IMODE(os.stat(backup).st_mode) == stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_file_that_cannot_be_replaced_gets_no_backup(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(path, b"{}")

    def full(*_: object) -> bool:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(files, "replace_if", full)
    with pytest.raises(InstallError, match=r"settings\.json: cannot be replaced: No space left on device"):
        settings.replace(str(path), append)

    assert settings.backups(str(path)) == []
    assert path.read_bytes() == b"{}"


def test_without_a_change_nothing_is_written(path: Path) -> None:
    written(path, b"{}")
    before = path.stat()
    settings.replace(str(path), lambda contents: contents)

    assert path.stat() == before
    assert settings.backups(str(path)) == []


def test_only_the_newest_backups_are_kept(path: Path) -> None:
    written(path, b"")
    foreign = path.with_name("settings.json.bak")
    foreign.write_bytes(b"mine")
    for _ in range(settings.MOST_BACKUPS + 3):
        settings.replace(str(path), append)

    backups = [Path(backup).read_bytes() for backup in settings.backups(str(path))]
    assert backups == [b"+++", b"++++", b"+++++", b"++++++", b"+++++++"]
    assert foreign.read_bytes() == b"mine"


def test_a_link_stays_a_link(path: Path, tmp_path: Path) -> None:
    target = written(tmp_path / "dotfiles" / "claude.json", b"{}")
    path.parent.mkdir()
    path.symlink_to("../dotfiles/claude.json")
    settings.replace(str(path), append)

    assert path.is_symlink()
    assert target.read_bytes() == b"{}+"
    assert os.listdir(target.parent) == ["claude.json"]
    assert len(settings.backups(str(path))) == 1


def test_another_programs_simultaneous_change_is_kept(path: Path) -> None:
    written(path, b"one")

    def edit(before: bytes | None) -> bytes | None:
        if before == b"one":
            path.write_bytes(b"two")
        return append(before)

    assert settings.replace(str(path), edit) == (b"two", b"two+")
    assert path.read_bytes() == b"two+"
    assert [Path(backup).read_bytes() for backup in settings.backups(str(path))] == [b"two"]


def test_a_constantly_changing_file_is_left_unchanged(path: Path) -> None:
    written(path, b"")

    def edit(before: bytes | None) -> bytes | None:
        path.write_bytes((before or b"") + b".")
        return append(before)

    with pytest.raises(InstallError, match="keeps changing"):
        settings.replace(str(path), edit)

    assert b"+" not in path.read_bytes()
    assert os.listdir(path.parent) == ["settings.json"]


def test_a_byte_order_mark_is_skipped() -> None:
    assert settings.text_of("x", b"\xef\xbb\xbf{}") == "{}"


def test_text_that_is_not_utf8_is_refused_at_its_place() -> None:
    with pytest.raises(InstallError, match=r"^x:2:3: not UTF-8"):
        settings.text_of("x", "{\n ä".encode() + b"\xff}")


def test_a_directory_is_refused(path: Path) -> None:
    path.mkdir(parents=True)

    with pytest.raises(InstallError, match="not a plain file"):
        settings.read(str(path))


def test_a_link_to_itself_is_refused(path: Path) -> None:
    path.parent.mkdir()
    path.symlink_to(path)

    with pytest.raises(InstallError, match="cannot be read"):
        settings.read(str(path))


def test_a_dangling_link_is_refused_if_it_cannot_be_followed(path: Path) -> None:
    path.parent.mkdir()
    path.symlink_to("nowhere/settings.json")

    with pytest.raises(InstallError, match="cannot be replaced"):
        settings.replace(str(path), append)

    assert path.is_symlink()


def test_backups_with_known_contents_are_removed(path: Path) -> None:
    written(path, b"")
    for _ in range(3):
        settings.replace(str(path), append)
    settings.remove_backups(str(path), [files.digest(b"+"), files.digest(b"none")])

    assert [Path(backup).read_bytes() for backup in settings.backups(str(path))] == [b"", b"++"]


TEXTS = st.none() | st.lists(st.sampled_from(["a", "b", "\u2028", "\n", "\r\n", "\x0b"])).map("".join)


@pytest.mark.skipif(shutil.which("patch") is None, reason="needs patch")
@given(TEXTS, TEXTS)
def test_the_difference_can_be_applied_by_patch(before: str | None, after: str | None) -> None:
    diff = settings.diff("settings.json", before, after)
    if not diff:
        assert (before or "") == (after or "")
        return
    with tempfile.TemporaryDirectory() as directory:
        file = Path(directory) / "file"
        if before is not None:
            file.write_bytes(before.encode())
        command = ["patch", "--binary", "--silent", "--remove-empty-files", str(file)]
        subprocess.run(command, input=diff.encode(), check=True)

        assert (file.read_bytes() if file.exists() else b"") == (after or "").encode()


def test_a_hard_link_is_refused_and_both_names_keep_their_contents(path: Path) -> None:
    written(path, b"{}")
    twin = path.with_name("twin.json")
    os.link(path, twin)

    with pytest.raises(InstallError, match="a hard link, whose other name would keep the old contents"):
        settings.replace(str(path), append)
    assert (path.read_bytes(), twin.read_bytes(), path.stat().st_nlink) == (b"{}", b"{}", 2)


def test_a_killed_installers_leftovers_are_cleaned_up(path: Path) -> None:
    written(path, b"{}")
    path.with_name(".settings.json.tidegauge-4711.tmp").write_bytes(b"a whole copy")
    settings.replace(str(path), append)

    assert [name for name in os.listdir(path.parent) if name.endswith(".tmp")] == []

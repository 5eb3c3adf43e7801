"""Two installers never work on one installation."""

import os
import sys
from pathlib import Path

import pytest

from installer.install_error import InstallError
from installer.program import lock


def test_a_second_installer_is_refused_until_the_first_has_ended(tmp_path: Path) -> None:
    refused = pytest.raises(InstallError, match="another installation is running")
    with lock.locked(str(tmp_path)), refused, lock.locked(str(tmp_path)):
        pass
    with lock.locked(str(tmp_path)):
        assert list(tmp_path.iterdir()) == []


def test_without_an_installation_there_is_nothing_to_lock(tmp_path: Path) -> None:
    with lock.locked(str(tmp_path / "none")):
        assert not (tmp_path / "none").exists()


def test_on_windows_a_file_in_the_directory_is_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(os, "O_TEMPORARY", 0, raising=False)  # has it removed when it is closed

    refused = pytest.raises(InstallError, match="another installation is running")
    with lock.locked(str(tmp_path)), refused, lock.locked(str(tmp_path)):
        pass

    assert [path.name for path in tmp_path.iterdir()] == [".tidegauge.lock"]

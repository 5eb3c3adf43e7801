"""Two installers never work on one installation."""

import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from installer.install_error import InstallError
from installer.program import lock


def test_a_second_one_is_refused_until_the_first_has_ended(tmp_path: Path) -> None:
    refused = pytest.raises(InstallError, match="another installation is running")
    with lock.hold(str(tmp_path)), refused, lock.hold(str(tmp_path)):
        pass
    with lock.hold(str(tmp_path)):
        assert list(tmp_path.iterdir()) == []


def test_where_nothing_is_installed_yet_there_is_nothing_to_lock(tmp_path: Path) -> None:
    with lock.hold(str(tmp_path / "none")):
        assert not (tmp_path / "none").exists()


def on_windows(monkeypatch: pytest.MonkeyPatch, locked: list[int]) -> ModuleType:
    """The module as it is imported there, with a lock that only one may have."""

    def locking(descriptor: int, _mode: int, _bytes: int) -> None:
        number = os.fstat(descriptor).st_ino
        if number in locked:
            raise OSError("locked")
        locked.append(number)

    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(os, "O_TEMPORARY", 0, raising=False)
    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(LK_NBLCK=1, locking=locking))
    spec = importlib.util.spec_from_file_location("lock_on_windows", lock.__file__)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_on_windows_a_file_in_the_directory_is_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    locked: list[int] = []
    there = on_windows(monkeypatch, locked)
    refused = pytest.raises(InstallError, match="another installation is running")
    with there.hold(str(tmp_path)), refused, there.hold(str(tmp_path)):
        pass

    assert locked == [(tmp_path / ".tidegauge.lock").stat().st_ino]

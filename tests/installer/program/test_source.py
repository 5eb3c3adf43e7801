"""The installed copy of the program."""

import shutil
from pathlib import Path

import pytest

from installer.program import source

REPOSITORY = Path(__file__).parents[3]


def test_the_first_of_all_uncopyable_files_is_the_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a full disk there are hundreds."""
    reason = "[Errno 28] No space left on device: 'b'"

    def fail(*_: object, **__: object) -> None:
        raise shutil.Error([("a", "b", reason), ("c", "d", "another")])

    monkeypatch.setattr(shutil, "copytree", fail)
    with pytest.raises(OSError, match=r"^\[Errno 28\] No space left on device: 'b'$"):
        source.copy(str(REPOSITORY), str(tmp_path / "program"))

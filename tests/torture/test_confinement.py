import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.torture.confinement import confined


def test_nothing_is_written_elsewhere_during_confinement(tmp_path: Path, tried: Callable[[], None]) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    writes: list[Callable[[Path], object]] = [Path.touch, Path.mkdir, lambda path: path.symlink_to("/nowhere")]
    for number, write in enumerate(writes):
        tried()
        with confined(str(folder), may_start=True):
            write(folder / f"{number}")
            with pytest.raises(PermissionError):
                write(tmp_path / f"{number}")
        write(tmp_path / f"{number}")

    assert len(list(folder.iterdir())) == len(writes)


@pytest.mark.parametrize("may_start", [True, False])
def test_no_process_is_started_unless_allowed(tmp_path: Path, tried: Callable[[], None], *, may_start: bool) -> None:
    tried()
    command = [sys.executable, "-I", "-S", "-c", ""]
    with confined(str(tmp_path), may_start=may_start):
        if may_start:
            assert subprocess.run(command, check=False).returncode == 0
        else:
            with pytest.raises(PermissionError):
                subprocess.run(command, check=False)

"""install.py under any Python, in any surroundings."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY
from tests.installer.conftest import Home

# An interpreter that is too old, whatever else this machine has.
OLD = "import sys; sys.path[0] = sys.argv[1]; import install; install.NEEDED = (3, 99); sys.exit(install.main())"
NEW = '#!/bin/sh\n[ "$2" = -c ] || echo "$0 goes on: $*"\n'


def start_with_an_old_python(home: Path, *directories: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", OLD, str(REPOSITORY), "--dry-run"],
        env={"HOME": str(home), "PATH": os.pathsep.join(map(str, directories))},
        capture_output=True,
        text=True,
        check=False,
    )


def python(path: Path, script: str = NEW) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(script, encoding="utf-8")
    path.chmod(0o755)
    return path


def test_an_old_python_restarts_with_a_newer_one(tmp_path: Path) -> None:
    broken = python(tmp_path / "shims" / "python3.18", "#!/bin/sh\nexit 127\n")
    newer = python(tmp_path / "bin" / "python3.17")
    result = start_with_an_old_python(tmp_path, broken.parent, newer.parent)

    assert result.stdout == f"{newer} goes on: -I {REPOSITORY}/install.py {REPOSITORY} --dry-run\n"


def test_without_a_newer_one_it_says_what_to_install(tmp_path: Path) -> None:
    result = start_with_an_old_python(tmp_path)

    assert (result.returncode, result.stderr.count("\n")) == (1, 1)
    assert result.stderr.startswith("install.py: Python 3.99 or newer is needed, and there is none here; install one: ")


@pytest.mark.usefixtures("copying")
def test_code_in_a_folder_on_pythonpath_is_not_run(home: Home, tmp_path: Path) -> None:
    for name in ("argparse", "installer", "json"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('hijacked')", encoding="utf-8")
    result = home.install("--dry-run", PYTHONPATH=str(tmp_path))

    assert (result.returncode, result.stderr) == (0, "")

"""A real installation: `python3 install.py` run in an empty home (conftest.py), network and all."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY, InstalledHome

BARE = {"PATH": "/usr/bin:/bin"}


def commands(home: InstalledHome) -> tuple[str, str]:
    settings = json.loads(home.settings.read_bytes())
    groups = settings["hooks"]["PostToolUse"]
    return settings["statusLine"]["command"], groups[0]["hooks"][0]["command"]


def test_the_written_commands_answer_from_any_directory(installed_home: InstalledHome, tmp_path: Path) -> None:
    # A project may have folders with our names; they must not be run.
    for name in ("shared", "statusline", "monitor"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise SystemExit(3)", encoding="utf-8")
    window = {"context_window_size": 200_000, "used_percentage": 71, "remaining_percentage": 29}
    payload = json.dumps({"session_id": "any-directory", "context_window": window}).encode()
    for command in commands(installed_home):
        result = subprocess.run(
            ["sh", "-c", command], check=False, cwd=tmp_path, env=BARE, input=payload, capture_output=True
        )

        assert (result.returncode, result.stderr) == (0, b"")


def test_nothing_refers_to_the_clone(installed_home: InstalledHome) -> None:
    clone = os.fsencode(REPOSITORY)
    files = [path for path in installed_home.root.rglob("*") if path.is_file() and not path.is_symlink()]
    leading_back = {path.name for path in files if clone in path.read_bytes()}

    # pip notes a package's origin, and venv the Python that made it; neither is read again.
    assert leading_back <= {"direct_url.json", "pyvenv.cfg", "uv_cache.json"}


def test_every_importable_module_is_compiled(installed_home: InstalledHome) -> None:
    """A module that a command compiles on a full disk is left half written, and every later import of it fails."""
    packages = next((installed_home.root / "environment").rglob("site-packages"))
    sources = [*packages.rglob("*.py"), *(installed_home.root / "environment" / "program").rglob("*.py")]
    bare = [path for path in sources if not list(path.parent.glob(f"__pycache__/{path.stem}.*.pyc"))]

    assert {"tomlkit", "yaml", "statusline"} < {path.parent.name for path in sources}
    assert bare == []


@pytest.mark.parametrize("script", ["statusline", "monitor"])
def test_hooks_compile_nothing(installed_home: InstalledHome, tmp_path: Path, script: str) -> None:
    """Older Pythons leave half a compiled file on a full disk, which breaks every later import."""
    (tmp_path / "late.py").write_text("")
    entry = (installed_home.root / "bin" / f"{script}.py").read_text("utf-8")
    begin = entry.partition("    from shared.process.boundary")[0]
    program = f"{begin}    sys.path.append({str(tmp_path)!r})\n    import late\nfinally: pass"
    python = installed_home.root / "environment" / "bin" / "python"
    subprocess.run([python, "-I", "-S", "-c", program], check=True)

    assert list(tmp_path.iterdir()) == [tmp_path / "late.py"]


@pytest.mark.parametrize(("script", "module"), [("statusline", "statusline.line"), ("monitor", "monitor.dispatch")])
def test_processes_import_from_the_bundle(installed_home: InstalledHome, script: str, module: str) -> None:
    begin = (
        (installed_home.root / "bin" / f"{script}.py")
        .read_text("utf-8")
        .partition("    from shared.process.boundary")[0]
    )
    program = f"{begin}    import {module}\nfinally: print(type(sys.modules[{module!r}].__spec__.loader).__name__)"
    python = installed_home.root / "environment" / "bin" / "python"
    result = subprocess.run([python, "-I", "-S", "-c", program], capture_output=True, text=True, check=True)

    assert result.stdout == "Bundle\n"


def test_the_environment_holds_only_what_is_needed_to_run(installed_home: InstalledHome) -> None:
    packages = next(installed_home.root.glob("environment/lib/python*/site-packages"))

    assert not [path for path in packages.iterdir() if path.name.startswith(("pip", "setuptools", "hatchling"))]


def test_the_directories_are_the_persons(installed_home: InstalledHome) -> None:
    directories = json.loads((installed_home.root / "directories.json").read_bytes())

    assert set(directories) == {"config", "log", "history"}
    assert all(Path(path).is_relative_to(installed_home.home) for path in directories.values())


@pytest.mark.parametrize("text", ["71%", "CONTEXT WINDOW ", " — 29% remaining (71% used)."])
def test_the_installer_has_shown_what_it_does(installed_home: InstalledHome, text: str) -> None:
    assert text in installed_home.output


def test_run_time_state_is_private(installed_home: InstalledHome) -> None:
    assert (installed_home.root / "run").stat().st_mode & 0o777 == 0o700

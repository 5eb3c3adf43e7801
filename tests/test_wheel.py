"""The built wheel: one package, one command, and the same installer (network and all, for the packages)."""

import os
import sys
from pathlib import Path

import pytest

from installer.program import environment
from tests.conftest import REPOSITORY
from tests.installer.conftest import Home, home

__all__ = ["home"]  # a fixture


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with only the built wheel installed, as pipx and uvx make it."""
    place = tmp_path_factory.mktemp("wheel") / "environment"
    # Built by .venv's backend, which is pinned by hash: pip and uv would fetch the newest.
    built = place.with_name("built")
    environment.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(built)], cwd=str(REPOSITORY))
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PATH", os.path.dirname(sys.executable), prepend=os.pathsep)  # uv, ten times as fast
        patched.setenv("UV_CACHE_DIR", str(place.with_name("cache")))
        environment.build(str(place), ["--no-deps", *map(str, built.glob("*.whl"))])
    return place


def test_nothing_with_a_generic_name_is_installed(wheel: Path) -> None:
    packages = next(wheel.glob("lib/python3.*/site-packages"))
    ours = {name for name in os.listdir(packages) if name != "__pycache__" and not name.endswith((".pth", ".py"))}

    assert {name.partition("-")[0] for name in ours} <= {
        "tidegauge",
        "pip",
        "setuptools",
        "distutils",
        "_distutils_hack",
    }
    assert "tidegauge" in ours
    assert (wheel / "bin" / "tidegauge").exists()


def test_the_reports_page_is_in_it_with_its_libraries_and_their_licences(wheel: Path) -> None:
    packages = next(wheel.glob("lib/python3.*/site-packages"))
    page = REPOSITORY / "history" / "page"
    parts = {
        path.relative_to(REPOSITORY).as_posix() for path in page.rglob("*") if path.is_file() and path.suffix != ".pyc"
    }

    assert {part for part in parts if not (packages / "tidegauge" / "_program" / part).exists()} == set()
    assert "history/page/vendored/uplot/LICENSE" in parts


def test_the_bridges_schema_is_in_it(wheel: Path) -> None:
    packages = next(wheel.glob("lib/python3.*/site-packages"))
    schema = (REPOSITORY / "docs" / "bridge.schema.json").read_bytes()

    assert (packages / "tidegauge" / "bridge.schema.json").read_bytes() == schema


def test_the_table_of_secrets_is_in_it(wheel: Path) -> None:
    packages = next(wheel.glob("lib/python3.*/site-packages"))
    table = "shared/secrets/tables.txt"

    assert (packages / "tidegauge" / "_program" / table).read_bytes() == (REPOSITORY / table).read_bytes()


def test_the_conformance_cases_are_in_it(wheel: Path) -> None:
    packages = next(wheel.glob("lib/python3.*/site-packages"))
    cases = "commands/conformance/cases"
    names = {path.name for path in (packages / "tidegauge" / "_program" / cases).iterdir()}

    assert names == {path.name for path in (REPOSITORY / cases).iterdir()}
    assert names


def test_it_installs_and_uninstalls_the_program(wheel: Path, home: Home) -> None:
    command = str(wheel / "bin" / "tidegauge")
    before = home.tree()
    installed = home.run([command, "install", "--yes"], {})
    assert (installed.returncode, installed.stderr) == (0, "")
    assert "CONTEXT WINDOW " in installed.stdout
    assert home.tidegauge("--version").stdout == "tidegauge 0.1.0\n"
    assert home.run([command, "status", "--help"], {}).stdout == home.tidegauge("status", "--help").stdout
    result = home.run([command, "uninstall", "--yes"], {})

    assert (result.returncode, result.stderr) == (0, "")
    assert home.tree() == before


def test_before_it_is_installed_it_says_what_to_do(wheel: Path, home: Home) -> None:
    result = home.run([str(wheel / "bin" / "tidegauge"), "status"], {})

    assert (result.returncode, result.stderr) == (1, "tidegauge: not installed yet; run: tidegauge install\n")

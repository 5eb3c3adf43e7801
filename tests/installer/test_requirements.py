"""The installed packages: exact versions with hashes, honoured by pip and uv."""

import hashlib
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from installer.install_error import InstallError
from installer.program import environment, source
from tests.conftest import REPOSITORY

PINNED = re.compile(r"^([\w.-]+)==([\w.+!-]+)(?: ;.*)? \\\n((?: +--hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", re.MULTILINE)


def pinned(name: str) -> dict[str, str]:
    """The version of each package in a file of requirements; every one of them has hashes."""
    text = (REPOSITORY / "requirements" / name).read_text(encoding="utf-8")
    assert PINNED.sub("", text).splitlines() == ["# Made by `python3 -m tests.lock` from pyproject.toml."]
    return {match[1]: match[2] for match in PINNED.finditer(text)}


def test_requirements_match_pyproject() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    program, extras = project["project"]["dependencies"], project["project"]["optional-dependencies"]
    others = [*project["build-system"]["requires"], *project["dependency-groups"]["dev"]]
    wanted = {
        "program.txt": program,
        **{f"{name}.txt": asked for name, asked in extras.items()},
        "dev.txt": [*program, *chain(*extras.values()), *others],
        "clickhouse.txt": project["dependency-groups"]["clickhouse"],
    }
    for name, asked in wanted.items():
        versions = pinned(name)
        for requirement in map(Requirement, asked):
            assert requirement.specifier.contains(versions[requirement.name]), (name, requirement)


def test_the_tests_use_the_installed_versions() -> None:
    names = {path.name for path in REPOSITORY.glob("requirements/*.txt")}

    for name in names - {"dev.txt", "clickhouse.txt"}:
        assert pinned(name).items() <= pinned("dev.txt").items()


def test_an_extras_requirements_add_to_the_programs() -> None:
    for extra in ("watch", "otlp"):
        assert not pinned("program.txt").keys() & pinned(f"{extra}.txt").keys()


def test_a_copy_of_the_program_has_the_requirements(tmp_path: Path) -> None:
    source.copy(str(REPOSITORY), str(tmp_path / "copy"))

    for extras in ((), ("watch",), ("watch", "otlp")):
        words = source.requirements(str(tmp_path / "copy"), extras)
        assert words[0] == "--require-hashes"
        assert words[1::2] == ["-r"] * (1 + len(extras))
        assert all(os.path.isfile(path) for path in words[2::2])


WAYS: dict[str, set[str]] = {"uv": set(), "own pip": {"ensurepip", "venv"}, "outer pip": {"pip", "venv"}}
"""The modules that each of them needs."""


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """The genuine tool alone, pip or uv."""
    directory = os.path.dirname(sys.executable) if request.param == "uv" else str(tmp_path)
    monkeypatch.setenv("PATH", f"{directory}:/usr/bin:/bin")
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(environment, "_importable", WAYS[request.param].__contains__)
    if request.param == "outer pip":
        monkeypatch.setattr(sys, "executable", os.path.realpath(sys.executable))
        if subprocess.run(
            [sys.executable, "-I", "-m", "pip", "--version"], capture_output=True, check=False
        ).returncode:
            pytest.skip(f"{sys.executable} has no pip")
    return str(request.param)


def requirements(directory: Path, digest: str | None) -> list[str]:
    """A requirement of the package `thing` from our own index."""
    wheel = directory / "thing-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as file:
        file.writestr("thing.py", "")
        file.writestr("thing-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: thing\nVersion: 1.0\n")
        file.writestr("thing-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        file.writestr("thing-1.0.dist-info/RECORD", "thing.py,,\n")
    digest = digest or hashlib.sha256(wheel.read_bytes()).hexdigest()
    path = directory / "requirements.txt"
    path.write_text(f"--no-index\n--find-links {directory}\nthing==1.0 --hash=sha256:{digest}\n", encoding="utf-8")
    return ["--require-hashes", "-r", str(path)]


def test_a_package_with_its_hash_is_installed(way: str, tmp_path: Path) -> None:
    environment.build(str(tmp_path / "environment"), requirements(tmp_path, None))

    assert list((tmp_path / "environment").rglob("thing.py"))


@pytest.mark.parametrize("way", ["uv", "outer pip"], indirect=True)
def test_a_package_with_another_hash_is_refused(way: str, tmp_path: Path) -> None:
    uv, pip = "cause: Hash mismatch for `thing==1.0`", "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES"
    with pytest.raises(InstallError) as refused:
        environment.build(str(tmp_path / "environment"), requirements(tmp_path, "0" * 64))

    assert str(refused.value).startswith(f"the environment cannot be created: {uv if way == 'uv' else pip}")
    assert not (tmp_path / "environment").exists()

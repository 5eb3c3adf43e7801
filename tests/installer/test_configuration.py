"""The installer reads the same configuration without packages as every process does with them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import platformdirs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from installer import choices, configuration, files
from installer.choices import Choices
from installer.layout import Layout
from shared.settings import profile, settings
from shared.settings.config import Hooks
from tests.conftest import REPOSITORY

ADDED = [key.removeprefix("hooks.") for key in profile.ADDED_BY_FULL if key.startswith("hooks.")]
PARTS = list(Hooks.__struct_fields__)


@pytest.fixture(scope="module")
def layout(tmp_path_factory: pytest.TempPathFactory) -> Layout:
    home = tmp_path_factory.mktemp("home")
    layout = Layout(str(home / "tidegauge"), "")
    os.makedirs(layout.root)
    directories = {"config": str(home / "config"), "log": str(home), "history": str(home)}
    files.write(layout.directories, json.dumps(directories).encode())
    (home / "config").mkdir()
    choices.save(layout, Choices(profile="full"))
    return layout


def loaded(layout: Layout, environ: dict[str, str]) -> dict[str, bool]:
    return msgspec.structs.asdict(settings.load(layout.root, environ).config.hooks)


@pytest.mark.parametrize("chosen", ['{"profile": "core"}', '{"profile": "full"}', "{}", "[]", "?", None])
def test_without_a_file_the_profile_counts(layout: Layout, chosen: str | None) -> None:
    path = Path(layout.root, "choices.json")
    path.unlink(missing_ok=True)
    if chosen is not None:
        path.write_text(chosen)
        path.chmod(0o600)
    switches = configuration.switches(layout, {})
    choices.save(layout, Choices(profile="full"))

    is_full = chosen is not None and "full" in chosen  # without one nothing is installed yet
    assert switches == msgspec.structs.asdict(Hooks()) | (dict.fromkeys(ADDED, True) if is_full else {})


def test_the_configuration_read_with_packages_has_the_same_profile(layout: Layout) -> None:
    for chosen in profile.PROFILES:
        choices.save(layout, Choices(profile=chosen))
        assert settings.read_profile(layout.root) == chosen
        assert configuration.switches(layout, {}) == loaded(layout, {})
    choices.save(layout, Choices(profile="full"))


VALUES = st.sampled_from(["true", "false", "1", '"true"', "[]", "{}", "1979-05-27"])
WORDS = st.sampled_from(["true", "False", "YES", "no", "on", "off", "1", "0", "", "perhaps", " true"])
TABLES = st.dictionaries(st.sampled_from([*PARTS, "other"]), VALUES)
VARIABLES = st.dictionaries(st.sampled_from([f"TIDEGAUGE_HOOKS__{part.upper()}" for part in PARTS]), WORDS)


@given(TABLES, VARIABLES)
def test_file_and_environment_are_read_as_by_the_program(
    layout: Layout, table: dict[str, str], environ: dict[str, str]
) -> None:
    text = "[hooks]\n" + "".join(f"{name} = {value}\n" for name, value in table.items())
    files.write(configuration.path(layout), text.encode())

    assert configuration.switches(layout, environ) == loaded(layout, environ)


@pytest.mark.parametrize(
    "contents",
    [
        b"",
        b"[hooks\n",
        b"\xff",
        b"\xef\xbb\xbf[hooks]\ncheckpoint = false\n",
        b"hooks = 1\n",
        b"[hooks]\r\nread_guard = true\r\n",
        b"[hooks]\nread_guard = true\n" + b"#" * (1 << 20),
    ],
)
def test_any_file_is_read_as_by_the_program(layout: Layout, contents: bytes) -> None:
    files.write(configuration.path(layout), contents)

    assert configuration.switches(layout, {}) == loaded(layout, {})


def test_a_path_that_is_no_file_is_no_problem(layout: Layout) -> None:
    path = Path(configuration.path(layout))
    path.unlink(missing_ok=True)
    path.mkdir()
    switches = configuration.switches(layout, {})
    path.rmdir()

    assert switches == loaded(layout, {})


@pytest.mark.parametrize(
    "variables", [{}, {"XDG_CONFIG_HOME": "/x y"}, {"XDG_CONFIG_HOME": ""}, {"XDG_CONFIG_HOME": "x"}]
)
def test_before_the_first_installation_the_file_is_read_at_its_future_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    result = configuration.path(Layout(str(tmp_path / "none"), ""), os.environ)

    assert result == os.path.join(platformdirs.user_config_dir("tidegauge", appauthor=False), "config.toml")


def test_the_installer_needs_no_packages(tmp_path: Path) -> None:
    """Tested as a process: the tests' own process has the packages."""
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); from installer import command\n"
        "sys.exit(command.main(['--dry-run'], sys.argv[1]))"
    )
    result = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program, str(REPOSITORY)],
        env={"HOME": str(tmp_path), "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (result.returncode, result.stderr) == (0, "")
    assert "SessionStart" in result.stdout


def test_a_profile_switches_off_unset_parts(layout: Layout) -> None:
    files.write(configuration.path(layout), b"")
    full = configuration.switches(layout, {}, profile="full")
    core = configuration.switches(layout, {"TIDEGAUGE_HOOKS__STALENESS": "on"}, profile="core")

    assert {part for part in full if core[part] != full[part]} == set(ADDED) - {"staleness"}

"""Tidegauge as the client's plugin: valid, sufficient for the hooks, and silent beside an installation's own."""

import json
import subprocess
from pathlib import Path

import pytest

from docs.plugin import PLUGIN, REPOSITORY
from tests.client.client import Client
from tests.client.conftest import install
from tests.client.home import environment, prepare
from tests.client.injected import heads
from tests.client.model import MAIN
from tests.client.step import SLOW, bash, say

pytestmark = [pytest.mark.client, pytest.mark.any_client]

STEPS = [bash(130_000, SLOW), say(130_000, "Enough.")]
WARNED = [(1, "WARNING 35%")]
AS_PLUGIN = ("--plugin-dir", str(PLUGIN))


@pytest.fixture(scope="session")
def hookless_home(clients_installed: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home as `/tidegauge:setup` leaves it: with program and status line, and the plugin's hooks."""
    home = tmp_path_factory.mktemp("home") / "a plugin's home"
    home.mkdir()
    prepare(home, trusted=tmp_path_factory.getbasetemp())
    install(home, "--no-hooks", "--no-companions")
    return home


@pytest.fixture
def hookless(client: Client, hookless_home: Path) -> Client:
    return client._replace(home=hookless_home)


@pytest.mark.parametrize("place", [REPOSITORY, PLUGIN], ids=["marketplace", "plugin"])
def test_the_client_accepts_the_plugin(client: Client, tmp_path: Path, place: Path) -> None:
    result = subprocess.run(
        [str(client.binary), "plugin", "validate", str(place)],
        env=environment(tmp_path, "http://127.0.0.1:9", {}),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert "✘" not in result.stdout


def test_its_hooks_reach_the_agent(hookless: Client, project: Path) -> None:
    without = hookless.headless(project, {MAIN: STEPS})
    assert heads(without.of(MAIN)) == []
    played = hookless.headless(project, {MAIN: STEPS}, *AS_PLUGIN)
    assert heads(played.of(MAIN)) == WARNED


def test_beside_the_installers_hooks_the_agent_gets_one_message(client: Client, project: Path) -> None:
    played = client.headless(project, {MAIN: STEPS}, *AS_PLUGIN)
    assert heads(played.of(MAIN)) == WARNED


def test_its_command_shows_the_report(hookless: Client, project: Path) -> None:
    played = hookless.headless(
        project,
        {MAIN: [say(20_000, "Fine.")]},
        *AS_PLUGIN,
        "--permission-mode",
        "default",
        prompt="/tidegauge:token-status",
    )
    messages = json.dumps(played.of(MAIN)[0].body["messages"])
    assert f"Session {played.session_id()}" in messages


def test_doctor_finds_its_hooks_once_it_is_installed(hookless: Client, project: Path) -> None:
    project.mkdir()
    run = environment(hookless.home, "http://127.0.0.1:9", {})
    for arguments in (["marketplace", "add", str(REPOSITORY)], ["install", "tidegauge@tidegauge"]):
        subprocess.run([str(hookless.binary), "plugin", *arguments], env=run, check=True, timeout=60)
    try:
        command = [str(hookless.program / "bin" / "tidegauge"), "doctor", "--json"]
        result = subprocess.run(command, env=run, cwd=project, capture_output=True, text=True, timeout=60, check=False)
    finally:
        for arguments in (["uninstall", "tidegauge@tidegauge"], ["marketplace", "remove", "tidegauge"]):
            subprocess.run([str(hookless.binary), "plugin", *arguments], env=run, check=True, timeout=60)
    messages_by_subject = {finding["subject"]: finding["message"] for finding in json.loads(result.stdout)["findings"]}
    assert messages_by_subject["hook entries"] == "from the plugin tidegauge@tidegauge"
    assert messages_by_subject["companions"] == "from the plugin tidegauge@tidegauge"

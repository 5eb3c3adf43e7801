"""The client's settings and its command line."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from shared.client import client_settings
from shared.client.client import managed_directory
from shared.client.client_settings import ClientSettings, CompactionSettings, Run, parse_run

MODEL = "claude-opus-4-8"
DEFAULT = CompactionSettings()
OFF = CompactionSettings(is_on=False)


class ClientHome:
    """A client's configuration directory, with its state file beside it, and a project."""

    def __init__(self, home: Path) -> None:
        self.directory = home / ".claude"
        self.state = home / ".claude.json"
        self.project = home / "project"
        self.directory.mkdir()
        (self.project / ".claude").mkdir(parents=True)

    def says(self, **values: Any) -> None:
        (self.directory / "settings.json").write_text(json.dumps(values))

    def project_says(self, name: str = "settings.json", **values: Any) -> None:
        (self.project / ".claude" / name).write_text(json.dumps(values))

    def read(
        self,
        environ: Mapping[str, str] | None = None,
        model: str = MODEL,
        run: Run = Run(),  # noqa: B008  frozen
        version: str = "2.1.330",
    ) -> CompactionSettings:
        layers = client_settings.read_layers(str(self.directory), str(self.project), run)
        return client_settings.read(model, version, environ or {}, str(self.directory), layers)


@pytest.fixture
def client(tmp_path: Path) -> ClientHome:
    return ClientHome(tmp_path)


def test_without_settings_the_models_default_counts(client: ClientHome) -> None:
    assert client.read() == DEFAULT
    assert client_settings.read(MODEL, "", {}, str(client.directory), ()) == DEFAULT


@pytest.mark.parametrize("name", ["DISABLE_AUTO_COMPACT", "DISABLE_COMPACT"])
@pytest.mark.parametrize("value", ["1", "true", "YES", "on"])
def test_the_environment_switches_it_off(client: ClientHome, name: str, value: str) -> None:
    client.says(autoCompactEnabled=True)
    assert client.read({name: value}) == OFF


@pytest.mark.parametrize("value", ["", "0", "false"])
def test_an_unset_switch_switches_nothing_off(client: ClientHome, value: str) -> None:
    assert client.read({"DISABLE_AUTO_COMPACT": value}) == DEFAULT


def test_settings_switch_it_off_and_the_projects_override_the_persons(client: ClientHome) -> None:
    client.says(autoCompactEnabled=False)
    assert client.read() == OFF
    client.project_says(autoCompactEnabled=True)
    assert client.read() == DEFAULT
    client.project_says("settings.local.json", autoCompactEnabled=False)
    assert client.read() == OFF


@pytest.mark.parametrize("text", ['{"autoCompactEnabled":false}', '{"a": 1, "autoCompactEnabled" :\n\t false, "b": 2}'])
def test_the_clients_state_can_switch_it_off(client: ClientHome, text: str) -> None:
    client.state.write_text(text)
    assert client.read() == OFF
    client.says(autoCompactEnabled=True)
    assert client.read() == DEFAULT


def test_a_moved_clients_state_is_in_its_directory(client: ClientHome) -> None:
    environ = {"CLAUDE_CONFIG_DIR": str(client.directory)}
    client.state.write_text('{"autoCompactEnabled": false}')
    assert client.read(environ) == DEFAULT
    (client.directory / ".claude.json").write_text('{"autoCompactEnabled": false}')
    assert client.read(environ) == OFF


def test_each_source_of_a_window_overrides_the_next(client: ClientHome) -> None:
    client.state.write_text(json.dumps({"autoCompactWindowsCache": {MODEL: 400_000}}))
    assert client.read().window == 400_000
    client.says(autoCompactWindow=350_000)
    assert client.read().window == 350_000
    client.says(autoCompactWindow=350_000, modelSettings={MODEL: {"autoCompactWindow": 300_000}})
    assert client.read().window == 300_000
    client.project_says(autoCompactWindow=340_000)
    assert client.read().window == 340_000
    client.project_says(autoCompactWindow=340_000, modelSettings={MODEL: {"autoCompactWindow": "auto"}})
    assert client.read().window == 400_000
    assert client.read({"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "250000"}).window == 250_000


@pytest.mark.parametrize(
    ("text", "window"),
    [
        *[(text, 150_000) for text in ("150000", " 150000 ", "150k", "150K", "0.15m", "1.5e5")],
        *[(text, 150_000) for text in ("150,000", "150_000", "150 k", ".15m", "+150000", "150000.9", "150000tokens")],
        *[(text, 100_000) for text in ("1", "50000", "99999", "50k", "150kb", "1_5e5")],
        *[(text, None) for text in ("", "0", "-5", "k", "lots", "nan", "inf", "0x249F0", "1e999", "9" * 999 + "k")],
    ],
)
def test_the_variable_is_read_as_the_client_does(client: ClientHome, text: str, window: int | None) -> None:
    assert client.read({"CLAUDE_CODE_AUTO_COMPACT_WINDOW": text}).window == window


@pytest.mark.parametrize("name", [MODEL, f"{MODEL}[1m]", "us.anthropic.claude-opus-4-8-v1:0"])
def test_a_model_is_found_by_any_form_of_its_id(client: ClientHome, name: str) -> None:
    client.says(modelSettings={"claude-sonnet-5": {"autoCompactWindow": 200_000}, name: {"autoCompactWindow": 300_000}})
    assert client.read().window == 300_000
    client.says()
    client.state.write_text(json.dumps({"autoCompactWindowsCache": {"claude-sonnet-5": 1, name: 400_000}}))
    assert client.read().window == 400_000
    assert client.read(model="claude-opus-4-6").window is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "\x00",
        '{"autoCompactEnabled": "x", "autoCompactWindow": "x", "modelSettings": 5}',
        '{"autoCompactWindow": -5, "modelSettings": {"claude-opus-4-8": 5}}',
        '{"modelSettings": {"claude-opus-4-8": {"autoCompactWindow": true}}}',
        '{"autoCompactWindowsCache": 5}',
        '{"autoCompactWindowsCache": {"claude-opus-4-8": "many"}}',
        '{"autoCompactWindowsCache": {"claude-opus-4-8": -5}}',
        '{"autoCompactWindowsCache": {"claude-opus-4-8": 400000',
        '{"autoCompactWindowsCache": null, "other": {"claude-opus-4-8": 400000}}',
        r'{"history": ["\"autoCompactEnabled\": false, \"autoCompactWindowsCache\": {\"claude-opus-4-8\": 400000}"]}',
    ],
)
def test_other_contents_of_the_clients_files_change_nothing(client: ClientHome, text: str) -> None:
    (client.directory / "settings.json").write_text(text)
    (client.project / ".claude" / "settings.json").write_text(text)
    client.state.write_text(text)
    assert client.read() == DEFAULT


def test_files_that_are_linked_to_count(client: ClientHome, tmp_path: Path) -> None:
    (tmp_path / "dotfiles.json").write_text('{"autoCompactEnabled": false}')
    (tmp_path / "state.json").write_text(json.dumps({"autoCompactWindowsCache": {MODEL: 400_000}}))
    client.state.symlink_to(tmp_path / "state.json")
    assert client.read().window == 400_000
    (client.directory / "settings.json").symlink_to(tmp_path / "dotfiles.json")
    assert client.read().is_on is False


def test_the_server_is_found_in_a_state_file_of_megabytes(client: ClientHome) -> None:
    history = {f"/project/{number}": {"history": ["x" * 1_000]} for number in range(8_000)}
    state = {"projects": history, "autoCompactWindowsCache": {MODEL: 400_000}, "more": history}
    client.state.write_text(json.dumps(state))
    assert client.state.stat().st_size > 16_000_000
    assert client.read().window == 400_000


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give a file away")
def test_an_organisations_settings_may_belong_to_another_user(client: ClientHome) -> None:
    client.says(autoCompactWindow=150_000)
    os.chown(client.directory / "settings.json", 65534, 65534)
    assert client.read().window == 150_000


def test_an_organisations_later_files_override_earlier_ones(
    client: ClientHome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{managed_directory.__module__}.managed_directory", lambda _system: str(tmp_path / "managed"))
    additions = tmp_path / "managed" / "managed-settings.d"
    additions.mkdir(parents=True)
    run = parse_run(0, ("claude", "--settings", '{"autoCompactWindow": 200000}'), "/", is_headless=False)
    assert client.read(run=run).window == 200_000
    (tmp_path / "managed" / "managed-settings.json").write_text('{"autoCompactWindow": 300000}')
    assert client.read(run=run).window == 300_000
    (additions / "20-later.json").write_text('{"autoCompactEnabled": false}')
    (additions / "10-earlier.json").write_text('{"autoCompactEnabled": true, "autoCompactWindow": 400000}')
    (additions / ".hidden.json").write_text('{"autoCompactWindow": 500000}')
    (additions / "notes.txt").write_text('{"autoCompactWindow": 600000}')
    assert client.read(run=run) == CompactionSettings(is_on=False, window=400_000)


@pytest.mark.parametrize(
    ("sources", "window"),
    [("", 100_000), ("user", 300_000), ("user,project", 200_000), ("project, local", 100_000), ("local", 100_000)],
)
def test_files_excluded_by_setting_sources_do_not_count(client: ClientHome, sources: str, window: int) -> None:
    client.says(autoCompactWindow=300_000)
    client.project_says(autoCompactWindow=200_000)
    client.project_says("settings.local.json", autoCompactWindow=100_000)
    arguments = ("claude", "--setting-sources", sources) if sources else ("claude",)
    assert client.read(run=parse_run(0, arguments, "/", is_headless=False)).window == window


def test_a_project_with_an_impossible_path_has_no_settings(tmp_path: Path) -> None:
    assert client_settings.read_layers(str(tmp_path), f"{tmp_path}/\0", Run()) == [ClientSettings()]


@pytest.mark.parametrize(("size", "window"), [(100_000, 100_000), (99_999, None), (0, None), (-1, None), (True, None)])
def test_a_setting_below_the_clients_minimum_is_ignored(client: ClientHome, size: int, window: int | None) -> None:
    client.says(autoCompactWindow=size)
    assert client.read().window == window
    client.says(modelSettings={MODEL: {"autoCompactWindow": size}})
    assert client.read().window == window


@pytest.mark.parametrize(("text", "window"), [("150000.0", 150_000), ("1.5e5", 150_000), ("150000.5", None)])
def test_a_setting_may_be_any_whole_number_of_javascripts(client: ClientHome, text: str, window: int | None) -> None:
    for document in (
        f'{{"autoCompactWindow": {text}}}',
        f'{{"modelSettings": {{"{MODEL}": {{"autoCompactWindow": {text}}}}}}}',
    ):
        (client.directory / "settings.json").write_text(document)
        assert client.read().window == window


def test_the_earlier_client_knows_no_settings_by_model_and_no_larger_windows(client: ClientHome) -> None:
    client.says(autoCompactWindow=150_000, modelSettings={MODEL: {"autoCompactWindow": 300_000}})
    assert client.read(version="2.1.197").window == 150_000
    client.says(autoCompactWindow=1_000_000)
    assert client.read(version="2.1.197").window == 1_000_000
    client.says(autoCompactWindow=1_000_001)
    assert client.read(version="2.1.197").window is None
    assert client.read(version="2.1.330").window == client.read(version="").window == 1_000_001


DROPPING = (
    '"cleanupPeriodDays": "30"', '"cleanupPeriodDays": 0', '"env": []', '"model": null', '"permissions": "x"',
    '"autoCompactEnabled": "true"', '"statusLine": "x"', '"outputStyle": 3', '"alwaysThinkingEnabled": "x"',
    '"enabledPlugins": []',
)  # fmt: skip


@pytest.mark.parametrize("field", DROPPING)
def test_a_file_the_client_skips_does_not_count(client: ClientHome, field: str) -> None:
    client.says(autoCompactWindow=150_000)
    (client.project / ".claude" / "settings.json").write_text(f'{{"autoCompactWindow": 300000, {field}}}')
    assert client.read().window == 150_000


@pytest.mark.parametrize(
    "field",
    ['"env": {"A": 1, "B": null}', '"hooks": []', '"modelSettings": []', '"permissions": {"allow": [1]}', '"x": 1'],
)
def test_a_file_with_an_odd_field_the_client_tolerates_counts(client: ClientHome, field: str) -> None:
    (client.project / ".claude" / "settings.json").write_text(f'{{"autoCompactWindow": 300000, {field}}}')
    assert client.read().window == 300_000


@pytest.mark.parametrize(("size", "window"), [(1, 1), (0, None), (-1, None)])
def test_the_servers_window_is_of_at_least_one_token(client: ClientHome, size: int, window: int | None) -> None:
    client.state.write_text(json.dumps({"autoCompactWindowsCache": {MODEL: size}}))
    assert client.read().window == window


def test_a_too_small_window_gives_way_to_the_next_source(client: ClientHome) -> None:
    client.says(autoCompactWindow=350_000)
    client.project_says(autoCompactWindow=60_000, modelSettings={MODEL: {"autoCompactWindow": 60_000}})
    assert client.read().window == 350_000


def test_the_main_checkouts_local_settings_override_the_projects(client: ClientHome, tmp_path: Path) -> None:
    client.project_says(autoCompactWindow=300_000)
    client.project_says("settings.local.json", autoCompactWindow=200_000, autoCompactEnabled=False)
    (tmp_path / "main" / ".claude").mkdir(parents=True)
    (tmp_path / "main" / ".claude" / "settings.local.json").write_text('{"autoCompactWindow": 150000}')
    run = Run(checkout=str(tmp_path / "main"))
    assert client.read(run=run) == CompactionSettings(is_on=False, window=150_000)
    assert client.read(run=Run(checkout=run.checkout, sources="project")).window == 300_000

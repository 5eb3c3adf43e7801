"""The launcher starts the monitor when the client's settings or ours differ from those that the gate depends on."""

import os
import shutil
import time

import pytest

from tests.monitor.launcher_rig import Rig

pytestmark = pytest.mark.skipif(os.name == "nt", reason="on Windows the interpreter is named directly")


def test_starts_the_monitor_when_the_configuration_changed(rig: Rig) -> None:
    rig.config.write_text("[levels.warning]\nremaining = 90\n")

    assert not rig.is_silent()


def test_starts_the_monitor_when_the_clients_settings_changed(rig: Rig) -> None:
    (rig.root.parent / "settings.json").write_text('{"autoCompactWindow": 90000}')

    assert not rig.is_silent()


def test_starts_the_monitor_when_a_project_brings_settings(rig: Rig) -> None:
    rig.settings.write_text("[levels.warning]\nremaining = 60\n")

    assert not rig.is_silent()


def test_is_silent_with_a_projects_settings_that_the_gate_knows(rig: Rig) -> None:
    rig.bring_settings("[levels.warning]\nremaining = 40\n")

    assert rig.is_silent()
    assert rig.is_silent(CLAUDE_PROJECT_DIR=str(rig.project))


def test_starts_the_monitor_when_a_projects_settings_changed(rig: Rig) -> None:
    rig.bring_settings("[levels.warning]\nremaining = 40\n")
    rig.settings.write_text("[levels.warning]\nremaining = 60\n")

    assert not rig.is_silent()


def test_starts_the_monitor_when_a_projects_settings_are_replaced_by_older_ones(rig: Rig) -> None:
    rig.bring_settings("[levels.warning]\nremaining = 40\n")
    older = rig.project / "older.toml"
    older.write_text("[levels.warning]\nremaining = 60\n")
    os.utime(older, (1, 1))
    older.replace(rig.settings)

    assert not rig.is_silent()


@pytest.mark.parametrize("is_whole", [True, False])
def test_starts_the_monitor_when_a_projects_settings_are_gone(rig: Rig, *, is_whole: bool) -> None:
    rig.bring_settings("[levels.warning]\nremaining = 40\n")
    if is_whole:
        shutil.rmtree(rig.settings.parent)
    else:
        rig.settings.unlink()
        os.utime(rig.settings.parent, (1, 1))

    assert not rig.is_silent()


def test_starts_the_monitor_when_old_settings_are_moved_in(rig: Rig) -> None:
    rig.settings.write_text("[levels.warning]\nremaining = 60\n")
    for path in (rig.settings, rig.settings.parent):
        os.utime(path, (1, 1))

    assert not rig.is_silent()


def test_a_pipe_in_place_of_a_projects_settings_does_not_block(rig: Rig) -> None:
    os.mkfifo(rig.settings)

    assert not rig.is_silent()


def test_starts_the_monitor_in_another_project(rig: Rig) -> None:
    assert not rig.is_silent(CLAUDE_PROJECT_DIR=str(rig.project.parent))


def test_a_gate_is_no_younger_than_its_settings(rig: Rig) -> None:
    rig.settings_read_at = time.time()
    rig.config.write_text("[levels.warning]\nremaining = 90\n")  # while the monitor is measuring
    rig.open_gate()

    assert not rig.is_silent()


def test_starts_the_monitor_for_settings_from_the_environment(rig: Rig) -> None:
    assert not rig.is_silent(TIDEGAUGE_LEVELS__WARNING__REMAINING="90")


@pytest.mark.parametrize("name", ["settings.json", "settings.local.json"])
def test_starts_the_monitor_when_a_projects_client_settings_change(rig: Rig, name: str) -> None:
    brought = rig.project / ".claude" / name
    brought.write_text("{}")
    for path in (brought, brought.parent):
        os.utime(path, (1, 1))
    assert not rig.is_silent()
    rig.open_gate()
    assert rig.is_silent()
    brought.write_text('{"autoCompactWindow": 90000}')

    assert not rig.is_silent()


@pytest.mark.parametrize("is_beside", [True, False])
def test_starts_the_monitor_when_the_clients_state_changed(rig: Rig, *, is_beside: bool) -> None:
    directory = rig.root.parents[1] if is_beside else rig.root.parent
    (directory / ".claude.json").write_text('{"autoCompactWindowsCache": {"claude-opus-4-6": 90000}}')

    assert not rig.is_silent()

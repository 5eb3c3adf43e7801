"""The launcher starts the monitor when something has changed that the gate rests on: real runs of the script."""

import os
import shutil
import time
from pathlib import Path

import msgspec
import pytest

from monitor.session import conversation_of
from monitor.warnings import gate
from shared import paths
from shared.transcript import read_tail
from tests.monitor.launcher_rig import HEAD, WARNING_AT, Rig, answer, result

pytestmark = pytest.mark.skipif(os.name == "nt", reason="on Windows the interpreter is named directly")


def test_is_silent_while_nothing_was_appended(rig: Rig) -> None:
    assert rig.is_silent()


def test_is_silent_after_small_steps(rig: Rig) -> None:
    rig.append(answer(41_000), result(2_000), answer(43_000))

    assert rig.is_silent()


def test_starts_the_monitor_without_a_gate(rig: Rig) -> None:
    gate.remove(str(rig.root), "s")

    assert rig.launch() == b"started " + HEAD


@pytest.mark.parametrize("session", ["", "other", "../run/gate-s", "s/../s"])
def test_starts_the_monitor_for_another_session(rig: Rig, session: str) -> None:
    assert not rig.is_silent(CLAUDE_CODE_SESSION_ID=session)


def test_starts_the_monitor_when_usage_jumps_with_hardly_a_byte(rig: Rig) -> None:
    rig.append(answer(WARNING_AT))

    assert not rig.is_silent()


def test_starts_the_monitor_when_results_are_pending_that_could_reach_a_level(rig: Rig) -> None:
    rig.append(answer(41_000), result(70_000))

    assert not rig.is_silent()


def test_starts_the_monitor_while_too_few_turns_have_been_seen(rig: Rig) -> None:
    rig.transcript.write_bytes(answer(4_000) + b"\n")
    rig.open_gate()

    assert not rig.is_silent()


def test_starts_the_monitor_where_a_turn_as_large_as_recent_ones_could_reach_a_level(rig: Rig) -> None:
    rig.append(answer(45_000), answer(85_000), result(10))
    rig.open_gate()

    assert not rig.is_silent()


def test_starts_the_monitor_for_usage_in_a_form_that_it_does_not_know(rig: Rig) -> None:
    rig.append(answer(41_000).replace(b'"usage":{', b'"usage": {'))

    assert not rig.is_silent()


def test_starts_the_monitor_when_the_model_changes(rig: Rig) -> None:
    rig.append(answer(41_000, model="claude-haiku-4-5"))

    assert not rig.is_silent()


@pytest.mark.parametrize("kept", [0, 10, 200])
def test_starts_the_monitor_when_the_transcript_shrank(rig: Rig, kept: int) -> None:
    os.truncate(rig.transcript, kept)

    assert not rig.is_silent()


def test_starts_the_monitor_when_the_transcript_was_rewritten(rig: Rig) -> None:
    rig.transcript.write_bytes(result(5_000) + b"\n" + answer(WARNING_AT) + b"\n")

    assert not rig.is_silent()


def test_starts_the_monitor_when_the_part_already_read_now_ends_within_a_line(rig: Rig) -> None:
    rig.transcript.write_bytes(answer(WARNING_AT, said='"' + "x" * 10_000 + '"') + b"\n")

    assert not rig.is_silent()


def test_starts_the_monitor_when_the_transcript_is_gone(rig: Rig) -> None:
    rig.transcript.unlink()

    assert not rig.is_silent()


def test_starts_the_monitor_when_the_configuration_changed(rig: Rig) -> None:
    rig.config.write_text("[levels.warning]\nremaining = 90\n")

    assert not rig.is_silent()


def test_starts_the_monitor_when_the_clients_settings_changed(rig: Rig) -> None:
    (rig.root.parent / "settings.json").write_text('{"autoCompactWindow": 90000}')

    assert not rig.is_silent()


def test_starts_the_monitor_when_a_project_brings_settings_along(rig: Rig) -> None:
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


def test_starts_the_monitor_when_a_projects_settings_were_exchanged_for_older_ones(rig: Rig) -> None:
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


def test_starts_the_monitor_when_settings_of_long_ago_are_moved_in(rig: Rig) -> None:
    rig.settings.write_text("[levels.warning]\nremaining = 60\n")
    for path in (rig.settings, rig.settings.parent):
        os.utime(path, (1, 1))

    assert not rig.is_silent()


def test_a_pipe_in_the_place_of_a_projects_settings_keeps_nobody_waiting(rig: Rig) -> None:
    os.mkfifo(rig.settings)

    assert not rig.is_silent()


def test_starts_the_monitor_in_another_project(rig: Rig) -> None:
    assert not rig.is_silent(CLAUDE_PROJECT_DIR=str(rig.project.parent))


def test_a_gate_is_no_younger_than_the_settings_that_it_rests_on(rig: Rig) -> None:
    conversation = conversation_of("s", str(rig.transcript), None)
    tail = read_tail(str(rig.transcript))
    assert conversation is not None
    assert tail is not None
    session = msgspec.structs.replace(rig.session(), now=time.time())
    rig.config.write_text("[levels.warning]\nremaining = 90\n")  # while the monitor is measuring
    gate.write(session, conversation, tail, 40_000, 100_000)

    assert not rig.is_silent()


def test_starts_the_monitor_when_something_was_learnt_since(rig: Rig) -> None:
    (rig.root / "learned.json").write_text("{}")

    assert not rig.is_silent()


@pytest.mark.parametrize("betas", ["context-1m-2025-08-07", "other"])
def test_starts_the_monitor_when_a_request_asks_for_another_window(rig: Rig, betas: str) -> None:
    request = b'{"type":"api-request","params":{"model":"claude-opus-4-6","betas":["%s"]}}'
    was_long = betas == "other"
    rig.append(request % (b"context-1m-2025-08-07" if was_long else b"other"), answer(41_000))
    rig.open_gate()
    assert rig.is_silent()
    rig.append(request % betas.encode(), answer(42_000))

    assert not rig.is_silent()


def test_starts_the_monitor_when_the_transcript_was_written_without_growing(rig: Rig) -> None:
    whole = rig.transcript.read_bytes()
    rig.transcript.write_bytes(whole.replace(b"38997", b"91997"))

    assert not rig.is_silent()


def test_starts_the_monitor_for_usage_that_only_the_split_tells(rig: Rig) -> None:
    split = b'"cache_creation":{"ephemeral_5m_input_tokens":90000},"output_tokens":9'
    rig.append(answer(41_000).replace(b":1000,", b":0,").replace(b'"output_tokens":9', split))

    assert not rig.is_silent()


def test_starts_the_monitor_for_settings_from_the_environment(rig: Rig) -> None:
    assert not rig.is_silent(TIDEGAUGE_LEVELS__WARNING__REMAINING="90")


@pytest.mark.parametrize(
    "broken",
    ["", "x", "1\n2\n3\n", "1\n40000\nx\nclaude-opus-4-6\n/c/config.toml\n/t\n", "1\n2\n3\nm\n/c/c.toml\n/t\n/p\n"],
)
def test_starts_the_monitor_for_a_damaged_gate(rig: Rig, broken: str) -> None:
    Path(paths.gate(str(rig.root), "s")).write_text(broken)

    assert not rig.is_silent()


@pytest.mark.parametrize("name", gate.VARIABLES)
def test_starts_the_monitor_in_another_run_or_with_another_window(rig: Rig, name: str) -> None:
    assert not rig.is_silent(HEAD, **{name: "1"})
    rig.open_gate(**{name: "1"})
    assert rig.is_silent(HEAD, **{name: "1"})

    assert not rig.is_silent(HEAD, **{name: "2"})


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

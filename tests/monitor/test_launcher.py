"""The launcher starts the monitor when something that the gate depends on has changed: real runs of the script."""

import os
import subprocess
from pathlib import Path

import pytest

from shared import gate, paths
from tests.monitor.launcher_rig import CRITICAL_AT, HEAD, WARNING_AT, Rig, answer, result

pytestmark = pytest.mark.skipif(os.name == "nt", reason="on Windows the interpreter is named directly")


def test_is_silent_while_nothing_was_appended(rig: Rig) -> None:
    assert rig.is_silent()


def test_is_silent_after_small_steps(rig: Rig) -> None:
    rig.append(answer(41_000), result(2_000), answer(43_000))

    assert rig.is_silent()


def test_its_notes_are_private_and_stay_readable_to_us(rig: Rig) -> None:
    rig.open_gate_at_level(5)
    (rig.root / "event").touch()
    before = os.umask(0o777)
    try:
        assert rig.is_silent()
    finally:
        os.umask(before)
    assert Path(paths.gate_notes(str(rig.root), "s")).stat().st_mode & 0o777 == 0o600


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
    rig.append(answer(41_000), result(2 * (WARNING_AT - 41_000)))

    assert not rig.is_silent()


def test_is_silent_from_the_first_answer_on(rig: Rig) -> None:
    rig.transcript.write_bytes(result(10) + b"\n" + answer(4_000) + b"\n")
    rig.open_gate()

    assert rig.is_silent()


def test_starts_the_monitor_for_usage_in_a_form_that_it_does_not_know(rig: Rig) -> None:
    rig.append(answer(41_000).replace(b'"usage":{', b'"usage": {'))

    assert not rig.is_silent()


def test_starts_the_monitor_when_the_model_changes(rig: Rig) -> None:
    rig.append(answer(41_000, model="claude-haiku-4-5"))

    assert not rig.is_silent()


@pytest.mark.parametrize("size", [0, 10, 200])
def test_starts_the_monitor_when_the_transcript_shrank(rig: Rig, size: int) -> None:
    os.truncate(rig.transcript, size)

    assert not rig.is_silent()


def test_starts_the_monitor_when_the_transcript_was_rewritten(rig: Rig) -> None:
    rig.transcript.write_bytes(result(5_000) + b"\n" + answer(WARNING_AT) + b"\n")

    assert not rig.is_silent()


def test_starts_the_monitor_when_the_part_already_read_ends_within_a_line(rig: Rig) -> None:
    rig.transcript.write_bytes(answer(WARNING_AT, text='"' + "x" * 10_000 + '"') + b"\n")

    assert not rig.is_silent()


def test_starts_the_monitor_when_the_transcript_is_gone(rig: Rig) -> None:
    rig.transcript.unlink()

    assert not rig.is_silent()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in the file system")
def test_starts_the_monitor_when_a_pipe_replaces_the_transcript(rig: Rig) -> None:
    rig.transcript.unlink()
    os.mkfifo(rig.transcript)
    assert not rig.is_silent()


def test_starts_the_monitor_when_something_has_been_learnt(rig: Rig) -> None:
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


def test_starts_the_monitor_when_the_client_names_a_model(rig: Rig) -> None:
    """A slash command's model may have another window than the session's first request showed."""
    named = b'{"type":"attachment","attachment":{"type":"model","identity":{"modelId":"claude-opus-4-6"}}}'
    rig.append(named, answer(42_000))

    assert not rig.is_silent()


def test_starts_the_monitor_when_the_transcript_was_written_without_growing(rig: Rig) -> None:
    whole = rig.transcript.read_bytes()
    rig.transcript.write_bytes(whole.replace(b"38997", b"91997"))

    assert not rig.is_silent()


def test_starts_the_monitor_for_usage_given_only_by_the_split(rig: Rig) -> None:
    split = b'"cache_creation":{"ephemeral_5m_input_tokens":90000},"output_tokens":9'
    rig.append(answer(41_000).replace(b":1000,", b":0,").replace(b'"output_tokens":9', split))

    assert not rig.is_silent()


@pytest.mark.parametrize(
    "broken",
    ["", "x", "1\n2\n3\n", "1\n40000\nx\nclaude-opus-4-6\n/c/config.toml\n/t\n", "1\n2\n3\nm\n/c/c.toml\n/t\n/p\n"],
)
def test_starts_the_monitor_for_a_damaged_gate(rig: Rig, broken: str) -> None:
    Path(paths.gate(str(rig.root), "s")).write_text(broken)

    assert not rig.is_silent()


@pytest.mark.parametrize("start", ["", "x", "1 2", "08", "-1", "9" * 30, "a[$(touch proof)]"])
def test_starts_the_monitor_for_a_gate_that_names_no_byte_to_read_from(rig: Rig, start: str) -> None:
    path = Path(paths.gate(str(rig.root), "s"))
    path.write_text("\n".join([start, *path.read_text().split("\n")[1:]]))

    assert not rig.is_silent()
    assert not (rig.project / "proof").exists()


@pytest.mark.parametrize("name", gate.VARIABLES)
def test_starts_the_monitor_in_another_run_or_with_another_window(rig: Rig, name: str) -> None:
    assert not rig.is_silent(HEAD, **{name: "1"})
    rig.open_gate(**{name: "1"})  # type: ignore[arg-type]  # a variable of the environment
    assert rig.is_silent(HEAD, **{name: "1"})

    assert not rig.is_silent(HEAD, **{name: "2"})


def test_starts_the_monitor_when_the_previous_result_could_reach_a_level(rig: Rig) -> None:
    """That result may not be written yet."""
    rig.open_gate(result_bytes=2 * (WARNING_AT - 41_000))
    assert rig.is_silent()
    rig.open_gate(result_bytes=2 * (WARNING_AT - 40_000))
    assert not rig.is_silent()


def test_starts_the_monitor_when_a_noted_result_could_reach_a_level(rig: Rig) -> None:
    rig.open_gate(limit=60_000)
    large = HEAD[:-1] + b',"tool_response":"' + b"x" * 40_000 + b'"}'
    assert rig.is_silent(large)  # what the window holds with the answer that called it
    assert not rig.is_silent()


def test_starts_the_monitor_for_an_event_larger_than_one_read(rig: Rig) -> None:
    payload = HEAD[:-1] + b',"tool_response":"' + b"x" * 70_000 + b'"}'
    assert rig.launch(payload) == b"started " + payload


@pytest.mark.parametrize("shell", ["sh", "bash", "bash --posix"])
@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
def test_a_size_is_counted_in_bytes(rig: Rig, shell: str, locale: str) -> None:
    """A token may be part of a character, so a count of characters is no bound."""
    payload = HEAD[:-1] + b',"tool_response":"' + "\u6f22".encode() * 10_000 + b'"}'
    environ = {"PATH": os.environ["PATH"], "CLAUDE_CODE_SESSION_ID": "s", "LC_ALL": locale}
    command = [*shell.split(), str(rig.root / "bin" / "monitor")]
    event = rig.root / "event"
    event.write_bytes(payload)  # all of it is there when the launcher looks
    with event.open("rb") as file:
        subprocess.run(command, stdin=file, env=environ, cwd=rig.project, check=True, capture_output=True, timeout=20)
    assert int(rig.notes[0]) >= len(payload)


def test_each_tool_use_is_noted_with_its_size(rig: Rig) -> None:
    rig.open_gate_at_level(4)
    assert rig.is_silent()
    larger = HEAD[:-1] + b',"tool_response":"12345"}'
    assert rig.is_silent(larger)
    assert rig.notes == [str(len(HEAD)), "-", str(len(larger)), "-"]


def test_the_end_of_a_turn_is_no_tool_use(rig: Rig) -> None:
    assert rig.is_silent(name="monitor-stop")
    assert rig.notes == []
    rig.append(answer(WARNING_AT))
    assert not rig.is_silent(name="monitor-stop")
    assert rig.notes == []


def test_a_tool_use_that_starts_the_monitor_is_not_marked_silent(rig: Rig) -> None:
    rig.append(answer(WARNING_AT))
    assert not rig.is_silent()
    assert rig.notes == [str(len(HEAD))]
    gate.remove(str(rig.root), "s")
    assert not rig.is_silent()
    assert rig.notes == [str(len(HEAD))]


def test_starts_the_monitor_if_its_silence_cannot_be_noted(rig: Rig) -> None:
    Path(paths.gate_notes(str(rig.root), "s")).mkdir()
    assert not rig.is_silent()


@pytest.mark.parametrize("uses", [1, 4])
def test_at_a_level_it_is_silent_for_the_given_number_of_tool_uses(rig: Rig, uses: int) -> None:
    rig.open_gate_at_level(uses)
    assert [rig.is_silent() for _ in range(uses + 2)] == [True] * uses + [False] * 2


def test_at_a_level_with_nothing_due_it_starts_the_monitor_now_and_then(rig: Rig) -> None:
    rig.open_gate_at_level(None)
    assert [rig.is_silent() for _ in range(52)] == [True] * 50 + [False] * 2


def test_below_a_level_only_the_last_tool_use_is_noted(rig: Rig) -> None:
    assert all(rig.is_silent() for _ in range(60))
    assert rig.notes == [str(len(HEAD)), "-"]


def test_starts_the_monitor_while_a_parallel_call_writes_its_note(rig: Rig) -> None:
    Path(paths.gate_notes(str(rig.root), "s")).touch()
    assert not rig.is_silent()


def test_at_a_level_the_end_of_a_turn_is_not_counted(rig: Rig) -> None:
    rig.open_gate_at_level(1)
    assert all(rig.is_silent(name="monitor-stop") for _ in range(3))
    assert rig.is_silent()
    assert not rig.is_silent()


def test_at_a_level_it_starts_the_monitor_when_the_window_is_less_full(rig: Rig) -> None:
    rig.open_gate_at_level(None)
    rig.append(answer(40_500))
    assert rig.is_silent()
    rig.append(answer(39_000))
    assert not rig.is_silent()


def test_below_every_level_a_fall_does_not_start_the_monitor(rig: Rig) -> None:
    rig.append(answer(39_000))
    assert rig.is_silent()


def test_at_a_level_it_starts_the_monitor_for_the_next_level(rig: Rig) -> None:
    rig.open_gate_at_level(None)
    rig.append(answer(CRITICAL_AT))
    assert not rig.is_silent()


def test_with_a_sh_on_windows_it_finds_the_interpreter_in_venvs_place(rig: Rig) -> None:
    environment = rig.root / "environment"
    (environment / "bin").rename(environment / "Scripts")
    (environment / "Scripts" / "python").rename(environment / "Scripts" / "python.exe")
    gate.remove(str(rig.root), "s")

    assert rig.launch() == b"started " + HEAD

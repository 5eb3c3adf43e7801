"""A start begins a new run of its session: data from earlier runs is only remembered."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from shared import paths
from shared.client.client_settings import Run, read_run
from shared.files import pruning
from tests.monitor.workshop import Workshop
from tests.transcripts import Transcript


def test_the_last_runs_gate_is_removed(workshop: Workshop) -> None:
    gate = Path(paths.gate(str(workshop.root), workshop.session_id))
    gate.parent.mkdir(exist_ok=True)
    gate.touch()

    workshop.start("resume")

    assert not gate.exists()


def an_answer(transcript: Transcript) -> None:
    transcript.answer(20_000)


@pytest.mark.parametrize(
    ("source", "write", "had_run"),
    [
        ("startup", Transcript.synthetic, False),
        ("startup", Transcript.prompt, False),
        ("startup", an_answer, True),
        ("startup", Transcript.boundary, True),
        ("clear", Transcript.prompt, False),
        ("clear", an_answer, True),
        ("fork", an_answer, True),
        ("resume", Transcript.prompt, True),
        ("resume", Transcript.boundary, True),
    ],
)
def test_data_of_an_earlier_run_is_only_remembered(
    workshop: Workshop, source: str, write: Callable[[Transcript], object], *, had_run: bool
) -> None:
    """The status line may have been drawn a quarter of a second before."""
    write(workshop.transcript)
    before = time.time()
    workshop.start(source)
    started = read_run(paths.session_run(str(workshop.root), workshop.session_id)).started_at
    assert (before - 0.25 <= started <= time.time() - 0.25) if had_run else started == 0


RUNNING = "import time; print(1, flush=True); time.sleep(60)"


def wait_for(client: "subprocess.Popen[bytes]") -> None:
    """Wait until it runs: a new process has no command line for a moment."""
    assert client.stdout is not None
    assert client.stdout.readline() == b"1\n"


@pytest.mark.skipif(sys.platform == "win32", reason="the process is started as POSIX names it")
@pytest.mark.parametrize("number", ["", "9" * 5_000])
def test_an_odd_command_line_or_process_id_does_not_prevent_remembering_the_rest(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch, number: str
) -> None:
    command = [b"claude", b"-c", RUNNING.encode(), b"--model", b"caf\xe9"]
    with subprocess.Popen(command, executable=sys.executable, stdout=subprocess.PIPE) as client:
        wait_for(client)
        monkeypatch.setenv("CLAUDE_PID", number or str(client.pid))
        monkeypatch.setenv("CLAUDE_CODE_ENTRYPOINT", "sdk-cli")
        workshop.transcript.answer(20_000)
        workshop.start("resume")
        client.kill()

    run = read_run(paths.session_run(str(workshop.root), workshop.session_id))
    assert run.started_at > 0
    assert run.model == ("" if number else "caf?")


@pytest.mark.skipif(sys.platform == "win32", reason="the process is started as POSIX names it")
def test_the_clients_command_line_is_remembered(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    (workshop.project / "set.json").write_text('{"autoCompactWindow": 110000}')
    home = workshop.project.parent / "started here"
    home.mkdir()
    (home / "set.json").write_text('{"autoCompactWindow": 150000}')
    command = ["claude", "-c", RUNNING, "--model", "opus[1m]", "--settings=set.json"]
    with subprocess.Popen(command, executable=sys.executable, cwd=home, stdout=subprocess.PIPE) as client:
        wait_for(client)
        monkeypatch.setenv("CLAUDE_PID", str(client.pid))
        monkeypatch.setenv("CLAUDE_CODE_ENTRYPOINT", "sdk-cli")
        workshop.start("startup")
        client.kill()

    run = read_run(paths.session_run(str(workshop.root), workshop.session_id))
    assert (run.model, run.settings.autoCompactWindow) == ("opus[1m]", 150_000)


@pytest.mark.parametrize(("is_newer", "checkout"), [(True, "repository"), (False, "")])
def test_a_newer_client_reads_settings_of_the_main_checkout(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, checkout: str, *, is_newer: bool
) -> None:
    git = tmp_path / "repository" / ".git"
    (git / "objects").mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(git.parent / "below"))
    if is_newer:
        monkeypatch.setenv("CLAUDE_PID", "1")
    workshop.start("startup")
    run = read_run(paths.session_run(str(workshop.root), workshop.session_id))
    assert run.checkout == (str(tmp_path / checkout) if checkout else "")


def test_a_compaction_does_not_begin_a_run(workshop: Workshop) -> None:
    workshop.transcript.answer(20_000)
    workshop.start("compact")
    assert read_run(paths.session_run(str(workshop.root), workshop.session_id)) == Run()


def test_state_of_sessions_that_ended_long_ago_is_pruned(workshop: Workshop) -> None:
    run = workshop.root / "run"
    run.mkdir(exist_ok=True)
    for name in ("gate-old", "memory-old.json", "claude-ctx-old.json"):
        (run / name).touch()
        os.utime(run / name, (time.time() - pruning.RETENTION_SECONDS - 60,) * 2)
    for day in range(pruning.RETENTION_SECONDS // pruning.DAY):
        (run / f"memory-young{day}.json").touch()
        os.utime(run / f"memory-young{day}.json", (time.time() - day * pruning.DAY,) * 2)
    workshop.start("startup")
    assert {path.name for path in run.iterdir() if "old" in path.name} == set()
    assert len(list(run.glob("memory-young*"))) == 7


def test_a_fork_started_under_another_id_is_a_run_from_its_first_prompt_on(workshop: Workshop) -> None:
    """2.1.197 starts a fork like this (docs/client.md, "Hooks")."""
    workshop.transcript.answer(20_000)
    path = Path(paths.session_run(str(workshop.root), workshop.session_id))

    workshop.prompt("Go on.")
    first = path.stat().st_ino
    workshop.prompt("Go on.")

    assert path.stat().st_ino == first
    assert read_run(str(path)) == Run()

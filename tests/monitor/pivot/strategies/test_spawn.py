"""Spawn: a prompt for a new session to continue from, and the command that starts it."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from monitor.checkpoints.save import describe
from monitor.pivot.strategies import carry_out, spawn
from monitor.session import Project
from tests.monitor.conftest import Carried
from tests.monitor.workshop import GIT, Workshop


def test_the_prompt_says_where_the_work_stands(workshop: Workshop, context: Carried) -> None:
    todos = [{"content": "Rename the helper", "status": "in_progress"}, {"content": "Old", "status": "completed"}]
    workshop.call("TodoWrite", todos=todos)
    workshop.edit("src/app.py", 3)
    workshop.bash("npm test", code=1)

    outcome = carry_out("spawn", context())

    prompt = Path(outcome.files[0].path).read_text()
    for part in (
        "session-1",
        "Rename the helper [in progress]",
        "src/app.py (3x)",
        "`npm test`",
        "cx-001",
    ):
        assert part in prompt
    assert "- done: 1 task: Old\n" in prompt
    assert Path(outcome.files[1].path).name == "cx-001-checkpoint.json"


@pytest.mark.skipif(sys.platform == "win32", reason="names a POSIX shell's command")
def test_the_command_starts_the_client_with_the_prompt(workshop: Workshop, context: Carried, tmp_path: Path) -> None:
    workshop.edit("it's $HOME.py")
    outcome = carry_out("spawn", context(is_asked=True))
    command = spawn.command(outcome.files[0].path, str(workshop.project), is_windows=False)
    assert outcome.text.endswith("directory:\n    ~/.claude/tidegauge/bin/tidegauge resume 1")
    (tmp_path / "bin").mkdir()
    client = tmp_path / "bin" / "claude"
    client.write_text('#!/bin/sh\npwd\nprintf "%s" "$#:$1"\n')
    client.chmod(0o755)

    environ = os.environ | {"PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    result = subprocess.run(["sh", "-c", command], env=environ, capture_output=True, text=True, check=True)

    assert result.stdout == f"{workshop.project}\n1:{Path(outcome.files[0].path).read_text().rstrip()}"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the size of files, which stands for a full disk")
def test_a_prompt_that_does_not_fit_on_the_disk_is_removed(workshop: Workshop, context: Carried) -> None:
    import resource  # noqa: PLC0415  Windows has none

    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, limits[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            context().save("spawn", "continuation.md", "Go on. " * 9_000, "the prompt")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)

    assert list(workshop.project.rglob("*continuation*")) == []


def test_the_command_does_not_name_a_checkpoint_resume_would_refuse(
    context: Carried, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("monitor.checkpoints.folder._prove", lambda *_: 1 / 0)
    outcome = carry_out("spawn", context(is_asked=True))

    assert Path(outcome.files[1].path).name == "cx-001-checkpoint.json"
    assert "tidegauge resume" not in outcome.text
    assert "&& claude" in outcome.text


def test_work_in_a_worktree_is_continued_there(
    workshop: Workshop, context: Carried, monkeypatch: pytest.MonkeyPatch
) -> None:
    workshop.repository()
    subprocess.run([*GIT, "worktree", "add", "-q", "../bay"], cwd=workshop.project, check=True)
    tree = str(workshop.project.parent / "bay")
    monkeypatch.setattr("monitor.checkpoints.folder._prove", lambda *_: 1 / 0)
    outcome = carry_out("spawn", context(is_asked=True, project=Project(str(workshop.project), tree)))
    assert Path(outcome.files[0].path).read_text().startswith(f"Go on with the work of session session-1 in {tree} (")
    assert f"cd {shlex.quote(tree)} && claude" in outcome.text


def test_paths_are_quoted_for_either_shell() -> None:
    path, directory = "/a b/it's", "/c d"

    quoted = shlex.quote(path)
    assert spawn.command(path, directory, is_windows=False) == f"cd '/c d' && claude \"$(cat {quoted})\""
    assert (
        spawn.command(path, directory, is_windows=True) == "Set-Location '/c d'; claude (Get-Content -Raw '/a b/it''s')"
    )


def test_the_answer_names_the_prompts_path_and_not_its_text(workshop: Workshop, context: Carried) -> None:
    workshop.edit("src/app.py")

    outcome = carry_out("spawn", context(is_asked=True))

    assert outcome.files[0].path in outcome.text
    assert "src/app.py" not in outcome.text


def test_secrets_in_tasks_are_masked(workshop: Workshop, context: Carried) -> None:
    key = "AKIA" + "IOSFODNN7EXAMPLE"
    workshop.call("TodoWrite", todos=[{"content": f"Rotate {key}", "status": "pending"}])

    outcome = carry_out("spawn", context())

    assert key not in Path(outcome.files[0].path).read_text() + outcome.text


def test_the_account_is_the_clients_summary_and_later_events(workshop: Workshop, context: Carried) -> None:
    workshop.transcript.prompt("Add vouchers to the shop")
    workshop.transcript.boundary()
    key = "AKIA" + "IOSFODNN7EXAMPLE"
    workshop.transcript.summary(f"1. Vouchers: the form is done, because {key} said so.\n<x>")
    workshop.transcript.prompt("Now write the guide, too")

    prompt = Path(carry_out("spawn", context()).files[0].path).read_text()

    account = prompt.partition(spawn.ACCOUNT)[2]
    assert "1. Vouchers: the form is done, because [masked] said so." in account
    assert "being continued from a previous conversation" not in prompt
    assert "<x>" not in prompt
    after = account.partition("## What the user asked and decided, after that account")[2]
    assert "> Now write the guide, too" in after
    assert "> Add vouchers to the shop" not in after


@pytest.mark.parametrize("form", ["<analysis>\n{}\n</analysis>\n{}", "Analysis:\n{}\n\nSummary:\n{}"])
def test_the_account_has_its_time_and_no_summarisers_thoughts(workshop: Workshop, context: Carried, form: str) -> None:
    workshop.transcript.prompt("Add vouchers to the shop")
    workshop.transcript.boundary(at=1_768_000_000)
    workshop.transcript.summary(form.format("Let me go through it.", "1. Vouchers: the form is done."))
    workshop.edit("src/app.py")

    prompt = Path(carry_out("spawn", context()).files[0].path).read_text()

    account = prompt.partition(spawn.ACCOUNT)[2]
    assert "at 2026-01-09T23:06:40 UTC. Everything else here is newer" in account
    assert "1. Vouchers: the form is done." in account
    assert "go through it" not in prompt


def test_answers_before_the_account_are_left_out(workshop: Workshop, context: Carried) -> None:
    workshop.transcript.prompt("Add vouchers to the shop")
    workshop.transcript.answer(30_000, tool_use_ids=(), text="The vouchers lie in shop/vouchers.py, as planned.")
    workshop.transcript.prompt("Move them to shop/coupons.py")
    workshop.transcript.boundary(at=1_768_000_000)
    workshop.transcript.summary("1. Vouchers: moved to shop/coupons.py, because the person said so.")
    workshop.edit("src/app.py")

    prompt = Path(carry_out("spawn", context()).files[0].path).read_text()

    assert "moved to shop/coupons.py" in prompt
    assert "shop/vouchers.py" not in prompt


def test_before_the_next_compaction_the_last_summary_is_the_account(workshop: Workshop, context: Carried) -> None:
    workshop.transcript.prompt("Add vouchers to the shop")
    workshop.transcript.boundary(at=1_768_000_000)
    workshop.transcript.summary("1. Vouchers: the form is done.")
    workshop.transcript.prompt("Now write the guide, too")
    at = context()

    checkpoint = describe(at.conversation, at.session, at.project, "auto", None)
    account = spawn.continuation(checkpoint, None, at.project).partition(spawn.ACCOUNT)[2]

    assert "at 2026-01-09T23:06:40 UTC. Everything else here is newer" in account
    assert "1. Vouchers: the form is done." in account
    assert "> Add vouchers to the shop" not in account
    workshop.transcript.boundary()
    workshop.transcript.summary("1. The guide is written, too.")
    account = spawn.continuation(checkpoint, None, at.project).partition(spawn.ACCOUNT)[2]
    assert "1. The guide is written, too." in account
    assert "the form is done" not in account


def test_a_very_long_summary_loses_its_middle(workshop: Workshop, context: Carried) -> None:
    workshop.transcript.prompt("Add vouchers to the shop")
    workshop.transcript.summary("begin " + "word " * 20_000 + "end")
    prompt = Path(carry_out("spawn", context()).files[0].path).read_text()
    assert "begin word" in prompt
    assert "word end" in prompt
    assert len(prompt) < spawn.LONGEST_SUMMARY + 8_000


def test_in_the_client_the_agent_is_asked_for_a_missing_account(workshop: Workshop, context: Carried) -> None:
    workshop.edit("src/app.py")
    at = context(is_asked=True)
    session = msgspec.structs.replace(at.session, environ={"CLAUDE_CODE_SESSION_ID": "session-1"})

    outcome = carry_out("spawn", msgspec.structs.replace(at, session=session))

    path = outcome.files[0].path
    assert Path(path).read_text().endswith(f"{spawn.ACCOUNT}\n\n")
    assert "Write it now, under the last heading of the first file" in outcome.text
    assert outcome.text.endswith(spawn.command(path, at.project.directory))

"""An installation of commit 1627285 becomes one of this version, and nothing of the person's is lost.

commit_1627285.json holds what that commit's installer, hooks and `history sync` left in a home, environment excepted.
"""

import hashlib
import hmac
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import REPOSITORY
from tests.installer.conftest import Home

FILES: dict[str, dict[str, str]] = json.loads((Path(__file__).parent / "commit_1627285.json").read_text("utf-8"))
SESSION = "5b0c6a1e-0000-4000-8000-000000000001"
ORIGINAL = ".claude/settings.json.tidegauge-20261122-181621.bak"


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def unpack(home: Path) -> None:
    """Write the files; values derived from the home's path are derived again, as that commit did."""
    for name, file in FILES.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if "sql" in file:
            with sqlite3.connect(path) as store:
                store.executescript(file["sql"].replace("@HOME@", str(home)))
            store.close()
        else:
            path.write_bytes(bytes.fromhex(file.get("hex", "")) or file["text"].replace("@HOME@", str(home)).encode())
        path.chmod(int(file["mode"], 8))
    root = home / ".claude" / "tidegauge"
    rewrite(
        root / "installed.json",
        lambda record: record["files"][str(home / ".claude" / "settings.json")].update(
            after=digest(home / ".claude" / "settings.json")
        ),
    )
    (root / "environment" / "program").mkdir(parents=True)
    (root / "environment" / "program" / "pyproject.toml").write_text('[project]\nversion = "0.1.0"\n')
    key, project = (home / ".local/share/tidegauge/checkpoint-key").read_bytes(), home / "project"
    for checkpoint in (project / ".claude" / "tidegauge" / "checkpoints").glob("*.json"):
        digest_input = f"{project}\0{checkpoint.name}".encode()
        goal = (
            checkpoint.parents[3].parent
            / ".local/share/tidegauge/goals"
            / hashlib.sha256(digest_input).hexdigest()[:32]
        )
        Path(json.loads(checkpoint.read_text())["goal_path"]).rename(goal.with_suffix(".json"))
        rewrite(checkpoint, lambda saved, goal=goal: saved.update(goal_path=f"{goal}.json"))
        signed = b"\0".join([checkpoint.name.encode(), str(project).encode(), checkpoint.read_bytes()])
        checkpoint.with_name(f"{checkpoint.name}.proof").write_text(hmac.digest(key, signed, "sha256").hex())


def rewrite(path: Path, change: Any) -> None:
    contents = json.loads(path.read_text("utf-8"))
    change(contents)
    path.write_text(json.dumps(contents, indent=2) + "\n", "utf-8")


@pytest.fixture
def old_home(tmp_path: Path, home: Home) -> Home:
    """Ann's home under a plainer name: that commit's launchers would quote it."""
    upgraded = Home(tmp_path / "ann", tmp_path / "commands")
    upgraded.installer = REPOSITORY / "install.py"
    upgraded.project.rmdir()
    unpack(upgraded.path)
    return upgraded


def personal(home: Home) -> dict[str, bytes]:
    files = [path for place in (".config", ".local", "project") for path in (home.path / place).rglob("*")]
    return {str(path): path.read_bytes() for path in files if path.is_file() and path.name != "history.sqlite"}


def test_an_upgrade_in_place_and_uninstallation_restore_the_settings(old_home: Home) -> None:
    before = personal(old_home)
    output = old_home.installed("--yes")
    settings = json.loads(old_home.settings.read_bytes())

    assert "(profile full, totalTokensReminder countdown (--no-countdown))" in output
    assert "wraps  your status line, echo mine" in output
    assert (settings["model"], settings["totalTokensReminder"]) == ("opus", "countdown")
    assert settings["hooks"]["PostToolUse"][0] == {
        "matcher": "Bash",
        "hooks": [{"type": "command", "command": "~/bin/notify"}],
    }
    assert {path: contents for path, contents in personal(old_home).items() if path in before} == before

    assert old_home.tidegauge("uninstall", "--yes").returncode == 0
    assert old_home.settings.read_text("utf-8") == FILES[ORIGINAL]["text"]
    assert {path: contents for path, contents in personal(old_home).items() if path in before} == before
    assert not [name for name in ("commands", "agents", "tidegauge") if (old_home.client / name).exists()]


def test_an_upgraded_session_continues_with_its_checkpoints_and_history(old_home: Home) -> None:
    old_home.installed("--yes")
    transcript = old_home.client / "projects" / "-project" / f"{SESSION}.jsonl"
    payload = {"session_id": SESSION, "transcript_path": str(transcript), "cwd": str(old_home.project)}
    tool = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "toolu_2", "tool_response": {}}
    answers = [
        old_home.run(
            ["sh", "-c", f"printf %s '{json.dumps(payload | extra)}' | {old_home.root}/bin/{launcher}"],
            {
                "CLAUDE_CODE_SESSION_ID": SESSION,
                "CLAUDE_PROJECT_DIR": str(old_home.project),
            },
        )
        for launcher, extra in (
            ("statusline", {"hook_event_name": "Status", "model": {"id": "claude-haiku-4-5"}}),
            ("monitor", {"hook_event_name": "PostToolUse", **tool}),
            ("monitor-event", {"hook_event_name": "UserPromptSubmit", "prompt": "Go on."}),
        )
    ]

    assert [(result.returncode, result.stderr) for result in answers] == [(0, "")] * 3
    assert answers[0].stdout.startswith("mine\n")
    assert list((old_home.root / "run").glob("failed-*")) == []
    resumed = old_home.tidegauge("resume")
    assert "Write the parser" in resumed.stdout
    assert old_home.tidegauge("history", "sync").returncode == 0
    totals = old_home.tidegauge("history", "totals", "--json")
    assert (totals.returncode, totals.stderr) == (0, "")

import json
import string
import sys
from pathlib import Path

import pytest

from shared import paths

SAFE = string.ascii_letters + string.digits + "_-"


@pytest.mark.parametrize("text", ["a", "-", "_", SAFE, "x" * 128, "cb2af514-4cb8-41dc-9bd9-28dbe2b0e10f"])
def test_an_id_may_become_a_file_name(text: str) -> None:
    assert paths.is_id(text)


@pytest.mark.parametrize(
    "text", ["", "x" * 129, "..", "../../etc", "a/b", "a\\b", "a.b", "a b", "a:b", "a\n", "\na", "é", "\u0661", "a\x00"]
)
def test_other_ids_may_not_become_file_names(text: str) -> None:
    assert not paths.is_id(text)


def test_run_time_state_is_in_the_root() -> None:
    assert paths.run_directory("/r").replace("\\", "/") == "/r/run"
    for path in (
        paths.bridge("/r", "s"),
        paths.gate("/r", "s"),
        paths.memory("/r", "s"),
        paths.failure_mark("/r", "p"),
    ):
        assert Path(path).parent == Path("/r/run")


def test_each_conversation_has_its_own_files() -> None:
    names = {of("/r", conversation) for of in (paths.gate, paths.memory) for conversation in ("s", "s.a", "t")}
    assert len(names) == 6


def test_a_subagents_transcript_is_beside_its_sessions() -> None:
    path = paths.subagent_transcript("/p/s.jsonl", "s", "a1")
    assert Path(path) == Path("/p/s/subagents/agent-a1.jsonl")


def test_a_workflow_agents_transcript_is_in_the_workflows_folder(tmp_path: Path) -> None:
    own = tmp_path / "s" / "subagents" / "workflows" / "wf_2" / "agent-a1.jsonl"
    for folder in (own.parent, own.parents[1] / "wf_1"):
        folder.mkdir(parents=True)
    own.touch()
    assert Path(paths.subagent_transcript(str(tmp_path / "s.jsonl"), "s", "a1")) == own
    assert Path(paths.subagent_transcript(str(tmp_path / "s.jsonl"), "s", "a2")) == own.parents[2] / "agent-a2.jsonl"


def test_the_clients_directory_may_be_moved(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    assert Path(paths.client_directory()) == tmp_path / ".claude"
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", "/elsewhere")
    assert paths.client_directory() == "/elsewhere"


def test_the_persons_directories_are_those_resolved_at_installation(root: Path) -> None:
    home = root.parents[1]
    directories = paths.directories(str(root))
    assert [directories.config, directories.log, directories.history] == [
        str(home / name) for name in ("config", "log", "data")
    ]
    assert Path(paths.config_file(str(root))) == home / "config" / "config.toml"
    assert Path(paths.log_file(str(root))).parent == home / "log"


def test_data_that_outlives_an_installation_is_in_the_persons_data_directory(root: Path) -> None:
    paths_of_root = {
        of(str(root)) for of in (paths.checkpoint_key, paths.words_directory, paths.history_store, paths.report)
    }
    assert len(paths_of_root) == 4
    assert {Path(path).parent for path in paths_of_root} == {root.parents[1] / "data"}


@pytest.mark.parametrize("written", [None, "", "null", '{"config": 1}', json.dumps({"config": "/c"})])
def test_without_recorded_directories_the_system_is_asked(
    root: Path, monkeypatch: pytest.MonkeyPatch, written: str | None
) -> None:
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(root))
    (root / "directories.json").unlink()
    if written is not None:
        (root / "directories.json").write_text(written)
    directories = paths.directories(str(root))
    for directory in (directories.config, directories.log, directories.history):
        assert Path(directory).is_absolute()
        assert "tidegauge" in directory


def test_the_root_is_above_the_running_environment(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", str(root / "environment"))
    assert paths.installed_root() == str(root)


def test_outside_an_installation_the_root_is_in_the_clients_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "environment"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "client"))
    assert Path(paths.installed_root()) == tmp_path / "client" / "tidegauge"


OF_A_SESSION = {
    paths.activity: "activity-s1.json",
    paths.bridge: "claude-ctx-s1.json",
    paths.gate: "gate-s1",
    paths.gate_notes: "uses-s1",
    paths.memory: "memory-s1.json",
    paths.session_run: "session-s1.json",
    paths.session_samples: "samples-s1.json",
    paths.subagents_mark: "subagents-s1",
    paths.window_note: "window-s1.json",
}


def test_each_kind_of_session_state_has_its_own_file() -> None:
    assert {of: Path(of("/r", "s1")) for of in OF_A_SESSION} == {
        of: Path("/r/run", name) for of, name in OF_A_SESSION.items()
    }


def test_state_of_all_sessions_is_beside_theirs() -> None:
    shared_paths = {Path(of("/r")) for of in (paths.learned, paths.choices, paths.wrapped)}
    assert shared_paths == {Path("/r/learned.json"), Path("/r/choices.json"), Path("/r/wrapped.json")}


def test_the_bridge_is_in_the_private_or_the_configured_directory() -> None:
    assert paths.bridge("/r", "abc123") == "/r/run/claude-ctx-abc123.json"
    assert paths.bridge("/r", "abc123", "/var/tmp") == "/var/tmp/claude-ctx-abc123.json"  # noqa: S108  a name

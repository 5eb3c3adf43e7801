import os
import re
import stat
import time
from pathlib import Path

import msgspec
import pytest

from monitor.session import Conversation, Session
from monitor.warnings import gate
from shared import paths
from shared.config import Config
from shared.transcript import Tail, read_tail
from tests.monitor.scene import NORMAL, Scene

LAUNCHER = Path(__file__).parents[3] / "monitor" / "launcher.sh"


def session_of(scene: Scene, *, now: float = 0, project: str = "") -> Session:
    environ = {"CLAUDE_PID": "4711", "ANTHROPIC_MODEL": "opus", "HOME": "/home/dev"}
    return Session(str(scene.root), Config(), environ, now or time.time(), project)


def conversation_of(scene: Scene) -> Conversation:
    return Conversation(scene.session_id, str(scene.transcript.path))


def tail_of(scene: Scene) -> Tail:
    tail = read_tail(str(scene.transcript.path))
    assert tail is not None
    return tail


def file_of(scene: Scene, conversation: str = Scene.session_id) -> Path:
    return scene.root / "run" / f"gate-{conversation}"


@pytest.mark.parametrize("tokens", [0, 1, NORMAL])
def test_there_is_no_gate_before_it_is_known_what_a_turn_may_bring(scene: Scene, tokens: int) -> None:
    scene.transcript.answer(NORMAL)
    gate.write(session_of(scene), conversation_of(scene), tail_of(scene), tokens, 129_000)
    assert not gate.exists(str(scene.root), scene.session_id)


def test_a_gate_tells_the_launcher_all_that_it_compares(scene: Scene) -> None:
    scene.transcript.rise(NORMAL)
    gate.write(session_of(scene), conversation_of(scene), tail_of(scene), NORMAL, 129_000)
    config, transcript = paths.config_file(str(scene.root)), str(scene.transcript.path)
    tail = tail_of(scene)
    expected = [
        str(tail.answers[0].start),
        str(NORMAL),
        "104000",
        "claude-opus-4-6",
        config,
        transcript,
        "",
        "---",
        "no",
        str(scene.transcript.size - tail.answers[0].start + 1),
        "4711|opus||||||||",
    ]
    assert file_of(scene).read_text().splitlines() == expected
    assert gate.exists(str(scene.root), scene.session_id)
    assert gate.read(str(scene.root), scene.session_id) == gate.Gate(104_000, transcript)


@pytest.mark.parametrize(
    "text", [None, "", "1\n2\n3\n4\n5", "1\n2\nmany\n4\n5\n6\n", f"1\n2\n{'9' * 5_000}\n4\n5\n6\n"]
)
def test_what_is_no_gate_says_nothing(scene: Scene, text: str | None) -> None:
    if text is not None:
        file_of(scene).parent.mkdir(exist_ok=True)
        file_of(scene).write_text(text)
    assert gate.read(str(scene.root), scene.session_id) is None


@pytest.mark.parametrize("has_settings", [True, False])
def test_a_gate_tells_of_which_project_it_knows_the_settings(
    scene: Scene, tmp_path: Path, *, has_settings: bool
) -> None:
    scene.transcript.rise(NORMAL)
    if has_settings:
        (tmp_path / ".claude").mkdir(exist_ok=True)
        (tmp_path / ".claude" / "tidegauge.toml").touch()
    gate.write(session_of(scene, project=str(tmp_path)), conversation_of(scene), tail_of(scene), NORMAL, 129_000)
    told = file_of(scene).read_text().splitlines()[6:8]
    assert told == [str(tmp_path), "+--" if has_settings else "---"]


def test_a_gate_is_no_younger_than_its_settings(scene: Scene) -> None:
    scene.transcript.rise(NORMAL)
    gate.write(session_of(scene, now=1_767_225_600.0), conversation_of(scene), tail_of(scene), NORMAL, 129_000)
    assert file_of(scene).stat().st_mtime < 1_767_225_600.0


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
def test_a_gate_is_private(scene: Scene) -> None:
    scene.transcript.rise(NORMAL)
    gate.write(session_of(scene), conversation_of(scene), tail_of(scene), NORMAL, 129_000)
    assert stat.S_IMODE(file_of(scene).stat().st_mode) == 0o600


def test_a_half_written_line_is_not_taken_for_read(scene: Scene) -> None:
    scene.transcript.rise(NORMAL)
    ended, start = scene.transcript.size, tail_of(scene).answers[0].start
    scene.transcript.write(b'{"type":"assi')
    gate.write(session_of(scene), conversation_of(scene), tail_of(scene), NORMAL, 129_000)
    assert file_of(scene).read_text().splitlines()[9] == str(ended - start + 1)


@pytest.mark.parametrize("tokens", [104_000, 104_001])
def test_there_is_no_gate_where_a_level_may_come_next(scene: Scene, tokens: int) -> None:
    scene.transcript.rise(NORMAL)
    gate.write(session_of(scene), conversation_of(scene), tail_of(scene), NORMAL, 129_000)
    gate.write(session_of(scene), conversation_of(scene), tail_of(scene), tokens, 104_000)
    assert not gate.exists(str(scene.root), scene.session_id)


def test_there_is_no_gate_where_one_turn_reaches_a_level_exactly(scene: Scene) -> None:
    scene.transcript.rise(NORMAL)
    gate.write(session_of(scene), conversation_of(scene), tail_of(scene), 104_000, 129_000)
    assert not gate.exists(str(scene.root), scene.session_id)


def test_there_is_no_gate_before_enough_turns_were_seen(scene: Scene) -> None:
    scene.transcript.answer(10_000)
    scene.transcript.answer(11_000)
    gate.write(session_of(scene), conversation_of(scene), tail_of(scene), 11_000, 129_000)
    assert not gate.exists(str(scene.root), scene.session_id)


def test_a_gate_tells_that_the_run_asked_for_a_long_window(scene: Scene) -> None:
    scene.transcript.rise(NORMAL)
    tail = msgspec.structs.replace(tail_of(scene), is_long=True)
    gate.write(session_of(scene), conversation_of(scene), tail, NORMAL, 129_000)
    assert file_of(scene).read_text().splitlines()[8] == "yes"


@pytest.mark.parametrize("path", ["", "/p/a\nb.jsonl", "/p/a\\b.jsonl"])
def test_a_path_that_a_shell_would_misread_has_no_gate(scene: Scene, path: str) -> None:
    scene.transcript.rise(NORMAL)
    gate.write(session_of(scene), conversation_of(scene), tail_of(scene), NORMAL, 129_000)
    gate.write(session_of(scene), Conversation(scene.session_id, path), tail_of(scene), NORMAL, 129_000)
    assert not gate.exists(str(scene.root), scene.session_id)


def test_a_conversation_without_an_answer_has_no_gate(scene: Scene) -> None:
    scene.transcript.boundary()
    gate.write(session_of(scene), conversation_of(scene), tail_of(scene), 3_200, 104_000)
    assert not gate.exists(str(scene.root), scene.session_id)


def test_a_gate_is_removed_alone_or_with_all_others(scene: Scene) -> None:
    run = scene.root / "run"
    run.mkdir()
    for name in ("gate-a", "gate-a.b", "gate-c", "memory-a.json", "claude-ctx-a.json"):
        (run / name).touch()
    gate.remove(str(scene.root), "c")
    assert sorted(os.listdir(run)) == ["claude-ctx-a.json", "gate-a", "gate-a.b", "memory-a.json"]
    gate.remove_all(str(scene.root))
    assert sorted(os.listdir(run)) == ["claude-ctx-a.json", "memory-a.json"]


def test_without_a_run_directory_there_is_nothing_to_remove(scene: Scene) -> None:
    gate.remove(str(scene.root), "c")
    gate.remove_all(str(scene.root))
    assert not (scene.root / "run").exists()


def test_the_launcher_compares_the_same_variables() -> None:
    named = re.search(r'"\$variables" = "([^"]*)"', LAUNCHER.read_text())
    assert named is not None
    assert tuple(named[1].replace("\\\n", "").replace("$", "").split("|")) == gate.VARIABLES

import threading
import time
from pathlib import Path
from typing import Any

import pytest

from shared import paths
from tests.monitor.scene import CRITICAL, EXHAUSTED, NORMAL, WARNING, Scene, level_in


def test_a_subagent_is_told_about_its_own_window(scene: Scene) -> None:
    scene.turn(NORMAL)
    scene.transcript.subagent("a1").answer(CRITICAL, tool_use_ids=["toolu_a"])
    text = scene.message("toolu_a", agent_id="a1")
    assert level_in(text) == "CRITICAL"
    assert "caller" in text
    assert f"{CRITICAL:,} of 200,000 tokens" in text


def test_a_subagent_is_never_told_about_its_parent(scene: Scene) -> None:
    scene.transcript.answer(EXHAUSTED, tool_use_ids=["toolu_1"])
    scene.bridge(3)
    assert scene.turn(NORMAL, agent="a1") == [""]


def test_a_subagent_has_its_own_memory(scene: Scene) -> None:
    assert scene.turn(WARNING) == ["WARNING"]
    assert scene.turn(WARNING, agent="a1") == ["WARNING"]
    assert scene.turn(WARNING, agent="a2") == ["WARNING"]
    assert scene.memories() == [scene.session_id, f"{scene.session_id}.a1", f"{scene.session_id}.a2"]


def test_a_subagent_does_not_change_its_parents_memory(scene: Scene) -> None:
    scene.turn(WARNING)
    memory = Path(paths.memory(str(scene.root), scene.session_id))
    before = memory.read_bytes(), memory.stat().st_mtime_ns
    for tokens in (NORMAL, CRITICAL, EXHAUSTED, NORMAL):
        scene.turn(tokens, agent="a1")
    assert (memory.read_bytes(), memory.stat().st_mtime_ns) == before
    assert scene.turns(WARNING, 5) == ["", "", "", "", "WARNING"]


def test_a_subagent_without_a_transcript_is_silent(scene: Scene) -> None:
    scene.transcript.answer(EXHAUSTED, tool_use_ids=["toolu_1"])
    scene.bridge(3)
    assert scene.message("toolu_1", agent_id="a1") == ""
    assert scene.memories() == []


def test_a_subagents_transcript_may_come_a_little_later(scene: Scene, patient: None) -> None:
    scene.turn(NORMAL)

    def write() -> None:
        time.sleep(0.05)
        scene.transcript.subagent("a1").answer(CRITICAL, tool_use_ids=["toolu_a"])

    thread = threading.Thread(target=write)
    thread.start()
    assert level_in(scene.message("toolu_a", agent_id="a1")) == "CRITICAL"
    thread.join()


@pytest.mark.parametrize("agent_id", ["", "../a1", "a/b", "a.b", "x" * 129, "a\u0000", 5, ["a"], {}])
def test_an_agent_with_an_unsafe_id_is_silent(scene: Scene, agent_id: Any) -> None:
    scene.transcript.answer(EXHAUSTED, tool_use_ids=["toolu_1"])
    assert scene.message("toolu_1", agent_id=agent_id) == ""


def test_sidechains_in_the_sessions_file_do_not_count_for_it(scene: Scene) -> None:
    scene.transcript.answer(NORMAL, tool_use_ids=["toolu_1"])
    scene.transcript.answer(EXHAUSTED, sidechain=True, tool_use_ids=["toolu_2"])
    assert scene.message("toolu_1") == ""

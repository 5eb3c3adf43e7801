"""CRITICAL and EXHAUSTED each save one checkpoint per window cycle, whichever hook sees the level first."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from monitor.checkpoints.at_level import RETRY_SECONDS
from monitor.memory import memory as memories
from monitor.memory.memory import SavedLevel
from shared import paths
from shared.gauge.levels import Level
from shared.settings import profile
from tests import scratch
from tests.monitor.scene import CRITICAL, EXHAUSTED, NORMAL, WARNING
from tests.monitor.workshop import Workshop

CRITICAL_LEVEL, EXHAUSTED_LEVEL = Level.CRITICAL, Level.EXHAUSTED
HOOKS = ("PostToolUse", "PostToolUseFailure", "UserPromptSubmit", "Stop")


@pytest.fixture(autouse=True)
def core(workshop: Workshop) -> None:
    """Choose the core profile: with the full one an export before the compaction writes its own checkpoints."""
    scratch.choose_profile(workshop.root, profile.CORE)


def triggers(workshop: Workshop) -> list[str]:
    return [checkpoint["session_info"]["trigger"] for checkpoint in workshop.checkpoints()]


def see(workshop: Workshop, tokens: int, event: str, **fields: object) -> None:
    """Have a hook see an answer at `tokens` tokens."""
    workshop.transcript.answer(tokens)
    stdin = json.dumps(workshop.payload(event, tool_use_id="toolu_1", tool_name="Bash", prompt="Go on", **fields))
    result = scratch.run(workshop.root, stdin.encode())
    assert (result.returncode, result.stderr) == (0, b"")


@pytest.mark.parametrize("event", HOOKS)
def test_whichever_hook_sees_a_level_first_saves_it(workshop: Workshop, event: str) -> None:
    see(workshop, WARNING, event)
    assert triggers(workshop) == []
    see(workshop, CRITICAL, event)
    assert triggers(workshop) == ["critical"]
    for other in HOOKS:
        see(workshop, CRITICAL + 1_000, other)
    assert triggers(workshop) == ["critical"]
    see(workshop, EXHAUSTED, event)
    for other in HOOKS:
        see(workshop, EXHAUSTED + 1_000, other)
    assert triggers(workshop) == ["critical", "exhausted"]
    assert scratch.log(workshop.root) == []


@pytest.mark.parametrize("event", HOOKS)
def test_a_jump_to_the_last_level_saves_one_checkpoint(workshop: Workshop, event: str) -> None:
    see(workshop, EXHAUSTED, event)
    see(workshop, CRITICAL, event)
    see(workshop, EXHAUSTED, event)
    assert triggers(workshop) == ["exhausted"]


@pytest.mark.parametrize("event", HOOKS)
def test_a_fall_and_a_compaction_begin_the_next_cycle(workshop: Workshop, event: str) -> None:
    see(workshop, CRITICAL, event)
    see(workshop, WARNING, event)
    see(workshop, CRITICAL, event)
    assert triggers(workshop) == ["critical"]
    see(workshop, NORMAL, event)
    see(workshop, CRITICAL, event)
    assert [trigger for trigger in triggers(workshop) if trigger != "compaction"] == ["critical"] * 2
    workshop.transcript.boundary(165_000, 4_000)
    if event == "UserPromptSubmit":  # its first prompt tells of the compaction
        see(workshop, NORMAL, event)
    see(workshop, CRITICAL, event)
    assert [trigger for trigger in triggers(workshop) if trigger != "compaction"] == ["critical"] * 3


def test_a_session_resumed_in_another_project_saves_there(workshop: Workshop, tmp_path: Path) -> None:
    see(workshop, EXHAUSTED, "Stop")
    workshop.start("resume")
    see(workshop, EXHAUSTED, "Stop")
    assert triggers(workshop) == ["exhausted"]
    market = workshop.elsewhere(tmp_path / "market")
    market.start("resume")
    see(market, EXHAUSTED, "Stop")
    assert triggers(market) == ["exhausted"]


def test_a_session_resumed_in_another_project_saves_again_in_a_shared_folder(
    workshop: Workshop, tmp_path: Path
) -> None:
    workshop.configure(f'checkpoint.directory = "{tmp_path}/all"')
    see(workshop, EXHAUSTED, "Stop")
    market = workshop.elsewhere(tmp_path / "market")
    market.start("resume")
    see(market, EXHAUSTED, "Stop")
    assert market.memory.saved.number == 2


def test_simultaneous_hooks_save_once(workshop: Workshop) -> None:
    workshop.transcript.answer(EXHAUSTED, tool_use_ids=[f"toolu_{number}" for number in range(6)])
    stdins = [
        json.dumps(workshop.payload("PostToolUse", tool_use_id=f"toolu_{number}", tool_name="Bash")).encode()
        for number in range(6)
    ]
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda stdin: scratch.run(workshop.root, stdin), stdins))
    assert triggers(workshop) == ["exhausted"]


def test_a_run_of_one_prompt_saves_before_its_end(workshop: Workshop) -> None:
    """The answer that ends the turn is written shortly after its event."""
    workshop.transcript.answer(WARNING)
    stdin = json.dumps(workshop.payload("Stop", last_assistant_message='It is "done" \u2014\nall of it.')).encode()
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(scratch.run, workshop.root, stdin)
        time.sleep(0.05)
        workshop.transcript.answer(CRITICAL, tool_use_ids=(), text='It is "done" \u2014\nall of it.')
        running.result()
    assert triggers(workshop) == ["critical"]


def test_the_path_is_known_during_the_whole_cycle(workshop: Workshop) -> None:
    see(workshop, CRITICAL, "Stop")
    first = str(workshop.folder.resolve() / "cx-001-checkpoint.json")
    assert workshop.memory.saved == SavedLevel(CRITICAL_LEVEL, first, 1)
    see(workshop, EXHAUSTED, "Stop")
    assert workshop.memory.saved == SavedLevel(EXHAUSTED_LEVEL, first.replace("cx-001", "cx-002"), 2)
    see(workshop, NORMAL, "Stop")
    assert workshop.memory.saved == SavedLevel()


@pytest.mark.parametrize("since", [RETRY_SECONDS + 1, -100 * 24 * 3600.0])
def test_an_interrupted_save_is_finished(workshop: Workshop, since: float) -> None:
    """Also a save that began while the clock was ahead."""
    in_the_way = workshop.project / ".claude"
    in_the_way.write_text("a file")
    see(workshop, CRITICAL, "Stop")
    in_the_way.unlink()
    see(workshop, CRITICAL, "Stop")
    assert triggers(workshop) == []  # not with every tool use
    with memories.locked(str(workshop.root), workshop.session_id) as memory:
        saved = memory.memory.saved
        assert saved.level == 0
        memory.memory.saved = msgspec.structs.replace(saved, tried_at=saved.tried_at - since)
    see(workshop, CRITICAL, "Stop")
    assert triggers(workshop) == ["critical"]


@pytest.mark.parametrize("event", HOOKS)
def test_a_subagents_window_and_a_switched_off_part_save_nothing(workshop: Workshop, event: str) -> None:
    see(workshop, EXHAUSTED, event, agent_id="a1")
    workshop.configure("hooks.checkpoint = false")
    see(workshop, EXHAUSTED, event)
    assert triggers(workshop) == []
    assert workshop.memory.saved == SavedLevel()


def test_a_damaged_file_counts_as_missing(workshop: Workshop) -> None:
    path = Path(paths.memory(str(workshop.root), workshop.session_id))
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b'{"saved": {"level": 9, "path": 7}}')
    see(workshop, CRITICAL, "Stop")
    assert triggers(workshop) == ["critical"]


def test_a_hook_that_sees_an_older_answer_than_another_saves_nothing(workshop: Workshop) -> None:
    see(workshop, CRITICAL, "Stop")
    workshop.transcript.answer(EXHAUSTED)
    workshop.transcript.result()
    with memories.locked(str(workshop.root), workshop.session_id) as memory:
        memory.memory.offset = workshop.transcript.size
    scratch.run(workshop.root, json.dumps(workshop.payload("Stop")).encode())
    assert triggers(workshop) == ["critical"]
    assert scratch.log(workshop.root) == []

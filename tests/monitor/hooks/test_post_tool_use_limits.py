import time
from typing import Any

from monitor.memory.reminder import Reminder
from tests.monitor.scene import CRITICAL, NORMAL, Scene


def limits(used: float) -> dict[str, Any]:
    return {"five_hour": {"used_percentage": used, "resets_at": int(time.time()) + 3600}}


def test_a_rate_limit_near_its_end_is_reported_far_from_every_level(scene: Scene) -> None:
    scene.transcript.answer(NORMAL, tool_use_ids=("toolu_1",))
    scene.bridge(50, tokens=NORMAL, context_window_size=200_000, rate_limits=limits(92))

    assert scene.message().startswith("5h limit 92% used, resets ")
    assert scene.message() == ""


def test_beside_a_warning_it_is_within_its_frame(scene: Scene) -> None:
    scene.transcript.answer(CRITICAL, tool_use_ids=("toolu_1",))
    scene.bridge(25, tokens=CRITICAL, context_window_size=200_000, rate_limits=limits(92))
    lines = scene.message().splitlines()

    assert lines[0] == "---CONTEXT MONITOR---"
    assert any(line.startswith("5h limit 92% used") for line in lines)


def test_it_is_switched_off_with_the_messages(scene: Scene) -> None:
    scene.configure("hooks.context_warnings = false")
    scene.transcript.answer(NORMAL, tool_use_ids=("toolu_1",))
    scene.bridge(50, tokens=NORMAL, context_window_size=200_000, rate_limits=limits(92))

    assert scene.message() == ""


def test_the_person_is_notified_if_they_want_it(scene: Scene) -> None:
    scene.configure("hooks.desktop_notification = true")
    scene.transcript.answer(CRITICAL, tool_use_ids=("toolu_1",))

    first, second = scene.answered(), scene.answered()

    assert first["terminalSequence"] == "\033]9;Claude Code: Context window CRITICAL: 75% used, shop\a"
    assert "terminalSequence" not in second


def test_the_person_is_notified_without_the_agents_messages_too(scene: Scene) -> None:
    scene.configure("[hooks]\ndesktop_notification = true\ncontext_warnings = false")
    scene.transcript.answer(CRITICAL, tool_use_ids=("toolu_1",))

    assert scene.answered().keys() == {"terminalSequence"}
    assert scene.answered() == {}


def test_without_the_setting_it_leaves_no_trace(scene: Scene) -> None:
    scene.transcript.answer(CRITICAL, tool_use_ids=("toolu_1",))

    assert "terminalSequence" not in scene.answered()
    assert scene.memory.notification == Reminder()

import json
import re
from pathlib import Path

import pytest

from monitor.memory.memory import SummaryFile
from tests import scratch
from tests.levels import FIRST, FIRST_REMAINING, FIRST_TOKENS, SPEAKING, level_at, uses_of
from tests.monitor.scene import CRITICAL, EXHAUSTED, NORMAL, WARNING, Scene, level_in
from tests.monitor.workshop import Workshop
from tests.transcripts import NEW_CLIENT, OLD_CLIENT, captured


@pytest.mark.parametrize(
    ("tokens", "level"),
    [
        (WARNING, "WARNING"),
        (CRITICAL, "CRITICAL"),
        (EXHAUSTED, "EXHAUSTED"),
        (199_999, "EXHAUSTED"),
    ],
)
def test_a_level_is_reported_from_its_first_token_on(scene: Scene, tokens: int, level: str) -> None:
    assert scene.turn(tokens) == [level]


def test_below_the_first_level_nothing_is_reported(scene: Scene) -> None:
    assert scene.turn(FIRST_TOKENS - 1) == [""]
    assert scene.turn(FIRST_TOKENS) == [FIRST.name]


@pytest.mark.parametrize(("tokens", "level"), [(WARNING, "WARNING"), (CRITICAL, "CRITICAL"), (EXHAUSTED, "EXHAUSTED")])
def test_a_level_is_not_reported_one_token_too_early(scene: Scene, tokens: int, level: str) -> None:
    assert level not in scene.turn(tokens - 1)


@pytest.mark.parametrize(("tokens", "is_exhausted"), [(168_999, False), (169_000, True)])
def test_a_model_without_automatic_compaction_is_exhausted_at_its_percentage(
    scene: Scene, tokens: int, *, is_exhausted: bool
) -> None:
    scene.transcript.answer(tokens, tool_use_ids=["toolu_1"], model="claude-sonnet-4-5")
    assert (level_in(scene.message()) == "EXHAUSTED") is is_exhausted


@pytest.mark.parametrize(
    ("remaining", "level", "expected"),
    [
        (90.5, "", 90),
        (35.5, "WARNING", 35),
        (35.4, "WARNING", 35),
        (25.5, "CRITICAL", 25),
        (15.5, "EXHAUSTED", 15),
        (0, "EXHAUSTED", 0),
    ],
)
def test_a_bridges_percentage_is_rounded_before_it_counts(
    scene: Scene, remaining: float, level: str, expected: int
) -> None:
    scene.foreign_bridge(remaining)
    text = scene.message()
    assert level_in(text) == level
    assert not level or f" — {expected}% remaining ({100 - expected}% used)." in text


@pytest.mark.parametrize(("remaining", "level"), [(35.6, "WARNING"), (25.6, "CRITICAL"), (15.6, "EXHAUSTED")])
def test_rounding_a_bridges_percentage_never_reaches_a_level_early(scene: Scene, remaining: float, level: str) -> None:
    scene.foreign_bridge(remaining)
    assert level_in(scene.message()) != level


@pytest.mark.parametrize("tokens", [WARNING, CRITICAL, EXHAUSTED])
def test_a_constant_level_is_repeated_at_its_cadence_a_limited_number_of_times(scene: Scene, tokens: int) -> None:
    uses = uses_of(level_at(tokens))
    levels = scene.turns(tokens, uses[-1] + 7)
    assert [number for number, level in enumerate(levels, 1) if level] == uses


def test_an_escalation_is_reported_at_the_tool_use_that_shows_it(scene: Scene) -> None:
    levels = [scene.turn(tokens)[0] for tokens in (NORMAL, WARNING, WARNING, CRITICAL, EXHAUSTED)]
    assert levels == ["", "WARNING", "", "CRITICAL", "EXHAUSTED"]


def test_a_failed_tool_use_counts(scene: Scene) -> None:
    assert scene.turn(WARNING, event="PostToolUseFailure", error="Exit code 3", tool_response=...) == ["WARNING"]
    rest = [scene.turn(WARNING, event="PostToolUseFailure", error="Exit code 3")[0] for _ in range(2)]
    assert rest + scene.turns(WARNING, 3) == ["", "", "", "", "WARNING"]


def test_a_return_to_normal_re_arms(scene: Scene) -> None:
    levels = [scene.turn(tokens)[0] for tokens in (WARNING, NORMAL, WARNING, WARNING)]
    assert levels == ["WARNING", "", "WARNING", ""]


def test_a_compaction_re_arms_without_a_reading_at_normal(scene: Scene) -> None:
    assert scene.turns(WARNING, 2) == ["WARNING", ""]
    scene.transcript.boundary()
    assert scene.turns(WARNING, 2) == ["WARNING", ""]


@pytest.mark.parametrize("after", [3_200, None])
def test_after_a_compaction_old_answers_are_not_reported(scene: Scene, after: int | None) -> None:
    scene.turn(EXHAUSTED)
    scene.transcript.boundary(after=after)
    assert scene.message("toolu_9") == ""
    assert scene.turn(24_000) == [""]


def test_a_batch_gets_one_message(scene: Scene) -> None:
    assert sorted(scene.turn(EXHAUSTED, tools=4)) == ["", "", "", "EXHAUSTED"]
    assert sorted(scene.turn(EXHAUSTED, tools=4)) == ["", "", "", "EXHAUSTED"]


def test_sessions_are_independent(scene: Scene, tmp_path: Path) -> None:
    scene.turn(WARNING)
    other = Scene(scene.root, type(scene.transcript)(tmp_path / "other.jsonl"))
    other.session_id = "another-session"
    assert other.turn(WARNING) == ["WARNING"]
    assert scene.memories() == sorted([scene.session_id, "another-session"])


def test_an_older_reading_does_not_overwrite_a_newer_one(scene: Scene) -> None:
    """Two hooks of different turns may overlap; the older reading must not overwrite the newer."""
    scene.configure("levels.critical.every = 2")
    scene.turn(NORMAL)
    before = scene.transcript.path.read_bytes()
    scene.turn(CRITICAL)
    after = scene.transcript.path.read_bytes()
    holes = b" " * (len(after) - len(before) - 1) + b"\n"
    scene.transcript.path.write_bytes(before + holes)
    scene.message("toolu_late")
    scene.transcript.path.write_bytes(after)
    assert scene.turn(CRITICAL) == [""]
    assert scene.turn(CRITICAL) == ["CRITICAL"]


def test_a_hook_with_an_older_reading_reports_nothing(scene: Scene) -> None:
    scene.turn(WARNING)
    before = scene.transcript.path.read_bytes()
    scene.turn(CRITICAL)
    late = scene.transcript.size - len(before) - 1
    scene.transcript.path.write_bytes(before + b" " * late + b"\n")
    assert [scene.message(f"toolu_late_{number}") for number in range(8)] == [""] * 8


def test_warnings_can_be_switched_off(scene: Scene) -> None:
    scene.configure("hooks.context_warnings = false\nhooks.pivot = false")
    assert scene.turn(EXHAUSTED) == [""]
    assert scene.memory.summary_file == SummaryFile()
    assert scratch.log(scene.root) == []


def test_with_all_its_parts_off_the_hook_leaves_no_files(scene: Scene) -> None:
    scene.configure("hooks.context_warnings = false\nhooks.pivot = false\nhooks.checkpoint = false")
    assert scene.turn(EXHAUSTED) == [""]
    assert not (scene.root / "run").exists()


def test_the_person_sets_thresholds_cadence_style_and_file(scene: Scene) -> None:
    scene.configure(
        f"[levels.{FIRST.name.lower()}]\nremaining = 60\nevery = 2\n"
        "[messages]\nstyle = 'advisory'\nsummary_file = 'STATE.md'\n[window]\nsize = 200_000\n"
    )
    assert scene.turns(79_000, 3) == [FIRST.name, "", FIRST.name]
    scene.transcript.answer(CRITICAL, tool_use_ids=["toolu_x"])
    text = scene.message("toolu_x")
    assert "STATE.md" in text
    assert "Suggestions; the user's instructions take precedence:" in text


def test_a_changed_setting_applies_at_once(scene: Scene) -> None:
    scene.bridge(80)
    assert scene.message() == ""
    scene.configure(f"{FIRST_REMAINING} = 85")
    assert level_in(scene.message()) == FIRST.name


def test_a_level_may_wait_until_few_tokens_are_left(scene: Scene) -> None:
    scene.configure("\n".join(f"levels.{level.name.lower()}.max_tokens = 50000" for level in SPEAKING))
    scene.transcript.request(is_long=True)
    assert scene.turn(949_999) == [""]
    assert scene.turn(950_000) == ["EXHAUSTED"]


def test_broken_settings_do_not_silence_the_monitor(scene: Scene) -> None:
    scene.configure("[[[broken")
    assert scene.turn(WARNING) == ["WARNING"]


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        (OLD_CLIENT, ["WARNING 33%", "CRITICAL 21%", "EXHAUSTED 17%"]),  # whose window's size is assumed
        # In between its parent answered at 10,503 tokens, which re-armed.
        (NEW_CLIENT, ["WARNING 33%", "CRITICAL 21%", "EXHAUSTED 17%", "EXHAUSTED 15%"]),
    ],
)
def test_a_captured_session_gets_messages_at_its_crossings(scene: Scene, version: str, expected: list[str]) -> None:
    """The captured file is played line by line, with a hook after each tool result."""
    messages = []
    for text in captured(version).read_bytes().splitlines(keepends=True):
        scene.transcript.write(text)
        line = json.loads(text)
        content = line.get("message", {}).get("content")
        if line["type"] == "user" and isinstance(content, list) and "tool_use_id" in content[0]:
            message = scene.message(content[0]["tool_use_id"])
            messages += re.findall(r"CONTEXT WINDOW (\w+) — (\d+%) remaining", message)
    assert [" ".join(each) for each in messages] == expected


def test_a_message_names_the_checkpoint_that_was_saved(workshop: Workshop) -> None:
    workshop.configure("hooks.pivot = false")
    workshop.transcript.answer(WARNING, tool_use_ids=["toolu_0"])
    assert "Checkpoint saved" not in workshop.use("toolu_0")
    workshop.transcript.answer(CRITICAL, tool_use_ids=["toolu_1"])
    assert "Checkpoint saved: .claude/tidegauge/checkpoints/cx-001-checkpoint.json" in workshop.use("toolu_1")
    workshop.transcript.answer(EXHAUSTED, tool_use_ids=["toolu_2"])
    message = workshop.use("toolu_2", cwd="/not/there")
    assert "EXHAUSTED" in message
    assert "Checkpoint saved" not in message
    assert scratch.log(workshop.root) == []

"""When the level's message comes, is repeated and ends; test_messages.py has its wording."""

from pathlib import Path
from typing import Any

import pytest

from monitor.memory.memory import Memory, PivotState, SavedLevel
from monitor.memory.reminder import Reminder
from monitor.speakers.level import MOST_MESSAGES, cadence, is_due, most_messages, report_level
from shared.gauge import wording
from shared.gauge.levels import Level, LevelRules
from shared.gauge.limit import Limit
from shared.gauge.window import WindowSource
from shared.settings.config import Config, Hooks
from tests.levels import level_at, uses_of
from tests.monitor.memory.memories import tail_at
from tests.monitor.scene import CRITICAL, EXHAUSTED, NORMAL, WARNING, level_in
from tests.monitor.speakers.snapshots import COMPACTED, ENDING, snapshot_at, tail_of

RULES = LevelRules()
LAST = 172_000
"""Tokens at EXHAUSTED where the session ends at 177,000."""


class WarnedConversation:
    """A conversation in which each tool use belongs to a separate answer."""

    def __init__(self, project: Path, limit: Limit = COMPACTED, agent: str | None = None) -> None:
        self.project = project
        self.memory = Memory()
        self._limit = limit
        self._agent = agent
        self._answers = iter(range(1, 1_000))

    def use(self, tokens: int, **fields: Any) -> str:
        """The level in one tool use's message; empty for silence."""
        number = next(self._answers)
        tail = tail_of(tokens, f"msg_{number}", offset=number * 500)
        facts_by_name: dict[str, Any] = {
            "limit": self._limit,
            "agent": self._agent,
            "project": str(self.project),
            "tail": tail,
        }
        snapshot = snapshot_at(tokens, **(facts_by_name | fields))
        message = report_level(snapshot, self.memory)
        if message is None:
            return ""
        assert message.is_warning is (message.context != wording.RETRACTION)
        return level_in(message.context) or message.context

    def uses(self, tokens: int, count: int, **fields: Any) -> list[int]:
        """Which of `count` tool uses, from 1, bring a message."""
        return [number for number in range(1, count + 1) if self.use(tokens, **fields)]

    def write_summary(self, text: str = "done, left, next") -> None:
        (self.project / "PROJECT-SUMMARY.md").write_text(text)


@pytest.fixture
def warned(tmp_path: Path) -> WarnedConversation:
    return WarnedConversation(tmp_path)


@pytest.mark.parametrize("tokens", [WARNING, CRITICAL, EXHAUSTED])
def test_a_level_is_repeated_at_its_cadence_while_its_request_is_undone(
    warned: WarnedConversation, tokens: int
) -> None:
    assert warned.uses(tokens, 40) == uses_of(level_at(tokens))


def test_each_level_has_its_own_messages(warned: WarnedConversation) -> None:
    assert len(warned.uses(WARNING, 20)) == MOST_MESSAGES
    assert len(warned.uses(CRITICAL, 20)) == MOST_MESSAGES
    assert len(warned.uses(EXHAUSTED, 20)) == MOST_MESSAGES


def test_a_level_left_and_reached_again_gets_no_further_messages_in_a_cycle(warned: WarnedConversation) -> None:
    levels = [warned.use(tokens) for _ in range(6) for tokens in (WARNING, NORMAL)]
    assert levels.count("WARNING") == MOST_MESSAGES


def test_the_next_window_cycle_has_its_own(warned: WarnedConversation) -> None:
    assert warned.uses(WARNING, 20) == uses_of(Level.WARNING)
    warned.memory.observe(tail_at(1, 2, "c1"))
    assert warned.uses(WARNING, 20) == uses_of(Level.WARNING)


def test_at_a_hard_limit_only_exhausted_continues(tmp_path: Path) -> None:
    warned = WarnedConversation(tmp_path, ENDING)
    assert warned.uses(WARNING, 30) == uses_of(Level.WARNING)
    assert warned.uses(CRITICAL, 30) == uses_of(Level.CRITICAL)
    assert warned.uses(LAST, 30) == list(range(1, 31))


@pytest.mark.parametrize("tokens", [WARNING, CRITICAL, EXHAUSTED])
def test_once_the_file_is_written_it_is_quiet(warned: WarnedConversation, tokens: int) -> None:
    assert warned.use(tokens)
    warned.write_summary()
    assert warned.uses(tokens, 30) == []


def test_in_an_entered_worktree_the_file_written_there_counts(
    warned: WarnedConversation,
) -> None:
    worktree = warned.project / ".claude" / "worktrees" / "blue"
    worktree.mkdir(parents=True)
    assert warned.use(WARNING, working_directory=str(worktree))
    (worktree / "PROJECT-SUMMARY.md").write_text("done, left, next")
    assert warned.uses(WARNING, 30, working_directory=str(worktree)) == []
    assert warned.use(CRITICAL, working_directory=str(worktree / "src"))
    (worktree / "PROJECT-SUMMARY.md").write_text("and what was decided")
    assert warned.uses(CRITICAL, 30, working_directory=str(worktree / "src")) == []


def test_once_done_it_is_quiet_until_the_level_rises(warned: WarnedConversation) -> None:
    assert warned.use(WARNING) == "WARNING"
    warned.write_summary()
    assert warned.uses(WARNING, 10) == []
    assert warned.use(CRITICAL) == "CRITICAL"
    assert warned.uses(CRITICAL, 10)[:1] == [RULES.critical.every]  # what this one asked for is undone
    warned.write_summary("more")
    assert warned.uses(CRITICAL, 10) == []
    assert warned.use(EXHAUSTED) == "EXHAUSTED"


def test_after_done_a_fall_is_silent_and_a_return_to_normal_re_arms(warned: WarnedConversation) -> None:
    warned.use(CRITICAL)
    warned.write_summary()
    assert warned.uses(CRITICAL, 4) == []
    assert warned.uses(WARNING, 10) == []
    assert warned.use(NORMAL) == wording.RETRACTION
    assert warned.use(WARNING) == "WARNING"


@pytest.mark.parametrize("text", ["", None])
def test_an_empty_file_is_not_done(warned: WarnedConversation, text: str | None) -> None:
    warned.write_summary("old")
    warned.use(WARNING)
    if text is None:
        (warned.project / "PROJECT-SUMMARY.md").unlink()
    else:
        warned.write_summary(text)
    assert warned.uses(WARNING, 5) == [5]


def test_an_unchanged_older_file_is_not_done(warned: WarnedConversation) -> None:
    warned.write_summary("of yesterday")
    warned.use(WARNING)
    assert warned.uses(WARNING, 10) == [5, 10]


def test_a_subagents_message_comes_once_per_level(tmp_path: Path) -> None:
    warned = WarnedConversation(tmp_path, agent="a1")
    assert warned.uses(WARNING, 20) == [1]
    assert warned.uses(CRITICAL, 20) == [1]
    assert warned.uses(EXHAUSTED, 20) == [1]


def test_at_a_hard_limit_a_subagents_message_also_comes_once(tmp_path: Path) -> None:
    assert WarnedConversation(tmp_path, ENDING, agent="a1").uses(LAST, 20) == [1]


@pytest.mark.parametrize("limit", [COMPACTED, ENDING])
def test_in_plan_mode_nothing_is_repeated(tmp_path: Path, limit: Limit) -> None:
    warned = WarnedConversation(tmp_path, limit)
    assert warned.uses(WARNING, 20, is_planning=True) == [1]
    assert warned.uses(CRITICAL, 20, is_planning=True) == [1]
    assert warned.uses(LAST, 20, is_planning=True) == [1]


def test_tool_uses_skipped_by_the_launcher_count(warned: WarnedConversation) -> None:
    assert warned.use(WARNING)
    assert warned.use(WARNING, uses=4) == ""
    assert warned.use(WARNING) == "WARNING"
    assert warned.use(WARNING, uses=5) == "WARNING"


def test_a_level_not_for_the_agent_is_counted_but_not_reported(warned: WarnedConversation) -> None:
    off = Config(hooks=Hooks(context_warnings=False))
    assert warned.use(CRITICAL, config=off) == ""
    assert warned.memory.level.level == Level.CRITICAL


def test_the_message_retracts_an_outdated_one(warned: WarnedConversation) -> None:
    warned.use(EXHAUSTED)
    assert [warned.use(WARNING) for _ in range(4)] == [""] * 4
    assert warned.memory.has_outdated
    snapshot = snapshot_at(CRITICAL, answer="msg_900", project=str(warned.project))
    message = report_level(snapshot, warned.memory)
    assert message is not None
    assert wording.RETRACTION in message.context
    assert not warned.memory.has_outdated


def test_below_the_levels_the_retraction_comes_once_alone(warned: WarnedConversation) -> None:
    warned.use(CRITICAL)
    assert [warned.use(NORMAL) for _ in range(3)] == [wording.RETRACTION, "", ""]


def test_a_level_comes_once_if_the_windows_size_is_assumed(warned: WarnedConversation) -> None:
    assert warned.uses(WARNING, 20, window_source=WindowSource.DEFAULT) == [1]
    assert warned.uses(CRITICAL, 20, window_source=WindowSource.DEFAULT) == [1]


@pytest.mark.parametrize(("tokens", "is_named"), [(WARNING, False), (CRITICAL, True), (EXHAUSTED, True)])
def test_from_critical_on_the_cycles_checkpoint_is_named(tmp_path: Path, tokens: int, *, is_named: bool) -> None:
    path = str(tmp_path / ".claude" / "cx-001-checkpoint.json")
    memory = Memory(saved=SavedLevel(Level.CRITICAL, path))
    message = report_level(snapshot_at(tokens, project=str(tmp_path)), memory)
    assert message is not None
    assert ("Checkpoint saved: .claude/cx-001-checkpoint.json" in message.context) is is_named


def test_the_limit_alone_decides_whether_the_work_continues() -> None:
    assert most_messages(snapshot_at(EXHAUSTED)) == MOST_MESSAGES
    assert most_messages(snapshot_at(LAST, limit=ENDING)) is None
    assert most_messages(snapshot_at(CRITICAL, limit=ENDING)) == MOST_MESSAGES


@pytest.mark.parametrize(
    ("tokens", "fields", "every"),
    [
        (NORMAL, {}, None),
        (WARNING, {}, RULES.warning.every),
        (CRITICAL, {}, RULES.critical.every),
        (EXHAUSTED, {}, RULES.exhausted.every),
        (EXHAUSTED, {"agent": "a1"}, None),
        (EXHAUSTED, {"is_planning": True}, None),
    ],
)
def test_each_level_has_its_own_cadence(tokens: int, fields: dict[str, Any], every: int | None) -> None:
    snapshot = snapshot_at(tokens, **fields)
    assert cadence(snapshot, is_planning=snapshot.is_planning) == every


@pytest.mark.parametrize(
    ("reminder", "uses", "due"),
    [
        (Reminder(), 1, True),  # a session that is resumed at a level begins with the answer of its last run
        (Reminder(Level.WARNING), 4, False),
        (Reminder(Level.WARNING), 5, True),
        (Reminder(Level.WARNING, 3), 2, True),
        (Reminder(Level.WARNING, 3, is_done=True), 2, False),
        (Reminder(Level.CRITICAL), 1, False),
        (Reminder(Level.EXHAUSTED), 1, True),
        (Reminder(Level.EXHAUSTED, counts={str(Level.EXHAUSTED.value): MOST_MESSAGES}), 1, False),
        (Reminder(Level.EXHAUSTED + 1), 1, True),
    ],
)
def test_a_monitor_waits_for_the_transcript_if_a_message_may_be_due(
    reminder: Reminder, uses: int, *, due: bool
) -> None:
    assert is_due(reminder, uses, snapshot_at(WARNING)) is due


def test_a_monitor_waits_whatever_the_message_count_if_the_session_ends_unsaved() -> None:
    reminder = Reminder(Level.EXHAUSTED, counts={str(Level.EXHAUSTED.value): MOST_MESSAGES})
    assert is_due(reminder, 1, snapshot_at(LAST, limit=ENDING))


def test_it_changes_only_its_own_part_of_the_memory(warned: WarnedConversation) -> None:
    warned.use(CRITICAL)
    assert warned.memory.pivot == warned.memory.notification == Reminder()
    assert warned.memory.pivot_state == PivotState()

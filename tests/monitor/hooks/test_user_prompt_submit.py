import json
import re
from pathlib import Path

import pytest

from monitor.checkpoints.token_budget import tokens
from shared import paths
from shared.gauge import bridge as bridges
from shared.gauge.bridge import Bridge
from tests import scratch
from tests.levels import FIRST, FIRST_TOKENS
from tests.monitor.workshop import Workshop

ALERT, TAG = "<compaction-alert>", "<context-monitor>"


def field(tag: str, name: str) -> str:
    match = re.search(rf"<{name}>(.*?)</{name}>", tag, re.DOTALL)
    assert match, tag
    return match[1]


@pytest.fixture
def tagging(workshop: Workshop) -> Workshop:
    """A session whose every prompt carries the tag."""
    workshop.configure("hooks.tag_every_prompt = true")
    return workshop


@pytest.mark.parametrize(
    ("tokens_in_use", "level", "fill"),
    [
        (20_000, "NORMAL", "0.10"),
        (129_000, "WARNING", "0.65"),
        (149_000, "CRITICAL", "0.75"),
        (162_000, "EXHAUSTED", "0.81"),
        (199_999, "EXHAUSTED", "1.00"),
    ],
)
def test_a_prompt_carries_the_verdict(tagging: Workshop, tokens_in_use: int, level: str, fill: str) -> None:
    tagging.transcript.answer(tokens_in_use)

    tag = tagging.prompt()

    assert tag.startswith(TAG)
    assert tag.endswith("</context-monitor>")
    assert (field(tag, "tier"), field(tag, "fill-percentage")) == (level, fill)
    assert field(tag, "token-count") == str(tokens_in_use)
    assert (field(tag, "context-window"), field(tag, "context-window-source")) == ("200000", "catalogue")
    assert field(tag, "monitoring-ok") == "true"
    assert 40 <= len(tag) / 4 <= 200


def test_it_is_quiet_below_the_first_level(workshop: Workshop) -> None:
    workshop.configure("hooks.tag_every_prompt = false")
    workshop.transcript.answer(FIRST_TOKENS - 1)
    assert workshop.prompt() == ""
    workshop.transcript.answer(FIRST_TOKENS)
    assert field(workshop.prompt(), "tier") == FIRST.name


def test_its_action_is_the_messages_step(workshop: Workshop) -> None:
    workshop.transcript.answer(149_000)
    assert field(workshop.prompt(), "action").startswith("Save the state to PROJECT-SUMMARY.md now: ")


def test_at_normal_a_filling_window_asks_only_for_short_output(tagging: Workshop) -> None:
    tagging.configure("hooks.tag_every_prompt = true\nprompt_tag.tiers.low = 0.25")
    tagging.transcript.answer(49_999)
    assert field(tagging.prompt(), "action") == "none"
    tagging.transcript.answer(50_000)
    assert field(tagging.prompt(), "action") == "keep output short"


def test_the_tags_window_agrees_with_everything_else(tagging: Workshop) -> None:
    tagging.configure("hooks.tag_every_prompt = true\nwindow.size = 400_000")
    tagging.transcript.answer(200_000)

    tag = tagging.prompt()

    assert (field(tag, "fill-percentage"), field(tag, "context-window-source")) == ("0.50", "config")


@pytest.mark.parametrize(("tokens_in_use", "level"), [(300_000, ""), (860_000, "WARNING")])
def test_in_a_large_window_it_waits_for_warning(tagging: Workshop, tokens_in_use: int, level: str) -> None:
    tagging.configure("hooks.tag_every_prompt = true\nhooks.notices = false\nwindow.size = 1_000_000")
    tagging.transcript.answer(tokens_in_use)

    tag = tagging.prompt()

    assert field(tag, "tier") == level if level else tag == ""


def test_tokens_come_from_the_transcript_and_the_window_from_a_stale_bridge(tagging: Workshop) -> None:
    tagging.transcript.answer(150_000)
    bridge(tagging, remaining=90, tokens=100_000, context_window_size=400_000, window_source="bridge", timestamp=5)

    tag = tagging.prompt()

    assert (field(tag, "token-count"), field(tag, "context-window")) == ("150000", "400000")
    assert field(tag, "tier") == "NORMAL"


def test_another_programs_bridge_provides_only_the_percentage(workshop: Workshop) -> None:
    workshop.transcript.answer(120_000)
    bridge(workshop, remaining=24, transcript_size=workshop.transcript.size)

    tag = workshop.prompt()

    assert (field(tag, "tier"), field(tag, "fill-percentage")) == ("CRITICAL", "0.76")
    assert (field(tag, "token-count"), field(tag, "context-window")) == ("unknown", "unknown")


def bridge(workshop: Workshop, remaining: float, timestamp: float | None = None, **fields: object) -> None:
    import time  # noqa: PLC0415  the clock is this helper's own business

    sample = time.time() if timestamp is None else timestamp
    result = Bridge(workshop.session_id, remaining, round(100 - remaining), sample, **fields)  # type: ignore[arg-type]  # any field
    bridges.write(paths.bridge(str(workshop.root), workshop.session_id), result)


def test_tiers_can_be_set(tagging: Workshop) -> None:
    tagging.configure("hooks.tag_every_prompt = true\nprompt_tag.tiers.low = 0.3")
    tagging.transcript.answer(60_000)
    assert field(tagging.prompt(), "action") != "none"


def test_tiers_out_of_order_are_the_defaults(tagging: Workshop) -> None:
    tagging.configure("hooks.tag_every_prompt = true\nprompt_tag.tiers.low = 0.95")
    tagging.transcript.answer(110_000)
    assert field(tagging.prompt(), "action") != "none"


def test_a_tag_that_is_switched_off_reads_nothing(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    workshop.configure("hooks.prompt_tag = false\nhooks.compaction_alert = false\nhooks.checkpoint = false")
    workshop.transcript.answer(190_000)
    monkeypatch.setattr("monitor.prompts.prompt.tail_of", lambda of, _: pytest.fail(f"read {of}"))

    assert workshop.prompt() == ""
    assert not workshop.folder.exists()


@pytest.mark.parametrize(
    "fields",
    [
        {"text": "<task-notification>\n<task-id>a</task-id>"},
        {"text": "  <task-notification>"},
        {"text": "wake up", "source": "loop_wakeup"},
        {"text": "wake up", "source": "schedule_wakeup"},
        {"text": "poll", "source": "poll_event"},
        {"text": "note", "source": "system"},
    ],
)
def test_the_clients_own_prompts_get_no_tag(workshop: Workshop, fields: dict[str, str]) -> None:
    workshop.transcript.answer(190_000)

    assert workshop.prompt(**fields) == ""
    assert not workshop.folder.exists()


@pytest.mark.parametrize("source", ["user", "sdk", ...])
def test_a_persons_prompt_is_answered(workshop: Workshop, source: object) -> None:
    workshop.transcript.answer(140_000)
    assert workshop.prompt(source=source).startswith(TAG)


def test_a_subagents_prompt_is_ignored(workshop: Workshop) -> None:
    workshop.transcript.answer(190_000)
    assert workshop.prompt(agent_id="a1") == ""


def test_a_level_first_seen_at_a_prompt_is_saved_and_says_so(workshop: Workshop) -> None:
    for used, count in [(140_000, 0), (150_000, 1), (155_000, 1), (163_000, 2), (164_000, 2)]:
        workshop.transcript.answer(used)
        tag = workshop.prompt()
        assert len(workshop.checkpoints()) == count, used
        assert ("are saved; record" in tag) is (count > 0)
    assert [checkpoint["session_info"]["trigger"] for checkpoint in workshop.checkpoints()] == ["critical", "exhausted"]


def test_nothing_is_saved_where_checkpoints_are_switched_off(workshop: Workshop) -> None:
    workshop.configure("hooks.checkpoint = false")
    workshop.transcript.answer(190_000)

    assert field(workshop.prompt(), "tier") == "EXHAUSTED"
    assert not workshop.folder.exists()


def test_the_tag_survives_a_folder_that_cannot_be_written(workshop: Workshop) -> None:
    (workshop.project / ".claude").write_text("a file in the way")
    workshop.transcript.answer(190_000)

    tag = workshop.prompt()

    assert field(tag, "tier") == "EXHAUSTED"
    assert "are saved; record" not in tag


def test_one_part_fails_alone(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    workshop.transcript.answer(140_000)
    workshop.compact()
    workshop.transcript.boundary()
    workshop.transcript.answer(140_000)
    monkeypatch.setattr("monitor.prompts.alert.alert", lambda *_: 1 / 0)
    assert workshop.prompt().startswith(TAG)
    monkeypatch.undo()
    assert ALERT in workshop.prompt()


def test_the_other_part_fails_alone_too(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    workshop.compact()
    workshop.transcript.boundary()
    monkeypatch.setattr("monitor.hooks.user_prompt_submit.tag_for", lambda *_, **__: 1 / 0)
    assert workshop.prompt().startswith(ALERT)


def test_both_texts_together_keep_to_their_budget(workshop: Workshop) -> None:
    for number in range(40):
        workshop.edit(f"src/a_rather_long_directory_name/and_another_one/module_number_{number}.py", 2)
    workshop.bash("python -m a.very.long.command --with='many options' " + "x" * 400, code=1)
    workshop.compact()
    workshop.transcript.boundary(199_000, 190_000)
    message = workshop.prompt()
    assert ALERT in message
    assert len(message) / 4 <= 480


def test_tasks_and_files_survive_a_long_next_step(workshop: Workshop) -> None:
    words = "described at some length " * 20
    workshop.edit("src/app.py")
    workshop.call("TodoWrite", todos=[{"content": f"Task {n} {words}", "status": "pending"} for n in range(60)])
    (workshop.project / "ORCHESTRATION.yaml").write_text(f"resumption:\n  next_step: {words}\n")
    workshop.compact()
    workshop.transcript.boundary()

    message = workshop.prompt()
    alert = message[message.index(ALERT) :]

    assert tokens(alert) <= 280
    for text in ("Next step (ORCHESTRATION.yaml): ", "Task 0", "src/app.py", "cx-001-checkpoint.json"):
        assert text in alert


def test_the_process_answers_with_one_object(workshop: Workshop) -> None:
    workshop.transcript.answer(140_000)
    result = scratch.run(workshop.root, json.dumps(workshop.payload("UserPromptSubmit", prompt="Go on")).encode())
    assert (result.returncode, result.stderr) == (0, b"")
    assert set(json.loads(result.stdout)["hookSpecificOutput"]) == {"hookEventName", "additionalContext"}


@pytest.mark.parametrize("session_id", ["../../etc", "", "a/b", "x" * 200])
def test_a_session_with_an_unsafe_id_is_met_with_silence(workshop: Workshop, session_id: str) -> None:
    assert workshop.prompt(session_id=session_id) == ""


def test_an_alert_begins_the_next_cycle_before_the_transcript_shows_it(workshop: Workshop) -> None:
    workshop.transcript.answer(150_000)
    workshop.prompt()
    assert workshop.memory.saved.path
    workshop.start("compact")
    assert ALERT in workshop.prompt()
    assert not workshop.memory.saved.path


@pytest.mark.parametrize(("characters", "is_open"), [(16_383, True), (16_384, False)])
def test_after_a_large_prompt_the_launcher_always_starts_the_monitor(
    workshop: Workshop, characters: int, *, is_open: bool
) -> None:
    """The transcript may not hold it yet at the next tool use."""
    gate = Path(paths.gate(str(workshop.root), workshop.session_id))
    gate.parent.mkdir(exist_ok=True)
    gate.touch()
    workshop.fire("UserPromptSubmit", prompt="x" * characters)
    assert gate.exists() is is_open

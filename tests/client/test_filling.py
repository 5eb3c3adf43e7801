"""A window that fills until the client compacts it: each level is reported and saved once before that."""

import json
from pathlib import Path

import pytest

from tests.client.client import COMPACTED, HEADLESS, Client
from tests.client.clients import binary
from tests.client.injected import LevelWarning, warnings
from tests.client.model import MAIN, SUMMARY, ScriptedModel
from tests.client.step import SLOW, Step, bash, say
from tests.levels import FIRST_TOKENS

pytestmark = pytest.mark.client


def triggers(project: Path) -> list[str]:
    """The trigger of each checkpoint of the project, in order."""
    folder = project / ".claude" / "tidegauge" / "checkpoints"
    documents = [json.loads(path.read_bytes()) for path in sorted(folder.glob("cx-*-checkpoint.json"))]
    return [document["session_info"]["trigger"] for document in documents]


def test_every_level_is_reported_and_saved_before_the_client_compacts(client: Client, mode: str, project: Path) -> None:
    saved: list[list[str]] = []

    def look(_: ScriptedModel) -> None:
        saved.append(triggers(project))

    # it compacts at 167,000: the last of these answers goes past that
    filling = [bash(tokens, SLOW) for tokens in (FIRST_TOKENS - 20_000, 130_000, 150_000, 162_000, 163_000, 168_000)]
    steps = [*(step._replace(hold=look) for step in filling), bash(30_000, SLOW), say(31_000, "Enough.")]
    played = client.play(mode, project, {MAIN: steps}, model=COMPACTED)
    assert [request.conversation for request in played.requests if request.conversation in {MAIN, SUMMARY}] == [
        *[MAIN] * 6,
        SUMMARY,
        *[MAIN] * 2,
    ]
    messages = [
        LevelWarning(2, "WARNING", 35, 130_000, 200_000),
        LevelWarning(3, "CRITICAL", 25, 150_000, 200_000),
        LevelWarning(4, "EXHAUSTED", 19, 162_000, 200_000),
        LevelWarning(5, "EXHAUSTED", 18, 163_000, 200_000),
    ]
    assert warnings(played.of(MAIN))[: len(messages)] == messages
    # each list holds the checkpoints at the request of that step
    assert [names[:2] for names in saved] == [
        [],
        [],
        [],
        ["critical"],
        ["critical", "exhausted"],
        ["critical", "exhausted"],
    ]
    assert triggers(project)[-1] == "auto"


def test_a_result_that_passes_the_compaction_point_leaves_the_compaction_due(
    client: Client, mode: str, project: Path
) -> None:
    """The client compacts before its next request: that it hasn't yet doesn't disprove the point."""
    filling = [bash(tokens, SLOW) for tokens in (FIRST_TOKENS - 20_000, 158_000, 170_400, 30_000)]
    played = client.play(mode, project, {MAIN: [*filling, say(31_000, "Enough.")]}, model=COMPACTED)
    assert len(played.of(SUMMARY)) == 1
    compacted = json.dumps(played.of(MAIN)[3].body)
    assert "170,400 of 200,000 tokens in use" in compacted
    assert "Compaction is due: the limit of 167,000 is reached" in compacted


def test_a_model_that_gets_context_in_system_messages(bare_home: Path, mode: str, project: Path) -> None:
    """From opus-5 on the client sends a hook's context as a separate message, and compacts at 967,000."""
    client = Client("2.1.330", binary("2.1.330"), bare_home)
    steps = [bash(tokens, SLOW) for tokens in (600_000, 860_000, 900_000, 940_000, 962_000, 970_000, 30_000)]
    played = client.play(mode, project, {MAIN: [*steps, say(31_000, "Enough.")]}, model="claude-opus-5")
    assert {message["role"] for request in played.of(MAIN) for message in request.body["messages"]} >= {"system"}
    assert len(played.of(SUMMARY)) == 1
    assert warnings(played.of(MAIN))[:4] == [
        LevelWarning(2, "WARNING", 14, 860_000, 1_000_000),
        LevelWarning(3, "CRITICAL", 10, 900_000, 1_000_000),
        LevelWarning(4, "EXHAUSTED", 6, 940_000, 1_000_000),
        LevelWarning(5, "EXHAUSTED", 4, 962_000, 1_000_000),
    ]
    assert triggers(project) == ["critical", "exhausted", "auto"]


@pytest.mark.parametrize("version", ["2.1.330", "2.1.197"])
def test_one_prompt_that_fills_the_window_leaves_a_checkpoint(bare_home: Path, project: Path, version: str) -> None:
    client = Client(version, binary(version), bare_home)
    steps: list[Step] = [
        bash(tokens, SLOW) for tokens in (FIRST_TOKENS - 20_000, FIRST_TOKENS - 5_000, 140_000, 155_000, 171_000)
    ]
    played = client.play(HEADLESS, project, {MAIN: [*steps, say(176_000, "Enough.")]})
    assert [(message.request, message.level) for message in warnings(played.of(MAIN))] == [
        (3, "WARNING"),
        (4, "CRITICAL"),
        (5, "EXHAUSTED"),
    ]
    assert triggers(project) == ["critical", "exhausted"]

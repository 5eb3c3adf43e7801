import json
from pathlib import Path

import pytest

from shared import paths
from shared.client.client_settings import ClientSettings, Run, write_run
from shared.files import files
from shared.files.lenient import record_or_empty
from shared.gauge.levels import Level
from shared.gauge.limit import Learned, compaction_key, write_learned
from shared.settings.config import Config, StatusLine
from statusline.measuring.measurement import observe
from statusline.measuring.status import Status
from statusline.payload import Payload
from tests.levels import level_at
from tests.statusline.scene import captured, payload_with, status_of


@pytest.mark.parametrize(
    ("name", "level"),
    [
        ("few-tokens", Level.NORMAL),
        ("warning", Level.WARNING),
        ("critical", Level.CRITICAL),
        ("exhausted", Level.EXHAUSTED),
        ("first-draw", Level.NORMAL),
        ("compacted", Level.NORMAL),
    ],
)
def test_levels_match_the_monitors(name: str, level: Level, root: Path) -> None:
    assert status_of(captured(name), root).level is level


@pytest.mark.parametrize("name", ["first-draw", "compacted"])
def test_the_unknown_is_not_guessed(name: str, root: Path) -> None:
    assert status_of(captured(name), root).reading is None


def limit_in(status: Status) -> int | None:
    return status.verdict.limit.tokens if status.verdict and status.verdict.limit else None


def left_in(status: Status) -> int | None:
    assert status.verdict
    return status.verdict.tool_uses_left


def test_a_known_compaction_counts(root: Path) -> None:
    version = json.loads(captured("normal"))["version"]
    key = compaction_key("claude-opus-4-6", version, 200_000, {})
    write_learned(str(root), Learned({}, {key: 140_000}))

    status = status_of(captured("normal"), root)
    marked = status_of(payload_with("normal", model={"id": "claude-opus-4-6[1m]"}), root)

    assert limit_in(status) == 140_000
    assert limit_in(marked) == 140_000
    assert status_of(captured("warning"), root).level is level_at(134_003, 140_000)


def test_the_clients_command_line_settings_count(root: Path) -> None:
    session = json.loads(captured("normal"))["session_id"]
    write_run(paths.session_run(str(root), session), Run(settings=ClientSettings(autoCompactWindow=150_000)))

    assert limit_in(status_of(captured("normal"), root)) == 117_000


def growing(path: Path, tokens: list[int]) -> None:
    lines = [
        {
            "type": "assistant",
            "message": {
                "id": f"msg_{number}",
                "model": "claude-opus-4-6",
                "content": [{"type": "tool_use", "id": f"toolu_{number}"}],
                "usage": {"input_tokens": 3, "cache_read_input_tokens": total - 3},
            },
        }
        for number, total in enumerate(tokens)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def observed(transcript: Path, root: Path, config: Config | None = None) -> Status:
    payload = record_or_empty(payload_with("normal", transcript_path=str(transcript)), Payload)
    return observe(payload, files.size(str(transcript)), config or Config(), str(root), {})


def test_the_forecast_comes_from_the_transcript(root: Path, tmp_path: Path) -> None:
    growing(tmp_path / "t.jsonl", [90_000, 93_000, 96_000, 99_000, 102_000, 105_000])

    assert left_in(observed(tmp_path / "t.jsonl", root)) == 16  # 118,000 of 167,000, 3,000 each


def test_too_few_answers_give_no_forecast(root: Path, tmp_path: Path) -> None:
    growing(tmp_path / "t.jsonl", [90_000, 93_000, 96_000])

    assert left_in(observed(tmp_path / "t.jsonl", root)) is None


def test_a_hidden_forecast_costs_no_reading(root: Path, tmp_path: Path) -> None:
    growing(tmp_path / "t.jsonl", [90_000, 93_000, 96_000, 99_000, 102_000, 105_000])

    config = Config(statusline=StatusLine(hide=("forecast",)))

    assert left_in(observed(tmp_path / "t.jsonl", root, config)) is None

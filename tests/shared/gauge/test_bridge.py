import json
import os
from pathlib import Path
from typing import Any

import pytest

from shared.gauge import bridge as bridges
from shared.gauge.bridge import FRESH_SECONDS, Bridge, WindowNote, written_since
from shared.transcript.records import Usage

NOW = 1_767_225_600.0
PUBLIC: dict[str, Any] = {
    "session_id": "abc123",
    "remaining_percentage": 28.5,
    "used_pct": 72,
    "timestamp": int(NOW),
}
FULL = Bridge(
    session_id="abc123",
    remaining_percentage=74,
    used_pct=26,
    timestamp=int(NOW),
    schema_version=1,
    context_window_size=200_000,
    window_source="bridge",
    tokens=52_000,
    usage=Usage(3, 2_000, 49_997, 120),
    model_id="claude-opus-4-6",
    transcript_path="/home/dev/session.jsonl",
    transcript_size=9_000,
    rate_limits={"five_hour": {"used_percentage": 12, "resets_at": 1_767_230_000}},
    prompt_cache={"warm": True, "hit_ratio": 0.98},
    written_at=int(NOW) + 1,
)


DEEP = json.dumps(PUBLIC)[:-1] + ',"later":' + "[" * 100_000
HUGE = "1" + 400 * "0"  # an integer that no float holds


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "claude-ctx-abc123.json"


def read(path: Path, document: object) -> Bridge | None:
    path.write_text(document if isinstance(document, str) else json.dumps(document))
    return bridges.read(str(path), "abc123")


def test_written_files_are_read_back(path: Path) -> None:
    bridges.write(str(path), FULL)
    assert bridges.read(str(path), "abc123") == FULL


def test_the_file_holds_the_public_contract(path: Path) -> None:
    bridges.write(str(path), Bridge("abc123", 28.5, 72, 1_708_200_000))
    written = json.loads(path.read_bytes())
    assert {name: written[name] for name in PUBLIC} == PUBLIC | {"timestamp": 1_708_200_000}
    assert isinstance(written["timestamp"], int)
    assert isinstance(written["used_pct"], int)


def test_the_file_names_its_schema(path: Path) -> None:
    bridges.write(str(path), FULL)
    assert json.loads(path.read_bytes())["schema_version"] == bridges.SCHEMA_VERSION


def test_unknown_numbers_are_left_out(path: Path) -> None:
    bridges.write(str(path), Bridge("abc123", 28.5, 72, int(NOW)))
    assert "null" not in path.read_text()


@pytest.mark.parametrize("remaining", [0, 28.5, 100])
def test_a_foreign_bridge_of_the_public_contract_is_accepted(path: Path, remaining: float) -> None:
    bridge = read(path, PUBLIC | {"remaining_percentage": remaining})
    assert bridge is not None
    assert (bridge.remaining_percentage, bridge.timestamp) == (remaining, NOW)
    assert (bridge.tokens, bridge.context_window_size, bridge.transcript_size) == (None, None, None)


@pytest.mark.parametrize(
    "extra",
    [
        {"schema_version": 99},
        {"model": {"anything": [1, 2]}},
        {"tokens": "many"},
        {"tokens": int(HUGE)},
        {"tokens": -1},
        {"transcript_size": int(HUGE)},
        {"usage": {"input": int(HUGE), "cache_creation": 0, "cache_read": 0}},
        {"usage": "much"},
        {"used_pct": "71%"},
        {"used_pct": 71.5},
        {"context_window_size": None, "tokens": None, "usage": None},
    ],
)
def test_other_fields_of_any_type_are_harmless(path: Path, extra: dict[str, Any]) -> None:
    bridge = read(path, PUBLIC | extra)
    assert bridge is not None
    assert (bridge.remaining_percentage, bridge.used_pct, bridge.tokens, bridge.usage) == (28.5, 72, None, None)


@pytest.mark.parametrize("extra", [b'"cwd":"/caf\xe9"', b'"caf\xe9":1', b'"cost":1e999', b'"used_pct":1e999'])
def test_undecodable_fields_beside_the_public_contract_are_harmless(path: Path, extra: bytes) -> None:
    path.write_bytes(json.dumps(PUBLIC).encode()[:-1] + b"," + extra + b"}")
    bridge = bridges.read(str(path), "abc123")
    assert bridge is not None
    assert (bridge.remaining_percentage, bridge.used_pct, bridge.timestamp) == (28.5, 72, NOW)


def test_used_may_be_missing(path: Path) -> None:
    bridge = read(path, {name: value for name, value in PUBLIC.items() if name != "used_pct"})
    assert bridge is not None
    assert bridge.used_pct == 72


@pytest.mark.parametrize("name", ["session_id", "remaining_percentage", "timestamp"])
@pytest.mark.parametrize("value", [..., None, "x", "28.5", True, [], {}])
def test_a_bridge_without_a_required_field_is_none(path: Path, name: str, value: object) -> None:
    document = PUBLIC | {name: value}
    assert read(path, {key: part for key, part in document.items() if part is not ...}) is None


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity", "1e999", "-0.1", "100.1", "-5", "250", HUGE])
def test_a_bridge_with_an_impossible_percentage_is_none(path: Path, text: str) -> None:
    assert read(path, json.dumps(PUBLIC).replace("28.5", text)) is None


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity", "1e999", HUGE])
def test_a_bridge_with_an_impossible_time_is_none(path: Path, text: str) -> None:
    assert read(path, json.dumps(PUBLIC).replace(str(int(NOW)), text)) is None


@pytest.mark.parametrize("document", ["", "{", "null", "[]", "28.5", "\x00\x00", json.dumps(PUBLIC)[:-2], DEEP])
def test_a_damaged_bridge_is_none(path: Path, document: str) -> None:
    assert read(path, document) is None


def test_a_bridge_that_is_no_text_is_none(path: Path) -> None:
    path.write_bytes(b'{"session_id":"abc123\xff","remaining_percentage":5,"timestamp":1}')
    assert bridges.read(str(path), "abc123") is None


def test_the_bridge_of_another_session_is_none(path: Path) -> None:
    bridges.write(str(path), FULL)
    assert bridges.read(str(path), "abc124") is None


def test_a_missing_bridge_is_none(path: Path) -> None:
    assert bridges.read(str(path), "abc123") is None


@pytest.mark.skipif(os.name == "nt", reason="links of POSIX")
def test_a_link_is_none(path: Path, tmp_path: Path) -> None:
    bridges.write(str(tmp_path / "elsewhere.json"), FULL)
    path.symlink_to(tmp_path / "elsewhere.json")
    assert bridges.read(str(path), "abc123") is None


@pytest.mark.parametrize(
    ("age", "is_fresh"),
    [(0, True), (60, True), (60.5, False), (61, False), (-60, True), (-60.5, False), (-61, False), (86_400, False)],
)
def test_a_sample_is_fresh_for_a_minute_and_never_from_far_ahead(age: float, *, is_fresh: bool) -> None:
    assert FRESH_SECONDS == 60
    bridge = Bridge("abc123", 28.5, 72, int(NOW))
    assert bridges.is_fresh(bridge, NOW + age, -1) is is_fresh


def test_freshness_goes_by_the_sample_and_not_the_write() -> None:
    bridge = Bridge("abc123", 28.5, 72, int(NOW), written_at=int(NOW) + 500)
    assert not bridges.is_fresh(bridge, NOW + 500, -1)


@pytest.mark.parametrize(
    ("sampled_size", "size", "is_fresh"),
    [(9_000, 9_000, True), (9_000, 9_001, False), (9_000, -1, True), (None, 9_001, True), (0, 1, False)],
)
def test_a_grown_transcript_makes_a_sample_stale(sampled_size: int | None, size: int, *, is_fresh: bool) -> None:
    bridge = Bridge("abc123", 28.5, 72, int(NOW), transcript_size=sampled_size)
    assert bridges.is_fresh(bridge, NOW, size) is is_fresh


@pytest.mark.parametrize("session_id", ["abc123", "none"])
def test_a_window_note_is_read_back(root: Path, session_id: str) -> None:
    note = WindowNote("claude-opus-4-6[1m]", 1_000_000, NOW)
    bridges.write_note(str(root), "abc123", note)
    assert bridges.read_note(str(root), session_id) == (note if session_id == "abc123" else None)


@pytest.mark.parametrize("seconds", [0, 1, -1])
def test_a_bridge_from_before_a_runs_start_belongs_to_another_run(seconds: int) -> None:
    for record in (WindowNote("", 200_000, NOW), Bridge("abc123", 28.5, 72, 5, written_at=NOW)):
        assert written_since(record, NOW + seconds) is (seconds <= 0)
    assert not written_since(WindowNote("", 200_000), 0.5)


@pytest.mark.parametrize(("seconds", "is_since"), [(-1, True), (0.9, True), (1, False), (2, False)])
def test_another_programs_bridge_may_be_from_the_second_of_the_runs_start(seconds: float, *, is_since: bool) -> None:
    assert written_since(Bridge("abc123", 28.5, 72, int(NOW)), NOW + seconds) is is_since

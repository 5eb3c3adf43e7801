import json
import os
from pathlib import Path

import msgspec
import pytest

from shared import paths
from shared.files.lenient import record_or_empty
from shared.gauge import bridge as bridges
from shared.gauge.bridge import Bridge, WindowNote
from shared.gauge.levels import Level
from statusline.measuring.sample import write_bridge
from statusline.measuring.status import Status
from statusline.payload import Verbatim
from tests.statusline.scene import captured, payload_with, status_of

SESSION = "cb2af514-4cb8-41dc-9bd9-28dbe2b0e10f"
TRANSCRIPT_SIZE = 5000


def bridge_after(root: Path, document: bytes, *, after: float = 0, size: int = TRANSCRIPT_SIZE) -> Bridge | None:
    """The bridge after a redraw of `document`, `after` seconds past the first."""
    status = status_of(document, root)
    leave_at(root, msgspec.structs.replace(status, now=status.now + after), document, size)
    return bridge(root)


def leave_at(root: Path, status: Status, document: bytes, size: int = TRANSCRIPT_SIZE) -> None:
    write_bridge(status, size, record_or_empty(document, Verbatim), str(root), None)


def bridge(root: Path) -> Bridge | None:
    return bridges.read(paths.bridge(str(root), SESSION), SESSION)


def gate(root: Path) -> Path:
    path = Path(paths.gate(str(root), SESSION))
    path.parent.mkdir(exist_ok=True)
    path.write_text("1\n118000\n129000\nclaude-opus-4-6\n/c\n/t.jsonl\n")
    return path


def test_the_public_fields_are_in_the_file(root: Path) -> None:
    bridge_after(
        root, payload_with("critical", context_window={"remaining_percentage": 28.5, "context_window_size": 200_000})
    )

    written = json.loads(Path(paths.bridge(str(root), SESSION)).read_bytes())
    assert {name: written[name] for name in ("session_id", "remaining_percentage", "used_pct", "timestamp")} == {
        "session_id": SESSION,
        "remaining_percentage": 28.5,
        "used_pct": 72,
        "timestamp": 1795272100,
    }


def test_the_bridge_holds_the_measurements(root: Path) -> None:
    result = bridge_after(root, captured("everything"))
    payload = json.loads(captured("everything"))

    assert result
    assert (result.tokens, result.context_window_size, result.window_source) == (134_003, 200_000, "bridge")
    assert result.usage
    assert (result.usage.input, result.usage.cache_creation, result.usage.cache_read) == (3, 2000, 132_000)
    assert (result.model_id, result.transcript_path, result.transcript_size) == (
        "claude-opus-4-6",
        payload["transcript_path"],
        5000,
    )
    assert (result.rate_limits, result.prompt_cache) == (payload["rate_limits"], payload["prompt_cache"])


def test_the_file_is_private(root: Path) -> None:
    bridge_after(root, captured("normal"))

    assert os.stat(paths.bridge(str(root), SESSION)).st_mode & 0o777 == 0o600
    assert os.stat(paths.run_directory(str(root))).st_mode & 0o777 == 0o700


def test_a_redraw_of_the_same_numbers_keeps_their_time(root: Path) -> None:
    first = bridge_after(root, captured("normal"))
    second = bridge_after(root, captured("normal"), after=90, size=9000)

    assert first
    assert second
    assert (second.timestamp, second.transcript_size) == (first.timestamp, 5000)
    assert second.written_at == 1795272190


def test_new_numbers_are_a_new_sample(root: Path) -> None:
    bridge_after(root, captured("normal"))
    second = bridge_after(root, captured("warning"), after=90, size=9000)

    assert second
    assert (second.timestamp, second.transcript_size) == (1795272190, 9000)


def test_another_window_is_a_new_sample(root: Path) -> None:
    bridge_after(root, captured("normal"))
    window = json.loads(captured("normal"))["context_window"] | {"context_window_size": 1_000_000}
    second = bridge_after(root, payload_with("normal", context_window=window), after=90)

    assert second
    assert second.timestamp == 1795272190


def test_a_clock_set_back_leaves_no_sample_in_the_future(root: Path) -> None:
    bridge_after(root, captured("normal"))
    second = bridge_after(root, captured("normal"), after=-5000)

    assert second
    assert second.timestamp == 1795267100


@pytest.mark.parametrize("name", ["first-draw", "compacted"])
def test_unknown_numbers_leave_no_bridge(name: str, root: Path) -> None:
    assert bridge_after(root, captured(name)) is None


def test_an_emptied_window_removes_its_bridge(root: Path) -> None:
    bridge_after(root, captured("normal"))

    assert bridge_after(root, captured("compacted")) is None


def test_a_resumed_session_keeps_its_bridges_window(root: Path) -> None:
    before = bridge_after(root, captured("normal"))

    assert bridge_after(root, captured("first-draw")) == before


@pytest.mark.parametrize("name", ["first-draw", "compacted"])
def test_the_window_is_noted_before_anything_is_in_it(name: str, root: Path) -> None:
    bridge_after(root, captured(name))

    note = bridges.read_note(str(root), SESSION)
    assert note == WindowNote("claude-opus-4-6", 200_000, note.written_at if note else 0)
    assert note.written_at > 1_795_000_000


def test_an_unreadable_payload_removes_no_bridge(root: Path) -> None:
    bridge_after(root, captured("normal"))

    assert bridge_after(root, payload_with("normal", context_window=None))
    assert bridge_after(root, payload_with("normal", context_window="full"))
    assert bridge_after(root, b"garbage")


@pytest.mark.parametrize("session_id", ["", "../../etc/x", "a/b", "a" * 129, "ä", None, 17, "a\n"])
def test_an_id_that_is_no_file_name_writes_nothing(session_id: object, root: Path) -> None:
    bridge_after(root, payload_with("normal", session_id=session_id))

    assert not os.path.exists(paths.run_directory(str(root)))


def test_a_guessed_window_is_not_written_to_the_bridge(root: Path) -> None:
    usage = json.loads(captured("normal"))["context_window"]["current_usage"]
    other = {"model": {"id": "some-gateway"}, "context_window": {"used_percentage": 59, "current_usage": usage}}
    result = bridge_after(root, payload_with("normal", **other))

    assert result
    assert (result.context_window_size, result.window_source, result.used_pct) == (None, "unknown", 59)


def test_failing_to_write_is_no_failure(root: Path) -> None:
    Path(paths.run_directory(str(root))).write_text("a file where the directory should be")

    assert bridge_after(root, captured("normal")) is None


def test_half_an_emoji_does_no_harm(root: Path) -> None:
    document = captured("normal").replace(b'"5m"', b'"\\ud83d"')

    assert bridge_after(root, document)


def test_a_link_in_its_place_is_not_followed(root: Path, tmp_path: Path) -> None:
    foreign = tmp_path / "foreign"
    foreign.write_text("untouched")
    path = Path(paths.bridge(str(root), SESSION))
    path.parent.mkdir()
    path.symlink_to(foreign)

    assert bridge_after(root, captured("normal"))
    assert foreign.read_text() == "untouched"


def test_the_gate_stays_while_nothing_contradicts_it(root: Path) -> None:
    bridge_after(root, captured("normal"))
    path = gate(root)
    bridge_after(root, payload_with("normal", cost={"total_cost_usd": 1}))

    assert path.exists()


@pytest.mark.parametrize(
    "document",
    [
        captured("warning"),
        captured("few-tokens"),
        payload_with("normal", model={"id": "claude-haiku-4-5", "display_name": "Haiku 4.5"}),
        payload_with("normal", context_window={"remaining_percentage": 60, "context_window_size": 1_000_000}),
    ],
    ids=["level", "fall", "model", "window"],
)
def test_a_contradicting_sample_removes_the_gate(document: bytes, root: Path) -> None:
    bridge_after(root, captured("normal"))
    path = gate(root)
    bridge_after(root, document)

    assert not path.exists()


def limited(used: float) -> bytes:
    return payload_with("normal", rate_limits={"five_hour": {"used_percentage": used, "resets_at": 1795280000}})


@pytest.mark.parametrize(
    ("before", "now", "stays"), [(50, 89, True), (89, 90, False), (92, 92, True), (92, 93, False), (96, 90, True)]
)
def test_a_rise_of_a_limit_near_its_end_removes_the_gate(before: float, now: float, *, stays: bool, root: Path) -> None:
    bridge_after(root, limited(before))
    path = gate(root)
    bridge_after(root, limited(now))

    assert path.exists() is stays


def test_a_gate_without_a_bridge_to_compare_is_removed(root: Path) -> None:
    path = gate(root)
    bridge_after(root, captured("normal"))

    assert not path.exists()


def test_a_new_session_removes_state_of_long_ended_ones(root: Path) -> None:
    of_sessions = {days: Path(paths.bridge(str(root), f"ended-{days}")) for days in (2, 5, 8)}
    of_sessions[2].parent.mkdir()
    status = status_of(captured("normal"), root)
    for days, bridge in of_sessions.items():
        bridge.write_text("{}")
        os.utime(bridge, (status.now - days * 24 * 3600,) * 2)
    leave_at(root, status, captured("normal"))

    assert [days for days, bridge in of_sessions.items() if bridge.exists()] == [2, 5]


def test_the_bridge_holds_no_level(root: Path) -> None:
    result = bridge_after(root, captured("exhausted"))

    assert Level.EXHAUSTED.name not in msgspec.json.encode(result).decode()

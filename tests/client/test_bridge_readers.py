"""A third-party reader of `claude-ctx-*.json` reads our bridge: GSD's monitor, as published on npm."""

import json
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests import scratch
from tests.client.clients import HOW_TO, gsd

pytestmark = pytest.mark.client

SESSION = "5b0c6a1e-0000-4000-8000-000000000001"
WINDOW = 200_000


class Reader(NamedTuple):
    """GSD's monitor and our status line, with bridges in the temporary directory that both share."""

    root: Path
    shared: Path
    monitor: Path

    def draw(self, tokens: int) -> None:
        """Have our status line show a window with this many tokens in it."""
        used = round(tokens * 100 / WINDOW)
        usage = {"input_tokens": 3, "cache_creation_input_tokens": 1_997, "cache_read_input_tokens": tokens - 2_000}
        window = {"context_window_size": WINDOW, "used_percentage": used, "remaining_percentage": 100 - used}
        payload = {
            "session_id": SESSION,
            "model": {"id": "claude-opus-4-6", "display_name": "Opus 4.6"},
            "version": "2.1.330",
            "context_window": {**window, "current_usage": {**usage, "output_tokens": 100}},
        }
        environ = {"TIDEGAUGE_BRIDGE__DIRECTORY": str(self.shared)}
        result = scratch.run(self.root, json.dumps(payload).encode(), environ, "statusline")
        assert result.stdout
        assert scratch.log(self.root) == []

    def use_tool(self) -> str:
        """Have GSD's monitor see a tool use; return what it tells the agent, or nothing."""
        event: dict[str, Any] = {"session_id": SESSION, "cwd": str(self.root), "hook_event_name": "PostToolUse"}
        result = subprocess.run(
            ["node", str(self.monitor)],
            input=json.dumps(event).encode(),
            env={"PATH": os.environ["PATH"], "HOME": str(self.root), "TMPDIR": str(self.shared)},
            capture_output=True,
            timeout=30,
            check=True,
        )
        return json.loads(result.stdout)["hookSpecificOutput"]["additionalContext"] if result.stdout else ""


@pytest.fixture
def reader(tmp_path: Path) -> Reader:
    """Fail for a missing package where this test must run (CI); elsewhere skip with a line on how to get it."""
    monitor = gsd("gsd-context-monitor")
    if not monitor.is_file() or shutil.which("node") is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"GSD's monitor: {HOW_TO}, and Node")
    (tmp_path / "shared").mkdir()
    return Reader(scratch.install(tmp_path / "home"), tmp_path / "shared", monitor)


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        (128_000, ""),  # 36 % left: above its 35
        (130_000, "CONTEXT WARNING: Usage at 65%. Remaining: 35%. "),
        (150_000, "CONTEXT CRITICAL: Usage at 75%. Remaining: 25%. "),
    ],
)
def test_gsds_monitor_reads_our_bridge(reader: Reader, tokens: int, message: str) -> None:
    reader.draw(tokens)

    text = reader.use_tool()

    assert text.startswith(message)
    assert bool(text) == bool(message)


def test_gsds_monitor_does_not_treat_a_redraw_as_a_new_sample(reader: Reader) -> None:
    reader.draw(150_000)
    bridge = reader.shared / f"claude-ctx-{SESSION}.json"
    values = json.loads(bridge.read_bytes())
    bridge.write_text(json.dumps({**values, "timestamp": int(time.time()) - 61}))

    reader.draw(150_000)

    assert reader.use_tool() == ""

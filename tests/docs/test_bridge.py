"""The page on the bridge: its schema follows the record, its readers work, and its numbers match the code."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from docs import bridge_schema
from shared.gauge import bridge as bridges
from shared.gauge.bridge import FRESH_SECONDS, SCHEMA_VERSION, Bridge

STRUCTURES = {1: "cd7ab4a62a80cb47f5aecefce0a7ce9ed1549bc3baad8f41d1e3cb970795cceb"}
"""The SHA-256 of each version's structure. Add a line with a new version; never change one."""
PAGE = (bridge_schema.SCHEMA.parent / "bridge.md").read_text(encoding="utf-8")
READERS = {
    "sh": ["sh"],
    "python": [sys.executable],
    "javascript": ["node"],
}
SESSION = "5b0c6a1e-0000-4000-8000-000000000001"
NOTHING = (1, "")


def structure_of(node: Any) -> Any:
    """A schema without its words."""
    if isinstance(node, dict):
        return {key: structure_of(value) for key, value in node.items() if key not in {"title", "description"}}
    return [structure_of(value) for value in node] if isinstance(node, list) else node


def test_a_changed_record_has_a_new_version() -> None:
    structure = json.dumps(structure_of(bridge_schema.schema()), sort_keys=True)
    digest = hashlib.sha256(structure.encode()).hexdigest()

    assert STRUCTURES.get(SCHEMA_VERSION) == digest, f"the record has changed: raise SCHEMA_VERSION, and add {digest}"
    assert max(STRUCTURES) == SCHEMA_VERSION


def test_the_schema_is_up_to_date() -> None:
    assert bridge_schema.SCHEMA.read_text(encoding="utf-8") == bridge_schema.document(), (
        "run: .venv/bin/python -m docs.generate"
    )


def test_the_pages_example_is_a_bridge_of_this_version() -> None:
    example = re.findall(r"^```json\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)[0]
    bridge = msgspec.json.decode(example, type=Bridge)

    assert json.loads(example) == msgspec.to_builtins(bridge)
    assert bridge.schema_version == SCHEMA_VERSION
    assert bridge.usage is not None
    assert bridge.tokens == bridge.usage.tokens


def test_the_page_names_the_version_and_the_freshness_of_the_code() -> None:
    assert f"`schema_version` is {SCHEMA_VERSION}." in PAGE
    assert f"at most {FRESH_SECONDS} seconds old, and at most {FRESH_SECONDS} seconds ahead" in PAGE


@pytest.fixture(params=READERS)
def reader(request: pytest.FixtureRequest, tmp_path: Path) -> list[str]:
    """One of the page's readers, copied from there."""
    (text,) = re.findall(rf"^```{request.param}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    assert len([line for line in text.splitlines() if line]) <= 10
    command = READERS[request.param]
    if shutil.which(command[0]) is None:
        pytest.skip(f"needs {command[0]}")
    script = tmp_path / "reader"
    script.write_text(text)
    return [*command, str(script)]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "a home"
    (home / ".claude" / "tidegauge" / "run").mkdir(parents=True)
    return home


def leave(home: Path, bridge: Bridge, **changes: Any) -> None:
    """Write a bridge as the status line does, or with `changes` as another program might."""
    path = home / ".claude" / "tidegauge" / "run" / f"claude-ctx-{SESSION}.json"
    bridges.write(str(path), bridge)
    if changes:
        path.write_text(json.dumps({**json.loads(path.read_bytes()), **changes}))


def read(reader: list[str], home: Path, session: str = SESSION, **environ: str) -> tuple[int, str]:
    """A reader's exit code and output; its stderr is empty."""
    environ = {"HOME": str(home), "PATH": os.environ["PATH"], **environ}
    result = subprocess.run([*reader, session], env=environ, capture_output=True, text=True, timeout=30, check=False)
    assert result.stderr == ""
    return result.returncode, result.stdout


def sample(home: Path, age: float = 0) -> Bridge:
    """A bridge with every field, for an existing transcript."""
    transcript = home / "a, transcript.jsonl"
    transcript.write_text("{}\n" * 100)
    return Bridge(
        session_id=SESSION,
        remaining_percentage=28.5,
        used_pct=72,
        timestamp=int(time.time() - age),
        context_window_size=200_000,
        window_source="bridge",
        tokens=143_000,
        model_id="claude-opus-4-6",
        transcript_path=str(transcript),
        transcript_size=300,
        rate_limits={"five_hour": {"used_percentage": 12, "resets_at": 1_795_280_000}},
        prompt_cache={"warm": True, "hit_ratio": 0.98},
        written_at=time.time(),
    )


def test_a_reader_prints_the_percentage(reader: list[str], home: Path) -> None:
    leave(home, sample(home))

    assert read(reader, home) == (0, "72\n")


def test_a_reader_follows_the_clients_directory(reader: list[str], home: Path, tmp_path: Path) -> None:
    leave(home, sample(home))

    assert read(reader, tmp_path, CLAUDE_CONFIG_DIR=str(home / ".claude")) == (0, "72\n")


def test_a_reader_takes_the_public_fields_alone(reader: list[str], home: Path) -> None:
    leave(home, Bridge(SESSION, 0, 100, int(time.time())))

    assert read(reader, home) == (0, "100\n")


def test_a_reader_works_without_the_transcript(reader: list[str], home: Path) -> None:
    leave(home, sample(home))
    (home / "a, transcript.jsonl").unlink()

    assert read(reader, home) == (0, "72\n")


@pytest.mark.parametrize("age", [FRESH_SECONDS + 5, -FRESH_SECONDS - 5])
def test_a_reader_is_silent_on_an_old_or_future_sample(reader: list[str], home: Path, age: int) -> None:
    leave(home, sample(home, age))

    assert read(reader, home) == NOTHING


def test_a_reader_is_silent_when_the_transcript_has_grown(reader: list[str], home: Path) -> None:
    leave(home, sample(home))
    with (home / "a, transcript.jsonl").open("a") as file:
        file.write("{}\n")

    assert read(reader, home) == NOTHING


@pytest.mark.parametrize(
    "changes",
    [{"session_id": "another"}, {"used_pct": 101}, {"used_pct": None}, {"timestamp": None}, {"used_pct": "full"}],
    ids=str,
)
def test_a_reader_is_silent_on_an_invalid_bridge(reader: list[str], home: Path, changes: dict[str, Any]) -> None:
    leave(home, sample(home), **changes)

    assert read(reader, home) == NOTHING


@pytest.mark.parametrize("session", ["", "../../x", "missing", "a b"])
def test_a_reader_is_silent_without_a_bridge(reader: list[str], home: Path, session: str) -> None:
    leave(home, sample(home))

    assert read(reader, home, session) == NOTHING

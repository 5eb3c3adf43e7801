"""A checkpoint from before the schema number stays readable, with its key, its proof and its words."""

import hashlib
import hmac
import json
import os
from pathlib import Path

import msgspec
import pytest

from monitor.activity.checks.failures import Failure
from monitor.activity.requests import UserRequest
from monitor.activity.shell.commits import Commit
from monitor.checkpoints.checkpoint import SCHEMA, Check, decode
from monitor.checkpoints.folder import StoredCheckpoint, folder_of, newest
from monitor.session import Project, Session
from shared import paths
from shared.settings.config import Config
from tests.monitor.full_checkpoint import full_checkpoint
from tests.monitor.workshop import Workshop

KEY = bytes(range(32))
NAME = "cx-001-checkpoint.json"
PROMPTS = ("Add vouchers to the checkout", "Call it voucher, not coupon")
WORDS = {
    "prompts": PROMPTS,
    "left_out": 0,
    "answer": "Renamed; next: the expired ones.",
    "summary": "",
}


@pytest.fixture
def saved(workshop: Workshop) -> Path:
    """A checkpoint as the version before wrote it, with its other files."""
    project = os.path.realpath(workshop.project)
    words = Path(paths.words_directory(str(workshop.root))) / "c6ba08d65f68efb7f391c7745fc82e93.json"
    words.parent.mkdir(parents=True)
    words.write_text(json.dumps(WORDS))
    key = Path(paths.checkpoint_key(str(workshop.root)))
    key.write_bytes(KEY)
    for file in (words, key):
        file.chmod(0o600)
    text = Path(__file__).with_name("checkpoint-schema-1.json").read_text()
    places = {"PROJECT": project, "TRANSCRIPT": str(workshop.transcript.path), "WORDS": str(words)}
    for mark, path in places.items():
        text = text.replace(mark, path)
    checkpoint = workshop.folder / NAME
    checkpoint.parent.mkdir(parents=True)
    checkpoint.write_text(text)
    proven = b"\0".join([NAME.encode(), project.encode(), text.encode()])
    Path(f"{checkpoint}.proof").write_text(hmac.new(KEY, proven, hashlib.sha256).hexdigest())
    return checkpoint


def stored(workshop: Workshop) -> list[StoredCheckpoint]:
    project = os.path.realpath(workshop.project)
    folder = folder_of(Session(str(workshop.root), Config(), {}, 0.0), Project(project, project))
    return list(newest(folder, has_foreign=True))


def test_a_schema_1_checkpoint_is_ours_and_has_its_words(workshop: Workshop, saved: Path) -> None:
    (result,) = stored(workshop)
    checkpoint = result.checkpoint
    assert (result.is_proven, checkpoint.schema) == (True, 1)
    assert checkpoint.words is not None
    assert checkpoint.words.requests == tuple(UserRequest("prompt", text) for text in PROMPTS)
    assert checkpoint.words.answer == "Renamed; next: the expired ones."
    assert [failure.command for failure in checkpoint.failing_commands] == ["cd shop && npm test 2>&1 | tail -5"]
    assert [task.text for task in checkpoint.todo] == ["Reject expired vouchers"]


def test_a_session_continues_from_it(workshop: Workshop, saved: Path) -> None:
    message = workshop.start("resume")
    assert "First asked: Add vouchers to the checkout" in message
    assert "Reject expired vouchers" in message


def test_it_does_not_take_words_of_a_later_schema(workshop: Workshop, saved: Path) -> None:
    words = Path(json.loads(saved.read_text())["goal_path"])
    words.write_text(json.dumps({"requests": [{"kind": "prompt", "text": "Newer work"}]}))
    (result,) = stored(workshop)
    assert result.checkpoint.words is None


def test_the_next_one_has_a_number_and_proves_itself_by_the_same_key(workshop: Workshop, saved: Path) -> None:
    workshop.transcript.prompt("Add vouchers to the checkout")
    workshop.compact()
    newer, older = stored(workshop)
    assert (newer.checkpoint.schema, newer.checkpoint.checkpoint_id, newer.is_proven) == (SCHEMA, "cx-002", True)
    assert older.is_proven
    assert Path(paths.checkpoint_key(str(workshop.root))).read_bytes() == KEY


@pytest.mark.parametrize("schema", range(1, SCHEMA + 1))
def test_the_words_are_found_under_the_name_of_each_schema(schema: int) -> None:
    written = msgspec.structs.replace(full_checkpoint(2), words_path="/words", schema=schema)
    fields = msgspec.to_builtins(written)
    if schema < 3:
        fields["goal_path"] = fields.pop("words_path")
    assert decode(msgspec.json.encode(fields)) == written


def test_further_fields_of_earlier_schemas_are_ignored() -> None:
    earlier = {
        "compactions": [{"timestamp": "2026-01-05T09:00:00Z", "trigger": "auto", "before": 1}],
        "summary": {"path": "/shop/PROJECT-SUMMARY.md", "modified": "", "size": 1},
        "prompts": [{"offset": 0, "line": 1, "timestamp": ""}],
        "checks": [{"command": "npm test", "count": 3, "edits_since": 1, "has_passed": True}],
        "commits": [{"id": "abc1234", "subject": "Add it", "is_pushed": True}],
        "failing_commands": [{"command": "make", "line": 9, "edited": ["/shop/a.py"]}],
        "schema": 3,
    }
    checkpoint = decode(msgspec.json.encode(msgspec.to_builtins(full_checkpoint(1)) | earlier))
    assert checkpoint is not None
    assert checkpoint.checks == (Check("npm test", 1, has_passed=True),)
    assert checkpoint.commits == (Commit("abc1234", "Add it"),)
    assert checkpoint.failing_commands == (Failure("make", 9),)
    assert (checkpoint.compacted_at, checkpoint.documents) == ("", [])


def test_a_checkpoint_of_a_later_schema_is_skipped(workshop: Workshop, saved: Path) -> None:
    later = json.loads(saved.read_text()) | {"schema": SCHEMA + 1}
    workshop.rewrite(saved, later)
    assert stored(workshop) == []

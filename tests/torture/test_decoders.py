"""Whatever reads from outside takes anything: it answers, or raises the one error that its caller knows."""

import contextlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from installer import document, files, record
from installer import settings as persons_settings
from installer.install_error import InstallError
from installer.layout import Layout
from monitor import dispatch
from monitor.activity import line as activity_line
from monitor.activity.activity import Activity, Place
from monitor.checkpoints import orchestration
from shared import toml_file
from shared.transcript import read_tail
from shared.transcript_line import line_in
from statusline import line as status_line
from tests import scratch
from tests.monitor.scene import EXHAUSTED, Scene
from tests.monitor.workshop import Workshop
from tests.torture.effort import times
from tests.torture.hostile import PAYLOADS, variants
from tests.transcripts import NEW_CLIENT, captured

Count = Callable[[], None]
HOOKS = sorted(PAYLOADS.glob("hooks/*.json"))
LINES = captured(NEW_CLIENT).read_bytes().splitlines()
TOML = b'[levels.warning]\nthreshold = 65\n[hooks]\nread_guard = true\n[statusline]\nlines = [["model"], ["context"]]\n'
YAML = b"updated_at: 2026-01-05T10:00:00Z\nresumption:\n  step: 3\n  odd: 1:30\n  next: [a, {b: 1.5}]\n  on: yes\n"
SETTINGS = b'{"model": "opus", "statusLine": {"type": "command", "command": "x"}, "hooks": {"Stop": [{"hooks": []}]}}'
# An example changes the root that they share; each says nothing of the next.
MANY = settings(max_examples=times(40, 1_000), suppress_health_check=[HealthCheck.function_scoped_fixture])


def any_of(documents: list[bytes]) -> Any:
    return st.sampled_from(documents).flatmap(variants)


@MANY
@given(any_of([path.read_bytes() for path in sorted(PAYLOADS.glob("statusline/*.json"))]))
def test_status_line_payload(scene: Scene, tried: Count, stdin: bytes) -> None:
    tried()
    assert status_line.main(stdin, str(scene.root))
    assert scratch.log(scene.root) == []


@MANY
@given(any_of([path.read_bytes() for path in HOOKS]))
def test_hook_event(scene: Scene, tried: Count, stdin: bytes) -> None:
    """An event that is none is the boundary's to log; no part of a hook may fail for a field."""
    tried()
    with contextlib.suppress(msgspec.MsgspecError):
        dispatch.main(stdin, str(scene.root))
    assert scratch.log(scene.root) == []


@MANY
@given(any_of(LINES))
def test_transcript_line(scene: Scene, tried: Count, data: bytes) -> None:
    tried()
    line_in(data)
    activity_line.add(Activity(), Place(0, 1), data)
    scene.transcript.path.write_bytes(LINES[0] + b"\n" + data + b"\n" + LINES[-1] + b"\n")
    read_tail(str(scene.transcript.path), "toolu_1")


@pytest.fixture
def state(scene: Scene) -> dict[Path, bytes]:
    """What each file of an installation holds in the middle of a session."""
    scene.transcript.answer(EXHAUSTED)
    scene.bridge(18)
    dispatch.main(scene.stdin(), str(scene.root))
    names = ["learned.json", "wrapped.json", *(f"run/{kind}-{scene.session_id}.json" for kind in ("pivot", "activity"))]
    found = {scene.root / name: b'{"a": 1, "b": [2]}' for name in names}
    found |= {path: path.read_bytes() for path in (scene.root / "run").iterdir()}
    return found | {path: path.read_bytes() for path in [scene.root / "choices.json"]}


@MANY
@given(st.data())
def test_state_file(scene: Scene, state: dict[Path, bytes], tried: Count, data: st.DataObject) -> None:
    """Each of them, damaged, counts as none."""
    tried()
    for path, content in state.items():
        path.write_bytes(content)
    path = data.draw(st.sampled_from(sorted(state)))
    path.write_bytes(data.draw(variants(state[path])))
    answer = dispatch.main(scene.stdin("toolu_next"), str(scene.root)).stdout
    assert answer == b"" or json.loads(answer)
    payload = json.loads((PAYLOADS / "statusline" / "exhausted.json").read_bytes())
    payload |= {"session_id": scene.session_id, "transcript_path": str(scene.transcript.path)}
    assert status_line.main(json.dumps(payload).encode(), str(scene.root))
    assert scratch.log(scene.root) == []


@MANY
@given(st.data())
def test_checkpoint(workshop: Workshop, tried: Count, data: st.DataObject) -> None:
    """One that cannot be read, or isn't ours, is no reason for silence, or for a failure."""
    tried()
    path = workshop.folder / "cx-001-checkpoint.json"
    if not path.exists():
        workshop.compact()
    whole = path.read_bytes()
    path.write_bytes(data.draw(variants(whole)))
    dispatch.main(json.dumps(workshop.payload("SessionStart", source="compact")).encode(), str(workshop.root))
    path.write_bytes(whole)
    assert scratch.log(workshop.root) == []


@MANY
@given(any_of([TOML]))
def test_toml(tried: Count, text: bytes) -> None:
    tried()
    with contextlib.suppress(ValueError):
        toml_file.parsed(text)


@MANY
@given(any_of([YAML]))
def test_orchestration_yaml(tried: Count, text: bytes) -> None:
    tried()
    found = orchestration.resumption_of(text.decode("utf-8", "replace"))
    assert json.loads(json.dumps(found)) == found
    orchestration.updated_at(text.decode("utf-8", "replace"))


@MANY
@given(any_of([SETTINGS]))
def test_settings_document(tried: Count, tmp_path: Path, text: bytes) -> None:
    """What cannot be read is refused in one line, and nothing is taken apart that the client would refuse."""
    tried()
    with contextlib.suppress(InstallError, document.Malformed):
        document.parse(persons_settings.text_of(str(tmp_path / "settings.json"), text))


@MANY
@given(any_of([b'{"settings": "/s", "statusLine": null, "files": {"/s": {"before": "e30=", "after": "x"}}}']))
def test_installers_record(tried: Count, tmp_path: Path, text: bytes) -> None:
    tried()
    layout = Layout(str(tmp_path / "tidegauge"), str(tmp_path / "settings.json"), windows=False)
    files_root = tmp_path / "tidegauge"
    files_root.mkdir(exist_ok=True)
    Path(layout.record).write_bytes(text)
    files.load(layout.record)
    record.load(layout)

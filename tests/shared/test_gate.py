import os
import re
import stat
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from shared import gate, paths
from shared.gate import Bound, Gate
from shared.gauge.levels import LevelRules, PivotLevels
from shared.gauge.limit import Limit
from shared.gauge.verdict import verdict_on
from shared.gauge.window import Reading, WindowSource
from shared.transcript.tail import Tail, read_tail
from tests.monitor.scene import NORMAL, Scene

LAUNCHER = Path(__file__).parents[2] / "monitor" / "launcher.sh"
ENVIRON = {"CLAUDE_PID": "4711", "ANTHROPIC_MODEL": "opus", "HOME": "/home/dev"}
QUIET = Bound(NORMAL, 129_000)


def tail_of(scene: Scene) -> Tail:
    tail = read_tail(str(scene.transcript.path))
    assert tail is not None
    return tail


def write(scene: Scene, bound: Bound = QUIET, tail: Tail | None = None, **fields: Any) -> None:
    changes: dict[str, Any] = {"project": "", "environ": ENVIRON, "now": time.time()}
    transcript = fields.pop("transcript", str(scene.transcript.path))
    gate.write(str(scene.root), scene.session_id, transcript, tail or tail_of(scene), bound, **(changes | fields))


def file_of(scene: Scene, conversation: str = Scene.session_id) -> Path:
    return scene.root / "run" / f"gate-{conversation}"


def lines_of(scene: Scene) -> list[str]:
    return file_of(scene).read_text().splitlines()


def note(scene: Scene, text: str) -> Path:
    """Write `text` as the launcher's notes on past tool uses."""
    path = Path(paths.gate_notes(str(scene.root), scene.session_id))
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


@pytest.fixture(autouse=True)
def _answered(scene: Scene) -> None:
    scene.transcript.prompt()
    scene.transcript.answer(NORMAL)


def test_a_gate_holds_everything_the_launcher_compares(scene: Scene) -> None:
    write(scene)
    config, transcript, tail = paths.config_file(str(scene.root)), str(scene.transcript.path), tail_of(scene)
    size = scene.transcript.size - tail.answers[0].start + 1
    assert lines_of(scene) == [
        str(tail.answers[0].start), str(NORMAL), "129000", "claude-opus-4-6", config, transcript, "", "---",
        "no", str(size), "-", "no", "0 ", "0", "|".join(["4711", "opus", *[""] * (len(gate.VARIABLES) - 2)]),
    ]  # fmt: skip
    assert os.path.exists(paths.gate(str(scene.root), scene.session_id))
    assert gate.read(str(scene.root), scene.session_id) == Gate(NORMAL, 129_000, transcript)


@pytest.mark.parametrize(("uses", "line"), [(None, "-"), (1, "1"), (4, "4")])
def test_at_a_level_a_gate_holds_the_number_of_quiet_tool_uses(scene: Scene, uses: int | None, line: str) -> None:
    write(scene, Bound(NORMAL, 149_000, uses=uses, is_at_level=True, result_bytes=70, tool_use_id="toolu_1"))
    assert lines_of(scene)[10:13] == [line, "yes", "70 toolu_1"]


ENDS = Limit(177_000, "set", is_compacted=False)
COMPACTS = Limit(167_000, "catalogue", is_compacted=True)
LEARNT, ASSUMED, SET = (msgspec.structs.replace(COMPACTS, certainty=each) for each in ("learnt", "assumed", "set"))
WHOLE = Limit(200_000, "assumed", is_compacted=True)


@pytest.mark.parametrize(
    ("tokens", "limit", "pivot", "at"),
    [
        (160_000, ENDS, None, 169_000),  # EXHAUSTED
        (160_000, ENDS, PivotLevels(), 167_000),  # the pivot's CRITICAL comes by its margin
        (136_000, COMPACTS, PivotLevels(), 149_000),  # its ALERT is for the person, with their prompt
        (150_000, COMPACTS, PivotLevels(), 162_000),  # its CRITICAL too, where the client compacts
        (163_000, COMPACTS, None, 169_001),  # at the highest level: a reading that disproves the limit
        (163_000, LEARNT, None, 167_001),
        (163_000, ASSUMED, None, 167_001),
        (167_500, ASSUMED, None, 167_501),  # the passed limit counts with the next answer
        (170_000, COMPACTS, None, 170_001),
        (163_000, SET, None, 169_001),
        (190_000, WHOLE, None, 200_001),  # or the window
    ],
)
def test_a_gate_ends_where_anything_new_may_be_due(
    tokens: int, limit: Limit, pivot: PivotLevels | None, at: int
) -> None:
    reading = Reading(100 - tokens / 2_000, tokens, 200_000, "transcript", WindowSource.CATALOGUE, 0.0)
    assert gate.due_at(verdict_on(reading, limit, LevelRules()), LevelRules(), pivot) == at


@pytest.mark.parametrize(("turn", "line"), [(0, "0"), (1_500, "1500"), (None, "1000000000000")])
def test_a_gate_holds_what_an_unwritten_answer_may_add(scene: Scene, turn: int | None, line: str) -> None:
    write(scene, Bound(NORMAL, 129_000, turn))
    assert lines_of(scene)[13] == line


@pytest.mark.parametrize(
    "bound", [Bound(129_000, 129_000), Bound(129_001, 129_000), Bound(NORMAL, 129_000, uses=0), Bound(NORMAL, 0)]
)
def test_there_is_no_gate_if_something_may_be_due_next(scene: Scene, bound: Bound) -> None:
    write(scene)
    write(scene, bound)
    assert not os.path.exists(paths.gate(str(scene.root), scene.session_id))


@pytest.mark.parametrize(
    ("text", "uses", "size"),
    [
        ("", 1, 0),
        ("70\n", 1, 0),  # of the one in hand, or of a parallel call whose monitor counts it
        ("70\n80\n", 1, 0),
        ("70\n-\n", 2, 70),
        ("70\n-\n80\n", 2, 70),
        ("70 toolu_1\n80 toolu_2\n-\n90 7\n-\n", 3, 90),
        ("70\n-\nmany\n-5\n80\n-\n", 3, 80),
        (f"70\n-\n{'9' * 5_000}\n-\n", 3, 70),
    ],
)
def test_the_launchers_notes_are_counted_once(scene: Scene, text: str, uses: int, size: int) -> None:
    path = note(scene, text)
    root, name = str(scene.root), scene.session_id
    assert gate.notes(root, name) == (uses, size)
    assert gate.take_uses(root, name) == uses
    assert not path.exists()
    assert gate.take_uses(root, name) == 1


@pytest.mark.parametrize(("uses", "stays"), [(None, False), (4, True)])
def test_tool_uses_while_the_gate_is_written_count_at_a_level(scene: Scene, uses: int | None, stays: bool) -> None:
    path = note(scene, "70\n-\n")
    write(scene, Bound(NORMAL, 149_000, uses=uses, is_at_level=True))
    assert path.exists() == stays


def test_reading_notes_leaves_no_temporary_file(scene: Scene) -> None:
    path = note(scene, "70\n-\n")
    gate.take_uses(str(scene.root), scene.session_id)
    assert [file.name for file in path.parent.iterdir() if "uses" in file.name] == []


def test_each_conversation_has_its_own_notes(scene: Scene) -> None:
    note(scene, "70\n-\n")
    assert gate.take_uses(str(scene.root), f"{scene.session_id}.a1") == 1
    assert gate.take_uses(str(scene.root), scene.session_id) == 2


def test_removing_a_gate_keeps_the_notes(scene: Scene) -> None:
    write(scene)
    path = note(scene, "70\n")
    gate.remove(str(scene.root), scene.session_id)
    assert path.exists()


@pytest.mark.parametrize(
    "text", [None, "", "1\n2\n3\n4\n5", "1\n2\nmany\n4\n5\n6\n", f"1\n2\n{'9' * 5_000}\n4\n5\n6\n"]
)
def test_an_invalid_gate_yields_nothing(scene: Scene, text: str | None) -> None:
    if text is not None:
        file_of(scene).parent.mkdir(exist_ok=True)
        file_of(scene).write_text(text)
    assert gate.read(str(scene.root), scene.session_id) is None


@pytest.mark.parametrize("has_settings", [True, False])
def test_a_gate_names_the_project_whose_settings_it_knows(scene: Scene, tmp_path: Path, *, has_settings: bool) -> None:
    if has_settings:
        (tmp_path / ".claude").mkdir(exist_ok=True)
        (tmp_path / ".claude" / "tidegauge.toml").touch()
    write(scene, project=str(tmp_path))
    assert lines_of(scene)[6:8] == [str(tmp_path), "+--" if has_settings else "---"]


def test_a_gate_is_no_younger_than_its_settings(scene: Scene) -> None:
    write(scene, now=1_767_225_600.0)
    assert file_of(scene).stat().st_mtime < 1_767_225_600.0


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
def test_a_gate_is_private(scene: Scene) -> None:
    write(scene)
    assert stat.S_IMODE(file_of(scene).stat().st_mode) == 0o600


def test_a_half_written_line_does_not_count_as_read(scene: Scene) -> None:
    ended, start = scene.transcript.size, tail_of(scene).answers[0].start
    scene.transcript.write(b'{"type":"assi')
    write(scene)
    assert lines_of(scene)[9] == str(ended - start + 1)


def test_a_gate_records_that_the_run_asked_for_a_long_window(scene: Scene) -> None:
    write(scene, tail=msgspec.structs.replace(tail_of(scene), is_long=True))
    assert lines_of(scene)[8] == "yes"


@pytest.mark.parametrize("path", ["", "/p/a\nb.jsonl", "/p/a\\b.jsonl"])
def test_a_path_that_a_shell_would_misread_has_no_gate(scene: Scene, path: str) -> None:
    write(scene)
    write(scene, transcript=path)
    assert not os.path.exists(paths.gate(str(scene.root), scene.session_id))


@pytest.mark.parametrize("project", ["/p/a\nb", "/p/a\\b"])
def test_a_project_that_a_shell_would_misread_has_no_gate(scene: Scene, project: str) -> None:
    write(scene)
    write(scene, project=project)
    assert not os.path.exists(paths.gate(str(scene.root), scene.session_id))


def test_a_conversation_without_an_answer_has_no_gate(scene: Scene) -> None:
    scene.transcript.boundary()
    write(scene, Bound(3_200, 104_000))
    assert not os.path.exists(paths.gate(str(scene.root), scene.session_id))


def test_a_gate_is_removed_alone_or_with_all_others(scene: Scene) -> None:
    run = scene.root / "run"
    run.mkdir()
    for name in ("gate-a", "gate-a.b", "gate-c", "memory-a.json", "claude-ctx-a.json"):
        (run / name).touch()
    gate.remove(str(scene.root), "c")
    assert sorted(os.listdir(run)) == ["claude-ctx-a.json", "gate-a", "gate-a.b", "memory-a.json"]
    gate.remove_all(str(scene.root))
    assert sorted(os.listdir(run)) == ["claude-ctx-a.json", "memory-a.json"]


def test_without_a_run_directory_there_is_nothing_to_remove(scene: Scene) -> None:
    gate.remove(str(scene.root), "c")
    gate.remove_all(str(scene.root))
    assert not (scene.root / "run").exists()


def test_the_launcher_compares_the_same_variables() -> None:
    match = re.search(r'"\$variables" = "([^"]*)"', LAUNCHER.read_text())
    assert match is not None
    assert tuple(match[1].replace("\\\n", "").replace("$", "").split("|")) == gate.VARIABLES

import json
import os
import stat
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from monitor.checkpoints.folder import folder_of, mark, newest
from monitor.session import Project, Session
from shared import paths
from shared.files import files
from shared.project_files import RESUMED
from shared.settings.config import Config
from tests import scratch
from tests.monitor.workshop import Workshop

NAME = "cx-001-checkpoint.json"


def test_checkpoints_are_private_and_no_part_of_the_project(workshop: Workshop) -> None:
    workshop.repository()
    workshop.compact()
    assert [path.name for path in sorted(workshop.folder.iterdir())] == [NAME, f"{NAME}.proof"]
    assert {stat.S_IMODE(path.stat().st_mode) for path in workshop.folder.iterdir()} == {0o600}
    status = subprocess.run(["git", "status", "--porcelain"], cwd=workshop.project, capture_output=True, check=True)
    assert status.stdout == b""


def test_files_left_readable_by_an_earlier_version_become_private(workshop: Workshop) -> None:
    workshop.transcript.prompt("Add vouchers")
    workshop.compact()
    key = Path(paths.checkpoint_key(str(workshop.root)))
    words = Path(paths.words_directory(str(workshop.root)))
    key.chmod(0o644)
    for directory in (key.parent, words):
        directory.chmod(0o755)
    workshop.compact()
    assert [stat.S_IMODE(path.stat().st_mode) for path in (key, key.parent, words)] == [0o600, 0o700, 0o700]


def test_words_are_not_written_through_a_link(workshop: Workshop, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    words = Path(paths.words_directory(str(workshop.root)))
    words.parent.mkdir(parents=True, exist_ok=True)
    words.symlink_to(tmp_path / "elsewhere")
    workshop.transcript.prompt("Add vouchers")
    assert workshop.compact().startswith("Checkpoint cx-001 ")
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_numbers_continue_from_our_highest(workshop: Workshop) -> None:
    workshop.compact()
    (workshop.folder / "cx-002-checkpoint.json").write_text("damaged")
    (workshop.folder / "cx-notanumber-checkpoint.json").write_text("{}")
    assert workshop.compact().startswith("Checkpoint cx-003 ")


@pytest.mark.parametrize("number", ["999", "999999999", "1000000000", "9" * 12, "9" * 40])
@pytest.mark.parametrize("ending", ["", ".acknowledged", ".proof"])
def test_a_repositorys_files_disable_nothing(workshop: Workshop, number: str, ending: str) -> None:
    workshop.configure("checkpoint.keep = 2")
    workshop.folder.mkdir(parents=True)
    foreign = workshop.folder / f"cx-{number}-checkpoint.json{ending}"
    foreign.touch()
    for _ in range(3):
        assert workshop.compact().startswith("Checkpoint cx-00")
    workshop.transcript.boundary()
    assert "cx-003" in workshop.prompt()
    ours = [path.name for path in sorted(workshop.folder.glob("cx-00*-checkpoint.json"))]
    assert ours == ["cx-002-checkpoint.json", "cx-003-checkpoint.json"]
    assert foreign.exists()


def test_parallel_compactions_get_different_numbers(workshop: Workshop) -> None:
    stdin = json.dumps(workshop.payload("PreCompact", trigger="auto")).encode()
    with ThreadPoolExecutor(6) as pool:
        results = list(pool.map(lambda _: scratch.run(workshop.root, stdin), range(6)))
    assert {result.stdout.split()[1] for result in results} == {f"cx-00{n}".encode() for n in range(1, 7)}
    assert [checkpoint["checkpoint_id"] for checkpoint in workshop.checkpoints()] == [f"cx-00{n}" for n in range(1, 7)]


def test_the_oldest_are_pruned_with_their_marks(workshop: Workshop) -> None:
    workshop.configure("checkpoint.keep = 2")
    workshop.compact()
    workshop.start("compact")
    workshop.prompt()
    assert workshop.marks() == ["cx-001"]
    workshop.compact()
    workshop.compact()
    assert [checkpoint["checkpoint_id"] for checkpoint in workshop.checkpoints()] == ["cx-002", "cx-003"]
    assert workshop.marks() == []
    assert workshop.marks(".proof") == ["cx-002", "cx-003"]


def test_the_client_names_the_project(workshop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(workshop.project))
    (workshop.project / "deep").mkdir()
    workshop.compact(cwd=str(workshop.project / "deep"))
    assert len(workshop.checkpoints()) == 1
    assert list((workshop.project / "deep").iterdir()) == []


def test_a_missing_project_is_not_created(workshop: Workshop, tmp_path: Path) -> None:
    assert workshop.compact(cwd=str(tmp_path / "gone")) == ""
    assert not (tmp_path / "gone").exists()


def test_the_person_may_place_checkpoints_elsewhere(workshop: Workshop, tmp_path: Path) -> None:
    workshop.configure(f'checkpoint.directory = "{tmp_path}/elsewhere"')
    assert str(tmp_path / "elsewhere" / "cx-001-checkpoint.json") in workshop.compact()
    assert not (workshop.project / ".claude").exists()


def test_a_project_may_not_place_checkpoints_elsewhere(workshop: Workshop, tmp_path: Path) -> None:
    (workshop.project / ".claude").mkdir()
    (workshop.project / ".claude" / "tidegauge.toml").write_text(
        f'checkpoint.directory = "{tmp_path}/elsewhere"\ncheckpoint.include_prompts = true\nhooks.checkpoint = false\n'
    )
    workshop.transcript.prompt("A secret wish")
    workshop.compact()
    assert "A secret wish" not in (workshop.folder / "cx-001-checkpoint.json").read_text()
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize("link", [".claude", ".claude/tidegauge", ".claude/tidegauge/checkpoints"])
@pytest.mark.parametrize("is_there", [True, False])
def test_a_planted_link_leads_nowhere(workshop: Workshop, tmp_path: Path, link: str, is_there: bool) -> None:
    outside = tmp_path / "outside"
    if is_there:
        outside.mkdir()
    path = workshop.project / link
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(outside)

    workshop.transcript.answer(190_000)
    assert workshop.compact() == ""
    assert "leads out of the project" in scratch.log(workshop.root)[0]
    assert "EXHAUSTED" in workshop.prompt()

    assert not outside.exists() if not is_there else list(outside.iterdir()) == []


def test_a_number_reserved_but_not_used_is_released(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(path: str, data: bytes, directory: int | None = None) -> None:
        raise OSError(28, "no space left")

    workshop.compact()
    monkeypatch.setattr("shared.files.files.write_atomic", fails)
    assert workshop.compact() == ""
    assert [path.name for path in sorted(workshop.folder.iterdir())] == [NAME, f"{NAME}.proof"]


@pytest.mark.parametrize("mark", ["proof", "acknowledged", "resumed"])
def test_a_mark_that_outlived_its_checkpoint_keeps_its_number(workshop: Workshop, mark: str) -> None:
    workshop.folder.mkdir(parents=True)
    (workshop.folder / f"cx-004-checkpoint.json.{mark}").touch()
    assert workshop.compact().startswith("Checkpoint cx-001 ")
    workshop.start("compact")
    assert "<compaction-alert>" in workshop.prompt()


def test_a_checkpoint_that_could_not_be_written_leaves_nothing(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = files.write_atomic

    def fails(path: str, data: bytes, directory: int | None = None) -> None:
        if path.endswith(NAME):
            raise OSError(28, "no space left")
        write(path, data, directory)

    workshop.transcript.prompt("Add vouchers")
    monkeypatch.setattr("shared.files.files.write_atomic", fails)
    assert "Checkpoint" not in workshop.compact()
    assert list(workshop.folder.iterdir()) == []
    assert list(Path(paths.words_directory(str(workshop.root))).iterdir()) == []


def test_only_the_newest_of_very_many_are_read(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("monitor.checkpoints.folder._MOST_READ", 2)
    workshop.compact()
    for name in ("cx-002-checkpoint.json", "cx-003-checkpoint.json"):
        (workshop.folder / name).write_text("damaged")
    assert workshop.start("compact") == ""
    (workshop.folder / "cx-003-checkpoint.json").unlink()
    assert "cx-001" in workshop.start("compact")


@pytest.mark.parametrize(("most_read", "most_bytes"), [(2, 1 << 20), (100, 10)])
@pytest.mark.parametrize("first", [2, 100_000])
def test_forged_checkpoints_cannot_hide_ours(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch, most_read: int, most_bytes: int, first: int
) -> None:
    monkeypatch.setattr("monitor.checkpoints.folder._MOST_READ", most_read)
    monkeypatch.setattr("monitor.checkpoints.folder._MOST_FOREIGN", most_bytes)
    workshop.transcript.prompt("Add vouchers to the shop, and test them")
    workshop.compact()
    for number in range(first, first + 5):
        (workshop.folder / f"cx-{number:03}-checkpoint.json").write_text("{}".ljust(20))
    assert "Add vouchers" in workshop.start("compact")
    taken = 5 if first == 2 else 0
    assert workshop.compact().startswith(f"Checkpoint cx-{2 + taken:03} ")


@pytest.mark.parametrize("keep", [1, 3])
def test_the_person_sets_how_many_are_kept(workshop: Workshop, keep: int) -> None:
    workshop.configure(f"checkpoint.keep = {keep}")
    for _ in range(4):
        workshop.compact()
    assert [checkpoint["compaction_sequence"] for checkpoint in workshop.checkpoints()] == [1, 2, 3, 4][-keep:]


def test_only_existing_checkpoints_can_be_resumed(workshop: Workshop) -> None:
    workshop.compact()
    config = Config()
    session = Session(str(workshop.root), config, {}, 0.0)
    folder = folder_of(session, Project(os.path.realpath(workshop.project), str(workshop.project)))
    (workshop.folder / "notes.json").touch()
    for name in ("cx-002-checkpoint.json", "notes.json", f"../checkpoints/{NAME}"):
        mark(folder, name, RESUMED)
    assert workshop.marks(".resumed") == []
    assert not list(workshop.folder.glob("notes.json.*"))
    mark(folder, NAME, RESUMED)
    mark(folder, NAME, RESUMED)
    assert workshop.marks(".resumed") == ["cx-001"]
    (stored,) = newest(folder)
    assert (stored.is_resumed, stored.name, stored.number) == (True, NAME, 1)

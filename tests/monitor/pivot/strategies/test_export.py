"""Export: everything needed to inspect a session later, and to continue it."""

import gzip
import json
from pathlib import Path

import pytest

from monitor.pivot.strategies import carry_out
from tests.monitor.conftest import Carried
from tests.monitor.exports import exported
from tests.monitor.workshop import Workshop

AWS = "AKIA" + "IOSFODNN7EXAMPLE"


def test_both_copies_and_a_checkpoint_are_written(workshop: Workshop, context: Carried) -> None:
    workshop.transcript.prompt(f"Fix it with {AWS}")
    workshop.edit("src/app.py")

    outcome = carry_out("export", context(is_asked=True))

    archive, readable, checkpoint = (Path(file.path) for file in outcome.files)
    lines = gzip.decompress(archive.read_bytes()).decode().splitlines()
    assert [json.loads(line)["type"] for line in lines] == ["user", "api-request", "assistant", "user"]
    assert AWS not in "".join(lines) + readable.read_text()
    assert json.loads(checkpoint.read_bytes())["session_info"]["trigger"] == "export"
    assert all(str(path) in outcome.text for path in (archive, readable, checkpoint))
    assert "1 secret that looks like a key is masked" in outcome.text


def test_a_second_export_leaves_the_first_as_it_is(workshop: Workshop, context: Carried) -> None:
    workshop.bash("make")
    first = carry_out("export", context(is_asked=True))
    before = {file.path: Path(file.path).read_bytes() for file in first.files}
    workshop.bash("make test")

    second = carry_out("export", context())

    assert {file.path: Path(file.path).read_bytes() for file in first.files} == before
    assert not {file.path for file in second.files} & before.keys()


def test_a_separate_process_makes_the_copies_if_nobody_waits(workshop: Workshop, context: Carried) -> None:
    workshop.transcript.prompt("Fix the greeting")

    outcome = carry_out("export", context(is_asked=False))

    assert "is being exported" in outcome.text
    assert "Secrets that look like keys are masked" in outcome.text
    assert [Path(file.path).exists() for file in outcome.files] == [True, True]
    assert "Fix the greeting" in exported(Path(outcome.files[0].path)).read_text()


def test_a_transcript_that_takes_many_minutes_is_copied_only_on_request(workshop: Workshop, context: Carried) -> None:
    """A sparse transcript of 4 GB kept the copying process busy for more than five minutes."""
    workshop.transcript.grow((1 << 30) + 1)

    with pytest.raises(OSError, match="nobody asked for"):
        carry_out("export", context(is_asked=False))
    assert not list(workshop.project.rglob("*-export"))


def test_without_a_transcript_nothing_is_left(workshop: Workshop, context: Carried) -> None:
    carried = context()
    workshop.transcript.path.unlink()

    with pytest.raises(FileNotFoundError):
        carry_out("export", carried)

    assert list(workshop.project.iterdir()) == []


def test_exports_are_placed_where_the_person_says(workshop: Workshop, context: Carried, tmp_path: Path) -> None:
    workshop.configure(f'pivot.export_directory = "{tmp_path / "exports"}"')
    workshop.bash("make")

    outcome = carry_out("export", context(is_asked=True))

    assert Path(outcome.files[0].path).parent == tmp_path / "exports" / "001-export"

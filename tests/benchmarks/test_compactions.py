"""Repeated reads and checks after a compaction are counted, in a known session."""

from pathlib import Path

import pytest

from benchmarks import compactions
from tests.monitor.workshop import Workshop


@pytest.fixture
def workshop(tmp_path: Path) -> Workshop:
    """A session of which only the transcript matters."""
    return Workshop(tmp_path / "tidegauge", tmp_path / "shop", tmp_path)


def test_facts_needed_again_are_counted_by_whether_the_summary_names_them(workshop: Workshop) -> None:
    for number in range(6):
        workshop.edit(f"src/part{number}.py")
    workshop.read("docs/rules.md")
    workshop.bash("npm test")
    workshop.transcript.boundary()
    workshop.transcript.summary("part0.py and part5.py were changed")
    workshop.read("src/part5.py")
    workshop.read("src/part1.py")
    workshop.read("src/new.py")
    workshop.bash("cd /home/dev/shop && npm test 2>&1 | tail -3")

    (compaction,) = compactions.compactions(workshop.transcript.path)

    project = workshop.project
    assert compaction.again == {str(project / "src" / "part5.py"), str(project / "src" / "part1.py"), "npm test"}
    text = compactions.repetitions([compaction])
    assert "3 files and checks were needed again within 20 tool uses" in text
    assert "names 1 of them, and lacks 2" in text
    assert "| requests | 0 | 0 |" in compactions.facts([compaction])


def test_a_session_without_a_compaction_counts_for_nothing(workshop: Workshop) -> None:
    workshop.edit("src/app.py")
    assert list(compactions.compactions(workshop.transcript.path)) == []

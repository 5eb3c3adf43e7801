from pathlib import Path

import pytest

from tests.commands.person import Person


@pytest.fixture
def python(person: Person) -> Path:
    """The path of the environment's interpreter."""
    (person.root / "environment").unlink()
    path = Path(person.layout.python)
    path.parent.mkdir(parents=True)
    return path


def test_a_missing_interpreter_is_an_error(person: Person, python: Path) -> None:
    result = person.doctor()

    assert result.returncode == 1
    assert f"{python} is missing" in result.stdout
    assert "→ run: ~/.claude/tidegauge/bin/tidegauge repair (it recreates the environment)" in result.stdout


def test_an_interpreter_removed_by_an_upgrade_is_an_error(person: Person, python: Path) -> None:
    old = person.home / "python3.9"
    python.symlink_to(old)

    assert person.finding("interpreter") == ("wrong", f"{python} leads to a Python that no longer exists: {old}")


def test_a_failing_interpreter_is_an_error(person: Person, python: Path) -> None:
    python.write_text("#!/bin/sh\necho cannot load libpython >&2\nexit 127\n")
    python.chmod(0o755)

    assert person.finding("interpreter") == ("wrong", f"{python} fails: cannot load libpython")


def test_an_interpreter_that_cannot_be_started_is_an_error(person: Person, python: Path) -> None:
    python.write_text("")

    assert person.finding("interpreter").status == "wrong"

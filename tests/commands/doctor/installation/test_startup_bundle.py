import sys
from pathlib import Path

import pytest

from shared.process import bundle
from tests.commands.person import Person, findings


@pytest.fixture
def path(person: Person) -> Path:
    """Where the bundle lies in an environment that is the person's own."""
    environment = person.root / "environment"
    environment.unlink()
    environment.mkdir()
    (environment / "bin").symlink_to(Path(sys.prefix) / "bin")
    return environment / "startup.bundle"


def test_none_is_a_warning(person: Person, path: Path) -> None:
    assert person.finding("start-up bundle") == ("warning", f"there is no {path}: everything starts slower")


def test_another_interpreters_is_a_warning(person: Person, path: Path) -> None:
    path.write_bytes(b"Tidegauge's start-up bundle for 3.9.0\n")

    finding = person.finding("start-up bundle")

    assert finding == ("warning", f"{path} is damaged, or made for another interpreter: everything starts slower")


def test_one_that_fits_is_fine(person: Person, path: Path) -> None:
    bundle.write(str(path))

    assert person.finding("start-up bundle") == ("ok", str(path))


def test_a_developers_environment_needs_none(person: Person) -> None:
    assert "start-up bundle" not in findings(person.doctor().stdout)

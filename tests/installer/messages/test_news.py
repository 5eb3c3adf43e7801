from pathlib import Path

import pytest

from installer.messages import news
from installer.messages.news import Installed
from tests.conftest import REPOSITORY

NEW = """# Changelog

## [Unreleased]

### Added

- An addition.
- One that
  is known.

### Changed

- A change.

## [0.2.0] - 2026-01-01

### Security

- A hole is closed.

## [0.1.0]

- The first.
"""


@pytest.fixture
def directory(tmp_path: Path) -> str:
    (tmp_path / "CHANGELOG.md").write_text(NEW, encoding="utf-8")
    return str(tmp_path)


def test_what_changes_comes_before_what_is_added(directory: str) -> None:
    before = Installed("0.2.0", "- One that is\n  known.\n")

    assert news.since(directory, before) == [
        "",
        "New since 0.2.0:",
        "- A change.",
        "- A hole is closed.",
        "- An addition.",
    ]


def test_a_build_that_was_installed_before_its_version_was_finished_learns_the_rest(directory: str) -> None:
    unfinished = NEW.replace("- A change.\n", "").replace("## [Unreleased]", "## [0.3.0]")

    assert news.since(directory, Installed("0.3.0", unfinished))[2:] == ["- A change."]


def test_the_same_again_says_nothing(directory: str) -> None:
    assert news.since(directory, Installed("0.2.0", NEW)) == []
    assert news.since(directory, None) == []


def test_it_stays_short(tmp_path: Path) -> None:
    many = "".join(f"- Entry {number}.\n" for number in range(15))
    (tmp_path / "CHANGELOG.md").write_text(f"## [0.2.0]\n\n{many}", encoding="utf-8")
    message = news.since(str(tmp_path), Installed("0.1.0", ""))

    assert len(message) == 2 + 12 + 1
    assert message[-1] == "and 3 more in CHANGELOG.md"


def test_whoever_had_the_first_version_reads_what_is_kept_now_and_how_to_switch_it_off() -> None:
    message = "\n".join(news.since(str(REPOSITORY), Installed("0.1.0", "")))

    assert "the agent's last answer is now kept" in message
    assert "tidegauge config set checkpoint.include_prompts false" in message
    assert "tidegauge config set hooks.read_guard false" in message

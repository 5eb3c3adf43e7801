import os
import sys
from pathlib import Path

import pytest

from monitor.guards.reading import reads
from monitor.session import Session
from shared.settings.config import Config


def rules(project: Path, text: str = "") -> reads.Rules:
    if text:
        (project / ".tidegaugeignore").write_text(text)
    return reads.Rules(str(project), Session("/none", Config(), {}, 0.0))


@pytest.mark.parametrize("path", ["node_modules", "node_modules/a/b.js", "packages/x/node_modules/y", ".venv/lib"])
def test_paths_named_in_the_setting_are_ignored(tmp_path: Path, path: str) -> None:
    rule = rules(tmp_path).match(str(tmp_path / path))

    assert rule is not None
    assert rule[1] == "the setting read_guard.ignore"


@pytest.mark.parametrize("path", ["src/a.py", "node_modules.md", "", "../elsewhere/node_modules/a"])
def test_other_paths_are_read(tmp_path: Path, path: str) -> None:
    assert rules(tmp_path).match(str((tmp_path / path).resolve())) is None


def test_the_projects_file_adds_rules_and_is_named(tmp_path: Path) -> None:
    rule = rules(tmp_path, "# big\n\nfixtures/*.json\n").match(str(tmp_path / "fixtures" / "a.json"))

    assert rule == ("fixtures/*.json", str(tmp_path / ".tidegaugeignore"))


def test_the_projects_file_reverts_rules(tmp_path: Path) -> None:
    result = rules(tmp_path, "!node_modules/wanted.md\n")

    assert result.match(str(tmp_path / "node_modules" / "wanted.md")) is None
    assert result.match(str(tmp_path / "node_modules" / "other.md")) is not None


def test_a_file_of_any_bytes_is_survived(tmp_path: Path) -> None:
    (tmp_path / ".tidegaugeignore").write_bytes(b"\xff\xfe[z-a\n!\n" + b"x" * 100_000)

    assert rules(tmp_path).match(str(tmp_path / "src" / "a.py")) is None


@pytest.mark.parametrize("rule", ["[\ufffd-z]", "[b-a]", "!", "a/[z-a]/**", "[[a"])
def test_an_invalid_rule_is_lost_alone(tmp_path: Path, rule: str) -> None:
    assert rules(tmp_path, f"{rule}\nours/\n").match(str(tmp_path / "ours" / "x")) is not None


def test_a_long_file_is_read_up_to_a_whole_line(tmp_path: Path) -> None:
    result = rules(tmp_path, "ours/\n" + "x" * 31_000 + "\n" + "theirs/" + "y" * 5_000 + "\n")

    assert result.match(str(tmp_path / "ours" / "x")) is not None
    assert result.match(str(tmp_path / ("theirs/" + "y" * 100))) is None


def test_a_link_to_a_private_file_gives_no_rules(tmp_path: Path) -> None:
    (tmp_path / "private").write_text("token-*\n")
    (tmp_path / ".tidegaugeignore").symlink_to(tmp_path / "private")

    assert rules(tmp_path).match(str(tmp_path / "token-1")) is None


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no named pipes in directories")
def test_a_pipe_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".tidegaugeignore")

    assert rules(tmp_path).match(str(tmp_path / "src" / "a.py")) is None

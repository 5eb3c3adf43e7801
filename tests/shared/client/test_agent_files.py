"""The model named in an agent's own file."""

import os
from pathlib import Path

import pytest

from shared.client.agent_files import model_of


def write(directory: Path, name: str, text: str) -> None:
    (directory / "agents").mkdir(parents=True, exist_ok=True)
    (directory / "agents" / f"{name}.md").write_text(text)


@pytest.mark.parametrize(
    ("fields", "model"),
    [
        ("name: scout\nmodel: sonnet[1m]", "sonnet[1m]"),
        ("model: 'claude-opus-4-6'  # the large one\nname: \"scout\"", "claude-opus-4-6"),
        ("name: scout\r\nmodel: haiku\r", "haiku"),
        ("name: scout\nmodel: inherit", ""),
        ("name: scout\ndescription: |\n  model: opus", ""),
        ("name: other\nmodel: opus", ""),
    ],
)
def test_an_agents_file_names_its_model(tmp_path: Path, fields: str, model: str) -> None:
    write(tmp_path / ".claude", "file", f"---\n{fields}\n---\nYou look around.\nmodel: none\n")
    assert model_of("scout", str(tmp_path), str(tmp_path / "home")) == model


def test_the_projects_file_overrides_the_persons(tmp_path: Path) -> None:
    home = tmp_path / "home"
    write(home, "scout", "---\nname: scout\nmodel: opus\n---\n")
    assert model_of("scout", str(tmp_path), str(home)) == "opus"
    assert model_of("scout", "", str(home)) == "opus"
    write(tmp_path / ".claude", "scout", "---\nname: scout\n---\n")
    assert model_of("scout", str(tmp_path), str(home)) == ""


def test_other_files_than_agents_are_skipped(tmp_path: Path) -> None:
    write(tmp_path / ".claude", "a", "no front matter\nname: scout\nmodel: opus\n")
    write(tmp_path / ".claude", "b", "---\nname: scout\nmodel: opus\n" + "x" * 9_000)
    os.mkfifo(tmp_path / ".claude" / "agents" / "c.md")
    (tmp_path / ".claude" / "agents" / "d.md").write_bytes(b"---\n\xff\xfe\n---\n")
    write(tmp_path / ".claude", "e", "---\nmodel: opus\n---\n")
    assert [model_of(name, str(tmp_path), str(tmp_path)) for name in ("scout", "")] == ["", ""]

"""What a repository brings along counts from the very tool use that brought it, and no longer than it is there."""

from pathlib import Path

import pytest

from tests.client.client import Client
from tests.client.injected import heads
from tests.client.model import MAIN
from tests.client.step import bash, say
from tests.levels import FIRST

pytestmark = pytest.mark.client


def test_a_projects_settings_come_and_go_with_its_file(client: Client, mode: str, project: Path) -> None:
    project.mkdir()
    (project / "settings.toml").write_text(f"[levels.{FIRST.name.lower()}]\nremaining = 60\n")
    come, go = "mkdir -p .claude && mv settings.toml .claude/tidegauge.toml", "rm .claude/tidegauge.toml"
    steps = [bash(90_000), bash(90_500), bash(91_000, come), bash(92_000, go), bash(93_000), say(93_100, "Enough.")]

    played = client.play(mode, project, {MAIN: steps})

    assert heads(played.of(MAIN)) == [(3, f"{FIRST.name} 54%")]

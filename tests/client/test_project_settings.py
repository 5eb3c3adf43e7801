"""A repository's settings apply from the tool use that brings them, for as long as they are there."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.client.client import COMPACTED, Client
from tests.client.injected import heads, injections
from tests.client.model import MAIN, SUMMARY
from tests.client.step import SLOW, bash, say
from tests.levels import FIRST

pytestmark = [pytest.mark.client, pytest.mark.any_client]


def test_a_projects_settings_come_and_go_with_its_file(client: Client, mode: str, project: Path) -> None:
    project.mkdir()
    (project / "settings.toml").write_text(f"[levels.{FIRST.name.lower()}]\nremaining = 60\n")
    come, go = "mkdir -p .claude && mv settings.toml .claude/tidegauge.toml", "rm .claude/tidegauge.toml"
    steps = [bash(90_000), bash(90_500), bash(91_000, come), bash(92_000, go), bash(93_000), say(93_100, "Enough.")]

    played = client.play(mode, project, {MAIN: steps})

    assert heads(played.of(MAIN)) == [(3, f"{FIRST.name} 54%")]


def test_a_compact_window_set_midway_holds_until_the_client_continues_past_it(
    client: Client, mode: str, project: Path
) -> None:
    (project / ".claude").mkdir(parents=True)
    (project / ".claude" / "settings.local.json").write_text("{}")
    edit = """echo '{"autoCompactWindow": 180000}' >.claude/settings.local.json; sleep 2"""
    steps = [bash(110_000, edit), *(bash(tokens, SLOW) for tokens in (148_000, 150_000, 163_000))]

    played = client.play(mode, project, {MAIN: [*steps, say(163_500, "Enough.")]}, model=COMPACTED)

    assert not played.of(SUMMARY)
    first, *_, last = [injection for injection in injections(played.of(MAIN)) if "CONTEXT WINDOW" in injection.text]
    assert (first.request, "limit of 147,000 is reached (as set)" in first.text) == (2, True)
    assert (last.request, "compacts at 167,000 (known for this model)" in last.text) == (4, True)


def test_local_settings_of_the_main_checkout_apply_where_the_client_reads_them(client: Client, project: Path) -> None:
    """In a subdirectory or in another worktree: 2.1.330 reads them there."""
    (project / ".claude").mkdir(parents=True)
    (project / ".claude" / "settings.local.json").write_text(json.dumps({"autoCompactWindow": 140_000}))
    subprocess.run(["git", "init", "--quiet", str(project)], check=True)
    steps = [bash(100_000, SLOW), bash(111_000, SLOW), say(20_000, "Enough.")]

    played = client.headless(project / "below", {MAIN: steps}, model=COMPACTED)

    is_compacted = client.version == "2.1.330"
    assert bool(played.of(SUMMARY)) is is_compacted
    assert heads(played.of(MAIN)) == ([(1, "CRITICAL 50%"), (2, "EXHAUSTED 44%")] if is_compacted else [])

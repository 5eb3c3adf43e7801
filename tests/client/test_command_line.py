"""The client's command line takes precedence over its variables and files."""

import json
from pathlib import Path

import pytest

from tests.client.client import MILLION, Client
from tests.client.clients import binary
from tests.client.injected import heads
from tests.client.model import MAIN
from tests.client.step import SLOW, bash, say

pytestmark = pytest.mark.client

STANDARD = MILLION.removesuffix("[1m]")
"""200,000 tokens, compacted at 167,000."""
FULL = [bash(100_000, SLOW), bash(150_000, SLOW), say(151_000, "Enough.")]
CRITICAL = [(2, "CRITICAL 25%")]


def set_in_project(project: Path, **settings: object) -> None:
    (project / ".claude").mkdir(parents=True)
    (project / ".claude" / "settings.json").write_text(json.dumps(settings))


def test_the_model_option_overrides_variables_and_settings(client: Client, bare_home: Path, project: Path) -> None:
    """In 2.1.197, headless and without a status line, nothing else names the model."""
    set_in_project(project, model=MILLION)
    bare = client._replace(home=bare_home, more={"ANTHROPIC_MODEL": MILLION})
    assert heads(bare.headless(project, {MAIN: FULL}, model=STANDARD).of(MAIN)) == CRITICAL


def test_a_slash_commands_model_counts_from_its_second_answer(bare_home: Path, project: Path) -> None:
    """The gate was written for the session's model, for which nothing is due; 2.1.197 records the command's nowhere."""
    commands = project / ".claude" / "commands"
    commands.mkdir(parents=True)
    (commands / "short.md").write_text(f"---\nmodel: {STANDARD}\ndescription: d\n---\nDo it\n")
    later = Client("2.1.330", binary("2.1.330"), bare_home)
    assert heads(later.headless(project, {MAIN: FULL}, prompt="/short", model=MILLION).of(MAIN)) == CRITICAL


def test_an_agents_model_overrides_variables_and_settings(client: Client, bare_home: Path, project: Path) -> None:
    set_in_project(project, model=MILLION)
    agents = json.dumps({"writer": {"description": "d", "prompt": "p", "model": STANDARD}})
    bare = client._replace(home=bare_home, more={"ANTHROPIC_MODEL": MILLION})
    played = bare.headless(project, {MAIN: FULL}, "--agents", agents, "--agent", "writer", model=None)
    assert heads(played.of(MAIN)) == CRITICAL


def test_a_beta_in_a_variable_does_not_enlarge_the_window(
    client: Client, mode: str, bare_home: Path, project: Path
) -> None:
    bare = client._replace(home=bare_home, more={"ANTHROPIC_BETAS": "context-1m-2025-08-07"})
    assert heads(bare.play(mode, project, {MAIN: FULL}, model=STANDARD).of(MAIN)) == CRITICAL


def test_each_run_has_its_own_window(client: Client, bare_home: Path, project: Path) -> None:
    bare = client._replace(home=bare_home)
    first = bare.headless(project, {MAIN: FULL}, model=STANDARD)
    resume = "--resume", first.session_id()
    same = bare.headless(project, {MAIN: FULL}, *resume, model=MILLION)
    forked = bare.headless(project, {MAIN: FULL}, *resume, "--fork-session", model=MILLION)
    back = bare.headless(project, {MAIN: FULL}, *resume, model=STANDARD)
    assert [heads(played.of(MAIN)) for played in (first, same, forked, back)] == [CRITICAL, [], [], CRITICAL]


def test_files_excluded_by_setting_sources_are_ignored(client: Client, mode: str, project: Path) -> None:
    set_in_project(project, autoCompactWindow=140_000)
    played = client.play(mode, project, {MAIN: FULL}, "--setting-sources", "user", model=STANDARD)
    assert heads(played.of(MAIN)) == CRITICAL
    assert "compacts at 167,000 (known" in json.dumps(played.of(MAIN)[-1].body)


@pytest.mark.parametrize(
    ("settings", "fact"),
    [
        (({"autoCompactWindow": 140_000}, {"autoCompactWindow": 200_000}), "compacts at 167,000 (as set)"),
        (({"autoCompactWindow": 60_000}, {}), "compacts at 167,000 (known"),  # below the client's least
        (({"autoCompactEnabled": False}, {"autoCompactEnabled": True}), "compacts at 167,000 (known"),
        (({}, {"autoCompactEnabled": False}), "the window ends at 177,000: automatic compaction is off (as set)"),
    ],
)
def test_the_settings_option_overrides_the_files(
    client: Client, mode: str, project: Path, settings: tuple[dict[str, object], ...], fact: str
) -> None:
    """`settings` are the project's and the command line's."""
    of_project, of_command_line = settings
    set_in_project(project, **of_project)
    played = client.play(mode, project, {MAIN: FULL}, "--settings", json.dumps(of_command_line), model=STANDARD)
    assert heads(played.of(MAIN)) == CRITICAL
    assert fact in json.dumps(played.of(MAIN)[-1].body)

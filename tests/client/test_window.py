"""We measure by the client's own window, also headless and without anything learnt."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from shared.gauge.levels import begins_at
from shared.gauge.window import remaining_percentage
from tests.client.client import INTERACTIVE, MILLION, Client, Scripts
from tests.client.clients import binary
from tests.client.injected import LevelWarning, heads, warnings
from tests.client.model import MAIN, ScriptedModel
from tests.client.step import SLOW, Call, Step, bash, say
from tests.levels import FIRST, FIRST_RULE, FIRST_TOKENS

pytestmark = pytest.mark.client

FIRST_OF_MILLION = begins_at(FIRST_RULE, 1_000_000, 967_000)
STEPS = [
    bash(150_000, SLOW),
    bash(199_000, SLOW),
    bash(260_000, SLOW),
    bash(FIRST_OF_MILLION - 20_000, SLOW),
    bash(FIRST_OF_MILLION - 1, SLOW),
    bash(FIRST_OF_MILLION, SLOW),
    say(FIRST_OF_MILLION + 100, "Enough."),
]
MESSAGES = [(6, f"{FIRST.name} {remaining_percentage(FIRST_OF_MILLION, 1_000_000)}%")]

EARLIER, LATER = "2.1.197", "2.1.330"
# Beyond every level of a window of 200,000 tokens, below those of a million, and then at the million's WARNING.
FILLING = [bash(172_000, SLOW), bash(199_000, SLOW), bash(860_000, SLOW), say(861_000, "Enough.")]
WARNED_AT_MILLION = [LevelWarning(3, "WARNING", 14, 860_000, 1_000_000)]

FIRST_PARTY = {"_CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL": "1"}  # the scripted model's address would count as a proxy
HAIKU_OF_200K = {"ANTHROPIC_DEFAULT_HAIKU_MODEL": "claude-haiku-4-5"}
ERRAND, OTHER = "Walk round the harbour", "Count the boats"


@pytest.fixture
def later(bare_home: Path) -> Client:
    """The newer client, in a home where no status line has ever reported a window."""
    return Client(LATER, binary(LATER), bare_home)


@pytest.fixture
def earlier(bare_home: Path) -> Client:
    return Client(EARLIER, binary(EARLIER), bare_home)


def test_a_million_token_session_is_warned_by_its_own_size(client: Client, mode: str, project: Path) -> None:
    played = client.play(mode, project, {MAIN: STEPS}, model=MILLION)
    assert heads(played.of(MAIN)) == MESSAGES


@pytest.mark.parametrize("model", ["opus", "sonnet", "haiku", "claude-opus-4-8", "claude-opus-5", "claude-sonnet-5"])
def test_a_window_known_only_to_the_catalogue(later: Client, project: Path, model: str) -> None:
    run = later.run_headless(project, {MAIN: FILLING}, model=model)
    assert list(run.windows.values()) == [1_000_000]
    assert warnings(run.model.of(MAIN)) == WARNED_AT_MILLION


def test_without_our_status_line_a_screen_changes_nothing(bare_home: Path, project: Path) -> None:
    for version, more in ((LATER, {}), (EARLIER, FIRST_PARTY)):
        client = Client(version, binary(version), bare_home, more)
        played = client.play(INTERACTIVE, project, {MAIN: FILLING}, model="claude-opus-4-8")
        assert warnings(played.of(MAIN)) == WARNED_AT_MILLION


def test_the_default_model_of_the_earlier_client(earlier: Client, project: Path) -> None:
    """At an address that isn't Anthropic's the same model has 200,000, unless the client adds `[1m]`, as here."""
    steps = [*FILLING[:2], bash(260_000, SLOW), *FILLING[2:]]
    run = earlier.run_headless(project, {MAIN: steps}, model=None)
    assert run.windows == {"claude-opus-4-8[1m]": 1_000_000}
    assert warnings(run.model.of(MAIN)) == [
        LevelWarning(1, "EXHAUSTED", 14, 172_000, 200_000),  # assumed
        WARNED_AT_MILLION[0]._replace(request=4),
    ]


def test_the_default_model_of_the_earlier_client_at_its_own_address(earlier: Client, project: Path) -> None:
    run = earlier._replace(more=FIRST_PARTY).run_headless(project, {MAIN: FILLING}, model=None)
    assert run.windows == {"claude-opus-4-8[1m]": 1_000_000}
    assert warnings(run.model.of(MAIN)) == WARNED_AT_MILLION


def test_the_earlier_client_hides_a_widened_window_until_it_is_used(earlier: Client, project: Path) -> None:
    steps = [bash(131_000, SLOW), bash(260_000, SLOW), *FILLING[2:]]
    client = earlier._replace(more={"ANTHROPIC_DEFAULT_OPUS_MODEL": MILLION})
    run = client.run_headless(project, {MAIN: steps}, model="opus")
    assert run.windows == {MILLION: 1_000_000}
    assert warnings(run.model.of(MAIN)) == [
        LevelWarning(1, "WARNING", 34, 131_000, 200_000),  # assumed
        WARNED_AT_MILLION[0],
    ]


def test_the_command_line_overrides_settings_in_a_terminal_without_a_status_line(
    earlier: Client, project: Path
) -> None:
    (project / ".claude").mkdir(parents=True)
    (project / ".claude" / "settings.local.json").write_text(json.dumps({"model": MILLION}))
    scripts = {MAIN: [bash(131_000, SLOW), say(132_000, "Enough.")]}
    played = earlier.play(INTERACTIVE, project, scripts, model="claude-opus-4-6")
    assert warnings(played.of(MAIN)) == [LevelWarning(1, "WARNING", 34, 131_000, 200_000)]


def test_a_window_set_by_the_person(earlier: Client, project: Path) -> None:
    client = earlier._replace(more={"TIDEGAUGE_WINDOW__MODELS": "claude-opus-4-6=1000000"})
    run = client.run_headless(project, {MAIN: FILLING}, model=MILLION)
    assert warnings(run.model.of(MAIN)) == WARNED_AT_MILLION


@pytest.mark.parametrize("version", [LATER, EARLIER])
def test_subagents_of_other_models(bare_home: Path, mode: str, project: Path, version: str) -> None:
    client = Client(version, binary(version), bare_home, FIRST_PARTY | HAIKU_OF_200K)
    parent = [delegate_to("opus", ERRAND), waiting(bash(51_000, SLOW), ERRAND)]
    parent += [delegate_to("haiku", OTHER), waiting(bash(131_000, SLOW), OTHER), say(132_000, "Enough.")]
    other = [bash(FIRST_TOKENS - 20_000, SLOW), bash(131_000, SLOW), say(132_000, "Counted.")]
    scripts: Scripts = {MAIN: parent, ERRAND: FILLING, OTHER: other}
    played, windows = play(client, mode, project, scripts, "claude-sonnet-4-6")
    assert warnings(played.of(ERRAND)) == WARNED_AT_MILLION
    assert warnings(played.of(OTHER)) == [LevelWarning(2, "WARNING", 34, 131_000, 200_000)]
    assert warnings(played.of(MAIN)) == [LevelWarning(4, "WARNING", 34, 131_000, 200_000)]
    assert mode == INTERACTIVE or sorted(windows.values()) == [200_000, 200_000, 1_000_000]


def play(
    client: Client, mode: str, project: Path, scripts: Scripts, model: str
) -> tuple[ScriptedModel, Mapping[str, int]]:
    """Play one prompt in either mode; return the windows too, where the client names them."""
    if mode == INTERACTIVE:
        return client.play(mode, project, scripts, model=model), {}
    return client.run_headless(project, scripts, model=model)


def delegate_to(model: str, prompt: str) -> Step:
    task = {"description": "A task", "prompt": prompt, "subagent_type": "general-purpose", "model": model}
    return Step(50_000, calls=(Call("Agent", task),))


def waiting(step: Step, errand: str) -> Step:
    """`step` with a parent that waits for its subagent, as in 2.1.197; 2.1.330 runs it in the background."""
    return step._replace(hold=lambda model: model.wait_for_end(errand))

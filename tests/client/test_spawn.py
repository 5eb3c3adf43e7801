"""`/token-status --pivot spawn`: the prompt for a new session, with an account of the full one."""

import subprocess
from pathlib import Path

import pytest

from monitor.pivot.strategies.spawn import ACCOUNT
from tests.client.client import COMPACTED, MODEL, Client, Conversation
from tests.client.home import environment
from tests.client.model import MAIN, SUMMARY, texts
from tests.client.step import bash, say
from tests.client.test_resilience import checkpoints

pytestmark = [pytest.mark.client, pytest.mark.any_client]

KEY = f"ghp_{'a1B2' * 9}"
WRITTEN = (
    f"<summary>The greeting is friendly. The token {KEY} is in use. Next: the farewell. {'More. ' * 6_000}</summary>"
)
REQUEST = "Write it now, under the last heading of the first file"


def continuation(project: Path) -> str:
    (path,) = (project / ".claude" / "tidegauge" / "exports").glob("*-spawn/continuation.md")
    return path.read_text()


def messages_of(conversation: Conversation) -> str:
    """The texts of the main conversation's newest request."""
    return "\n".join(texts(conversation.model.of(MAIN)[-1].body["messages"][-1]["content"]))


def resumed(client: Client, project: Path) -> str:
    """The prompt with which `tidegauge resume` would begin a new session."""
    command = [str(client.program / "bin" / "tidegauge"), "resume", str(len(checkpoints(project))), "--prompt"]
    env = environment(client.home, "http://127.0.0.1:9", client.more)
    result = subprocess.run(command, cwd=project, env=env, capture_output=True, text=True, check=True)
    return result.stdout


def test_the_prompt_holds_the_clients_summary_and_what_happened_since(client: Client, project: Path) -> None:
    steps = [bash(110_000), bash(168_000), say(30_000, "The greeting is done."), say(31_000, "Farewell it is.")]
    scripts = {MAIN: [*steps, say(32_000, "Tell them.")], SUMMARY: [say(9_000, WRITTEN)]}
    with client.interactive(project, scripts, model=COMPACTED) as conversation:
        conversation.say("Make the greeting friendly, and nothing else for now")
        conversation.terminal.wait_for("The greeting is done")
        conversation.say("Now change the farewell in the same way")
        conversation.terminal.wait_for("Farewell it is")
        conversation.say("/token-status --pivot spawn")
        conversation.terminal.wait_for("Tell them")
        answer = messages_of(conversation)
    assert len(conversation.model.of(SUMMARY)) == 1
    assert "continuation.md" in answer
    prompt = continuation(project)
    account, _, since = prompt.partition(ACCOUNT)[2].partition("\n## ")
    later = resumed(client, project)  # the session has gone on since: it has notified the person
    expected = (f"{ACCOUNT}{account}", "> Now change the farewell in the same way", "Tell them.")
    assert [part in later for part in expected] == [True] * 3
    assert "The greeting is friendly." in account
    assert "Next: the farewell." in account
    assert KEY not in account
    assert 20_000 < len(account) < 25_000
    assert since.startswith("What the user asked and decided, after that account")
    assert "> Now change the farewell in the same way" in since
    assert "Make the greeting friendly" not in since
    assert REQUEST not in answer
    assert "To start the new session" in answer


def test_without_a_summary_the_agent_is_asked_for_an_account(client: Client, project: Path) -> None:
    steps = [bash(110_000), say(120_000, "Half of it is done."), say(121_000, "I shall write it.")]
    with client.interactive(project, {MAIN: steps}, model=MODEL) as conversation:
        conversation.say("Make the greeting friendly, and nothing else for now")
        conversation.terminal.wait_for("Half of it is done")
        conversation.say("/token-status --pivot spawn")
        conversation.terminal.wait_for("I shall write it")
        answer = messages_of(conversation)
    assert REQUEST in answer
    prompt = continuation(project)
    assert prompt.endswith(f"{ACCOUNT}\n\n")
    assert "> Make the greeting friendly, and nothing else for now" in prompt

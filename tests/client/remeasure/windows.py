"""The client's window for each model, and the model of each alias."""

from collections.abc import Mapping

from tests.client.client import Client
from tests.client.model import MAIN
from tests.client.remeasure.home import measured_home
from tests.client.step import say

MODELS = (
    "claude-3-7-sonnet-20250219", "claude-sonnet-4-0", "claude-sonnet-4-5", "claude-haiku-4-5", "claude-opus-4-5",
    "claude-opus-4-6", "claude-sonnet-4-6", "claude-opus-4-7", "claude-opus-4-8", "claude-opus-5", "claude-opus-5-5",
    "claude-sonnet-5", "claude-sonnet-5-5", "claude-haiku-5-5", "claude-fable-5", "claude-mythos-5", "my-deployment",
)  # fmt: skip
ALIASES = ("opus", "sonnet", "haiku", "default")
DISABLED = {"CLAUDE_CODE_DISABLE_1M_CONTEXT": "1"}
FIRST_PARTY = {"_CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL": "1"}
"""Else the scripted model's loopback address counts as a gateway."""

BARE, MARKED, NO_1M, ANTHROPIC = "bare id", "with [1m]", "1M disabled", "first-party address"
CONDITIONS: dict[str, tuple[str, Mapping[str, str]]] = {
    BARE: ("", {}),
    MARKED: ("[1m]", {}),
    NO_1M: ("", DISABLED),
    ANTHROPIC: ("", FIRST_PARTY),
}
"""Each with what is added to the model's id, and to the environment."""


def windows(client: Client) -> dict[str, dict[str, int]]:
    """The window in tokens, by model and condition."""
    with measured_home(client, {}) as home:
        return {
            model: {
                name: next(iter(_sizes(home.client, f"{model}{suffix}", more).values()))
                for name, (suffix, more) in CONDITIONS.items()
            }
            for model in MODELS
        }


def aliases(client: Client) -> dict[str, str]:
    """The id that each alias names at an address other than Anthropic's; `default` means no alias."""
    with measured_home(client, {}) as home:
        return {alias: next(iter(_sizes(home.client, alias, {}))) for alias in ALIASES}


def _sizes(client: Client, model: str, more: Mapping[str, str]) -> Mapping[str, int]:
    chosen = None if model == "default" else model
    run = client._replace(more=more).run_headless(
        client.home.parent / "project", {MAIN: [say(1_000, "Hello.")]}, model=chosen
    )
    return run.windows

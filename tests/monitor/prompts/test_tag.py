"""What the tag recommends: a step as far as the figures are facts, advice where they are assumed."""

from typing import Literal

import pytest

from monitor.prompts.tag import prompt_tag
from shared.config import Messages
from shared.levels import Level, Tier
from shared.reading import Reading
from shared.verdict import Verdict


def action(
    source: str,
    *,
    style: Literal["directive", "advisory"] = "directive",
    level: Level = Level.CRITICAL,
    saved: bool = False,
) -> str:
    verdict = Verdict(Reading(20, 160_000, 200_000, "transcript", source, 0.0), level)
    tag = prompt_tag(verdict, Tier.CRITICAL, Messages(style=style), is_saved=saved)
    return tag.partition("<action>")[2].partition("</action>")[0]


def test_an_assumed_window_makes_the_steps_advice() -> None:
    assert action("default").endswith("The window's size is assumed, so take this as advice.")
    assert "advice" not in action("bridge")


@pytest.mark.parametrize("source", ["bridge", "default"])
def test_what_is_saved_is_said_between_the_steps_and_the_advice(source: str) -> None:
    saved, plain = action(source, saved=True), action(source)
    words = "A checkpoint holds the facts; the reasons and the plan are yours to write."
    assert words in saved
    assert saved.replace(f" {words}", "") == plain


def test_the_advisory_style_recommends_what_is_certain() -> None:
    assert action("bridge", style="advisory").endswith("Recommended; the user's instructions decide.")
    assert "Recommended" not in action("bridge")


def test_a_normal_level_asks_for_nothing_but_short_output() -> None:
    assert action("default", level=Level.NORMAL, saved=True) == "keep output short"

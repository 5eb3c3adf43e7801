"""What a session is about is kept in words: the person's prompts and the agent's last answer."""

import json
import os
import stat
import time
from pathlib import Path
from typing import Any

import bpe_openai  # type: ignore[import-untyped]  # it has no types
import pytest

from monitor.checkpoints import goal
from monitor.checkpoints.goal import Goal
from monitor.checkpoints.token_budget import tokens
from shared import paths
from shared.plain import escaped
from tests.monitor.pivot.strategies.conftest import Carried, context  # noqa: F401  the fixture
from tests.monitor.workshop import Workshop

CONSTRAINT = "Don't touch the payment provider."
ORDER = f"Add a coupon field to the checkout.\n\nRules:\n- {CONSTRAINT}\n- no new dependency"
TOKENIZER = bpe_openai.get_encoding("o200k_base")


def kept(workshop: Workshop) -> list[dict[str, Any]]:
    """The words that are kept, of every checkpoint."""
    directory = Path(paths.goals_directory(str(workshop.root)))
    found = sorted(directory.glob("*"), key=lambda path: path.stat().st_mtime) if directory.exists() else []
    assert {stat.S_IMODE(path.stat().st_mode) for path in found} <= {0o600}
    return [json.loads(path.read_bytes()) for path in found]


def work(workshop: Workshop) -> None:
    workshop.transcript.prompt(ORDER)
    workshop.transcript.answer(20_000, tool_use_ids=(), text="I'll begin with the form.")
    workshop.edit("src/checkout.py")
    workshop.transcript.prompt("<task-notification>\n<task-id>a</task-id>")
    workshop.transcript.prompt("[Request interrupted by user for tool use]")
    workshop.transcript.prompt("Call it voucher, not coupon")
    workshop.transcript.answer(30_000, tool_use_ids=(), text="Renamed; next: the test of an expired voucher.")
    workshop.edit("src/checkout.py")


def test_prompts_and_the_last_answer_are_kept_whole_outside_of_the_project(workshop: Workshop) -> None:
    work(workshop)
    workshop.compact()
    assert kept(workshop) == [
        {
            "prompts": [ORDER, "Call it voucher, not coupon"],
            "left_out": 0,
            "answer": "Renamed; next: the test of an expired voucher.",
            "summary": "",
        }
    ]
    (checkpoint,) = workshop.checkpoints()
    assert json.loads(Path(checkpoint["goal_path"]).read_bytes()) == kept(workshop)[0]
    for path in workshop.project.rglob("*"):
        assert path.is_dir() or "payment provider" not in path.read_text()


def test_the_first_and_the_newest_are_kept_of_many(workshop: Workshop) -> None:
    for number in range(50):
        workshop.transcript.prompt(f"Prompt {number}")
        if number == 30:
            workshop.compact()  # what is known of a session is read in parts
    workshop.compact()
    found = kept(workshop)[-1]
    assert found["prompts"] == [f"Prompt {number}" for number in (*range(4), *range(34, 50))]
    assert found["left_out"] == 30


def test_secrets_and_control_characters_are_taken_out(workshop: Workshop) -> None:
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    workshop.transcript.prompt(f"Use {key}\x1b[2J now " + "x" * 9_000 + f" and {key}")
    workshop.compact()
    (prompt,) = kept(workshop)[0]["prompts"]
    assert "ghp_" not in prompt
    assert "\x1b" not in prompt
    assert prompt.startswith("Use [masked] now x")
    assert prompt.endswith("x and [masked]")
    assert len(prompt) <= goal.LONGEST + 10


def test_a_password_that_is_told_is_masked(workshop: Workshop) -> None:
    workshop.transcript.prompt("Fix the shop, the password is Walnut7harbor")
    workshop.compact()
    assert kept(workshop)[0]["prompts"] == ["Fix the shop, the password is [masked]"]


def test_the_person_may_keep_places_alone(workshop: Workshop) -> None:
    workshop.configure("checkpoint.include_prompts = false")
    work(workshop)
    workshop.compact()
    assert kept(workshop) == []
    (checkpoint,) = workshop.checkpoints()
    assert checkpoint["goal_path"] is None
    assert len(checkpoint["prompts"]) == 3
    said = workshop.start("compact")
    assert "voucher" not in said
    assert "Last prompts: lines " in said


def test_the_words_go_with_their_checkpoint(workshop: Workshop) -> None:
    workshop.configure("checkpoint.keep = 2")
    work(workshop)
    for _ in range(4):
        workshop.compact()
    assert len(kept(workshop)) == 2


def test_words_that_no_project_claims_go_after_a_while(workshop: Workshop) -> None:
    work(workshop)
    directory = Path(paths.goals_directory(str(workshop.root)))
    directory.mkdir(parents=True)
    for name, days in (("gone", goal.KEPT_DAYS + 1), ("kept", goal.KEPT_DAYS - 1)):
        (directory / f"{name}.json").write_text("{}")
        (directory / f"{name}.json").chmod(0o600)
        moment = time.time() - days * 24 * 3600
        os.utime(directory / f"{name}.json", (moment, moment))
    workshop.compact()
    assert not (directory / "gone.json").exists()
    assert (directory / "kept.json").exists()
    assert len(kept(workshop)) == 2


def test_a_resumption_quotes_what_was_asked(workshop: Workshop) -> None:
    work(workshop)
    workshop.compact()
    said = workshop.start("compact")
    assert f"First asked: Add a coupon field to the checkout. Rules: - {escaped(CONSTRAINT)} - no new" in said
    assert "Last asked: Call it voucher, not coupon" in said


@pytest.mark.parametrize("words", ["checkout and coupon ", "<&\"'>", "\u8a2d\u5b9a", "\U0001f680", "7f3a9c1e"])
def test_the_quotation_keeps_to_its_budget(words: str) -> None:
    long = Goal((words * 3_000,) * 20, 9, words * 3_000)
    for one in (long, Goal((words * 3_000,)), Goal((words, words))):
        sections = goal.short(one, 120, escaped)
        text = "\n".join(f"{part.label}: {escaped(part.items[0])}" for part in sections)
        assert len(TOKENIZER.encode(text)) <= 120
    quoted = "\n".join(goal.quoted(long, 2_000))
    assert len(TOKENIZER.encode(quoted)) <= 2_000
    assert quoted.count("> ") >= 21


def test_what_just_fits_is_quoted_whole() -> None:
    long = Goal(("one two three " * 200,))
    whole = list(goal.quoted(long, 100_000))
    budget = tokens("\n".join(whole))
    assert list(goal.quoted(long, budget)) == whole
    assert len("".join(goal.quoted(long, budget - 1))) < len("".join(whole))


@pytest.mark.parametrize("strategy", ["spawn", "chunk"])
def test_what_is_handed_on_has_every_prompt(workshop: Workshop, context: Carried, strategy: str) -> None:  # noqa: F811  a fixture
    from monitor.pivot.strategies import carry_out  # noqa: PLC0415  beside the fixture that it needs

    work(workshop)
    for number in range(8):
        workshop.transcript.prompt(f"Prompt {number}: " + "some more words " * 400 + f"and constraint {number}")
    document = Path(carry_out(strategy, context()).files[0].path).read_text()
    assert f"> - {CONSTRAINT}" in document
    assert "> Call it voucher, not coupon" in document
    for number in range(8):
        assert f"Prompt {number}: " in document
        assert f"and constraint {number}" in document
    assert "next: the test of an expired voucher." in document


def test_what_is_quoted_cannot_pose_as_ours() -> None:
    lines = list(goal.quoted(Goal(("# Title\n</x>\n## Where the work stands",)), 500))
    assert [line for line in lines if line.startswith("#")] == ["## What the person asked, in their words"]
    assert not any("<" in line for line in lines)


def test_damaged_words_cost_themselves_alone(workshop: Workshop) -> None:
    work(workshop)
    workshop.compact()
    for words in (b"{}", b'{"prompts": []}', b"[", b'{"prompts": 1}'):
        for path in Path(paths.goals_directory(str(workshop.root))).iterdir():
            path.write_bytes(words)
        said = workshop.start("compact")
        assert "checkpoint cx-001" in said
        assert "asked:" not in said


def test_a_long_text_loses_its_middle() -> None:
    words = "".join(chr(ord("a") + number % 26) for number in range(101))
    assert goal.cut(words[:100], 100) == words[:100]
    assert goal.cut(words, 100) == f"{words[:67]} [\u2026] {words[-33:]}"


def test_first_and_last_are_told_apart_where_there_are_two() -> None:
    for prompts, said in (
        ((), []),
        (("One",), ["Asked"]),
        (("One", "Two"), ["First asked", "Last asked"]),
        (("One", "Two", "Three"), ["First asked", "Last asked"]),
    ):
        assert [section.label for section in goal.short(Goal(prompts), 120, escaped)] == said
    (rest,) = goal.short(goal.GoalRest(("One", "Two", "Three", "Four", "Five")), 120, escaped)
    assert (rest.label, rest.items) == ("Asked, and not in the summary", ["One | Two | Three | Four"])
    assert goal.short(None, 120, escaped) == []


def test_without_room_a_few_characters_are_quoted_all_the_same() -> None:
    (section,) = goal.short(Goal(("word " * 2_000,)), 0, escaped)
    assert 9 <= len(section.items[0]) <= 12
    lines = [line for line in goal.quoted(Goal(("word" * 2_000,)), 0) if line.startswith(">")]
    assert 9 <= len("".join(lines)) - len(">  [\u2026] ") <= 12


def test_prompts_that_were_left_out_are_counted_before_the_newest() -> None:
    lines = list(goal.quoted(Goal(("One", "Two", "Three"), 7, "Done."), 1_000))
    assert lines == [
        "## What the person asked, in their words", "", "> One", "", "> Two", "",
        "(7 earlier prompts are left out.)", "", "> Three", "",
        "## What the agent answered last", "", "> Done.", "",
    ]  # fmt: skip
    assert list(goal.quoted(Goal(("One",)), 1_000)) == ["## What the person asked, in their words", "", "> One", ""]
    assert list(goal.quoted(None, 1_000)) == []


def test_what_just_fits_is_told_whole_and_one_token_less_cuts_it() -> None:
    words = "one two three " * 20 + "four"
    budget = tokens(f"Asked: {words}\n")
    assert goal.short(Goal((words,)), budget, escaped)[0].items == [words]
    assert goal.short(Goal((words,)), budget - 1, escaped)[0].items != [words]

"""Requests and decisions are quoted within a budget, and can't pass for our own words."""

import msgspec
import pytest

from monitor.activity.requests import UserRequest
from monitor.checkpoints.texts import requests
from monitor.checkpoints.token_budget import tokens
from monitor.checkpoints.words import MissingWords, SessionWords
from shared.text.plain import escaped
from tests.tokenizers import tokenizer


def words_of(*texts: str, answer: str = "", left_out: int = 0) -> SessionWords:
    return SessionWords(tuple(UserRequest("prompt", text) for text in texts), left_out, answer, answer)


@pytest.mark.parametrize("words", ["checkout and coupon ", "<&\"'>", "\u8a2d\u5b9a", "\U0001f680", "7f3a9c1e"])
def test_the_quotation_keeps_to_its_budget(words: str) -> None:
    long = words_of(*[words * 3_000] * 20, left_out=9, answer=words * 3_000)
    encode = tokenizer("o200k_base").encode
    for one in (long, words_of(words * 3_000), words_of(words, words)):
        sections = requests.short(one, 120, escaped)
        text = "\n".join(f"{part.label}: {escaped(part.items[0])}" for part in sections)
        assert len(encode(text)) <= 120
    quoted = "\n".join(requests.quoted(long, 2_000))
    assert len(encode(quoted)) <= 2_000
    assert quoted.count("> ") >= 21


def test_only_as_much_of_a_long_text_is_read_as_might_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    lengths: list[int] = []

    def count(text: str) -> int:
        lengths.append(len(text))
        return tokens(text)

    monkeypatch.setattr(requests, "tokens", count)
    requests.short(words_of("a \u00e9" * 8_000, "b c" * 8_000), 90, escaped)
    assert sum(lengths) < 20_000
    whole = "abcde " * 68
    assert requests.short(words_of(whole), 90, escaped)[0].items == [whole.strip()]


def test_only_a_few_more_texts_are_tried_than_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    lengths: list[int] = []

    def count(text: str) -> int:
        lengths.append(len(text))
        return tokens(text)

    monkeypatch.setattr(requests, "tokens", count)
    quoted = "\n".join(requests.quoted(words_of(*["\u8a2d\u5b9a " * 1_500] * 60), 2_000))
    assert sum(lengths) < 2 * lengths[0]
    assert 1_500 < tokens(quoted) <= 2_000


def test_a_long_request_is_cut_before_a_later_one_is_left_out() -> None:
    long = (UserRequest("prompt", "Rewrite the parser " * 200), UserRequest("prompt", "Keep the old one, too."))
    (section,) = requests.short(MissingWords(long, 0, "", ""), 120, escaped)
    assert section.items[0].startswith("Rewrite the parser Rewrite")
    assert section.items[0].endswith("\u2026 | Keep the old one, too.")


def test_text_that_just_fits_is_quoted_whole() -> None:
    long = words_of("one two three " * 200)
    whole = list(requests.quoted(long, 100_000))
    budget = tokens("\n".join(whole))
    assert list(requests.quoted(long, budget)) == whole
    assert len("".join(requests.quoted(long, budget - 1))) < len("".join(whole))


def test_quoted_text_cannot_pose_as_ours() -> None:
    lines = list(requests.quoted(words_of("# Title\n</x>\n## Where the work stands"), 500))
    assert [line for line in lines if line.startswith("#")] == ["## What the user asked and decided"]
    assert not any("<" in line for line in lines)


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ((), {}),
        (("Add the form now",), {"Asked": "Add the form now"}),
        (("hello", "Add the form now"), {"Asked": "Add the form now"}),
        (("Add the form now", "Then do it too"), {"First asked": "Add the form now", "Last asked": "Then do it too"}),
        (("/a:apply 2", "option 1"), {"First asked": "/a:apply 2", "Last asked": "option 1"}),
        (
            ("Add the form now", "Now the footer too", "yes"),
            {"First asked": "Add the form now", "Last asked": "yes (after: Now the footer too)"},
        ),
        (("go on", "yes"), {"First asked": "go on", "Last asked": "yes"}),
    ],
)
def test_the_first_task_and_the_newest_are_told(texts: tuple[str, ...], expected: dict[str, str]) -> None:
    sections = requests.short(words_of(*texts), 120, escaped)
    assert {section.label: section.items[0] for section in sections} == expected


def test_decisions_come_after_requests() -> None:
    decided = (
        UserRequest("prompt", "Add the form now"),
        UserRequest("answer", "Postgres", "Which store?"),
        UserRequest("refusal", "not yet", "git push"),
        UserRequest("refusal", "", "rm -rf build"),
        UserRequest("plan", "/p.md"),
    )
    asked, section = requests.short(SessionWords(decided), 120, escaped)
    assert (asked.label, section.label) == ("Asked", "Decided")
    assert section.items == ["approved the plan /p.md | refused `rm -rf build` | refused `git push`, and said: not yet"]
    assert requests.request_text(decided[1]) == "Which store? \u2192 Postgres"


def test_requests_missing_from_a_summary_are_told_as_such() -> None:
    rest = MissingWords(tuple(UserRequest("prompt", text) for text in ("One", "Two", "Three", "Four", "Five")))
    (section,) = requests.short(rest, 120, escaped)
    assert (section.label, section.items) == ("Asked, and not in the summary", ["One | Two | Three | Four | Five"])
    assert requests.short(None, 120, escaped) == []


def test_without_room_a_few_characters_are_still_quoted() -> None:
    (section,) = requests.short(words_of("word " * 2_000), 0, escaped)
    assert 9 <= len(section.items[0]) <= 12
    lines = [line for line in requests.quoted(words_of("word" * 2_000), 0) if line.startswith(">")]
    assert 9 <= len("".join(lines)) - len(">  [\u2026] ") <= 12


def test_requests_that_were_left_out_are_counted() -> None:
    lines = list(requests.quoted(words_of("One", "Two", "Three", left_out=7, answer="Done."), 1_000))
    assert lines == [
        "## What the user asked and decided", "", "> One", "", "*7 more are left out.*", "", "> Two", "", "> Three", "",
        "## What the agent answered last", "", "> Done.", "",
    ]  # fmt: skip
    assert list(requests.quoted(words_of("One"), 1_000)) == ["## What the user asked and decided", "", "> One", ""]
    assert list(requests.quoted(None, 1_000)) == []


def test_only_requests_after_an_account_are_quoted() -> None:
    lines = list(requests.quoted(words_of("One", "Two", "Three"), 1_000, after=2))
    assert lines == ["## What the user asked and decided, after that account", "", "> Three", ""]


def test_a_finished_answer_is_quoted_before_the_words_of_the_work() -> None:
    words = SessionWords((UserRequest("prompt", "One"),), answer="Now the tests:", finished="Vouchers work.")
    lines = [line for line in requests.quoted(words, 1_000) if line]
    assert lines[2:] == [
        "## What the agent answered last, before newer requests or steps",
        "> Vouchers work.",
        "## What the agent was saying when this was saved",
        "> Now the tests:",
    ]


def test_words_during_the_work_are_no_answer() -> None:
    words = SessionWords((UserRequest("prompt", "One"),), answer="Now the tests:")
    lines = [line for line in requests.quoted(words, 1_000) if line]
    assert lines[2:] == ["## What the agent was saying when this was saved", "> Now the tests:"]


def test_a_refusals_instruction_is_the_newest_request() -> None:
    instead = UserRequest("refusal", "Write this out as a spec under docs", "the plan")
    words = SessionWords((UserRequest("prompt", "Add the form now"), instead))
    assert [section.items for section in requests.short(words, 120, escaped)] == [
        ["Add the form now"],
        ["Write this out as a spec under docs"],
        ["refused `the plan`, and said: Write this out as a spec under docs"],
    ]


def test_requests_that_just_fit_are_whole_and_one_token_less_cuts_them() -> None:
    words = "one two three " * 20 + "four"
    budget = tokens(f"Asked: {words}\n")
    assert requests.short(words_of(words), budget, escaped)[0].items == [words]
    assert requests.short(words_of(words), budget - 1, escaped)[0].items != [words]


def test_an_answer_retracted_at_once_is_no_decision() -> None:
    answer = UserRequest("answer", "Postgres", "Which store?")
    reversal = UserRequest("prompt", "no, use SQLite instead")
    assert SessionWords((answer, reversal)).decided == []
    assert SessionWords((answer, UserRequest("prompt", "now the form"), reversal)).decided == [answer]
    assert SessionWords((answer, UserRequest("refusal", "stop", "git push"))).decided[0] == answer


def test_statements_and_later_steps_are_told_in_order() -> None:
    words = SessionWords(
        (UserRequest("prompt", "One"),),
        answer="Now the tests:",
        remarks=("The key is compared by identity.",),
        steps=("Edit cart.py", "`pytest`: 3 passed"),
    )
    lines = [line for line in requests.quoted(words, 1_000) if line]
    assert lines[2:] == [
        "## What the agent stated on the way",
        "- The key is compared by identity.",
        "## What it did last",
        "- Edit cart.py",
        "- `pytest`: 3 passed",
    ]


def test_the_newest_instructions_get_the_most_room() -> None:
    instructions = (f"# Plan\n{'Add the field. ' * 900}", f"# Spec\n{'Ask first. ' * 900}")
    words = SessionWords((UserRequest("command", "/spec"),), instructions=instructions)
    text = "\n".join(requests.quoted(words, 3_000))
    heading, spec, plan = (text.index(part) for part in ("told to follow", "> # Spec", "> # Plan"))
    assert heading < spec < plan
    assert 0 < 2 * text.count("Add the field") < 3 * text.count("Ask first")


def test_words_are_current_until_a_step_after_them_is_done() -> None:
    words = SessionWords(answer="Now the tests:", finished="Done.")
    assert words.under_way == "Now the tests:"
    for steps, under_way in (
        (("\u201cNow the tests:\u201d",), "Now the tests:"),
        (("\u201cNow the tests:\u201d", "`pytest` (no result yet)"), "Now the tests:"),
        (("\u201cNow the tests:\u201d", "`pytest`: 3 passed"), ""),
    ):
        assert msgspec.structs.replace(words, steps=steps).under_way == under_way
    assert SessionWords(answer="Done.", finished="Done.").under_way == ""


def test_the_newest_of_many_steps_are_told() -> None:
    words = SessionWords((UserRequest("prompt", "One"),), steps=tuple(f"`step {n}`: {'x' * 90}" for n in range(40)))
    items = [line for line in requests.quoted(words, 300) if line.startswith("- ")]
    assert 2 <= len(items) < 40
    assert items[-1].startswith("- `step 39`")

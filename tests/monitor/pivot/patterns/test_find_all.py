"""All patterns together: those that count come first, the clearest one at the top."""

import pytest

from monitor.activity.tool_calls import ToolCall, ToolCallLog
from monitor.pivot import patterns
from monitor.pivot.patterns.finding import Evidence, Finding, Sign, finding, sign_of
from monitor.pivot.patterns.lost_in_the_middle import find, repeats_in
from tests.monitor.pivot.steps import Steps


def sign(value: float, text: str = "") -> Sign:
    return sign_of(text, [ToolCall(1, "read", 0)], 4, value)


def test_findings_that_count_come_before_clearer_ones_that_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    findings = [
        Finding("unsure", 1.0, (), counts=False),
        Finding("weak", 0.5, ()),
        Finding("clear", 0.9, ()),
        Finding("other", 0.5, ()),
    ]
    table = {each.name: lambda _log, each=each: each for each in findings}
    monkeypatch.setattr(patterns, "PATTERNS", table | {"none": lambda _log: None})
    assert [each.name for each in patterns.find_all(ToolCallLog())] == ["clear", "weak", "other", "unsure"]


@pytest.mark.parametrize(("value", "score"), [(4, 0.5), (6, 0.75), (8, 1.0), (80, 1.0)])
def test_a_score_is_a_half_at_the_threshold_and_one_at_twice_that(value: float, score: float) -> None:
    result = finding("name", [sign(value)])
    assert result is not None
    assert result.score == score


def test_below_its_threshold_a_sign_shows_nothing() -> None:
    assert finding("name", [sign(3.999)]) is None
    assert finding("name", []) is None


def test_the_clearest_sign_decides() -> None:
    for counts in (True, False):
        result = finding("name", [sign(5, "weak"), sign(7, "clear"), sign(1, "none")], counts=counts)
        assert result is not None
        assert (result.score, result.counts) == (0.875, counts)
        assert [each.text for each in result.evidence] == ["clear", "weak"]


def test_the_five_most_frequent_files_are_named() -> None:
    calls = [ToolCall(7, "read", 0, path) for path in [*"aabbbcdefg", "", ""]]
    assert sign_of("read", calls, 3).evidence == Evidence("read", 12, (7, 7), ("b", "a", "c", "d", "e"))


@pytest.mark.parametrize(("turns", "is_for_edit"), [(0, True), (4, True), (5, False)])
def test_a_read_followed_by_an_edit_within_five_turns_was_for_the_edit(turns: int, *, is_for_edit: bool) -> None:
    steps = Steps()
    for _ in range(4):
        steps.read("a.py")
    steps.talk(turns)
    steps.edit("a.py", "one", "other")
    assert (find(steps.log) is None) is is_for_edit


def test_a_read_is_for_an_edit_in_the_same_turn_but_not_for_an_earlier_one() -> None:
    for is_before in (False, True):
        steps = Steps()
        for _ in range(4):
            steps.read("a.py")
        steps.talk(6)
        if is_before:
            steps.edit("a.py", "one", "other")
            steps.talk(1)
            steps.read("a.py")
        else:
            steps.read("a.py")
            steps.same_turn()
            steps.edit("a.py", "one", "other")
        result = find(steps.log)
        assert result is not None
        assert result.evidence[0].turns[1] == (13 if is_before else 4)


def test_only_lines_already_shown_are_repeats() -> None:
    steps = Steps()
    steps.read("a.py", part="10-20")
    for part in ("9-20", "10-21", "12-18"):
        steps.read("a.py", part=part, output="part")
    ((call, _),) = repeats_in(steps.log.calls)
    assert (call.first, call.last) == (12, 18)


def test_a_read_of_a_file_git_may_have_replaced_is_no_repeat() -> None:
    steps = Steps()
    steps.read("a.py")
    steps.commit()
    steps.read("a.py", part="1-10", output="part")
    assert list(repeats_in(steps.log.calls)) == []

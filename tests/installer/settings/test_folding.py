import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from installer.install_error import InstallError
from installer.layout import Layout
from installer.settings import change, folding
from installer.settings.registration import NOTHING, Wanted
from shared.registrations import REGISTRATIONS, Registration
from tests.installer.documents import FOREIGN_COMMAND, registrations_wanted, texts

LAYOUT = Layout("/home/a/.claude/tidegauge", "/home/a/.claude/settings.json")
ALL = Wanted(status_line=True, hooks=REGISTRATIONS)
GROUP = {"matcher": "Bash", "hooks": [FOREIGN_COMMAND]}


@settings(deadline=None)  # two whole edits
@given(texts(), registrations_wanted())
def test_a_folded_text_is_edited_as_the_whole_one_is(text: str, hooks: tuple[Registration, ...]) -> None:
    """But for white space: a line break inside of what is folded no longer begins a line."""
    wanted = Wanted(status_line=True, hooks=hooks)
    whole = change.registered(LAYOUT, wanted, None, NOTHING)(text.encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folding, "_SHORT", 0)
        folded = change.registered(LAYOUT, wanted, None, NOTHING)(text.encode())
        assert folded.entry is not None
        relaid = (folded.after or b"") + b"\n"
        back = change.unregistered(LAYOUT, folded.entry, folded.entry.previous)(relaid)

    assert json.loads(folded.after or b"") == json.loads(whole.after or b"")
    assert json.loads(back.after or b"") == json.loads(text)


@given(st.lists(st.integers(0, 20), max_size=9))
def test_groups_among_ours_are_folded_and_unfolded(places: list[int]) -> None:
    groups: list[object] = [{**GROUP, "matcher": f"Tool{number}" * 20} for number in range(12)]
    before = json.dumps({"hooks": {"PostToolUse": groups}}, indent=2)
    there = json.loads(change.registered(LAYOUT, ALL, None, NOTHING)(before.encode()).after or b"")
    event = there["hooks"]["PostToolUse"]
    for place in places:
        event.insert(place, event.pop())
    moved = json.dumps(there, indent=2)
    left = change.unregistered(LAYOUT, None, NOTHING)(moved.encode()).after

    assert folding.fold(moved).unfold(folding.fold(moved).text) == moved
    assert len(folding.fold(moved).text) < len(moved)
    kept = json.loads(left or b"")["hooks"]["PostToolUse"]
    assert sorted(map(str, kept)) == sorted(map(str, groups))


def test_a_text_that_has_the_mark_itself_is_left_whole() -> None:
    text = json.dumps({"a": "\ue000" * 100, "b": "x" * 100}, ensure_ascii=False)

    assert folding.fold(text) == folding.Folded(text)


def test_what_is_wrong_behind_a_fold_is_refused_by_its_place() -> None:
    text = '{\n  "env": {"A": "' + "x" * 200 + '",\n\n "B": 1},\n  "hooks": [1]\n}'

    with pytest.raises(InstallError, match=r"settings.json:5:12: \"hooks\" must be an object"):
        change.registered(LAYOUT, ALL, None, NOTHING)(text.encode())


def test_what_is_wrong_behind_an_edit_is_refused_by_its_place() -> None:
    stray = '{"hooks": [{"command": "/gone/tidegauge/bin/monitor"}]}'
    text = f'{{"hooks": {{\n  "PostToolUse": [{stray}],\n  "PreToolUse": "x"\n}}}}'

    with pytest.raises(InstallError, match=r"settings.json:3:17: \"hooks.PreToolUse\" must be a list of groups"):
        change.registered(LAYOUT, ALL, None, NOTHING)(text.encode())


@pytest.mark.parametrize(
    "large",
    [
        {"permissions": {"allow": [f"Bash(echo {number} and so on)" for number in range(30_000)]}},
        {"hooks": {"PostToolUse": [GROUP | {"matcher": f"Tool{number}"} for number in range(11_000)]}},
        {"hooks": {"Stop": [GROUP | {"matcher": f"Tool{number}"} for number in range(11_000)]}},
    ],
)
def test_a_megabyte_of_settings_is_planned_in_well_under_a_second(large: object) -> None:
    contents = json.dumps(large, indent=2).encode()
    assert len(contents) > 1_000_000
    start = time.process_time()
    there = change.registered(LAYOUT, ALL, None, NOTHING)(contents)
    back = change.unregistered(LAYOUT, there.entry, NOTHING)((there.after or b"") + b"\n")

    assert time.process_time() - start < 1
    assert back.after == contents + b"\n"

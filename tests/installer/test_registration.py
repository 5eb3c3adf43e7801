import json
from typing import Any

import pytest
from hypothesis import given

from installer import entries, registration
from installer.document import Malformed
from installer.layout import Layout
from installer.registration import NOTHING, Former, Wanted
from tests.installer.documents import texts

LAYOUT = Layout("/home/a/.claude/tidegauge", "/home/a/.claude/settings.json")
ALL = Wanted(status_line=True)
HOOKS = Wanted(status_line=False)
HANDLER = {"type": "command", "command": entries.hook_command(LAYOUT), "timeout": 10}
GROUP = {"matcher": "*", "hooks": [HANDLER]}
FOREIGN = '{ "type":"command", "command":"mine",\n"padding": 1.0 }'


def register(text: str, wanted: Wanted = ALL, former: Former = NOTHING) -> tuple[str, Former]:
    return registration.register(text, LAYOUT, wanted, former)


def unregister(text: str, former: Former = NOTHING) -> str:
    return registration.unregister(text, LAYOUT, former)


def pairs(text: str) -> Any:
    """The settings with the order of their members, doubled ones and the writing of numbers."""
    return json.loads(text, object_pairs_hook=list, parse_int=str, parse_float=str)


def condensed(text: str) -> str:
    return "".join(text.split())


@given(texts())
def test_a_second_time_changes_nothing(text: str) -> None:
    once, former = register(text)

    assert register(once, former=former) == (once, former)


@given(texts())
def test_taken_out_again_only_empty_containers_may_have_closed_up(text: str) -> None:
    once, former = register(text)

    assert pairs(unregister(once, former)) == pairs(text)
    assert condensed(unregister(once, former)) == condensed(text)


@given(texts())
def test_everything_else_stays_in_place(text: str) -> None:
    before, after = dict(pairs(text)), dict(pairs(register(text)[0]))

    assert [name for name in after if name in before] == list(before)
    assert {name: after[name] for name in before if name not in ("hooks", "statusLine")} == {
        name: value for name, value in before.items() if name not in ("hooks", "statusLine")
    }
    hooks = dict(before.get("hooks", []))
    for event, groups in dict(after["hooks"]).items():
        ours = event in entries.EVENTS
        assert groups[: -1 if ours else None] == hooks.get(event, [])


@given(texts())
def test_our_entries_are_there(text: str) -> None:
    settings = json.loads(register(text)[0])

    assert settings["statusLine"]["type"] == "command"
    assert settings["statusLine"]["command"] == entries.status_line_command(LAYOUT)
    for event in entries.EVENTS:
        assert settings["hooks"][event][-1] == GROUP


@given(texts())
def test_without_the_record_what_others_wrote_still_stays(text: str) -> None:
    once, _ = register(text, HOOKS)
    before, after = json.loads(text), json.loads(unregister(once))

    hooks = {event: groups for event, groups in before.get("hooks", {}).items() if groups}
    left = {event: groups for event, groups in after.get("hooks", {}).items() if groups}
    assert (hooks, before.get("statusLine")) == (left, after.get("statusLine"))


def test_a_foreign_status_line_is_kept_as_it_is_written() -> None:
    text = '{"statusLine": ' + FOREIGN + "}"
    once, former = register(text)

    assert former.status_line == FOREIGN
    assert json.loads(once)["statusLine"]["padding"] == 1
    assert unregister(once, former) == text


def test_ours_stays_wrapped_around_the_same_one() -> None:
    once, former = register('{"statusLine": ' + FOREIGN + "}")

    assert register(once, former=former)[1].status_line == FOREIGN


def test_a_status_line_that_came_later_is_wrapped_in_its_turn() -> None:
    once, former = register('{"statusLine": ' + FOREIGN + "}")
    other = json.dumps({"type": "command", "command": "other"})
    changed = json.dumps(json.loads(once) | {"statusLine": json.loads(other)})

    assert register(changed, former=former)[1].status_line == other
    assert json.loads(unregister(changed, former))["statusLine"] == json.loads(other)


def test_only_the_hooks_leaves_a_status_line_alone() -> None:
    text = '{"statusLine": ' + FOREIGN + "}"
    once, former = register(text, HOOKS)

    assert FOREIGN in once
    assert former.status_line is None


def test_only_the_hooks_gives_the_former_status_line_back() -> None:
    once, former = register('{"statusLine": ' + FOREIGN + "}")

    assert FOREIGN in register(once, HOOKS, former)[0]


def test_ours_is_taken_from_a_group_that_others_share() -> None:
    foreign = {"type": "command", "command": "mine"}
    shared = {"matcher": "*", "hooks": [foreign, HANDLER, foreign]}
    text = json.dumps({"hooks": {"PostToolUse": [shared]}})

    assert json.loads(unregister(text)) == {"hooks": {"PostToolUse": [{"matcher": "*", "hooks": [foreign, foreign]}]}}


def test_where_the_person_put_ours_it_stays() -> None:
    moved = {"matcher": "Bash", "hooks": [HANDLER | {"timeout": 3}]}
    text = json.dumps({"hooks": {"PostToolUse": [moved], "PostToolUseFailure": [moved]}})

    assert register(text, HOOKS)[0] == text


def test_doubled_entries_of_ours_become_one() -> None:
    text = json.dumps({"hooks": {"PostToolUse": [GROUP, GROUP], "PostToolUseFailure": [GROUP]}})
    settings = json.loads(register(text, HOOKS)[0])

    assert settings["hooks"]["PostToolUse"] == [GROUP]


def test_an_outdated_command_is_renewed_in_place() -> None:
    old = '/usr/bin/python3 "/home/a/.claude/tidegauge/bin/monitor.py"'
    text = json.dumps({"hooks": {event: [{"hooks": [{"command": old, "timeout": 3}]}] for event in entries.EVENTS}})
    handler = json.loads(register(text, HOOKS)[0])["hooks"]["PostToolUse"][0]["hooks"][0]

    assert handler == {"command": entries.hook_command(LAYOUT), "timeout": 3}


@pytest.mark.parametrize("text", ["", " \n", "\t"])
def test_an_empty_file_counts_as_an_empty_object(text: str) -> None:
    assert json.loads(register(text)[0])["hooks"]["PostToolUse"] == [GROUP]


@pytest.mark.parametrize(
    ("text", "offset", "reason"),
    [
        ("[]", 0, "the settings must be one object"),
        ('{"hooks": []}', 10, '"hooks" must be an object of lists, one for each event'),
        ('{"hooks": null}', 10, '"hooks" must be an object of lists, one for each event'),
        ('{"hooks": {"PostToolUse": {}}}', 26, '"hooks.PostToolUse" must be a list of groups'),
        ('{"hooks": {"PostToolUseFailure": "x"}}', 33, '"hooks.PostToolUseFailure" must be a list of groups'),
    ],
)
def test_a_shape_that_the_client_does_not_read_is_refused(text: str, offset: int, reason: str) -> None:
    with pytest.raises(Malformed) as problem:
        register(text)

    assert (problem.value.reason, problem.value.offset) == (reason, offset)


@pytest.mark.parametrize("text", ["[]", '{"hooks": []}', '{"hooks": {"PostToolUse": {}}}', '{"hooks": 1}', '"x"', ""])
def test_taking_out_leaves_odd_shapes_alone(text: str) -> None:
    assert unregister(text) == text

import json
from typing import Any

import pytest
from hypothesis import given

from installer.layout import Layout
from installer.settings import change, entries, hooks
from installer.settings.change import OurSettings
from installer.settings.document import Malformed
from installer.settings.record import NOTHING, Previous
from shared.registrations import REGISTRATIONS, Registration
from tests.installer.documents import registrations_enabled, texts

LAYOUT = Layout("/home/a/.claude/tidegauge", "/home/a/.claude/settings.json")
ALL = OurSettings(status_line=True, hooks=REGISTRATIONS)
HOOKS = OurSettings(status_line=False, hooks=REGISTRATIONS)
TOOL_USE, FAILURE, WRITING, CEILING, READS = REGISTRATIONS[:5]
TOOL_USES = OurSettings(status_line=False, hooks=(TOOL_USE, FAILURE))
GUARDS = OurSettings(status_line=False, hooks=(CEILING, READS))
HANDLER = {"type": "command", "command": entries.hook_command(TOOL_USE, LAYOUT), "timeout": 10}
GROUP = {"matcher": "*", "hooks": [HANDLER]}
FOREIGN = '{ "type":"command", "command":"mine",\n"padding": 1.0 }'


def register(text: str, ours: OurSettings = ALL, previous: Previous = NOTHING) -> tuple[str, Previous]:
    return change.add(text, unregister(text, previous), LAYOUT, ours, previous)


def unregister(text: str, previous: Previous = NOTHING) -> str:
    return change.remove(text, LAYOUT, previous)


def pairs(text: str) -> Any:
    """The settings with the order of members, doubled members and the notation of numbers."""
    return json.loads(text, object_pairs_hook=list, parse_int=str, parse_float=str)


def condensed(text: str) -> str:
    return "".join(text.split())


@given(texts())
def test_a_second_time_changes_nothing(text: str) -> None:
    once, previous = register(text)

    assert register(once, previous=previous) == (once, previous)


OURS = json.dumps(entries.status_line(LAYOUT))
# The member taken out of each has hidden one of our entries under the same name.
DOUBLED = {
    "a status line": f'{{"statusLine": {OURS}, "statusLine": {OURS}}}',
    "an event": f'{{"hooks": {{"PreToolUse": [{json.dumps(GROUP)}], "PreToolUse": [{json.dumps(GROUP)}]}}}}',
}


@pytest.mark.parametrize("case", DOUBLED)
def test_with_doubled_names_a_second_time_changes_nothing_either(case: str) -> None:
    for ours in (ALL, HOOKS, TOOL_USES):
        once, previous = register(DOUBLED[case], ours)

        assert register(once, ours, previous) == (once, previous)
        assert unregister(unregister(once, previous), previous) == unregister(once, previous)


@given(texts())
def test_unregistering_may_only_collapse_empty_containers(text: str) -> None:
    once, previous = register(text)

    assert pairs(unregister(once, previous)) == pairs(text)
    assert condensed(unregister(once, previous)) == condensed(text)


@given(texts())
def test_everything_else_stays_in_place(text: str) -> None:
    before, after = dict(pairs(text)), dict(pairs(register(text)[0]))

    assert [name for name in after if name in before] == list(before)
    assert {name: after[name] for name in before if name not in ("hooks", "statusLine")} == {
        name: value for name, value in before.items() if name not in ("hooks", "statusLine")
    }
    previous = dict(before.get("hooks", []))
    for event, groups in dict(after["hooks"]).items():
        ours = sum(entry.event == event for entry in REGISTRATIONS)
        assert groups[: len(groups) - ours] == previous.get(event, [])


def ours(text: str) -> list[tuple[str, str, str]]:
    """The event, matcher and command of each of our entries, sorted."""
    handlers = hooks.find(text, LAYOUT)
    return sorted((item.event, item.matcher, item.command) for item in handlers)


def expected(ours: tuple[Registration, ...]) -> list[tuple[str, str, str]]:
    return sorted((entry.event, entry.matcher, entries.hook_command(entry, LAYOUT)) for entry in ours)


@given(texts(), registrations_enabled(), registrations_enabled())
def test_exactly_our_entries_are_added(
    text: str, first: tuple[Registration, ...], second: tuple[Registration, ...]
) -> None:
    once, previous = register(text, OurSettings(status_line=True, hooks=first))
    twice, _ = register(once, OurSettings(status_line=True, hooks=second), previous)

    assert ours(once) == expected(first)
    assert ours(twice) == expected(second)
    assert json.loads(twice)["statusLine"]["command"] == entries.status_line_command(LAYOUT)


@given(texts())
def test_without_the_record_others_entries_still_stay(text: str) -> None:
    once, _ = register(text, HOOKS)
    before, after = json.loads(text), json.loads(unregister(once))

    groups_before = {event: groups for event, groups in before.get("hooks", {}).items() if groups}
    groups_after = {event: groups for event, groups in after.get("hooks", {}).items() if groups}
    assert (groups_before, before.get("statusLine")) == (groups_after, after.get("statusLine"))


def test_a_foreign_status_line_is_kept_verbatim() -> None:
    text = '{"statusLine": ' + FOREIGN + "}"
    once, previous = register(text)

    assert previous.status_line == FOREIGN
    assert json.loads(once)["statusLine"]["padding"] == 1
    assert unregister(once, previous) == text


def test_ours_stays_wrapped_around_the_same_one() -> None:
    once, previous = register('{"statusLine": ' + FOREIGN + "}")

    assert register(once, previous=previous)[1].status_line == FOREIGN


def test_a_later_status_line_is_wrapped_in_turn() -> None:
    once, previous = register('{"statusLine": ' + FOREIGN + "}")
    other = json.dumps({"type": "command", "command": "other"})
    changed = json.dumps(json.loads(once) | {"statusLine": json.loads(other)})

    assert register(changed, previous=previous)[1].status_line == other
    assert json.loads(unregister(changed, previous))["statusLine"] == json.loads(other)


def test_only_the_hooks_leaves_a_status_line_unchanged() -> None:
    text = '{"statusLine": ' + FOREIGN + "}"
    once, previous = register(text, HOOKS)

    assert FOREIGN in once
    assert previous.status_line is None


def test_only_the_hooks_restores_the_former_status_line() -> None:
    once, previous = register('{"statusLine": ' + FOREIGN + "}")

    assert FOREIGN in register(once, HOOKS, previous)[0]


def test_our_entry_is_removed_from_a_shared_group() -> None:
    foreign = {"type": "command", "command": "mine"}
    shared = {"matcher": "*", "hooks": [foreign, HANDLER, foreign]}
    text = json.dumps({"hooks": {"PostToolUse": [shared]}})

    assert json.loads(unregister(text)) == {"hooks": {"PostToolUse": [{"matcher": "*", "hooks": [foreign, foreign]}]}}


def test_our_entry_stays_where_the_person_put_it() -> None:
    moved = {"matcher": "Bash", "hooks": [HANDLER | {"timeout": 3}]}
    text = json.dumps({"hooks": {"PostToolUse": [moved], "PostToolUseFailure": [moved]}})

    assert register(text, TOOL_USES)[0] == text


def test_two_entries_of_an_event_are_distinguished_by_matcher() -> None:
    both, previous = register("{}", GUARDS)
    narrowed = both.replace(READS.matcher, "Read|Glob")

    assert register(narrowed, GUARDS, previous)[0] == narrowed
    assert matchers(register(narrowed, GUARDS._replace(hooks=(CEILING,)), previous)[0]) == [CEILING.matcher]
    assert matchers(register(narrowed, GUARDS._replace(hooks=(READS,)), previous)[0]) == ["Read|Glob"]
    assert matchers(register(both, GUARDS._replace(hooks=(READS,)), previous)[0]) == [READS.matcher]


def matchers(text: str) -> list[str]:
    return [group["matcher"] for group in json.loads(text)["hooks"]["PreToolUse"]]


def test_only_our_entry_in_a_mixed_group_is_switched_off() -> None:
    foreign = {"type": "command", "command": "mine"}
    ours = HANDLER | {"command": entries.hook_command(CEILING, LAYOUT), "timeout": CEILING.timeout}
    text = json.dumps({"hooks": {"PreToolUse": [{"matcher": CEILING.matcher, "hooks": [ours, foreign]}]}})
    settings = json.loads(register(text, TOOL_USES)[0])

    assert settings["hooks"]["PreToolUse"] == [{"matcher": CEILING.matcher, "hooks": [foreign]}]


def test_our_entry_under_an_unknown_event_is_removed() -> None:
    text = json.dumps({"hooks": {"Stop": [GROUP, {"hooks": []}]}})

    assert json.loads(register(text, TOOL_USES)[0])["hooks"]["Stop"] == [{"hooks": []}]


def test_with_everything_switched_off_nothing_is_left() -> None:
    once, previous = register("{}", HOOKS)

    assert register(once, OurSettings(status_line=False, hooks=()), previous) == ("{}", Previous())


def test_entries_of_the_two_event_version_stay_and_the_others_are_added() -> None:
    """That version named the interpreter in none of them, and recorded no other containers."""
    old = json.dumps({"hooks": {"PostToolUse": [GROUP], "PostToolUseFailure": [GROUP]}})
    previous = Previous(containers=("hooks", "PostToolUse", "PostToolUseFailure"))
    once, record = register(old, HOOKS, previous)

    assert json.loads(once)["hooks"]["PostToolUse"][0] == GROUP
    assert ours(once) == expected(REGISTRATIONS)
    assert unregister(once, record) == "{}"


def test_an_old_entry_that_names_the_interpreter_is_renewed() -> None:
    old = f"{entries.hook_command(CEILING, LAYOUT)} staleness"
    text = json.dumps({"hooks": {"PostToolUse": [{"matcher": WRITING.matcher, "hooks": [HANDLER | {"command": old}]}]}})
    settings = json.loads(register(text, OurSettings(status_line=False, hooks=(WRITING,)))[0])

    assert settings["hooks"]["PostToolUse"] == [entries.group(WRITING, LAYOUT)]


def test_doubled_entries_of_ours_become_one() -> None:
    text = json.dumps({"hooks": {"PostToolUse": [GROUP, GROUP], "PostToolUseFailure": [GROUP]}})
    settings = json.loads(register(text, HOOKS)[0])

    assert settings["hooks"]["PostToolUse"] == [GROUP, entries.group(WRITING, LAYOUT)]


def test_an_outdated_command_is_renewed_in_place() -> None:
    old = '/usr/bin/python3 "/home/a/.claude/tidegauge/bin/monitor.py"'
    text = json.dumps({"hooks": {"PostToolUse": [{"hooks": [{"command": old, "timeout": 3}]}]}})
    handler = json.loads(register(text, HOOKS)[0])["hooks"]["PostToolUse"][0]["hooks"][0]

    assert handler == {"command": entries.hook_command(TOOL_USE, LAYOUT), "timeout": 3}


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
def test_a_shape_the_client_does_not_read_is_refused(text: str, offset: int, reason: str) -> None:
    with pytest.raises(Malformed) as problem:
        register(text)

    assert (problem.value.reason, problem.value.offset) == (reason, offset)


@pytest.mark.parametrize("text", ["[]", '{"hooks": []}', '{"hooks": {"PostToolUse": {}}}', '{"hooks": 1}', '"x"'])
def test_removing_entries_leaves_odd_shapes_unchanged(text: str) -> None:
    assert unregister(text) == text

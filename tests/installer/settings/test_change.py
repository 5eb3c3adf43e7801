import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from installer import files
from installer.install_error import InstallError
from installer.layout import Layout
from installer.settings import change, document, entries, foreign_entries
from installer.settings.change import Change, OurSettings
from installer.settings.record import Entry
from shared.registrations import REGISTRATIONS, Registration
from tests import processor_time
from tests.installer.documents import FOREIGN_COMMAND, registrations_enabled, texts

LAYOUT = Layout("/home/a/.claude/tidegauge", "/home/a/.claude/settings.json")
ALL = OurSettings(status_line=True, hooks=REGISTRATIONS)
GROUP = {"matcher": "Bash", "hooks": [FOREIGN_COMMAND]}


def entries_of(entry: Entry | None) -> dict[str, Entry]:
    return {LAYOUT.settings: entry} if entry is not None else {}


def registered(before: bytes | None, entry: Entry | None = None, ours: OurSettings = ALL) -> Change:
    return change.registered(before, LAYOUT, ours, entries_of(entry))


def switched(before: Change, hooks: tuple[Registration, ...]) -> Change:
    return registered(before.after, before.entry, OurSettings(status_line=True, hooks=hooks))


def unregistered(before: bytes | None, entry: Entry | None) -> Change:
    return change.unregistered(before, LAYOUT, entries_of(entry))


ODD = [None, b"", b"\n", b"{}", b"{ }", b"\xef\xbb\xbf{}\n", b"\xef\xbb\xbf", b'{"hooks": {\n}, "a": [ ] }', b"{}\r\n"]


@pytest.mark.parametrize("before", ODD)
def test_registering_and_unregistering_restores_the_bytes(before: bytes | None) -> None:
    there = registered(before)

    assert unregistered(there.after, there.entry).after == before


@given(texts())
def test_registering_and_unregistering_restores_any_settings(text: str) -> None:
    there = registered(text.encode())
    again = registered(there.after, there.entry)

    assert again.after == there.after
    assert unregistered(again.after, again.entry).after == text.encode()


@given(texts(), registrations_enabled(), registrations_enabled())
def test_switching_parts_in_between_still_restores_the_bytes(
    text: str, first: tuple[Registration, ...], second: tuple[Registration, ...]
) -> None:
    there = switched(switched(registered(text.encode()), first), second)

    assert unregistered(there.after, there.entry).after == text.encode()


@given(texts(), registrations_enabled(), registrations_enabled())
def test_intermediate_configurations_leave_no_trace(
    text: str, first: tuple[Registration, ...], second: tuple[Registration, ...]
) -> None:
    straight = registered(text.encode(), ours=OurSettings(status_line=True, hooks=second))
    around = switched(registered(text.encode(), ours=OurSettings(status_line=True, hooks=first)), second)
    settings, other = json.loads(straight.after or b""), json.loads(around.after or b"")

    assert {name: value for name, value in settings.items() if name != "hooks"} == {
        name: value for name, value in other.items() if name != "hooks"
    }
    assert {event: sorted(map(json.dumps, groups)) for event, groups in settings.get("hooks", {}).items()} == {
        event: sorted(map(json.dumps, groups)) for event, groups in other.get("hooks", {}).items()
    }


@given(texts())
def test_later_entries_stay_after_uninstalling(text: str) -> None:
    there = registered(text.encode())
    settings = json.loads(there.after or b"")
    settings["hooks"]["PostToolUse"][-1]["hooks"].append({"type": "command", "command": "later"})
    settings["later"] = 1
    after = json.loads(unregistered(json.dumps(settings).encode(), there.entry).after or b"")

    assert after.pop("later") == 1
    assert after["hooks"]["PostToolUse"].pop()["hooks"] == [{"type": "command", "command": "later"}]
    before = json.loads(text)
    after["hooks"] = {name: groups for name, groups in after["hooks"].items() if groups}
    before["hooks"] = {name: groups for name, groups in before.get("hooks", {}).items() if groups}
    assert after == before


def test_a_byte_order_mark_is_not_written() -> None:
    assert (registered(b'\xef\xbb\xbf{"a": 1}').after or b"").startswith(b"{")


def test_the_file_we_created_is_removed_even_if_reformatted() -> None:
    there = registered(None)
    relaid = json.dumps(json.loads(there.after or b"")).encode()

    assert unregistered(relaid, there.entry).after is None


def test_a_file_without_ours_is_not_touched() -> None:
    before = b'{"hooks":{"PostToolUse":[]}}'

    assert unregistered(before, None) == Change(before, before)


def test_the_record_survives_a_change_by_the_person() -> None:
    there = registered(b'{"a": 1}')
    edited = (there.after or b"").replace(b'"a": 1', b'"a": 2')
    again = registered(edited, there.entry)

    assert again.after == edited
    assert unregistered(edited, again.entry).after == b'{"a": 2}'


def test_our_own_versions_are_recognised_until_the_person_changes_them() -> None:
    first = registered(b"{}")
    second = switched(first, ())
    third = switched(second, REGISTRATIONS[:1])
    edited = registered((third.after or b"") + b"\n", third.entry)
    earlier = [change.entry.earlier for change in (first, second, third, edited) if change.entry is not None]

    assert earlier == [(), (files.digest(first.after),), (files.digest(first.after), files.digest(second.after)), ()]


def test_the_difference_shows_a_new_file() -> None:
    assert registered(None).diff("settings.json").startswith("--- /dev/null\n+++ settings.json\n@@ -0,0 +1,")


def test_broken_settings_are_refused_by_line_and_column() -> None:
    with pytest.raises(InstallError) as refusal:
        registered(b'{\n  "a": 1, // mine\n}')

    assert str(refusal.value).startswith("/home/a/.claude/settings.json:2:11: a comment, which JSON doesn't have;")
    assert str(refusal.value).endswith("; correct it by hand, nothing was changed")


@pytest.mark.parametrize("inner", ["1", "[" * 450 + "]" * 450, "[" * 20_000 + "]" * 20_000])
def test_deeply_nested_hooks_are_refused_or_come_back(inner: str) -> None:
    before = f'{{"hooks": {{"Stop": [{inner}]}}}}'.encode()
    try:
        there = registered(before)
    except InstallError as refusal:
        assert "nested too deeply" in str(refusal)  # noqa: PT017  either is right
    else:
        assert unregistered(there.after, there.entry).after == before


def test_hooks_an_edit_would_lose_are_refused_by_their_place() -> None:
    with pytest.raises(InstallError, match=r'settings.json:2:10: "Stop" stands twice in an object'):
        registered(b'{\n"hooks": {"Stop": [], "Stop": [{"hooks": []}]}}')

    assert unregistered(b'{"hooks": {"Stop": [], "Stop": []}}', None).after == b'{"hooks": {"Stop": [], "Stop": []}}'


@pytest.mark.parametrize("has_record", [True, False])
def test_hooks_an_uninstallation_would_lose_are_refused_too(has_record: bool) -> None:
    there = registered(b'{"hooks": {"Stop": []}}')
    doubled = (there.after or b"").replace(b'"Stop":', b'"Stop": [{"hooks": []}], "Stop":', 1)

    for ours in (ALL, OurSettings(status_line=True, hooks=())):
        with pytest.raises(InstallError, match=r'"Stop" stands twice in an object'):
            registered(doubled, there.entry, ours)
    with pytest.raises(InstallError, match=r'"Stop" stands twice in an object'):
        unregistered(doubled, there.entry if has_record else None)


@pytest.mark.parametrize("hidden", ["null", "true", "[]"])
def test_hooks_hidden_by_ours_may_be_of_any_kind(hidden: str) -> None:
    text = f'{{"hooks": {hidden}, "hooks": {{"Stop": [{json.dumps(entries.group(REGISTRATIONS[0], LAYOUT))}]}}}}'
    there = registered(text.encode())

    assert json.loads(there.after or b"")["hooks"]["PostToolUse"]
    assert unregistered((there.after or b"") + b"\n", None).after == f'{{"hooks": {hidden}}}\n'.encode()


def test_numbers_and_lone_surrogates_in_others_hooks_stay_as_written() -> None:
    handler = '{"type": "command", "command": "a\\ud83d", "timeout": 1E400, "n": [0.10, -0, 12345678901234567890123]}'
    text = f'{{"hooks": {{"PostToolUse": [{{"matcher": "ü", "hooks": [{handler}]}}]}}}}'
    after = registered(text.encode()).after or b""

    for part in ("a\\ud83d", "1E400", "0.10", "-0", "12345678901234567890123", "ü"):
        assert part in after.decode()
    assert b"1E400" in (unregistered(after + b"\n", None).after or b"")


def test_copies_are_found_in_any_readable_file(tmp_path: Path) -> None:
    ours, foreign, broken = (tmp_path / name for name in ("ours", "foreign", "broken"))
    other = Layout("/elsewhere/tidegauge", "")
    ours.write_text(json.dumps({"hooks": {"PreCompact": [entries.group(REGISTRATIONS[-2], other)]}}), encoding="utf-8")
    foreign.write_text("{}", encoding="utf-8")
    broken.write_text("{", encoding="utf-8")

    assert foreign_entries.copies([str(path) for path in (ours, foreign, broken, tmp_path / "none")]) == [str(ours)]


def test_a_missing_file_has_an_empty_files_digest() -> None:
    assert files.digest(None) == files.digest(b"")


EDITED = [
    entries.hook_command(REGISTRATIONS[0], LAYOUT),
    '"/gone/tidegauge/bin/monitor"',
    "node gsd-context-monitor.js",
    "node gsd-context-monitor.js {}",
]


def parsed_texts(command: str, count: int) -> int:
    """The number of parses to register and unregister in settings with `count` handlers of this command."""
    handlers = [{"type": "command", "command": command.format(number)} for number in range(count)]
    events = {"PostToolUse": [{"hooks": [handler]} for handler in handlers], "Stop": [{"hooks": handlers}]}
    before = json.dumps({"hooks": events}, indent=2).encode()
    document.members.cache_clear()
    there = registered(before, ours=ALL._replace(other_monitors=False))
    unregistered((there.after or b"") + b"\n", there.entry)
    return document.members.cache_info().misses


@pytest.mark.parametrize("command", EDITED)
def test_many_entries_cost_no_more_parsing_than_a_few(command: str) -> None:
    assert parsed_texts(command, 300) == parsed_texts(command, 3)


@given(st.lists(st.integers(0, 20), max_size=9))
def test_other_groups_stay_where_they_are_among_ours(places: list[int]) -> None:
    groups: list[object] = [{**GROUP, "matcher": f"Tool{number}" * 20} for number in range(12)]
    before = json.dumps({"hooks": {"PostToolUse": groups}}, indent=2)
    there = json.loads(registered(before.encode()).after or b"")
    event = there["hooks"]["PostToolUse"]
    for place in places:
        event.insert(place, event.pop())
    after = unregistered(json.dumps(there, indent=2).encode(), None).after

    groups_after = json.loads(after or b"")["hooks"]["PostToolUse"]
    assert sorted(map(str, groups_after)) == sorted(map(str, groups))


def test_an_error_after_an_edit_is_refused_by_its_place() -> None:
    stray = '{"hooks": [{"command": "/gone/tidegauge/bin/monitor"}]}'
    text = f'{{"hooks": {{\n  "PostToolUse": [{stray}],\n  "PreToolUse": "x"\n}}}}'

    with pytest.raises(InstallError, match=r"settings.json:3:17: \"hooks.PreToolUse\" must be a list of groups"):
        registered(text.encode())


@pytest.mark.parametrize(
    "large",
    [
        {"permissions": {"allow": [f"Bash(echo {number} and so on)" for number in range(30_000)]}},
        {"hooks": {"PostToolUse": [GROUP | {"matcher": f"Tool{number}"} for number in range(11_000)]}},
        {"hooks": {"Stop": [{"hooks": [{"command": f"tidegauge {number}"}]} for number in range(16_000)]}},
        {"hooks": {"Stop": [GROUP | {"matcher": f"Tool{number}"} for number in range(11_000)]}},
    ],
)
def test_a_megabyte_of_settings_is_planned_within_two_seconds(large: object) -> None:
    contents = json.dumps(large, indent=2).encode()
    assert len(contents) > 1_000_000
    with processor_time.at_most(2):  # less than one on an idle machine
        there = registered(contents)
        back = unregistered((there.after or b"") + b"\n", there.entry)
    assert back.after == contents + b"\n"

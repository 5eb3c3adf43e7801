import msgspec
import pytest

from monitor.checkpoints.project import git_status
from monitor.dispatch import HOOKS
from shared import effort
from shared.registrations import REGISTRATIONS, Registration, enabled
from shared.settings.config import Hooks

DEFAULTS: dict[str, bool] = msgspec.structs.asdict(Hooks())


def key(entry: Registration) -> str:
    return f"{entry.event} {entry.argument}".rstrip()


def test_every_hook_is_registered() -> None:
    assert {key(entry) for entry in REGISTRATIONS} == set(HOOKS)


@pytest.mark.parametrize("entry", REGISTRATIONS)
def test_an_entry_belongs_to_parts_that_can_be_switched(entry: Registration) -> None:
    assert entry.parts
    assert set(entry.parts) <= set(DEFAULTS)


def test_every_part_is_registered_somewhere() -> None:
    how_often = {"tag_every_prompt"}  # says when another part speaks
    assert {part for entry in REGISTRATIONS for part in entry.parts} == set(DEFAULTS) - how_often


@pytest.mark.parametrize("part", DEFAULTS)
def test_an_entry_goes_with_the_last_of_its_parts(part: str) -> None:
    alone = enabled(dict.fromkeys(DEFAULTS, False) | {part: True})

    assert alone == tuple(entry for entry in REGISTRATIONS if part in entry.parts)
    assert enabled(dict.fromkeys(DEFAULTS, False)) == ()


def test_two_entries_of_an_event_can_be_distinguished() -> None:
    assert len({(entry.event, entry.matcher, entry.argument) for entry in REGISTRATIONS}) == len(REGISTRATIONS)


def test_a_launcher_runs_one_hook_of_an_event() -> None:
    """The installer tells by the launcher which hook a command runs."""
    launchers = {entry.launcher: entry.argument for entry in REGISTRATIONS if entry.launcher}

    assert all(launchers[entry.launcher] == entry.argument for entry in REGISTRATIONS if entry.launcher)


@pytest.mark.parametrize("entry", [entry for entry in REGISTRATIONS if "checkpoint" in entry.parts])
def test_a_busy_machine_has_time_for_what_a_checkpoint_may_take(entry: Registration) -> None:
    """A hook that is killed at its time limit says nothing, and its due message and checkpoint are lost."""
    assert entry.timeout >= 2 * (effort.SECONDS + git_status.SECONDS)

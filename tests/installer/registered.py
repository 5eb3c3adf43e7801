"""Our entries in a settings file, and those that it should have."""

import json
from pathlib import Path

import msgspec

from shared.registrations import enabled
from shared.settings.config import Hooks

FULL: dict[str, bool] = msgspec.structs.asdict(Hooks())
DEFAULTS = FULL | dict.fromkeys(("ceiling_guard", "read_guard", "staleness"), False)


def hooks_in(settings: Path) -> list[tuple[str, str]]:
    """The event and matcher of each of our entries."""
    groups = json.loads(settings.read_bytes()).get("hooks", {}).items()
    return [(event, group["matcher"]) for event, items in groups for group in items if "/bin/monitor" in str(group)]


def expected(**changes: bool) -> list[tuple[str, str]]:
    """The expected entries for the defaults with these changes, grouped by event."""
    entries = enabled(DEFAULTS | changes)
    events = dict.fromkeys(entry.event for entry in entries)
    return [(entry.event, entry.matcher) for event in events for entry in entries if entry.event == event]

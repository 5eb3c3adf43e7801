"""Sections on ORCHESTRATION.yaml's resumption state, labelled with the file's name, as a repository may bring it."""

import os
from typing import Any

from monitor.checkpoints.project.orchestration import NAME
from monitor.checkpoints.token_budget import Section
from monitor.session import Project
from shared.files import lenient
from shared.text.plain import one_line

_DETAILS = {
    "Decisions": ("decisions", "decision_log"),
    "Quality trajectory": ("quality_trajectory", "defect_summary"),
    "Agents": ("agent_summaries", "agents"),
}
_FILES, _HISTORY = ("files_to_read",), ("compaction_events",)
_NEXT = ("next_step", "next_steps", "next_action", "next_actions")
_ITEM, _KEY, _LAST = 160, 60, 1 << 30
_MOST_LISTED = 60
"""Files that are checked: each part of a path may be a link, and the list may have thousands."""


def recovery(state: Any) -> list[Section]:
    """The state of the work and the next step."""
    if isinstance(state, str):
        return [_section("Recovery state", [one_line(state, 2 * _ITEM)])]
    plain = _simple(state) | _simple(_part(state, ("recovery_state",)))
    following = next((plain.pop(name) for name in _NEXT if name in plain), None) or _part(state, _NEXT)
    sections = [_section("Next step", [_flat(following, 2 * _ITEM)])] if following else []
    items = [f"{one_line(name, _KEY)}: {_flat(value, _ITEM)}" for name, value in plain.items() if name not in _NEXT]
    return sections + ([_section("Recovery state", items[:8], len(items))] if items else [])


def details(state: Any) -> list[Section]:
    """Decisions, quality and agents, which are the next most useful."""
    subjects = {label: _items(_part(state, names)) for label, names in _DETAILS.items()}
    return [_section(label, items[:6], len(items)) for label, items in subjects.items() if items]


def history(state: Any) -> list[str]:
    return _items(_part(state, _HISTORY))[:3]


def files(state: Any, project: Project) -> list[str]:
    """The project's files listed for reading, by priority, then in order; neither outside paths nor sentences."""
    listed = _part(state, _FILES)
    entries = (one if isinstance(one, dict) else {"path": one} for one in (listed if isinstance(listed, list) else ()))
    first = sorted(entries, key=_urgency)[:_MOST_LISTED]
    return [entry["path"] for entry in first if _is_file(entry.get("path"), project)][:6]


def _is_file(path: object, project: Project) -> bool:
    if not isinstance(path, str) or not path or path.startswith("~"):
        return False
    place = os.path.join(project.directory, path)
    return project.holds(place) and (" " not in path or os.path.lexists(place))


def _section(label: str, items: list[str], count: int = 0) -> Section:
    return Section(f"{label} ({NAME})", items, count)


def _urgency(entry: dict[str, Any]) -> int:
    """The sort key of an entry; one without a number comes last."""
    try:
        return int(str(entry.get("priority")))
    except ValueError:
        return _LAST


def _part(state: Any, names: tuple[str, ...]) -> Any:
    """The first value by one of these names in the section, or in the recovery state within it."""
    if not isinstance(state, dict):
        return None
    inner = state.get("recovery_state")
    tables = [state, inner] if isinstance(inner, dict) else [state]
    return next((table[name] for name in names for table in tables if table.get(name)), None)


def _simple(state: Any) -> dict[str, Any]:
    """The entries whose values are neither lists nor tables."""
    if not isinstance(state, dict):
        return {}
    return {str(k): v for k, v in state.items() if not isinstance(v, dict | list) and v not in (None, "")}


def _items(value: Any) -> list[str]:
    if isinstance(value, dict):
        filled = ((one_line(str(key), _KEY), item) for key, item in value.items() if item not in (None, "", [], {}))
        return [f"{key}: {_flat(item, _ITEM)}" for key, item in filled]
    if isinstance(value, list):
        return [_flat(item, _ITEM) for item in value if item not in (None, "", [], {})]
    return [_flat(value, _ITEM)] if value else []


def _flat(value: Any, longest: int) -> str:
    """A value on one line: a text as it is, anything else as JSON."""
    return one_line(value if isinstance(value, str) else lenient.encode(value).decode(), longest)

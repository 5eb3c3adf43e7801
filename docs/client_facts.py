"""The tables of docs/client.md, from what was measured of each version of the client (tests/client/facts.json)."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from docs.markdown import table
from tests.client import facts

COMMON = ("session_id", "transcript_path", "cwd", "hook_event_name")
"""Fields that every hook's payload has."""
STATUS_LINE = "StatusLine"
CODES = ("0", "1", "2")
CONDITIONS = ("bare id", "with [1m]", "1M disabled", "first-party address")

Rows = Iterable[Sequence[object]]


def windows() -> str:
    """The window of each model, a table for each version; models with equal windows share a row."""
    return "\n".join(
        f"Client {version}:\n\n{table(('model', *CONDITIONS), _windows(version_facts['windows']))}"
        for version, version_facts in _versions().items()
    )


def aliases() -> str:
    """The model that each alias names."""
    return _by_version("alias", "aliases", lambda model: f"`{model}`")


def compaction() -> str:
    """Where the client compacts by itself, with the window in which it does."""
    return _by_version("model and variables", "compaction", _point)


def status_line() -> str:
    """The fields of the status line's payload, those of one object in one row."""
    fields = _types(STATUS_LINE)
    return table(("field", "type"), ((f"`{name}`", _with_parts(name, fields)) for name in fields if "." not in name))


def hooks() -> str:
    """The fields of each hook's payload, without those that all have."""
    events = sorted(
        {event for version_facts in _versions().values() for event in version_facts["payload fields"]} - {STATUS_LINE}
    )
    return table(("event", "fields"), ((event, _fields_of(event)) for event in events))


def compaction_order() -> str:
    """The events of a compaction, in order."""
    return (
        _merged(
            {version: ", ".join(version_facts["compaction order"]) for version, version_facts in _versions().items()}
        )
        + "\n"
    )


def records() -> str:
    """The kinds of records in a transcript, and in which versions' transcripts they are."""
    kinds = sorted({kind for version_facts in _versions().values() for kind in version_facts["record fields"]})
    writers = (
        tuple(version for version, version_facts in _versions().items() if kind in version_facts["record fields"])
        for kind in kinds
    )
    groups = _grouped(zip(kinds, writers, strict=True))
    return table(("written by", "records"), ((" and ".join(versions), names) for versions, names in groups.items()))


def context() -> str:
    """Where a hook's context lands, by version and model."""
    places = {
        f"{version}, {model}": by_event
        for version, version_facts in _versions().items()
        for model, by_event in version_facts["context"].items()
    }
    events = sorted({event for by_event in places.values() for event in by_event})
    rows = ((event, *(_place(by_event.get(event, "")) for by_event in places.values())) for event in events)
    return table(("event", *places), rows)


def delays() -> str:
    """How late the transcript was at PostToolUse."""
    rows = [
        (f"{version}, {mode}", *(delay[name] for name in ("tool calls", "late", "mean ms", "longest ms")))
        for version, version_facts in _versions().items()
        for mode, delay in version_facts["delay"].items()
    ]
    return table(("client", "tool calls", "not yet written", "mean of these, ms", "longest, ms"), rows)


def exit_codes() -> str:
    """What each exit code does; in one table, whose cells name the versions where they differ."""
    effects = {version: version_facts["exit codes"] for version, version_facts in _versions().items()}
    rows = []
    for event in next(iter(effects.values())):
        cells = ({version: by_event[event][code] for version, by_event in effects.items()} for code in CODES)
        rows.append((event, *map(_merged, cells)))
    return table(("event", *(f"exit {code}" for code in CODES)), rows)


BLOCKS: dict[str, Callable[[], str]] = {
    "client-windows": windows,
    "client-aliases": aliases,
    "client-compaction": compaction,
    "client-compaction-order": compaction_order,
    "client-status-line": status_line,
    "client-hooks": hooks,
    "client-records": records,
    "client-context": context,
    "client-delays": delays,
    "client-exit-codes": exit_codes,
}


def _versions() -> dict[str, facts.Facts]:
    """The versions that were measured, the oldest first."""
    by_version = facts.read()
    return {version: by_version[version] for version in sorted(by_version, key=facts.order)}


def _grouped(names: Iterable[tuple[str, tuple[str, ...]]]) -> dict[tuple[str, ...], str]:
    """The names that have the same cells, by these."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for name, cells in names:
        groups.setdefault(cells, []).append(f"`{name}`")
    return {cells: ", ".join(same) for cells, same in groups.items()}


def _windows(models: dict[str, dict[str, int]]) -> Rows:
    sizes_of = ((model, tuple(f"{sizes[name]:,}" for name in CONDITIONS)) for model, sizes in models.items())
    return ((names, *sizes) for sizes, names in _grouped(sizes_of).items())


def _by_version(header: str, name: str, cell: Callable[[Any], str]) -> str:
    versions = _versions()
    measured = [version_facts[name] for version_facts in versions.values()]
    keys = dict.fromkeys(key for values in measured for key in values)
    rows = ((f"`{key}`", *(cell(values[key]) if key in values else "" for values in measured)) for key in keys)
    return table((header, *versions), rows)


def _point(point: dict[str, int | None]) -> str:
    at = point["compacts at"]
    return f"{point['window']:,}: {'not before it is full' if at is None else f'at {at:,}'}"


def _fields_of(event: str) -> str:
    return ", ".join(f"`{name}` {kind}" for name, kind in _types(event).items() if name not in COMMON)


def _types(event: str) -> dict[str, str]:
    """The types of an event's fields, with the version where only one has them."""
    by_version = {
        version: version_facts["payload fields"].get(event, {}) for version, version_facts in _versions().items()
    }
    names = sorted({name for fields in by_version.values() for name in fields})
    return {
        name: _merged_types({version: fields.get(name) for version, fields in by_version.items()}) for name in names
    }


def _with_parts(name: str, fields: dict[str, str]) -> str:
    """A field's type, and the names and types of its parts."""
    kind = fields[name]
    only = kind[kind.index(", only") :] if ", only" in kind else ""
    parts = (part for part in fields if part.startswith(f"{name}."))
    names = [f"`{part.removeprefix(name)}` {fields[part].removesuffix(only)}" for part in parts]
    return ": ".join([kind, ", ".join(names)] if names else [kind])


def _place(places: str) -> str:
    """Where a context arrives, shorter if it is the same place in a subagent."""
    main, _, subagent = places.partition("; in a subagent: ")
    if not places:
        return "not measured"
    return f"{main}, in a subagent too" if main == subagent else places


def _merged_types(types: dict[str, str | None]) -> str:
    having = {version: kind for version, kind in types.items() if kind}
    kind = _merged(having)
    return kind if len(having) == len(types) else f"{kind}, only {' and '.join(having)}"


def _merged(values: dict[str, str]) -> str:
    """One value where all versions agree, else each version's."""
    distinct = set(values.values())
    if len(distinct) == 1:
        return distinct.pop()
    return "; ".join(f"{version}: {value}" for version, value in values.items())

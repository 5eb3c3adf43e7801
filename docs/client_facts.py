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
        f"Client {version}:\n\n{table(('model', *CONDITIONS), _windows(sizes))}"
        for version, sizes in _by_version("windows").items()
    )


def aliases() -> str:
    """The model that each alias names."""
    return _one_table("alias", "aliases", lambda model: f"`{model}`")


def compaction() -> str:
    """The points at which the client compacts by itself, each with its window."""
    return _one_table("model and variables", "compaction", _point)


def status_line() -> str:
    """The fields of the status line's payload, those of one object in one row."""
    fields = _types(STATUS_LINE)
    return table(("field", "type"), ((f"`{name}`", _with_parts(name, fields)) for name in fields if "." not in name))


def hooks() -> str:
    """The fields of each hook's payload, without those that all have."""
    events = sorted(_all_names("payload fields") - {STATUS_LINE})
    types = ((event, _types(event).items()) for event in events)
    fields = ((event, [f"`{name}` {kind}" for name, kind in named if name not in COMMON]) for event, named in types)
    return table(("event", "fields"), ((event, ", ".join(parts)) for event, parts in fields))


def compaction_order() -> str:
    """The events of a compaction, in order."""
    orders = {version: ", ".join(events) for version, events in _by_version("compaction order").items()}
    return f"{_merged(orders)}\n"


def records() -> str:
    """The kinds of records in a transcript, and in which versions' transcripts they are."""
    kinds = _by_version("record fields")
    writers = (
        (kind, tuple(version for version, fields in kinds.items() if kind in fields))
        for kind in sorted(_all_names("record fields"))
    )
    groups = _grouped(writers)
    return table(("written by", "records"), ((" and ".join(versions), names) for versions, names in groups.items()))


def context() -> str:
    """The places where a hook's context lands, by version and model."""
    places = {
        f"{version}, {model}": by_event
        for version, by_model in _by_version("context").items()
        for model, by_event in by_model.items()
    }
    events = sorted({event for by_event in places.values() for event in by_event})
    rows = ((event, *(_place(by_event.get(event, "")) for by_event in places.values())) for event in events)
    return table(("event", *places), rows)


def delays() -> str:
    """The transcript's delays at PostToolUse."""
    rows = [
        (f"{version}, {mode}", *(delay[name] for name in ("tool calls", "late", "mean ms", "longest ms")))
        for version, delays in _by_version("delay").items()
        for mode, delay in delays.items()
    ]
    return table(("client", "tool calls", "not yet written", "mean of these, ms", "longest, ms"), rows)


def exit_codes() -> str:
    """The effects of exit codes, in one table, whose cells name the versions where they differ."""
    effects = _by_version("exit codes")
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


def _by_version(name: str) -> dict[str, Any]:
    """The measurements called `name` in each version, the oldest first."""
    measured = facts.read()
    return {version: measured[version][name] for version in sorted(measured, key=facts.order)}


def _all_names(name: str) -> set[str]:
    """The keys of the measurements called `name` in any version."""
    return {key for named in _by_version(name).values() for key in named}


def _grouped(names: Iterable[tuple[str, tuple[str, ...]]]) -> dict[tuple[str, ...], str]:
    """Group the names that have the same cells, by those cells."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for name, cells in names:
        groups.setdefault(cells, []).append(f"`{name}`")
    return {cells: ", ".join(same) for cells, same in groups.items()}


def _windows(models: dict[str, dict[str, int]]) -> Rows:
    sizes_of = ((model, tuple(f"{sizes[name]:,}" for name in CONDITIONS)) for model, sizes in models.items())
    return ((names, *sizes) for sizes, names in _grouped(sizes_of).items())


def _one_table(header: str, name: str, cell: Callable[[Any], str]) -> str:
    """A table with a column for each version."""
    measured = _by_version(name)
    keys = dict.fromkeys(key for values in measured.values() for key in values)
    rows = ((f"`{key}`", *(cell(values[key]) if key in values else "" for values in measured.values())) for key in keys)
    return table((header, *measured), rows)


def _point(point: dict[str, int | None]) -> str:
    at = point["compacts at"]
    return f"{point['window']:,}: {'not before it is full' if at is None else f'at {at:,}'}"


def _types(event: str) -> dict[str, str]:
    """The types of an event's fields, with the version where only one has them."""
    by_version = {version: fields.get(event, {}) for version, fields in _by_version("payload fields").items()}
    types = {}
    for name in sorted({name for fields in by_version.values() for name in fields}):
        kinds = {version: fields[name] for version, fields in by_version.items() if name in fields}
        only = "" if len(kinds) == len(by_version) else f", only {' and '.join(kinds)}"
        types[name] = _merged(kinds) + only
    return types


def _with_parts(name: str, fields: dict[str, str]) -> str:
    """A field's type, and the names and types of its parts."""
    kind = fields[name]
    only = kind[kind.index(", only") :] if ", only" in kind else ""
    parts = (part for part in fields if part.startswith(f"{name}."))
    names = [f"`{part.removeprefix(name)}` {fields[part].removesuffix(only)}" for part in parts]
    return ": ".join([kind, ", ".join(names)] if names else [kind])


def _place(places: str) -> str:
    """The place where a context arrives, shorter if it is the same in a subagent."""
    main, _, subagent = places.partition("; in a subagent: ")
    if not places:
        return "not measured"
    return f"{main}, in a subagent too" if main == subagent else places


def _merged(values: dict[str, str]) -> str:
    """One value where all versions agree, else each version's."""
    distinct = set(values.values())
    if len(distinct) == 1:
        return distinct.pop()
    return "; ".join(f"{version}: {value}" for version, value in values.items())

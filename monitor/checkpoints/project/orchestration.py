"""ORCHESTRATION.yaml, in which a workflow keeps the state needed to continue it."""

import os
import re
from datetime import UTC, datetime
from typing import Any

from monitor.session import Project
from shared import effort
from shared.files import files
from shared.secrets.masking import masked_beginning, masked_in_time

NAME = "ORCHESTRATION.yaml"
LIMIT = 256 * 1024
"""Bytes; a larger file is ignored."""
_MOST_EVENTS, _DEEPEST, _LONGEST, _RAW = 20_000, 20, 600, 2_000
_SECONDS = 5e-7
"""Seconds of processor time that a character takes to parse and to store."""
_NOTHING = frozenset({"", "~", "null", "Null", "NULL"})
"""YAML's ways to write that there is no value."""
_TIME = re.compile(r"\s*\d[\dTWZt:+,._ \t-]{10,50}\s*")
"""A possible time, which is cheap to parse as YAML; a date alone, which is too coarse, is shorter."""


class Unusable(Exception):  # noqa: N818  the word is the error
    """Raised for a file that isn't YAML, or is made to be costly to parse."""


def text_of(path: str) -> str | None:
    document = files.beginning(path, LIMIT + 1)
    return None if document is None or len(document) > LIMIT else document.decode("utf-8-sig", "replace")


def resumption_of(text: str) -> Any:
    """The resumption section; None without one, the start of the text if it can't be parsed."""
    try:
        document = parsed(text)
    except Unusable:
        return masked_beginning(text, _RAW) or None
    return _bounded(document.get("resumption")) if isinstance(document, dict) else None


def updated_at(text: str) -> datetime | None:
    """The file's `updated_at`, the one closest to the recovery state; None without any."""
    try:
        document = parsed(text)
    except Unusable:
        return None
    resumption = document.get("resumption") if isinstance(document, dict) else None
    state = resumption.get("recovery_state") if isinstance(resumption, dict) else None
    tables = (table for table in (state, resumption, document) if isinstance(table, dict))
    return next(filter(None, (_stamp(table.get("updated_at")) for table in tables)), None)


def parsed(text: str) -> Any:
    """The document with all values as texts: parsing a number may take seconds. Raises Unusable, also without time."""
    if effort.is_over(len(text) * _SECONDS):
        raise Unusable
    import yaml  # noqa: PLC0415  15 ms, only in a project with this file

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # libyaml may be missing
    try:
        _check(yaml.parse(text, Loader=loader))
        return yaml.load(text, Loader=loader)  # noqa: S506  it creates only texts, lists and tables
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise Unusable from error


def _check(events: Any) -> None:
    """Refuse what grows when parsed: aliases, and endless nesting or length. Raises Unusable."""
    depth = 0
    for number, event in enumerate(events):
        kind = type(event).__name__
        depth += kind in {"SequenceStartEvent", "MappingStartEvent"}
        depth -= kind in {"SequenceEndEvent", "MappingEndEvent"}
        if kind == "AliasEvent" or depth > _DEEPEST or number > _MOST_EVENTS:
            raise Unusable


def _stamp(value: Any) -> datetime | None:
    """A time written as in YAML or ISO 8601, in UTC if it has no zone."""
    import yaml  # noqa: PLC0415  see above

    try:
        moment = yaml.safe_load(value) if isinstance(value, str) and _TIME.fullmatch(value) else None
        moment = datetime.fromisoformat(moment) if isinstance(moment, str) else moment
    except (yaml.YAMLError, ValueError):
        return None
    if not isinstance(moment, datetime):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _bounded(value: Any) -> Any:
    """`value` as stored: with secrets masked and each text bounded."""
    if isinstance(value, dict):
        names = [masked_beginning(str(key), 100) for key in value]
        return {name: _masked(name, _bounded(item)) for name, item in zip(names, value.values(), strict=True)}
    if isinstance(value, list):
        return [_bounded(item) for item in value]
    return None if value is None or value in _NOTHING else masked_beginning(value, _LONGEST)


def _masked(key: str, value: Any) -> Any:
    """`value`, masked if its key says that it is a secret."""
    if not isinstance(value, str):
        return value
    name = f'"{key}": "'
    return masked_in_time(f'{name}{value}"').removeprefix(name).removesuffix('"')


def path_in(project: Project, edited: list[str]) -> str | None:
    """The project's file: in the project's or the working directory, else the one in `edited` that was edited last."""
    candidates = [os.path.join(directory, NAME) for directory in (project.directory, project.working_directory)]
    candidates += [path for path in reversed(edited) if os.path.basename(path) == NAME]
    return next((path for path in candidates if project.holds(path) and os.path.isfile(path)), None)

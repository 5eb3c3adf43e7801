"""ORCHESTRATION.yaml, in which a workflow keeps what it takes to go on with it."""

import os
import re
from datetime import UTC, datetime
from typing import Any

from monitor.session import Project
from shared.files import files
from shared.secrets.masking import masked_beginning, masked_in_time

NAME = "ORCHESTRATION.yaml"
LIMIT = 256 * 1024
"""Bytes; a larger one is left alone."""
_MOST_EVENTS, _DEEPEST, _LONGEST, _RAW = 20_000, 20, 600, 2_000
_NOTHING = frozenset({"", "~", "null", "Null", "NULL"})
"""How YAML writes that there is no value."""
_TIME = re.compile(r"\s*\d[\dTWZt:+,._ \t-]{10,50}\s*")
"""What may be a time, and can be read as YAML at no cost; a day alone, which says too little, is shorter."""


class Unusable(Exception):  # noqa: N818  the word is the error
    """A file that is no YAML, or that is made to cost more than it is worth."""


def text_of(path: str) -> str | None:
    """The file's text; None when there is no such file, or it is too large."""
    document = files.beginning(path, LIMIT + 1)
    return None if document is None or len(document) > LIMIT else document.decode("utf-8-sig", "replace")


def resumption_of(text: str) -> Any:
    """The resumption section; the beginning of the text where it cannot be parsed, None where there is none."""
    try:
        document = parsed(text)
    except Unusable:
        return masked_beginning(text, _RAW) or None
    return _bounded(document.get("resumption")) if isinstance(document, dict) else None


def updated_at(text: str) -> datetime | None:
    """When the file says, closest to what is resumed, that this was last brought up to date; None if it doesn't say."""
    try:
        document = parsed(text)
    except Unusable:
        return None
    resumption = document.get("resumption") if isinstance(document, dict) else None
    state = resumption.get("recovery_state") if isinstance(resumption, dict) else None
    tables = (table for table in (state, resumption, document) if isinstance(table, dict))
    return next(filter(None, (_stamp(table.get("updated_at")) for table in tables)), None)


def parsed(text: str) -> Any:
    """The document, with every value as its text: a number may cost seconds to read, or fail. Raises Unusable."""
    import yaml  # noqa: PLC0415  15 ms that only a project with this file pays

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # libyaml is not everywhere
    try:
        _check(yaml.parse(text, Loader=loader))
        return yaml.load(text, Loader=loader)  # noqa: S506  it makes nothing but texts, lists and tables
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise Unusable from error


def _check(events: Any) -> None:
    """Refuse what grows when it is read: aliases of aliases, and nests without end. Raises Unusable."""
    depth = 0
    for number, event in enumerate(events):
        kind = type(event).__name__
        depth += kind in {"SequenceStartEvent", "MappingStartEvent"}
        depth -= kind in {"SequenceEndEvent", "MappingEndEvent"}
        if kind == "AliasEvent" or depth > _DEEPEST or number > _MOST_EVENTS:
            raise Unusable


def _stamp(value: Any) -> datetime | None:
    """A time, as YAML or ISO 8601 writes it, with its zone, UTC where it has none."""
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
    """`value` as it is kept: without secrets, and each of its texts cut."""
    if isinstance(value, dict):
        names = [masked_beginning(str(key), 100) for key in value]
        return {name: _masked(name, _bounded(item)) for name, item in zip(names, value.values(), strict=True)}
    if isinstance(value, list):
        return [_bounded(item) for item in value]
    return None if value is None or value in _NOTHING else masked_beginning(value, _LONGEST)


def _masked(key: str, value: Any) -> Any:
    """`value` unless it is a secret by the name that it has."""
    if not isinstance(value, str):
        return value
    name = f'"{key}": "'
    return masked_in_time(f'{name}{value}"').removeprefix(name).removesuffix('"')


def path_in(project: Project, edited: list[str]) -> str | None:
    """The file in the project that counts: in its directories, else the one among `edited` that was edited last."""
    candidates = [os.path.join(directory, NAME) for directory in (project.directory, project.working_directory)]
    candidates += [path for path in reversed(edited) if os.path.basename(path) == NAME]
    return next((path for path in candidates if project.holds(path) and os.path.isfile(path)), None)

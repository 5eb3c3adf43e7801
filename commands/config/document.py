"""Edits of a TOML document that keep the comments, order and spelling of everything else."""

import re
from collections.abc import MutableMapping
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import InlineTable, Item, Key, Null, Table, Whitespace

from shared.settings import toml_file

_BY_HAND = "can't be edited in this file's layout; change it by hand"
_MARK = "\ufeff"


def edited(text: str, key: str, value: Any) -> str:
    """Set the dotted `key` in `text`, or remove it for None. Raises ValueError if it isn't there or can't be edited."""
    before = toml_file.parse(text.encode())
    names = key.split(".")
    try:
        document = tomlkit.parse(text.removeprefix(_MARK))
        if value is None:
            _drop(document, names)
        else:
            _put(document, names, value)
        after = _MARK * text.startswith(_MARK) + document.as_string()
    except (TOMLKitError, TypeError, LookupError, AttributeError):
        raise ValueError(_BY_HAND) from None
    expected = _changed(before, names, value)
    # Nothing else may have changed.
    if _without_empty_sections(toml_file.parse(after.encode())) != _without_empty_sections(expected):
        raise ValueError(_BY_HAND)
    return re.sub(r"(\r?\n)\s+\Z", r"\1", after) if value is None and not text.endswith("\n\n") else after


def _put(document: Any, names: list[str], value: Any) -> None:
    """Put `value` in, creating missing sections."""
    *sections, name = names
    container = document
    for number, section in enumerate(sections, 1):
        if section not in container:
            is_last = number == len(sections)
            is_inline = isinstance(container, InlineTable)
            container[section] = tomlkit.inline_table() if is_inline else tomlkit.table(is_super_table=not is_last)
        container = container[section]
        if not isinstance(container, MutableMapping):
            raise ValueError(f"{'.'.join(sections[:number])} must be a table")  # noqa: TRY004  the file is wrong
    is_new = name not in container
    if not is_new and isinstance(container[name], MutableMapping) and not isinstance(value, dict):
        raise ValueError("is a section here, not a setting")
    container[name] = value
    if is_new and isinstance(container, Table):
        _move_up(container.value.body)


def _move_up(body: list[tuple[Key | None, Item]]) -> None:
    """Move the entry just added above the blank line and comments at the end: they belong to the next section."""
    end = next((index for index, (_, item) in enumerate(body) if isinstance(item, Table)), len(body)) - 1
    start = end
    while start > 0 and body[start - 1][0] is None:
        start -= 1
    blank = next((i for i in range(start, end) if isinstance(body[i][1], Whitespace)), end)
    if start > 0:
        body.insert(blank, body.pop(end))  # the document is only written out after this


def _drop(container: Any, names: list[str]) -> None:
    """Remove the entry, and sections that this leaves empty."""
    name, *rest = names
    if rest:
        _drop(container[name], rest)
    if not rest or _is_empty(container[name]):
        del container[name]


def _is_empty(section: Any) -> bool:
    """Whether a section has neither a key nor a comment."""
    if not isinstance(section, Table):
        return not section
    return all(isinstance(item, (Whitespace, Null)) for _, item in section.value.body)


def _changed(values: dict[str, Any], names: list[str], value: Any) -> dict[str, Any]:
    """Return `values` with `value` at `names`, or for None without that entry."""
    name, *rest = names
    inner = _changed(values.get(name, {}), rest, value) if rest else value
    others = {key: old for key, old in values.items() if key != name}
    return others if inner is None else values | {name: inner}


def _without_empty_sections(values: Any) -> Any:
    """Return `values` without empty sections, which mean nothing."""
    if not isinstance(values, dict):
        return values
    inner = {name: _without_empty_sections(value) for name, value in values.items()}
    return {name: value for name, value in inner.items() if value != {}}

"""A TOML document edited as its author would: comments, order and spelling of all else stay."""

import copy
import tomllib
from typing import Any

import tomlkit
from tomlkit.container import Container
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import Comment, Table, Whitespace

_MARK = "\ufeff"


def with_value(text: str, key: str, value: Any) -> str:
    """`text` with `value` at the dotted `key`. Raises ValueError where that cannot be done by an edit."""
    wanted = tomllib.loads(text.removeprefix(_MARK))
    _put(wanted, key.split("."), value)
    return _edited(text, wanted, lambda document: _set(document, key.split("."), value))


def without(text: str, key: str) -> str:
    """`text` without the dotted `key`, which is there, and without a section that is empty then. Raises ValueError."""
    wanted = tomllib.loads(text.removeprefix(_MARK))
    _drop(wanted, key.split("."))
    return _edited(text, wanted, lambda document: _drop(document, key.split(".")))

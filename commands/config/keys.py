"""The keys of the configuration, as a command line names them."""

import difflib
import json
import tomllib
from operator import attrgetter
from typing import Any, get_type_hints

import msgspec

from commands.command import USAGE, CommandError
from commands.terminal import safe
from shared.secrets.masking import MASK
from shared.settings.config import SECRET, Config
from shared.settings.layers import from_text, name_problems


class Key(msgspec.Struct, frozen=True):
    name: str
    """Dotted."""
    kind: Any
    """The type of its values."""
    default: Any


def all_keys(section: msgspec.Struct = Config(), prefix: str = "") -> list[Key]:  # noqa: B008  frozen
    """Every setting with its default, in the order in which shared/settings/config.py declares them."""
    kinds = get_type_hints(type(section), include_extras=True)
    keys: list[Key] = []
    for name, value in msgspec.structs.asdict(section).items():
        is_section = isinstance(value, msgspec.Struct)
        keys += all_keys(value, f"{prefix}{name}.") if is_section else [Key(f"{prefix}{name}", kinds[name], value)]
    return keys


def find(name: str) -> Key:
    """Return the setting called `name`. Raises CommandError with the closest names."""
    keys = {key.name: key for key in all_keys()}
    if name in keys:
        return keys[name]
    if any(candidate.startswith(f"{name}.") for candidate in keys):
        raise CommandError(f"{safe(name)} is a section, not a setting (see tidegauge config get {safe(name)})", USAGE)
    raise CommandError(f"{safe(name)}: no such setting{_nearest(name, list(keys))}", USAGE)


def matching(name: str) -> list[Key]:
    """The setting called `name`, or those of the section of that name. Raises CommandError."""
    return [key for key in all_keys() if key.name.startswith(f"{name}.")] or [find(name)]


def value_of(key: Key, text: str) -> Any:
    """Convert `text` from a command line into a value of `key` for TOML. Raises CommandError with what is expected."""
    try:
        # Through JSON, which like TOML has lists where we have tuples.
        value = msgspec.json.decode(msgspec.json.encode(from_text(_parsed(text), key.kind)))
    except ValueError as problem:
        raise CommandError(f"{key.name}: {problem}", USAGE) from None
    if unknown := name_problems(key.name, value):
        raise CommandError(f"{key.name}: {unknown[0]}", USAGE)
    if value is None:
        raise CommandError(f"{key.name}: to unset it, use: tidegauge config unset {key.name}", USAGE)
    return _plain_number(value)


def _parsed(text: str) -> Any:
    """Parse a list or a table in TOML's notation, as `config get` prints it; return any other text unchanged."""
    if not text.startswith(("[", "{")):
        return text
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def within(config: Config, name: str) -> Any:
    return without_secrets(name, attrgetter(name)(config))


def without_secrets(name: str, value: Any) -> Any:
    return dict.fromkeys(value, MASK) if name in SECRET else value


def toml_text(value: Any) -> str:
    """Format a value as in a TOML file; `unset` for None."""
    if value is None:
        return "unset"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{toml_text(name)} = {toml_text(part)}' for name, part in value.items())}}}"
    return json.dumps(_plain_number(value), ensure_ascii=False)


def _plain_number(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _nearest(name: str, names: list[str]) -> str:
    """Return a question with the likeliest `names`; the same last part counts as a match, too."""
    last = name.rpartition(".")[2]
    near = difflib.get_close_matches(name, names, 3, 0.75)
    near += [other for other in names if other.rpartition(".")[2] == last and other not in near]
    return f"; did you mean {' or '.join(near[:2])}?" if near else " (see tidegauge config show)"

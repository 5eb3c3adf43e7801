"""The merge of layers: each key comes from the first layer with a usable value."""

from collections.abc import Iterator
from typing import Any, get_args, get_origin, get_type_hints

import msgspec

from shared.gauge.levels import Thresholds
from shared.settings.config import ENVIRONMENT, FILE_ONLY, PROJECT, SEGMENT_NAMES, USER, Config, Layer, Settings
from shared.settings.project_settings import bounds_of
from shared.text.plain import plain

MOST_PROBLEMS = 40
"""The most problems that are listed: a file from a repository may cause thousands."""
_TRUE = frozenset({"true", "yes", "on", "1"})
_FALSE = frozenset({"false", "no", "off", "0"})

_KINDS = {
    "int": "a whole number", "float": "a number", "bool": "true or false", "str": "text",
    "array": "a list", "object": "a table",
}  # fmt: skip


class _Outcome(msgspec.Struct):
    """The result of a merge so far."""

    problems: list[str]
    sources: dict[str, str] = {}


def merge(layers: list[Layer], problems: list[str], defaults: Config = Config()) -> Settings:  # noqa: B008  frozen
    """Merge `layers`, the first of which wins, over `defaults`; `problems` are those found before."""
    result = _Outcome(list(problems))
    config: Config = _section(defaults, layers, "", result)
    lines = result.problems[:MOST_PROBLEMS]
    if len(result.problems) > MOST_PROBLEMS:
        lines.append(f"and {len(result.problems) - MOST_PROBLEMS} more")
    return Settings(config, tuple(lines), result.sources)


def _section(default: Any, layers: list[Layer], prefix: str, outcome: _Outcome) -> Any:
    """The section `default` with the layers' values; `prefix` is its dotted name, for errors."""
    here = _Outcome(outcome.problems)
    section = _overlay(default, layers, prefix, here)
    if isinstance(section, Thresholds) and section.disorder:
        return _scale(default, layers, prefix, outcome)
    outcome.sources.update(here.sources)
    return section


def _scale(scale: Thresholds, layers: list[Layer], prefix: str, outcome: _Outcome) -> Thresholds:
    """A scale with each layer's values, the last layer first, except layers that put it out of order."""
    for layer in reversed(layers):
        here = _Outcome([])
        changed: Thresholds = _overlay(scale, [layer], prefix, here)
        if changed.disorder:
            outcome.problems.append(f"{layer.name}: {prefix.rstrip('.')}: {changed.disorder}")
        else:
            scale = changed
            outcome.sources.update(here.sources)
    return scale


def _overlay(section: Any, layers: list[Layer], prefix: str, outcome: _Outcome) -> Any:
    kinds = get_type_hints(type(section), include_extras=True)
    kinds = {name: kind for name, kind in kinds.items() if name in section.__struct_fields__}
    outcome.problems += [
        f"{layer.name}: {prefix}{plain(key, 60)}: no such setting"
        for layer in layers
        for key in layer.values
        if key not in kinds
    ]
    changed = {}
    for name, kind in kinds.items():
        inner = [Layer(layer.name, layer.values[name], layer.source) for layer in layers if name in layer.values]
        if inner:
            changed[name] = _setting(getattr(section, name), kind, inner, f"{prefix}{name}", outcome)
    return msgspec.structs.replace(section, **changed)


def _setting(default: Any, kind: Any, inner: list[Layer], key: str, outcome: _Outcome) -> Any:
    if isinstance(default, msgspec.Struct):
        outcome.problems += [f"{g.name}: {key}: must be a table" for g in inner if not isinstance(g.values, dict)]
        return _section(default, [g for g in inner if isinstance(g.values, dict)], f"{key}.", outcome)
    for layer in inner:
        try:
            value = _value(layer, kind, key)
        except ValueError as problem:
            outcome.problems.append(f"{layer.name}: {key}: {problem}")
        else:
            outcome.sources[key] = layer.source
            outcome.problems += [f"{layer.name}: {key}: {problem}" for problem in name_problems(key, value)]
            return value
    return default


def _value(layer: Layer, kind: Any, key: str) -> Any:
    """The value of a key in `layer`. Raises ValueError, which says what is wrong."""
    bounds = bounds_of(key)
    if layer.source == PROJECT and bounds is None:
        raise ValueError("not for a project's file to set")
    if layer.source != USER and key in FILE_ONLY:
        raise ValueError("only your own file may set it")
    if key in FILE_ONLY:
        return _converted(layer.values, kind, is_secret=True)
    value = from_text(layer.values, kind) if layer.source == ENVIRONMENT else _converted(layer.values, kind)
    if layer.source == PROJECT and bounds and not (value is not None and bounds[0] <= value <= bounds[1]):
        raise ValueError(f"expected {bounds[0]:,g} to {bounds[1]:,g} in a project's file, not {value}")
    return value


def name_problems(key: str, value: Any) -> list[str]:
    """An error text for each name in `value` that is no segment's; the line is drawn without those."""
    lines = {"statusline.lines": value, "statusline.hide": [value]}.get(key, ())
    expected = f"expected {', '.join(SEGMENT_NAMES[:-1])} or {SEGMENT_NAMES[-1]}"
    unknown = (name for line in lines for name in line if name not in SEGMENT_NAMES)
    return [f"{expected}, not {plain(repr(name), 60)}" for name in unknown]


def from_text(text: Any, kind: Any) -> Any:
    """Convert a value from a variable or a command line. Raises ValueError, which says what is wrong."""
    value = text
    if isinstance(text, str):
        if kind is bool and text.lower() in _TRUE | _FALSE:
            value = text.lower() in _TRUE
        elif get_origin(kind) is dict:
            read = str if str in _leaves(get_args(kind)[1]) else _plain_digits
            value = {name: read(part) for name, part in map(_pair, _names(text))}
        elif get_origin(kind) is tuple:
            is_nested = get_origin(get_args(kind)[0]) is tuple
            value = [_names(line) for line in text.split(";")] if is_nested else _names(text)
        elif str not in _leaves(kind):
            value = _plain_digits(text)
    return _converted(value, kind, strict=kind is bool)


def _leaves(kind: Any) -> Iterator[Any]:
    """Yield the plain types that a type is made of, and the texts of a Literal."""
    parts = get_args(kind)
    if not parts:
        yield kind
    for part in parts:
        yield from _leaves(part)


def _plain_digits(text: str) -> str:
    """A number in msgspec's syntax: TOML and Python also allow `1_000_000`."""
    return text.replace("_", "") if all(part.isdigit() for part in text.split("_")) else text


def _pair(text: str) -> tuple[str, str]:
    """Split `name=value`, whose value may contain a `=`. The error doesn't repeat the text, which may be a secret."""
    name, _, value = text.partition("=")
    if not (name.strip() and value.strip()):
        raise ValueError("expected NAME=VALUE, NAME=VALUE")
    return name.strip(), value.strip()


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _converted(value: Any, kind: Any, *, strict: bool = True, is_secret: bool = False) -> Any:
    """Convert `value` to a `kind`. Raises ValueError, which repeats the value unless it may be a secret."""
    try:
        return msgspec.convert(value, kind, strict=strict)
    except msgspec.ValidationError as problem:
        choices = [f'"{leaf}"' for leaf in _leaves(kind) if isinstance(leaf, str)]
        expected = " or ".join(choices) or _in_words(str(problem), kind)
        wrong = "" if is_secret else f", not {plain(repr(value), 60)}"
        raise ValueError(f"expected {expected}{wrong}") from None


def _in_words(problem: str, kind: Any) -> str:
    """Put msgspec's error into plain words: it names Python's types, the type that came, and the place in the value."""
    expected, _, place = problem.removeprefix("Expected ").partition(" - at ")
    expected = expected.partition(", got ")[0].removesuffix(".0").replace(" | null`", "`")
    if "matching regex" in expected:
        expected = next(leaf.description for leaf in _leaves(kind) if getattr(leaf, "description", None))
    for name, words in _KINDS.items():
        expected = expected.replace(f"`{name}`", words)
    return f"{expected} for each part" if place else expected

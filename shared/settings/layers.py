"""The merging of layers: each key from the first layer whose value of it can be used."""

from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import inspect as types

from shared.gauge.levels import Thresholds
from shared.settings.config import ENVIRONMENT, FILE_ONLY, NAMES, PROJECT, USER, Config, Layer, Settings
from shared.settings.project_settings import MAY_SET
from shared.text.plain import plain

MOST_PROBLEMS = 40
"""Lines of them: a file from a repository may hold thousands."""
_TRUE = frozenset({"true", "yes", "on", "1"})
_FALSE = frozenset({"false", "no", "off", "0"})
_END = r"\Z"


class _Outcome(msgspec.Struct):
    """The result of a merge so far."""

    problems: list[str]
    sources: dict[str, str] = {}


def merge(layers: list[Layer], problems: list[str], defaults: Config = Config()) -> Settings:  # noqa: B008  frozen
    """Settings from `layers`, the first wins, over `defaults`; `problems` is what was wrong before."""
    result = _Outcome(list(problems))
    config: Config = _section(defaults, layers, "", result)
    lines = result.problems[:MOST_PROBLEMS]
    if len(result.problems) > MOST_PROBLEMS:
        lines.append(f"and {len(result.problems) - MOST_PROBLEMS} more")
    return Settings(config, tuple(lines), result.sources)


def _section(default: Any, layers: list[Layer], prefix: str, outcome: _Outcome) -> Any:
    """`default` with what the layers say of it; `prefix` is its dotted name, for errors."""
    here = _Outcome(outcome.problems)
    section = _overlay(default, layers, prefix, here)
    if isinstance(section, Thresholds) and not section.is_ordered:
        saved: list[Layer] = []
        for layer in reversed(layers):
            trial = _overlay(default, [layer, *saved], prefix, _Outcome([]))
            if trial.is_ordered:
                saved.insert(0, layer)
            else:
                order = f"{section.DIRECTION} in this order: {', '.join(section.__struct_fields__)}"
                outcome.problems.append(f"{layer.name}: {prefix.rstrip('.')}: {order}")
        here = _Outcome([])
        section = _overlay(default, saved, prefix, here)
    outcome.sources.update(here.sources)
    return section


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
    """What `layer` says of a key. Raises ValueError with what would be right."""
    if layer.source == PROJECT and key not in MAY_SET:
        raise ValueError("not for a project's file to set")
    if layer.source != USER and key in FILE_ONLY:
        raise ValueError("only your own file may set it")
    if key in FILE_ONLY:
        return _converted(layer.values, kind, is_secret=True)
    value = from_text(layer.values, kind) if layer.source == ENVIRONMENT else _converted(layer.values, kind)
    if layer.source == PROJECT:
        least, most = MAY_SET[key]
        if value is None or not least <= value <= most:
            raise ValueError(f"expected {least:,} to {most:,} in a project's file, not {value}")
    return value


def name_problems(key: str, value: Any) -> list[str]:
    """What is wrong with each name in `value` that the status line doesn't know; it is drawn without it."""
    names = NAMES.get(key, ())
    return [
        f"expected {', '.join(names[:-1])} or {names[-1]}, not {plain(repr(name), 60)}"
        for name in (_flat(value) if names else ())
        if name not in names
    ]


def _flat(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    else:
        for part in value:
            yield from _flat(part)


def from_text(text: Any, kind: Any) -> Any:
    """A value as a variable or a command line gives it. Raises ValueError with what would be right."""
    value = text
    if isinstance(text, str):
        if kind is bool and text.lower() in _TRUE | _FALSE:
            value = text.lower() in _TRUE
        elif get_origin(kind) is dict:
            value = dict(map(_pair if get_args(kind)[1] is str else _count, _names(text)))
        elif get_origin(kind) is tuple:
            value = _names(text) if get_args(kind)[0] is str else [_names(line) for line in text.split(";")]
        elif not any(isinstance(part, types.StrType) for part in _parts(kind)):
            value = _plain_digits(text)
    return _converted(value, kind, strict=kind is bool)


def _parts(kind: Any) -> tuple[types.Type, ...]:
    result = types.type_info(kind)
    return tuple(result.types) if isinstance(result, types.UnionType) else (result,)


def _plain_digits(text: str) -> str:
    """A number as msgspec reads it: TOML and Python allow `1_000_000`, too."""
    return text.replace("_", "") if all(part.isdigit() for part in text.split("_")) else text


def _pair(text: str) -> tuple[str, str]:
    """`name=value`, of which the value may hold a `=`. What is neither may be a secret, so it isn't repeated."""
    name, _, value = text.partition("=")
    if not (name.strip() and value.strip()):
        raise ValueError("expected NAME=VALUE, NAME=VALUE")
    return name.strip(), value.strip()


def _count(text: str) -> tuple[str, str]:
    """`name=number`, of which the name may hold a `=`; without one the number is empty, and refused as such."""
    name, _, value = text.rpartition("=") if "=" in text else (text, "", "")
    return name.strip(), _plain_digits(value.strip())


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _converted(value: Any, kind: Any, *, strict: bool = True, is_secret: bool = False) -> Any:
    """`value` as a `kind`. Raises ValueError with what would be right, and, unless it may be a secret, what it is."""
    try:
        return msgspec.convert(value, kind, strict=strict)
    except msgspec.ValidationError:
        wrong = "" if is_secret else f", not {plain(repr(value), 60)}"
        raise ValueError(f"expected {_expected(kind)}{wrong}") from None


def _expected(kind: Any) -> str:
    """What a value of `kind`, a type as shared.settings.config declares it, looks like."""
    if get_origin(kind) is Literal:  # in the order of the declaration, which msgspec does not keep
        return " or ".join(f'"{value}"' for value in get_args(kind))
    return _words(types.type_info(kind))


def _words(kind: types.Type) -> str:
    """The words for a type, from msgspec's inspection of it."""
    if isinstance(kind, types.UnionType):
        return " or ".join(_words(part) for part in kind.types if not isinstance(part, types.NoneType))
    if isinstance(kind, types.DictType):
        return f"a table of names, each with {_words(kind.value_type)}"
    if isinstance(kind, types.VarTupleType):
        return "a list of names" if isinstance(kind.item_type, types.StrType) else "a list of lists of names"
    if isinstance(kind, types.IntType | types.FloatType):
        return ("a whole number" if isinstance(kind, types.IntType) else "a number") + _range(kind)
    if isinstance(kind, types.StrType):
        return f"text like {kind.pattern.strip('^$').removesuffix(_END)}" if kind.pattern else "text"
    return {types.BoolType: "true or false", types.StructType: "a table"}.get(type(kind), "another value")


def _range(kind: types.IntType | types.FloatType) -> str:
    if kind.le is None:
        return ""
    return f", {kind.ge:,} to {kind.le:,}" if kind.ge is not None else f", more than {kind.gt:,}, at most {kind.le:,}"

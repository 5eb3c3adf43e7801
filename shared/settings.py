"""The layers of the configuration: environment over the user's file over the defaults.

A bad value costs its own key alone: the next layer's counts, and the problem is shown (the status line's
badge, `tidegauge doctor`).
"""

import os
from collections.abc import Mapping
from typing import Any, get_type_hints

import msgspec

from shared import paths
from shared.config import Config
from shared.level import Ladder

PREFIX = "TIDEGAUGE_"
_TRUE = frozenset({"true", "yes", "on", "1"})
_FALSE = frozenset({"false", "no", "off", "0"})


class Layer(msgspec.Struct, frozen=True):
    """One source of settings."""

    name: str
    """The file that an error names; for the environment, the text `environment`."""
    values: Any
    """Nested as in TOML; the environment's leaves are texts."""


class Settings(msgspec.Struct, frozen=True):
    """The configuration in force, and a line for each setting that could not be used."""

    config: Config
    problems: tuple[str, ...] = ()


def load(root: str, environ: Mapping[str, str] = os.environ) -> Settings:
    """The configuration of the person whose Tidegauge lies in `root`. Never fails."""
    problems: list[str] = []
    layers = [_environment(environ), _file(paths.config_file(root), problems)]
    return merge([layer for layer in layers if layer.values], problems)


def merge(layers: list[Layer], problems: list[str]) -> Settings:
    """Settings from `layers`, the first wins; `problems` is what was wrong before."""
    if not layers:
        return Settings(Config(), tuple(problems))
    config: Config = _overlay(Config(), layers, "", problems)
    if not config.levels.is_ordered:
        problems.append(f"{layers[0].name}: levels: remaining must fall from warning over critical to exhausted")
        config = msgspec.structs.replace(config, levels=Ladder())
    return Settings(config, tuple(problems))


def _overlay(section: Any, layers: list[Layer], prefix: str, problems: list[str]) -> Any:
    """`section` with what the layers say of it; `prefix` is its dotted name, for errors."""
    kinds = get_type_hints(type(section), include_extras=True)
    for layer in layers:
        problems += [f"{layer.name}: {prefix}{key}: no such setting" for key in layer.values if key not in kinds]
    changed = {}
    for name, kind in kinds.items():
        given = [Layer(layer.name, layer.values[name]) for layer in layers if name in layer.values]
        if given:
            changed[name] = _setting(getattr(section, name), kind, given, f"{prefix}{name}", problems)
    return msgspec.structs.replace(section, **changed)


def _setting(default: Any, kind: Any, given: list[Layer], key: str, problems: list[str]) -> Any:
    if isinstance(default, msgspec.Struct):
        problems += [f"{g.name}: {key}: must be a table" for g in given if not isinstance(g.values, dict)]
        return _overlay(default, [g for g in given if isinstance(g.values, dict)], f"{key}.", problems)
    for layer in given:
        try:
            return _converted(layer.values, kind, is_text=layer.name == "environment")
        except (msgspec.ValidationError, ValueError) as problem:
            problems.append(f"{layer.name}: {key}: {str(problem)[:1].lower()}{str(problem)[1:]}")
    return default


def _converted(value: Any, kind: Any, *, is_text: bool) -> Any:
    if is_text and kind is bool:
        if value.lower() not in _TRUE | _FALSE:
            raise ValueError("expected true or false")
        value = value.lower() in _TRUE
    elif is_text and isinstance(value, str) and getattr(kind, "__origin__", None) is tuple:
        value = [
            part.split(",") if ";" in value else part
            for part in value.replace(" ", "").split(";" if ";" in value else ",")
        ]
    return msgspec.convert(value, kind, strict=not is_text)


def _environment(environ: Mapping[str, str]) -> Layer:
    values: dict[str, Any] = {}
    for name, text in environ.items():
        if name.startswith(PREFIX):
            *sections, key = name[len(PREFIX) :].lower().split("__")
            table = values
            for section in sections:
                table = table.setdefault(section, {})
                if not isinstance(table, dict):
                    break
            else:
                table[key] = text
    return Layer("environment", values)


def _file(path: str, problems: list[str]) -> Layer:
    text = _text(path)
    if text is None:
        return Layer(path, {})
    import tomllib  # noqa: PLC0415  2 ms that only a person with a configuration pays

    try:
        return Layer(path, tomllib.loads(text.decode("utf-8-sig")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        problems.append(f"{path}: {problem}")
        return Layer(path, {})


def _text(path: str) -> bytes | None:
    """The person's own file, which may well be a link into their dotfiles."""
    try:
        with open(path, "rb") as file:
            return file.read(1 << 20)
    except OSError:
        return None

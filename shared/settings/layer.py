"""A layer of the configuration, and what all of them together come to (settings.py reads, layers.py merges)."""

from typing import Any

import msgspec

from shared.settings.config import Config

ENVIRONMENT, PROJECT, USER, DEFAULT = "environment", "project", "user", "default"
"""Where a value may come from; the first wins."""


class Layer(msgspec.Struct, frozen=True):
    """One source of settings."""

    name: str
    """The file that an error names; for the environment, the text `environment`."""
    values: Any
    """Nested as in TOML; the environment's leaves are texts."""
    source: str = USER


class Settings(msgspec.Struct, frozen=True):
    """The configuration in force, and a line for each setting that could not be used."""

    config: Config
    problems: tuple[str, ...] = ()
    sources: dict[str, str] = {}
    """The source of each key that has been set."""

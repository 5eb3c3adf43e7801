"""A repository with its own settings, for a person with an installation."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from shared.settings import settings
from shared.settings.config import Config, Settings


class Project:
    """A person's installation, and a repository with its own settings."""

    def __init__(self, root: Path, directory: Path) -> None:
        self.root = root
        self.directory = directory
        self.file = directory / ".claude" / "tidegauge.toml"
        self.personal = root.parents[1] / "config" / "config.toml"
        self.file.parent.mkdir(parents=True)
        self.personal.parent.mkdir()

    def says(self, text: str | bytes, **environ: str) -> Settings:
        self.file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return self.loaded(**environ)

    def loaded(self, **environ: str) -> Settings:
        return settings.load(str(self.root), environ, str(self.directory))


def leaves(section: msgspec.Struct, prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name in section.__struct_fields__:
        value = getattr(section, name)
        if isinstance(value, msgspec.Struct):
            yield from leaves(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def value(config: Config, key: str) -> Any:
    return dict(leaves(config))[key]

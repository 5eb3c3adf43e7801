"""The file that a change goes into: the person's own, or that of the project at hand."""

import os
from typing import cast

import msgspec

from commands.command import USAGE, CommandError
from installer import files
from shared.settings import settings
from shared.settings.layer import PROJECT, Layer
from shared.settings.layers import merge

_HEADER = "# Settings of Tidegauge that differ from its defaults; `tidegauge config show` lists all of them.\n"
_PUBLIC, _PRIVATE = 0o644, 0o600
_PROJECT_HEADER = "# Settings of Tidegauge for this project; they apply to everybody who works in it.\n"


class SettingsTarget(msgspec.Struct, frozen=True):
    """A file, its settings, and the settings below it."""

    path: str
    layer: Layer
    below: tuple[Layer, ...]
    before: bytes | None
    """None when there is no such file."""

    @property
    def text(self) -> str:
        """The text to edit; for a new file, what it begins with."""
        if self.before is None:
            return _PROJECT_HEADER if self.layer.source == PROJECT else _HEADER
        return self.before.decode()

    def value(self, key: str) -> object:
        """What the file says at the dotted `key`; None when it says nothing."""
        values = self.layer.values
        for name in key.split("."):
            values = values.get(name) if isinstance(values, dict) else None
        return cast("object", values)

    def refuse(self, values: object, key: str) -> None:
        """Raise CommandError if `values` in the file made `key` wrong, or anything that is right now."""
        now = merge([self.layer, *self.below], []).problems
        then = merge([msgspec.structs.replace(self.layer, values=values), *self.below], []).problems
        for problem in then:
            if problem not in now or problem.startswith(f"{self.path}: {key}: "):
                raise CommandError(f"{problem}; nothing was changed", USAGE)

    def write(self, text: str, *, is_secret: bool = False) -> None:
        """Put `text` in the file's place, whole; owner and links stay. Raises CommandError.

        The mode stays, too; a file that gets a secret becomes private.
        """
        path = os.path.realpath(self.path)  # a link into dotfiles stays one
        try:
            if self.before is None:
                os.makedirs(os.path.dirname(path), exist_ok=True)
                files.write(path, text.encode(), _PRIVATE if is_secret else _PUBLIC)
                return
            if is_secret:
                os.chmod(path, _PRIVATE)
            if not files.replace_if(path, self.before, text.encode()):
                raise CommandError(f"{self.path}: another program has just changed it; try again")
        except OSError as problem:
            raise CommandError(f"{self.path}: cannot be written: {problem.strerror}") from None


def target_of(root: str, project: str | None) -> SettingsTarget:
    """The person's own file, or that of the directory `project`. Raises CommandError when it is broken, or a link."""
    problems: list[str] = []
    layer = settings.user(root, problems) if project is None else settings.project(project, problems)
    below = () if project is None else (settings.user(root, []),)
    if problems:
        raise CommandError(f"{problems[0]}; nothing was changed")
    try:
        return SettingsTarget(layer.name, layer, below, files.read(layer.name))
    except OSError as problem:
        raise CommandError(f"{layer.name}: {problem.strerror}") from None

"""What a version brings: the changelog's entries that the installed one doesn't have."""

import os
import re
from typing import NamedTuple

from installer import files
from installer.layout import Layout
from installer.program import source

_NAME = "CHANGELOG.md"
_HEADING = re.compile(r"^## \[([^\]]+)\].*$", re.MULTILINE)
_KIND = re.compile(r"^### (.+)$", re.MULTILINE)
_ENTRY = re.compile(r"^- .*(?:\n[ \t]+.*)*", re.MULTILINE)
_LIMIT = 12  # entries


class Installed(NamedTuple):
    version: str
    changelog: str  # "" for one that has none


def installed(layout: Layout) -> Installed | None:
    """What is installed; None where nothing is installed."""
    if not os.path.exists(os.path.join(layout.program, "pyproject.toml")):
        return None
    return Installed(source.version(layout.program).partition(" ")[0], _changelog(layout.program))


def since(directory: str, before: Installed | None) -> list[str]:
    """The lines to print on what is new in `directory`: first what changes for existing users."""
    if before is None:
        return []
    old = {_words(entry[0]) for entry in _ENTRY.finditer(before.changelog)}
    entries = [entry for entry in _entries(_changelog(directory), before.version) if _words(entry) not in old]
    if not entries:
        return []
    lines = [line for entry in entries[:_LIMIT] for line in entry.splitlines()]
    more = len(entries) - _LIMIT
    lines += [f"and {more} more in {_NAME}"] if more > 0 else []
    return ["", f"New since {before.version}:", *lines]


def _entries(changelog: str, version: str) -> list[str]:
    """The entries of all versions down to this one, those that only add something last."""
    entries: list[tuple[bool, str]] = []
    _, *sections = _HEADING.split(changelog)
    for name, section in zip(sections[::2], sections[1::2], strict=True):
        first, *kinds = _KIND.split(section)
        for kind, text in [("", first), *zip(kinds[::2], kinds[1::2], strict=True)]:
            entries += [(kind == "Added", entry[0]) for entry in _ENTRY.finditer(text)]
        if name == version:
            break
    return [entry for _, entry in sorted(entries, key=lambda item: item[0])]


def _changelog(directory: str) -> str:
    return (files.read(os.path.join(directory, _NAME)) or b"").decode(errors="replace")


def _words(entry: str) -> str:
    return " ".join(entry.split())

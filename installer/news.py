"""What a version brings, out of the changelog."""

import os
import re

from installer import files, source
from installer.layout import Layout

_HEADING = re.compile(r"^## \[(\d[^\]]*)\].*$", re.MULTILINE)


def installed_version(layout: Layout) -> str | None:
    """The number of the version that is installed now; None for none, or for one that didn't write it down."""
    if not os.path.exists(os.path.join(layout.program, "pyproject.toml")):
        return None
    return source.version(layout.program).partition(" ")[0]


def since(directory: str, version: str | None) -> list[str]:
    """The lines on every version after this one; nothing when there is none."""
    text = (files.read(os.path.join(directory, "CHANGELOG.md")) or b"").decode()
    headings = list(_HEADING.finditer(text))
    newer = []
    for heading in headings:
        if version is None or heading[1] == version:
            break
        newer.append(heading)
    if version is None or not newer or len(newer) == len(headings):
        return []
    end = headings[len(newer)].start()
    return ["", f"New since {version}:", *text[newer[0].start() : end].rstrip().splitlines()]

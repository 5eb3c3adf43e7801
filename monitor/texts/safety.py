"""Text from outside among ours: on one line, bounded, and unable to speak in our place."""

from typing import Any

from shared.plain import plain

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;"})


def escaped(text: str) -> str:
    """`text` so that it can neither close a tag of ours nor open one."""
    return text.translate(_ESCAPES)


def untagged(text: str) -> str:
    """`text` so that it opens no tag where there are none of ours, with commands left legible."""
    return text.replace("<", "\u2039")


def one_line(text: str, longest: int) -> str:
    """`text` on one line, without control characters; an ellipsis where it is cut."""
    line = plain(" ".join(text[: 4 * longest].split()), 4 * longest)
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "\u2026"


def path_end(path: str, longest: int) -> str:
    """The end of a path, which says more than its beginning."""
    line = plain(path, 4096)
    return line if len(line) <= longest else "\u2026" + line[-(longest - 1) :]


def flat(value: Any, longest: int) -> str:
    """A value of any shape on one line: `name: value, name: value`."""
    return one_line(_flat(value, longest), longest)


def _flat(value: Any, longest: int) -> str:
    if isinstance(value, dict):
        parts = (f"{key}: {_flat(item, longest)}" for key, item in value.items() if item not in (None, "", [], {}))
    elif isinstance(value, list):
        parts = (_flat(item, longest) for item in value)
    else:
        return str(value)[: 4 * longest]
    text = ""
    for part in parts:  # no more is made than is shown: a file from outside may hold thousands
        text += (", " if text else "") + part
        if len(text) > longest:
            break
    return text

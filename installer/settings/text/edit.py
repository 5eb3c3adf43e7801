"""Edits of a JSON text that leave every other character as it was, in the style that the text has."""

import itertools
import json
import re
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from installer.settings.text import document
from installer.settings.text.document import Element, Node

_HALF = re.compile("[\ud800-\udfff]")
Value = str | int | list["Value"] | dict[str, "Value"]
Container = list[Value] | dict[str, Value]


class Substitution(NamedTuple):
    """The replacement of text[start:end]."""

    start: int
    end: int
    new: str = ""


class Style(NamedTuple):
    newline: str
    unit: str | None  # one step of indentation; None: everything on one line
    colon: str

    @property
    def comma(self) -> str:
        """What stands between the parts of a container on one line."""
        return ", " if self.colon.endswith(" ") else ","


def append(text: str, container: Node, values: Container) -> str:
    return substitute(text, [addition(text, container, values)])


def addition(text: str, container: Node, values: Container) -> Substitution:
    """What puts these at the end of a container: named ones into an object."""
    style = _style_of(text)
    if container.parts:
        last, gap = container.parts[-1].node.end, _gap(text, container, style)
        return Substitution(last, last, "".join("," + gap + item for item in _items(values, style, _indent(gap))))
    start, end = container.start + 1, container.end - 1
    if style.unit is None:
        return Substitution(start, start, style.comma.join(_items(values, style, None)))
    outer = _line_indent(text, container.start)
    line = style.newline + outer + style.unit
    items, inner = _items(values, style, outer + style.unit), text[start:end]
    after = inner if _indent(inner) is not None else style.newline + outer
    return Substitution(start, end, line + ("," + line).join(items) + after)


def put(text: str, part: Element, value: Value) -> str:
    """Give the part another value."""
    return replace(text, part.node, _dump(value, _style_of(text), _line_indent(text, part.start)))


def remove(text: str, container: Node, part: Element) -> str:
    return substitute(text, removals(container, [part]))


def removals(container: Node, chosen: Collection[Element]) -> Iterator[Substitution]:
    """What takes these parts out, and the comma that goes with each. An emptied container closes up."""
    parts, starts = container.parts, {part.start for part in chosen}
    remaining = [index for index, part in enumerate(parts) if part.start not in starts]
    if starts and not remaining:
        yield Substitution(container.start + 1, container.end - 1)
    elif starts:
        last = remaining[-1]
        for part, following in itertools.pairwise(parts[: last + 1]):
            if part.start in starts:
                yield Substitution(part.start, following.start)
        yield Substitution(parts[last].node.end, parts[-1].node.end)


def replace(text: str, node: Node, raw: str) -> str:
    return substitute(text, [Substitution(node.start, node.end, raw)])


def substitute(text: str, wanted: Iterable[Substitution]) -> str:
    """All of them at once: a text may be megabytes long, and have thousands. None may overlap."""
    pieces, end = [], 0
    for change in sorted(wanted):
        pieces += [text[end : change.start], change.new]
        end = change.end
    return "".join([*pieces, text[end:]])


def _style_of(text: str) -> Style:
    root = document.parse(text)
    newline = "\r\n" if "\r\n" in text else "\r" if "\r" in text and "\n" not in text else "\n"
    if not root.parts:
        return Style(newline, "  ", ": ")
    first = root.parts[0]
    colon = text[first.name_end : first.node.start] if first.name is not None else ": "
    return Style(newline, _indent(text[root.start + 1 : first.start]), colon if colon.isprintable() else ": ")


def _dump(value: Value, style: Style, indent: str | None) -> str:
    """The value as text; its first line stands at `indent`, None puts it on one line."""
    if not isinstance(value, dict | list):
        return _plain(value)
    left, right = "{}" if isinstance(value, dict) else "[]"
    if indent is None or style.unit is None:
        return left + style.comma.join(_items(value, style, None)) + right
    inner = indent + style.unit
    line = style.newline + inner
    return left + line + ("," + line).join(_items(value, style, inner)) + style.newline + indent + right


def _plain(value: str | int) -> str:
    """Characters as they are; half of one, which no file can hold, as the escape that it was."""
    text = json.dumps(value, ensure_ascii=False)
    return json.dumps(value) if _HALF.search(text) else text


def _items(values: Container, style: Style, indent: str | None) -> list[str]:
    """The text of each part, all of them at `indent`."""
    if isinstance(values, dict):
        return [_plain(name) + style.colon + _dump(item, style, indent) for name, item in values.items()]
    return [_dump(item, style, indent) for item in values]


def _gap(text: str, container: Node, style: Style) -> str:
    """The white space that goes before a new last part: what stands before the present one."""
    last = container.parts[-1]
    if len(container.parts) > 1:
        return text[text.index(",", container.parts[-2].node.end) + 1 : last.start]
    gap = text[container.start + 1 : last.start]
    return gap if _indent(gap) is not None else style.comma[1:]


def _indent(gap: str) -> str | None:
    """What stands after the last line break, None without one."""
    _, newline, rest = gap.replace("\r", "\n").rpartition("\n")
    return rest if newline else None


def _line_indent(text: str, offset: int) -> str:
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    return text[start:offset].removesuffix(text[start:offset].lstrip(" \t"))

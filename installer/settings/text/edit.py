"""Edits of a JSON text that leave every other character as it was, in the style that the text has."""

import itertools
import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from installer.settings.text.document import Element, Node

_HALF = re.compile("[\ud800-\udfff]")
Value = str | int | list["Value"] | dict[str, "Value"]


class Substitution(NamedTuple):
    """What is to stand in the place of text[start:end]."""

    start: int
    end: int
    new: str = ""


class Style(NamedTuple):
    newline: str
    unit: str | None  # one step of indentation; None: everything on one line
    colon: str


def style_of(text: str, root: Node) -> Style:
    newline = "\r\n" if "\r\n" in text else "\r" if "\r" in text and "\n" not in text else "\n"
    if not root.parts:
        return Style(newline, "  ", ": ")
    first = root.parts[0]
    colon = text[first.name_end : first.node.start] if first.name is not None else ": "
    gap = text[root.start + 1 : first.start]
    return Style(newline, _indent(gap), colon if colon.isprintable() else ": ")


def dump(value: Value, style: Style, indent: str | None) -> str:
    """The value as text; its first line stands at `indent`, None puts it on one line."""
    if isinstance(value, dict):
        names = (_plain(name) + style.colon for name in value)
        texts = [
            name + dump(item, style, _deeper(indent, style)) for name, item in zip(names, value.values(), strict=True)
        ]
        return _wrap("{}", texts, style, indent)
    if isinstance(value, list):
        return _wrap("[]", [dump(item, style, _deeper(indent, style)) for item in value], style, indent)
    return _plain(value)


def insert(text: str, container: Node, value: Value, style: Style, name: str | None = None) -> str:
    """Append a value to an array, or a named one to an object."""
    label = "" if name is None else _plain(name) + style.colon
    if container.parts:
        return extend(text, container, [value], style, label)
    inner = text[container.start + 1 : container.end - 1]
    if style.unit is None:
        return text[: container.start + 1] + label + dump(value, style, None) + inner + text[container.end - 1 :]
    outer = line_indent(text, container.start)
    before = style.newline + outer + style.unit
    after = inner if _indent(inner) is not None else style.newline + outer
    added = before + label + dump(value, style, outer + style.unit) + after
    return text[: container.start + 1] + added + text[container.end - 1 :]


def extend(text: str, container: Node, values: Sequence[Value], style: Style, label: str = "") -> str:
    """Append to a container that isn't empty; `label` goes before each value."""
    last, gap = container.parts[-1].node.end, _gap(text, container, style)
    added = "".join("," + gap + label + dump(value, style, _indent(gap)) for value in values)
    return text[:last] + added + text[last:]


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


def _plain(value: str | int) -> str:
    """Characters as they are; half of one, which no file can hold, as the escape that it was."""
    text = json.dumps(value, ensure_ascii=False)
    return json.dumps(value) if _HALF.search(text) else text


def _wrap(brackets: str, texts: list[str], style: Style, indent: str | None) -> str:
    inner = _deeper(indent, style)
    if indent is None or inner is None:
        comma = ", " if style.colon.endswith(" ") else ","
        return brackets[0] + comma.join(texts) + brackets[1]
    line = style.newline + inner
    return brackets[0] + line + ("," + line).join(texts) + style.newline + indent + brackets[1]


def _deeper(indent: str | None, style: Style) -> str | None:
    return None if indent is None or style.unit is None else indent + style.unit


def _gap(text: str, container: Node, style: Style) -> str:
    """The white space that goes before a new last part: what stands before the present one."""
    last = container.parts[-1]
    if len(container.parts) > 1:
        comma = text.index(",", container.parts[-2].node.end)
        return text[comma + 1 : last.start]
    gap = text[container.start + 1 : last.start]
    if _indent(gap) is None:
        return " " if style.colon.endswith(" ") else ""
    return gap


def _indent(gap: str) -> str | None:
    """What stands after the last line break, None without one."""
    line = gap.replace("\r", "\n")
    return line.rpartition("\n")[2] if "\n" in line else None


def line_indent(text: str, offset: int) -> str:
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    line = text[start:offset]
    return line[: len(line) - len(line.lstrip(" \t"))]

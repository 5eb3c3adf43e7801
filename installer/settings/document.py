"""Edits of one member of a JSON text at a time, so that every character outside of it stays."""

import functools
import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

_SPACE = re.compile(r"[ \t\r\n]*")
_HALF = re.compile("[\ud800-\udfff]")
_CONSTANT = re.compile(r'"(?:[^"\\]++|\\.)*+"|(?P<constant>NaN|-?Infinity)')


class Malformed(Exception):  # noqa: N818  named after the document, not after the exception
    """The fault of a text, and its offset."""

    def __init__(self, reason: str, offset: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.offset = offset


class Raw(NamedTuple):
    """A value as it is written: numbers are read as this, because they must be neither rounded nor reformatted."""

    text: str


class Member(NamedTuple):
    """A member of an object: text[start:end], in which its value begins at `value`."""

    name: str
    start: int
    value: int
    end: int


_ENCODER = json.JSONEncoder(ensure_ascii=False)
_DECODER = json.JSONDecoder(parse_int=Raw, parse_float=Raw)


def load(text: str) -> Any:
    """The value of the text. Raises Malformed for what the client would refuse too."""
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        at = _skip(text, error.pos)
        if text.startswith(("//", "/*", "#"), at):
            raise Malformed("a comment, which JSON doesn't have", at) from None
        raise Malformed(error.msg[0].lower() + error.msg[1:], error.pos) from None
    except RecursionError:
        raise Malformed("nested too deeply", 0) from None
    for match in _CONSTANT.finditer(text) if "NaN" in text or "Infinity" in text else ():
        if match["constant"]:  # Python accepts what JSON doesn't have
            raise Malformed(f"{match['constant']} is not JSON", match.start())
    return value


def is_object(text: str) -> bool:
    return isinstance(load(text), dict)


@functools.lru_cache(maxsize=4)  # the same text is searched several times, and may be megabytes long
def members(text: str) -> tuple[Member, ...]:
    """The members of an object; none for another value. Raises Malformed."""
    return tuple(members_at(text, _skip(text, 0))) if is_object(text) else ()


def members_at(text: str, start: int) -> Iterator[Member]:
    """The members of the object that begins there."""
    at = _skip(text, start + 1)
    while text[at] != "}":
        name, end = _DECODER.raw_decode(text, at)
        value = _skip(text, _skip(text, end) + 1)
        yield (member := Member(name, at, value, _DECODER.raw_decode(text, value)[1]))
        at = _skip(text, member.end)
        if text[at] == ",":
            at = _skip(text, at + 1)


def find(text: str, name: str) -> Member | None:
    """The member of this name; the last of several, as in the client."""
    return next((member for member in reversed(members(text)) if member.name == name), None)


def value(text: str, name: str) -> Any:
    """The value of a member, which the caller may change; None if there is none."""
    member = find(text, name)
    return _DECODER.raw_decode(text, member.value)[0] if member is not None else None


def raw(text: str, name: str) -> str | None:
    """The value of a member as it is written."""
    member = find(text, name)
    return text[member.value : member.end] if member is not None else None


def refuse_doubled_names(text: str, at: int) -> None:
    """Raise Malformed if an object in this value has a name twice: writing the value again keeps only the last."""

    def check(pairs: list[tuple[str, Any]]) -> None:
        names = set[str]()
        for name, _ in pairs:
            if name in names:
                raise Malformed(f'"{name}" stands twice in an object, of which the client reads the last', at)
            names.add(name)

    json.JSONDecoder(object_pairs_hook=check).raw_decode(text, at)


def put(text: str, name: str, value: Any) -> str:
    """Return an object's text with this value for a name, in its present place or after the last member."""
    line, step = _layout(text)
    item, member, present = dump(value, line, step), find(text, name), members(text)
    if member is not None:
        return text[: member.value] + item + text[member.end :]
    item = f"{line}{json.dumps(name)}: {item}"
    if present:
        return f"{text[: present[-1].end]},{item}{text[present[-1].end :]}"
    return text[: _skip(text, 0) + 1] + item + line.removesuffix(step) + text[text.rindex("}") :]


def remove_member(text: str, name: str) -> str:
    """Return the text without the member of this name and its comma. An emptied object closes up."""
    member, present = find(text, name), members(text)
    if member is None:
        return text
    if len(present) == 1:
        return text[: _skip(text, 0) + 1] + text[text.rindex("}") :]
    if member == present[-1]:
        return text[: present[-2].end] + text[member.end :]
    return text[: member.start] + text[present[present.index(member) + 1].start :]


def dump(value: Any, line: str = "\n", step: str = "  ") -> str:
    """Format a value as the client's own writer does: each line but the first begins with `line`."""
    if isinstance(value, Raw):
        return value.text
    if not value or not isinstance(value, dict | list):
        # Half a surrogate pair, which no file can hold, is written as the escape that it was.
        return _HALF.sub(lambda half: f"\\u{ord(half[0]):04x}", _ENCODER.encode(value))
    inner = line + step
    if isinstance(value, dict):
        items, brackets = [f"{dump(name)}: {dump(item, inner, step)}" for name, item in value.items()], "{}"
    else:
        items, brackets = [dump(item, inner, step) for item in value], "[]"
    return brackets[0] + inner + ("," + inner).join(items) + line + brackets[1]


def position(text: str, offset: int) -> tuple[int, int]:
    """Line and column, both counted from 1, as editors do."""
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def _layout(text: str) -> tuple[str, str]:
    """The space before each member of an object, with or without a line break, and one step of indentation."""
    start = _skip(text, 0) + 1
    _, newline, step = text[start : _skip(text, start)].rpartition("\n")
    if members(text) and not newline:
        return " ", ""
    step = step if members(text) else "  "
    return ("\r\n" if "\r\n" in text else "\n") + step, step


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at

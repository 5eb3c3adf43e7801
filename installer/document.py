"""Where each value of a JSON text stands, so that an edit can leave every other character alone."""

import json
import re
from typing import NamedTuple

_SPACE = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_SCALAR = re.compile(r"true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")


class Malformed(Exception):  # noqa: N818  named after the document, not after the exception
    """What is wrong with a text, and the offset at which it is."""

    def __init__(self, reason: str, offset: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.offset = offset


class Node(NamedTuple):
    """A value: text[start:end]. An array or object has its parts, an object's parts have names."""

    start: int
    end: int
    kind: str  # object, array or scalar
    parts: tuple["Part", ...] = ()

    def find(self, name: str) -> "Part | None":
        # The last one: of doubled names the client's own parser takes the last.
        return next((part for part in reversed(self.parts) if part.name == name), None)


class Part(NamedTuple):
    """An element of a container: from its name, if it has one, to the end of its value."""

    name: str | None
    start: int
    name_end: int
    node: Node


def parse(text: str) -> Node:
    """Return the root value. Raises Malformed for what the client would refuse too."""
    try:
        # Numbers stay text: a long integer must neither fail nor be rounded here.
        json.loads(text, parse_int=str, parse_float=str)
        root = _value(text, _skip(text, 0))
    except json.JSONDecodeError as error:
        raise _malformed(text, error) from None
    except RecursionError:
        raise Malformed("nested too deeply", 0) from None
    return root


def position(text: str, offset: int) -> tuple[int, int]:
    """Line and column, both counted from 1, as editors do."""
    before = text[:offset].replace("\r\n", "\n")
    line = before.replace("\r", "\n").rpartition("\n")
    return before.replace("\r", "\n").count("\n") + 1, len(line[2]) + 1


def value(text: str, node: Node) -> object:
    return json.loads(text[node.start : node.end], parse_int=str, parse_float=str)


def string(text: str, node: Node | None) -> str | None:
    """Return the value if it is a string."""
    if node is None or text[node.start] != '"':
        return None
    found = json.loads(text[node.start : node.end])
    return found if isinstance(found, str) else None


def _malformed(text: str, error: json.JSONDecodeError) -> Malformed:
    """The error in our words where json's don't help: at the same place whatever the Python."""
    at = _skip(text, error.pos)
    if text.startswith(("//", "/*"), at):
        return Malformed("a comment, which JSON does not have", error.pos)
    if text.startswith(",", at):  # where json points from Python 3.13 on; before, at what follows
        at = _skip(text, at + 1)
    if text.startswith(("}", "]"), at) and text[:at].rstrip().endswith(","):
        return Malformed("a comma with nothing after it", at)
    return Malformed(error.msg[0].lower() + error.msg[1:], error.pos)


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _value(text: str, at: int) -> Node:
    if text[at] == "{":
        return _container(text, at, "object")
    if text[at] == "[":
        return _container(text, at, "array")
    match = (_STRING if text[at] == '"' else _SCALAR).match(text, at)
    if match is None:  # NaN and Infinity: Python reads them, the client does not
        raise Malformed("not a JSON value", at)
    return Node(at, match.end(), "scalar")


def _container(text: str, start: int, kind: str) -> Node:
    parts: list[Part] = []
    at = _skip(text, start + 1)
    while text[at] not in "}]":
        part = _part(text, at, named=kind == "object")
        parts.append(part)
        at = _skip(text, part.node.end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return Node(start, at + 1, kind, tuple(parts))


def _part(text: str, at: int, *, named: bool) -> Part:
    if not named:
        return Part(None, at, at, _value(text, at))
    match = _STRING.match(text, at)
    end = match.end() if match else at
    colon = _skip(text, end)
    return Part(json.loads(text[at:end]), at, end, _value(text, _skip(text, colon + 1)))

"""Where each value of a JSON text stands, so that an edit can leave every other character alone."""

import functools
import json
import re
from typing import NamedTuple, NoReturn

_SPACE = re.compile(r"[ \t\r\n]*")
_CONSTANT = re.compile(r'"(?:[^"\\]|\\.)*"|(-?Infinity|NaN)')


class Malformed(Exception):  # noqa: N818  named after the document, not after the exception
    """What is wrong with a text, and the offset at which it is."""

    def __init__(self, reason: str, offset: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.offset = offset


class Node:
    """A value: text[start:end]. Its parts are looked for when they are first asked for."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self._text = text
        self.start = start
        self.end = end

    @property
    def kind(self) -> str:
        """Object, array or scalar."""
        return {"{": "object", "[": "array"}.get(self._text[self.start], "scalar")

    @property
    def raw(self) -> str:
        """The value as it is written."""
        return self._text[self.start : self.end]

    @functools.cached_property
    def parts(self) -> tuple["Element", ...]:
        """What is in a container; an object's parts have names."""
        return _parts(self._text, self.start, self.kind) if self.kind != "scalar" else ()

    @functools.cached_property
    def by_name(self) -> dict[str | None, "Element"]:
        # Of doubled names the client's own parser takes the last, as this does.
        return {part.name: part for part in self.parts}

    def find(self, name: str) -> "Element | None":
        return self.by_name.get(name)

    def string(self, name: str) -> str | None:
        """The text of this name; None without one, and for a value of another kind."""
        part = self.find(name)
        return str(json.loads(part.node.raw)) if part is not None and part.node.raw.startswith('"') else None


class Element(NamedTuple):
    """An element of a container: from its name, if it has one, to the end of its value."""

    name: str | None
    start: int
    name_end: int
    node: Node


def _refuse_constant(_name: str) -> NoReturn:
    raise Malformed("not a JSON value", 0)  # NaN and Infinity: Python reads them, the client does not


# The scanner that json has in C finds where a value ends, a hundred times faster than one in Python would.
# Numbers stay text: a long integer must neither fail nor be rounded here.
_DECODER = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=_refuse_constant)


@functools.lru_cache(maxsize=4)  # several questions are asked of the same text, which may be megabytes long
def parse(text: str) -> Node:
    """The root value. Raises Malformed for what the client would refuse too."""
    try:
        _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise _malformed(text, error) from None
    except RecursionError:
        raise Malformed("nested too deeply", 0) from None
    except Malformed as problem:
        offset = next(match.start() for match in _CONSTANT.finditer(text) if match[1])
        raise Malformed(problem.reason, offset) from None
    start = _skip(text, 0)
    return Node(text, start, len(text.rstrip(" \t\r\n")))


def position(text: str, offset: int) -> tuple[int, int]:
    """Line and column, both counted from 1, as editors do."""
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
    return before.count("\n") + 1, len(before) - before.rfind("\n")


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


def _parts(text: str, start: int, kind: str) -> tuple[Element, ...]:
    parts: list[Element] = []
    at = _skip(text, start + 1)
    while text[at] not in "}]":
        part = _part(text, at, has_name=kind == "object")
        parts.append(part)
        at = _skip(text, part.node.end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return tuple(parts)


def _part(text: str, at: int, *, has_name: bool) -> Element:
    name, end = _DECODER.raw_decode(text, at) if has_name else (None, at)
    start = _skip(text, _skip(text, end) + 1) if has_name else at
    return Element(name, at, end, Node(text, start, _DECODER.raw_decode(text, start)[1]))

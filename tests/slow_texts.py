"""Texts that a pattern may take long to search: what it asks for, repeated, without the end of a match."""

import re
import signal
import time
from collections.abc import Callable, Iterator
from re import _constants as kinds  # type: ignore[attr-defined]  # there is no public one
from re import _parser as parser  # type: ignore[attr-defined]  # there is no public one
from types import FrameType
from typing import Any

REPEATS = {kinds.MAX_REPEAT, kinds.MIN_REPEAT, kinds.POSSESSIVE_REPEAT}
MANY, INNER = 30, 190
"""From how many times on a repetition counts as one, and how often one within another is repeated."""
FILLINGS, OTHERS = " x1-\n", " x1-._/:'\"aA~\n\u00e9"
ENDS = ("\x01", "\n", " x")
SPELLINGS = {
    kinds.CATEGORY_SPACE: r"\s",
    kinds.CATEGORY_NOT_SPACE: r"\S",
    kinds.CATEGORY_DIGIT: r"\d",
    kinds.CATEGORY_NOT_DIGIT: r"\D",
    kinds.CATEGORY_WORD: r"\w",
    kinds.CATEGORY_NOT_WORD: r"\W",
}


def slow_texts(pattern: re.Pattern[str], size: int) -> Iterator[str]:
    """Texts of about `size` characters: `pattern`'s repetitions after their prefixes, and both together."""
    tree = parser.parse(pattern.pattern, pattern.flags)
    for filling in FILLINGS:
        for prefix, body in {*_repetitions(tree, filling)}:
            for end in ENDS:
                yield prefix + body * (size // len(body)) + end
            yield (prefix + body) * (size // len(prefix + body)) + ENDS[0]
            yield f"{prefix}{body * 20}\n" * (size // len(f"{prefix}{body * 20}\n"))


def everywhere(pattern: re.Pattern[str], text: str) -> None:
    for _ in pattern.finditer(text):
        pass


def at_beginning(pattern: re.Pattern[str], text: str) -> None:
    pattern.match(text)


def seconds(search: Callable[[re.Pattern[str], str], None], pattern: re.Pattern[str], text: str, most: float) -> float:
    """Processor seconds of a search for `pattern` in `text`; a search is given up at about `most`."""
    previous = signal.signal(signal.SIGALRM, _give_up)
    signal.setitimer(signal.ITIMER_REAL, 4 * most)  # the machine may be busy
    begin = time.process_time()
    try:
        search(pattern, text)
    except TimeoutError:
        return most
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    return time.process_time() - begin


def _give_up(number: int, frame: FrameType | None) -> None:
    raise TimeoutError


def _repetitions(part: Any, filling: str, prefix: str = "") -> Iterator[tuple[str, str]]:
    """The prefix of each repetition, and what it repeats."""
    for kind, arguments in part:
        if kind in REPEATS and arguments[1] >= MANY:
            yield from ((prefix, body) for times in (1, INNER) if (body := _example(arguments[2], filling, times)))
        for inner in _parts(kind, arguments):
            yield from _repetitions(inner, filling, prefix)
        prefix += _one(kind, arguments, filling, 1)


def _parts(kind: Any, arguments: Any) -> list[Any]:
    if kind in REPEATS:
        return [arguments[2]]
    if kind is kinds.BRANCH:
        return list(arguments[1])
    return [arguments[3]] if kind is kinds.SUBPATTERN else [arguments] if kind is kinds.ATOMIC_GROUP else []


def _example(part: Any, filling: str, times: int) -> str:
    return "".join(_one(kind, arguments, filling, times) for kind, arguments in part)


def _one(kind: Any, arguments: Any, filling: str, times: int) -> str:
    """A matching text; an unbounded repetition is repeated this many `times`."""
    if kind is kinds.LITERAL:
        return chr(arguments)
    if kind is kinds.NOT_LITERAL:
        return filling if ord(filling) != arguments else "y"
    if kind is kinds.ANY:
        return filling if filling != "\n" else "x"
    if kind is kinds.IN:
        return _member(arguments, filling)
    if kind in REPEATS:
        least, most, repeated = arguments
        return _example(repeated, filling, 1) * int(max(least, times) if most >= MANY else least)
    parts = _parts(kind, arguments)
    return _example(parts[0], filling, times) if parts else ""


def _member(members: Any, filling: str) -> str:
    """`filling` if the set has it, else one of its members."""
    pattern = re.compile(_set(members))
    examples: tuple[str, ...] = (
        filling,
        *(chr(one) for kind, one in members if kind is kinds.LITERAL),
        *" x1-._/:'\"aA~\n\u00e9",
    )
    return next((example for example in examples if pattern.fullmatch(example)), "")


def _set(members: Any) -> str:
    """A set of characters as a pattern."""
    text = ""
    for kind, argument in members:
        if kind is kinds.NEGATE:
            text += "^"
        elif kind is kinds.LITERAL:
            text += re.escape(chr(argument))
        elif kind is kinds.RANGE:
            text += f"{re.escape(chr(argument[0]))}-{re.escape(chr(argument[1]))}"
        elif kind is kinds.CATEGORY:
            text += SPELLINGS[argument]
    return f"[{text}]"

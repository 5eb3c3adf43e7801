"""Excerpts of a long plan or instruction: its beginning, the part in progress, its rules, and the remaining parts."""

import itertools
import re
from collections.abc import Iterator

from shared.text.plain import elide

_HEADING, _FENCE = re.compile(r"#+ |\d+[.)] |\*\*\d+[.)] "), "```"
_RULE = re.compile(r"(?i)\b(?:never|always|must|do not|don['\u2019]t|at a time|required|forbidden)\b")
_WORD = re.compile(r"\w{5,}")
_COMMON, _FEWEST = 3, 2
"""A word locates the work if at most one in _COMMON parts has it; _FEWEST such words identify a part."""
_LONGEST_LINE, _WORTH = 400, 80
"""The most characters of a line, and the fewest of one that is cut."""
_NEVER = 5
"""The rank of a line in a completed part, which isn't shown."""
_GAP = "[\u2026]\n"


def excerpt(text: str, longest: int, now: str) -> str:
    """`text` in about `longest` characters; `now` describes the current work."""
    if len(text) <= longest:
        return text
    lines = [elide(line, _LONGEST_LINE) for line in text.splitlines()]
    starts = headings = _headings(lines)
    if len(headings) <= _FEWEST:
        starts = [0, *(at for at in range(1, len(lines)) if lines[at].strip() and not lines[at - 1].strip())]
    first, last = _part_in_progress(lines, starts, now)
    if not last and starts is not headings:
        return elide(text, longest)
    ranks = _ranks(lines, frozenset(starts), (first, last), longest // 4)
    room, chosen, full = longest, set[int](), {_NEVER}
    for number in sorted(range(len(lines)), key=ranks.__getitem__):
        if ranks[number] in full or not lines[number]:
            continue
        if len(lines[number]) >= room:
            full.add(ranks[number])
            if room < _WORTH:
                continue
            lines[number] = elide(lines[number], room)
        room -= len(lines[number]) + 1
        chosen.add(number)
    return "".join(_with_gaps(lines, chosen)).rstrip("\n")


def _ranks(lines: list[str], starts: frozenset[int], part: tuple[int, int], head: int) -> list[int]:
    """The rank of each line, 0 the highest; `part` is the one in progress, `head` the characters of the beginning."""
    ranks, end = [], 0
    for number, line in enumerate(lines):
        end += len(line) + 1
        if end <= head:
            ranks.append(0)
        elif part[0] <= number < part[1]:
            ranks.append(1)
        elif number >= part[1] and number in starts:
            ranks.append(2)
        else:
            ranks.append(3 if _RULE.search(line) else 4 if number >= part[1] else _NEVER)
    return ranks


def _with_gaps(lines: list[str], chosen: set[int]) -> Iterator[str]:
    """The chosen lines, with a mark wherever lines with text are left out."""
    for is_chosen, run in itertools.groupby(range(len(lines)), key=chosen.__contains__):
        numbers = list(run)
        if is_chosen:
            yield from (f"{lines[number]}\n" for number in numbers)
        elif any(lines[number].strip() for number in numbers):
            yield _GAP


def _headings(lines: list[str]) -> list[int]:
    """The numbers of the lines that begin a part, with a heading or a number."""
    is_code, starts = False, [0]
    for number, line in enumerate(lines):
        is_code ^= line.lstrip().startswith(_FENCE)
        if number and not is_code and _HEADING.match(line):
            starts.append(number)
    return starts


def _part_in_progress(lines: list[str], starts: list[int], now: str) -> tuple[int, int]:
    """The bounds of the last part that shares most words with `now`, as line numbers; (0, 0) if none does."""
    bounds = [*itertools.pairwise([*starts, len(lines)])]
    parts = [set(_WORD.findall("\n".join(lines[start:end]))) for start, end in bounds]
    words = set(_WORD.findall(now))
    rare = {word for word in words if 0 < sum(word in part for part in parts) <= max(1, len(parts) // _COMMON)}
    score, bound = max((len(part & rare), bound) for part, bound in zip(parts, bounds, strict=True))
    return bound if score >= _FEWEST else (0, 0)

"""What matters now of a long plan or instruction: its beginning, the part in progress, its rules, and what is left."""

import itertools
import re
from collections.abc import Iterator

from shared.text.plain import elide

_HEADING, _FENCE = re.compile(r"#+ |\d+[.)] |\*\*\d+[.)] "), "```"
_RULE = re.compile(r"(?i)\b(?:never|always|must|do not|don['\u2019]t|at a time|required|forbidden)\b")
_WORD = re.compile(r"\w{5,}")
_COMMON, _FEWEST = 3, 2
"""A word locates the work if it is in at most one of so many parts; a part is recognised by so many words."""
_LONGEST_LINE, _WORTH = 400, 80
"""Characters: of a line at most, and of one that is cut at least."""
_NEVER = 5
"""The rank of a line of a part that is done: it isn't shown."""
_GAP = "[\u2026]\n"


def excerpt(text: str, longest: int, now: str) -> str:
    """`text` in `longest` characters or so; `now` is what the work is at.

    Of a text without headings, in which no part is in progress, the middle is left out.
    """
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
    """How much each line matters, 0 most; `part` is the one in progress, `head` the characters of the beginning."""
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
    """The lines that are shown, with a mark where others are left out that say something."""
    for is_chosen, run in itertools.groupby(range(len(lines)), key=chosen.__contains__):
        numbers = list(run)
        if is_chosen:
            yield from (f"{lines[number]}\n" for number in numbers)
        elif any(lines[number].strip() for number in numbers):
            yield _GAP


def _headings(lines: list[str]) -> list[int]:
    """The numbers of the lines with which parts begin that have a heading or are numbered."""
    is_code, starts = False, [0]
    for number, line in enumerate(lines):
        is_code ^= line.lstrip().startswith(_FENCE)
        if number and not is_code and _HEADING.match(line):
            starts.append(number)
    return starts


def _part_in_progress(lines: list[str], starts: list[int], now: str) -> tuple[int, int]:
    """The first line of the last part that shares most words with `now`, and the one behind it; 0 where none does."""
    bounds = [*itertools.pairwise([*starts, len(lines)])]
    parts = [set(_WORD.findall("\n".join(lines[start:end]))) for start, end in bounds]
    words = set(_WORD.findall(now))
    rare = {word for word in words if 0 < sum(word in part for part in parts) <= max(1, len(parts) // _COMMON)}
    score, bound = max((len(part & rare), bound) for part, bound in zip(parts, bounds, strict=True))
    return bound if score >= _FEWEST else (0, 0)

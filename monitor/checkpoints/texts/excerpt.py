"""The part of a long plan or answer that matters now: the step in progress and what is left, behind its beginning."""

import itertools
import re

from monitor.checkpoints.words import elide

_STEPS, _PARAGRAPHS = re.compile(r"\n(?=#+ |\d+[.)] )"), re.compile(r"\n\n")
_WORD = re.compile(r"\w{5,}")
_COMMON, _FEWEST = 3, 2
"""A word says where the work is if it stands in at most one of so many parts; a part is recognised by so many words."""
_GAP = "\n[\u2026]\n"


def excerpt(text: str, longest: int, now: str) -> str:
    """`text` in `longest` characters or so; `now` is what the work is at."""
    if len(text) <= longest:
        return text
    start = _start_of_step(text, now)
    head = longest // 4
    if start <= head:
        return elide(text, longest)
    return text[:head] + _GAP + elide(text[start:], longest - head)


def _start_of_step(text: str, now: str) -> int:
    """Where the last part begins that shares most words with `now`; 0 where none does."""
    ends = [*_STEPS.finditer(text)] or [*_PARAGRAPHS.finditer(text)]
    starts = [0, *(match.end() for match in ends), len(text)]
    parts = [set(_WORD.findall(text[start:end])) for start, end in itertools.pairwise(starts)]
    known = set(_WORD.findall(now))
    telling = {word for word in known if 0 < sum(word in part for part in parts) <= max(1, len(parts) // _COMMON)}
    scores = [len(part & telling) for part in parts]
    most = max(scores)
    return starts[len(scores) - 1 - scores[::-1].index(most)] if most >= _FEWEST else 0

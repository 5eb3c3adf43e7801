"""The layout: which segments a line has room for, and in which form."""

from collections.abc import Iterable, Sequence

from statusline.segment import Form, Part, Segment
from statusline.terminal.width import columns, cut

SEPARATOR = Part(" · ", "dim")


def fit(segments: Sequence[Segment], limit: int, separator: Part = SEPARATOR) -> tuple[Part, ...]:
    """Fit the segments, in order, into one line of at most `limit` columns.

    While the line is too long, its least important form gives way to the segment's next shorter one, or is dropped.
    """
    gap = columns(separator.text)
    chosen = {index: [(form, _columns(form)) for form in segment] for index, segment in enumerate(segments)}
    while chosen and sum(forms[-1][1] + gap for forms in chosen.values()) - gap > limit:
        index = min(chosen, key=lambda index: chosen[index][-1][0].importance)
        if len(chosen) == len(chosen[index]) == 1:
            return _cut(chosen[index][0][0].parts, limit)
        chosen[index].pop()
        if not chosen[index]:
            del chosen[index]
    line: list[Part] = []
    for forms in chosen.values():
        line += [separator] if line else []
        line += forms[-1][0].parts
    return tuple(line)


def _columns(form: Form) -> int:
    return sum(columns(part.text) for part in form.parts)


def _cut(parts: Iterable[Part], limit: int) -> tuple[Part, ...]:
    """The beginning of the most important form, used if even that is too long."""
    result: list[Part] = []
    for part in parts:
        text = cut(part.text, limit)
        limit -= columns(text)
        result.append(Part(text, part.role))
    return tuple(part for part in result if part.text)

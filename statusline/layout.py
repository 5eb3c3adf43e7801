"""Which segments a line has room for, and in which form."""

from collections.abc import Iterable, Sequence

from statusline.segment import Form, Part, Segment
from statusline.width import columns, cut

SEPARATOR = Part(" · ", "dim")


def fit(segments: Sequence[Segment], limit: int, separator: Part = SEPARATOR) -> tuple[Part, ...]:
    """One line of at most `limit` columns, the segments in their order.

    The forms are tried by importance, and each that still fits replaces its segment's shorter one: so the least
    important segments are dropped first, and the others are shortened only when that isn't enough.
    """
    chosen: dict[int, Form] = {}
    sizes: dict[int, int] = {}
    gap = columns(separator.text)
    ranked = sorted(
        ((index, form) for index, segment in enumerate(segments) for form in segment),
        key=lambda ranking: -ranking[1].importance,
    )
    for index, form in ranked:
        size = sum(columns(part.text) for part in form.parts)
        others = sum(other + gap for position, other in sizes.items() if position != index)
        if size + others <= limit:
            chosen[index], sizes[index] = form, size
    if not chosen and ranked:
        return _cut(ranked[0][1].parts, limit)
    return tuple(_joined((chosen[index] for index in sorted(chosen)), separator))


def _joined(forms: Iterable[Form], separator: Part) -> list[Part]:
    line: list[Part] = []
    for form in forms:
        line += [separator, *form.parts] if line else form.parts
    return line


def _cut(parts: Iterable[Part], limit: int) -> tuple[Part, ...]:
    """The beginning of the most important form, where not even that has room."""
    kept: list[Part] = []
    for part in parts:
        text = cut(part.text, limit)
        limit -= columns(text)
        kept.append(Part(text, part.role))
    return tuple(part for part in kept if part.text)

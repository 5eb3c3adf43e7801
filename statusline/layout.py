"""Which segments a line has room for, and in which form."""

from collections.abc import Iterable, Sequence

from statusline.segment import ESSENTIAL, Form, Part, Segment
from statusline.width import columns, cut

SEPARATOR = Part(" · ", "dim")


def fit(segments: Sequence[Segment], limit: int) -> Form:
    """One line of at most `limit` columns, the segments in their order.

    The least important are dropped first; only then are the essential ones shortened, and at last dropped too.
    """
    ranked = sorted(range(len(segments)), key=lambda index: -segments[index].importance)
    essential = [index for index in ranked if segments[index].importance >= ESSENTIAL]
    chosen = {index: segments[index].forms[-1] for index in essential}
    while len(chosen) > 1 and _columns(chosen.values()) > limit:
        del chosen[essential.pop()]
    for index in essential + [index for index in ranked if segments[index].importance < ESSENTIAL]:
        for form in segments[index].forms:
            if _columns({**chosen, index: form}.values()) <= limit:
                chosen[index] = form
                break
    return _within(_joined([chosen[index] for index in sorted(chosen)]), limit)


def _columns(forms: Iterable[Form]) -> int:
    sizes = [sum(columns(part.text) for part in form) for form in forms]
    return sum(sizes) + columns(SEPARATOR.text) * (len(sizes) - 1)


def _joined(forms: Sequence[Form]) -> Form:
    line: list[Part] = []
    for form in forms:
        line += [SEPARATOR, *form] if line else form
    return tuple(line)


def _within(line: Form, limit: int) -> Form:
    """`line`, cut where even one short form is too long."""
    kept: list[Part] = []
    for part in line:
        text = cut(part.text, limit)
        limit -= columns(text)
        kept.append(Part(text, part.role))
    return tuple(part for part in kept if part.text)

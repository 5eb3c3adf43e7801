"""A call's growth, split over what entered the window before it: the parts sum exactly to the growth."""

from collections.abc import Sequence

from history.store.rows import PartRow, WindowEntry
from history.store.schema import PartCertainty, PartKind
from shared.transcript.records import BYTES_PER_TOKEN

_OUTPUT, _START, _REMOVED, _UNSEEN = map(int, (PartKind.OUTPUT, PartKind.START, PartKind.REMOVED, PartKind.UNSEEN))
_MEASURED, _SPLIT, _ESTIMATED = map(int, PartCertainty)


def parts_of(
    growth: int, output: int | None, size: int, entries: Sequence[WindowEntry], *, is_first: bool
) -> list[PartRow]:
    """Split `growth` tokens into the previous answer, of `output` tokens and `size` bytes, and what entered after it.

    A window's first answer finds things in it that no line shows. What left the window without a compaction makes the
    growth smaller than what entered, or negative.
    """
    if is_first:
        return _first_parts(growth, entries)
    own = WindowEntry(_OUTPUT, size if output is None else 0)
    if growth <= 0:
        return _with_removed(growth, own, output, entries)
    if output is None:
        all_of_them = [own, *entries] if size else entries
        return _split_by_size(
            growth, all_of_them or [WindowEntry(_UNSEEN, 0)], _MEASURED if len(all_of_them) < 2 else _SPLIT
        )
    if not entries:
        text = min(output, growth)
        parts = [PartRow(own, _MEASURED if output <= growth else _ESTIMATED, text)] if text else []
        return [*parts, PartRow(WindowEntry(_UNSEEN, 0), _MEASURED, growth - text)] if growth > text else parts
    if output >= growth:  # the client leaves thinking out of the next request
        return _split_by_size(growth, [WindowEntry(_OUTPUT, max(size, 1)), *entries], _ESTIMATED)
    parts = _split_by_size(growth - output, entries, _MEASURED if len(entries) == 1 else _SPLIT)
    return [PartRow(own, _MEASURED, output), *parts] if output else parts


def _with_removed(growth: int, own: WindowEntry, output: int | None, entries: Sequence[WindowEntry]) -> list[PartRow]:
    """The parts that entered, by size, and what left the window in the meantime."""
    entered = [PartRow(entry, _ESTIMATED, entry.bytes // BYTES_PER_TOKEN) for entry in entries]
    text = own.bytes // BYTES_PER_TOKEN if output is None else output
    if text:
        entered = [PartRow(own, _ESTIMATED if output is None else _MEASURED, text), *entered]
    removed = growth - sum([part.tokens for part in entered])
    return [*entered, PartRow(WindowEntry(_REMOVED, 0), _ESTIMATED, removed)] if removed else entered


def _first_parts(growth: int, entries: Sequence[WindowEntry]) -> list[PartRow]:
    sizes = [entry.bytes // BYTES_PER_TOKEN for entry in entries]
    rest = growth - sum(sizes)
    if rest < 0:
        return _split_by_size(growth, entries, _ESTIMATED)
    parts = [PartRow(entry, _ESTIMATED, size) for entry, size in zip(entries, sizes, strict=True)]
    return [PartRow(WindowEntry(_START, 0), _ESTIMATED, rest), *parts] if rest else parts


def _split_by_size(tokens: int, entries: Sequence[WindowEntry], certainty: int) -> list[PartRow]:
    """Split `tokens` by size; rounding goes to the largest remainders, the first of equal ones."""
    if len(entries) == 1:
        return [PartRow(entries[0], certainty, tokens)]
    sizes = [max(1, entry.bytes) for entry in entries]
    whole = sum(sizes)
    shares = [tokens * size // whole for size in sizes]
    by_remainder = sorted(range(len(sizes)), key=lambda index: -(tokens * sizes[index] % whole))
    for index in by_remainder[: tokens - sum(shares)]:
        shares[index] += 1
    return [PartRow(entry, certainty, share) for entry, share in zip(entries, shares, strict=True)]

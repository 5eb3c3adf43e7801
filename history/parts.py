"""A call's growth, split over what entered the window before it: the parts sum exactly to the growth."""

from collections.abc import Sequence

from history.rows import Entrant, PartRow
from history.schema import PartCertainty, PartKind
from shared.forecast import BYTES_PER_TOKEN

_OUTPUT, _START, _REMOVED, _UNSEEN = (
    int(kind) for kind in (PartKind.OUTPUT, PartKind.START, PartKind.REMOVED, PartKind.UNSEEN)
)
_MEASURED, _SPLIT, _ESTIMATED = (int(certainty) for certainty in PartCertainty)


def parts_of(
    growth: int, output: int | None, size: int, entrants: Sequence[Entrant], *, is_first: bool
) -> list[PartRow]:
    """The parts of `growth` tokens: the answer before, of `output` tokens and `size` bytes, and what entered after it.

    A window's first answer finds things in it that no line shows. What left the window without a compaction makes the
    growth smaller than what entered, or negative.
    """
    if is_first:
        return _of_first(growth, entrants)
    own = Entrant(_OUTPUT, size if output is None else 0)
    if growth <= 0:
        return _with_removed(growth, own, output, entrants)
    if output is None:
        all_of_them = [own, *entrants] if size else entrants
        return _shared(growth, all_of_them or [Entrant(_UNSEEN, 0)], _MEASURED if len(all_of_them) < 2 else _SPLIT)
    if not entrants:
        said = min(output, growth)
        parts = [PartRow(own, _MEASURED if output <= growth else _ESTIMATED, said)] if said else []
        return [*parts, PartRow(Entrant(_UNSEEN, 0), _MEASURED, growth - said)] if growth > said else parts
    if output >= growth:  # the client leaves thinking out of the next request
        return _shared(growth, [Entrant(_OUTPUT, max(size, 1)), *entrants], _ESTIMATED)
    parts = _shared(growth - output, entrants, _MEASURED if len(entrants) == 1 else _SPLIT)
    return [PartRow(own, _MEASURED, output), *parts] if output else parts


def _with_removed(growth: int, own: Entrant, output: int | None, entrants: Sequence[Entrant]) -> list[PartRow]:
    """What entered, by its size, and what left the window in the meantime."""
    entered = [PartRow(entrant, _ESTIMATED, entrant.bytes // BYTES_PER_TOKEN) for entrant in entrants]
    said = own.bytes // BYTES_PER_TOKEN if output is None else output
    if said:
        entered = [PartRow(own, _ESTIMATED if output is None else _MEASURED, said), *entered]
    removed = growth - sum([part.tokens for part in entered])
    return [*entered, PartRow(Entrant(_REMOVED, 0), _ESTIMATED, removed)] if removed else entered


def _of_first(growth: int, entrants: Sequence[Entrant]) -> list[PartRow]:
    sizes = [entrant.bytes // BYTES_PER_TOKEN for entrant in entrants]
    rest = growth - sum(sizes)
    if rest < 0:
        return _shared(growth, entrants, _ESTIMATED)
    parts = [PartRow(entrant, _ESTIMATED, size) for entrant, size in zip(entrants, sizes, strict=True)]
    return [PartRow(Entrant(_START, 0), _ESTIMATED, rest), *parts] if rest else parts


def _shared(tokens: int, entrants: Sequence[Entrant], certainty: int) -> list[PartRow]:
    """`tokens` split by size; rounding goes to the largest remainders, the first of equal ones."""
    if len(entrants) == 1:
        return [PartRow(entrants[0], certainty, tokens)]
    sizes = [max(1, entrant.bytes) for entrant in entrants]
    whole = sum(sizes)
    shares = [tokens * size // whole for size in sizes]
    by_remainder = sorted(range(len(sizes)), key=lambda place: -(tokens * sizes[place] % whole))
    for place in by_remainder[: tokens - sum(shares)]:
        shares[place] += 1
    return [PartRow(entrant, certainty, share) for entrant, share in zip(entrants, shares, strict=True)]

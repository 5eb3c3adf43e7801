"""A row of numbers in one line of blocks."""

from collections.abc import Sequence

BLOCKS = "▁▂▃▄▅▆▇█"
_WIDTH = 20
"""Columns of a sparkline within a table."""


def sparkline(values: Sequence[float | None], top: float | None = None, width: int = _WIDTH) -> str:
    """Draw `values` (None: a gap) in at most `width` blocks; a full block is `top`, or else the largest value."""
    numbers = [value for value in values if value is not None]
    most = top or max(numbers, default=0)
    columns = min(width, len(values))
    shares = (values[len(values) * n // columns : len(values) * (n + 1) // columns] for n in range(columns))
    return "".join(_block([value for value in share if value is not None], most) for share in shares)


def _block(share: Sequence[float], most: float) -> str:
    if not share:
        return " "
    return BLOCKS[min(len(BLOCKS) - 1, max(0, int(max(share) / most * len(BLOCKS))))] if most > 0 else BLOCKS[0]

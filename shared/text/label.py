"""A label in front of what it names, in a column that is as wide wherever a session is described."""

WIDTH = 16
"""Room for the longest label, `answered before`, and a blank."""


def label_cell(label: str) -> str:
    """`label` in its column; a longer one doesn't touch what it names either."""
    return f"{label:<{WIDTH - 1}} "
